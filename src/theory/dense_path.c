/* Following the saddle point of the densest region.
 *
 * Two roads: from a known point to the wanted Q and alpha at some fraction of
 * the distance D* beyond which the densest region is the typical one, and then
 * in D alone. All in log(Q/(1-Q)), log l + 2 l where l is alpha per capacity,
 * and log(D/(D*-D)).
 */
#include "theory/dense_map.h"

#include "numeric/gauss.h"
#include "theory/typical.h"

#include <math.h>
#include <string.h>

#define NARROW 1e-4 /* (q1 - q0)/q1 and (qh1 - qh0)/qh0 to stop at near D* */
#define MERGED 1e-6 /* relative gap to the bound that ends the way */
#define NEARLY 1e-5 /* that ends the way to smaller alpha */
#define CLOSE 0.75  /* fraction of D* to look at below the load EMPTY */
#define COSTLY 5.8  /* log(Q/(1-Q)): Q = 0.997, residuals are costly beyond */
#define EMPTY -2.4  /* log l + 2 l of the load l = alpha per capacity */
#define FULL -0.9   /* above this load keep the fraction of the start */

/* The road that is being followed. From the starting point its parameter runs
 * from 0 to 1; afterwards it is log(D/(D*-D)), so that what was learnt on one
 * road helps on the next. */
typedef struct {
  bperc_i_dense *dense;
  bperc_i_dense_problem to;
  bperc_i_dense_place from_map, to_map;
  double from_part, to_part; /* D / D*, or 0 to follow D itself */
  double from_mean, target;  /* Q of the beginning, parameter of the end */
  double last;               /* parameter for which dense->problem was set */
  double slope;              /* fixed lam, alpha unknown in its place; or 0 */
} road;

static double between(double from, double to, double s) {
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
static double position(const bperc_i_dense *dense, double distance) {
  return bperc_i_logit(distance / dense->edge);
}

/* Mean and alpha at s of the road from the starting point. */
static bperc_status set_place(road *way, double s) {
  bperc_i_dense_problem *p = &way->dense->problem;
  const bperc_i_dense_place *from = &way->from_map, *to = &way->to_map;
  bperc_i_typical capacity;
  if (p->weights != BPERC_THEORY_ISING)
    p->mean = s == 1 ? way->to.mean
                     : bperc_i_logistic(between(from->mean, to->mean, s));
  bperc_i_ensemble e = {.weights = p->weights, .mean = p->mean};
  bperc_status status = bperc_i_typical_capacity(&e, 0, NULL, &capacity);
  p->alpha = s == 1 ? way->to.alpha
                    : capacity.alpha *
                          bperc_i_dense_load(between(from->load, to->load, s));
  return status;
}

static bperc_status place(road *way, double s) {
  bperc_i_dense_problem *p = &way->dense->problem;
  bperc_status status = BPERC_OK;
  if (s == way->last)
    return BPERC_OK;
  if (way->to_part > 0) {
    status = set_place(way, s);
    if (status == BPERC_OK)
      status = set_edge(way->dense);
    p->distance = between(way->from_part, way->to_part, s) * way->dense->edge;
  } else {
    p->distance = way->dense->edge * bperc_i_logistic(s);
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

static bool merged(const bperc_i_dense *dense, double gap) {
  const bperc_i_dense_problem *p = &dense->problem;
  double bound = bperc_i_dense_bound(p->weights, p->mean, p->distance);
  return bound - dense->state.entropy < gap * bound;
}

/* Downwards in alpha or D to the bound, upwards in D to where q1 - q0 and
 * qh1 - qh0 get so small that their integrals cost too much. */
static bool enough(const bperc_i_branch *branch, void *context) {
  const road *way = context;
  const bperc_i_dense_state *s = &way->dense->state;
  if (way->to_part > 0)
    return way->to.mean == way->from_mean && merged(way->dense, NEARLY);
  if (way->target < branch->parameter)
    return merged(way->dense, MERGED);
  return way->slope == 0 && s->step < NARROW * s->q1 &&
         s->qh1 - s->qh0 < 0.5 * NARROW * s->qh0;
}

/* Follow the road to the parameter's target; state and problem are left at the
 * last good point. Above capacity and next to Q = 1 a way that gets lost is
 * given up soon. scale: change of the parameter per change of the logarithms.
 */
static bperc_status drive(road *way, double target, double scale) {
  bperc_i_dense *dense = way->dense;
  bperc_i_branch *branch = &dense->branch;
  bperc_i_system system = make_system(way);
  bperc_i_stride stride = {.accept = rising,
                           .enough = enough,
                           .first = fmin(1, 0.15 * scale),
                           .largest = fmin(1, 0.5 * scale),
                           .smallest = (dense->hasty ? 0.01 : 5e-4) * scale};
  double r[BPERC_I_UNKNOWNS];
  way->target = target;
  bperc_status status = bperc_i_follow(&system, &stride, target, branch);
  way->last = NAN;
  bperc_status again = residual(branch->u, branch->parameter, r, way);
  return status != BPERC_OK ? status : again;
}

/* Newton at the starting point itself. */
static bperc_status begin(const bperc_i_dense_known *start,
                          bperc_i_dense *dense) {
  bperc_i_branch *branch = &dense->branch;
  *dense = (bperc_i_dense){.problem = start->problem};
  memcpy(branch->u, start->u, sizeof start->u);
  bperc_status status = bperc_i_dense_rule_init(&dense->rule, 0);
  if (status == BPERC_OK)
    status = set_edge(dense);
  if (status != BPERC_OK)
    return status;
  branch->parameter = position(dense, start->problem.distance);
  road way = {.dense = dense, .last = branch->parameter};
  bperc_i_system system = make_system(&way);
  return bperc_i_newton(&system, branch->parameter, branch->u, &branch->size);
}

/* At small alpha most distances lie on the bound; close to D* there is a saddle
 * point still. */
static double part_to_reach(double own, double load) {
  return own + (CLOSE - own) * fmin(1, fmax(0, (load - FULL) / (EMPTY - FULL)));
}

/* From where it is to the mean and alpha of way->to. */
static bperc_status travel(road *way) {
  bperc_i_dense *dense = way->dense;
  way->from_mean = dense->problem.mean;
  way->from_part = dense->problem.distance / dense->edge;
  way->to_part = part_to_reach(way->from_part, way->to_map.load);
  bperc_status status = bperc_i_dense_locate(&dense->problem, &way->from_map);
  if (status != BPERC_OK)
    return status;
  double length = bperc_i_dense_way(&way->from_map, &way->to_map);
  bperc_i_branch_restart(&dense->branch, 0);
  status = drive(way, 1, 1 / fmax(length, 1e-12));
  bperc_i_branch_restart(&dense->branch,
                         position(dense, dense->problem.distance));
  return status;
}

/* First to the load EMPTY, then in alpha alone, until it is reached or the
 * bound is: more patterns leave fewer solutions, so that a larger alpha bounds
 * the entropy from below. */
static bperc_status travel_down(road *way) {
  bperc_i_dense_problem to = way->to;
  bperc_i_dense_place to_map = way->to_map;
  way->to.alpha *= bperc_i_dense_load(EMPTY) / bperc_i_dense_load(to_map.load);
  way->to_map.load = EMPTY;
  bperc_status status = travel(way);
  if (status != BPERC_OK)
    return status;
  way->to = to;
  way->to_map = to_map;
  way->last = NAN;
  status = travel(way);
  if (status != BPERC_E_NUMERIC || !merged(way->dense, NEARLY))
    return status;
  bperc_i_dense there = *way->dense;
  way->dense->problem.alpha = to.alpha;
  status = set_edge(way->dense);
  there.edge = way->dense->edge;
  there.merged = true;
  *way->dense = there;
  return status;
}

bperc_status bperc_i_dense_start(bperc_theory_weights weights, double mean,
                                 double alpha, bperc_i_dense *dense) {
  road way = {.dense = dense, .last = NAN};
  const bperc_i_dense_known *start = NULL;
  way.to =
      (bperc_i_dense_problem){.weights = weights, .mean = mean, .alpha = alpha};
  *dense = (bperc_i_dense){.problem = way.to};
  bperc_status status = bperc_i_dense_locate(&way.to, &way.to_map);
  if (status == BPERC_OK)
    status = bperc_i_dense_nearest(weights, &way.to_map, &start);
  if (status == BPERC_OK)
    status = begin(start, dense);
  if (status != BPERC_OK)
    return status;
  dense->hasty =
      way.to_map.load > BPERC_I_DENSE_CAPACITY || way.to_map.mean > COSTLY;
  return way.to_map.load < EMPTY ? travel_down(&way) : travel(&way);
}

static bperc_status drive_to(bperc_i_dense *dense, double slope,
                             double distance) {
  road way = {.dense = dense, .last = NAN, .slope = slope};
  if (!(distance < dense->edge))
    return BPERC_E_NUMERIC;
  if (slope != dense->held)
    bperc_i_branch_restart(&dense->branch, dense->branch.parameter);
  dense->held = slope;
  return drive(&way, position(dense, distance), 1);
}

bperc_status bperc_i_dense_move(bperc_i_dense *dense, double distance) {
  bperc_status status = drive_to(dense, 0, distance);
  if (status == BPERC_OK)
    dense->problem.distance = distance; /* not through logarithms */
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
