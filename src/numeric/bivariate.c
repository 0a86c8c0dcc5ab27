/* The bivariate Gaussian tail as an integral over the angle whose sine is the
 * correlation [Plackett 1954]. */
#include "numeric/bivariate.h"

#include "numeric/quadrature.h"

#include <math.h>

enum { PANELS = 64 };

static double tail(double x) { return erfc(x / sqrt(2)) / 2; }

double bperc_i_both_above(double h, double k, double rho) {
  bperc_i_legendre rule;
  double end = asin(fmax(-1, fmin(1, rho))), width = end / PANELS, sum = 0;
  if (bperc_i_legendre_init(&rule, BPERC_I_LEGENDRE_MAX))
    return NAN;
  for (int p = 0; p < PANELS; p++)
    for (size_t j = 0; j < rule.n; j++) {
      double angle = width * (p + 0.5 + rule.x[j] / 2), s = sin(angle);
      double c = cos(angle);
      sum += rule.w[j] * exp(-(h * h + k * k - 2 * h * k * s) / (2 * c * c));
    }
  return tail(h) * tail(k) + sum * width / 2 / (2 * M_PI);
}
