/* xcorr: cross-correlations of unfixed weights by belief propagation along BPD
 * [BZ figs. 5b-e, S7a-d, S8a-c; eqs. 23, 24]. */
#include "sweep/measurements.h"

#include "base/alloc.h"
#include "bperc/bpd.h"
#include "bperc/stream.h"
#include "sweep/problem.h"

#include <math.h>
#include <string.h>

#define ROWS(INT, REAL, CHOICE, FLAG)                                          \
  BPERC_I_PROBLEM_ROWS(INT, REAL, CHOICE)                                      \
  INT(sample, 50, 50, 1, 1e7, "most weights i that are fixed at 1 in turn")    \
  INT(every, 1, 1, 1, 1e7, "measure every so many fixed weights")
BPERC_OPTIONS_DECLARE(xcorr_options, ROWS)
#define BPERC_OPTION_TYPE xcorr_options
static BPERC_OPTIONS_DEFINE(xcorr_table, ROWS)

    typedef struct {
  size_t n;
  bperc_bp *base, *trial; /* clones of the engine */
  double *p, *conditional;
  uint32_t *free; /* unfixed weights, a sample in front */
  double *fixed, *mean, *square, *entropy, *failed; /* per step */
} bench;

static void bench_clear(bench *b) {
  bperc_bp_free(b->base);
  bperc_bp_free(b->trial);
  bperc_i_free(b->p);
  bperc_i_free(b->conditional);
  bperc_i_free(b->free);
  bperc_i_free(b->fixed);
  bperc_i_free(b->mean);
  bperc_i_free(b->square);
  bperc_i_free(b->entropy);
  bperc_i_free(b->failed);
}

static bperc_status bench_new(bench *b, const bperc_bp *engine, size_t n) {
  bperc_status status;
  *b = (bench){.n = n};
  status = bperc_bp_clone(engine, &b->base);
  if (status == BPERC_OK)
    status = bperc_bp_clone(engine, &b->trial);
  b->p = bperc_i_calloc(n, sizeof(double));
  b->conditional = bperc_i_calloc(n, sizeof(double));
  b->free = bperc_i_calloc(n, sizeof *b->free);
  b->fixed = bperc_i_calloc(n, sizeof(double));
  b->mean = bperc_i_calloc(n, sizeof(double));
  b->square = bperc_i_calloc(n, sizeof(double));
  b->entropy = bperc_i_calloc(n, sizeof(double));
  b->failed = bperc_i_calloc(n, sizeof(double));
  if (status == BPERC_OK &&
      (!b->p || !b->conditional || !b->free || !b->fixed || !b->mean ||
       !b->square || !b->entropy || !b->failed))
    status = BPERC_E_MEMORY;
  return status;
}

static size_t choose(bench *b, size_t most, uint64_t seed, size_t *unfixed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_SAMPLE, 0);
  *unfixed = 0;
  for (size_t i = 0; i < b->n; i++)
    if (bperc_bp_fixed(b->base, i) < 0)
      b->free[(*unfixed)++] = (uint32_t)i;
  if (*unfixed <= most)
    return *unfixed;
  bperc_stream_shuffle(&s, b->free, *unfixed);
  return most;
}

/* Adds c_ij of one i; without convergence or solutions they count as 0, as
 * in the paper. Whether that was so is in *failed. */
static bperc_status add_row(bench *b, uint32_t i, size_t unfixed, double *sum,
                            double *square, int *failed) {
  bperc_bp_report report = {0};
  bperc_status status = BPERC_OK;
  bperc_bp_copy(b->trial, b->base);
  *failed = bperc_bp_fix(b->trial, i, 1) == BPERC_CONTRADICTION;
  if (!*failed)
    status = bperc_bp_converge(b->trial, &report);
  *failed |= !report.converged;
  if (status != BPERC_OK || *failed)
    return status;
  bperc_bp_marginals(b->trial, b->conditional);
  for (size_t k = 0; k < unfixed; k++) {
    uint32_t j = b->free[k];
    double c = b->p[i] * (b->conditional[j] - b->p[j]); /* [BZ eq. 23] */
    if (j != i) {
      *sum += c;
      *square += c * c;
    }
  }
  return BPERC_OK;
}

/* [BZ eq. 24] at the state of the engine, into place k. */
static bperc_status measure_step(bench *b, const bperc_bp *engine, size_t most,
                                 uint64_t seed, size_t k) {
  bperc_bp_report report;
  double sum = 0, square = 0, pairs;
  size_t unfixed, sample, bad = 0;
  bperc_status status;
  bperc_bp_copy(b->base, engine);
  b->mean[k] = b->square[k] = b->entropy[k] = NAN;
  sample = choose(b, most, seed, &unfixed);
  b->fixed[k] = (double)(b->n - unfixed);
  status = bperc_bp_converge(b->base, &report);
  b->failed[k] = 1;
  if (status != BPERC_OK || !report.converged || unfixed < 2)
    return status;
  bperc_bp_marginals(b->base, b->p);
  b->entropy[k] = bperc_bp_entropy(b->base);
  for (size_t s = 0; s < sample && status == BPERC_OK; s++) {
    int failed;
    status = add_row(b, b->free[s], unfixed, &sum, &square, &failed);
    bad += (size_t)failed;
  }
  pairs = (double)sample * (double)(unfixed - 1);
  b->mean[k] = sum / pairs;
  b->square[k] = square / pairs;
  b->failed[k] = (double)bad / (double)sample;
  return status;
}

static bperc_status follow(const xcorr_options *o, const bperc_inputs *in,
                           bperc_bpd *s, bench *b, size_t *count,
                           bperc_progress *progress) {
  bperc_status status = BPERC_OK;
  *progress = BPERC_RUNNING;
  for (size_t fixed = 0; *progress == BPERC_RUNNING && status == BPERC_OK;
       fixed++) {
    if (fixed % (size_t)o->every == 0 && fixed + 1 < b->n)
      status = measure_step(b, bperc_bpd_engine(s), (size_t)o->sample,
                            bperc_i_problem_seed(in, 2 + fixed), (*count)++);
    if (status == BPERC_OK)
      *progress = bperc_bpd_step(s);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  return status;
}

static bperc_status run(const bperc_inputs *in, bperc_record *out,
                        bperc_error *error) {
  const xcorr_options *o = in->own;
  bperc_ensemble e = BPERC_I_ENSEMBLE(o, BPERC_I_PATTERNS(o));
  bperc_instance *problem = NULL;
  bperc_bpd *s = NULL;
  bperc_progress progress;
  bench b = {0};
  size_t count = 0;
  bperc_status status = bperc_i_problem_make(&e, in, &problem, error);
  if (status == BPERC_OK)
    status = bperc_bpd_new(problem, in->groups[0], bperc_i_problem_seed(in, 1),
                           1, &s, error);
  if (status == BPERC_OK)
    status = bench_new(&b, bperc_bpd_engine(s), (size_t)o->n);
  if (status == BPERC_OK)
    status = follow(o, in, s, &b, &count, &progress);
  if (status == BPERC_OK) {
    bperc_record_scalar(out, "decimated", progress == BPERC_SOLVED);
    bperc_record_vector(out, "step/fixed", b.fixed, count);
    bperc_record_vector(out, "step/xcorr", b.mean, count);
    bperc_record_vector(out, "step/xcorr2", b.square, count);
    bperc_record_vector(out, "step/entropy", b.entropy, count);
    bperc_record_vector(out, "step/failed", b.failed, count);
  }
  bench_clear(&b);
  bperc_bpd_free(s);
  bperc_instance_free(problem);
  return status;
}

static double cost(const bperc_inputs *in) {
  const xcorr_options *o = in->own;
  double n = (double)o->n / 25;
  return 1.5 * n * n * n / (double)o->every;
}

const bperc_measurement bperc_i_measure_xcorr = {
    .name = "xcorr",
    .summary = "cross-correlations by belief propagation along BPD",
    .results = "decimated     1 when BPD ended at a solution\n"
               "step/fixed    weights fixed\n"
               "step/xcorr    mean cross-correlation [BZ eq. 24]\n"
               "step/xcorr2   mean square cross-correlation\n"
               "step/entropy  Bethe entropy per unfixed weight\n"
               "step/failed   share of conditioned runs that did not converge",
    .version = 1,
    .options = xcorr_table,
    .options_size = sizeof(xcorr_options),
    .groups = {{"bpd", NULL, 0, NULL}},
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .cost = cost,
    .run = run,
};
