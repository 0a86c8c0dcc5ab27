/* First and second moment of the number of solutions, weights -1, +1.
 *
 *   log <Z> / N = log 2 + alpha <log p>
 *   log <Z^2> / N = max over m of log 2 + Hb((1+m)/2) + alpha <log p2(m)>
 *
 * The solutions' overlap is 0 by symmetry, so the first is the
 * replica-symmetric entropy too. docs/theory.md 7.
 */
#include "theory/symmetric.h"

#include "numeric/gauss.h"
#include "numeric/interval.h"
#include "numeric/quadrature.h"

#include <math.h>

#define MOMENT_GRID 100   /* values of m, before refinement */
#define MOMENT_LEAST 0.02 /* below m, the limit m -> 0 */
#define REACH 9.0

bperc_status bperc_i_symmetric_check(const bperc_symmetric_model *m,
                                     bperc_error *error) {
  if (!(m->band > 1e-3 && m->band < 8))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the band must lie between 0.001 and 8 (units of "
                           "sqrt(N)), not at %g",
                           m->band);
  if (!(m->fout >= 0 && m->fout <= 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "f_out must lie between 0 and 1, not at %g",
                           m->fout);
  if (!(m->alpha >= 0) || !isfinite(m->alpha))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "alpha must be 0 or more, not %g", m->alpha);
  return BPERC_OK;
}

/* Mean over the labels. */
static double over_labels(double fout, double one, double zero) {
  return (fout > 0 ? fout * one : 0) + (fout < 1 ? (1 - fout) * zero : 0);
}

double bperc_i_symmetric_log_p(const bperc_symmetric_model *m) {
  return over_labels(m->fout, bperc_i_inside(-m->band, m->band).log_p,
                     bperc_i_outside(-m->band, m->band).log_p);
}

/* Sum over z from low to high of G(z) times the probability that a sum of
 * correlation c with z is inside or outside. */
static double sum_pairs(double band, double c, double low, double high,
                        int outside, int finer) {
  double s = sqrt((1 - c) * (1 + c)), total = 0;
  bperc_i_mesh mesh = {.low = low,
                       .high = high,
                       .largest = finer ? 0.125 : 0.25,
                       .growth = 0.5,
                       .features = 1,
                       .feature = {{band, (finer ? 0.5 : 1) * fmax(s, 1e-9)}}};
  bperc_i_nodes nodes = {0};
  bperc_i_legendre rule;
  bperc_status status = bperc_i_legendre_init(&rule, 12);
  if (status == BPERC_OK)
    status = bperc_i_nodes_add(&nodes, &mesh, &rule);
  bperc_i_nodes_gauss(&nodes);
  for (size_t k = 0; k < nodes.n; k++) {
    double low_end = (-band - c * nodes.x[k]) / s;
    double high_end = (band - c * nodes.x[k]) / s;
    bperc_i_interval p = outside ? bperc_i_outside(low_end, high_end)
                                 : bperc_i_inside(low_end, high_end);
    total += 2 * nodes.w[k] * exp(p.log_p);
  }
  bperc_i_nodes_clear(&nodes);
  return status == BPERC_OK ? total : NAN;
}

double bperc_i_symmetric_pair(const bperc_symmetric_model *m, double c,
                              int finer) {
  double band = m->band, one = 0, zero = 0;
  double in = bperc_i_inside(-band, band).log_p;
  double out = bperc_i_outside(-band, band).log_p;
  if (c >= 1)
    return -over_labels(m->fout, in, out);
  if (m->fout > 0)
    one = log(sum_pairs(band, c, 0, band, 0, finer)) - 2 * in;
  if (m->fout < 1)
    zero = log(sum_pairs(band, c, band, band + REACH, 1, finer)) - 2 * out;
  return over_labels(m->fout, one, zero);
}

/* log 2 - Hb((1+m)/2), without cancellation */
static double lost_entropy(double m) {
  return m >= 1 ? M_LN2 : 0.5 * ((1 + m) * log1p(m) + (1 - m) * log1p(-m));
}

/* The load at which overlap m has as many pairs as overlap 0. */
static double load_at(const bperc_symmetric_model *model, double m, int finer) {
  double gain = bperc_i_symmetric_pair(model, m, finer);
  return gain > 0 ? lost_entropy(m) / gain : gain <= 0 ? INFINITY : NAN;
}

/* Golden sections between two neighbours of the least point of the grid. */
static double least_load(const bperc_symmetric_model *model, double low,
                         double high, int finer) {
  const double golden = 0.6180339887498949;
  for (int k = 0; k < 60 && high - low > 1e-9; k++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (load_at(model, a, finer) < load_at(model, b, finer))
      high = b;
    else
      low = a;
  }
  return load_at(model, 0.5 * (low + high), finer);
}

/* m -> 0: p2 = p^2 + (m^2/2) (2 K G(K))^2 */
static double instability_load(const bperc_symmetric_model *m) {
  double edge = 2 * m->band * exp(-0.5 * m->band * m->band) / sqrt(2 * M_PI);
  double in = edge * exp(-bperc_i_inside(-m->band, m->band).log_p);
  double out = edge * exp(-bperc_i_outside(-m->band, m->band).log_p);
  return 1 / over_labels(m->fout, in * in, out * out);
}

static double moment_load(const bperc_symmetric_model *model,
                          const bperc_symmetric_typical *ends, int finer) {
  double least = fmin(ends->alpha_c, ends->alpha_stability);
  double span = 1 - MOMENT_LEAST, best = least, step = span / MOMENT_GRID;
  int where = -1;
  for (int k = 0; k < MOMENT_GRID; k++) {
    double load = load_at(model, MOMENT_LEAST + k * step, finer);
    if (isnan(load))
      return NAN;
    if (load < best) {
      best = load;
      where = k;
    }
  }
  if (where < 0)
    return least;
  double m = MOMENT_LEAST + where * step;
  return fmin(best, least_load(model, fmax(m - step, MOMENT_LEAST),
                               fmin(m + step, 1), finer));
}

bperc_status bperc_symmetric_capacity(const bperc_symmetric_model *model,
                                      bperc_symmetric_typical *out,
                                      bperc_error *error) {
  bperc_status status = bperc_i_symmetric_check(model, error);
  if (status != BPERC_OK)
    return status;
  double log_p = bperc_i_symmetric_log_p(model);
  *out = (bperc_symmetric_typical){.alpha_c = -M_LN2 / log_p,
                                   .alpha_stability = instability_load(model),
                                   .entropy = M_LN2 + model->alpha * log_p};
  out->alpha_moment = moment_load(model, out, 0);
  double finer = moment_load(model, out, 1);
  out->quadrature_error = fabs(out->alpha_moment - finer);
  if (isnan(out->alpha_moment) || isnan(finer))
    return bperc_error_set(error, BPERC_E_MEMORY, "out of memory");
  return BPERC_OK;
}
