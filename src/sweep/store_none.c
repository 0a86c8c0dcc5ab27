/* The store of a library that was built without SQLite: none can be opened, so
 * nothing else is ever called with one. */
#include "bperc/store.h"
#include "sweep/store.h"

static bperc_status none(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_IO,
                         "stores need SQLite, and this bperc was built without "
                         "it (-Dsqlite=enabled)");
}

bperc_status bperc_store_open(const char *path, bperc_store_mode mode,
                              bperc_store **out, bperc_error *error) {
  (void)path, (void)mode;
  *out = NULL;
  return none(error);
}

bperc_status bperc_store_check(const char *path, bperc_store_tell *tell,
                               void *context, bperc_store_summary *out,
                               bperc_error *error) {
  (void)path, (void)tell, (void)context;
  *out = (bperc_store_summary){0};
  return none(error);
}

bperc_status bperc_store_merge(bperc_store *into, const char *from,
                               bperc_store_tell *tell, void *context,
                               bperc_store_summary *out, bperc_error *error) {
  (void)into;
  return bperc_store_check(from, tell, context, out, error);
}

bperc_status bperc_store_export(bperc_store *store, FILE *out,
                                bperc_error *error) {
  (void)store, (void)out;
  return none(error);
}

void bperc_store_close(bperc_store *store) { (void)store; }

size_t bperc_store_damaged(bperc_store *store, char first[33]) {
  (void)store;
  if (first)
    first[0] = 0;
  return 0;
}

bperc_status bperc_i_store_has(bperc_store *store, const char *key, int *found,
                               bperc_error *error) {
  (void)store, (void)key;
  *found = 0;
  return none(error);
}

bperc_status bperc_i_store_get(bperc_store *store, const char *key,
                               bperc_i_stored *out, int *found,
                               bperc_error *error) {
  *out = (bperc_i_stored){.status = BPERC_E_IO};
  return bperc_i_store_has(store, key, found, error);
}

bperc_status bperc_i_store_put(bperc_store *store, const bperc_i_result *result,
                               bperc_error *error) {
  (void)store, (void)result;
  return none(error);
}

bperc_status bperc_i_store_commit(bperc_store *store, bperc_error *error) {
  (void)store;
  return none(error);
}

bperc_status bperc_i_store_write(bperc_store *store, bperc_error *error) {
  (void)store;
  return none(error);
}

void bperc_i_store_drop_batch(bperc_store *store) { (void)store; }

double bperc_i_store_seconds(bperc_store *store, const char *inputs) {
  (void)store, (void)inputs;
  return -1;
}

int bperc_i_store_writable(const bperc_store *store) {
  (void)store;
  return 0;
}

bperc_status bperc_i_store_share(bperc_store *store, bperc_error *error) {
  (void)store;
  return none(error);
}

void bperc_i_store_unshare(bperc_store *store) { (void)store; }

bperc_status bperc_i_store_take_begin(bperc_store *store, bperc_error *error) {
  (void)store;
  return none(error);
}

bperc_status bperc_i_store_take(bperc_store *store, const char *key, int retry,
                                bperc_i_taken *out, bperc_error *error) {
  (void)store, (void)key, (void)retry;
  *out = BPERC_I_ELSEWHERE;
  return none(error);
}

bperc_status bperc_i_store_take_end(bperc_store *store, bperc_status status,
                                    bperc_error *error) {
  (void)store;
  return status == BPERC_OK ? none(error) : status;
}
