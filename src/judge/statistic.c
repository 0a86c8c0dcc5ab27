/* Means and errors. Sums run in the order of instances, so that results
 * do not depend on who ran what. */
#include "judge/statistic.h"

#include "base/alloc.h"
#include "numeric/sample.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

bperc_i_estimate bperc_i_estimate_of(const double *values, size_t n) {
  bperc_i_estimate e = {.dof = n > 1 ? (double)(n - 1) : 0};
  bperc_i_mean(values, n, &e.value, &e.sem);
  return e;
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
    e = bperc_i_estimate_of(d, n);
  bperc_i_free(d);
  return e;
}

/* ---- by instance */

int bperc_i_cell_value(const bperc_i_cell *c, uint32_t instance,
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

uint32_t bperc_i_most_instances(const bperc_i_cell *const *cells,
                                size_t count) {
  uint32_t most = 0;
  for (size_t k = 0; k < count; k++) {
    if (cells[k]->n && !cells[k]->values)
      return 0;
    if (cells[k]->n && cells[k]->instances[cells[k]->n - 1] >= most)
      most = cells[k]->instances[cells[k]->n - 1] + 1;
  }
  return most;
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
    if (bperc_i_cell_value(cells[k], instance, &y)) {
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
  uint32_t most = bperc_i_most_instances(cells, count);
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
