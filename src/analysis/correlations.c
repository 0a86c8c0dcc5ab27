/* Cross-correlations by belief propagation: one task per sampled weight. */
#include "bperc/xcorr.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/threads.h"
#include "bp/engine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

BPERC_OPTIONS_DEFINE(bperc_xcorr_option_table, bperc_xcorr_options,
                     BPERC_XCORR_OPTIONS);

/* What a task leaves behind. */
typedef struct {
  double sum, square;
  int converged, done; /* not done: interrupted before its end */
} row_result;

typedef struct {
  const bperc_bp *base;
  const bperc_xcorr_options *opt;
  const double *p;  /* unconditioned */
  uint32_t *sample; /* first `count` are conditioned on */
  size_t count;
  bperc_bp **engine; /* one per worker */
  double **scratch;  /* n per worker */
  row_result *rows;
  double *matrix;
  size_t *done; /* rows, while the workers count them */
} study;

/* ---- a fixed point */

/* Criteria other than the residual can hold by accident far from the fixed
 * point, where the entropy has an extremum. */
#define MOST_RESIDUAL 1e-4

static bperc_status converge_fully(bperc_bp *bp, int *converged) {
  bperc_bp_report report;
  uint64_t spent = 0;
  bperc_status status;
  do {
    status = bperc_bp_converge(bp, &report);
    spent += report.iterations;
    *converged = report.converged && report.residual < MOST_RESIDUAL;
  } while (status == BPERC_OK && report.converged && !*converged &&
           spent < (uint64_t)bperc_i_bp_options(bp)->max_iterations);
  return status;
}

/* A contradiction has no fixed point worth the name. */
static bperc_status converge_unconditioned(bperc_bp *bp, int *converged,
                                           int *contradiction) {
  bperc_status status = BPERC_OK;
  *converged = 0;
  *contradiction = bperc_bp_contradiction(bp) < bperc_i_bp_instance(bp)->m;
  if (!*contradiction)
    status = converge_fully(bp, converged);
  *contradiction = *contradiction || bperc_i_bp_is_torn(bp);
  *converged = *converged && !*contradiction;
  return status;
}

/* ---- one weight */

/* c_i. by fixing w_i = 1, which a pattern may forbid: p_i = 0 then. */
static int condition(const study *s, bperc_bp *bp, size_t i, double *c) {
  size_t n = bperc_i_bp_instance(s->base)->n;
  int converged;
  bperc_bp_copy(bp, s->base);
  if (bperc_bp_fix(bp, i, 1) == BPERC_CONTRADICTION ||
      bperc_bp_contradiction(bp) < bperc_i_bp_instance(bp)->m) {
    memset(c, 0, n * sizeof *c);
    return 1;
  }
  if (converge_fully(bp, &converged) || !converged || bperc_i_bp_is_torn(bp))
    return 0;
  bperc_bp_marginals(bp, c);
  for (size_t j = 0; j < n; j++)
    c[j] = s->p[i] * (c[j] - s->p[j]);
  return 1;
}

/* Marginals with an additional field on w_i. */
static int probe(const study *s, bperc_bp *bp, size_t i, double x) {
  int converged;
  bperc_bp_copy(bp, s->base);
  bperc_i_bp_add_external(bp, i, x);
  return converge_fully(bp, &converged) == BPERC_OK && converged;
}

static double sigmoid(double h) { return 1 / (1 + exp(-h)); }

/* dp_j/dx_i by a symmetric difference. */
static int response(const study *s, bperc_bp *bp, size_t i, double *c) {
  double x = s->opt->probe;
  int good = probe(s, bp, i, x);
  bperc_bp_marginals(bp, c);
  good = good && probe(s, bp, i, -x);
  for (size_t j = 0; j < bperc_i_bp_instance(s->base)->n; j++)
    if (bperc_bp_fixed(s->base, j) < 0)
      c[j] = (c[j] - sigmoid(bperc_i_bp_field(bp)[j])) / (2 * x);
  return good;
}

static void run_row(void *context, size_t task, unsigned worker) {
  study *s = context;
  size_t i = s->sample[task], n = bperc_i_bp_instance(s->base)->n;
  double *c = s->scratch[worker];
  row_result *row = &s->rows[task];
  row->converged = s->opt->estimate == BPERC_XCORR_RESPONSE
                       ? response(s, s->engine[worker], i, c)
                       : condition(s, s->engine[worker], i, c);
  if (bperc_cancelled())
    return;
  row->done = 1;
  __atomic_add_fetch(s->done, 1, __ATOMIC_RELAXED);
  for (size_t j = 0; j < n; j++) {
    if (bperc_bp_fixed(s->base, j) >= 0 || j == i)
      continue;
    if (!row->converged)
      c[j] = 0;
    row->sum += c[j];
    row->square += c[j] * c[j];
    if (s->matrix)
      s->matrix[i * n + j] = c[j];
  }
}

/* ---- the sample */

static void draw_sample(study *s, uint64_t seed) {
  bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_SAMPLE, 0);
  size_t unfixed = 0, wanted = (size_t)s->opt->sample;
  for (size_t i = 0; i < bperc_i_bp_instance(s->base)->n; i++)
    if (bperc_bp_fixed(s->base, i) < 0)
      s->sample[unfixed++] = (uint32_t)i;
  s->count = unfixed;
  if (wanted && wanted < unfixed) {
    bperc_stream_shuffle(&stream, s->sample, unfixed);
    s->count = wanted;
  }
  assert(s->count <= bperc_bp_unfixed(s->base));
}

static void add_up(const study *s, bperc_xcorr *out) {
  double others = (double)bperc_bp_unfixed(s->base) - 1, rows = 0;
  out->sampled = 0;
  for (size_t k = 0; k < s->count; k++) {
    if (!s->rows[k].done)
      continue;
    out->sampled++;
    out->unconverged += !s->rows[k].converged;
    if (!s->rows[k].converged && s->opt->failed == BPERC_XCORR_EXCLUDE)
      continue;
    rows++;
    out->mean += s->rows[k].sum;
    out->mean_square += s->rows[k].square;
  }
  out->converged = out->sampled == s->count && out->unconverged == 0;
  if (out->unconverged == out->sampled)
    out->mean = out->mean_square = NAN;
  else {
    out->mean /= rows * others;
    out->mean_square /= rows * others;
  }
}

static bperc_status make_engines(study *s, unsigned workers) {
  s->engine = bperc_i_calloc(workers, sizeof *s->engine);
  s->scratch = bperc_i_calloc(workers, sizeof *s->scratch);
  s->rows = bperc_i_calloc(s->count, sizeof *s->rows);
  if (!s->engine || !s->scratch || !s->rows)
    return BPERC_E_MEMORY;
  for (unsigned k = 0; k < workers; k++) {
    s->scratch[k] =
        bperc_i_alloc(bperc_i_bp_instance(s->base)->n, sizeof(double));
    if (!s->scratch[k] || bperc_bp_clone(s->base, 1, &s->engine[k]))
      return BPERC_E_MEMORY;
  }
  return BPERC_OK;
}

static bperc_status correlate_sample(study *s, const bperc_xcorr_run *how,
                                     bperc_xcorr *out) {
  unsigned workers;
  bperc_status status;
  draw_sample(s, how->seed);
  s->done = &out->sampled;
  workers = bperc_threads(s->count, how->threads);
  status = make_engines(s, workers);
  if (status == BPERC_OK) {
    bperc_i_parallel_for(s->count, how->threads, run_row, s);
    add_up(s, out);
  }
  for (unsigned k = 0; k < workers; k++) {
    bperc_bp_free(s->engine ? s->engine[k] : NULL);
    bperc_i_free(s->scratch ? s->scratch[k] : NULL);
  }
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : status;
}

bperc_status bperc_xcorr_measure(bperc_bp *bp,
                                 const bperc_xcorr_options *options,
                                 const bperc_xcorr_run *asked, bperc_xcorr *out,
                                 bperc_error *error) {
  bperc_xcorr_options opt;
  bperc_xcorr_run how;
  int converged = 0;
  size_t n = bperc_i_bp_instance(bp)->n;
  double *p = bperc_i_alloc(n, sizeof *p);
  study s = {.base = bp, .opt = &opt, .p = p};
  bperc_status status = BPERC_E_MEMORY;
  *out = (bperc_xcorr){0};
  bperc_i_options_plain(sizeof how, asked, &how);
  s.matrix = how.matrix;
  s.sample = bperc_i_alloc(n, sizeof *s.sample);
  if (p && s.sample)
    status = bperc_i_options_take(bperc_xcorr_option_table(), sizeof opt,
                                  options, &opt, error);
  if (status == BPERC_OK)
    status = converge_unconditioned(bp, &converged, &out->contradiction);
  if (status == BPERC_OK) {
    out->converged = converged;
    bperc_bp_marginals(bp, p);
    for (size_t k = 0; how.matrix && k < n * n; k++)
      how.matrix[k] = NAN;
    out->mean = out->mean_square = converged ? 0 : NAN;
    if (converged && bperc_bp_unfixed(bp) > 1)
      status = correlate_sample(&s, &how, out);
  }
  bperc_i_free(s.engine);
  bperc_i_free(s.scratch);
  bperc_i_free(s.rows);
  bperc_i_free(s.sample);
  bperc_i_free(p);
  if (status != BPERC_OK && status != BPERC_E_ARGUMENT)
    bperc_error_set(error, status, "correlations: %s",
                    bperc_status_name(status));
  return status;
}
