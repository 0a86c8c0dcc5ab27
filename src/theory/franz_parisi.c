/* Franz-Parisi potential over a list of distances.
 *
 * At the typical distance 2(Q-q0) the saddle point is that of a second typical
 * solution: h = h0, ph = th = qh = qh0, t = q1 = p = q0, and
 *   v = q1 - t^2/q0 - (p-t)^2/(Q-q0)
 * vanishes there like the square of the distance to it. Next to it every point
 * is solved from the expansion of fp_start.c. Further away the saddle point is
 * followed in log D through fixed waypoints; a point is solved from the last
 * waypoint before it, so that its answer does not depend on which others are
 * asked for. Unknowns are asinh ph, t, log v near the typical distance or
 * log(Q-q1) far below it, and for weights 0, 1 asinh h (fields grow like
 * powers of 1/D).
 */
#include "theory/franz_parisi.h"

#include "numeric/solve.h"
#include "theory/local.h"

#include <math.h>

#define START 0.1     /* relative distance to the typical distance */
#define NEAREST 1e-4  /* start not closer than this */
#define SMALLEST 3e-3 /* step of log D */
#define FAR 0.5       /* below this fraction of it, Q - q1 is the unknown */
#define WAYPOINTS 2   /* until there, equal ratios; and so on beyond */
#define LAST 2        /* unknown that is exchanged */
#define TYPICAL 2e-5  /* closer than that, two terms of the expansion do */

/* The patterns' averages depend on the overlaps alone: a change of h or ph, two
 * of four columns of every Jacobian, leaves the last ones as they are. */
typedef struct {
  double q0, p, t, q1; /* q0 > 0 when known */
  bperc_i_fp_patterns average;
} known_patterns;

/* Distances below or above the typical one. */
typedef struct {
  bperc_i_reference ref;
  bperc_i_fp_expansion by;
  bperc_i_fp_rule rule, lean; /* the same nodes */
  bperc_i_fp_state state;
  bperc_i_branch branch; /* at the start, or at the last waypoint */
  known_patterns known;
  double typical, typical_distance; /* entropy; unit (Q-q0) */
  double ended;  /* the end of what was followed furthest, or NaN */
  int waypoints; /* passed */
  enum { FRESH, OPEN, BLOCKED, NO_START } way; /* BLOCKED: no next waypoint */
  bool far, stay; /* last unknown; stay: with log v throughout */
} side;

/* q1 at v = 0 */
static double least_q1(const side *c) {
  const bperc_i_fp_state *s = &c->state;
  return s->t * s->t / c->ref.q0 + (s->p - s->t) * (s->p - s->t) / c->ref.gap0;
}

static bperc_status find_side_patterns(side *c) {
  const bperc_i_fp_state *s = &c->state;
  known_patterns *k = &c->known;
  if (k->q0 == c->ref.q0 && k->p == s->p && k->t == s->t && k->q1 == s->q1)
    return BPERC_OK;
  *k = (known_patterns){.q0 = c->ref.q0, .p = s->p, .t = s->t, .q1 = s->q1};
  bperc_status status =
      bperc_i_fp_patterns_average(&c->ref, s, &c->lean, &k->average);
  if (status != BPERC_OK)
    k->q0 = 0;
  return status;
}

static bperc_status side_equations(const double *u, double log_distance,
                                   double *r, void *context) {
  side *c = context;
  const bperc_i_reference *ref = &c->ref;
  bperc_i_fp_state *s = &c->state;
  bperc_i_fp_sites sites;
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  s->p = ref->mean - exp(log_distance) / bperc_i_reference_unit(ref);
  s->ph = sinh(u[0]);
  s->t = u[1];
  s->q1 = c->far ? ref->mean - exp(u[LAST]) : exp(u[LAST]) + least_q1(c);
  s->h = ref->ising ? 0 : sinh(u[3]);
  if (!(s->t > 0) || !(fabs(s->h) < 1e5) || !(fabs(s->ph) < 1e5))
    return BPERC_E_NUMERIC;
  bperc_status status = find_side_patterns(c);
  if (status != BPERC_OK)
    return status;
  s->qh = ref->alpha * c->known.average.square;
  s->th = ref->alpha * c->known.average.cross;
  status = bperc_i_fp_sites_average(ref, s, &c->lean, &sites);
  r[0] = (sites.overlap - s->p) / (ref->ising ? 1 : s->p);
  r[1] = log(sites.width / (ref->mean - s->q1));
  r[2] = sites.other / s->t - 1;
  r[3] = log(sites.mean / ref->mean);
  return status;
}

static bperc_i_system make_side_system(side *c) {
  return (bperc_i_system){.n = c->ref.ising ? 3 : 4,
                          .residual = side_equations,
                          .context = c,
                          .tolerance = 1e-10,
                          .max_steps = 20,
                          .max_change = 1};
}

static void place_guess(const side *c, double change, bperc_i_branch *b) {
  const bperc_i_reference *ref = &c->ref;
  bperc_i_fp_guess g =
      bperc_i_fp_near_typical(ref, &c->by, -change * ref->gap0);
  *b = (bperc_i_branch){.parameter = log(c->typical_distance * (1 + change)),
                        .u = {asinh(g.ph), g.t, log(g.v), asinh(g.h)}};
}

/* At a relative change of the typical distance, with the direction in which to
 * go on. */
static bperc_status start_side_at(side *c, double change) {
  bperc_i_system system = make_side_system(c);
  bperc_i_branch further, *b = &c->branch;
  system.max_steps = 6; /* a good guess needs three or four */
  place_guess(c, change, b);
  place_guess(c, 1.01 * change, &further);
  for (size_t k = 0; k < system.n; k++)
    b->slope[k] = (further.u[k] - b->u[k]) / (further.parameter - b->parameter);
  b->step = fabs(change); /* log v varies on this scale */
  return bperc_i_newton(&system, b->parameter, b->u, &b->size);
}

/* The expansion holds while the fields change by less than about 1. */
static double expansion_reach(const side *c) {
  return START / fmax(1, fabs(c->by.ph * START * c->ref.gap0));
}

static bperc_status start_side(side *c, double direction) {
  bperc_status status = BPERC_E_NUMERIC;
  for (double near = expansion_reach(c);
       near > NEAREST && status == BPERC_E_NUMERIC; near *= 0.5)
    status = start_side_at(c, direction * near);
  c->way = status == BPERC_OK ? OPEN : NO_START;
  if (status == BPERC_E_NUMERIC)
    c->ended = c->typical_distance;
  return status;
}

static bperc_status follow_by(side *c, double log_distance, double smallest) {
  bperc_i_system system = make_side_system(c);
  bperc_i_stride stride = {
      .first = 0.1, .largest = 0.6, .smallest = smallest, .foresee = true};
  double r[4];
  bperc_status status =
      bperc_i_follow(&system, &stride, log_distance, &c->branch);
  bperc_status again = side_equations(c->branch.u, c->branch.parameter, r, c);
  return status != BPERC_OK ? status : again;
}

/* Next to the typical distance log v varies on the scale of what is left. */
static bperc_status follow_to(side *c, double distance) {
  double typical = log(c->typical_distance), target = log(distance);
  double off = c->branch.parameter - typical, beyond = target - typical;
  bperc_status status = BPERC_OK;
  if (fabs(off) < START)
    status = follow_by(
        c, fabs(beyond) > START ? typical + copysign(START, off) : target,
        fmin(SMALLEST, 0.03 * fabs(off)));
  return status == BPERC_OK ? follow_by(c, target, SMALLEST) : status;
}

/* Exchange the last unknown: log(Q-q1) far away, log v near by. */
static void exchange(side *c, bool far) {
  const bperc_i_fp_state *s = &c->state;
  c->far = far;
  c->branch.u[LAST] = log(far ? c->ref.mean - s->q1 : s->q1 - least_q1(c));
  bperc_i_branch_restart(&c->branch, c->branch.parameter);
}

/* Exchange the last unknown back when the other is stuck soon after. */
static bperc_status follow_side(side *c, double distance) {
  bperc_status status = follow_to(c, distance);
  if (status != BPERC_E_NUMERIC || !c->far ||
      exp(c->branch.parameter) < 0.8 * FAR * c->typical_distance)
    return status;
  c->stay = true;
  exchange(c, false);
  return follow_to(c, distance);
}

/* dF/dD is -dF/dp per unit, with all else fixed; p also enters GE. Nothing is
 * written on failure. */
static bperc_status find_slope(const side *c, double *slope) {
  double pull;
  bperc_status status =
      bperc_i_fp_patterns_pull(&c->ref, &c->state, &c->rule, &pull);
  if (status == BPERC_OK)
    *slope =
        (c->state.ph - c->ref.alpha * pull) / bperc_i_reference_unit(&c->ref);
  return status;
}

/* The entropy is that of the finer rule: next to the typical distance it
 * differs from the typical one by less than the error of the first. The point
 * is changed only when everything about it is known. */
static bperc_status measure_side(side *c, bperc_theory_local *point) {
  bperc_theory_local found = *point;
  bperc_i_fp_rule finer;
  double first = NAN;
  bperc_status status =
      bperc_i_fp_free_entropy(&c->ref, &c->state, &c->rule, &first);
  if (status == BPERC_OK)
    status = bperc_i_fp_rule_init(&finer, 1);
  if (status == BPERC_OK)
    status =
        bperc_i_fp_free_entropy(&c->ref, &c->state, &finer, &found.entropy);
  if (status == BPERC_OK)
    status = find_slope(c, &found.slope);
  if (status != BPERC_OK)
    return status;
  found.residual = c->branch.size;
  found.quadrature_error = fabs(found.entropy - first);
  found.regime = BPERC_THEORY_SADDLE;
  *point = found;
  return BPERC_OK;
}

/* F = F_typical + bend e^2 / 2. */
static void expand_about_typical(const side *c, bperc_theory_local *point) {
  double unit = bperc_i_reference_unit(&c->ref);
  double e = c->ref.gap0 - point->distance / unit;
  point->entropy = c->typical + 0.5 * c->by.bend * e * e;
  point->slope = -c->by.bend * e / unit;
  point->regime = BPERC_THEORY_TYPICAL;
}

/* Remember how far anything was followed. */
static void end_at(side *c, double distance) {
  double typical = c->typical_distance;
  if (isnan(c->ended) ||
      fabs(log(distance / typical)) > fabs(log(c->ended / typical)))
    c->ended = distance;
}

/* Pass all waypoints between the last one and the distance. One that is not
 * reached blocks what lies beyond it; the side stays at the one before. */
static bperc_status pass_waypoints(side *c, double distance) {
  double typical = c->typical_distance;
  bool down = distance < typical;
  bperc_status status = BPERC_OK;
  while (status == BPERC_OK) {
    double part = (c->waypoints + 1.0) / WAYPOINTS;
    double next = typical * pow(FAR, down ? part : -part);
    if (down ? next < distance : next > distance)
      return BPERC_OK;
    if (c->way == BLOCKED)
      return BPERC_E_NUMERIC;
    side ahead = *c;
    status = follow_side(&ahead, next);
    if (status == BPERC_OK && down && c->waypoints + 1 == WAYPOINTS)
      exchange(&ahead, true);
    if (status == BPERC_E_NUMERIC) {
      c->way = BLOCKED;
      end_at(c, exp(ahead.branch.parameter));
    }
    if (status == BPERC_OK) {
      ahead.waypoints++;
      *c = ahead;
    }
  }
  return status;
}

/* From the start or the last waypoint; the side itself stays there. */
static bperc_status solve_from_waypoint(side *c, bperc_theory_local *point) {
  double typical = c->typical_distance;
  bperc_status status = BPERC_OK;
  if (c->way == FRESH)
    status = start_side(c, copysign(1, point->distance - typical));
  else if (c->way == NO_START)
    status = BPERC_E_NUMERIC;
  if (status == BPERC_OK)
    status = pass_waypoints(c, point->distance);
  if (status != BPERC_OK)
    return status;
  side trial = *c;
  status = follow_side(&trial, point->distance);
  if (status == BPERC_OK)
    return measure_side(&trial, point);
  if (status == BPERC_E_NUMERIC)
    end_at(c, exp(trial.branch.parameter));
  return status;
}

/* Next to the typical distance. */
static bperc_status solve_from_expansion(const side *c,
                                         bperc_theory_local *point) {
  side trial = *c;
  bperc_status status =
      start_side_at(&trial, point->distance / (c->typical_distance) - 1);
  return status == BPERC_OK ? measure_side(&trial, point) : status;
}

static bperc_status visit_franz_parisi(void *context,
                                       bperc_theory_local *point) {
  side *c = context;
  double typical = c->typical_distance, change = point->distance / typical - 1;
  double farthest = c->ref.ising ? 1 : 2 * fmin(c->ref.mean, 1 - c->ref.mean);
  if (fabs(change) < TYPICAL) {
    expand_about_typical(c, point);
    return BPERC_OK;
  }
  if (point->distance >= farthest) {
    end_at(c, farthest); /* no configuration obeys the sum rule there */
    return BPERC_E_NUMERIC;
  }
  bperc_status status = BPERC_E_NUMERIC;
  if (fabs(change) <= expansion_reach(c))
    status = solve_from_expansion(c, point);
  return status == BPERC_E_NUMERIC ? solve_from_waypoint(c, point) : status;
}

/* Reference and solution both have NQ ones: half of the flips in each. */
static double distance_bound(const bperc_i_reference *ref, double distance) {
  double half = 0.5 * distance, mean = ref->mean;
  if (ref->ising)
    return bperc_i_binary_entropy(distance);
  if (half > mean || half > 1 - mean)
    return 0;
  return mean * bperc_i_binary_entropy(half / mean) +
         (1 - mean) * bperc_i_binary_entropy(half / (1 - mean));
}

static bperc_status prepare_side(const bperc_theory_model *model, side *c,
                                 bperc_error *error) {
  bperc_theory_typical t;
  bperc_status status = bperc_theory_entropy(model, &t, error);
  if (status != BPERC_OK)
    return status;
  bperc_i_typical typical = {.qh = t.conjugate,
                             .h = t.field,
                             .q = t.overlap,
                             .square = t.square,
                             .alpha = t.alpha};
  *c = (side){.ref = bperc_i_reference_of(model->weights, &typical),
              .typical = t.entropy,
              .typical_distance = t.distance,
              .ended = NAN};
  c->ref.gap0 = t.distance / bperc_i_reference_unit(&c->ref);
  status = bperc_i_fp_rule_init(&c->rule, 0);
  c->lean = c->rule;
  c->lean.lean = true;
  c->by = bperc_i_fp_expand(&c->ref);
  return status;
}

bperc_status bperc_theory_franz_parisi(const bperc_theory_model *model,
                                       const double *distances, size_t n,
                                       bperc_theory_local *points,
                                       double *ended, bperc_error *error) {
  side down, up;
  *ended = NAN;
  if (model->weights == BPERC_THEORY_INTEGER)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the Franz-Parisi potential is worked out for "
                           "weights 0, 1 and -1, +1 only");
  bperc_status status =
      bperc_i_ensemble_plain(model, "the Franz-Parisi potential", error);
  if (status == BPERC_OK)
    status = bperc_i_local_prepare(distances, n, points, error);
  if (status == BPERC_OK)
    status = prepare_side(model, &down, error);
  if (status != BPERC_OK)
    return status;
  for (size_t k = 0; k < n; k++)
    points[k].bound = distance_bound(&down.ref, points[k].distance);
  up = down;
  bperc_i_local_walk walk = {.visit = visit_franz_parisi,
                             .down = &down,
                             .up = &up,
                             .start = down.typical_distance};
  status = bperc_i_local_visit(&walk, points, n);
  *ended = isnan(down.ended) ? up.ended : down.ended;
  if (status == BPERC_E_NUMERIC && *ended == walk.start)
    return bperc_error_set(error, status,
                           "no saddle point of the Franz-Parisi potential was "
                           "found next to the typical distance %g to start "
                           "from: whether there is one is not known",
                           walk.start);
  return bperc_i_local_report(status, "Franz-Parisi potential", *ended, error);
}
