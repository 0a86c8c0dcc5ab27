/* The factor update as printed: a sum over all configurations of the other
 * weights [BZ eqs. 17, 20, S2]. */
#ifndef BPERC_ORACLE_LITERAL_FACTOR_H
#define BPERC_ORACLE_LITERAL_FACTOR_H

#include <math.h>
#include <stddef.h>

/* P(the weights other than skip, plus extra, satisfy the factor). */
static inline double literal_weight(int label, int left, size_t degree,
                                    const double *p, size_t skip, int extra) {
  double sum = 0;
  for (unsigned long w = 0; w < 1ul << degree; w++) {
    double term = 1;
    int ones = extra;
    if (skip < degree && w >> skip & 1)
      continue;
    for (size_t j = 0; j < degree; j++)
      if (j != skip) {
        term *= w >> j & 1 ? p[j] : 1 - p[j];
        ones += (int)(w >> j & 1);
      }
    if (label ? ones >= left : ones <= left)
      sum += term;
  }
  return sum;
}

static inline double literal_h_hat(int label, int left, size_t degree,
                                   const double *p, size_t i) {
  return log(literal_weight(label, left, degree, p, i, 1) /
             literal_weight(label, left, degree, p, i, 0));
}

static inline double literal_log_z(int label, int left, size_t degree,
                                   const double *p) {
  return log(literal_weight(label, left, degree, p, degree, 0));
}

#endif
