/* Replica-symmetric theory of weights 0, 1 and -1, +1.
 *
 *   F = extr -qh (Q-q)/2 - h Q + Int Dz softplus(h + sqrt(qh) z)
 *            + alpha Int Dt log H(sqrt(q/(Q-q)) t)
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

/* Averages over the local field h + sqrt(qh) z. */
typedef struct {
  double mean, square, gap, log_z, edge;
} site_average;

static double softplus(double x) { return fmax(x, 0) + log1p(exp(-fabs(x))); }

static void add_01(double x, double w, site_average *sum) {
  double e = exp(-fabs(x)), small = e / (1 + e), large = 1 / (1 + e);
  double s = x > 0 ? large : small;
  sum->mean += w * s;
  sum->square += w * s * s;
  sum->gap += w * small * large;
  sum->log_z += w * (fmax(x, 0) + log1p(e));
  sum->edge += w * small;
}

/* log 2cosh x = softplus(2x) - x */
static void add_ising(double x, double w, site_average *sum) {
  double e = exp(-2 * fabs(x)), small = e / (1 + e), large = 1 / (1 + e);
  double m = copysign(large - small, x);
  sum->mean += w * m;
  sum->square += w * m * m;
  sum->gap += w * 4 * small * large;
  sum->log_z += w * (softplus(2 * x) - x);
  sum->edge += w * small;
}

static site_average average_site(bperc_theory_weights weights, double h,
                                 double qh, int finer) {
  double root = sqrt(qh);
  bperc_i_trapezoid t = bperc_i_trapezoid_make(1 / root, finer);
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

bperc_i_pattern_term bperc_i_pattern_average(double x, int finer) {
  bperc_i_trapezoid t = bperc_i_trapezoid_make(1 / x, finer);
  bperc_i_pattern_term sum = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    bperc_i_tail tail = bperc_i_tail_at(x * z);
    sum.log_h += w * tail.log_h;
    sum.hazard2 += w * tail.hazard * tail.hazard;
  }
  return sum;
}

/* ---- the line ---- */

typedef struct {
  bperc_theory_weights weights;
  double mean, qh, alpha;
  int finer;
  bperc_status status;
  bperc_i_typical point;
} line_search;

static double mean_error(double h, void *context) {
  line_search *l = context;
  return average_site(l->weights, h, l->qh, l->finer).mean / l->mean - 1;
}

/* h of the wanted mean; the mean grows with h. */
static bperc_status solve_field(line_search *l, double *h) {
  double reach = 9 * sqrt(l->qh) + fabs(log(l->mean / (1 - l->mean))) + 1;
  return bperc_i_root(mean_error, l, -reach, reach, 1e-15, h);
}

static bperc_status line_point(line_search *l, bperc_i_typical *out) {
  bool ising = l->weights == BPERC_THEORY_ISING;
  double h = 0;
  if (!ising) {
    bperc_status status = solve_field(l, &h);
    if (status != BPERC_OK)
      return status;
  }
  site_average site = average_site(l->weights, h, l->qh, l->finer);
  double square = ising ? 1 : l->mean;
  double x = sqrt(site.square / site.gap);
  bperc_i_pattern_term term = bperc_i_pattern_average(x, l->finer);
  double alpha = l->qh * site.gap / term.hazard2;
  double entropy = -0.5 * l->qh * site.gap - (ising ? 0 : h * l->mean) +
                   site.log_z + alpha * term.log_h;
  *out = (bperc_i_typical){.qh = l->qh,
                           .h = h,
                           .q = site.square,
                           .gap = site.gap,
                           .square = square,
                           .alpha = alpha,
                           .entropy = entropy};
  return isfinite(entropy) ? BPERC_OK : BPERC_E_NUMERIC;
}

bperc_status bperc_i_typical_line(bperc_theory_weights weights, double mean,
                                  double qh, int finer, bperc_i_typical *out) {
  line_search l = {.weights = weights, .mean = mean, .qh = qh, .finer = finer};
  return line_point(&l, out);
}

double bperc_i_typical_edge(bperc_theory_weights weights,
                            const bperc_i_typical *saddle) {
  return average_site(weights, saddle->h, saddle->qh, 0).edge;
}

/* ---- searches along the line, in log qh ---- */

static double entropy_at(double log_qh, void *context) {
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

/* Double qh from a point with f of one sign until the sign changes. */
static bperc_status search_line(line_search *l, bperc_i_scalar *f, double first,
                                double last) {
  double low = log(first), at_low = f(low, l), root;
  for (double high = low; high < log(last); low = high) {
    high = low + 0.5;
    double at_high = f(high, l);
    if (l->status != BPERC_OK)
      return l->status;
    if ((at_low > 0) != (at_high > 0)) {
      bperc_status status = bperc_i_root(f, l, low, high, 1e-15, &root);
      if (status == BPERC_OK && isnan(f(root, l)))
        status = l->status;
      return status;
    }
    at_low = at_high;
  }
  return BPERC_E_NUMERIC;
}

bperc_status bperc_i_typical_capacity(bperc_theory_weights weights, double mean,
                                      int finer, bperc_i_typical *out) {
  line_search l = {.weights = weights, .mean = mean, .finer = finer};
  bperc_status status = search_line(&l, entropy_at, 0.01, 1e6);
  *out = l.point;
  return status;
}

bperc_status bperc_i_typical_at(bperc_theory_weights weights, double mean,
                                double alpha, int finer, bperc_i_typical *out) {
  line_search l = {
      .weights = weights, .mean = mean, .alpha = alpha, .finer = finer};
  double first = fmin(0.01, 0.1 * alpha);
  bperc_status status = search_line(&l, alpha_excess, first, 1e6);
  *out = l.point;
  return status;
}
