/* Local entropy of the densest region over a list of distances. */
#include "base/alloc.h"
#include "theory/dense.h"
#include "theory/typical.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double binary_entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * log(p) - (1 - p) * log1p(-p);
}

double bperc_i_dense_bound(bperc_theory_weights weights, double mean,
                           double distance) {
  double widest = weights == BPERC_THEORY_ISING ? 0.5 : fmin(mean, 1 - mean);
  return binary_entropy(fmin(distance, widest));
}

typedef struct {
  const bperc_theory_model *model;
  bperc_i_dense dense;
  double typical;          /* entropy of typical solutions */
  bperc_theory_local last; /* the last point found on this side */
  double ended;
} tracker;

static bperc_status measure(tracker *t, bperc_theory_local *point) {
  double entropy, finer;
  bperc_status status = bperc_i_dense_entropy(&t->dense, &entropy, &finer);
  if (status != BPERC_OK)
    return status;
  point->entropy = entropy;
  point->slope = t->dense.state.lam;
  point->residual = t->dense.branch.size;
  point->quadrature_error = fabs(entropy - finer);
  point->exists = true;
  t->last = *point;
  return BPERC_OK;
}

/* When nearly every configuration near the reference is a solution, x and
 * with it the equations run out of double precision, while the gap to the
 * bound has become tiny and shrinks faster than D: carry it on. */
static bool merge(const tracker *t, bperc_theory_local *point) {
  const bperc_i_dense_problem *p = &t->dense.problem;
  double here = bperc_i_dense_bound(p->weights, p->mean, p->distance);
  double entropy, finer;
  bperc_i_dense copy = t->dense;
  if (bperc_i_dense_entropy(&copy, &entropy, &finer) != BPERC_OK)
    return false;
  double gap = here - entropy;
  if (!(gap >= -1e-9 && gap < 1e-3 * here) || point->distance > p->distance)
    return false;
  double shrink = point->distance / p->distance;
  point->entropy = point->bound - gap * shrink * shrink;
  point->slope = log1p(-point->distance) - log(point->distance);
  point->residual = t->dense.branch.size;
  point->quadrature_error = gap * shrink;
  point->exists = point->merged = true;
  return true;
}

static bperc_status visit(tracker *t, bperc_theory_local *point) {
  if (point->distance >= t->dense.edge) {
    point->entropy = t->typical;
    point->exists = point->flat = true;
    return BPERC_OK;
  }
  bperc_status status = BPERC_E_NUMERIC;
  if (isnan(t->ended))
    status = bperc_i_dense_move(&t->dense, point->distance);
  if (status == BPERC_OK)
    return measure(t, point);
  if (status != BPERC_E_NUMERIC)
    return status;
  t->ended = t->dense.problem.distance;
  if (t->dense.state.lam > 1 && merge(t, point)) {
    t->ended = NAN;
    return BPERC_OK;
  }
  return BPERC_E_NUMERIC;
}

static int by_distance(const void *a, const void *b) {
  double x = (*(bperc_theory_local *const *)a)->distance;
  double y = (*(bperc_theory_local *const *)b)->distance;
  return (x > y) - (x < y);
}

/* Points below the starting distance downwards, the others upwards. */
static bperc_status visit_all(tracker *t, bperc_theory_local **order, size_t n,
                              double *ended) {
  tracker down = *t, up = *t;
  size_t first = 0;
  bperc_status worst = BPERC_OK, status = BPERC_OK;
  while (first < n && order[first]->distance < t->dense.problem.distance)
    first++;
  for (size_t k = first; k-- > 0;) {
    status = visit(&down, order[k]);
    if (status != BPERC_OK && status != BPERC_E_NUMERIC)
      return status;
    worst = status != BPERC_OK ? status : worst;
  }
  for (size_t k = first; k < n; k++) {
    status = visit(&up, order[k]);
    if (status != BPERC_OK && status != BPERC_E_NUMERIC)
      return status;
    worst = status != BPERC_OK ? status : worst;
  }
  *ended = isnan(down.ended) ? up.ended : down.ended;
  return worst;
}

static bperc_status prepare(const bperc_theory_model *model,
                            const double *distances, size_t n,
                            bperc_theory_local *points, tracker *t,
                            bperc_error *error) {
  double mean = bperc_i_theory_q(model);
  bperc_theory_typical typical;
  bperc_status status = bperc_theory_entropy(model, &typical, error);
  if (status != BPERC_OK)
    return status;
  for (size_t k = 0; k < n; k++) {
    if (!(distances[k] > 0 && distances[k] <= 1))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "distance %g is not between 0 and 1",
                             distances[k]);
    points[k] = (bperc_theory_local){
        .distance = distances[k],
        .entropy = NAN,
        .bound = bperc_i_dense_bound(model->weights, mean, distances[k])};
  }
  *t = (tracker){.model = model, .typical = typical.entropy, .ended = NAN};
  status = bperc_i_dense_start(model->weights, mean, model->alpha, &t->dense);
  if (status == BPERC_E_NUMERIC)
    return bperc_error_set(error, status,
                           "the saddle point of the densest region was lost "
                           "on the way to Q = %g, alpha = %g: at Q = %g, "
                           "alpha = %g, distance %g",
                           mean, model->alpha, t->dense.problem.mean,
                           t->dense.problem.alpha, t->dense.problem.distance);
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "%s", bperc_status_name(status));
}

bperc_status bperc_theory_large_deviation(const bperc_theory_model *model,
                                          const double *distances, size_t n,
                                          bperc_theory_local *points,
                                          double *ended, bperc_error *error) {
  tracker t;
  *ended = NAN;
  if (model->weights == BPERC_THEORY_INTEGER)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the densest region is worked out for weights "
                           "0, 1 and -1, +1 only");
  bperc_status status = prepare(model, distances, n, points, &t, error);
  if (status != BPERC_OK)
    return status;
  bperc_theory_local **order = bperc_i_alloc(n, sizeof *order);
  if (!order)
    return bperc_error_set(error, BPERC_E_MEMORY, "out of memory");
  for (size_t k = 0; k < n; k++)
    order[k] = &points[k];
  qsort(order, n, sizeof *order, by_distance);
  status = visit_all(&t, order, n, ended);
  bperc_i_free(order);
  if (status == BPERC_E_NUMERIC)
    return bperc_error_set(error, status,
                           "the saddle point of the densest region ends at "
                           "distance %.6g",
                           *ended);
  if (status != BPERC_OK)
    bperc_error_set(error, status, "%s", bperc_status_name(status));
  return status;
}
