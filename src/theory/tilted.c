#include "theory/tilted.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>

#define LOG_SQRT_2PI 0.91893853320467274178
#define NEGLIGIBLE 38.0 /* exp(-38) = 3e-17 */

bperc_status bperc_i_tilted_reserve(bperc_i_tilted *t) {
  size_t n = t->nodes.n;
  t->block = bperc_i_alloc(n * (2 + BPERC_I_TILTED_FUNCTIONS), sizeof(double));
  if (!t->block)
    return BPERC_E_MEMORY;
  t->log_w = t->block;
  t->exponent = t->block + n;
  for (size_t j = 0; j < BPERC_I_TILTED_FUNCTIONS; j++)
    t->f[j] = t->block + n * (2 + j);
  return BPERC_OK;
}

void bperc_i_tilted_clear(bperc_i_tilted *t) {
  bperc_i_nodes_clear(&t->nodes);
  bperc_i_free(t->block);
  *t = (bperc_i_tilted){0};
}

void bperc_i_tilted_set(bperc_i_tilted *t, size_t k, double phi,
                        const double *f) {
  assert(k < t->nodes.n && t->block);
  t->log_w[k] = log(t->nodes.w[k]) + t->x * phi;
  for (size_t j = 0; j < BPERC_I_TILTED_FUNCTIONS; j++)
    t->f[j][k] = f[j];
}

/* First node at or above c. */
static size_t find_tilted_node(const bperc_i_tilted *t, double c) {
  size_t low = 0, high = t->nodes.n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (t->nodes.x[middle] < c)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

double bperc_i_tilted_mean(const bperc_i_tilted *t, double c0, double low,
                           double high, double *mean) {
  size_t first = find_tilted_node(t, low), last = find_tilted_node(t, high);
  assert(last <= t->nodes.n);
  const double *c = t->nodes.x;
  double *e = t->exponent, top = -INFINITY, z = 0;
  double sum[BPERC_I_TILTED_FUNCTIONS] = {0};
  double scale = 0.5 / (t->sigma * t->sigma);
  for (size_t k = first; k < last; k++)
    e[k] = t->log_w[k] - scale * (c[k] - c0) * (c[k] - c0);
  for (size_t k = first; k < last; k++)
    top = e[k] > top ? e[k] : top;
  for (size_t k = first; k < last; k++) {
    if (e[k] < top - NEGLIGIBLE)
      continue;
    double w = exp(e[k] - top);
    z += w;
    for (size_t j = 0; j < BPERC_I_TILTED_FUNCTIONS; j++)
      sum[j] += w * t->f[j][k];
  }
  for (size_t j = 0; j < BPERC_I_TILTED_FUNCTIONS; j++)
    mean[j] = sum[j] / z;
  return top + log(z) - LOG_SQRT_2PI - log(t->sigma);
}

double bperc_i_tilted_density(const bperc_i_tilted *t, double c0, double at,
                              double phi, double log_z) {
  double z = (at - c0) / t->sigma;
  return exp(t->x * phi - 0.5 * z * z - LOG_SQRT_2PI - log(t->sigma) - log_z);
}
