/* Tables in memory: rows are points (and positions of a vector), cells keep
 * the value of every instance, so that judges can pair them. */
#ifndef BPERC_SWEEP_TABLE_H
#define BPERC_SWEEP_TABLE_H

#include "bperc/lab/table.h"
#include "lab/plan/plan.h"

typedef struct {
  double mean, sem, median; /* NAN where they do not exist */
  size_t n;                 /* instances that have a number */
  double *values;           /* n of them; NULL when computed from others */
  uint32_t *instances;      /* ascending, which ones */
  int exact;                /* nothing random in it: no error */
  size_t most; /* values are of batches, at most so many; 0: of instances */
} bperc_i_table_cell;

/* Room for the values of so many instances. 0: no memory, nothing kept. */
int bperc_i_cell_room(bperc_i_table_cell *cell, size_t instances);
/* Fills mean, sem and median from values and n. A single value has sem NAN,
 * or 0 when exact. 0: no memory. */
int bperc_i_cell_finish(bperc_i_table_cell *cell, int exact);
void bperc_i_cell_clear(bperc_i_table_cell *c);

typedef struct {
  char *name;
  int plain;                 /* a count: printed without error and median */
  bperc_i_table_cell *cells; /* one per row */
} bperc_i_column;

typedef struct {
  char **texts; /* one per key */
  double *numbers;
  size_t point; /* of the block, for lists of instances */
} bperc_i_table_row;

/* Keys of a table at most: a block has fewer than 2^18 points at either scale,
 * and so no more than 17 lists there; and the position k. */
enum { BPERC_I_KEYS = 40 };

typedef struct {
  char *name;
  const bperc_i_block *block; /* where it comes from; NULL when derived */
  char **keys; /* parameters that are lists; the last may be the position k */
  size_t key_count;
  bperc_i_table_row *rows;
  size_t row_count;
  bperc_i_column *columns;
  size_t column_count;
} bperc_i_table;

struct bperc_tables {
  const bperc_experiment *x;
  bperc_scale scale;
  uint64_t seed;
  bperc_i_table **tables;
  size_t count;
};

const bperc_i_table *bperc_i_table_find(const bperc_tables *t,
                                        const char *name);
/* Numbers of a key or of the means of a column: -1 when there is none. */
long bperc_i_table_key(const bperc_i_table *t, const char *name);
long bperc_i_table_column(const bperc_i_table *t, const char *name);
/* Whether there is a key or column of this name. */
int bperc_i_table_has(const bperc_i_table *t, const char *name);
/* Key or mean, whatever `name` is, at a row. NAN when there is none. */
double bperc_i_table_number(const bperc_i_table *t, const char *name,
                            size_t row);

/* Making: NULL when memory lacks. A column holds until the next one is added.
 */
bperc_i_table *bperc_i_table_add(bperc_tables *t, const char *name,
                                 const char *const *keys, size_t key_count,
                                 size_t rows);
bperc_i_column *bperc_i_column_add(bperc_i_table *t, const char *name);
int bperc_i_row_set(bperc_i_table *t, size_t row, size_t key, const char *text);

/* The value of an instance in a cell; 0 when it has none. */
int bperc_i_cell_value(const bperc_i_table_cell *c, uint32_t instance,
                       double *value);
/* One more than the largest instance number. */
uint32_t bperc_i_most_instances(const bperc_i_table_cell *const *cells,
                                size_t count);

/* Mean over rows, instance by instance. Instances that have fewer than half of
 * the rows are left out. 0 when memory lacks. */
int bperc_i_pool(const bperc_i_table_cell *const *cells, size_t count,
                 bperc_i_table_cell *out);

/* A function of the means of cells with its jackknife error: one instance is
 * left out of all cells at a time: jackknife.c. As a cell with a pseudo-value
 * per instance, f + (n - 1)(mean of f_-i - f_-i): their mean is f, their
 * standard error is that of the jackknife, and contrasts over such cells
 * account for instances that stand behind several of them. `who` are the n
 * instances of the whole table, so that every row has all of them. 0 when
 * memory lacks. */
typedef double bperc_i_function(const void *context, const double *means);
int bperc_i_jackknife_cell(const bperc_i_table_cell *const *cells, size_t count,
                           bperc_i_function *f, const void *context,
                           const uint32_t *who, size_t n,
                           bperc_i_table_cell *out);
/* For functions that jump (the place of a maximum): instances are dealt into
 * batches, the cell has a value per batch. Its mean is f of everything; judges
 * use the batches alone. */
int bperc_i_batch_cell(const bperc_i_table_cell *const *cells, size_t count,
                       bperc_i_function *f, const void *context,
                       bperc_i_table_cell *out);

/* The fewest batches that one of the cells is made of; 0: none is. */
size_t bperc_i_most_batches(const bperc_i_table_cell *const *cells,
                            size_t count);

#endif
