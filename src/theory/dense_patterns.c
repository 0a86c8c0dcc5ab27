/* Densest region, the patterns' part:
 *
 *   GE = Int Dt0 log Int Dt1 exp(x B(c)),  c = sqrt(q0) t0 + sqrt(q1-q0) t1
 *   B(c) = max over c' of -(c'-c)^2/(2 delta) + log H(c'/sqrt d)
 *
 * With c' = v sqrt d the maximum is at c = v sqrt d + (delta/sqrt d) g(v).
 */
#include "theory/dense.h"

#include "numeric/gauss.h"
#include "theory/tilted.h"

#include <math.h>

#define ENOUGH 1e-9 /* relative change of v in the last Newton step */

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

/* f: B, B', B'^2, delta L2^2/(1 - delta L2). */
static void tabulate(bperc_i_tilted *t, const bperc_i_dense_state *s) {
  double root_d = sqrt(s->d), v = 0, slope_v = 0; /* dv/dc at the last node */
  const double *c = t->nodes.x;
  for (size_t k = 0; k < t->nodes.n; k++) {
    v = k > 0
            ? improve_v(c[k], root_d, s->delta, v + slope_v * (c[k] - c[k - 1]))
            : solve_v(c[k], root_d, s->delta);
    bperc_i_tail tail = bperc_i_tail_at(v);
    double slope = -tail.hazard / root_d;
    double l2 = -tail.hazard * tail.excess / s->d;
    slope_v = 1 / (root_d - s->delta * root_d * l2);
    double b = tail.log_h - 0.5 * s->delta * slope * slope;
    double f[BPERC_I_TILTED_FUNCTIONS] = {
        b, slope, slope * slope, s->delta * l2 * l2 / (1 - s->delta * l2)};
    bperc_i_tilted_set(t, k, b, f);
  }
}

static bperc_status make_table(const bperc_i_dense_state *s,
                               const bperc_i_dense_rule *rule,
                               bperc_i_tilted *t) {
  double reach = rule->reach * (sqrt(s->q0) + t->sigma);
  bperc_i_mesh mesh = {.low = -reach,
                       .high = reach,
                       .largest = rule->panel * t->sigma,
                       .growth = 0.4,
                       .features = 1,
                       .feature = {{0, rule->panel * sqrt(s->d)}}};
  bperc_status status = bperc_i_nodes_add(&t->nodes, &mesh, &rule->inner);
  if (status == BPERC_OK)
    status = bperc_i_tilted_reserve(t);
  if (status == BPERC_OK)
    tabulate(t, s);
  return status;
}

static bperc_status outer_nodes(const bperc_i_dense_state *s, double sigma,
                                const bperc_i_dense_rule *rule,
                                bperc_i_nodes *nodes) {
  double width = rule->panel * sqrt(s->d + sigma * sigma) / sqrt(s->q0);
  bperc_i_mesh mesh = {.low = -rule->reach,
                       .high = rule->reach,
                       .largest = 1.2 * rule->panel,
                       .growth = 0.5,
                       .features = 1,
                       .feature = {{0, width}}};
  bperc_status status = bperc_i_nodes_add(nodes, &mesh, &rule->outer);
  bperc_i_nodes_gauss(nodes);
  return status;
}

bperc_status bperc_i_dense_patterns_average(const bperc_i_dense_state *s,
                                            const bperc_i_dense_rule *rule,
                                            bperc_i_dense_patterns *out) {
  bperc_i_tilted t = {.sigma = sqrt(s->q1 - s->q0), .x = s->x};
  bperc_i_nodes outer = {0};
  *out = (bperc_i_dense_patterns){0};
  bperc_status status = make_table(s, rule, &t);
  if (status == BPERC_OK)
    status = outer_nodes(s, t.sigma, rule, &outer);
  for (size_t k = 0; status == BPERC_OK && k < outer.n; k++) {
    double m[BPERC_I_TILTED_FUNCTIONS], w = outer.w[k];
    double c0 = sqrt(s->q0) * outer.x[k], span = rule->reach * t.sigma;
    /* B' < 0 and falls with c: the tilt moves weight to the left, by less
     * than it would with the slope at c0. */
    double pull = bperc_i_hazard(solve_v(c0, sqrt(s->d), s->delta)) * s->x *
                  t.sigma * t.sigma / sqrt(s->d);
    out->log_z +=
        w * bperc_i_tilted_mean(&t, c0, c0 - span - pull, c0 + span, m);
    out->value += w * m[0];
    out->square += w * m[2];
    out->spread += w * (m[2] - m[1] * m[1]);
    out->stiffness += w * m[3];
  }
  bperc_i_nodes_clear(&outer);
  bperc_i_tilted_clear(&t);
  return status;
}
