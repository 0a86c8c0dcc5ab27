/* Slopes over cells, and whose errors they carry. */
#include "judge/statistic.h"

#include "base/alloc.h"

#include <math.h>

typedef struct {
  double w, x, y, xx, xy;
} sums;

static void add_point(sums *s, double x, double y, double w) {
  s->w += w;
  s->x += w * x;
  s->y += w * y;
  s->xx += w * x * x;
  s->xy += w * x * y;
}

static bperc_i_estimate solve(const sums *s) {
  double d = s->w * s->xx - s->x * s->x;
  if (!(d > 1e-12 * s->w * s->xx))
    return (bperc_i_estimate){NAN, NAN, 0};
  return (bperc_i_estimate){(s->w * s->xy - s->x * s->y) / d, sqrt(s->w / d),
                            INFINITY};
}

static bperc_i_estimate weighted_slope(const double *x,
                                       const bperc_i_cell *const *cells,
                                       size_t count) {
  sums s = {0};
  int exact = 1;
  bperc_i_estimate e;
  for (size_t k = 0; k < count; k++)
    exact &= !(cells[k]->sem > 0);
  for (size_t k = 0; k < count; k++) {
    double sem = cells[k]->sem;
    if (!isfinite(cells[k]->mean))
      continue;
    if (exact)
      add_point(&s, x[k], cells[k]->mean, 1);
    else if (sem > 0)
      add_point(&s, x[k], cells[k]->mean, 1 / (sem * sem));
  }
  e = solve(&s);
  if (exact)
    e.sem = 0;
  return e;
}

/* Slope of one instance, if it has at least three points. */
static double slope_of(const double *x, const bperc_i_cell *const *cells,
                       size_t count, uint32_t instance) {
  sums s = {0};
  double y;
  for (size_t k = 0; k < count; k++)
    if (bperc_i_cell_value(cells[k], instance, &y))
      add_point(&s, x[k], y, 1);
  return s.w < 3 && s.w < (double)count ? NAN : solve(&s).value;
}

/* A slope that is nothing but rounding of numbers which are all the same is 0.
 */
static bperc_i_estimate without_rounding(bperc_i_estimate e, const double *x,
                                         const bperc_i_cell *const *cells,
                                         size_t count) {
  double size = 0, width = 0;
  for (size_t k = 0; k < count; k++) {
    size = fmax(size, fabs(cells[k]->mean));
    width = fmax(width, fabs(x[k] - x[0]));
  }
  if (fabs(e.value) * width <= 1e-13 * size)
    e.value = e.sem = 0;
  return e;
}

/* Slope of the means, every instance with its influence on all of them: right
 * whether or not instance i is the same problem everywhere. */
static bperc_i_estimate slope_of_means(const double *x,
                                       const bperc_i_cell *const *cells,
                                       size_t count, uint32_t most) {
  bperc_i_estimate e = {0, 0, INFINITY};
  double sum = 0, square = 0, used = 0, y;
  for (size_t k = 0; k < count; k++)
    if (cells[k]->n > 1) {
      used++;
      sum += x[k];
      square += x[k] * x[k];
      e.dof = fmin(e.dof, (double)cells[k]->n - 1);
    }
  square -= sum * sum / used;
  if (used < 2 || !(square > 0))
    return (bperc_i_estimate){NAN, NAN, 0};
  for (size_t k = 0; k < count; k++)
    if (cells[k]->n > 1)
      e.value += (x[k] - sum / used) / square * cells[k]->mean;
  for (uint32_t i = 0; i < most; i++) {
    double influence = 0;
    for (size_t k = 0; k < count; k++)
      if (cells[k]->n > 1 && bperc_i_cell_value(cells[k], i, &y))
        influence += (x[k] - sum / used) / square * (y - cells[k]->mean) /
                     sqrt((double)cells[k]->n * (double)(cells[k]->n - 1));
    e.sem += influence * influence;
  }
  e.sem = sqrt(e.sem);
  return e;
}

static size_t values_of(const bperc_i_cell *const *cells, size_t count) {
  size_t n = 0;
  for (size_t k = 0; k < count; k++)
    n += cells[k]->n;
  return n;
}

bperc_i_estimate bperc_i_slope(const double *x,
                               const bperc_i_cell *const *cells, size_t count) {
  uint32_t most = bperc_i_most_instances(cells, count);
  double *slopes = bperc_i_alloc(most, sizeof *slopes);
  size_t n = 0;
  bperc_i_estimate e = weighted_slope(x, cells, count);
  for (uint32_t i = 0; slopes && i < most; i++) {
    double slope = slope_of(x, cells, count, i);
    if (isfinite(slope))
      slopes[n++] = slope;
  }
  if (n > 2 && 2 * n * count >= values_of(cells, count))
    e = bperc_i_estimate_of(slopes, n);
  else if (most > 2) /* own slopes would throw most of the data away */
    e = slope_of_means(x, cells, count, most);
  bperc_i_free(slopes);
  return without_rounding(e, x, cells, count);
}
