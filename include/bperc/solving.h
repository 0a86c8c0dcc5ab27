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

/* One trial. options: struct of the class, NULL for defaults. */
BPERC_API bperc_status bperc_solving_trial(const bperc_solver_class *solver,
                                           const void *options,
                                           const bperc_ensemble *ensemble,
                                           uint64_t seed, size_t trial,
                                           bperc_solving_one *out,
                                           bperc_error *error);
/* Many, in parallel: each[0 .. trials-1]. tick may be NULL. After an interrupt
 * each[k].finished says which are done. */
BPERC_API bperc_status bperc_solving_trials(
    const bperc_solver_class *solver, const void *options,
    const bperc_ensemble *ensemble, size_t trials, uint64_t seed,
    unsigned threads, bperc_tick *tick, void *context, bperc_solving_one *each,
    bperc_error *error);
/* NaN where nothing was solved. */
BPERC_API bperc_status bperc_solving_summarise(const bperc_solving_one *each,
                                               size_t trials,
                                               bperc_solving_summary *out);

BPERC_C_END

#endif
