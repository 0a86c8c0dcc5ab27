/* A user's table as rows of cells, one row at a time and as often as wanted:
 * CSV and TSV, svmlight with values, NumPy arrays. The table itself is never
 * held: what is needed of it is read again. */
#ifndef BPERC_IO_RECORDS_H
#define BPERC_IO_RECORDS_H

#include "bperc/status.h"
#include "io/recognise.h"

#include <stddef.h>
#include <stdint.h>

/* A text, or a number when text is NULL. The text is borrowed until the next
 * row and not terminated. */
typedef struct {
  const char *text;
  size_t length;
  double value;
} bperc_i_io_cell;

typedef struct bperc_i_records bperc_i_records;

typedef struct {
  /* Fills table->cells; *more is 0 behind the last row. */
  bperc_status (*next)(bperc_i_records *table, int *more, bperc_error *error);
  bperc_status (*rewind)(bperc_i_records *table, bperc_error *error);
  void (*close)(bperc_i_records *table);
} bperc_i_source_class;

struct bperc_i_records {
  const bperc_i_source_class *kind;
  const char *path; /* as messages name it */
  size_t columns;
  char **names;   /* one per column */
  size_t *sorted; /* columns in the order of their names, once asked for */
  size_t line;    /* where the current row stands: a line, or its number */
  bperc_i_io_cell *cells;
  int labels_first; /* svmlight: column 0 is the label, called "label" */
  int unlabelled;   /* svmlight: rows have no labels, column 0 says nothing */
  int by_position;  /* names are positions only (arrays) */
  /* Of the readers: */
  bperc_i_lines lines;
  char separator;
  char *joined; /* a record that goes over several lines */
  size_t joined_room;
  size_t row;
  void *array; /* npy.c */
};

/* Goes on with an open file, which it takes over: close the table, and close
 * the file too. The path must stay. */
bperc_status bperc_i_records_open(bperc_file *file, bperc_i_records *out,
                                  bperc_error *error);
void bperc_i_source_close(bperc_i_records *table); /* a zeroed one is fine */

/* Of a table that has its lines. */
bperc_status bperc_i_csv_open(bperc_i_records *table, bperc_error *error);
bperc_status bperc_i_npy_open(bperc_i_records *table, bperc_error *error);
bperc_status bperc_i_svmvalues_open(bperc_i_records *table, bperc_error *error);

/* The column of this name, SIZE_MAX when there is none. */
size_t bperc_i_source_find(const bperc_i_records *table, const char *name);
/* Sorts the names for bperc_i_source_find; two equal names are refused. */
bperc_status bperc_i_source_sort(bperc_i_records *table, bperc_error *error);

/* Room for cells and names of `columns` columns. */
bperc_status bperc_i_source_columns(bperc_i_records *table, size_t columns,
                                    bperc_error *error);
/* Names "1", "2", ... from column `first` on. */
bperc_status bperc_i_source_number(bperc_i_records *table, size_t first,
                                   bperc_error *error);

/* "path:line: what", status BPERC_E_FORMAT. */
bperc_status bperc_i_source_bad(const bperc_i_records *table,
                                bperc_error *error, const char *format, ...)
    BPERC_PRINTF(3, 4);

/* Whether the cell holds a finite number, and which. */
int bperc_i_cell_number(const bperc_i_io_cell *cell, double *value);
/* Words that stand for a missing value, capital letters or not. */
typedef struct {
  char **words;
  size_t count;
  unsigned char first[256]; /* characters that one of them begins with */
} bperc_i_missing_words;

/* Words separated by commas; NULL: NA, N/A, NaN, ?, null and a point. 0: no
 * memory. */
int bperc_i_missing_words_make(const char *list, bperc_i_missing_words *out);
int bperc_i_missing_words_add(bperc_i_missing_words *list, const char *word);
void bperc_i_missing_words_clear(bperc_i_missing_words *list);
/* Whether the cell has no value: empty, such a word, or NaN of an array. */
int bperc_i_cell_missing(const bperc_i_io_cell *cell,
                         const bperc_i_missing_words *words);
/* Whether it is plus or minus infinity. */
int bperc_i_cell_infinite(const bperc_i_io_cell *cell);
/* The cell as text for messages and categories, cut to `size`. */
const char *bperc_i_cell_text(const bperc_i_io_cell *cell, char *buffer,
                              size_t size);

#endif
