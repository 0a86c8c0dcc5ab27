/* What patterns add to the replica-symmetric free entropy.
 *
 *   f_out Int Dt log H(k - m + x t) + (1 - f_out) Int Dt log H(k + m + x t)
 *
 * in units of sqrt(Q-q). m, the mean of the sums over the threshold, is free:
 * a change of the activity by order sqrt(N) moves it and costs no entropy. The
 * expression is concave in m and taken at its largest. docs/theory.md 1.
 */
#include "theory/typical.h"

#include "numeric/gauss.h"
#include "numeric/quadrature.h"

#include <math.h>

#define SHIFT_STEPS 200 /* Newton steps for m; 3 to 6 are usual */

/* Balanced labels without margin: m = 0 by symmetry. */
static bperc_i_pattern_term balanced(double x, int finer) {
  bperc_i_trapezoid t = bperc_i_trapezoid_make(1 / x, finer);
  bperc_i_pattern_term sum = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    bperc_i_gauss_tail tail = bperc_i_tail_at(x * z);
    sum.log_h += w * tail.log_h;
    sum.hazard2 += w * tail.hazard * tail.hazard;
  }
  return sum;
}

/* Averages for one label. */
typedef struct {
  double log_h, hazard, hazard2, slope; /* slope: of g */
} label_average;

static label_average average_label(double at, double x, int finer) {
  bperc_i_trapezoid t = bperc_i_trapezoid_make(1 / x, finer);
  label_average sum = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    bperc_i_gauss_tail tail = bperc_i_tail_at(at + x * z);
    sum.log_h += w * tail.log_h;
    sum.hazard += w * tail.hazard;
    sum.hazard2 += w * tail.hazard * tail.hazard;
    sum.slope += w * tail.hazard * tail.excess;
  }
  return sum;
}

/* f_out <g>_1 = (1 - f_out) <g>_0: Newton's method on the logarithm of the
 * ratio, which falls with m and is nearly linear. */
bperc_i_pattern_term bperc_i_pattern_average(double x, double lean, double k,
                                             int finer) {
  if (lean == 0 && k == 0)
    return balanced(x, finer);
  double one = 0.5 + lean, zero = 0.5 - lean, m = 0;
  label_average a, b;
  for (int step = 0; step < SHIFT_STEPS; step++) {
    a = average_label(k - m, x, finer);
    b = average_label(k + m, x, finer);
    double change = log(one * a.hazard / (zero * b.hazard)) /
                    (a.slope / a.hazard + b.slope / b.hazard);
    if (lean == 0 || !(fabs(change) > 1e-15 * (1 + fabs(m))))
      break;
    m += change;
  }
  return (bperc_i_pattern_term){.log_h = one * a.log_h + zero * b.log_h,
                                .hazard2 = one * a.hazard2 + zero * b.hazard2,
                                .shift = m};
}
