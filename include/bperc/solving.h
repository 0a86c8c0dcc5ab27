/* Solving time and success of a solver over many random instances.
 *
 * Instances that no weights can satisfy for a trivial reason (a label-1
 * pattern with too few ones) are not searched; they count as unsolved and are
 * also counted apart.
 */
#ifndef BPERC_SOLVING_H
#define BPERC_SOLVING_H

#include "bperc/ensemble.h"
#include "bperc/solver.h"

BPERC_C_BEGIN

typedef struct {
  bperc_progress outcome; /* BPERC_CONTRADICTION: trivially unsatisfiable */
  uint64_t steps;
  size_t errors;  /* fewest met */
  double seconds; /* CPU time of the thread: not repeatable */
  int finished;   /* 0: interrupted before it was over, or not begun */
} bperc_solving_one;

typedef struct {
  size_t trials, solved, contradictory;
  double fraction, fraction_sem; /* solved / trials, binomial */
  double steps_mean, steps_sem;  /* of the solved ones */
  double steps_median;           /* of the solved ones */
  double steps_median_all;       /* unsolved = infinitely many */
  double seconds_mean, seconds_sem, seconds_median; /* of the solved ones */
} bperc_solving_summary;

/* One trial, by its number. options: struct of the class, NULL for defaults.
 * After a failure *out is of the steps done until then. */
BPERC_API bperc_status bperc_solving_trial(const bperc_solver_class *solver,
                                           const void *options,
                                           const bperc_trials *trials,
                                           size_t number,
                                           bperc_solving_one *out,
                                           bperc_error *error);
/* All of them, in parallel: each[0 .. trials-1]. After a failure, such as an
 * interrupt, each[k].finished says which are done. */
BPERC_API bperc_status bperc_solving_trials(const bperc_solver_class *solver,
                                            const void *options,
                                            const bperc_trials *trials,
                                            bperc_solving_one *each,
                                            bperc_error *error);
/* NaN where nothing was solved. */
BPERC_API bperc_status bperc_solving_summarise(const bperc_solving_one *each,
                                               size_t trials,
                                               bperc_solving_summary *out);

BPERC_C_END

#endif
