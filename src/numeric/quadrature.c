#include "numeric/quadrature.h"

#include "base/alloc.h"
#include "numeric/gsl_guard.h"

#include <assert.h>
#include <gsl/gsl_integration.h>
#include <math.h>

#define INV_SQRT_2PI 0.39894228040143267794

bperc_status bperc_i_legendre_init(bperc_i_legendre *rule, size_t n) {
  assert(n >= 1 && n <= BPERC_I_LEGENDRE_MAX);
  bperc_i_gsl_begin();
  gsl_integration_glfixed_table *t = gsl_integration_glfixed_table_alloc(n);
  bperc_i_gsl_end();
  if (!t)
    return BPERC_E_MEMORY;
  rule->n = n;
  for (size_t k = 0; k < n; k++)
    gsl_integration_glfixed_point(-1, 1, k, &rule->x[k], &rule->w[k], t);
  gsl_integration_glfixed_table_free(t);
  return BPERC_OK;
}

bperc_status bperc_i_hermite_init(bperc_i_hermite *rule, size_t n) {
  assert(n >= 1 && n <= BPERC_I_HERMITE_MAX);
  bperc_i_gsl_begin();
  gsl_integration_fixed_workspace *t = gsl_integration_fixed_alloc(
      gsl_integration_fixed_hermite, n, 0, 0.5, 0, 0);
  bperc_i_gsl_end();
  if (!t)
    return BPERC_E_MEMORY;
  rule->n = n;
  for (size_t k = 0; k < n; k++) {
    rule->x[k] = gsl_integration_fixed_nodes(t)[k];
    rule->w[k] = INV_SQRT_2PI * gsl_integration_fixed_weights(t)[k];
  }
  gsl_integration_fixed_free(t);
  return BPERC_OK;
}

void bperc_i_nodes_clear(bperc_i_nodes *nodes) {
  bperc_i_free(nodes->x);
  *nodes = (bperc_i_nodes){0};
}

/* x and w share one block: x first, w behind it. */
static bperc_status reserve_nodes(bperc_i_nodes *nodes, size_t more) {
  size_t need = nodes->n + more;
  assert(nodes->n <= nodes->capacity);
  if (need <= nodes->capacity)
    return BPERC_OK;
  size_t capacity = 2 * need + 256;
  double *x = bperc_i_alloc(2 * capacity, sizeof *x);
  if (!x)
    return BPERC_E_MEMORY;
  double *w = x + capacity;
  for (size_t k = 0; k < nodes->n; k++) {
    x[k] = nodes->x[k];
    w[k] = nodes->w[k];
  }
  bperc_i_free(nodes->x);
  nodes->x = x;
  nodes->w = w;
  nodes->capacity = capacity;
  return BPERC_OK;
}

static double panel_length(const bperc_i_mesh *mesh, double x) {
  double length = mesh->largest;
  for (size_t f = 0; f < mesh->features; f++) {
    double far = mesh->growth * fabs(x - mesh->feature[f].at);
    length = fmin(length, fmax(mesh->feature[f].width, far));
  }
  return length;
}

bperc_status bperc_i_nodes_add(bperc_i_nodes *nodes, const bperc_i_mesh *mesh,
                               const bperc_i_legendre *rule) {
  double x = mesh->low;
  while (x < mesh->high) {
    double length = panel_length(mesh, x);
    double rest = mesh->high - x;
    if (rest < 1.3 * length)
      length = rest;
    bperc_status status = reserve_nodes(nodes, rule->n);
    if (status != BPERC_OK)
      return status;
    for (size_t k = 0; k < rule->n; k++) {
      nodes->x[nodes->n] = x + 0.5 * length * (1 + rule->x[k]);
      nodes->w[nodes->n++] = 0.5 * length * rule->w[k];
    }
    if (!(x + length > x))
      return BPERC_E_NUMERIC; /* the mesh cannot advance: NaN or zero width */
    x = length == rest ? mesh->high : x + length;
  }
  return BPERC_OK;
}

void bperc_i_nodes_gauss(bperc_i_nodes *nodes) {
  for (size_t k = 0; k < nodes->n; k++)
    nodes->w[k] *= INV_SQRT_2PI * exp(-0.5 * nodes->x[k] * nodes->x[k]);
}

bperc_i_trapezoid bperc_i_trapezoid_make(double scale, int finer) {
  bperc_i_trapezoid t = {.limit = finer ? 10 : 8.5};
  t.step = fmin(0.4, 0.5 * scale) / (finer ? 2 : 1);
  t.half = (long)(t.limit / t.step);
  return t;
}

double bperc_i_trapezoid_weight(const bperc_i_trapezoid *t, double z) {
  return t->step * INV_SQRT_2PI * exp(-0.5 * z * z);
}
