/* Tails of the Gaussian in forms that survive |x| of 100 and far beyond.
 *
 * H(x) = erfc(x / sqrt 2) / 2, G(x) = exp(-x^2 / 2) / sqrt(2 pi), g = G / H.
 * Accuracy  a few units of 1e-15 relative for g, absolute + relative for log H
 * Range     every finite x; +-infinity and NaN pass through as limits
 */
#ifndef BPERC_SRC_NUMERIC_GAUSS_H
#define BPERC_SRC_NUMERIC_GAUSS_H

#include <math.h>

/* log H(x): tends to 0 for x -> -inf, to -x^2/2 for x -> +inf. */
double bperc_i_log_h(double x);

/* g(x) = G(x) / H(x) > max(x, 0), the hazard rate; g' = g (g - x). */
double bperc_i_hazard(double x);

/* g(x) - x, without cancellation at large x, where it tends to 1/x. */
double bperc_i_hazard_excess(double x);

/* log(H(a) / H(b)), without cancellation where both tails are small. */
double bperc_i_log_h_ratio(double a, double b);

/* All three at the price of one: used in the innermost loops of the theory. */
typedef struct {
  double log_h, hazard, excess;
} bperc_i_gauss_tail;
bperc_i_gauss_tail bperc_i_tail_at(double x);

/* Logistic function and its inverse; inline for integrands. */
static inline double bperc_i_logistic(double x) {
  double e = exp(-fabs(x));
  return x > 0 ? 1 / (1 + e) : e / (1 + e);
}

static inline double bperc_i_logit(double p) { return log(p) - log1p(-p); }

#endif
