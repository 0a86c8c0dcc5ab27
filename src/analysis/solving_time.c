/* Solving time over random instances. */
#include "bperc/solving.h"

#include "base/alloc.h"
#include "numeric/sample.h"
#include "run/trials.h"

#include <math.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bperc_status bperc_i_solving_instance(const bperc_ensemble *ensemble,
                                      uint64_t seed, size_t trial,
                                      bperc_instance **out, uint64_t *run_seed,
                                      bperc_error *error) {
  uint64_t own = bperc_stream_seed(seed, BPERC_FOR_TRIAL, trial);
  *run_seed = bperc_i_run_seed(own, ensemble->m);
  return bperc_ensemble_draw(ensemble, own, out, error);
}

bperc_status bperc_solving_trial(const bperc_solver_class *class,
                                 const void *options,
                                 const bperc_trials *trials, size_t number,
                                 bperc_solving_one *out, bperc_error *error) {
  bperc_instance *in;
  bperc_solver *solver = NULL;
  uint64_t run_seed;
  double began;
  bperc_status status = bperc_i_solving_instance(trials->ensemble, trials->seed,
                                                 number, &in, &run_seed, error);
  if (status != BPERC_OK)
    return status;
  *out = (bperc_solving_one){.outcome = BPERC_CONTRADICTION, .errors = in->m};
  if (bperc_instance_infeasible(in, 0, class->unbounded))
    goto done;
  began = cpu();
  status = bperc_solver_new(
      class, in, options, &(bperc_run_options){.seed = run_seed, .threads = 1},
      &solver, error);
  if (status == BPERC_OK)
    status = bperc_i_exhaust(solver, &out->outcome, &out->steps, &out->errors,
                             error);
  out->seconds = cpu() - began;
  bperc_solver_free(solver);
done:
  bperc_instance_free(in);
  return status;
}

typedef struct {
  const bperc_solver_class *class;
  const void *options;
  const bperc_trials *trials;
  bperc_solving_one *each;
} job;

static bperc_status solve_one_trial(void *context, size_t number,
                                    bperc_error *error) {
  job *j = context;
  bperc_status status = bperc_solving_trial(j->class, j->options, j->trials,
                                            number, &j->each[number], error);
  j->each[number].finished = status == BPERC_OK;
  return status;
}

bperc_status bperc_solving_trials(const bperc_solver_class *class,
                                  const void *options,
                                  const bperc_trials *trials,
                                  bperc_solving_one *each, bperc_error *error) {
  job j = {class, options, trials, each};
  for (size_t k = 0; k < trials->trials; k++)
    each[k].finished = 0;
  return bperc_i_trials(trials->trials, trials->threads, solve_one_trial, &j,
                        trials->tick, trials->context, error);
}

/* Steps and seconds of the solved ones; steps of all, unsolved = infinity. */
static size_t gather_solved(const bperc_solving_one *each, size_t trials,
                            double *steps, double *seconds, double *all) {
  size_t solved = 0;
  for (size_t k = 0; k < trials; k++) {
    int good = each[k].outcome == BPERC_SOLVED;
    all[k] = good ? (double)each[k].steps : INFINITY;
    if (!good)
      continue;
    steps[solved] = (double)each[k].steps;
    seconds[solved++] = each[k].seconds;
  }
  return solved;
}

bperc_status bperc_solving_summarise(const bperc_solving_one *each,
                                     size_t trials,
                                     bperc_solving_summary *out) {
  double *values = bperc_i_alloc(3 * trials, sizeof *values);
  double *steps = values, *seconds = values + trials, *all = seconds + trials;
  if (!values)
    return BPERC_E_MEMORY;
  *out = (bperc_solving_summary){.trials = trials};
  out->solved = gather_solved(each, trials, steps, seconds, all);
  for (size_t k = 0; k < trials; k++)
    out->contradictory +=
        each[k].outcome == BPERC_CONTRADICTION && each[k].steps == 0;
  out->fraction = (double)out->solved / (double)trials;
  out->fraction_sem =
      sqrt(out->fraction * (1 - out->fraction) / (double)trials);
  bperc_i_mean(steps, out->solved, &out->steps_mean, &out->steps_sem);
  bperc_i_mean(seconds, out->solved, &out->seconds_mean, &out->seconds_sem);
  out->steps_median = bperc_i_median(steps, out->solved);
  out->seconds_median = bperc_i_median(seconds, out->solved);
  out->steps_median_all = bperc_i_median(all, trials);
  bperc_i_free(values);
  return BPERC_OK;
}
