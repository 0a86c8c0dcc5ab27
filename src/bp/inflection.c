/* The inflection rule of [BZ supplement 4, eqs. S4-S5]. */
#include "bperc/bp.h"

#include <math.h>

/* Points outside are not reasonable: a stationary point is not that negative,
 * and log 2 bounds the entropy of a weight. */
#define LEAST_ENTROPY -3.0
#define MOST_ENTROPY 0.75

/* Differences over two steps, because F sometimes trembles from one step to
 * the next. */
static int decreasing_inflection(const double *f, size_t t) {
  double before = f[t - 2] - f[t - 4], here = f[t] - f[t - 2],
         after = f[t + 2] - f[t];
  return before < 0 && here < 0 && after < 0 && fabs(here) < fabs(before) &&
         fabs(here) < fabs(after);
}

static int reasonable(double f) {
  return f >= LEAST_ENTROPY && f <= MOST_ENTROPY;
}

static double total_change(const double *f, size_t t) {
  return fabs(f[t - 2] - f[t - 4]) + fabs(f[t] - f[t - 2]) +
         fabs(f[t + 2] - f[t]);
}

static double curvature(const double *f, size_t t) {
  return fabs((f[t + 2] - f[t]) / 2 - (f[t] - f[t - 2]) / 2) / 2;
}

bperc_bp_moment bperc_bp_inflection(const double *f, size_t count, size_t *t0) {
  double best = INFINITY;
  if (count < 9) {
    *t0 = count ? count - 1 : 0;
    return BPERC_BP_TOO_SHORT;
  }
  for (size_t t = 4; t + 2 < count; t++)
    if (decreasing_inflection(f, t) && reasonable(f[t]) &&
        total_change(f, t) < best) {
      best = total_change(f, t);
      *t0 = t;
    }
  if (best < INFINITY)
    return BPERC_BP_INFLECTION;
  *t0 = count - 1;
  for (size_t t = 2; t + 2 < count; t++)
    if (curvature(f, t) < best) {
      best = curvature(f, t);
      *t0 = t;
    }
  return BPERC_BP_FLATTEST;
}
