/* Means, errors, slopes. Sums run in the order of instances, so that results
 * do not depend on who ran what. */
#include "sweep/statistic.h"

#include "base/alloc.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median_of(const double *values, size_t n) {
  double *copy = bperc_i_alloc(n, sizeof *copy), median;
  if (!copy || n == 0) {
    bperc_i_free(copy);
    return NAN;
  }
  memcpy(copy, values, n * sizeof *copy);
  qsort(copy, n, sizeof *copy, ascending);
  median = n % 2 ? copy[n / 2] : (copy[n / 2 - 1] + copy[n / 2]) / 2;
  bperc_i_free(copy);
  return median;
}

static bperc_i_estimate mean_of(const double *values, size_t n) {
  double sum = 0, square = 0, mean;
  for (size_t k = 0; k < n; k++)
    sum += values[k];
  mean = n ? sum / (double)n : NAN;
  for (size_t k = 0; k < n; k++)
    square += (values[k] - mean) * (values[k] - mean);
  return (bperc_i_estimate){
      mean, n > 1 ? sqrt(square / ((double)n * (double)(n - 1))) : NAN,
      n > 1 ? (double)(n - 1) : 0};
}

void bperc_i_cell_finish(bperc_i_cell *c, int exact) {
  bperc_i_estimate e = mean_of(c->values, c->n);
  c->mean = e.value;
  c->sem = exact && c->n ? 0 : e.sem;
  c->median = median_of(c->values, c->n);
}

double bperc_i_z_of(double p) { return gsl_cdf_ugaussian_Qinv(p); }

double bperc_i_evidence(bperc_i_estimate e) {
  double t, p;
  if (!isfinite(e.value) || !(e.sem >= 0) || !(e.dof > 0))
    return NAN;
  if (e.value == 0)
    return 0;
  if (e.sem == 0)
    return e.value > 0 ? INFINITY : -INFINITY;
  t = e.value / e.sem;
  if (!isfinite(e.dof) || e.dof > 1e6)
    return t;
  p = gsl_cdf_tdist_Q(fabs(t), e.dof);
  return copysign(p > 0 ? fmin(gsl_cdf_ugaussian_Qinv(p), fabs(t)) : fabs(t),
                  t);
}

double bperc_i_sign_test(const bperc_i_cell *c, double value) {
  unsigned above = 0, below = 0, most;
  double p;
  for (size_t k = 0; c->values && k < c->n; k++) {
    above += c->values[k] > value;
    below += c->values[k] < value;
  }
  most = above > below ? above : below;
  if (most == 0)
    return NAN;
  p = gsl_cdf_binomial_Q(most - 1, 0.5, above + below);
  return p >= 0.5 ? 0 : copysign(bperc_i_z_of(p), (double)above - below);
}

bperc_i_estimate bperc_i_cell_estimate(const bperc_i_cell *c) {
  double dof = c->values ? (double)c->n - 1 : INFINITY;
  return (bperc_i_estimate){c->mean, c->sem,
                            c->sem == 0 && c->n == 1 ? INFINITY : dof};
}

bperc_i_estimate bperc_i_subtract(bperc_i_estimate b, bperc_i_estimate a) {
  double va = a.sem * a.sem, vb = b.sem * b.sem, down = 0;
  bperc_i_estimate e = {b.value - a.value, sqrt(va + vb), INFINITY};
  if (a.dof == 0 || b.dof == 0)
    e.dof = 0;
  else {
    down += isfinite(a.dof) ? va * va / a.dof : 0;
    down += isfinite(b.dof) ? vb * vb / b.dof : 0;
    if (down > 0)
      e.dof = (va + vb) * (va + vb) / down;
  }
  return e;
}

bperc_i_estimate bperc_i_difference(const bperc_i_cell *a,
                                    const bperc_i_cell *b, int paired) {
  bperc_i_estimate e =
      bperc_i_subtract(bperc_i_cell_estimate(b), bperc_i_cell_estimate(a));
  double *d;
  size_t n = 0;
  if (!paired || !a->values || !b->values || a->n < 2 || b->n < 2)
    return e;
  d = bperc_i_alloc(a->n, sizeof *d);
  if (!d)
    return e;
  for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
    if (a->instances[i] == b->instances[j])
      d[n++] = b->values[j++] - a->values[i++];
    else if (a->instances[i] < b->instances[j])
      i++;
    else
      j++;
  }
  /* Too few in common would throw most of the data away. */
  if (n > 2 && 2 * n >= a->n && 2 * n >= b->n)
    e = mean_of(d, n);
  bperc_i_free(d);
  return e;
}

/* ---- slopes */

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

static int has_instance(const bperc_i_cell *c, uint32_t instance,
                        double *value) {
  size_t low = 0, high = c->n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c->instances[middle] < instance)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == c->n || c->instances[low] != instance)
    return 0;
  *value = c->values[low];
  return 1;
}

/* Slope of one instance, if it has at least three points. */
static double slope_of(const double *x, const bperc_i_cell *const *cells,
                       size_t count, uint32_t instance) {
  sums s = {0};
  double y;
  for (size_t k = 0; k < count; k++)
    if (has_instance(cells[k], instance, &y))
      add_point(&s, x[k], y, 1);
  return s.w < 3 && s.w < (double)count ? NAN : solve(&s).value;
}

/* One more than the largest instance number, 0 when a cell has no values. */
static uint32_t most_instances(const bperc_i_cell *const *cells, size_t count) {
  uint32_t most = 0;
  for (size_t k = 0; k < count; k++) {
    if (cells[k]->n && !cells[k]->values)
      return 0;
    if (cells[k]->n && cells[k]->instances[cells[k]->n - 1] >= most)
      most = cells[k]->instances[cells[k]->n - 1] + 1;
  }
  return most;
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
      if (cells[k]->n > 1 && has_instance(cells[k], i, &y))
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
  uint32_t most = most_instances(cells, count);
  double *slopes = bperc_i_alloc(most, sizeof *slopes);
  size_t n = 0;
  bperc_i_estimate e = weighted_slope(x, cells, count);
  for (uint32_t i = 0; slopes && i < most; i++) {
    double slope = slope_of(x, cells, count, i);
    if (isfinite(slope))
      slopes[n++] = slope;
  }
  if (n > 2 && 2 * n * count >= values_of(cells, count))
    e = mean_of(slopes, n);
  else if (most > 2) /* own slopes would throw most of the data away */
    e = slope_of_means(x, cells, count, most);
  bperc_i_free(slopes);
  return without_rounding(e, x, cells, count);
}

/* Without instance values rows count as independent. */
static void pool_means(const bperc_i_cell *const *cells, size_t count,
                       bperc_i_cell *out) {
  double sum = 0, square = 0;
  size_t n = 0;
  for (size_t k = 0; k < count; k++)
    if (isfinite(cells[k]->mean)) {
      sum += cells[k]->mean;
      square += cells[k]->sem * cells[k]->sem;
      n++;
    }
  out->mean = out->median = n ? sum / (double)n : NAN;
  out->sem = n ? sqrt(square) / (double)n : NAN;
  out->n = n;
}

static void pool_instance(const bperc_i_cell *const *cells, size_t count,
                          uint32_t instance, bperc_i_cell *out) {
  double sum = 0, y;
  size_t rows = 0;
  for (size_t k = 0; k < count; k++)
    if (has_instance(cells[k], instance, &y)) {
      sum += y;
      rows++;
    }
  if (rows && 2 * rows >= count) {
    out->values[out->n] = sum / (double)rows;
    out->instances[out->n++] = instance;
  }
}

int bperc_i_pool(const bperc_i_cell *const *cells, size_t count,
                 bperc_i_cell *out) {
  uint32_t most = most_instances(cells, count);
  int exact = 1;
  *out = (bperc_i_cell){.mean = NAN, .sem = NAN, .median = NAN};
  for (size_t k = 0; k < count; k++)
    exact &= cells[k]->n == 0 || cells[k]->sem == 0;
  if (most == 0) {
    pool_means(cells, count, out);
    return 1;
  }
  out->values = bperc_i_alloc(most, sizeof *out->values);
  out->instances = bperc_i_alloc(most, sizeof *out->instances);
  if (!out->values || !out->instances) {
    bperc_i_cell_clear(out);
    return 0;
  }
  for (uint32_t i = 0; i < most; i++)
    pool_instance(cells, count, i, out);
  bperc_i_cell_finish(out, exact);
  return 1;
}

void bperc_i_cell_clear(bperc_i_cell *c) {
  bperc_i_free(c->values);
  bperc_i_free(c->instances);
  c->values = NULL;
  c->instances = NULL;
}

/* ---- jackknife */

static void means_without(const bperc_i_cell *const *cells, size_t count,
                          uint32_t instance, double *means) {
  double y;
  for (size_t k = 0; k < count; k++) {
    double n = (double)cells[k]->n;
    means[k] = cells[k]->mean;
    if (n > 1 && cells[k]->values && has_instance(cells[k], instance, &y))
      means[k] = (n * means[k] - y) / (n - 1);
  }
}

/* f without each of the instances in turn; 0 when one of them does not exist.
 */
static int leave_out(const bperc_i_cell *const *cells, size_t count,
                     bperc_i_function *f, const void *context,
                     const uint32_t *who, size_t n, double *left) {
  double *means = bperc_i_alloc(count, sizeof *means);
  size_t good = 0;
  for (size_t i = 0; means && i < n; i++) {
    means_without(cells, count, who[i], means);
    left[i] = f(context, means);
    good += isfinite(left[i]) != 0;
  }
  bperc_i_free(means);
  return good == n;
}

int bperc_i_jackknife_cell(const bperc_i_cell *const *cells, size_t count,
                           bperc_i_function *f, const void *context,
                           const uint32_t *who, size_t n, bperc_i_cell *out) {
  bperc_i_estimate e = bperc_i_jackknife(cells, count, f, context), spread;
  *out = (bperc_i_cell){.mean = e.value, .median = e.value, .sem = e.sem};
  out->n = isfinite(e.value) ? n : 0;
  if (n < 2 || !(e.sem >= 0))
    return 1;
  out->values = bperc_i_alloc(n, sizeof *out->values);
  out->instances = bperc_i_alloc(n, sizeof *out->instances);
  if (!out->values || !out->instances) {
    bperc_i_cell_clear(out);
    return 0;
  }
  if (!leave_out(cells, count, f, context, who, n, out->values)) {
    bperc_i_cell_clear(out);
    return 1;
  }
  spread = mean_of(out->values, n);
  out->sem = spread.sem * (double)(n - 1);
  for (size_t i = 0; i < n; i++) {
    out->values[i] =
        e.value + (double)(n - 1) * (spread.value - out->values[i]);
    out->instances[i] = who[i];
  }
  return 1;
}

bperc_i_estimate bperc_i_jackknife(const bperc_i_cell *const *cells,
                                   size_t count, bperc_i_function *f,
                                   const void *context) {
  uint32_t most = most_instances(cells, count);
  double *means = bperc_i_alloc(count, sizeof *means);
  double *left = bperc_i_alloc(most, sizeof *left);
  bperc_i_estimate e = {NAN, 0, most > 1 ? (double)most - 1 : INFINITY}, spread;
  int known = 1;
  for (size_t k = 0; k < count; k++)
    known &= cells[k]->sem >= 0;
  if (means && left) {
    means_without(cells, count, UINT32_MAX, means);
    e.value = f(context, means);
    for (uint32_t i = 0; i < most; i++) {
      means_without(cells, count, i, means);
      left[i] = f(context, means);
    }
    spread = mean_of(left, most);
    if (most > 1)
      e.sem = spread.sem * (double)(most - 1);
  }
  if (!known || !isfinite(e.value))
    e.sem = NAN;
  bperc_i_free(means);
  bperc_i_free(left);
  return e;
}
