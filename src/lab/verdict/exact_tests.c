/* Exact tests: shares of yes and no, signs, exchanges. None of them assumes a
 * distribution; their chances are those of as much or more at a true null. */
#include "lab/verdict/statistic.h"

#include "bperc/stream.h"
#include "lab/base/memory.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* ---- shares */

/* Chernoff's bound for the mean m of n numbers between 0 and 1 at a true mean
 * p: exp(-n KL(m || p)). */
static double chernoff(double m, double p, double n) {
  double a = m > 0 ? m * log(m / p) : 0;
  double b = m < 1 ? (1 - m) * log((1 - m) / (1 - p)) : 0;
  return exp(-n * (a + b));
}

double bperc_i_share_above(const bperc_i_share *s, double p) {
  double k = round(s->mean * (double)s->n);
  if (p < 0)
    return 0; /* no share is below 0 */
  if (s->rows == 1)
    return k == 0 ? 1
                  : gsl_cdf_binomial_Q((unsigned)k - 1, fmin(p, 1),
                                       (unsigned)s->n);
  return p >= s->mean ? 1 : p == 0 ? 0 : chernoff(s->mean, p, (double)s->n);
}

double bperc_i_share_below(const bperc_i_share *s, double p) {
  bperc_i_share other = {1 - s->mean, s->n, s->rows};
  return bperc_i_share_above(&other, 1 - p);
}

static bperc_i_estimate chances(double value, size_t n, double above,
                                double below) {
  return (bperc_i_estimate){BPERC_I_CHANCES, .value = value, .sem = NAN,
                            .n = n,          .above = above, .below = below};
}

/* ---- signs */

static double at_least(unsigned k, unsigned n) {
  return k == 0 ? 1 : gsl_cdf_binomial_Q(k - 1, 0.5, n);
}

bperc_i_estimate bperc_i_sign_test(const bperc_i_table_cell *c, double value) {
  unsigned up = 0, down = 0;
  for (size_t k = 0; c->values && k < c->n; k++) {
    up += c->values[k] > value;
    down += c->values[k] < value;
  }
  if (c->exact)
    return (bperc_i_estimate){BPERC_I_EXACT, .value = c->mean - value};
  return chances(c->median - value, c->n, at_least(up, up + down),
                 at_least(down, up + down));
}

/* How often b is above a, and below, of instances in common. */
static unsigned signs(const bperc_i_table_cell *a, const bperc_i_table_cell *b,
                      unsigned *up, unsigned *down) {
  unsigned common = 0;
  double y;
  *up = *down = 0;
  for (size_t k = 0; a->values && k < a->n; k++)
    if (bperc_i_cell_value(b, a->instances[k], &y)) {
      common++;
      *up += y > a->values[k];
      *down += y < a->values[k];
    }
  return common;
}

bperc_i_estimate bperc_i_sign_test_pairs(const bperc_i_table_cell *a,
                                         const bperc_i_table_cell *b) {
  unsigned up, down, n;
  if (b->exact || a->exact) {
    bperc_i_estimate e =
        bperc_i_sign_test(b->exact ? a : b, b->exact ? b->mean : a->mean);
    return b->exact ? bperc_i_negative(e) : e;
  }
  n = signs(a, b, &up, &down);
  return chances(b->median - a->median, n, at_least(up, up + down),
                 at_least(down, up + down));
}

void bperc_i_compare_shares(const bperc_i_table_cell *a,
                            const bperc_i_table_cell *b, bperc_i_estimate *e) {
  unsigned up, down, common = signs(a, b, &up, &down);
  unsigned ka = (unsigned)round(a->mean * (double)a->n);
  unsigned kb = (unsigned)round(b->mean * (double)b->n);
  if (2 * common >= a->n && 2 * common >= b->n) { /* McNemar */
    e->above = at_least(up, up + down);
    e->below = at_least(down, up + down);
    return;
  }
  e->above = kb == 0
                 ? 1
                 : gsl_cdf_hypergeometric_Q(kb - 1, ka + kb,
                                            (unsigned)(a->n + b->n) - ka - kb,
                                            (unsigned)b->n);
  e->below = gsl_cdf_hypergeometric_P(
      kb, ka + kb, (unsigned)(a->n + b->n) - ka - kb, (unsigned)b->n);
}

/* ---- flips */

/* min over s of the log of E exp(s sum of +-v - s total). */
static double flip_bound(const double *v, size_t n, double total) {
  double best = 0, largest = 0;
  for (size_t k = 0; k < n; k++)
    largest = fmax(largest, fabs(v[k]));
  if (!(total > 0) || !(largest > 0))
    return 1;
  for (double s = 0.01; s < 60; s *= 1.15) {
    double sum = -s / largest * total;
    for (size_t k = 0; k < n; k++) {
      double u = fabs(s / largest * v[k]);
      sum += u + log1p(exp(-2 * u)) - M_LN2;
    }
    best = fmin(best, sum);
  }
  return exp(best);
}

bperc_i_estimate bperc_i_flip_test(const double *v, size_t n) {
  double total = 0;
  for (size_t k = 0; k < n; k++)
    total += v[k];
  return chances(total / (double)n, n, flip_bound(v, n, total),
                 flip_bound(v, n, -total));
}

/* ---- exchanges */

enum { EXCHANGES = 9999, ENOUGH = 200 };

typedef struct {
  double *x, *y; /* one instance after the other */
  size_t *start; /* instances + 1 */
  size_t instances;
} exchange;

/* The points of an instance that every series has; x about their mean. */
static size_t gather_points(const double *x,
                            const bperc_i_table_cell *const *cells,
                            size_t series, size_t count, uint32_t instance,
                            double *out_x, double *out_y) {
  double mean = 0, y;
  size_t n = 0;
  for (size_t k = 0; k < count; k++) {
    double sum = 0;
    size_t g = 0;
    while (g < series &&
           bperc_i_cell_value(cells[g * count + k], instance, &y)) {
      sum += y / (double)series;
      g++;
    }
    if (g < series)
      continue;
    out_x[n] = x[k];
    out_y[n++] = sum;
    mean += x[k];
  }
  for (size_t k = 0; k < n; k++)
    out_x[k] -= mean / (double)n;
  return n > 1 ? n : 0;
}

static double statistic(const exchange *e, size_t i) {
  double sum = 0;
  for (size_t k = e->start[i]; k < e->start[i + 1]; k++)
    sum += e->x[k] * e->y[k];
  return sum;
}

static void shuffle(exchange *e, size_t i, bperc_stream *stream) {
  for (size_t k = e->start[i + 1]; k > e->start[i] + 1; k--) {
    size_t other =
        e->start[i] + (size_t)bperc_stream_below(stream, k - e->start[i]);
    double y = e->y[k - 1];
    e->y[k - 1] = e->y[other];
    e->y[other] = y;
  }
}

/* Counts exchanges with as much or more, until there are enough of both. */
static bperc_i_estimate run_exchanges(exchange *e, double slope) {
  bperc_stream stream = bperc_stream_make(1, BPERC_FOR_JUDGES, 0);
  double total = 0, size = 0, up = 1, down = 1, done = 1;
  for (size_t i = 0; i < e->instances; i++) {
    total += statistic(e, i);
    for (size_t k = e->start[i]; k < e->start[i + 1]; k++)
      size += fabs(e->x[k] * e->y[k]);
  }
  for (int b = 0; b < EXCHANGES && fmin(up, down) < ENOUGH; b++) {
    double sum = 0;
    for (size_t i = 0; i < e->instances; i++) {
      shuffle(e, i, &stream);
      sum += statistic(e, i);
    }
    up += sum >= total - 1e-9 * size;
    down += sum <= total + 1e-9 * size;
    done++;
  }
  return chances(slope, e->instances, up / done, down / done);
}

bperc_i_estimate bperc_i_exchange_test(const double *x,
                                       const bperc_i_table_cell *const *cells,
                                       size_t series, size_t count) {
  bperc_i_estimate out = bperc_i_unknown;
  uint32_t most = bperc_i_most_instances(cells, series * count);
  exchange e = {0};
  double *w = bperc_alloc(count, sizeof *w), slope = 0;
  e.x = bperc_alloc(most * count, sizeof *e.x);
  e.y = bperc_alloc(most * count, sizeof *e.y);
  e.start = bperc_calloc((size_t)most + 1, sizeof *e.start);
  if (w && e.x && e.y && e.start && bperc_i_slope_weights(x, count, w)) {
    for (uint32_t i = 0; i < most; i++) {
      size_t at = e.start[e.instances];
      size_t n = gather_points(x, cells, series, count, i, e.x + at, e.y + at);
      if (n)
        e.start[++e.instances] = at + n;
      assert(e.instances <= most && at + n <= most * count);
    }
    for (size_t k = 0; k < series * count; k++)
      slope += w[k % count] * cells[k]->mean / (double)series;
    if (e.instances)
      out = run_exchanges(&e, slope);
  }
  bperc_free(w);
  bperc_free(e.x);
  bperc_free(e.y);
  bperc_free(e.start);
  return out;
}
