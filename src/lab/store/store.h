/* Results by key in one SQLite file.
 *
 * Rollback journal, so that the file may lie on a network disk; writes are
 * gathered in transactions of about a second. A killed process leaves a file
 * that holds every committed batch.
 */
#ifndef BPERC_SWEEP_STORE_H
#define BPERC_SWEEP_STORE_H

#include "bperc/lab/plan.h"
#include "bperc/lab/store.h"

/* *found: 1 has numbers, -1 has a failure, 0 is not there, or is damaged and
 * counted by bperc_store_damaged. */
bperc_status bperc_i_store_has(bperc_store *store, const char *key, int *found,
                               bperc_error *error);
/* The same with its numbers, to be freed; NULL in *out when it has none. */
bperc_status bperc_i_store_get(bperc_store *store, const char *key,
                               bperc_record **out, int *found,
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
/* The same inside a transaction of the caller, in two parts. */
bperc_status bperc_i_store_write(bperc_store *store, bperc_error *error);
void bperc_i_store_drop_batch(bperc_store *store);
/* Mean seconds of results with these inputs, negative when there are none. */
double bperc_i_store_seconds(bperc_store *store, const char *inputs);
int bperc_i_store_writable(const bperc_store *store);

/* ---- sharing the work with other processes: store_claim.c */

typedef enum {
  BPERC_I_TAKEN,        /* ours to run; until its result is committed */
  BPERC_I_FOUND,        /* in the store by now */
  BPERC_I_FOUND_FAILED, /* the same, with a reason instead of numbers */
  BPERC_I_ELSEWHERE,    /* a living process has claimed it */
} bperc_i_taken;

/* Before the first claim, and after the last: releases what is left. */
bperc_status bperc_i_store_share(bperc_store *store, bperc_error *error);
void bperc_i_store_unshare(bperc_store *store);
/* Removes what killed processes left of that, when nobody shares the store. */
void bperc_i_store_tidy(bperc_store *store);
/* Any number of takes between begin and end, one transaction, which also
 * commits what was put. end takes the status so far and returns the new one. */
bperc_status bperc_i_store_take_begin(bperc_store *store, bperc_error *error);
bperc_status bperc_i_store_take(bperc_store *store, const char *key, int retry,
                                bperc_i_taken *out, bperc_error *error);
bperc_status bperc_i_store_take_end(bperc_store *store, bperc_status status,
                                    bperc_error *error);

#endif
