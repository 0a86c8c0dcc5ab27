/* The store of a library that was built without SQLite: none can be opened, so
 * nothing else is ever called with one. */
#include "bperc/store.h"
#include "lab/store/store.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static bperc_status none(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_IO,
                         "stores need SQLite, and this bperc was built without "
                         "it (-Dsqlite=enabled)");
}

bperc_status bperc_store_open(const char *path, bperc_store_mode mode,
                              bperc_store **out, bperc_error *error) {
  *out = NULL;
  return none(error);
}

bperc_status bperc_store_check(const char *path, bperc_store_tell *tell,
                               void *context, bperc_store_summary *out,
                               bperc_error *error) {
  *out = (bperc_store_summary){0};
  return none(error);
}

void bperc_store_close(bperc_store *store) {}

/* ---- never called */

#define NEVER(name, ...)                                                       \
  bperc_status name(bperc_store *s, __VA_ARGS__) { return none(error); }

NEVER(bperc_store_merge, const char *from, bperc_store_tell *tell,
      void *context, bperc_store_summary *out, bperc_error *error)
NEVER(bperc_store_export, FILE *out, bperc_error *error)
NEVER(bperc_i_store_has, const char *key, int *found, bperc_error *error)
NEVER(bperc_i_store_get, const char *key, bperc_record **out, int *found,
      bperc_error *error)
NEVER(bperc_i_store_put, const bperc_i_result *result, bperc_error *error)
NEVER(bperc_i_store_commit, bperc_error *error)
NEVER(bperc_i_store_write, bperc_error *error)
NEVER(bperc_i_store_share, bperc_error *error)
NEVER(bperc_i_store_take_begin, bperc_error *error)
NEVER(bperc_i_store_take, const char *key, int retry, bperc_i_taken *out,
      bperc_error *error)
NEVER(bperc_i_store_take_end, bperc_status status, bperc_error *error)

size_t bperc_store_damaged(bperc_store *s, char first[33]) { return 0; }
double bperc_i_store_seconds(bperc_store *s, const char *inputs) { return -1; }
int bperc_i_store_writable(const bperc_store *s) { return 0; }
void bperc_i_store_drop_batch(bperc_store *s) {}
void bperc_i_store_unshare(bperc_store *s) {}
void bperc_i_store_tidy(bperc_store *s) {}
