/* Algorithmic capacity: random pairs are added one by one until the solver
 * fails [BZ Appendix A].
 *
 * After each added pair the solver starts afresh, or continues from its hidden
 * state (warm). The capacity of a trial is the number of pairs of the last
 * success divided by n.
 * Choices  docs/choices.md 11
 */
#ifndef BPERC_CAPACITY_H
#define BPERC_CAPACITY_H

#include "bperc/ensemble.h"
#include "bperc/solver.h"

BPERC_C_BEGIN

typedef struct {
  size_t patterns; /* most pairs solved */
  double capacity; /* patterns / n */
  uint64_t steps;  /* of all runs together */
  int finished;    /* 0: interrupted before it was over, or not begun */
  int at_limit;    /* 1: it stopped without a failure */
} bperc_capacity_one;

typedef struct {
  size_t trials, at_limit;
  double capacity, sem, median, lowest, highest;
} bperc_capacity_summary;

/* Where a trial stops that never fails: ensemble->m pairs; 0 means 4 n + 64,
 * more than any weights can store at random. */
BPERC_API size_t bperc_capacity_limit(const bperc_ensemble *ensemble);
/* One trial, by its number. options: struct of the class, NULL for defaults.
 * After a failure *out is of the pairs solved until then. */
BPERC_API bperc_status bperc_capacity_trial(const bperc_solver_class *solver,
                                            const void *options,
                                            const bperc_trials *trials,
                                            size_t number,
                                            bperc_capacity_one *out,
                                            bperc_error *error);
/* All of them, in parallel: each[0 .. trials-1]. After a failure, such as an
 * interrupt, each[k].finished says which are done. */
BPERC_API bperc_status bperc_capacity_trials(const bperc_solver_class *solver,
                                             const void *options,
                                             const bperc_trials *trials,
                                             bperc_capacity_one *each,
                                             bperc_error *error);
BPERC_API bperc_status bperc_capacity_summarise(const bperc_capacity_one *each,
                                                size_t trials,
                                                bperc_capacity_summary *out);

BPERC_C_END

#endif
