/* What measurements over many trials share. */
#ifndef BPERC_ANALYSIS_TRIALS_H
#define BPERC_ANALYSIS_TRIALS_H

#include "bperc/ensemble.h"
#include "bperc/solver.h"

#include <stdbool.h>

typedef bperc_status bperc_i_trial(void *context, size_t trial,
                                   bperc_error *error);

/* Runs all trials over threads; the first failure ends the rest. */
bperc_status bperc_i_trials(size_t trials, unsigned threads, bperc_i_trial *run,
                            void *context, bperc_tick *tick, void *tick_context,
                            bperc_error *error);

/* The seed of run number `index` inside a trial's seed. */
uint64_t bperc_i_run_seed(uint64_t trial_seed, uint64_t index);

/* Steps a solver until it stops; BPERC_E_INTERRUPTED when cancelled. Adds the
 * steps to *steps and lowers *errors to the fewest met (NULL: no matter). */
bperc_status bperc_i_exhaust(bperc_solver *solver, bperc_progress *outcome,
                             uint64_t *steps, size_t *errors,
                             bperc_error *error);

/* The instance that trial `trial` of bperc_solving_trial solves, and the seed
 * of its run. */
bperc_status bperc_i_solving_instance(const bperc_ensemble *ensemble,
                                      uint64_t seed, size_t trial,
                                      bperc_instance **out, uint64_t *run_seed,
                                      bperc_error *error);

#endif
