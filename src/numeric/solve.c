#include "numeric/solve.h"

#include "numeric/gsl_guard.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <string.h>

#define HALVINGS 6     /* of a Newton step before it counts as failed */
#define PATIENCE 4     /* Jacobians before a step along a branch is shortened */
#define KEEP 0.3       /* a Jacobian that shortens steps more than this stays */
#define ROUNDING 1e-12 /* of the parameter */
#define GROWTH 1.6     /* of steps along a branch */
#define FASTER 0.3     /* growth of a slope in a step that may be too long */
#define RUNAWAY 0.6    /* change of its unknown in a step that is not */

/* ---- one unknown ---- */

typedef struct {
  bperc_i_scalar *f;
  void *context;
  bool undefined;
} guarded;

/* A NaN is an error to GSL: give it a 0 and remember. */
static double guard(double x, void *p) {
  guarded *g = p;
  double y = g->f(x, g->context);
  if (!isfinite(y)) {
    g->undefined = true;
    y = 0;
  }
  return y;
}

static bperc_status brent(gsl_root_fsolver *s, guarded *g, double low,
                          double high, double tolerance, double *root) {
  gsl_function function = {.function = guard, .params = g};
  if (gsl_root_fsolver_set(s, &function, low, high))
    return BPERC_E_NUMERIC; /* f is not the same when asked twice */
  for (int k = 0; k < 200; k++) {
    if (gsl_root_fsolver_iterate(s) || g->undefined)
      return BPERC_E_NUMERIC;
    *root = gsl_root_fsolver_root(s);
    double a = gsl_root_fsolver_x_lower(s), b = gsl_root_fsolver_x_upper(s);
    if (b - a <= tolerance * (1 + fabs(*root)))
      return BPERC_OK;
  }
  return BPERC_E_NUMERIC;
}

bperc_status bperc_i_root(bperc_i_scalar *f, void *context, double low,
                          double high, double tolerance, double *root) {
  guarded g = {.f = f, .context = context};
  double at_low = guard(low, &g), at_high = guard(high, &g);
  if (g.undefined || (at_low > 0) == (at_high > 0))
    return BPERC_E_NUMERIC;
  bperc_i_gsl_begin();
  gsl_root_fsolver *s = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
  bperc_status status =
      s ? brent(s, &g, low, high, tolerance, root) : BPERC_E_MEMORY;
  if (s)
    gsl_root_fsolver_free(s);
  bperc_i_gsl_end();
  return status;
}

/* ---- a few unknowns ---- */

static double largest(const double *r, size_t n) {
  double size = 0;
  for (size_t k = 0; k < n; k++) {
    if (!isfinite(r[k]))
      return INFINITY;
    size = fmax(size, fabs(r[k]));
  }
  return size;
}

/* Size of the residual; infinite where it is not defined. */
static bperc_status residual_size(const bperc_i_system *s, double parameter,
                                  const double *u, double *r, double *size) {
  bperc_status status = s->residual(u, parameter, r, s->context);
  *size = status == BPERC_OK ? largest(r, s->n) : INFINITY;
  return status == BPERC_E_NUMERIC ? BPERC_OK : status;
}

/* Row-major J[i][k] = dr_i/du_k by one-sided differences: its error only
 * slows the last digits, the residual itself decides. */
static bperc_status jacobian(const bperc_i_system *s, double parameter,
                             const double *u, const double *r, double *j) {
  size_t n = s->n;
  double moved[BPERC_I_UNKNOWNS], there[BPERC_I_UNKNOWNS];
  memcpy(moved, u, n * sizeof *u);
  for (size_t k = 0; k < n; k++) {
    double step = 1e-6 * (1 + fabs(u[k])), size;
    moved[k] = u[k] + step;
    bperc_status status = residual_size(s, parameter, moved, there, &size);
    if (status != BPERC_OK)
      return status;
    if (!isfinite(size)) {
      moved[k] = u[k] - step;
      step = -step;
      status = residual_size(s, parameter, moved, there, &size);
      if (status != BPERC_OK || !isfinite(size))
        return status != BPERC_OK ? status : BPERC_E_NUMERIC;
    }
    for (size_t i = 0; i < n; i++)
      j[i * n + k] = (there[i] - r[i]) / step;
    moved[k] = u[k];
  }
  return BPERC_OK;
}

/* Rows below `k` lose their k-th entry; the largest one comes up as pivot.
 * 0: there is none. */
static int eliminate(size_t n, size_t k, double *j, double *right) {
  size_t pivot = k;
  for (size_t row = k + 1; row < n; row++)
    if (fabs(j[row * n + k]) > fabs(j[pivot * n + k]))
      pivot = row;
  if (!isfinite(j[pivot * n + k]) || fabs(j[pivot * n + k]) < DBL_MIN)
    return 0;
  for (size_t c = k; pivot != k && c <= n; c++) {
    double *up = c < n ? &j[k * n + c] : &right[k];
    double *down = c < n ? &j[pivot * n + c] : &right[pivot];
    double kept = *up;
    *up = *down;
    *down = kept;
  }
  double inverse = 1 / j[k * n + k];
  for (size_t row = k + 1; row < n; row++) {
    double factor = j[row * n + k] * inverse;
    for (size_t c = k + 1; c < n; c++)
      j[row * n + c] -= factor * j[k * n + c];
    right[row] -= factor * right[k];
  }
  return 1;
}

/* du = -J^-1 r by Gaussian elimination. By hand: these systems have a few
 * unknowns, and the decomposition of GSL 2.7 allocates memory and does not look
 * whether it got any. */
static bperc_status newton_direction(size_t n, const double *jacobi,
                                     const double *r, double *du) {
  double j[BPERC_I_UNKNOWNS * BPERC_I_UNKNOWNS], right[BPERC_I_UNKNOWNS];
  assert(n <= BPERC_I_UNKNOWNS);
  memcpy(j, jacobi, n * n * sizeof *j);
  for (size_t k = 0; k < n; k++)
    right[k] = -r[k];
  for (size_t k = 0; k < n; k++)
    if (!eliminate(n, k, j, right))
      return BPERC_E_NUMERIC;
  for (size_t k = n; k-- > 0;) {
    double sum = right[k];
    for (size_t c = k + 1; c < n; c++)
      sum -= j[k * n + c] * du[c];
    du[k] = sum / j[k * n + k];
  }
  return isfinite(largest(du, n)) ? BPERC_OK : BPERC_E_NUMERIC;
}

/* A Newton step: where it starts, where it goes. */
typedef struct {
  double du[BPERC_I_UNKNOWNS]; /* the step that was taken */
  double gain;                 /* |next correction| / |du|, with the same J */
} newton_step;

/* Walk along du, halving until the next correction with the same J is shorter
 * than du. Unlike the size of the residual this does not depend on how
 * equations are scaled, and full steps pass through curved valleys. */
static bperc_status line_search(const bperc_i_system *s, double parameter,
                                const double *j, newton_step *step, double *u,
                                double *r, double *size) {
  double there[BPERC_I_UNKNOWNS], trial[BPERC_I_UNKNOWNS], trial_size;
  double after[BPERC_I_UNKNOWNS], longest = largest(step->du, s->n);
  double factor = longest > s->max_change ? s->max_change / longest : 1;
  for (int halving = 0; halving < HALVINGS; halving++, factor *= 0.5) {
    for (size_t k = 0; k < s->n; k++)
      trial[k] = u[k] + factor * step->du[k];
    bperc_status status =
        residual_size(s, parameter, trial, there, &trial_size);
    if (status != BPERC_OK)
      return status;
    if (!isfinite(trial_size) ||
        newton_direction(s->n, j, there, after) != BPERC_OK)
      continue;
    step->gain = largest(after, s->n) / longest;
    if (step->gain > 1 - 0.25 * factor && trial_size > s->tolerance)
      continue;
    for (size_t k = 0; k < s->n; k++)
      step->du[k] *= factor;
    memcpy(u, trial, s->n * sizeof *u);
    memcpy(r, there, s->n * sizeof *r);
    *size = trial_size;
    return BPERC_OK;
  }
  return BPERC_E_NUMERIC;
}

/* Broyden: the smallest change of J that explains the last step. */
static void update(size_t n, const double *du, const double *change,
                   double *j) {
  double length2 = 0;
  for (size_t k = 0; k < n; k++)
    length2 += du[k] * du[k];
  for (size_t i = 0; i < n; i++) {
    double miss = change[i];
    for (size_t k = 0; k < n; k++)
      miss -= j[i * n + k] * du[k];
    for (size_t k = 0; k < n; k++)
      j[i * n + k] += miss * du[k] / length2;
  }
}

/* A step with the J at hand. */
static bperc_status step_with(const bperc_i_system *s, double parameter,
                              double *j, double *u, double *r, double *size,
                              double *gain) {
  newton_step step = {0};
  double change[BPERC_I_UNKNOWNS];
  bperc_status status = newton_direction(s->n, j, r, step.du);
  if (status != BPERC_OK)
    return status;
  memcpy(change, r, s->n * sizeof *r);
  status = line_search(s, parameter, j, &step, u, r, size);
  if (status != BPERC_OK)
    return status;
  for (size_t k = 0; k < s->n; k++)
    change[k] = r[k] - change[k];
  update(s->n, step.du, change, j);
  *gain = step.gain;
  return BPERC_OK;
}

/* J costs n residuals: keep an updated one while steps shrink fast, and give
 * up when so many were not enough. */
static bperc_status newton(const bperc_i_system *s, int jacobians,
                           double parameter, double *u, double *size) {
  double r[BPERC_I_UNKNOWNS], j[BPERC_I_UNKNOWNS * BPERC_I_UNKNOWNS];
  assert(s->n >= 1 && s->n <= BPERC_I_UNKNOWNS);
  bool usable = false;
  bperc_status status = residual_size(s, parameter, u, r, size);
  if (status == BPERC_OK && !isfinite(*size))
    status = BPERC_E_NUMERIC;
  for (int k = 0; status == BPERC_OK && *size > s->tolerance; k++) {
    double gain = 1;
    bool fresh = !usable;
    if (k == s->max_steps || (fresh && jacobians-- == 0))
      return BPERC_E_NUMERIC;
    if (fresh)
      status = jacobian(s, parameter, u, r, j);
    if (status == BPERC_OK)
      status = step_with(s, parameter, j, u, r, size, &gain);
    usable = status == BPERC_OK && gain < KEEP;
    if (status == BPERC_E_NUMERIC && !fresh)
      status = BPERC_OK;
  }
  return status;
}

bperc_status bperc_i_newton(const bperc_i_system *s, double parameter,
                            double *u, double *size) {
  return newton(s, s->max_steps, parameter, u, size);
}

/* ---- following ---- */

void bperc_i_branch_restart(bperc_i_branch *branch, double parameter) {
  branch->parameter = parameter;
  branch->step = branch->last = 0;
  memset(branch->slope, 0, sizeof branch->slope);
  memset(branch->bend, 0, sizeof branch->bend);
}

/* The parabola through the last three points, or the line through two. */
static void predict(size_t n, double step, const bperc_i_branch *from,
                    bperc_i_branch *next) {
  next->parameter += step;
  for (size_t k = 0; k < n; k++)
    next->u[k] += step * (from->slope[k] + (step + from->last) * from->bend[k]);
}

/* Divided differences over the step just made, unless it is a rounding error;
 * after a turn the second ones start again. */
static void remember(size_t n, double step, const bperc_i_branch *from,
                     bperc_i_branch *next) {
  bool onwards = step * from->last > 0;
  if (fabs(step) < ROUNDING * (1 + fabs(next->parameter)))
    return;
  for (size_t k = 0; k < n; k++) {
    next->slope[k] = (next->u[k] - from->u[k]) / step;
    next->bend[k] =
        onwards ? (next->slope[k] - from->slope[k]) / (step + from->last) : 0;
  }
  next->last = step;
  next->step = fabs(step);
}

/* Newton from the predicted point; on failure the branch is unchanged. */
static bperc_status advance_branch(const bperc_i_system *s,
                                   const bperc_i_stride *stride, double step,
                                   bperc_i_branch *branch) {
  bperc_i_branch next = *branch;
  predict(s->n, step, branch, &next);
  bperc_status status = newton(s, PATIENCE, next.parameter, next.u, &next.size);
  if (status == BPERC_OK && stride->accept &&
      !stride->accept(&next, s->context))
    status = BPERC_E_NUMERIC;
  if (status != BPERC_OK)
    return status;
  remember(s->n, step, branch, &next);
  *branch = next;
  return BPERC_OK;
}

/* An unknown that runs away ever faster, as at the end of a branch, must not
 * change much in a step: a longer one would fail. */
static double foresee(size_t n, double step, const bperc_i_branch *branch) {
  double length = fabs(step);
  for (size_t k = 0; k < n; k++) {
    double bend = 2 * branch->bend[k] * step;
    double slope = branch->slope[k] + branch->last * branch->bend[k];
    if (bend / slope > FASTER && fabs(slope * step) > RUNAWAY)
      length = fmin(length, RUNAWAY / fabs(slope));
  }
  return length;
}

bperc_status bperc_i_follow(const bperc_i_system *s,
                            const bperc_i_stride *stride, double target,
                            bperc_i_branch *branch) {
  double length = branch->step > 0 ? branch->step : stride->first;
  double growth = GROWTH;
  bool arrived = true; /* the residual was last evaluated at the branch */
  while (branch->parameter != target) {
    double rest = target - branch->parameter;
    if (arrived && stride->enough && stride->enough(branch, s->context))
      return BPERC_E_NUMERIC;
    if (stride->foresee)
      length = fmax(foresee(s->n, copysign(length, rest), branch),
                    fmin(length, 2.4 * stride->smallest));
    bool last = fabs(rest) <= length * 1.01;
    double step = last ? rest : copysign(length, rest);
    bperc_status status = advance_branch(s, stride, step, branch);
    arrived = status == BPERC_OK;
    if (arrived) {
      if (last)
        branch->parameter = target;
      length = fmin(growth * length, stride->largest);
      growth = GROWTH;
    } else if (status == BPERC_E_NUMERIC) {
      length = 0.4 * fabs(step);
      if (stride->foresee)
        growth = 1; /* what has just failed would fail again */
      if (length < stride->smallest)
        return status;
    } else {
      return status;
    }
  }
  branch->step = fmax(branch->step, length / GROWTH);
  return BPERC_OK;
}
