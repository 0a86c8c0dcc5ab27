/* Densest region, the weights' part:
 *
 *   GS = Int Dz0 log Int Dz1 exp(x A(c)),
 *   c = h + sqrt(qh0) z0 + sqrt(qh1-qh0) z1
 *   A(c) = max over w' and c' of -(c'-c)^2/(2 dh) + l_w'(c')
 *
 * The reference weight w' that is best changes at the kink; the branch above
 * is the mirror image of the one below.
 */
#include "theory/dense.h"

#include "numeric/gauss.h"
#include "theory/tilted.h"

#include <math.h>

#define ENOUGH 1e-9 /* relative change in the last Newton step */

/* A and its relatives at one c, on the branch of the best w'. */
typedef struct {
  double a, slope, flip, width; /* A, A' = l', flip probability, l'' */
} site;

/* Below the kink l(c') = base c' + softplus(scale c' - lam): l_0 for weights
 * 0, 1 and l_{-1} for -1, +1. The branch above is mirrored at -mirror/2. */
typedef struct {
  double base, scale, kink, mirror;
} branch_kind;

static branch_kind kind_of(bperc_theory_weights weights, double dh) {
  if (weights == BPERC_THEORY_ISING)
    return (branch_kind){.base = -1, .scale = 2, .kink = 0, .mirror = 0};
  return (branch_kind){.base = 0, .scale = 1, .kink = -0.5 * dh, .mirror = dh};
}

/* The branch below the kink: c = c' - dh l'(c'), l' = base + scale s. Starting
 * left of the root where l' is convex, Newton's steps never overshoot; the
 * bracket takes over elsewhere. */
static double solve_field(const branch_kind *k, double c, double dh,
                          double lam) {
  double low = c + dh * k->base, high = c + dh * (k->base + k->scale);
  double u = low;
  for (int step = 0; step < 200; step++) {
    double s = bperc_i_logistic(k->scale * u - lam);
    double f = u - dh * (k->base + k->scale * s) - c;
    if (f > 0)
      high = u;
    else
      low = u;
    double slope = 1 - dh * k->scale * k->scale * s * (1 - s);
    double next = slope > 0 ? u - f / slope : 0.5 * (low + high);
    bool newton = next >= low && next <= high;
    if (!newton)
      next = 0.5 * (low + high);
    if (fabs(next - u) < (newton ? ENOUGH * slope : 1e-15) * (1 + fabs(u)))
      return next;
    u = next;
  }
  return u;
}

static site below(const branch_kind *k, double c, double dh, double lam) {
  double u = solve_field(k, c, dh, lam);
  double y = k->scale * u - lam, s = bperc_i_logistic(y);
  double slope = k->base + k->scale * s;
  double l = k->base * u + fmax(y, 0) + log1p(exp(-fabs(y)));
  return (site){.a = l - 0.5 * dh * slope * slope,
                .slope = slope,
                .flip = s,
                .width = k->scale * k->scale * s * (1 - s)};
}

/* A(c) = A(-c - mirror) + (c + mirror/2) for 0, 1 and A(-c) for -1, +1. */
static site site_at(const branch_kind *k, double c, double dh, double lam) {
  if (c <= k->kink)
    return below(k, c, dh, lam);
  site s = below(k, -c - k->mirror, dh, lam);
  if (k->mirror > 0) {
    s.a += c + 0.5 * k->mirror;
    s.slope = 1 - s.slope;
  } else {
    s.slope = -s.slope;
  }
  return s;
}

/* f: A, A', A'^2, flip, scale^2 flip^2, A'' - l'' away from the kink. */
static void tabulate(bperc_i_tilted *t, const branch_kind *kind,
                     const bperc_i_dense_state *s) {
  double scale2 = kind->scale * kind->scale;
  for (size_t k = 0; k < t->nodes.n; k++) {
    site p = site_at(kind, t->nodes.x[k], s->dh, s->lam);
    double f[BPERC_I_TILTED_FUNCTIONS] = {p.a,
                                          p.slope,
                                          p.slope * p.slope,
                                          p.flip,
                                          scale2 * p.flip * p.flip,
                                          s->dh * p.width * p.width /
                                              (1 - s->dh * p.width)};
    bperc_i_tilted_set(t, k, p.a, f);
  }
}

static bperc_status add_side(bperc_i_tilted *t, double low, double high,
                             double kink, const bperc_i_dense_rule *rule) {
  bperc_i_mesh mesh = {.low = low,
                       .high = high,
                       .largest = rule->panel * fmin(t->sigma, 1.5),
                       .growth = 0.5,
                       .features = 1,
                       .feature = {{kink, 0.2 * rule->panel}}};
  return low < high ? bperc_i_nodes_add(&t->nodes, &mesh, &rule->inner)
                    : BPERC_OK;
}

static bperc_status make_table(const branch_kind *kind,
                               const bperc_i_dense_state *s,
                               const bperc_i_dense_rule *rule,
                               bperc_i_tilted *t) {
  double reach = rule->reach * (sqrt(s->qh0) + t->sigma);
  double shift = s->x * t->sigma * t->sigma;
  double low = s->h - reach + shift * fmin(kind->base, 0);
  double high = s->h + reach + shift;
  bperc_status status =
      add_side(t, low, fmin(high, kind->kink), kind->kink, rule);
  if (status == BPERC_OK)
    status = add_side(t, fmax(low, kind->kink), high, kind->kink, rule);
  if (status == BPERC_OK)
    status = bperc_i_tilted_reserve(t);
  if (status == BPERC_OK)
    tabulate(t, kind, s);
  return status;
}

/* Outer nodes: the kink, seen through a Gaussian of width sigma and a tilt of
 * strength x, is at its sharpest where both sides have equal weight. By the
 * symmetry of the branches that is at the kink for -1, +1; for 0, 1 the factor
 * exp(x c) moves it by x sigma^2 / 2. */
static bperc_status outer_nodes(const branch_kind *kind,
                                const bperc_i_dense_state *s, double sigma,
                                const bperc_i_dense_rule *rule,
                                bperc_i_nodes *nodes) {
  double root = sqrt(s->qh0), sharp = fmin(sigma, 1 / s->x);
  double shift = kind->mirror > 0 ? 0.5 * s->x * sigma * sigma : 0;
  double at = (kind->kink - shift - s->h) / root;
  bperc_i_mesh mesh = {.low = -rule->reach,
                       .high = rule->reach,
                       .largest = rule->panel * fmin(1.2, 2 / root),
                       .growth = 0.3,
                       .features = 1,
                       .feature = {{at, rule->panel * sharp / root}}};
  bperc_status status = bperc_i_nodes_add(nodes, &mesh, &rule->outer);
  bperc_i_nodes_gauss(nodes);
  return status;
}

static void accumulate(const bperc_i_tilted *t, const branch_kind *kind,
                       const site *at_kink, double reach, double c0, double w,
                       bperc_i_dense_sites *out) {
  double m[BPERC_I_TILTED_FUNCTIONS];
  double span = reach * t->sigma, pull = t->x * t->sigma * t->sigma;
  double log_z = bperc_i_tilted_mean(t, c0, c0 - span + pull * kind->base,
                                     c0 + span + pull, m);
  double jump = 2 * (0.5 * (kind->mirror > 0) - at_kink->slope);
  double at = bperc_i_tilted_density(t, c0, kind->kink, at_kink->a, log_z);
  out->log_z += w * log_z;
  out->value += w * m[0];
  out->mean += w * m[1];
  out->square += w * m[2];
  out->spread += w * (m[2] - m[1] * m[1]);
  out->flip += w * m[3];
  out->deficit += w * m[4];
  out->delta += w * (m[5] + jump * at);
}

bperc_status bperc_i_dense_sites_average(bperc_theory_weights weights,
                                         const bperc_i_dense_state *s,
                                         const bperc_i_dense_rule *rule,
                                         bperc_i_dense_sites *out) {
  branch_kind kind = kind_of(weights, s->dh);
  bperc_i_tilted t = {.sigma = sqrt(s->qh1 - s->qh0), .x = s->x};
  bperc_i_nodes outer = {0};
  *out = (bperc_i_dense_sites){0};
  bperc_status status = make_table(&kind, s, rule, &t);
  if (status == BPERC_OK)
    status = outer_nodes(&kind, s, t.sigma, rule, &outer);
  site at_kink = below(&kind, kind.kink, s->dh, s->lam);
  for (size_t k = 0; status == BPERC_OK && k < outer.n; k++)
    accumulate(&t, &kind, &at_kink, rule->reach,
               s->h + sqrt(s->qh0) * outer.x[k], outer.w[k], out);
  bperc_i_nodes_clear(&outer);
  bperc_i_tilted_clear(&t);
  return status;
}
