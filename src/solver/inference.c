/* AMP without reinforcement, step by step; the iteration itself is in
 * amp_update.c. */
#include "bperc/inference.h"

#include "base/alloc.h"
#include "base/options.h"
#include "solver/amp_state.h"

#include <math.h>
#include <string.h>

struct bperc_inference {
  const bperc_instance *in;
  bperc_inference_options options;
  bperc_i_thread_pool *pool;
  bperc_i_amp amp;
  double *cavity, *before; /* m; n: marginals before the last iteration */
  bperc_inference_report report;
};

static BPERC_OPTIONS_DEFINE(inference_rows, bperc_inference_options,
                            BPERC_INFERENCE_OPTIONS);

bperc_option_table bperc_inference_option_table(void) {
  return inference_rows();
}

/* ---- what is known */

static double mean_square(const bperc_inference *s) {
  double sum = 0;
  int pm = s->in->weights == BPERC_WEIGHTS_PM;
  for (size_t i = 0; i < s->in->n; i++) {
    double value = pm ? 2 * s->amp.p[i] - 1 : s->amp.p[i];
    sum += value * value;
  }
  return sum / (double)s->in->n;
}

/* Each pattern's label as predicted by the others. */
static void estimate_errors(bperc_inference *s) {
  bperc_inference_report *r = &s->report;
  double bayes = 0, gibbs = 0, wrong = 0, m = (double)s->in->m;
  for (size_t mu = 0; mu < s->in->m; mu++) {
    double one = s->cavity[mu], zero = 1 - one;
    bayes += fmin(one, zero);
    gibbs += 2 * one * zero;
    wrong += (one > 0.5) != s->in->labels[mu];
  }
  r->error_bayes = m > 0 ? bayes / m : NAN;
  r->error_gibbs = m > 0 ? gibbs / m : NAN;
  r->error_left_out = m > 0 ? wrong / m : NAN;
}

static double mean_change(const bperc_inference *s) {
  double sum = 0;
  for (size_t i = 0; i < s->in->n; i++) {
    double d = s->amp.p[i] - s->before[i];
    sum += d * d;
  }
  return sqrt(sum / (double)s->in->n);
}

bperc_inference_report bperc_inference_step(bperc_inference *s) {
  bperc_inference_report *r = &s->report;
  memcpy(s->before, s->amp.p, s->in->n * sizeof *s->before);
  s->amp.rho = 0;
  bool sound = bperc_i_amp_iterate(&s->amp);
  r->iterations++;
  r->change = mean_change(s);
  r->diverged = !sound || !isfinite(r->change);
  r->converged = !r->diverged && r->change < s->options.tolerance;
  r->overlap = mean_square(s);
  estimate_errors(s);
  return *r;
}

void bperc_inference_marginals(const bperc_inference *s, double *p) {
  memcpy(p, s->amp.p, s->in->n * sizeof *p);
}

/* ---- life */

void bperc_inference_free(bperc_inference *s) {
  if (!s)
    return;
  bperc_i_amp_clear(&s->amp);
  bperc_i_thread_pool_free(s->pool);
  bperc_i_free(s->cavity);
  bperc_i_free(s->before);
  bperc_i_free(s);
}

static bperc_status
read_inference_options(bperc_inference *s,
                       const bperc_inference_options *options,
                       bperc_error *error) {
  bperc_option_table table = inference_rows();
  if (!options)
    bperc_options_default(table, &s->options);
  else
    s->options = *options;
  bperc_status status = bperc_i_options_check(table, &s->options, error);
  if (status == BPERC_OK && s->options.noise >= 0.5)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "noise must lie below 0.5: such labels say nothing");
  return status;
}

bperc_status bperc_inference_new(const bperc_instance *in,
                                 const bperc_inference_options *options,
                                 unsigned threads, bperc_inference **out,
                                 bperc_error *error) {
  bperc_inference *s = bperc_i_calloc(1, sizeof *s);
  bperc_status status = BPERC_E_MEMORY;
  *out = NULL;
  if (!s)
    goto memory;
  s->in = in;
  status = read_inference_options(s, options, error);
  if (status != BPERC_OK)
    goto done;
  unsigned workers = bperc_i_amp_workers(in, threads);
  s->cavity = bperc_i_calloc(in->m, sizeof *s->cavity);
  s->before = bperc_i_calloc(in->n, sizeof *s->before);
  s->pool = workers > 1 ? bperc_i_thread_pool_new(workers) : NULL;
  if (!s->cavity || !s->before || (workers > 1 && !s->pool) ||
      bperc_i_amp_init(&s->amp, in, s->pool))
    goto memory;
  s->amp.cavity = s->cavity;
  s->amp.noise = s->options.noise;
  s->report = (bperc_inference_report){.overlap = mean_square(s),
                                       .change = INFINITY,
                                       .error_bayes = NAN,
                                       .error_gibbs = NAN,
                                       .error_left_out = NAN};
  *out = s;
  return BPERC_OK;
memory:
  status = bperc_error_set(error, BPERC_E_MEMORY,
                           "no memory for message passing, N = %zu", in->n);
done:
  bperc_inference_free(s);
  return status;
}
