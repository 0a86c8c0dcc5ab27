/* Integrals of the theory of teacher and student.
 *
 * At overlap q a student knows the part sqrt(v) V of a sum, v = q - known; the
 * rest has variance gap. P(V), the probability of label 1, is that of a
 * Gaussian interval; flipped labels mix it with its complement.
 */
#include "theory/teacher.h"

#include "numeric/gauss.h"
#include "numeric/interval.h"
#include "numeric/quadrature.h"

#include <math.h>

#define REACH 9.0
#define NODES 12
#define LEAST_PROBABILITY 1e-300

/* ---- weights ---- */

/* log(1-Q + Q e^x), where x is the log of the likelihood ratio of 1 and 0. */
static double log_mixture(double mean, double x) {
  double one = log(mean) + x, zero = log1p(-mean);
  return fmax(one, zero) + log1p(exp(-fabs(one - zero)));
}

bperc_i_planted_site bperc_i_planted_weights(const bperc_i_planted *p, double r,
                                             int finer) {
  double root = sqrt(r), prior = bperc_i_logit(p->mean), q = p->mean;
  bperc_i_trapezoid t = bperc_i_trapezoid_make(root > 0 ? 1 / root : 1, finer);
  bperc_i_planted_site sum = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    double zero = root * z - 0.5 * r, one = root * z + 0.5 * r;
    sum.gap += w * q * bperc_i_logistic(-prior - one);
    sum.free += w * (q * log_mixture(q, one) + (1 - q) * log_mixture(q, zero));
  }
  return sum;
}

/* ---- labels ---- */

/* Known part of the sum and what is left, in units of sqrt(gap). */
typedef struct {
  double x, low, high, flip;
} sums;

static sums sums_at(const bperc_i_planted *p, double gap) {
  double variance = p->mean - p->known, unit = sqrt(gap);
  double x = sqrt(fmax(variance - gap, 0)) / unit;
  sums s = {.x = x, .flip = p->noise};
  s.low = p->band > 0 ? -p->band / unit : p->threshold * sqrt(variance) / unit;
  s.high = p->band > 0 ? p->band / unit : INFINITY;
  return s;
}

/* Probability of label 1, of label 0, and the derivative of the first. */
typedef struct {
  double one, zero, slope;
} chance;

static chance chance_at(const sums *s, double v) {
  double low = s->low - s->x * v, high = s->high - s->x * v;
  bperc_i_interval in = bperc_i_inside(low, high);
  bperc_i_interval out =
      isinf(high) ? bperc_i_inside(-INFINITY, low) : bperc_i_outside(low, high);
  return (chance){exp(in.log_p), exp(out.log_p), in.mean * exp(in.log_p)};
}

bperc_i_planted_labels bperc_i_planted_patterns(const bperc_i_planted *p,
                                                double gap, int finer) {
  sums s = sums_at(p, gap);
  double keep = 1 - 2 * s.flip;
  bperc_i_trapezoid t = bperc_i_trapezoid_make(0.5 / fmax(s.x, 1e-3), finer);
  bperc_i_planted_labels sum = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double v = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, v);
    chance c = chance_at(&s, v);
    double one = fmax(s.flip + keep * c.one, LEAST_PROBABILITY);
    double zero = fmax(s.flip + keep * c.zero, LEAST_PROBABILITY);
    double slope = keep * c.slope;
    sum.information += w * slope * (slope / one + slope / zero);
    sum.log_p += w * (one * log(one) + zero * log(zero));
  }
  return sum;
}

/* ---- errors ---- */

static double surplus(const sums *s, double v) {
  chance c = chance_at(s, v);
  return c.one - c.zero;
}

/* Where the likelier label changes, between a and b. */
static double change_between(const sums *s, double a, double b) {
  int sign = surplus(s, a) > 0;
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (a + b);
    if ((surplus(s, middle) > 0) == sign)
      a = middle;
    else
      b = middle;
  }
  return 0.5 * (a + b);
}

static void add_errors(const sums *s, const bperc_i_legendre *rule, double from,
                       double to, double *bayes, double *gibbs) {
  double half = 0.5 * (to - from);
  for (size_t k = 0; k < rule->n; k++) {
    double v = from + half * (1 + rule->x[k]);
    double w = half * rule->w[k] * exp(-0.5 * v * v) / sqrt(2 * M_PI);
    chance c = chance_at(s, v);
    *bayes += w * fmin(c.one, c.zero);
    *gibbs += w * 2 * c.one * c.zero;
  }
}

bperc_status bperc_i_planted_errors(const bperc_i_planted *p, double gap,
                                    double *bayes, double *gibbs) {
  sums s = sums_at(p, gap);
  bperc_i_legendre rule;
  bperc_status status = bperc_i_legendre_init(&rule, NODES);
  double length = 0.5 / fmax(s.x, 1);
  long panels = (long)ceil(2 * REACH / length);
  *bayes = *gibbs = 0;
  for (long k = 0; status == BPERC_OK && k < panels; k++) {
    double from = -REACH + 2 * REACH * (double)k / (double)panels;
    double to = -REACH + 2 * REACH * (double)(k + 1) / (double)panels;
    double cut = to;
    if ((surplus(&s, from) > 0) != (surplus(&s, to) > 0))
      cut = change_between(&s, from, to);
    add_errors(&s, &rule, from, cut, bayes, gibbs);
    if (cut < to)
      add_errors(&s, &rule, cut, to, bayes, gibbs);
  }
  return status;
}
