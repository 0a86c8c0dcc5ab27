/* Integrals of the theory written out literally: a trapezoid on [-9, 9] and
 * GSL's log erfc, no code shared with the library. */
#ifndef BPERC_TESTS_THEORY_LITERAL_H
#define BPERC_TESTS_THEORY_LITERAL_H

#include <gsl/gsl_sf_erf.h>
#include <math.h>

static inline double literal_log_h(double x) {
  return gsl_sf_log_erfc(x * M_SQRT1_2) - M_LN2;
}

static inline double literal_softplus(double x) {
  return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/* Int Dz f(z, p) with n nodes. */
static inline double literal_gauss(double (*f)(double, const double *),
                                   const double *p, int n) {
  double step = 18.0 / n, sum = 0;
  for (int k = 0; k <= n; k++) {
    double z = -9 + step * k;
    sum += exp(-z * z / 2) * f(z, p);
  }
  return sum * step / sqrt(2 * M_PI);
}

#endif
