/* Densest region, the weights' part:
 *
 *   GS = Int Dz0 log Int Dz1 exp(x A(c)),
 *   c = h + sqrt(qh0) z0 + sqrt(qh1-qh0) z1
 *   A(c) = max over w' and c' of -(c'-c)^2/(2 dh) + l_w'(c')
 *
 * The reference weight w' that is best changes at the kink; the branch above
 * is the mirror image of the one below. At finite y both maxima are sums,
 *
 *   A(c) = (1/y) log sum over w' Int Dz exp(y l_w'(c + sqrt(dh/y) z))
 *
 * with the same symmetry, and A is smooth.
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
  bool ising;
} branch_kind;

static branch_kind kind_of(bperc_theory_weights weights, double dh) {
  if (weights == BPERC_THEORY_ISING)
    return (branch_kind){.base = -1, .scale = 2, .ising = true};
  return (branch_kind){.base = 0, .scale = 1, .kink = -0.5 * dh, .mirror = dh};
}

/* The branch below the kink: c = c' - dh l'(c'), l' = base + scale s. Starting
 * left of the root where l' is convex, Newton's steps never overshoot; the
 * bracket takes over elsewhere. */
static double solve_site_field(const branch_kind *k, double c, double dh,
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
  double u = solve_site_field(k, c, dh, lam);
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
  if (!k->ising) {
    s.a += c + 0.5 * k->mirror;
    s.slope = 1 - s.slope;
  } else {
    s.slope = -s.slope;
  }
  return s;
}

/* ---- finite y ---- */

/* Means of one w' over the copies' field. */
typedef struct {
  double a, l, s, s2, flip, flip2; /* A of this w' alone, <l>, <l'>, <l'^2>, */
} copies;                          /* <flip>, <flip^2> */

static void add_copy(const branch_kind *k, double lam, double at, double w,
                     copies *sum) {
  double y = k->scale * at - lam, flip = bperc_i_logistic(y);
  double slope = k->base + k->scale * flip;
  sum->a += w;
  sum->l += w * (k->base * at + fmax(y, 0) + log1p(exp(-fabs(y))));
  sum->s += w * slope;
  sum->s2 += w * slope * slope;
  sum->flip += w * flip;
  sum->flip2 += w * flip * flip;
}

/* The lower w': Int Dz exp(y l(c + tau z)), tau^2 = dh/y, relative to its
 * largest value, which is that of y -> infinity. */
static copies copies_below(const branch_kind *k, const bperc_i_dense_state *s,
                           const bperc_i_dense_rule *rule, double c) {
  double tau = sqrt(s->dh / s->y), top = below(k, c, s->dh, s->lam).a;
  copies sum = {0};
  if (s->dh == 0) {
    add_copy(k, s->lam, c, 1, &sum);
    sum.a = top;
    return sum;
  }
  double low = c + s->dh * k->base - rule->reach * tau;
  double high = c + s->dh * (k->base + k->scale) + rule->reach * tau;
  long panels = (long)ceil((high - low) / (rule->panel * fmin(tau, 1.2)));
  double half = 0.5 * (high - low) / (double)panels;
  for (long p = 0; p < panels; p++)
    for (size_t j = 0; j < rule->inner.n; j++) {
      double at = low + half * (double)(2 * p + 1) + half * rule->inner.x[j];
      double y = k->scale * at - s->lam, z = (at - c) / tau;
      double l = k->base * at + fmax(y, 0) + log1p(exp(-fabs(y)));
      double e = s->y * (l - top) - 0.5 * z * z;
      if (e > -40)
        add_copy(k, s->lam, at, half * rule->inner.w[j] * exp(e), &sum);
    }
  double z = sum.a;
  return (copies){.a = top + log(z / (tau * sqrt(2 * M_PI))) / s->y,
                  .l = sum.l / z,
                  .s = sum.s / z,
                  .s2 = sum.s2 / z,
                  .flip = sum.flip / z,
                  .flip2 = sum.flip2 / z};
}

/* The upper w': the mirror image, where l_1(c) = c + l_0(-c) for 0, 1 and the
 * mean field there is that of the image, -c - dh + dh <l'>, with its sign
 * changed. */
static copies copies_above(const branch_kind *k, const bperc_i_dense_state *s,
                           const bperc_i_dense_rule *rule, double c) {
  copies p = copies_below(k, s, rule, -c - k->mirror);
  if (k->ising) {
    p.s = -p.s;
    return p;
  }
  p.a += c + 0.5 * s->dh;
  p.l += c + s->dh * (1 - p.s);
  p.s2 = 1 - 2 * p.s + p.s2;
  p.s = 1 - p.s;
  return p;
}

static double mix(double low, double high, double part) {
  return low + (high - low) * part;
}

/* f as below; delta is y times the variance of l' among the copies. */
static void tabulate_copies(bperc_i_tilted *t, const branch_kind *kind,
                            const bperc_i_dense_state *s,
                            const bperc_i_dense_rule *rule) {
  for (size_t k = 0; k < t->nodes.n; k++) {
    copies low = copies_below(kind, s, rule, t->nodes.x[k]);
    copies high = copies_above(kind, s, rule, t->nodes.x[k]);
    double gain = s->y * (high.a - low.a), p = bperc_i_logistic(gain);
    double a = fmax(low.a, high.a) + log1p(exp(-fabs(gain))) / s->y;
    double slope = mix(low.s, high.s, p);
    double f[BPERC_I_TILTED_FUNCTIONS] = {
        a,
        slope,
        slope * slope,
        mix(low.flip, high.flip, p),
        kind->scale * kind->scale * mix(low.flip2, high.flip2, p),
        s->y * (mix(low.s2, high.s2, p) - slope * slope),
        mix(low.l, high.l, p)};
    bperc_i_tilted_set(t, k, a, f);
  }
}

/* ---- averages ---- */

/* f: A, A', A'^2, flip, scale^2 flip^2, A'' - l'' away from the kink. */
static void tabulate_sites(bperc_i_tilted *t, const branch_kind *kind,
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
                             double kink, double width,
                             const bperc_i_dense_rule *rule) {
  bperc_i_mesh mesh = {.low = low,
                       .high = high,
                       .largest = rule->panel * fmin(t->sigma, 1.5),
                       .growth = 0.5,
                       .features = 1,
                       .feature = {{kink, width * rule->panel}}};
  return low < high ? bperc_i_nodes_add(&t->nodes, &mesh, &rule->inner)
                    : BPERC_OK;
}

static bperc_status make_site_table(const branch_kind *kind,
                                    const bperc_i_dense_state *s,
                                    const bperc_i_dense_rule *rule,
                                    bperc_i_tilted *t) {
  double reach = rule->reach * (sqrt(s->qh0) + t->sigma);
  double shift = s->x * t->sigma * t->sigma;
  double low = s->h - reach + shift * fmin(kind->base, 0);
  double high = s->h + reach + shift;
  double width = s->y > 0 ? fmin(0.2, 0.8 / s->y) : 0.2;
  bperc_status status =
      add_side(t, low, fmin(high, kind->kink), kind->kink, width, rule);
  if (status == BPERC_OK)
    status = add_side(t, fmax(low, kind->kink), high, kind->kink, width, rule);
  if (status == BPERC_OK)
    status = bperc_i_tilted_reserve(t);
  if (status == BPERC_OK && s->y > 0)
    tabulate_copies(t, kind, s, rule);
  else if (status == BPERC_OK)
    tabulate_sites(t, kind, s);
  return status;
}

/* Outer nodes: the kink, seen through a Gaussian of width sigma and a tilt of
 * strength x, is at its sharpest where both sides have equal weight. By the
 * symmetry of the branches that is at the kink for -1, +1; for 0, 1 the factor
 * exp(x c) moves it by x sigma^2 / 2. */
static bperc_status outer_site_nodes(const branch_kind *kind,
                                     const bperc_i_dense_state *s, double sigma,
                                     const bperc_i_dense_rule *rule,
                                     bperc_i_nodes *nodes) {
  double root = sqrt(s->qh0), sharp = fmin(sigma, 1 / s->x);
  double shift = kind->ising ? 0 : 0.5 * s->x * sigma * sigma;
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
  double jump = at_kink ? 2 * (0.5 * !kind->ising - at_kink->slope) : 0;
  double at = at_kink
                  ? bperc_i_tilted_density(t, c0, kind->kink, at_kink->a, log_z)
                  : 0;
  out->log_z += w * log_z;
  out->value += w * m[0];
  out->mean += w * m[1];
  out->square += w * m[2];
  out->spread += w * (m[2] - m[1] * m[1]);
  out->flip += w * m[3];
  out->deficit += w * m[4];
  out->delta += w * (m[5] + jump * at);
  out->energy += w * m[6];
}

bperc_status bperc_i_dense_sites_average(bperc_theory_weights weights,
                                         const bperc_i_dense_state *s,
                                         const bperc_i_dense_rule *rule,
                                         bperc_i_dense_sites *out) {
  branch_kind kind = kind_of(weights, s->dh);
  bperc_i_tilted t = {.sigma = sqrt(s->qh1 - s->qh0), .x = s->x};
  bperc_i_nodes outer = {0};
  *out = (bperc_i_dense_sites){0};
  bperc_status status = make_site_table(&kind, s, rule, &t);
  if (status == BPERC_OK)
    status = outer_site_nodes(&kind, s, t.sigma, rule, &outer);
  site at_kink = below(&kind, kind.kink, s->dh, s->lam);
  for (size_t k = 0; status == BPERC_OK && k < outer.n; k++)
    accumulate(&t, &kind, s->y > 0 ? NULL : &at_kink, rule->reach,
               s->h + sqrt(s->qh0) * outer.x[k], outer.w[k], out);
  bperc_i_nodes_clear(&outer);
  bperc_i_tilted_clear(&t);
  return status;
}
