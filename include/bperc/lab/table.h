/* Tables: what a store has of a plan, computed from the store alone.
 *
 * Byte for byte the same for every number of threads or ranks and however
 * often the run was killed.
 */
#ifndef BPERC_LAB_TABLE_H
#define BPERC_LAB_TABLE_H

#include "bperc/lab/plan.h"
#include "bperc/lab/store.h"

#include <stdio.h>

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
/* One table as tab-separated text with a header line. */
BPERC_API void bperc_tables_print(const bperc_tables *tables, size_t k,
                                  FILE *out);
/* The lists of parameters as gnuplot variables, for plot scripts. */
BPERC_API void bperc_tables_print_gnuplot(const bperc_tables *tables,
                                          FILE *out);

/* Whether every block of the experiment has results in the store: without, its
 * tables have no columns. */
BPERC_API bperc_status bperc_experiment_measured(const bperc_experiment *x,
                                                 bperc_store *store,
                                                 bperc_scale scale,
                                                 uint64_t seed, int *measured,
                                                 bperc_error *error);

BPERC_C_END

#endif
