/* Factor updates in double precision. */
#include "bp/factor.h"

#include "base/check.h"
#include "bp/bp_recount.h"
#include "numeric/gauss.h"

#include <math.h>
#include <string.h>

/* Least variance of a Gaussian factor: keeps a pattern with one uncertain
 * weight finite; its message is then cut at BPERC_I_FORCED. */
#define LEAST_VARIANCE 1e-12

bperc_i_capped bperc_i_factor_plan(int label, int32_t left, size_t degree) {
  size_t k = (size_t)left;
  bperc_i_capped way = {0, label, k};
  /* at most k ones = at least degree-k zeros, and the other way round */
  size_t other = degree > k ? degree - k : 0;
  if (other < k) {
    way.zeros = 1;
    way.at_least = !label;
    way.bound = other;
  }
  return way;
}

size_t bperc_i_factor_width(int label, int32_t left, size_t degree) {
  return bperc_i_factor_plan(label, left, degree).bound + 1;
}

size_t bperc_i_factor_table(int label, int32_t left, size_t degree) {
  return (degree + 2) * bperc_i_factor_width(label, left, degree);
}

/* next = last with one more weight: P(count = k) for k <= bound; the top entry
 * absorbs larger counts when at_least. */
static void add_weight(const double *last, double x, double y, size_t bound,
                       int at_least, double *next) {
  next[0] = bound == 0 && at_least ? last[0] : y * last[0];
  for (size_t k = 1; k <= bound; k++)
    next[k] = y * last[k] + x * last[k - 1];
  if (at_least && bound)
    next[bound] = last[bound] + x * last[bound - 1];
}

/* tail[k] = P(count of later weights <= k), or >= k when at_least. */
static void add_to_tail(double *tail, double x, double y, size_t bound,
                        int at_least) {
  for (size_t k = bound; k > 0; k--)
    tail[k] = y * tail[k] + x * tail[k - 1];
  if (!at_least)
    tail[0] *= y;
}

/* P(the others' count is at most / at least bound - one). */
static double others(const double *head, const double *tail, size_t bound,
                     int at_least, size_t one) {
  double sum = 0;
  if (!at_least && bound < one)
    return 0;
  bound -= one;
  for (size_t k = 0; k <= bound; k++)
    sum += head[k] * tail[bound - k];
  if (at_least && one)
    sum += head[bound + 1];
  return sum;
}

static double log_ratio(double top, double bottom) {
  if (top > 0 && bottom > 0) {
    double value = log(top / bottom);
    return fmax(-BPERC_I_FORCED, fmin(BPERC_I_FORCED, value));
  }
  return top > 0 ? BPERC_I_FORCED : bottom > 0 ? -BPERC_I_FORCED : 0;
}

double bperc_i_factor_exact(int label, int32_t left, size_t degree,
                            const double *p, const double *q, double *table,
                            double *h_hat) {
  bperc_i_capped way = bperc_i_factor_plan(label, left, degree);
  const double *x = way.zeros ? q : p, *y = way.zeros ? p : q;
  size_t bound = way.bound, width = bound + 1;
  double *tail = table + (degree + 1) * width, z;
  assert(left >= 0 && (size_t)left <= degree);
  memset(table, 0, width * sizeof *table);
  table[0] = 1;
  for (size_t j = 0; j < degree; j++)
    add_weight(table + j * width, x[j], y[j], bound, way.at_least,
               table + (j + 1) * width);
  for (size_t k = 0; k <= bound; k++)
    tail[k] = way.at_least ? k == 0 : 1;
  z = others(table + degree * width, tail, bound, way.at_least, 0);
  for (size_t j = degree; j-- > 0;) {
    const double *head = table + j * width;
    double with = others(head, tail, bound, way.at_least, 1);
    double without = others(head, tail, bound, way.at_least, 0);
    double value = log_ratio(with, without);
    h_hat[j] = way.zeros ? -value : value;
    add_to_tail(tail, x[j], y[j], bound, way.at_least);
  }
  z = z > 0 ? log(z) : -INFINITY;
  BPERC_I_CHECK(bperc_i_recount_factor(label, left, degree, p, q, h_hat, z));
  return z;
}

static double bounded_message(double value) {
  return fmax(-BPERC_I_FORCED, fmin(BPERC_I_FORCED, value));
}

double bperc_i_factor_gaussian(int label, double edge, size_t degree,
                               const double *p, const double *q,
                               double *h_hat) {
  double a = 0, v = 0, s = label ? 1 : -1;
  for (size_t j = 0; j < degree; j++) {
    a += p[j];
    v += p[j] * q[j];
  }
  for (size_t j = 0; j < degree; j++) {
    double sigma = sqrt(fmax(v - p[j] * q[j], LEAST_VARIANCE));
    double x = s * (edge - (a - p[j])) / sigma;
    h_hat[j] = bounded_message(bperc_i_log_h_ratio(x - s / sigma, x));
  }
  return bperc_i_log_h(s * (edge - a) / sqrt(fmax(v, LEAST_VARIANCE)));
}
