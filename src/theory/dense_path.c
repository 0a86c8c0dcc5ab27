/* Following the saddle point of the densest region.
 *
 * First from a known point to the wanted Q and alpha, at some fraction of the
 * distance D* beyond which the densest region is the typical one; then in D
 * alone, or in D with the slope held and alpha adjusted, or from y -> infinity
 * to a finite y. All in log(Q/(1-Q)), log l + 2 l where l is alpha per
 * capacity, log(D/(D*-D)) and 1/y.
 */
#include "theory/dense_map.h"

#include "numeric/gauss.h"
#include "theory/typical.h"

#include <math.h>
#include <string.h>

#define STEP_NEAR_EDGE 1e-4  /* (q1-q0)/q1, (qh1-qh0)/qh0 to stop at */
#define GAP_AT_BOUND 1e-6    /* relative gap to the bound that ends a path */
#define GAP_NEAR_BOUND 1e-5  /* that ends a path to smaller alpha */
#define PART_AT_LOW_LOAD 0.8 /* D/D* to look at, at LOW_LOAD and below */
#define COSTLY_MEAN 5.8      /* log(Q/(1-Q)), Q = 0.997: costly beyond */
#define LOW_LOAD -2.4        /* log l + 2 l, l = alpha per capacity */
#define MIDDLE_LOAD -0.9     /* from here on keep the D/D* of the start */

/* What a path changes, and what its parameter is. */
typedef enum {
  TO_MODEL,    /* Q, alpha and D/D* together; from 0 to 1 */
  IN_DISTANCE, /* D; log(D/(D*-D)) */
  AT_SLOPE, /* D with lam held, log alpha is the unknown in its place; same */
  IN_COPIES /* y; 1/y */
} path_kind;

/* A path that is being followed. Paths in D have one parameter, so that what
 * was learnt on one helps on the next. */
typedef struct {
  path_kind kind;
  bperc_i_dense *dense;
  double target; /* parameter of the end */
  double last;   /* parameter for which dense->problem was set */
  double slope;  /* AT_SLOPE: the lam that is held */
  /* TO_MODEL: */
  bperc_i_dense_problem to;
  bperc_i_dense_place from_place, to_place;
  double from_part, to_part; /* D/D* */
  double from_mean;          /* Q of the beginning */
} path;

static double path_between(double from, double to, double s) {
  return from + (to - from) * s;
}

static bperc_status set_edge(bperc_i_dense *dense) {
  bperc_i_dense_problem *p = &dense->problem;
  bperc_i_typical t;
  bperc_i_ensemble e = {.weights = p->weights, .mean = p->mean};
  bperc_status status = bperc_i_typical_at(&e, p->alpha, 0, NULL, &t);
  if (status == BPERC_OK)
    status = bperc_i_typical_edge(p->weights, &t, &dense->edge);
  return status;
}

/* The parameter of a distance, alpha and mean fixed. */
static double path_position(const bperc_i_dense *dense, double distance) {
  return bperc_i_logit(distance / dense->edge);
}

/* TO_MODEL: mean and alpha at s. */
static bperc_status set_model(path *way, double s) {
  bperc_i_dense_problem *p = &way->dense->problem;
  const bperc_i_dense_place *from = &way->from_place, *to = &way->to_place;
  bperc_i_typical capacity;
  if (p->weights != BPERC_THEORY_ISING)
    p->mean = s == 1 ? way->to.mean
                     : bperc_i_logistic(path_between(from->mean, to->mean, s));
  bperc_i_ensemble e = {.weights = p->weights, .mean = p->mean};
  bperc_status status = bperc_i_typical_capacity(&e, 0, NULL, &capacity);
  p->alpha =
      s == 1 ? way->to.alpha
             : capacity.alpha *
                   bperc_i_dense_load(path_between(from->load, to->load, s));
  return status;
}

/* The problem at the parameter s. */
static bperc_status set_problem(path *way, double s) {
  bperc_i_dense_problem *p = &way->dense->problem;
  bperc_status status = BPERC_OK;
  if (s == way->last)
    return BPERC_OK;
  switch (way->kind) {
  case TO_MODEL:
    status = set_model(way, s);
    if (status == BPERC_OK)
      status = set_edge(way->dense);
    p->distance =
        path_between(way->from_part, way->to_part, s) * way->dense->edge;
    break;
  case IN_DISTANCE:
  case AT_SLOPE:
    p->distance = way->dense->edge * bperc_i_logistic(s);
    break;
  case IN_COPIES:
    p->y = s > 0 ? 1 / s : 0;
    break;
  }
  way->last = s;
  return status;
}

static bperc_status path_residual(const double *u, double s, double *r,
                                  void *context) {
  path *way = context;
  bperc_i_dense *dense = way->dense;
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  bperc_status status = set_problem(way, s);
  if (status != BPERC_OK)
    return status;
  double full[BPERC_I_DENSE_UNKNOWNS];
  memcpy(full, u, sizeof full);
  if (way->kind == AT_SLOPE) {
    dense->problem.alpha = exp(u[BPERC_I_DENSE_LAM]);
    full[BPERC_I_DENSE_LAM] = way->slope;
  }
  return bperc_i_dense_equations(&dense->problem, full, &dense->rule,
                                 &dense->memo, &dense->state, r);
}

static bperc_i_system make_path_system(path *way) {
  bool ising = way->dense->problem.weights == BPERC_THEORY_ISING;
  return (bperc_i_system){.n = BPERC_I_DENSE_UNKNOWNS - ising,
                          .residual = path_residual,
                          .context = way,
                          .tolerance = 1e-10,
                          .max_steps = 15,
                          .max_change = 3};
}

/* lam = dF/dD: a local entropy that falls with the distance is no longer that
 * of a densest region. */
static bool rising(const bperc_i_branch *branch, void *context) {
  const path *way = context;
  return way->kind == AT_SLOPE || branch->u[BPERC_I_DENSE_LAM] > 0;
}

/* F at finite y counts references, too, and has no such bound. */
static bool merged(const bperc_i_dense *dense, double gap) {
  const bperc_i_dense_problem *p = &dense->problem;
  if (p->y > 0)
    return false;
  double bound = bperc_i_dense_bound(p->weights, p->mean, p->distance);
  return bound - dense->state.entropy < gap * bound;
}

/* Downwards in alpha or D to the bound, upwards in D to where q1 - q0 and
 * qh1 - qh0 get so small that their integrals cost too much. */
static bool enough(const bperc_i_branch *branch, void *context) {
  const path *way = context;
  const bperc_i_dense_state *s = &way->dense->state;
  if (way->kind == TO_MODEL)
    return way->to.mean == way->from_mean && merged(way->dense, GAP_NEAR_BOUND);
  if (way->kind == IN_COPIES)
    return false;
  if (way->target < branch->parameter)
    return merged(way->dense, GAP_AT_BOUND);
  return way->kind == IN_DISTANCE && s->step < STEP_NEAR_EDGE * s->q1 &&
         s->qh1 - s->qh0 < 0.5 * STEP_NEAR_EDGE * s->qh0;
}

/* Follow the path to the parameter's target; state and problem are left at the
 * last good point. Above capacity and next to Q = 1 a saddle point that gets
 * lost is given up soon. scale: change of the parameter per change of the
 * logarithms. */
static bperc_status follow_path(path *way, double target, double scale) {
  bperc_i_dense *dense = way->dense;
  bperc_i_branch *branch = &dense->branch;
  bperc_i_system system = make_path_system(way);
  bperc_i_stride stride = {.accept = rising,
                           .enough = enough,
                           .first = fmin(1, 0.15 * scale),
                           .largest = fmin(1, 0.5 * scale),
                           .smallest =
                               (dense->give_up_soon ? 0.01 : 5e-4) * scale};
  double r[BPERC_I_UNKNOWNS];
  way->target = target;
  bperc_status status = bperc_i_follow(&system, &stride, target, branch);
  way->last = NAN;
  bperc_status again = path_residual(branch->u, branch->parameter, r, way);
  return status != BPERC_OK ? status : again;
}

/* Newton at the starting point itself. */
static bperc_status begin_path(const bperc_i_dense_known *start,
                               bperc_i_dense *dense) {
  bperc_i_branch *branch = &dense->branch;
  *dense = (bperc_i_dense){.problem = bperc_i_dense_known_at(start)};
  memcpy(branch->u, start->u, sizeof start->u);
  bperc_status status = bperc_i_dense_rule_init(&dense->rule, 0);
  if (status == BPERC_OK)
    status = set_edge(dense);
  if (status != BPERC_OK)
    return status;
  branch->parameter = path_position(dense, start->distance);
  path way = {.kind = IN_DISTANCE, .dense = dense, .last = branch->parameter};
  bperc_i_system system = make_path_system(&way);
  return bperc_i_newton(&system, branch->parameter, branch->u, &branch->size);
}

/* At small alpha most distances lie on the bound; close to D* there is a saddle
 * point still. */
static double part_to_reach(double own, double load) {
  double low = (load - MIDDLE_LOAD) / (LOW_LOAD - MIDDLE_LOAD);
  return own + (PART_AT_LOW_LOAD - own) * fmin(1, fmax(0, low));
}

/* From where it is to the mean and alpha of way->to. */
static bperc_status follow_to_model(path *way) {
  bperc_i_dense *dense = way->dense;
  way->from_mean = dense->problem.mean;
  way->from_part = dense->problem.distance / dense->edge;
  way->to_part = part_to_reach(way->from_part, way->to_place.load);
  bperc_status status = bperc_i_dense_locate(&dense->problem, &way->from_place);
  if (status != BPERC_OK)
    return status;
  double length = bperc_i_dense_way(&way->from_place, &way->to_place);
  bperc_i_branch_restart(&dense->branch, 0);
  status = follow_path(way, 1, 1 / fmax(length, 1e-12));
  bperc_i_branch_restart(&dense->branch,
                         path_position(dense, dense->problem.distance));
  return status;
}

/* First to LOW_LOAD, then in alpha alone, until it is reached or the
 * bound is: more patterns leave fewer solutions, so that a larger alpha bounds
 * the entropy from below. */
static bperc_status follow_to_low_load(path *way) {
  bperc_i_dense_problem to = way->to;
  bperc_i_dense_place to_place = way->to_place;
  way->to.alpha *=
      bperc_i_dense_load(LOW_LOAD) / bperc_i_dense_load(to_place.load);
  way->to_place.load = LOW_LOAD;
  bperc_status status = follow_to_model(way);
  if (status != BPERC_OK)
    return status;
  way->to = to;
  way->to_place = to_place;
  way->last = NAN;
  status = follow_to_model(way);
  if (status != BPERC_E_NUMERIC || !merged(way->dense, GAP_NEAR_BOUND))
    return status;
  bperc_i_dense there = *way->dense;
  way->dense->problem.alpha = to.alpha;
  status = set_edge(way->dense);
  there.edge = way->dense->edge;
  there.merged = true;
  *way->dense = there;
  return status;
}

bperc_status bperc_i_dense_start_from(const bperc_i_dense_known *start,
                                      double mean, double alpha,
                                      bperc_i_dense *dense) {
  path way = {.kind = TO_MODEL, .dense = dense, .last = NAN};
  way.to = (bperc_i_dense_problem){
      .weights = start->weights, .mean = mean, .alpha = alpha};
  bperc_status status = bperc_i_dense_locate(&way.to, &way.to_place);
  if (status == BPERC_OK)
    status = begin_path(start, dense);
  if (status != BPERC_OK)
    return status;
  dense->give_up_soon = way.to_place.load > BPERC_I_DENSE_CAPACITY ||
                        way.to_place.mean > COSTLY_MEAN;
  return way.to_place.load < LOW_LOAD ? follow_to_low_load(&way)
                                      : follow_to_model(&way);
}

bperc_status bperc_i_dense_start(bperc_theory_weights weights, double mean,
                                 double alpha, bperc_i_dense *dense) {
  bperc_i_dense_place place;
  const bperc_i_dense_known *start = NULL;
  *dense = (bperc_i_dense){
      .problem = {.weights = weights, .mean = mean, .alpha = alpha}};
  bperc_status status = bperc_i_dense_locate(&dense->problem, &place);
  if (status == BPERC_OK)
    status = bperc_i_dense_nearest(weights, &place, &start);
  return status == BPERC_OK
             ? bperc_i_dense_start_from(start, mean, alpha, dense)
             : status;
}

/* slope: the lam that is held, or 0. */
static bperc_status follow_distance(bperc_i_dense *dense, double slope,
                                    double distance) {
  path way = {.kind = slope > 0 ? AT_SLOPE : IN_DISTANCE,
              .dense = dense,
              .last = NAN,
              .slope = slope};
  if (!(distance < dense->edge))
    return BPERC_E_NUMERIC;
  if (slope != dense->held_slope)
    bperc_i_branch_restart(&dense->branch, dense->branch.parameter);
  dense->held_slope = slope;
  return follow_path(&way, path_position(dense, distance), 1);
}

bperc_status bperc_i_dense_copies(bperc_i_dense *dense, double y) {
  path way = {.kind = IN_COPIES, .dense = dense, .last = NAN};
  double here = dense->problem.y > 0 ? 1 / dense->problem.y : 0;
  dense->give_up_soon = true; /* a residual costs ten times as much */
  bperc_i_branch_restart(&dense->branch, here);
  bperc_status status =
      follow_path(&way, 1 / y, fmax(fabs(1 / y - here), 1e-9));
  bperc_i_branch_restart(&dense->branch,
                         path_position(dense, dense->problem.distance));
  if (status == BPERC_OK)
    dense->problem.y = y;
  return status;
}

bperc_status bperc_i_dense_move(bperc_i_dense *dense, double distance) {
  bperc_status status = follow_distance(dense, 0, distance);
  if (status == BPERC_OK)
    dense->problem.distance = distance; /* not through logarithms */
  return status;
}

bperc_status bperc_i_dense_slope(bperc_i_dense *dense, double slope,
                                 double distance) {
  double *u = &dense->branch.u[BPERC_I_DENSE_LAM];
  *u = log(dense->problem.alpha);
  bperc_status status = follow_distance(dense, slope, distance);
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
