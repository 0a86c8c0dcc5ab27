/* A solver step by step on the problem in hand. */
#include "front.h"

#include <stdlib.h>
#include <string.h>

static struct {
  bperc_solver *solver;
  bperc_progress outcome;
  bperc_view view;
  uint64_t *last;  /* weights after the step before */
  uint32_t *t_fix; /* last step at which a weight changed [BZ t_i^fix] */
} run;

static void forget(void) {
  bperc_solver_free(run.solver);
  free(run.last);
  free(run.t_fix);
  memset(&run, 0, sizeof run);
}

/* A new run; 0 when it is ready. */
WEB int web_solver(const char *name, double seed) {
  const bperc_solver_class *class = bperc_solver_find(name);
  bperc_run_options how = {.seed = (uint64_t)seed, .threads = 1};
  size_t words = web_instance->words;
  forget();
  if (!class || class->unbounded)
    return bperc_error_set(&web_failure, BPERC_E_ARGUMENT, "no solver '%s'",
                           name);
  if (bperc_solver_new(class, web_instance, NULL, &how, &run.solver,
                       &web_failure) != BPERC_OK)
    return web_failure.status;
  run.last = malloc(words * sizeof *run.last);
  run.t_fix = calloc(web_instance->n, sizeof *run.t_fix);
  if (!run.last || !run.t_fix)
    return web_out_of_memory();
  bperc_solver_view(run.solver, &run.view);
  memcpy(run.last, run.view.weights, words * sizeof *run.last);
  run.outcome = BPERC_RUNNING;
  return 0;
}

static void advance(void) {
  run.outcome = bperc_solver_step(run.solver);
  bperc_solver_view(run.solver, &run.view);
  for (size_t k = 0; k < web_instance->words; k++) {
    for (uint64_t d = run.view.weights[k] ^ run.last[k]; d; d &= d - 1)
      run.t_fix[64 * k + (size_t)__builtin_ctzll(d)] = (uint32_t)run.view.step;
    run.last[k] = run.view.weights[k];
  }
}

/* At most so many steps; the bperc_progress after them. */
WEB int web_steps(int count) {
  for (int k = 0; k < count && run.outcome == BPERC_RUNNING; k++)
    advance();
  return (int)run.outcome;
}

/* Steps done, violated patterns, then per weight: hidden state or field, value
 * 0/1, t_fix. Answers the number of weights. */
WEB int web_look(void) {
  size_t n = web_instance->n;
  double *out = web_reserve(3 * n + 2);
  if (!out)
    return web_out_of_memory();
  out[0] = (double)run.view.step;
  out[1] = (double)run.view.errors;
  if (bperc_solver_fields(run.solver, out + 2) != BPERC_OK)
    memset(out + 2, 0, n * sizeof *out);
  for (size_t i = 0; i < n; i++) {
    out[2 + n + i] = bperc_bit_get(run.view.weights, i);
    out[2 + 2 * n + i] = run.t_fix[i];
  }
  return (int)n;
}

/* Weights in the order in which decimation fixed them so far; answers how
 * many. */
WEB int web_order(void) {
  const bperc_bpd *bpd = run.solver ? bperc_bpd_of(run.solver) : NULL;
  if (!bpd)
    return 0;
  const bperc_order *order = bperc_bpd_order(bpd);
  double *out = web_reserve(order->fixed);
  if (!out)
    return web_out_of_memory();
  for (size_t k = 0; k < order->fixed; k++)
    out[k] = order->weight[k];
  return (int)order->fixed;
}

/* Per pattern: label, sum of its active weights, distance to the wrong side
 * (negative: violated), by the plain verifier's rule. Answers their number. */
WEB int web_margins(void) {
  const bperc_instance *in = web_instance;
  double *out = web_reserve(3 * in->m);
  if (!out)
    return web_out_of_memory();
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t hits = bperc_instance_hits(in, mu, run.view.weights);
    int64_t margin = in->labels[mu] ? hits - bperc_instance_bound(in, mu)
                                    : bperc_instance_bound(in, mu) - hits;
    out[3 * mu] = in->labels[mu];
    out[3 * mu + 1] = (double)hits;
    out[3 * mu + 2] = (double)margin;
  }
  return (int)in->m;
}
