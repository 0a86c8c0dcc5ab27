/* Tails of the Gaussian: erfc below TAIL_START, Laplace's continued fraction
 *   g(x) - x = 1/(x + 2/(x + 3/(x + ...)))
 * above it, where erfc has lost digits to the rounding of x^2 and will soon
 * underflow.
 */
#include "numeric/gauss.h"

#include <math.h>

#define TAIL_START 5.0
#define TAIL_TERMS 28 /* truncation below 1e-15 at TAIL_START, 0 soon after */
#define TAIL_FEWEST 7 /* terms at large x, TAIL_FALL / x more below */
#define TAIL_FALL 150
#define LOG_SQRT_2PI 0.91893853320467274178
#define INV_SQRT_2PI 0.39894228040143267794

static double excess_by_fraction(double x) {
  double tail = x;
  int terms = TAIL_FEWEST + (int)(TAIL_FALL / x);
  for (int k = terms < TAIL_TERMS ? terms : TAIL_TERMS; k >= 2; k--)
    tail = x + k / tail;
  return 1 / tail;
}

bperc_i_gauss_tail bperc_i_tail_at(double x) {
  bperc_i_gauss_tail t;
  if (x > TAIL_START) {
    t.excess = excess_by_fraction(x);
    t.hazard = x + t.excess;
    t.log_h = -0.5 * x * x - LOG_SQRT_2PI - log(t.hazard);
  } else {
    double h = 0.5 * erfc(x * M_SQRT1_2);
    t.hazard = INV_SQRT_2PI * exp(-0.5 * x * x) / h;
    t.excess = t.hazard - x;
    t.log_h = x < -1 ? log1p(-0.5 * erfc(-x * M_SQRT1_2)) : log(h);
  }
  return t;
}

double bperc_i_log_h(double x) {
  if (x > TAIL_START)
    return bperc_i_tail_at(x).log_h;
  if (x < -1)
    return log1p(-0.5 * erfc(-x * M_SQRT1_2));
  return log(0.5 * erfc(x * M_SQRT1_2));
}

double bperc_i_hazard(double x) {
  if (x > TAIL_START)
    return x + excess_by_fraction(x);
  return INV_SQRT_2PI * exp(-0.5 * x * x) / (0.5 * erfc(x * M_SQRT1_2));
}

double bperc_i_hazard_excess(double x) {
  return x > TAIL_START ? excess_by_fraction(x) : bperc_i_hazard(x) - x;
}

double bperc_i_log_h_ratio(double a, double b) {
  if (a > TAIL_START && b > TAIL_START)
    return 0.5 * (b - a) * (b + a) - log(bperc_i_hazard(a) / bperc_i_hazard(b));
  return bperc_i_log_h(a) - bperc_i_log_h(b);
}
