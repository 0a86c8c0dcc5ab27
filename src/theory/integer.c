/* Replica-symmetric theory of weights 0, 1, 2, ... without upper bound.
 *
 *   F = extr -h Q1 + Int Dz log sum_w exp((h + sqrt(qh) z) w - g w^2)
 *            + alpha Int Dt log H(sqrt(q/(Q2-q)) t),  g = qh (Q2-q) / (2 Q2)
 *
 * Unknowns h Q1, log(g Q1^2), log(qh Q1^2): with these scales they stay of
 * order one as the threshold falls. The sum over w runs outwards from its
 * largest term until the rest cannot matter, so there is no cut-off W.
 */
#include "theory/typical.h"

#include "numeric/quadrature.h"
#include "numeric/solve.h"

#include <math.h>

#define BINARY_MEAN 0.1 /* below, weights above 1 hardly occur */

/* Moments of w at one field b. */
typedef struct {
  double log_z, mean, square, variance;
} occupation;

/* Terms away from the peak, in one direction; w0 is the peak. */
static void add_terms(double ratio, double decay, int direction, double w0,
                      double sum[3]) {
  double term = ratio, offset = direction;
  while (term > 1e-19 && w0 + offset >= 0) {
    sum[0] += term;
    sum[1] += term * offset;
    sum[2] += term * offset * offset;
    ratio *= decay;
    term *= ratio;
    offset += direction;
  }
}

static occupation occupy(double b, double g, double decay) {
  double w0 = fmax(0, round(b / (2 * g)));
  double sum[3] = {1, 0, 0}; /* moments about the peak */
  add_terms(exp(b - g * (2 * w0 + 1)), decay, 1, w0, sum);
  add_terms(exp(-b + g * (2 * w0 - 1)), decay, -1, w0, sum);
  double shift = sum[1] / sum[0], about = sum[2] / sum[0];
  occupation o = {.log_z = b * w0 - g * w0 * w0 + log(sum[0]),
                  .mean = w0 + shift,
                  .variance = about - shift * shift};
  o.square = o.mean * o.mean + o.variance;
  return o;
}

typedef struct {
  double h, g, qh;
  double log_z, mean, square, gap; /* GS, <w>, Q2, Q2 - q */
} site_average;

static void average_integer_site(site_average *s, int finer) {
  double root = sqrt(s->qh), decay = exp(-2 * s->g);
  double scale = fmin(1, sqrt(2 * s->g)) / root;
  bperc_i_trapezoid t = bperc_i_trapezoid_make(scale, finer);
  s->log_z = s->mean = s->square = s->gap = 0;
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    occupation o = occupy(s->h + root * z, s->g, decay);
    s->log_z += w * o.log_z;
    s->mean += w * o.mean;
    s->square += w * o.square;
    s->gap += w * o.variance;
  }
}

/* The third equation is zero entropy, followed in the mean, or a given alpha,
 * followed in alpha at fixed mean; the parameter is the logarithm of what is
 * followed. */
typedef struct {
  bool at_alpha;
  double mean; /* used at given alpha */
  double lean; /* f_out - 1/2 */
  int finer;
  bperc_i_typical point;
} integer_problem;

static bperc_status integer_equations(const double *u, double parameter,
                                      double *r, void *context) {
  integer_problem *p = context;
  double mean = p->at_alpha ? p->mean : exp(parameter);
  site_average s = {.h = u[0] / mean,
                    .g = exp(u[1]) / (mean * mean),
                    .qh = exp(u[2]) / (mean * mean)};
  if (!(s.g > 1e-14 && s.g < 1e3 && s.qh < 1e6 && fabs(u[0]) < 1e4))
    return BPERC_E_NUMERIC;
  average_integer_site(&s, p->finer);
  double q = s.square - s.gap;
  bperc_i_pattern_term term =
      bperc_i_pattern_average(sqrt(q / s.gap), p->lean, 0, p->finer);
  double alpha = s.qh * s.gap / term.hazard2;
  double entropy = -s.h * mean + s.log_z + alpha * term.log_h;
  p->point = (bperc_i_typical){.qh = s.qh,
                               .h = s.h,
                               .q = q,
                               .gap = s.gap,
                               .square = s.square,
                               .alpha = alpha,
                               .entropy = entropy,
                               .shift = sqrt(s.gap) * term.shift};
  r[0] = log(s.mean / mean);
  r[1] = log(s.qh * s.gap / (2 * s.square * s.g));
  r[2] = p->at_alpha ? log(alpha) - parameter : entropy;
  return BPERC_OK;
}

/* The binary solution, with the g that makes weight 1 as likely as there. */
static bperc_status start_integer(double mean, double lean, double *u) {
  bperc_i_typical b;
  bperc_i_ensemble binary = {.mean = mean, .lean = lean};
  bperc_status status = bperc_i_typical_capacity(&binary, 0, NULL, &b);
  double g = 0.5 * b.qh * b.gap / mean;
  u[0] = (b.h + g) * mean;
  u[1] = log(g * mean * mean);
  u[2] = log(b.qh * mean * mean);
  return status;
}

/* To the wanted mean at zero entropy, then to the wanted alpha. */
static bperc_status follow_integer(const bperc_i_system *system,
                                   integer_problem *p, const double *alpha,
                                   bperc_i_branch *branch) {
  bperc_i_stride stride = {.first = 0.3, .largest = 1, .smallest = 1e-3};
  double first = fmin(p->mean, BINARY_MEAN);
  branch->parameter = log(first);
  bperc_status status = start_integer(first, p->lean, branch->u);
  if (status == BPERC_OK)
    status = bperc_i_newton(system, log(first), branch->u, &branch->size);
  if (status == BPERC_OK)
    status = bperc_i_follow(system, &stride, log(p->mean), branch);
  if (status != BPERC_OK || !alpha)
    return status;
  double r[3];
  status = integer_equations(branch->u, log(p->mean), r, p);
  *branch = (bperc_i_branch){.parameter = log(p->point.alpha),
                             .u = {branch->u[0], branch->u[1], branch->u[2]},
                             .size = branch->size};
  p->at_alpha = true;
  if (status == BPERC_OK)
    status = bperc_i_follow(system, &stride, log(*alpha), branch);
  return status;
}

bperc_status bperc_i_integer_solve(const bperc_i_ensemble *e,
                                   const double *alpha, int finer,
                                   bperc_i_typical *out, double *residual) {
  integer_problem p = {.mean = e->mean, .lean = e->lean};
  bperc_i_system system = {.n = 3,
                           .residual = integer_equations,
                           .context = &p,
                           .tolerance = 1e-10,
                           .max_steps = 40,
                           .max_change = 1};
  bperc_i_branch branch = {0};
  bperc_status status = follow_integer(&system, &p, alpha, &branch);
  double at = branch.parameter, r[3];
  p.finer = finer;
  if (status == BPERC_OK && finer)
    status = bperc_i_newton(&system, at, branch.u, &branch.size);
  if (status == BPERC_OK)
    status = integer_equations(branch.u, at, r, &p);
  *out = p.point;
  *residual = branch.size;
  return status;
}
