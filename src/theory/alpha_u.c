/* alpha_U: the load above which the densest region breaks.
 *
 * Above alpha_U the slope lam = dF/dD of the local entropy reaches zero at some
 * distance, and the saddle point is lost there. The points (D, alpha) with
 * lam = 0 form a line; alpha_U is its lowest point. The answer is then
 * checked by its definition: follow the saddle point from large D a little
 * below and a little above.
 */
#include "theory/dense.h"
#include "theory/typical.h"

#include <math.h>

#define SLOPE 1e-3      /* stands for lam = 0, where delta and dh vanish */
#define STEP 0.8        /* ratio of distances along the line */
#define COARSE_STEP 0.6 /* ratio where only the loss is looked for */
#define LONGEST 60      /* points of the line */

/* Follow downwards from the start at this alpha, by the ratio of distances;
 * survived when it got to the smallest one and the slope rises again. */
static bperc_status attempt_distance(const bperc_i_dense_problem *p,
                                     double smallest, double ratio,
                                     bperc_i_dense *dense,
                                     bperc_theory_trial *trial) {
  bperc_status status =
      bperc_i_dense_start(p->weights, p->mean, p->alpha, dense);
  *trial = (bperc_theory_trial){.alpha = p->alpha, .slope = INFINITY};
  double before = INFINITY;
  while (status == BPERC_OK) {
    double lam = dense->state.lam, here = dense->problem.distance;
    if (lam < trial->slope) {
      trial->slope = lam;
      trial->where = here;
    }
    trial->survived = here <= smallest && (lam > before || lam > 3);
    if (trial->survived)
      break;
    before = lam;
    status = bperc_i_dense_move(dense, ratio * here);
  }
  trial->ended = dense->problem.distance;
  if (dense->state.lam < trial->slope) {
    trial->slope = dense->state.lam;
    trial->where = trial->ended;
  }
  return status == BPERC_E_NUMERIC ? BPERC_OK : status;
}

/* A load at which the saddle point is lost, as near to capacity as needed. */
static bperc_status find_loss(bperc_i_dense_problem *p, double alpha_c,
                              double smallest, bperc_i_dense *dense) {
  static const double share[] = {0.96, 0.98, 0.99, 0.995, 0.998};
  bperc_theory_trial trial;
  for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
    p->alpha = share[k] * alpha_c;
    bperc_status status =
        attempt_distance(p, smallest, COARSE_STEP, dense, &trial);
    if (status != BPERC_OK)
      return status;
    if (!trial.survived && dense->state.lam < 0.05)
      return BPERC_OK;
  }
  return BPERC_E_NUMERIC;
}

/* Lowest point of the line lam = SLOPE: down in D until alpha rises, then a
 * parabola through the last three points. */
static bperc_status descend_line(bperc_i_dense *dense, double *alpha_u,
                                 double *distance) {
  double a[3] = {0}, ratio = 1;
  for (int k = 0; k < LONGEST; k++) {
    double to = dense->problem.distance * ratio;
    bperc_status status = bperc_i_dense_slope(dense, SLOPE, to);
    if (status != BPERC_OK)
      return status;
    a[0] = a[1];
    a[1] = a[2];
    a[2] = dense->problem.alpha;
    ratio = STEP;
    if (k < 2 || !(a[1] <= a[0] && a[1] < a[2]))
      continue;
    double bend = a[0] - 2 * a[1] + a[2], tilt = 0.5 * (a[2] - a[0]);
    *distance = dense->problem.distance * pow(STEP, -1 - tilt / bend);
    status = bperc_i_dense_slope(dense, SLOPE, *distance);
    *alpha_u = dense->problem.alpha;
    return status;
  }
  return BPERC_E_NUMERIC;
}

static bperc_status check_bracket(bperc_i_dense_problem *p, double tolerance,
                                  double smallest, bperc_i_dense *dense,
                                  bperc_theory_threshold *out) {
  out->low = p->alpha = out->alpha_u - tolerance;
  bperc_status status =
      attempt_distance(p, smallest, STEP, dense, &out->at_low);
  if (status != BPERC_OK)
    return status;
  out->high = p->alpha = out->alpha_u + tolerance;
  status = attempt_distance(p, smallest, STEP, dense, &out->at_high);
  if (status == BPERC_OK && (!out->at_low.survived || out->at_high.survived))
    status = BPERC_E_NUMERIC;
  return status;
}

static bperc_status bracket(const bperc_theory_model *model, double tolerance,
                            double smallest, bperc_theory_threshold *out) {
  bperc_i_dense_problem p = {.weights = model->weights,
                             .mean = bperc_i_theory_q(model)};
  bperc_i_dense dense;
  bperc_status status = find_loss(&p, out->alpha_c, smallest, &dense);
  if (status == BPERC_OK)
    status = descend_line(&dense, &out->alpha_u, &out->distance);
  if (status == BPERC_OK)
    status = check_bracket(&p, tolerance, fmin(smallest, 0.5 * out->distance),
                           &dense, out);
  return status;
}

static int is_within(double low, double value, double high) {
  return value >= low && value <= high;
}

bperc_status bperc_theory_alpha_u(const bperc_theory_model *model,
                                  double tolerance, double smallest,
                                  bperc_theory_threshold *out,
                                  bperc_error *error) {
  bperc_theory_typical capacity;
  if (model->weights == BPERC_THEORY_INTEGER)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "alpha_U is worked out for weights 0, 1 and "
                           "-1, +1 only");
  if (!is_within(BPERC_ALPHA_U_FINEST, tolerance, BPERC_ALPHA_U_COARSEST) ||
      !is_within(BPERC_ALPHA_U_NEAREST, smallest, BPERC_ALPHA_U_FARTHEST))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "tolerance %g or smallest distance %g out of range",
                           tolerance, smallest);
  bperc_status status = bperc_i_ensemble_plain(model, "alpha_U", error);
  if (status == BPERC_OK)
    status = bperc_theory_capacity(model, &capacity, error);
  if (status != BPERC_OK)
    return status;
  *out = (bperc_theory_threshold){.alpha_c = capacity.alpha};
  if (capacity.alpha > 0)
    status = bracket(model, tolerance, smallest, out);
  if (status == BPERC_E_NUMERIC || capacity.alpha <= 0)
    return bperc_error_set(error, BPERC_E_NUMERIC,
                           "no alpha_U found below the capacity %g",
                           capacity.alpha);
  if (status != BPERC_OK)
    bperc_error_set(error, status, "%s", bperc_status_name(status));
  return status;
}
