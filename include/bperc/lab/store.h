/* The store: results of tasks by key, in one SQLite file.
 *
 * Every result carries a checksum over its key, inputs, status and numbers; a
 * damaged one is never used. Several processes may work on one store at a
 * time: each task is claimed by one of them, and the claims of a process that
 * died are free again.
 */
#ifndef BPERC_LAB_STORE_H
#define BPERC_LAB_STORE_H

#include "bperc/status.h"

#include <stddef.h>
#include <stdio.h>

BPERC_C_BEGIN

typedef struct bperc_store bperc_store;

typedef enum {
  BPERC_STORE_READ,  /* must exist; nothing is written */
  BPERC_STORE_WRITE, /* created when missing */
} bperc_store_mode;

/* One SQLite file; path ":memory:" keeps it in memory. BPERC_E_FORMAT when it
 * is no store, of another format, or when its pages are damaged. */
BPERC_API bperc_status bperc_store_open(const char *path, bperc_store_mode mode,
                                        bperc_store **out, bperc_error *error);
BPERC_API void bperc_store_close(bperc_store *store); /* NULL is fine */

/* Damaged results met since the store was opened, and the key of one. */
BPERC_API size_t bperc_store_damaged(bperc_store *store, char first[33]);

typedef struct {
  size_t tasks;    /* sound results, failures included */
  size_t failures; /* of these: have a reason instead of numbers */
  size_t damaged;  /* results that are not what was written */
  size_t added;    /* by a merge */
  char pages[120]; /* what is wrong with the file itself; "" when nothing */
} bperc_store_summary;

/* Called for every damaged result; key and measurement as far as readable. */
typedef void bperc_store_tell(void *context, const char *key,
                              const char *measurement);

/* Reads every result and verifies it. Also of stores without checksums (bperc
 * 0.1), whose results only have to make sense. */
BPERC_API bperc_status bperc_store_check(const char *path,
                                         bperc_store_tell *tell, void *context,
                                         bperc_store_summary *out,
                                         bperc_error *error);
/* Adds every sound result of the file `from` that `into` does not have, or has
 * as a failure where `from` has numbers. Damaged ones are left out, told and
 * counted. */
BPERC_API bperc_status bperc_store_merge(bperc_store *into, const char *from,
                                         bperc_store_tell *tell, void *context,
                                         bperc_store_summary *out,
                                         bperc_error *error);
/* Comma-separated values, one line per number: what the task is (key,
 * measurement, version, every parameter, instance, seed, status, message,
 * seconds, program), the name of the result, its position k in a vector (empty
 * for a scalar) and its value (empty when it does not exist). A failure is one
 * line without result. In the order of inputs and instances. */
BPERC_API bperc_status bperc_store_export(bperc_store *store, FILE *out,
                                          bperc_error *error);

BPERC_C_END

#endif
