/* A run that begins at given weights. */
#ifndef BPERC_RUN_START_H
#define BPERC_RUN_START_H

#include "bperc/run.h"

typedef struct {
  const uint64_t *weights; /* n bits; NULL: where the solver would begin */
  double field;            /* see bperc_solver_class */
} bperc_i_start;

/* bperc_run with a start; the class must have one if weights are given. */
bperc_status bperc_i_run_from(const bperc_solver_class *solver,
                              const bperc_instance *in, const void *options,
                              const bperc_i_start *start, uint64_t seed,
                              unsigned threads, bperc_watch *watch,
                              void *context, bperc_run_result *out,
                              bperc_error *error);

#endif
