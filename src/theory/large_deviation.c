/* Local entropy of the densest region over a list of distances. */
#include "theory/finite_y.h"
#include "theory/local.h"
#include "theory/typical.h"

#include <math.h>

#define SOLVED_PART 0.8  /* of D*, up to where equations are solved */
#define JOINED_PART 0.45 /* where joining with D* begins at the earliest */
#define MEAN_ABOVE_CAPACITY 0.8 /* Q up to which they are, above capacity */
#define LARGEST_MEAN 0.995      /* and at all: most are lost beyond */

double bperc_i_dense_bound(bperc_theory_weights weights, double mean,
                           double distance) {
  double widest = weights == BPERC_THEORY_ISING ? 0.5 : fmin(mean, 1 - mean);
  return bperc_i_binary_entropy(fmin(distance, widest));
}

typedef struct {
  bperc_i_dense dense;
  double typical; /* entropy of typical solutions */
  double ended;   /* where the saddle point was lost, or NaN */
  double edge[3]; /* typical - F = sum of edge[k] (D*-D)^(k+2) close to D* */
  double
      from; /* D*-D where that was fitted, if further than SOLVED_PART, or 0 */
  bool near_edge;
} tracker;

/* Of the bound, where the distance is what limits it. */
static double bound_slope(double distance) {
  return log1p(-distance) - log(distance);
}

static bperc_status measure_tracker(tracker *t, bperc_theory_local *point) {
  double entropy, finer;
  bperc_status status = bperc_i_dense_entropy(&t->dense, &entropy, &finer);
  if (status != BPERC_OK)
    return status;
  point->entropy = entropy;
  point->slope = t->dense.state.lam;
  point->residual = t->dense.branch.size;
  point->quadrature_error = fabs(entropy - finer);
  point->regime = BPERC_THEORY_SADDLE;
  return BPERC_OK;
}

/* When nearly every configuration near the reference is a solution, x and
 * with it the equations run out of double precision, while the gap to the
 * bound has become tiny and shrinks faster than any power of D: carry it on by
 * the power that it has here, which its slope tells. */
static bool merge_with_bound(const tracker *t, bperc_theory_local *point) {
  const bperc_i_dense_problem *p = &t->dense.problem;
  double here = bperc_i_dense_bound(p->weights, p->mean, p->distance);
  double gap = here - t->dense.state.entropy;
  if (!(gap >= -1e-9 && gap < 1e-3 * here) || point->distance > p->distance)
    return false;
  double steep = bound_slope(p->distance) - t->dense.state.lam;
  double power = fmax(2, p->distance * steep / fmax(gap, 1e-12));
  double left = fmax(gap, 0) * pow(point->distance / p->distance, power);
  point->entropy = point->bound - left;
  point->slope = bound_slope(point->distance) - power * left / point->distance;
  point->residual = t->dense.branch.size;
  point->quadrature_error = fabs(left);
  point->regime = BPERC_THEORY_BOUND;
  return true;
}

/* Close to D* the step q1 - q0 vanishes and its integrals need ever more
 * nodes, while F joins the typical entropy with slope 0. Three terms in D*-D
 * from value, slope and curvature at SOLVED_PART D*. */
static bperc_status fit_edge(tracker *t) {
  double here = t->dense.problem.distance, slope = t->dense.state.lam;
  double y = t->dense.edge - here, back = 0.05 * y;
  double entropy = t->dense.state.entropy;
  bperc_status status = bperc_i_dense_move(&t->dense, here - back);
  if (status != BPERC_OK)
    return status;
  double v = (t->typical - entropy) / (y * y), w = slope / y;
  double bend = (t->dense.state.lam - slope) / back;
  /* v = a + b y + c y^2, w = 2a + 3by + 4cy^2, bend = 2a + 6by + 12cy^2 */
  t->edge[0] = 6 * v - 3 * w + 0.5 * bend;
  t->edge[1] = (-8 * v + 5 * w - bend) / y;
  t->edge[2] = (3 * v - 2 * w + 0.5 * bend) / (y * y);
  t->from = here < 0.99 * SOLVED_PART * t->dense.edge ? y : 0;
  t->near_edge = true;
  return BPERC_OK;
}

/* The error is at most of the size of the last term; from further away, of what
 * that term would change in the first one. */
static void interpolate(const tracker *t, bperc_theory_local *point) {
  double y = t->dense.edge - point->distance, far = fmax(y, t->from);
  const double *e = t->edge;
  point->entropy = t->typical - y * y * (e[0] + y * (e[1] + y * e[2]));
  point->slope = y * (2 * e[0] + y * (3 * e[1] + y * 4 * e[2]));
  point->residual = t->dense.branch.size;
  point->quadrature_error = fabs(e[2]) * y * y * far * far;
  point->regime = BPERC_THEORY_EDGE;
}

/* Where SOLVED_PART D* is too close already, from further away. */
static bperc_status visit_edge(tracker *t, bperc_theory_local *point) {
  bperc_i_dense *d = &t->dense;
  bperc_status status = BPERC_OK;
  if (!t->near_edge) {
    status = bperc_i_dense_move(d, SOLVED_PART * d->edge);
    if (status == BPERC_E_NUMERIC &&
        d->problem.distance > JOINED_PART * d->edge)
      status = BPERC_OK;
    if (status == BPERC_OK)
      status = fit_edge(t);
  }
  if (status == BPERC_OK)
    interpolate(t, point);
  return status;
}

/* At or below the distance of the saddle point or above it, up to SOLVED_PART
 * D*. */
static bperc_status visit_saddle(tracker *t, bperc_theory_local *point) {
  bperc_i_dense *d = &t->dense;
  bperc_status status =
      d->merged ? BPERC_E_NUMERIC : bperc_i_dense_move(d, point->distance);
  if (status == BPERC_OK)
    return measure_tracker(t, point);
  if (status == BPERC_E_NUMERIC && d->state.lam > 0 &&
      merge_with_bound(t, point))
    return BPERC_OK;
  if (status == BPERC_E_NUMERIC && !d->merged &&
      point->distance > d->problem.distance &&
      d->problem.distance > JOINED_PART * d->edge)
    return visit_edge(t, point);
  return status;
}

static bperc_status visit_large_deviation(void *context,
                                          bperc_theory_local *point) {
  tracker *t = context;
  bperc_i_dense *d = &t->dense;
  bperc_status status;
  if (point->distance >= d->edge) {
    point->entropy = t->typical;
    point->regime = BPERC_THEORY_TYPICAL;
    return BPERC_OK;
  }
  if (!isnan(t->ended))
    return BPERC_E_NUMERIC;
  if (t->near_edge || (point->distance > SOLVED_PART * d->edge && !d->merged))
    status = visit_edge(t, point);
  else
    status = visit_saddle(t, point);
  if (status == BPERC_E_NUMERIC)
    t->ended = d->problem.distance;
  return status;
}

/* D*, and whether any of the points lies below it. */
static bperc_status find_edge(const bperc_theory_model *model,
                              const bperc_theory_local *points, size_t n,
                              tracker *t, bool *below) {
  bperc_i_typical saddle;
  bperc_i_ensemble e = bperc_i_ensemble_of(model);
  bperc_status status = bperc_i_typical_at(&e, model->alpha, 0, NULL, &saddle);
  if (status == BPERC_OK)
    status = bperc_i_typical_edge(model->weights, &saddle, &t->dense.edge);
  *below = false;
  for (size_t k = 0; k < n; k++)
    *below |= points[k].distance < t->dense.edge;
  return status;
}

static bperc_status start_tracker(const bperc_theory_model *model,
                                  const bperc_theory_local *points, size_t n,
                                  tracker *t, bperc_error *error) {
  const bperc_i_dense_problem *p = &t->dense.problem;
  double mean = bperc_i_theory_q(model);
  bool below;
  bperc_status status = find_edge(model, points, n, t, &below);
  if (status == BPERC_OK && below && t->typical < 0 &&
      mean > MEAN_ABOVE_CAPACITY && model->weights == BPERC_THEORY_01)
    return bperc_error_set(error, BPERC_E_NUMERIC,
                           "alpha = %g is above capacity: at Q = %g, above "
                           "%g, the densest region is not followed there",
                           model->alpha, mean, MEAN_ABOVE_CAPACITY);
  if (status == BPERC_OK && below)
    status = bperc_i_dense_start(model->weights, mean, model->alpha, &t->dense);
  if (status == BPERC_E_NUMERIC)
    return bperc_error_set(error, status,
                           "the saddle point of the densest region was lost "
                           "on the way to Q = %g, alpha = %g%s: at Q = %g, "
                           "alpha = %g, distance %g",
                           mean, model->alpha,
                           t->typical < 0 ? ", above capacity" : "", p->mean,
                           p->alpha, p->distance);
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "%s", bperc_status_name(status));
}

static bperc_status prepare_trackers(const bperc_theory_model *model,
                                     const double *distances, size_t n,
                                     bperc_theory_local *points, tracker *t,
                                     bperc_error *error) {
  bperc_theory_typical typical;
  bperc_status status = bperc_theory_entropy(model, &typical, error);
  if (status == BPERC_OK && model->weights == BPERC_THEORY_01 &&
      bperc_i_theory_q(model) > LARGEST_MEAN)
    return bperc_error_set(error, BPERC_E_LIMIT,
                           "Q = 1/(A f_in) = %g is above %g, up to which the "
                           "densest region can be followed",
                           bperc_i_theory_q(model), LARGEST_MEAN);
  if (status == BPERC_OK)
    status = bperc_i_local_prepare(distances, n, points, error);
  if (status != BPERC_OK)
    return status;
  for (size_t k = 0; k < n; k++)
    points[k].bound = bperc_i_dense_bound(
        model->weights, bperc_i_theory_q(model), points[k].distance);
  *t = (tracker){.typical = typical.entropy, .ended = NAN};
  return BPERC_OK;
}

bperc_status bperc_i_dense_check(const bperc_theory_model *model,
                                 bperc_error *error) {
  if (model->weights == BPERC_THEORY_INTEGER)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the densest region is worked out for weights "
                           "0, 1 and -1, +1 only");
  if (model->y != 0 && !(model->y >= 1 && model->y <= 1e5))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "y = %g copies are not between 1 and 1e5; without y "
                           "it is infinite",
                           model->y);
  if (model->y == 0 && model->references == BPERC_THEORY_RS)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "replica-symmetric references are worked out at "
                           "finite y only");
  return bperc_i_ensemble_plain(model, "the densest region", error);
}

bperc_status bperc_theory_large_deviation(const bperc_theory_model *model,
                                          const double *distances, size_t n,
                                          bperc_theory_local *points,
                                          double *ended, bperc_error *error) {
  tracker t;
  *ended = NAN;
  bperc_status status = bperc_i_dense_check(model, error);
  if (status == BPERC_OK)
    status = prepare_trackers(model, distances, n, points, &t, error);
  if (status == BPERC_OK && model->y > 0)
    return bperc_i_finite_y(model, points, n, ended, error);
  if (status == BPERC_OK)
    status = start_tracker(model, points, n, &t, error);
  if (status != BPERC_OK)
    return status;
  tracker down = t, up = t;
  bperc_i_local_walk walk = {.visit = visit_large_deviation,
                             .down = &down,
                             .up = &up,
                             .start = t.dense.problem.distance};
  status = bperc_i_local_visit(&walk, points, n);
  *ended = isnan(down.ended) ? up.ended : down.ended;
  return bperc_i_local_report(status, "densest region", *ended, error);
}
