/* Results by key in one SQLite file.
 *
 * Rollback journal, so that the file may lie on a network disk; writes are
 * gathered in transactions of about a second. A killed process leaves a file
 * that holds every committed batch.
 */
#ifndef BPERC_SWEEP_STORE_H
#define BPERC_SWEEP_STORE_H

#include "bperc/sweep.h"

typedef struct {
  bperc_status status; /* BPERC_OK: record counts; else message says why not */
  char message[256];
  double seconds;
  bperc_record *record; /* owned by the reader; NULL for failures */
} bperc_i_stored;

/* *found: 1 has numbers, -1 has a failure, 0 is not there. */
bperc_status bperc_i_store_has(bperc_store *store, const char *key, int *found,
                               bperc_error *error);
/* record NULL in *out when there is none or it failed. */
bperc_status bperc_i_store_get(bperc_store *store, const char *key,
                               bperc_i_stored *out, int *found,
                               bperc_error *error);

typedef struct {
  const char *key, *inputs;
  uint32_t instance;
  uint64_t seed;
  bperc_status status;
  const char *message;
  double seconds;
  const void *bytes; /* packed record */
  size_t size;
} bperc_i_result;

/* Keeps a copy until the next commit, which writes all in one transaction. */
bperc_status bperc_i_store_put(bperc_store *store, const bperc_i_result *result,
                               bperc_error *error);
bperc_status bperc_i_store_commit(bperc_store *store, bperc_error *error);
/* Mean seconds of results with these inputs, negative when there are none. */
double bperc_i_store_seconds(bperc_store *store, const char *inputs);
int bperc_i_store_writable(const bperc_store *store);

#endif
