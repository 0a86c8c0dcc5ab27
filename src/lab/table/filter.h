/* Conditions on rows, "fin>=0.3,solver=sbpi", and the rows that they select. */
#ifndef BPERC_JUDGE_FILTER_H
#define BPERC_JUDGE_FILTER_H

#include "lab/table/table.h"

enum { BPERC_I_CONDITIONS = 8 };

typedef struct {
  struct {
    char name[64], op[3], text[64];
    double number;
    int is_number;
  } conditions[BPERC_I_CONDITIONS]; /* all must hold */
  size_t count;
} bperc_i_filter;

/* NULL, or what is wrong. An empty text lets everything pass. */
const char *bperc_i_filter_parse(const char *text, bperc_i_filter *out);
/* Whether all names are keys or columns of t; else the first that is not. */
const char *bperc_i_filter_unknown(const bperc_i_filter *f,
                                   const bperc_i_table *t);
int bperc_i_filter_pass(const bperc_i_filter *f, const bperc_i_table *t,
                        size_t row);

/* Cells of column y in the rows that pass, with their rows. */
typedef struct {
  const bperc_i_table *table;
  const bperc_i_table_cell **cells;
  size_t *rows;
  size_t count;
  int yes_no; /* every value of the column, chosen or not, is 0 or 1 */
} bperc_i_selection;

/* Fills *wrong with a sentence when names are unknown. */
bperc_status bperc_i_select(const bperc_tables *tables, const char *table,
                            const char *y, const bperc_i_filter *where,
                            bperc_i_selection *out, char *wrong, size_t size);
void bperc_i_selection_clear(bperc_i_selection *s);

/* Keys of t without this one and without k: how many; room for BPERC_I_KEYS. */
size_t bperc_i_other_keys(const bperc_i_table *t, const char *without,
                          size_t *keys);
/* Selected rows by the texts of some keys, in a hash table. */
typedef struct {
  const bperc_i_selection *s; /* borrowed, and keys */
  const size_t *keys;
  size_t key_count;
  size_t *slots; /* one more than the number of a selected row; 0: free */
  size_t mask;
} bperc_i_index;
int bperc_i_index_open(const bperc_i_selection *s, const size_t *keys,
                       size_t key_count, bperc_i_index *out); /* 0: no memory */
void bperc_i_index_clear(bperc_i_index *i);
/* Where a row is, or would be, that agrees with this one in its keys. */
size_t *bperc_i_index_slot(const bperc_i_index *i, const bperc_i_table *t,
                           size_t row, const size_t *keys);
/* Number of groups of selected rows that agree in these keys; group[] gets
 * the group of every selected row, in the order of first appearance. 0: no
 * rows or no memory. */
size_t bperc_i_group_rows(const bperc_i_selection *s, const size_t *keys,
                          size_t key_count, size_t *group);
/* "fin=0.1 a=40" of a row. */
void bperc_i_row_label(const bperc_i_table *t, size_t row, const size_t *keys,
                       size_t key_count, char *out, size_t size);

enum { BPERC_I_NAMES = 8 }; /* of a list of keys */

/* The column of a table, in the rows that pass. */
typedef struct {
  const char *table, *column; /* NULL: the test has no such source */
  bperc_i_filter where;       /* of the test, then those of this side alone */
  size_t common;              /* conditions that come from the test */
} bperc_i_table_source;

typedef struct {
  const char *names[BPERC_I_NAMES];
  size_t count;
  int given; /* an empty list is not the same as none */
} bperc_i_names;

#endif
