/* Following the saddle point of replica-symmetric references at finite y. */
#include "theory/dense_symmetric.h"

#include <math.h>
#include <string.h>

#define LAM 3 /* unknowns of bperc_i_dense_equations */
#define FIELD 5

/* A straight line in log alpha, log D and log y; its parameter runs from 0 to
 * 1. */
typedef struct {
  bperc_i_symmetric *symmetric;
  bperc_i_dense_problem from, to;
} line;

static double line_between(double from, double to, double part) {
  return part == 1 ? to : from * pow(to / from, part);
}

static void line_problem(const line *way, double part,
                         bperc_i_dense_problem *p) {
  p->alpha = line_between(way->from.alpha, way->to.alpha, part);
  p->distance = line_between(way->from.distance, way->to.distance, part);
  p->y = line_between(way->from.y, way->to.y, part);
}

static bperc_status line_residual(const double *u, double part, double *r,
                                  void *context) {
  line *way = context;
  bperc_i_symmetric *s = way->symmetric;
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  line_problem(way, part, &s->problem);
  return bperc_i_symmetric_equations(&s->problem, u, &s->rule, &s->memo,
                                     &s->state, r);
}

static bperc_i_system make_line_system(line *way) {
  bool ising = way->from.weights == BPERC_THEORY_ISING;
  return (bperc_i_system){.n = BPERC_I_SYMMETRIC_UNKNOWNS - ising,
                          .residual = line_residual,
                          .context = way,
                          .tolerance = 1e-10,
                          .max_steps = 20,
                          .max_change = 2};
}

bperc_status bperc_i_symmetric_start(const bperc_i_dense *from,
                                     bperc_i_symmetric *out) {
  const double *u = from->branch.u;
  const bperc_i_dense_state *at = &from->state;
  *out = (bperc_i_symmetric){.problem = from->problem, .rule = from->rule};
  out->problem.y = at->x;
  double step = at->step + at->delta / at->x;
  double start[] = {u[0], log(step / at->q1), u[LAM], u[FIELD]};
  memcpy(out->branch.u, start, sizeof start);
  line way = {out, out->problem, out->problem};
  bperc_i_system system = make_line_system(&way);
  return bperc_i_newton(&system, 0, out->branch.u, &out->branch.size);
}

bperc_status bperc_i_symmetric_move(bperc_i_symmetric *s, double alpha,
                                    double distance, double y) {
  line way = {s, s->problem, s->problem};
  way.to.alpha = alpha;
  way.to.distance = distance;
  way.to.y = y;
  double length = fabs(log(way.to.alpha / way.from.alpha)) * 8 +
                  fabs(log(way.to.distance / way.from.distance)) +
                  fabs(log(way.to.y / way.from.y));
  double r[BPERC_I_UNKNOWNS], scale = 1 / fmax(length, 1e-12);
  bperc_i_system system = make_line_system(&way);
  bperc_i_stride stride = {.first = fmin(1, 0.15 * scale),
                           .largest = fmin(1, 0.4 * scale),
                           .smallest = 5e-4 * scale};
  bperc_i_branch_restart(&s->branch, 0);
  bperc_status status = bperc_i_follow(&system, &stride, 1, &s->branch);
  bperc_status again = line_residual(s->branch.u, s->branch.parameter, r, &way);
  return status != BPERC_OK ? status : again;
}
