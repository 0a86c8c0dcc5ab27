/* Driving a solver to its end. Only this file joins a solver and whoever
 * watches it. */
#include "bperc/run.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "base/options.h"
#include "solver/solver_recount.h"

#include <string.h>
#include <time.h>

typedef struct {
  const bperc_instance *in;
  bperc_solver *solver;
  bperc_view view;
  bperc_run_result *result;
  int32_t *last; /* integer weights of the step before */
} runner;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Copies for the best and the last weights; final follows every step, so its
 * difference from the view says which weights have just changed. */
static bperc_status prepare_run(runner *r) {
  const size_t n = r->in->n, words = r->in->words;
  bperc_run_result *out = r->result;
  out->t_fix = bperc_i_calloc(n, sizeof *out->t_fix);
  if (r->view.integers) {
    out->integers = bperc_i_alloc(n, sizeof *out->integers);
    r->last = bperc_i_alloc(n, sizeof *r->last);
    return out->t_fix && out->integers && r->last ? BPERC_OK : BPERC_E_MEMORY;
  }
  out->weights = bperc_i_alloc(words, sizeof *out->weights);
  out->final = bperc_i_alloc(words, sizeof *out->final);
  return out->t_fix && out->weights && out->final ? BPERC_OK : BPERC_E_MEMORY;
}

static void keep_best_weights(runner *r) {
  bperc_run_result *out = r->result;
  out->errors = r->view.errors;
  if (r->view.integers)
    memcpy(out->integers, r->view.integers, r->in->n * sizeof *out->integers);
  else
    memcpy(out->weights, r->view.weights, r->in->words * sizeof *out->weights);
}

static void keep_last(runner *r) {
  if (r->view.integers)
    memcpy(r->last, r->view.integers, r->in->n * sizeof *r->last);
  else
    memcpy(r->result->final, r->view.weights,
           r->in->words * sizeof *r->result->final);
}

/* t_i^fix: weights that differ from the step before changed in this one. */
static void note_changes(runner *r) {
  uint32_t t = r->view.step > UINT32_MAX ? UINT32_MAX : (uint32_t)r->view.step;
  uint32_t *t_fix = r->result->t_fix;
  if (r->view.integers) {
    for (size_t i = 0; i < r->in->n; i++)
      if (r->view.integers[i] != r->last[i])
        t_fix[i] = t;
    return;
  }
  for (size_t k = 0; k < r->in->words; k++)
    for (uint64_t d = r->view.weights[k] ^ r->result->final[k]; d; d &= d - 1)
      t_fix[k * 64 + (size_t)__builtin_ctzll(d)] = t;
}

/* One step and what is to be noted about it. */
static void advance(runner *r) {
  bperc_run_result *out = r->result;
  out->outcome = bperc_solver_step(r->solver);
  bperc_solver_view(r->solver, &r->view);
  out->steps = r->view.step;
  BPERC_I_CHECK(
      r->view.integers
          ? bperc_i_recount_integers(r->in, r->view.integers, r->view.errors)
          : bperc_i_recount_errors(r->in, r->view.weights, r->view.errors));
  note_changes(r);
  keep_last(r);
  /* The solution itself, even if better-looking weights came before. */
  if (r->view.errors < out->errors || out->outcome == BPERC_SOLVED)
    keep_best_weights(r);
}

/* Processes that solve one problem stop together. */
static bool run_cancelled(const bperc_instance *in) {
  int64_t cancelled = bperc_cancelled() != 0;
  if (in->spread)
    in->spread->sum(&cancelled, 1);
  return cancelled > 0;
}

static bperc_status drive(runner *r, const bperc_run_options *how,
                          bperc_error *error) {
  bperc_solver_view(r->solver, &r->view);
  if (prepare_run(r) != BPERC_OK)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for the weights");
  keep_best_weights(r);
  keep_last(r);
  r->result->outcome = BPERC_RUNNING;
  for (;;) {
    if (run_cancelled(r->in) ||
        (how->watch && how->watch(how->context, r->solver, &r->view)))
      return bperc_error_set(error, BPERC_E_INTERRUPTED,
                             "interrupted after %llu %s",
                             (unsigned long long)r->view.step,
                             bperc_solver_kind(r->solver)->step_name);
    if (r->result->outcome != BPERC_RUNNING)
      return BPERC_OK;
    advance(r);
  }
}

bperc_status bperc_run(const bperc_solver_class *class,
                       const bperc_instance *in, const void *options,
                       const bperc_run_options *asked, bperc_run_result *out,
                       bperc_error *error) {
  runner r = {.in = in, .result = out};
  double began = now();
  bperc_run_options how;
  bperc_status status;
  *out = (bperc_run_result){0};
  bperc_i_options_plain(sizeof how, asked, &how);
  status = bperc_solver_new(class, in, options, &how, &r.solver, error);
  if (status != BPERC_OK)
    return status;
  status = drive(&r, &how, error);
  out->seconds = now() - began;
  out->by = bperc_solver_member(r.solver);
  bperc_solver_free(r.solver);
  bperc_i_free(r.last);
  if (status != BPERC_OK && status != BPERC_E_INTERRUPTED)
    bperc_run_clear(out);
  return status;
}

void bperc_run_clear(bperc_run_result *result) {
  bperc_i_free(result->weights);
  bperc_i_free(result->integers);
  bperc_i_free(result->final);
  bperc_i_free(result->t_fix);
  *result = (bperc_run_result){0};
}
