/* Trials over threads. */
#include "run/trials.h"

#include "base/threads.h"

#include <pthread.h>

typedef struct {
  bperc_i_trial *run;
  void *context;
  bperc_tick *tick;
  void *tick_context;
  size_t done, total;
  pthread_mutex_t lock; /* guards what follows and the tick */
  size_t failed;        /* trial of the failure in *error */
  bperc_error error;
} pool;

static bool a_trial_failed(pool *t) {
  bool is;
  pthread_mutex_lock(&t->lock);
  is = t->error.status != BPERC_OK;
  pthread_mutex_unlock(&t->lock);
  return is;
}

static void run_one_trial(void *context, size_t trial, unsigned worker) {
  pool *t = context;
  bperc_error error = {BPERC_OK, ""};
  bperc_status status;
  (void)worker;
  if (a_trial_failed(t))
    return;
  status = t->run(t->context, trial, &error);
  pthread_mutex_lock(&t->lock);
  if (status == BPERC_OK) {
    t->done++;
    if (t->tick)
      t->tick(t->tick_context, t->done, t->total);
  } else if (t->error.status == BPERC_OK || trial < t->failed) {
    t->failed = trial;
    t->error = error;
    t->error.status = status;
  }
  pthread_mutex_unlock(&t->lock);
}

bperc_status bperc_i_trials(size_t trials, unsigned threads, bperc_i_trial *run,
                            void *context, bperc_tick *tick, void *tick_context,
                            bperc_error *error) {
  pool t = {.run = run,
            .context = context,
            .tick = tick,
            .tick_context = tick_context,
            .total = trials,
            .lock = PTHREAD_MUTEX_INITIALIZER};
  bperc_i_parallel_for(trials, threads, run_one_trial, &t);
  pthread_mutex_destroy(&t.lock);
  if (error && t.error.status != BPERC_OK)
    *error = t.error;
  return t.error.status;
}

uint64_t bperc_i_run_seed(uint64_t trial_seed, uint64_t index) {
  return bperc_stream_seed(trial_seed, BPERC_FOR_TRIAL, index);
}

bperc_status bperc_i_exhaust(bperc_solver *solver, bperc_progress *outcome,
                             uint64_t *steps, size_t *errors,
                             bperc_error *error) {
  bperc_view view;
  do {
    if (bperc_cancelled())
      return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    *outcome = bperc_solver_step(solver);
    if (errors || *outcome != BPERC_RUNNING)
      bperc_solver_view(solver, &view);
    if (errors && view.errors < *errors)
      *errors = view.errors;
  } while (*outcome == BPERC_RUNNING);
  *steps += view.step;
  return BPERC_OK;
}
