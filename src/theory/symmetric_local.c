/* Franz-Parisi entropy of the symmetric perceptron: solutions at overlap p with
 * a typical one. Two references have overlap 0, so no order parameter of theirs
 * is left.
 *
 *   F = extr -qh (1-q1)/2 - ph p + Int Dz log 2cosh(ph + sqrt(qh) z)
 *            + alpha Int Dz R(z) log P(sqrt(q1) z)
 *
 * P(c): probability that c plus a Gaussian of variance 1-q1 is on the label's
 * side; R(z) that of the reference's sum, whose mean is p z / sqrt(q1), over
 * the probability without z. For each qh, ph follows from p and q1 from both;
 * qh is the root of one equation. docs/theory.md 7.
 */
#include "theory/symmetric.h"

#include "numeric/interval.h"
#include "numeric/quadrature.h"
#include "numeric/solve.h"

#include <math.h>

#define REACH 9.0
#define FIRST 1e-6  /* qh where the search begins */
#define LAST 1e5    /* and ends */
#define STRIDE 1.25 /* of the walk in log qh */

typedef struct {
  const bperc_symmetric_model *model;
  double p, qh, ph;
  int finer;
  double gap, q1, log_z; /* sites: 1 - q1, Int Dz log 2cosh */
  double log_p, square;  /* patterns: <log P>, <(d log P/dc)^2> */
  bperc_status status;
} local;

/* ---- sites ---- */

static double average_tanh(double ph, void *context) {
  local *l = context;
  double root = sqrt(l->qh), mean = 0;
  bperc_i_trapezoid t = bperc_i_trapezoid_make(0.5 / root, l->finer);
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step;
    mean += bperc_i_trapezoid_weight(&t, z) * tanh(ph + root * z);
  }
  return mean - l->p;
}

static void average_local_site(local *l) {
  double root = sqrt(l->qh);
  bperc_i_trapezoid t = bperc_i_trapezoid_make(0.5 / root, l->finer);
  l->gap = l->log_z = 0;
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    double x = fabs(l->ph + root * z), e = exp(-2 * x);
    l->gap += w * 4 * e / ((1 + e) * (1 + e));
    l->log_z += w * (x + log1p(e));
  }
  l->q1 = 1 - l->gap;
}

static bperc_status solve_ph(local *l) {
  double high = atanh(l->p) + 1;
  while (average_tanh(high, l) < 0 && high < 1e6)
    high *= 2;
  return bperc_i_root(average_tanh, l, 0, high, 1e-15, &l->ph);
}

/* ---- patterns ---- */

static bperc_i_interval side(int outside, double low, double high) {
  return outside ? bperc_i_outside(low, high) : bperc_i_inside(low, high);
}

/* One label; z > 0 stands for both signs. */
static bperc_status add_label(local *l, int outside, double probability) {
  double band = l->model->band, root = sqrt(l->q1), s = sqrt(l->gap);
  double c = l->p / root, rest = sqrt(fmax(1 - c * c, 1e-18));
  double part = l->finer ? 0.5 : 1;
  bperc_i_mesh mesh = {.high = REACH,
                       .largest = 0.3 * part,
                       .growth = 0.5,
                       .features = 2,
                       .feature = {{band / root, 0.7 * part * s / root},
                                   {band / c, 0.7 * part * rest / c}}};
  double own = side(outside, -band, band).log_p;
  bperc_i_nodes nodes = {0};
  bperc_i_legendre rule;
  bperc_status status = bperc_i_legendre_init(&rule, 12);
  if (status == BPERC_OK)
    status = bperc_i_nodes_add(&nodes, &mesh, &rule);
  bperc_i_nodes_gauss(&nodes);
  for (size_t k = 0; k < nodes.n; k++) {
    double z = nodes.x[k];
    bperc_i_interval r =
        side(outside, (-band - c * z) / rest, (band - c * z) / rest);
    bperc_i_interval q =
        side(outside, (-band - root * z) / s, (band - root * z) / s);
    double w = 2 * probability * nodes.w[k] * exp(r.log_p - own);
    l->log_p += w * q.log_p;
    l->square += w * q.mean * q.mean / l->gap;
  }
  bperc_i_nodes_clear(&nodes);
  return status;
}

static void average_local_patterns(local *l) {
  double fout = l->model->fout;
  l->log_p = l->square = 0;
  if (fout > 0)
    l->status = add_label(l, 0, fout);
  if (fout < 1 && l->status == BPERC_OK)
    l->status = add_label(l, 1, 1 - fout);
}

/* ---- the saddle point ---- */

static double conjugate_excess(double log_qh, void *context) {
  local *l = context;
  l->qh = exp(log_qh);
  l->status = bperc_cancelled() ? BPERC_E_INTERRUPTED : solve_ph(l);
  if (l->status != BPERC_OK)
    return NAN;
  average_local_site(l);
  average_local_patterns(l);
  double wanted = l->model->alpha * l->square;
  return l->status == BPERC_OK ? log_qh - log(fmax(wanted, 1e-300)) : NAN;
}

/* The smallest root: that with the least q1. */
static bperc_status search_qh(local *l, double *residual) {
  double low = log(FIRST), root;
  double at_low = conjugate_excess(low, l);
  if (at_low >= 0) { /* fewer than that: no patterns, or p = 0 */
    *residual = 0;
    return l->status;
  }
  while (l->status == BPERC_OK && low < log(LAST)) {
    double at_high = conjugate_excess(low + STRIDE, l);
    if (l->status == BPERC_OK && at_high >= 0) {
      bperc_status found =
          bperc_i_root(conjugate_excess, l, low, low + STRIDE, 1e-15, &root);
      *residual = fabs(conjugate_excess(root, l));
      return found == BPERC_OK ? l->status : found;
    }
    low += STRIDE;
  }
  return l->status == BPERC_OK ? BPERC_E_NUMERIC : l->status;
}

static bperc_status find_local(local *l, double *entropy, double *residual) {
  bperc_status status = search_qh(l, residual);
  if (status == BPERC_OK)
    *entropy = -0.5 * l->qh * l->gap - l->ph * l->p + l->log_z +
               l->model->alpha * l->log_p;
  return status;
}

static double binary_entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * log(p) - (1 - p) * log1p(-p);
}

/* Both signs of p have the same sums, up to theirs. */
static bperc_status answer_point(const bperc_symmetric_model *model,
                                 bperc_symmetric_local *out) {
  double p = fabs(1 - 2 * out->distance), finer, ignored;
  double log_p = bperc_i_symmetric_log_p(model);
  out->entropy = out->overlap = NAN;
  out->bound = binary_entropy(out->distance) +
               model->alpha * (bperc_i_symmetric_pair(model, p, 0) + log_p);
  if (p < 1e-6 || p >= 1) { /* no correlation, or the reference itself */
    out->entropy = out->bound;
    out->overlap = p >= 1;
    return BPERC_OK;
  }
  local l = {.model = model, .p = p}, second = {model, p, .finer = 1};
  bperc_status status = find_local(&l, &out->entropy, &out->residual);
  out->overlap = l.q1;
  if (status == BPERC_OK)
    status = find_local(&second, &finer, &ignored);
  if (status == BPERC_OK)
    out->quadrature_error = fabs(finer - out->entropy);
  else
    out->entropy = NAN;
  return status;
}

bperc_status bperc_symmetric_franz_parisi(const bperc_symmetric_model *model,
                                          const double *distances, size_t n,
                                          bperc_symmetric_local *points,
                                          bperc_error *error) {
  bperc_status status = bperc_i_symmetric_check(model, error), last = BPERC_OK;
  if (status != BPERC_OK)
    return status;
  for (size_t k = 0; k < n; k++)
    if (!(distances[k] >= 0 && distances[k] <= 1))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "distances lie between 0 and 1, not at %g",
                             distances[k]);
  for (size_t k = 0; k < n; k++) {
    points[k] = (bperc_symmetric_local){.distance = distances[k]};
    status = answer_point(model, points + k);
    if (status == BPERC_E_NUMERIC)
      last = bperc_error_set(
          error, status, "no saddle point found at distance %g", distances[k]);
    else if (status != BPERC_OK)
      return bperc_error_set(error, status, "%s", bperc_status_name(status));
  }
  return last;
}
