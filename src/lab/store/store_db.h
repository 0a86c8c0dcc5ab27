/* Inside the store: the database, its rows and their checksums. */
#ifndef BPERC_SWEEP_STORE_DB_H
#define BPERC_SWEEP_STORE_DB_H

#include "lab/store/store.h"

#include <sqlite3.h>

struct bperc_store {
  char *path;
  sqlite3 *db;
  sqlite3_stmt *get, *put, *put_inputs, *seconds, *note_damage;
  sqlite3_stmt *claim, *claimed, *unclaim;
  bperc_i_result *batch; /* not yet written; everything in it is a copy */
  size_t waiting;
  int owners;           /* the file of locks, -1 when not shared */
  sqlite3_int64 me;     /* the byte locked in it */
  sqlite3_int64 newest; /* result when this process began to claim */
};

/* One sentence for what SQLite says. */
bperc_status bperc_i_store_fail(bperc_store *s, bperc_error *error);
bperc_status bperc_i_store_execute(bperc_store *s, const char *sql,
                                   bperc_error *error);
/* The number that a query gives; key: its parameter, NULL for none. */
bperc_status bperc_i_store_number(bperc_store *s, const char *sql,
                                  const char *key, sqlite3_int64 *out,
                                  bperc_error *error);
/* Whether pages, rows and indices fit together: "ok", or what is wrong. */
bperc_status bperc_i_store_integrity(bperc_store *s, char *said, size_t size,
                                     bperc_error *error);
/* The first line of a text from a damaged file, as far as it can be printed. */
void bperc_i_store_clean(const char *text, char *out, size_t size);
/* As bperc_store_open for reading, but takes formats without checksums and
 * files with damaged pages: for merging what can be saved. */
bperc_status bperc_i_store_salvage(const char *path, bperc_store **out,
                                   int *format, bperc_error *error);

/* Columns of a result in the order of bperc_i_row_read. */
#define BPERC_I_ROW_COLUMNS                                                    \
  "r.key, i.text, r.instance, r.seed, r.status, r.message, r.seconds, "        \
  "r.program, r.record"
#define BPERC_I_ROW_FROM " FROM result r LEFT JOIN inputs i ON i.id = r.inputs "

typedef struct {
  bperc_i_result result;
  const char *program;
  char sum[33]; /* of what was read or is to be written */
  int is_sound; /* types are right and the sum is the stored one */
} bperc_i_store_row;

/* Of a statement that selects the columns above, then the stored sum (NULL:
 * none was kept, believe it). Points into the statement. A lack of memory is a
 * status: it says nothing about the row. */
bperc_status bperc_i_row_read(sqlite3_stmt *q, bperc_i_store_row *row,
                              bperc_error *error);
void bperc_i_row_sum(bperc_i_store_row *row);
/* The row of a key until s->get is reset; *found 0 for a damaged one too, as if
 * it were not there. */
bperc_status bperc_i_store_look(bperc_store *s, const char *key,
                                bperc_i_store_row *row, int *found,
                                bperc_error *error);

#endif
