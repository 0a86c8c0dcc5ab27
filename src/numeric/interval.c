#include "numeric/interval.h"

#include "numeric/gauss.h"

#include <assert.h>
#include <math.h>

#define NARROW 1e-3 /* below, a series in the width */

/* With t = width and the middle c, exp(-z^2/2) = exp(-c^2/2) exp(-c s - s^2/2)
 * for s = z - c in [-t/2, t/2]; terms up to t^4. */
static bperc_i_interval narrow(double low, double high) {
  double t = high - low, c = 0.5 * (low + high), u = t * t;
  double variance = u / 12 * (1 - u * (2 + c * c) / 60);
  return (bperc_i_interval){.log_p = -0.5 * c * c - 0.91893853320467274178 +
                                     log(t) + u * (c * c - 1) / 24,
                            .mean = c - c * u / 12,
                            .shrink = 1 - variance};
}

/* |low| <= high: every term below is positive. */
static bperc_i_interval inside_ordered(double low, double high) {
  bperc_i_gauss_tail a = bperc_i_tail_at(low);
  double ratio = isinf(high) ? 0 : exp(bperc_i_log_h_ratio(high, low));
  double rest = 1 - ratio;
  if (ratio == 0)
    return (bperc_i_interval){a.log_h, a.hazard, a.hazard * a.excess};
  double edge = ratio * bperc_i_hazard(high) / rest; /* G(high) / P */
  double mean = a.hazard / rest - edge;
  double shrink = mean * (mean - low) + (high - low) * edge;
  return (bperc_i_interval){a.log_h + log1p(-ratio), mean, shrink};
}

bperc_i_interval bperc_i_inside(double low, double high) {
  assert(low < high);
  if (isinf(low) && isinf(high))
    return (bperc_i_interval){0};
  /* the series is good where the density hardly varies over the width */
  if (high - low < NARROW && fabs(low) * (high - low) < NARROW)
    return narrow(low, high);
  if (fabs(low) <= high)
    return inside_ordered(low, high);
  bperc_i_interval mirror = inside_ordered(-high, -low);
  mirror.mean = -mirror.mean;
  return mirror;
}

bperc_i_interval bperc_i_outside(double low, double high) {
  assert(low < high);
  if (isinf(low))
    return bperc_i_inside(high, INFINITY);
  if (isinf(high))
    return bperc_i_inside(-INFINITY, low);
  bperc_i_gauss_tail below = bperc_i_tail_at(-low);
  bperc_i_gauss_tail above = bperc_i_tail_at(high);
  double most = fmax(below.log_h, above.log_h);
  double left = exp(below.log_h - most), right = exp(above.log_h - most);
  double sum = left + right;
  double mean = (right * above.hazard - left * below.hazard) / sum;
  /* 1 - <z^2> of each tail is -x g(x) */
  double square = (left * low * below.hazard - right * high * above.hazard) /
                  sum; /* 1 - <z^2> */
  return (bperc_i_interval){most + log(sum), mean, mean * mean + square};
}
