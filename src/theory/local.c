#include "theory/local.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

double bperc_i_binary_entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * log(p) - (1 - p) * log1p(-p);
}

bperc_status bperc_i_local_prepare(const double *distances, size_t n,
                                   bperc_theory_local *points,
                                   bperc_error *error) {
  for (size_t k = 0; k < n; k++) {
    if (!(distances[k] > 0 && distances[k] <= 1))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "distance %g is not between 0 and 1",
                             distances[k]);
    points[k] = (bperc_theory_local){.distance = distances[k],
                                     .entropy = NAN,
                                     .external = NAN,
                                     .parisi = NAN};
  }
  return BPERC_OK;
}

static int by_distance(const void *a, const void *b) {
  double x = (*(bperc_theory_local *const *)a)->distance;
  double y = (*(bperc_theory_local *const *)b)->distance;
  return (x > y) - (x < y);
}

/* Keep going after a lost point, not after a failure. */
static bperc_status step_local(const bperc_i_local_walk *walk, void *context,
                               bperc_theory_local *point, bperc_status *worst) {
  bperc_status status = walk->visit(context, point);
  if (status != BPERC_OK)
    *worst = status;
  return status == BPERC_E_NUMERIC ? BPERC_OK : status;
}

static bperc_status walk_both(const bperc_i_local_walk *walk,
                              bperc_theory_local **order, size_t n) {
  bperc_status worst = BPERC_OK, status = BPERC_OK;
  size_t first = 0;
  while (first < n && order[first]->distance < walk->start)
    first++;
  for (size_t k = first; k-- > 0 && status == BPERC_OK;)
    status = step_local(walk, walk->down, order[k], &worst);
  for (size_t k = first; k < n && status == BPERC_OK; k++)
    status = step_local(walk, walk->up, order[k], &worst);
  return worst;
}

bperc_status bperc_i_local_visit(const bperc_i_local_walk *walk,
                                 bperc_theory_local *points, size_t n) {
  bperc_theory_local **order = bperc_i_alloc(n, sizeof *order);
  if (!order)
    return BPERC_E_MEMORY;
  for (size_t k = 0; k < n; k++)
    order[k] = &points[k];
  qsort(order, n, sizeof *order, by_distance);
  bperc_status status = walk_both(walk, order, n);
  bperc_i_free(order);
  return status;
}

bperc_status bperc_i_local_report(bperc_status status, const char *what,
                                  double ended, bperc_error *error) {
  if (status == BPERC_E_NUMERIC)
    return bperc_error_set(error, status,
                           "the saddle point of the %s ends at distance %.6g",
                           what, ended);
  if (status != BPERC_OK)
    bperc_error_set(error, status, "%s", bperc_status_name(status));
  return status;
}
