/* Slopes over cells. */
#include "lab/verdict/statistic.h"

#include "lab/base/memory.h"
#include "numeric/sample.h"

#include <math.h>

int bperc_i_slope_weights(const double *x, size_t count, double *w) {
  double mean = 0, square = 0, size = 0;
  for (size_t k = 0; k < count; k++)
    mean += x[k] / (double)count;
  for (size_t k = 0; k < count; k++) {
    square += (x[k] - mean) * (x[k] - mean);
    size += x[k] * x[k];
  }
  for (size_t k = 0; k < count; k++)
    w[k] = (x[k] - mean) / square;
  return count > 1 && square > 1e-14 * size;
}

/* Slope of one instance, if it has at least three points, or all. */
static double own_slope(const double *x, const bperc_i_table_cell *const *cells,
                        size_t count, uint32_t instance, double *at,
                        double *w) {
  double slope = 0, y;
  size_t n = 0;
  for (size_t k = 0; k < count; k++)
    if (bperc_i_cell_value(cells[k], instance, &y))
      at[n++] = x[k];
  if ((n < 3 && n < count) || !bperc_i_slope_weights(at, n, w))
    return NAN;
  n = 0;
  for (size_t k = 0; k < count; k++)
    if (bperc_i_cell_value(cells[k], instance, &y))
      slope += w[n++] * y;
  return slope;
}

/* Replaces *e by the mean of own slopes where enough instances have one. */
static void use_own_slopes(const double *x,
                           const bperc_i_table_cell *const *cells, size_t count,
                           bperc_i_estimate *e) {
  uint32_t most = bperc_i_most_instances(cells, count);
  double *slopes = bperc_alloc(most, sizeof *slopes);
  double *scratch = bperc_alloc(2 * count, sizeof *scratch);
  size_t n = 0, values = 0;
  for (size_t k = 0; k < count; k++)
    values += cells[k]->n;
  for (uint32_t i = 0; slopes && scratch && i < most; i++) {
    double slope = own_slope(x, cells, count, i, scratch, scratch + count);
    if (isfinite(slope))
      slopes[n++] = slope;
  }
  if (n > 1 && 2 * n * count >= values) {
    bperc_i_mean(slopes, n, &e->value, &e->sem);
    e->n = n;
    e->dof = (double)n - 1;
  }
  bperc_free(slopes);
  bperc_free(scratch);
}

/* Without errors a trend must be monotonic. */
static void check_monotonic(const bperc_i_table_cell *const *cells,
                            size_t count, bperc_i_estimate *e) {
  int up = 0, down = 0;
  for (size_t k = 1; k < count; k++) {
    up += cells[k]->mean > cells[k - 1]->mean;
    down += cells[k]->mean < cells[k - 1]->mean;
  }
  if (up && down)
    e->value = 0;
}

bperc_i_estimate bperc_i_slope(const double *x,
                               const bperc_i_table_cell *const *cells,
                               size_t count) {
  bperc_i_estimate e = bperc_i_unknown;
  double *w = bperc_alloc(count, sizeof *w);
  if (w && bperc_i_slope_weights(x, count, w))
    e = bperc_i_contrast(cells, w, count);
  if (e.method == BPERC_I_EXACT)
    check_monotonic(cells, count, &e);
  else if (e.method == BPERC_I_STUDENT && (e.value != 0 || e.sem > 0))
    use_own_slopes(x, cells, count, &e);
  bperc_free(w);
  return e;
}
