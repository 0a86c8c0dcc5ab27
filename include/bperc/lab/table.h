/* Tables: what a store has of a plan, computed from the store alone.
 *
 * Byte for byte the same for every number of threads or ranks and however
 * often the run was killed.
 */
#ifndef BPERC_LAB_TABLE_H
#define BPERC_LAB_TABLE_H

#include "bperc/lab/plan.h"
#include "bperc/lab/store.h"

#include <stddef.h>
#include <stdint.h>

BPERC_C_BEGIN

typedef struct bperc_tables bperc_tables;

/* From the store; what is missing is left out. What the plan computes from
 * these tables is added by bperc_judge_tables(). */
BPERC_API bperc_status bperc_tables_collect(const bperc_experiment *x,
                                            bperc_store *store,
                                            bperc_scale scale, uint64_t seed,
                                            bperc_tables **out,
                                            bperc_error *error);
BPERC_API void bperc_tables_free(bperc_tables *tables); /* NULL is fine */
BPERC_API size_t bperc_tables_count(const bperc_tables *tables);
BPERC_API const char *bperc_tables_name(const bperc_tables *tables, size_t k);

/* ---- one table: rows, keys that tell them apart, columns of numbers */

BPERC_API size_t bperc_table_rows(const bperc_tables *tables, size_t k);
BPERC_API size_t bperc_table_keys(const bperc_tables *tables, size_t k);
BPERC_API size_t bperc_table_columns(const bperc_tables *tables, size_t k);
/* "fin", and its value in a row as the plan writes it, "0.3". */
BPERC_API const char *bperc_table_key_name(const bperc_tables *tables, size_t k,
                                           size_t key);
BPERC_API const char *bperc_table_key(const bperc_tables *tables, size_t k,
                                      size_t row, size_t key);
BPERC_API const char *bperc_table_column_name(const bperc_tables *tables,
                                              size_t k, size_t column);
/* Whether the column is a count of tasks: without error and median. */
BPERC_API int bperc_table_is_count(const bperc_tables *tables, size_t k,
                                   size_t column);

typedef struct {
  double mean, sem, median;  /* NAN where they do not exist */
  size_t n;                  /* instances that have a number */
  const double *values;      /* of these, until the tables are freed; NULL when
                                computed from others */
  const uint32_t *instances; /* ascending, which ones */
} bperc_table_cell;
BPERC_API bperc_table_cell bperc_table_value(const bperc_tables *tables,
                                             size_t k, size_t row,
                                             size_t column);

/* One table as tab-separated text with a header line; the lists of parameters
 * as gnuplot variables, for plot scripts. To be freed; NULL: no memory. */
BPERC_API char *bperc_table_text(const bperc_tables *tables, size_t k);
BPERC_API char *bperc_tables_gnuplot(const bperc_tables *tables);

/* Whether every block of the experiment has results in the store: without, its
 * tables have no columns. */
BPERC_API bperc_status bperc_experiment_measured(const bperc_experiment *x,
                                                 bperc_store *store,
                                                 bperc_scale scale,
                                                 uint64_t seed, int *measured,
                                                 bperc_error *error);

BPERC_C_END

#endif
