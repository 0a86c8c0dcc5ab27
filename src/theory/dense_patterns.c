/* Densest region, the patterns' part:
 *
 *   GE = Int Dt0 log Int Dt1 exp(x B(c)),  c = sqrt(q0) t0 + sqrt(q1-q0) t1
 *   B(c) = max over c' of -(c'-c)^2/(2 delta) + log H(c'/sqrt d)
 *
 * With c' = v sqrt d the maximum is at c = v sqrt d + (delta/sqrt d) g(v). At
 * finite y it is an integral, B(c) = (1/y) log Int Dt exp(y log H), over c' of
 * mean c and variance delta/y.
 */
#include "theory/dense.h"

#include "numeric/gauss.h"
#include "theory/tilted.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define ENOUGH 1e-9        /* relative change of v in the last Newton step */
#define GAUSSIAN_WIDTH 0.2 /* of a peak, on the scale of log H: see peak_at */
#define NOTHING 40         /* exp(-40) = 4e-18 */

/* v of the maximum, from a guess. The right-hand side grows with v. Steps below
 * ENOUGH square to nothing. */
static double improve_v(double c, double root_d, double delta, double v) {
  double k = delta / root_d;
  for (int step = 0; step < 60; step++) {
    double g = bperc_i_hazard(v);
    double change = (v * root_d + k * g - c) / (root_d + k * g * (g - v));
    v -= change;
    if (fabs(change) < ENOUGH * (1 + fabs(v)))
      break;
  }
  return v;
}

/* The right-hand side lies above v sqrt d, so the root lies left of c / sqrt d.
 */
static double solve_v(double c, double root_d, double delta) {
  double v = c > 0 ? c / (root_d + delta / root_d) : c / root_d;
  return improve_v(c, root_d, delta, v);
}

/* B and its relatives at one c. */
typedef struct {
  double v, slope_v;          /* c = v sqrt d + (delta/sqrt d) g(v), dv/dc */
  double b, slope, stiffness; /* B, B', delta L2^2/(1 - delta L2) */
  double energy;              /* log H, averaged at finite y */
} pattern;

static pattern pattern_at(const bperc_i_dense_state *s, double v) {
  double root_d = sqrt(s->d);
  bperc_i_gauss_tail tail = bperc_i_tail_at(v);
  double slope = -tail.hazard / root_d;
  double l2 = -tail.hazard * tail.excess / s->d;
  return (pattern){.v = v,
                   .slope_v = 1 / (root_d - s->delta * root_d * l2),
                   .b = tail.log_h - 0.5 * s->delta * slope * slope,
                   .slope = slope,
                   .stiffness = s->delta * l2 * l2 / (1 - s->delta * l2),
                   .energy = tail.log_h};
}

/* Finite y: means over the copies' field, around the peak top. Left of it the
 * measure has width tau = sqrt(delta/y), right of it less. */
static pattern pattern_of_copies(const bperc_i_dense_state *s,
                                 const bperc_i_dense_rule *rule, double c,
                                 const pattern *top) {
  double tau = sqrt(s->delta / s->y), root_d = sqrt(s->d);
  double peak = top->v * root_d,
         l2 = -top->slope * (-top->slope * root_d - top->v);
  double width = 1 / sqrt(1 / (tau * tau) + s->y * l2 / root_d);
  double low = peak - rule->reach * tau, high = peak + rule->reach * width;
  long panels = (long)ceil((high - low) / (rule->panel * width));
  double half = 0.5 * (high - low) / (double)panels;
  double z = 0, sum[3] = {0};
  for (long p = 0; p < panels; p++)
    for (size_t j = 0; j < rule->inner.n; j++) {
      double at = low + half * ((double)(2 * p + 1) + rule->inner.x[j]);
      double off = (at - c) / tau;
      bperc_i_gauss_tail tail = bperc_i_tail_at(at / root_d);
      double e = s->y * (tail.log_h - top->b) - 0.5 * off * off;
      if (e < -NOTHING)
        continue;
      double w = half * rule->inner.w[j] * exp(e), l = tail.hazard / root_d;
      z += w;
      sum[0] += w * tail.log_h;
      sum[1] += w * l;
      sum[2] += w * l * l;
    }
  double first = sum[1] / z;
  return (pattern){.v = top->v,
                   .slope_v = top->slope_v,
                   .b = top->b + log(z / (tau * sqrt(2 * M_PI))) / s->y,
                   .slope = -first,
                   .stiffness = s->y * (sum[2] / z - first * first),
                   .energy = sum[0] / z};
}

/* At a distance dc from a known one. */
static pattern pattern_near(const bperc_i_dense_state *s, const pattern *from,
                            double c, double dc) {
  double guess = from->v + from->slope_v * dc;
  return pattern_at(s, improve_v(c, sqrt(s->d), s->delta, guess));
}

static bool has_copies(const bperc_i_dense_state *s) {
  return s->y > 0 && s->delta > 0;
}

/* f: B, B', B'^2, delta L2^2/(1 - delta L2), log H. */
static void tabulate_patterns(bperc_i_tilted *t, const bperc_i_dense_state *s,
                              const bperc_i_dense_rule *rule) {
  const double *c = t->nodes.x;
  pattern p = {0};
  for (size_t k = 0; k < t->nodes.n; k++) {
    p = k > 0 ? pattern_near(s, &p, c[k], c[k] - c[k - 1])
              : pattern_at(s, solve_v(c[k], sqrt(s->d), s->delta));
    pattern q = has_copies(s) ? pattern_of_copies(s, rule, c[k], &p) : p;
    double f[BPERC_I_TILTED_FUNCTIONS] = {q.b, q.slope, q.slope * q.slope,
                                          q.stiffness, q.energy};
    bperc_i_tilted_set(t, k, q.b, f);
  }
}

/* Where the inner measure of a c0 has its peak: there c = c0 + x sigma^2 B'(c),
 * which is the equation of v with x sigma^2 added to delta. B is concave, so
 * the peak is no wider than sigma. */
typedef struct {
  double c0, c, v, width;
  bool gaussian; /* narrow enough for Gauss-Hermite nodes */
} peak;

/* Width of the peak with this v, and the scale on which B bends there: that of
 * log H in v, times dc/dv. */
static double width_at(const bperc_i_dense_state *s, double sigma, double v,
                       double *scale) {
  bperc_i_gauss_tail tail = bperc_i_tail_at(v);
  double l2 = tail.hazard * tail.excess / s->d, stretch = 1 + s->delta * l2;
  *scale = sqrt(s->d) * stretch / (1 + fmax(0, -v));
  return 1 / sqrt(1 / (sigma * sigma) + s->x * l2 / stretch);
}

static peak peak_at(const bperc_i_dense_state *s, double sigma, double c0) {
  double root_d = sqrt(s->d), scale;
  double v = solve_v(c0, root_d, s->delta + s->x * sigma * sigma);
  double width = width_at(s, sigma, v, &scale);
  return (peak){.c0 = c0,
                .c = v * root_d + s->delta / root_d * bperc_i_hazard(v),
                .v = v,
                .width = width,
                .gaussian = width < GAUSSIAN_WIDTH * scale && !has_copies(s)};
}

/* Panel at c: as wide as a peak there, and not much wider than B bends. */
static double panel_at(const bperc_i_dense_state *s, double sigma, double c) {
  double scale, v = solve_v(c, sqrt(s->d), s->delta);
  double width = width_at(s, sigma, v, &scale);
  return fmin(width, fmax(sqrt(s->d), 0.27 * fabs(c)));
}

static bperc_status add_panels(const bperc_i_dense_state *s, double low,
                               double high, const bperc_i_dense_rule *rule,
                               bperc_i_tilted *t) {
  bperc_status status = BPERC_OK;
  for (double c = low; status == BPERC_OK && c < high;) {
    double length = rule->panel * panel_at(s, t->sigma, c);
    length = rule->panel * panel_at(s, t->sigma, c + length);
    if (!(c + length > c))
      return BPERC_E_NUMERIC;
    bperc_i_mesh mesh = {.low = c, .high = c + length, .largest = length};
    status = bperc_i_nodes_add(&t->nodes, &mesh, &rule->inner);
    c += length;
  }
  return status;
}

/* c0 below which log H and its tilt are nothing: x g < exp(-NOTHING). */
static double lowest(const bperc_i_dense_state *s, double sigma,
                     const bperc_i_dense_rule *rule) {
  double v = sqrt(2 * (NOTHING + log1p(s->x)));
  return fmax(-rule->reach * sqrt(s->q0),
              -v * sqrt(s->d) - rule->reach * sigma);
}

/* Right of its peak the measure falls faster than on the left, and it is gone
 * where x B is far below its tangent at the peak; B < log H. */
static double right_end(const bperc_i_dense_state *s, const peak *p,
                        double reach) {
  pattern top = pattern_at(s, p->v);
  double root_d = sqrt(s->d), span = reach * p->width;
  double fall = NOTHING / s->x - top.b - span * top.slope;
  double v = gsl_cdf_ugaussian_Pinv(-expm1(-fall)), end = v * root_d;
  if (isfinite(v))
    end += s->delta / root_d * bperc_i_hazard(v);
  return fmin(end, p->c + span);
}

/* For the peaks that are not Gaussian. */
static bperc_status make_pattern_table(const bperc_i_dense_state *s,
                                       const bperc_i_dense_rule *rule,
                                       const bperc_i_nodes *outer,
                                       bperc_i_tilted *t) {
  double span = rule->reach * t->sigma, low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < outer->n; k++) {
    peak p = peak_at(s, t->sigma, sqrt(s->q0) * outer->x[k]);
    if (!p.gaussian) {
      low = fmin(low, p.c - span);
      high = fmax(high, right_end(s, &p, rule->reach));
    }
  }
  bperc_status status = add_panels(s, low, high, rule, t);
  if (status == BPERC_OK)
    status = bperc_i_tilted_reserve(t);
  if (status == BPERC_OK)
    tabulate_patterns(t, s, rule);
  return status;
}

/* Log of the inner integral and its means on Gauss-Hermite nodes. */
static double gaussian_mean(const bperc_i_dense_state *s, double sigma,
                            const peak *at, const bperc_i_hermite *rule,
                            double *mean) {
  pattern top = pattern_at(s, at->v);
  double precision = 0.5 / (sigma * sigma), z = 0, sum[5] = {0};
  double highest =
      s->x * top.b - precision * (at->c - at->c0) * (at->c - at->c0);
  for (size_t k = 0; k < rule->n; k++) {
    double dc = at->width * rule->x[k], c = at->c + dc;
    pattern p = pattern_near(s, &top, c, dc);
    double e = s->x * p.b - precision * (c - at->c0) * (c - at->c0) - highest;
    double w = rule->w[k] * exp(e + 0.5 * rule->x[k] * rule->x[k]);
    z += w;
    sum[0] += w * p.b;
    sum[1] += w * p.slope;
    sum[2] += w * p.slope * p.slope;
    sum[3] += w * p.stiffness;
    sum[4] += w * p.energy;
  }
  for (size_t j = 0; j < 5; j++)
    mean[j] = sum[j] / z;
  return highest + log(z * at->width / sigma);
}

/* exp(x B) falls from 1 to 0 around x log H(v) = -1, as seen through a Gaussian
 * of width sigma. */
static bperc_status outer_pattern_nodes(const bperc_i_dense_state *s,
                                        double sigma,
                                        const bperc_i_dense_rule *rule,
                                        bperc_i_nodes *nodes) {
  double v2 = 2 * log1p(s->x), root = sqrt(s->q0);
  double width = rule->panel * sqrt(s->d / (1 + v2) + sigma * sigma) / root;
  bperc_i_mesh mesh = {.low = lowest(s, sigma, rule) / root,
                       .high = rule->reach,
                       .largest = 1.2 * rule->panel,
                       .growth = 0.5,
                       .features = 1,
                       .feature = {{-sqrt(v2 * s->d) / root, width}}};
  bperc_status status = bperc_i_nodes_add(nodes, &mesh, &rule->outer);
  bperc_i_nodes_gauss(nodes);
  return status;
}

bperc_status bperc_i_dense_patterns_average(const bperc_i_dense_state *s,
                                            const bperc_i_dense_rule *rule,
                                            bperc_i_dense_patterns *out) {
  bperc_i_tilted t = {.sigma = sqrt(s->step), .x = s->x};
  bperc_i_nodes outer = {0};
  *out = (bperc_i_dense_patterns){0};
  bperc_status status = outer_pattern_nodes(s, t.sigma, rule, &outer);
  if (status == BPERC_OK)
    status = make_pattern_table(s, rule, &outer, &t);
  for (size_t k = 0; status == BPERC_OK && k < outer.n; k++) {
    double m[BPERC_I_TILTED_FUNCTIONS], w = outer.w[k];
    double span = rule->reach * t.sigma;
    peak p = peak_at(s, t.sigma, sqrt(s->q0) * outer.x[k]);
    double log_z = p.gaussian
                       ? gaussian_mean(s, t.sigma, &p, &rule->peak, m)
                       : bperc_i_tilted_mean(&t, p.c0, p.c - span,
                                             right_end(s, &p, rule->reach), m);
    out->log_z += w * log_z;
    out->value += w * m[0];
    out->square += w * m[2];
    out->spread += w * (m[2] - m[1] * m[1]);
    out->stiffness += w * m[3];
    out->energy += w * m[4];
  }
  bperc_i_nodes_clear(&outer);
  bperc_i_tilted_clear(&t);
  return status;
}
