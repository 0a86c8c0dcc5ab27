/* stability: how far the sums of stored patterns are from the threshold, in
 * units of N: (2 sigma - 1)(A w.xi - N)/N [BZ supplement 1, fig. S1]. */
#include "lab/measure/measurements.h"

#include "base/bits.h"
#include "lab/measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, BPERC_I_BITS_CHOICES, "who solves")                  \
  X(REAL, level, 1, 1, 0, 1e6, "stabilities below it are counted")             \
  X(REAL, bottom, -0.1, -0.1, -1e6, 0, "start of the histogram")               \
  X(REAL, top, 1.5, 1.5, 1e-6, 1e6, "end of the histogram")                    \
  X(INT, bins, 16, 16, 1, 100000, "of the histogram")
BPERC_I_MEASURE_OPTIONS(stability, ROWS);

/* w.xi in units of the threshold N/A. */
static double summed_input(const bperc_instance *in, const uint64_t *weights,
                           size_t mu) {
  const uint64_t *pattern = bperc_instance_pattern(in, mu);
  size_t sum = 0;
  for (size_t k = 0; k < in->words; k++)
    sum += (size_t)__builtin_popcountll(pattern[k] & weights[k]);
  return (double)sum / in->theta;
}

static double stability(const bperc_instance *in, size_t mu, double input) {
  return (in->labels[mu] ? 1 : -1) * (input - 1);
}

typedef struct {
  double mean, square;
} moments;

static void add_moment(moments *m, double x, double share) {
  m->mean += x * share;
  m->square += x * x * share;
}

static double deviation(const moments *m) {
  return sqrt(fmax(m->square - m->mean * m->mean, 0));
}

/* [BZ section II]: the sums are N/A up to order sqrt(N) on average, and
 * A w.xi has the standard deviation sqrt(A N (1 - f_in)). */
static void record_inputs(bperc_i_probe *t, const moments *m) {
  const stability_options *o = t->in->own;
  double n = (double)o->n;
  bperc_i_put(t, "input", (m->mean - 1) * sqrt(n) / o->a);
  bperc_i_put(t, "input_spread",
              n * deviation(m) / sqrt(o->a * n * (1 - o->fin)));
}

/* Density per bin. Sums are whole numbers: each stands for an interval of one,
 * `step` in units of the threshold, or bins and lattice would interfere. */
static void histogram(const stability_options *o, const double *values,
                      size_t m, double step, double *at, double *density) {
  double width = (o->top - o->bottom) / (double)o->bins;
  for (int64_t b = 0; b < o->bins; b++) {
    double low = o->bottom + (double)b * width, sum = 0;
    for (size_t mu = 0; mu < m; mu++)
      sum += fmax(fmin(values[mu] + step / 2, low + width) -
                      fmax(values[mu] - step / 2, low),
                  0);
    at[b] = low + width / 2;
    density[b] = sum / (step * width * (double)m);
  }
}

static bperc_status record_stability(bperc_i_probe *t) {
  const stability_options *o = t->in->own;
  size_t m = t->problem->m, bins = (size_t)o->bins;
  double *values = bperc_i_probe_room(t, m + 2 * bins), *at = values + m;
  moments stable = {0}, sums = {0};
  double low = 0;
  if (!values)
    return t->status;
  for (size_t mu = 0; mu < m; mu++) {
    double sum = summed_input(t->problem, t->weights, mu);
    values[mu] = stability(t->problem, mu, sum);
    add_moment(&stable, values[mu], 1 / (double)m);
    add_moment(&sums, sum, 1 / (double)m);
    low += (values[mu] < o->level) / (double)m;
  }
  histogram(o, values, m, 1 / t->problem->theta, at, at + bins);
  bperc_i_put(t, "mean", stable.mean);
  bperc_i_put(t, "spread", deviation(&stable));
  bperc_i_put(t, "below", low);
  record_inputs(t, &sums);
  bperc_i_put_all(t, "histogram/at", at, bins);
  bperc_i_put_all(t, "histogram/density", at + bins, bins);
  return BPERC_OK;
}

BPERC_I_WEIGHTS_RUN(stability, record_stability)

static bperc_status check_stability(const bperc_inputs *in,
                                    bperc_error *error) {
  const stability_options *o = in->own;
  if (o->weights || o->inputs)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "stability is in units of the threshold N/A of 0/1 "
                           "weights and inputs: take retrieval");
  return BPERC_OK;
}

const bperc_measurement bperc_i_measure_stability = {
    .name = "stability",
    .summary = "distance of the sums of stored patterns from the threshold",
    .results = "solved             1 or 0; the rest is of solved runs\n"
               "mean               of (2 sigma - 1)(A w.xi - N)/N\n"
               "spread             its standard deviation over patterns\n"
               "below              fraction of patterns below `level`\n"
               "input              (mean of w.xi - N/A) / sqrt(N)\n"
               "input_spread       standard deviation of A w.xi divided by\n"
               "                   sqrt(A N (1 - f_in))\n"
               "histogram/at       middle of the bin\n"
               "histogram/density  probability per unit",
    .version = 4,
    BPERC_I_MEASURE_TABLE(stability),
    .groups = {BPERC_I_BITS_GROUPS},
    BPERC_I_PROBLEM_NAMED,
    .check = check_stability,
    .seconds = 0.01,
    .others = 0.05,
    .size = 480,
    .power = 2,
    .run = run_stability_task,
};
