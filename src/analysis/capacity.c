/* Algorithmic capacity: add a pair, solve, until the first failure. */
#include "bperc/capacity.h"

#include "base/alloc.h"
#include "numeric/sample.h"
#include "run/trials.h"
#include "solver/methods.h"

/* A trial: its pairs so far, and the solver of the last success. */
typedef struct {
  const bperc_solver_class *class;
  const void *options;
  const bperc_ensemble *ensemble;
  int warm;
  uint64_t seed;
  bperc_instance *in;        /* more pairs than are in use */
  bperc_instance use, split; /* the first m of them; own nothing */
  bperc_solver *last;        /* of the success before, if warm */
} trial;

/* Pattern mu depends on (seed, mu) alone: a longer instance extends. */
static bperc_status more_pairs(trial *t, size_t m, bperc_error *error) {
  bperc_ensemble e = *t->ensemble;
  size_t room = t->in ? t->in->m : 0;
  if (m <= room)
    return BPERC_OK;
  bperc_instance_free(t->in);
  e.m = room ? 2 * room : 64;
  if (e.rows && e.m > e.rows->m)
    e.m = e.rows->m;
  return bperc_ensemble_draw(&e, t->seed, &t->in, error);
}

/* One run on the first m pairs. */
static bperc_status attempt(trial *t, size_t m, bperc_progress *outcome,
                            uint64_t *steps, bperc_error *error) {
  bperc_run_options how = {.seed = bperc_i_run_seed(t->seed, m), .threads = 1};
  bperc_solver *solver;
  bperc_status status = more_pairs(t, m, error);
  if (status != BPERC_OK)
    return status;
  t->use = *t->in;
  t->use.m = m;
  if (t->use.split) { /* two patterns for each; those outside are counted */
    t->split = *t->in->split;
    t->split.m = 2 * m;
    t->use.split = &t->split;
    t->use.outside = 0;
    for (size_t mu = 0; mu < m; mu++)
      t->use.outside += !t->use.labels[mu];
  }
  *outcome = BPERC_CONTRADICTION;
  if (bperc_instance_infeasible(&t->use, m - 1, t->class->unbounded))
    return BPERC_OK;
  status =
      bperc_solver_new(t->class, &t->use, t->options, &how, &solver, error);
  if (status != BPERC_OK)
    return status;
  if (t->warm && t->last)
    bperc_solver_adopt(solver, t->last);
  status = bperc_i_exhaust(solver, outcome, steps, NULL, error);
  bperc_solver_free(t->last);
  t->last = t->warm ? solver : NULL;
  if (!t->warm)
    bperc_solver_free(solver);
  return status;
}

size_t bperc_capacity_limit(const bperc_ensemble *ensemble) {
  size_t most = ensemble->m ? ensemble->m : 4 * ensemble->n + 64;
  return ensemble->rows && ensemble->rows->m < most ? ensemble->rows->m : most;
}

bperc_status bperc_capacity_trial(const bperc_solver_class *class,
                                  const void *options,
                                  const bperc_trials *trials, size_t number,
                                  bperc_capacity_one *out, bperc_error *error) {
  const bperc_ensemble *ensemble = trials->ensemble;
  trial t = {.class = class,
             .options = options,
             .ensemble = ensemble,
             .warm = trials->warm,
             .seed = bperc_stream_seed(trials->seed, BPERC_FOR_TRIAL, number)};
  size_t most = bperc_capacity_limit(ensemble);
  bperc_progress outcome = BPERC_SOLVED;
  bperc_status status = BPERC_OK;
  *out = (bperc_capacity_one){0};
  if (trials->warm && !class->methods->adopt)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the solver %s cannot continue from its last state",
                           class->name);
  while (out->patterns < most) {
    status = attempt(&t, out->patterns + 1, &outcome, &out->steps, error);
    if (status != BPERC_OK || outcome != BPERC_SOLVED)
      break;
    out->patterns++;
  }
  out->at_limit = status == BPERC_OK && out->patterns == most;
  out->capacity = (double)out->patterns / (double)ensemble->n;
  bperc_solver_free(t.last);
  bperc_instance_free(t.in);
  return status;
}

typedef struct {
  const bperc_solver_class *class;
  const void *options;
  const bperc_trials *trials;
  bperc_capacity_one *each;
} job;

static bperc_status fill_one_trial(void *context, size_t number,
                                   bperc_error *error) {
  job *j = context;
  bperc_status status = bperc_capacity_trial(j->class, j->options, j->trials,
                                             number, &j->each[number], error);
  j->each[number].finished = status == BPERC_OK;
  return status;
}

bperc_status bperc_capacity_trials(const bperc_solver_class *class,
                                   const void *options,
                                   const bperc_trials *trials,
                                   bperc_capacity_one *each,
                                   bperc_error *error) {
  job j = {class, options, trials, each};
  for (size_t k = 0; k < trials->trials; k++)
    each[k].finished = 0;
  return bperc_i_trials(trials->trials, trials->threads, fill_one_trial, &j,
                        trials->tick, trials->context, error);
}

bperc_status bperc_capacity_summarise(const bperc_capacity_one *each,
                                      size_t trials,
                                      bperc_capacity_summary *out) {
  double *values = bperc_i_alloc(trials, sizeof *values);
  if (!values)
    return BPERC_E_MEMORY;
  for (size_t k = 0; k < trials; k++)
    values[k] = each[k].capacity;
  *out = (bperc_capacity_summary){.trials = trials};
  for (size_t k = 0; k < trials; k++)
    out->at_limit += (size_t)each[k].at_limit;
  bperc_i_mean(values, trials, &out->capacity, &out->sem);
  out->median = bperc_i_median(values, trials);
  out->lowest = values[0];
  out->highest = values[trials - 1];
  bperc_i_free(values);
  return BPERC_OK;
}
