/* Following the saddle point of the densest region.
 *
 * Two roads, both in logarithms: from the known starting point to the wanted
 * Q and alpha at a fixed fraction of the distance D* beyond which the densest
 * region is the typical one, and then in D alone.
 */
#include "theory/dense.h"

#include "theory/typical.h"

#include <math.h>
#include <string.h>

#define CLOSE 0.75  /* fraction of D* for a second attempt */
#define SPARSE 0.06 /* Q up to which it is made */

/* Starting values, good to a few digits: Newton's method does the rest. */
typedef struct {
  bperc_i_dense_problem problem;
  double u[BPERC_I_DENSE_UNKNOWNS];
} starting_point;

static const starting_point starts[] = {
    {{BPERC_THEORY_01, 0.05, 0.2, 0.02},
     {-6.354, -5.273, -2.233, 0.878, 2.058, -4.013}},
    {{BPERC_THEORY_01, 0.01, 0.05, 0.0045},
     {-9.038, -6.914, -1.418, 1.643, 1.890, -3.969}},
    {{BPERC_THEORY_01, 0.25, 0.03, 0.175},
     {-3.485, -2.947, -4.385, 1.486, 7.667, -5.417}},
    {{BPERC_THEORY_01, 0.25, 0.15, 0.107},
     {-4.438, -3.638, -3.269, 1.741, 4.804, -4.108}},
    {{BPERC_THEORY_01, 0.25, 0.45, 0.0692},
     {-4.688, -4.153, -3.677, 0.804, 2.898, -4.001}},
    {{BPERC_THEORY_01, 0.25, 0.55, 0.0585},
     {-4.591, -4.147, -3.848, 0.392, 2.234, -3.835}},
    {{BPERC_THEORY_01, 0.5, 0.1, 0.165},
     {-3.601, -3.191, -4.404, 1.520, 6.448, -1.447}},
    {{BPERC_THEORY_01, 0.5, 0.4, 0.0826},
     {-4.520, -4.141, -4.589, 0.936, 3.321, -2.007}},
    {{BPERC_THEORY_01, 0.5, 0.49, 0.0628},
     {-4.571, -4.258, -4.990, 0.490, 2.763, -2.319}},
    {{BPERC_THEORY_01, 0.8, 0.05, 0.0857},
     {-4.903, -4.286, -5.483, 2.165, 6.056, 4.826}},
    {{BPERC_THEORY_01, 0.8, 0.15, 0.0438},
     {-5.432, -5.024, -5.920, 1.206, 3.579, 4.905}},
    {{BPERC_THEORY_ISING, 1, 0.4, 0.1}, {-3.12, -2.26, -2.54, 1.446, 3.59}},
};

static double road_length(const bperc_i_dense_problem *from, double mean,
                          double alpha) {
  return fabs(log(mean / from->mean)) + fabs(log(alpha / from->alpha));
}

/* The starting point with the shortest way to this mean and alpha. */
static const starting_point *nearest(bperc_theory_weights weights, double mean,
                                     double alpha) {
  const starting_point *best = NULL;
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    const bperc_i_dense_problem *p = &starts[k].problem;
    if (p->weights == weights &&
        (!best || road_length(p, mean, alpha) <
                      road_length(&best->problem, mean, alpha)))
      best = &starts[k];
  }
  return best;
}

/* The road that is being followed. From the starting point its parameter runs
 * from 0 to 1; afterwards it is log D, so that what was learnt on one road
 * helps on the next. */
typedef struct {
  bperc_i_dense *dense;
  bperc_i_dense_problem from, to;
  double fraction; /* D / D*, or 0 to follow D itself */
  double last;     /* parameter for which dense->problem was set */
  double slope;    /* fixed lam, alpha unknown in its place; or 0 */
} road;

static double between(double from, double to, double s) {
  return from == to ? from : from * pow(to / from, s);
}

static bperc_status set_edge(bperc_i_dense *dense) {
  bperc_i_dense_problem *p = &dense->problem;
  bperc_i_typical t;
  bperc_status status =
      bperc_i_typical_at(p->weights, p->mean, p->alpha, 0, NULL, &t);
  if (status == BPERC_OK)
    status = bperc_i_typical_edge(p->weights, &t, &dense->edge);
  return status;
}

static bperc_status place(road *way, double s) {
  bperc_i_dense_problem *p = &way->dense->problem;
  bperc_status status = BPERC_OK;
  if (s == way->last)
    return BPERC_OK;
  if (way->fraction > 0) {
    p->mean = between(way->from.mean, way->to.mean, s);
    p->alpha = between(way->from.alpha, way->to.alpha, s);
    status = set_edge(way->dense);
    p->distance = way->fraction * way->dense->edge;
  } else {
    p->distance = exp(s);
  }
  way->last = s;
  return status;
}

static bperc_status residual(const double *u, double s, double *r,
                             void *context) {
  road *way = context;
  bperc_i_dense *dense = way->dense;
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  bperc_status status = place(way, s);
  if (status != BPERC_OK)
    return status;
  double full[BPERC_I_DENSE_UNKNOWNS];
  memcpy(full, u, sizeof full);
  if (way->slope > 0) {
    dense->problem.alpha = exp(u[BPERC_I_DENSE_LAM]);
    full[BPERC_I_DENSE_LAM] = way->slope;
  }
  return bperc_i_dense_equations(&dense->problem, full, &dense->rule,
                                 &dense->memo, &dense->state, r);
}

static bperc_i_system make_system(road *way) {
  bool ising = way->dense->problem.weights == BPERC_THEORY_ISING;
  return (bperc_i_system){.n = BPERC_I_DENSE_UNKNOWNS - ising,
                          .residual = residual,
                          .context = way,
                          .tolerance = 1e-10,
                          .max_steps = 15,
                          .max_change = 3};
}

/* lam = dF/dD: a local entropy that falls with the distance is no longer that
 * of a densest region. */
static bool rising(const bperc_i_branch *branch, void *context) {
  const road *way = context;
  return way->slope > 0 || branch->u[BPERC_I_DENSE_LAM] > 0;
}

/* Follow the road to the parameter's target; state and problem are left at the
 * last good point. scale: change of the parameter per change of log D or
 * log alpha. */
static bperc_status drive(road *way, double target, double scale) {
  bperc_i_dense *dense = way->dense;
  bperc_i_branch *branch = &dense->branch;
  bperc_i_system system = make_system(way);
  bperc_i_stride stride = {.accept = rising,
                           .first = fmin(1, 0.15 * scale),
                           .largest = fmin(1, 0.5 * scale),
                           .smallest = 5e-4 * scale};
  double r[BPERC_I_UNKNOWNS];
  bperc_status status = bperc_i_follow(&system, &stride, target, branch);
  way->last = NAN;
  bperc_status again = residual(branch->u, branch->parameter, r, way);
  return status != BPERC_OK ? status : again;
}

/* From the starting point, at its fraction of D*, to another mean and alpha. */
static bperc_status drive_there(road *way, double mean, double alpha) {
  double length =
      fabs(log(mean / way->from.mean)) + fabs(log(alpha / way->from.alpha));
  way->fraction = way->from.distance / way->dense->edge;
  way->to.mean = mean;
  way->to.alpha = alpha;
  way->last = NAN;
  return drive(way, 1, 1 / fmax(length, 1e-12));
}

/* Newton at the starting point itself, then to the fraction of D* at which to
 * go on, 0 for its own. */
static bperc_status begin(const starting_point *start, double fraction,
                          bperc_i_dense *dense) {
  bperc_i_branch *branch = &dense->branch;
  *dense = (bperc_i_dense){.problem = start->problem};
  memcpy(branch->u, start->u, sizeof start->u);
  branch->parameter = log(start->problem.distance);
  road way = {.dense = dense, .last = branch->parameter};
  bperc_status status = bperc_i_dense_rule_init(&dense->rule, 0);
  if (status == BPERC_OK)
    status = set_edge(dense);
  if (status != BPERC_OK)
    return status;
  bperc_i_system system = make_system(&way);
  status = bperc_i_newton(&system, branch->parameter, branch->u, &branch->size);
  if (status == BPERC_OK && fraction > 0)
    status = bperc_i_dense_move(dense, fraction * dense->edge);
  return status;
}

static bperc_status start_from(const starting_point *start, double fraction,
                               double mean, double alpha,
                               bperc_i_dense *dense) {
  bperc_status status = begin(start, fraction, dense);
  road way = {.dense = dense, .from = dense->problem, .to = dense->problem};
  bperc_i_branch_restart(&dense->branch, 0);
  if (status == BPERC_OK)
    status = drive_there(&way, mean, alpha);
  bperc_i_branch_restart(&dense->branch, log(dense->problem.distance));
  return status;
}

/* At small alpha most distances lie on the bound; close to D* there is a saddle
 * point still. At large Q that way is long. */
bperc_status bperc_i_dense_start(bperc_theory_weights weights, double mean,
                                 double alpha, bperc_i_dense *dense) {
  const starting_point *start = nearest(weights, mean, alpha);
  bperc_status status = start_from(start, 0, mean, alpha, dense);
  if (status == BPERC_E_NUMERIC && alpha < start->problem.alpha &&
      mean < SPARSE)
    status = start_from(start, CLOSE, mean, alpha, dense);
  return status;
}

static bperc_status drive_to(bperc_i_dense *dense, double slope,
                             double distance) {
  road way = {.dense = dense, .last = NAN, .slope = slope};
  if (slope != dense->held)
    bperc_i_branch_restart(&dense->branch, dense->branch.parameter);
  dense->held = slope;
  return drive(&way, log(distance), 1);
}

bperc_status bperc_i_dense_move(bperc_i_dense *dense, double distance) {
  bperc_status status = drive_to(dense, 0, distance);
  if (status == BPERC_OK)
    dense->problem.distance = distance; /* not exp(log(distance)) */
  return status;
}

bperc_status bperc_i_dense_slope(bperc_i_dense *dense, double slope,
                                 double distance) {
  double *u = &dense->branch.u[BPERC_I_DENSE_LAM];
  *u = log(dense->problem.alpha);
  bperc_status status = drive_to(dense, slope, distance);
  *u = slope;
  return status;
}

bperc_status bperc_i_dense_entropy(bperc_i_dense *dense, double *entropy,
                                   double *finer) {
  bperc_i_dense_rule rule;
  bperc_status status = bperc_i_dense_rule_init(&rule, 1);
  if (status == BPERC_OK)
    status = bperc_i_dense_free_entropy(&dense->problem, &dense->state,
                                        &dense->rule, entropy);
  if (status == BPERC_OK)
    status = bperc_i_dense_free_entropy(&dense->problem, &dense->state, &rule,
                                        finer);
  return status;
}
