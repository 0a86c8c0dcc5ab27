/* Capacity and entropy of typical solutions: the public calls. */
#include "theory/typical.h"

#include "numeric/gsl_guard.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

/* Q closer to 1 than this needs more quadrature nodes than is sensible. */
#define LARGEST_MEAN 0.9995
#define LARGEST_INTEGER_MEAN 1e4
#define SMALLEST_MEAN 1e-8

double bperc_i_theory_q(const bperc_theory_model *model) {
  if (model->weights == BPERC_THEORY_ISING)
    return 1;
  return 1 / (model->a * model->fin);
}

bperc_i_ensemble bperc_i_ensemble_of(const bperc_theory_model *model) {
  bool signless = model->weights != BPERC_THEORY_ISING;
  return (bperc_i_ensemble){
      .weights = model->weights,
      .mean = bperc_i_theory_q(model),
      .lean = signless && model->fout > 0 ? model->fout - 0.5 : 0,
      .kappa = model->kappa};
}

bperc_status bperc_i_ensemble_plain(const bperc_theory_model *model,
                                    const char *question, bperc_error *error) {
  bperc_i_ensemble e = bperc_i_ensemble_of(model);
  if (e.lean == 0 && e.kappa == 0)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s is worked out for f_out = 1/2 and kappa = 0 only",
                         question);
}

static bperc_status check_labels(const bperc_theory_model *m,
                                 bperc_error *error) {
  if (m->fout != 0 && !(m->fout > 0 && m->fout < 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "f_out must lie between 0 and 1, not at %g",
                           m->fout);
  if (!(m->kappa >= 0) || !isfinite(m->kappa))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "kappa must be 0 or more, not %g", m->kappa);
  if (m->kappa > 0 && m->weights == BPERC_THEORY_INTEGER)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a margin is worked out for weights 0, 1 and "
                           "-1, +1 only");
  return BPERC_OK;
}

static bperc_status check_mean(const bperc_theory_model *m,
                               bperc_error *error) {
  if (!(m->a > 0) || !isfinite(m->a))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "A must be a positive number, not %g", m->a);
  if (!(m->fin > 0 && m->fin < 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "f_in must lie between 0 and 1, not at %g", m->fin);
  double q = bperc_i_theory_q(m);
  double largest = m->weights == BPERC_THEORY_INTEGER ? LARGEST_INTEGER_MEAN
                   : q >= 1                           ? INFINITY
                                                      : LARGEST_MEAN;
  if (q < SMALLEST_MEAN || q > largest)
    return bperc_error_set(error, BPERC_E_LIMIT,
                           "Q = 1/(A f_in) = %g is outside the range %g to %g "
                           "of the quadrature",
                           q, SMALLEST_MEAN, largest);
  return BPERC_OK;
}

bperc_status bperc_i_theory_check(const bperc_theory_model *m, bool needs_alpha,
                                  bperc_error *error) {
  if (m->weights > BPERC_THEORY_ISING)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "no such kind of weights");
  if (needs_alpha && (!(m->alpha > 0) || !isfinite(m->alpha)))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "alpha must be a positive number, not %g", m->alpha);
  bperc_status status = check_labels(m, error);
  if (status != BPERC_OK || m->weights == BPERC_THEORY_ISING)
    return status;
  return check_mean(m, error);
}

/* The mean of the sums is f_in M sqrt(N), in units of sqrt(N f_in (1-f_in)). */
static double activity_shift(const bperc_theory_model *m, double shift) {
  return m->weights == BPERC_THEORY_ISING ? 0
                                          : shift * sqrt((1 - m->fin) / m->fin);
}

static void report_typical(const bperc_theory_model *m,
                           const bperc_i_typical *p,
                           bperc_theory_typical *out) {
  *out = (bperc_theory_typical){
      .alpha = p->alpha,
      .entropy = p->entropy,
      .overlap = p->q,
      .mean = m->weights == BPERC_THEORY_ISING ? 0 : bperc_i_theory_q(m),
      .square = p->square,
      .field = p->h,
      .conjugate = p->qh,
      .shift = activity_shift(m, p->shift),
      .distance = m->weights == BPERC_THEORY_INTEGER ? NAN
                  : m->weights == BPERC_THEORY_ISING ? 0.5 * p->gap
                                                     : 2 * p->gap};
}

/* One solve; alpha NULL asks for zero entropy. The second, finer rule starts
 * from the answer of the first. */
static bperc_status solve_typical(const bperc_theory_model *m,
                                  const double *alpha,
                                  const bperc_i_typical *first,
                                  bperc_i_typical *p, double *residual) {
  int finer = first != NULL;
  bperc_i_ensemble e = bperc_i_ensemble_of(m);
  *residual = 0;
  if (m->weights == BPERC_THEORY_INTEGER)
    return bperc_i_integer_solve(&e, alpha, finer, p, residual);
  bperc_status status = alpha ? bperc_i_typical_at(&e, *alpha, finer, first, p)
                              : bperc_i_typical_capacity(&e, finer, first, p);
  *residual = alpha ? fabs(p->alpha - *alpha) : fabs(p->entropy);
  return status;
}

static bperc_status solve_twice(const bperc_theory_model *m,
                                const double *alpha, bperc_theory_typical *out,
                                bperc_error *error) {
  bperc_i_typical p, finer;
  double residual, ignored;
  bperc_status status = solve_typical(m, alpha, NULL, &p, &residual);
  if (status == BPERC_OK)
    status = solve_typical(m, alpha, &p, &finer, &ignored);
  if (status == BPERC_E_NUMERIC)
    return bperc_error_set(error, status,
                           "no replica-symmetric saddle point found for "
                           "Q = %g%s: it was followed to alpha = %g",
                           bperc_i_theory_q(m), alpha ? "" : " and F = 0",
                           p.alpha);
  if (status != BPERC_OK)
    return bperc_error_set(error, status, "out of memory");
  report_typical(m, &p, out);
  out->residual = residual;
  out->quadrature_error =
      alpha ? fabs(p.entropy - finer.entropy) : fabs(p.alpha - finer.alpha);
  return BPERC_OK;
}

bperc_status bperc_theory_capacity(const bperc_theory_model *model,
                                   bperc_theory_typical *out,
                                   bperc_error *error) {
  bperc_status status = bperc_i_theory_check(model, false, error);
  if (status != BPERC_OK)
    return status;
  if (model->weights == BPERC_THEORY_01 && bperc_i_theory_q(model) >= 1) {
    *out = (bperc_theory_typical){.overlap = 1, .mean = 1, .square = 1};
    return BPERC_OK;
  }
  return solve_twice(model, NULL, out, error);
}

/* With weights 0, 1 and A f_in <= 1 a typical pattern of label 1 stays below
 * the threshold even when all weights are 1. */
static bperc_status check_reachable(const bperc_theory_model *model,
                                    bperc_error *error) {
  if (model->weights == BPERC_THEORY_01 && bperc_i_theory_q(model) >= 1)
    return bperc_error_set(error, BPERC_E_NUMERIC,
                           "A f_in = %g <= 1: the threshold cannot be reached, "
                           "there is no solution at any alpha",
                           model->a * model->fin);
  return BPERC_OK;
}

bperc_status bperc_theory_entropy(const bperc_theory_model *model,
                                  bperc_theory_typical *out,
                                  bperc_error *error) {
  bperc_status status = bperc_i_theory_check(model, true, error);
  if (status == BPERC_OK)
    status = check_reachable(model, error);
  if (status != BPERC_OK)
    return status;
  return solve_twice(model, &model->alpha, out, error);
}

/* ---- the best threshold ---- */

typedef struct {
  bperc_i_ensemble e;
  bperc_status status;
} mean_search;

static double minus_capacity(double log_mean, void *context) {
  bperc_i_typical p;
  mean_search *search = context;
  search->e.mean = exp(log_mean);
  search->status = bperc_i_typical_capacity(&search->e, 0, NULL, &p);
  return search->status == BPERC_OK ? -p.alpha : 0;
}

/* alpha_c has one maximum in Q; golden sections and parabolas find it. */
static bperc_status search_mean(gsl_min_fminimizer *s, mean_search *search,
                                double *mean) {
  gsl_function f = {.function = minus_capacity, .params = search};
  int failed = gsl_min_fminimizer_set(s, &f, log(0.3), log(0.05), log(0.9));
  for (int k = 0; k < 60 && !failed && search->status == BPERC_OK; k++) {
    double low = gsl_min_fminimizer_x_lower(s);
    double high = gsl_min_fminimizer_x_upper(s);
    if (high - low < 1e-7)
      break;
    failed = gsl_min_fminimizer_iterate(s);
  }
  *mean = exp(gsl_min_fminimizer_x_minimum(s));
  if (search->status != BPERC_OK)
    return search->status;
  return failed ? BPERC_E_NUMERIC : BPERC_OK;
}

static bperc_status best_mean(const bperc_theory_model *model, double *mean) {
  mean_search search = {.e = bperc_i_ensemble_of(model)};
  bperc_i_gsl_begin();
  gsl_min_fminimizer *s = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  bperc_status status = s ? search_mean(s, &search, mean) : BPERC_E_MEMORY;
  if (s)
    gsl_min_fminimizer_free(s);
  bperc_i_gsl_end();
  return status;
}

bperc_status bperc_theory_optimum(const bperc_theory_model *model,
                                  double *a_opt, bperc_theory_typical *out,
                                  bperc_error *error) {
  bperc_theory_model best = {.a = 2 / model->fin,
                             .fin = model->fin,
                             .fout = model->fout,
                             .kappa = model->kappa};
  double mean;
  bperc_status status = bperc_i_theory_check(&best, false, error);
  if (status != BPERC_OK)
    return status;
  status = best_mean(&best, &mean);
  if (status != BPERC_OK)
    return bperc_error_set(error, status, "no largest capacity found");
  best.a = *a_opt = 1 / (mean * model->fin);
  return bperc_theory_capacity(&best, out, error);
}
