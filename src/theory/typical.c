/* Replica-symmetric theory of weights 0, 1 and -1, +1.
 *
 *   F = extr -qh (Q-q)/2 - h Q + Int Dz softplus(h + sqrt(qh) z)
 *            + alpha Int Dt log H(sqrt(q/(Q-q)) t)
 *
 * for balanced labels without margin; in general the last term is an average
 * over the two labels, pattern_term.c.
 *
 * No search in several unknowns is needed: q-hat fixes h by the mean, then q,
 * then alpha. Averages are sums over an equidistant grid, which converge
 * faster than any power of the step.
 */
#include "theory/typical.h"

#include "numeric/gauss.h"
#include "numeric/quadrature.h"
#include "numeric/solve.h"

#include <math.h>

#define FIELD_STEPS 100 /* Newton steps for h; 3 to 10 are usual */
#define REACH 8.5       /* of the panels for the edge */
#define STRIDE 1.4      /* of a walk in log qh */
#define NEAR_KNOWN 1e-6 /* of a point that is known already, in log qh */
#define LARGEST 1e6     /* qh where the walk ends */

/* Averages over the local field h + sqrt(qh) z. */
typedef struct {
  double mean, rest, square, gap, log_z; /* rest = 1 - mean */
} site_average;

static double softplus(double x) { return fmax(x, 0) + log1p(exp(-fabs(x))); }

static void add_01(double x, double w, site_average *sum) {
  double e = exp(-fabs(x)), small = e / (1 + e), large = 1 / (1 + e);
  double s = x > 0 ? large : small;
  sum->mean += w * s;
  sum->rest += w * (x > 0 ? small : large);
  sum->square += w * s * s;
  sum->gap += w * small * large;
  sum->log_z += w * (fmax(x, 0) + log1p(e));
}

/* log 2cosh x = softplus(2x) - x */
static void add_ising(double x, double w, site_average *sum) {
  double e = exp(-2 * fabs(x)), small = e / (1 + e), large = 1 / (1 + e);
  double m = copysign(large - small, x);
  sum->mean += w * m;
  sum->square += w * m * m;
  sum->gap += w * 4 * small * large;
  sum->log_z += w * (softplus(2 * x) - x);
}

static site_average average_typical_site(bperc_theory_weights weights, double h,
                                         double qh, int finer) {
  /* singularities lie pi / root off the axis, for -1, +1 half of that */
  double root = sqrt(qh), scale = weights == BPERC_THEORY_ISING ? 0.5 : 1;
  bperc_i_trapezoid t = bperc_i_trapezoid_make(scale / root, finer);
  site_average sum = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    if (weights == BPERC_THEORY_ISING)
      add_ising(root * z, w, &sum);
    else
      add_01(h + root * z, w, &sum);
  }
  return sum;
}

/* ---- the line ---- */

typedef struct {
  bperc_i_ensemble e;
  double qh, alpha;
  int finer;
  bool placed; /* h belongs to a point of the line near by */
  double h;
  bperc_status status;
  bperc_i_typical point;
} line_search;

/* h of the wanted mean. log <sig> is a concave, rising function of h and log
 * <1-sig> a concave, falling one: Newton's method on the smaller of the two
 * comes from one side and never diverges. */
static bperc_status solve_mean_field(line_search *l, site_average *site) {
  double mean = l->e.mean;
  bool low = mean <= 0.5;
  double small = low ? mean : 1 - mean, sign = low ? 1 : -1;
  if (!l->placed)
    l->h = sign * (log(small) - 0.5 * l->qh);
  for (int k = 0; k < FIELD_STEPS; k++) {
    *site = average_typical_site(l->e.weights, l->h, l->qh, l->finer);
    double part = low ? site->mean : site->rest;
    double change = log(small / part) * part / site->gap;
    if (!isfinite(change))
      return BPERC_E_NUMERIC;
    l->placed = fabs(change) < 1e-8;
    l->h += sign * change;
    if (fabs(change) <= 4e-15 * (1 + fabs(l->h)))
      return BPERC_OK;
  }
  return l->placed ? BPERC_OK : BPERC_E_NUMERIC;
}

static bperc_status line_point(line_search *l, bperc_i_typical *out) {
  bool ising = l->e.weights == BPERC_THEORY_ISING;
  site_average site;
  bperc_status status = BPERC_OK;
  if (ising)
    site = average_typical_site(l->e.weights, 0, l->qh, l->finer);
  else
    status = solve_mean_field(l, &site);
  if (status != BPERC_OK)
    return status;
  double square = ising ? 1 : l->e.mean;
  double x = sqrt(site.square / site.gap), unit = sqrt(site.gap);
  bperc_i_pattern_term term =
      bperc_i_pattern_average(x, l->e.lean, l->e.kappa / unit, l->finer);
  double alpha = l->qh * site.gap / term.hazard2;
  double entropy = -0.5 * l->qh * site.gap - (ising ? 0 : l->h * l->e.mean) +
                   site.log_z + alpha * term.log_h;
  *out = (bperc_i_typical){.qh = l->qh,
                           .h = l->h,
                           .q = site.square,
                           .gap = site.gap,
                           .square = square,
                           .alpha = alpha,
                           .entropy = entropy,
                           .shift = unit * term.shift};
  return isfinite(entropy) ? BPERC_OK : BPERC_E_NUMERIC;
}

/* min(sig, 1-sig) has a kink where the field vanishes: panels on either side
 * of it instead of a trapezoid. */
bperc_status bperc_i_typical_edge(bperc_theory_weights weights,
                                  const bperc_i_typical *saddle, double *edge) {
  bool ising = weights == BPERC_THEORY_ISING;
  double root = (ising ? 2 : 1) * sqrt(saddle->qh), h = ising ? 0 : saddle->h;
  double kink = fmax(-REACH, fmin(REACH, -h / root));
  bperc_i_mesh left = {
      .low = -REACH, .high = kink, .largest = fmin(1, 2 / root), .growth = 1};
  bperc_i_mesh right = left;
  bperc_i_nodes nodes = {0};
  bperc_i_legendre rule;
  right.low = kink;
  right.high = REACH;
  bperc_status status = bperc_i_legendre_init(&rule, 12);
  if (status == BPERC_OK)
    status = bperc_i_nodes_add(&nodes, &left, &rule);
  if (status == BPERC_OK)
    status = bperc_i_nodes_add(&nodes, &right, &rule);
  bperc_i_nodes_gauss(&nodes);
  *edge = 0;
  for (size_t k = 0; k < nodes.n; k++)
    *edge += nodes.w[k] / (1 + exp(fabs(h + root * nodes.x[k])));
  bperc_i_nodes_clear(&nodes);
  return status;
}

/* ---- searches along the line, in log qh ---- */

static double entropy_on_line(double log_qh, void *context) {
  line_search *l = context;
  l->qh = exp(log_qh);
  l->status = line_point(l, &l->point);
  return l->status == BPERC_OK ? l->point.entropy : NAN;
}

static double alpha_excess(double log_qh, void *context) {
  line_search *l = context;
  l->qh = exp(log_qh);
  l->status = line_point(l, &l->point);
  return l->status == BPERC_OK ? l->point.alpha - l->alpha : NAN;
}

/* Root in the bracket low, high of log qh. */
static bperc_status search_between(line_search *l, bperc_i_scalar *f,
                                   double low, double high) {
  double root;
  bperc_status status = bperc_i_root(f, l, low, high, 1e-15, &root);
  if (status == BPERC_OK && isnan(f(root, l)))
    status = l->status;
  return status;
}

/* Walk upwards from qh = first until the sign of f changes. */
static bperc_status walk_line(line_search *l, bperc_i_scalar *f, double first) {
  double low = log(first), at_low = f(low, l);
  while (l->status == BPERC_OK && low < log(LARGEST)) {
    double high = low + STRIDE, at_high = f(high, l);
    if (l->status == BPERC_OK && (at_low > 0) != (at_high > 0))
      return search_between(l, f, low, high);
    low = high;
    at_low = at_high;
  }
  return l->status != BPERC_OK ? l->status : BPERC_E_NUMERIC;
}

/* From a point near by, or from the beginning of the line. */
static bperc_status search_line(line_search *l, bperc_i_scalar *f, double first,
                                const bperc_i_typical *near) {
  if (near) {
    double at = log(near->qh);
    l->h = near->h;
    l->placed = true;
    bperc_status status =
        search_between(l, f, at - NEAR_KNOWN, at + NEAR_KNOWN);
    if (status != BPERC_E_NUMERIC)
      return status;
    l->placed = false;
  }
  return walk_line(l, f, first);
}

bperc_status bperc_i_typical_capacity(const bperc_i_ensemble *e, int finer,
                                      const bperc_i_typical *near,
                                      bperc_i_typical *out) {
  line_search l = {.e = *e, .finer = finer};
  bperc_status status = search_line(&l, entropy_on_line, 0.01, near);
  *out = l.point;
  return status;
}

bperc_status bperc_i_typical_at(const bperc_i_ensemble *e, double alpha,
                                int finer, const bperc_i_typical *near,
                                bperc_i_typical *out) {
  line_search l = {.e = *e, .alpha = alpha, .finer = finer};
  double first = fmin(0.01, 0.1 * alpha);
  bperc_status status = search_line(&l, alpha_excess, first, near);
  *out = l.point;
  return status;
}
