/* Densest region: free entropy and saddle-point equations. */
#include "theory/dense.h"

#include <math.h>

/* A smaller step of the overlap needs more nodes than it is worth; followed
 * down to several times this. */
#define SMALLEST_STEP 5e-4
/* Stationarity in x is a small difference; below this share of its terms, ask
 * for less than the tolerance. */
#define ROUNDING 3e-4
#define ODDS 10 /* log-odds of w' = 1 up to which their asinh is linear */

bperc_status bperc_i_dense_rule_init(bperc_i_dense_rule *rule, int finer) {
  rule->reach = finer ? 9 : 7.5;
  rule->panel = finer ? 0.8 : 1.5;
  bperc_status status = bperc_i_legendre_init(&rule->inner, finer ? 12 : 8);
  if (status == BPERC_OK)
    status = bperc_i_legendre_init(&rule->outer, finer ? 12 : 8);
  if (status == BPERC_OK)
    status = bperc_i_hermite_init(&rule->peak, finer ? 24 : 16);
  return status;
}

static bool in_domain(const bperc_i_dense_state *s) {
  return isfinite(s->lam) && s->d > 0 && s->delta > 0 && s->x > 1e-3 &&
         s->x < 1e7 && s->q0 > 0 &&
         s->step > SMALLEST_STEP * fmin(0.02 * s->q1, s->d);
}

/* 1/y */
static double inverse_y(const bperc_i_dense_state *s) {
  return s->y > 0 ? 1 / s->y : 0;
}

/* y (qhA qA - qhB qB) for the overlaps qA = q1 + delta/y, qhA = qh1 + dh/y of
 * copies of one reference and qB = q1, qhB = qh1 of copies of two. */
static double copies_term(const bperc_i_dense_state *s) {
  return s->qh1 * s->delta + s->dh * (s->q1 + s->delta * inverse_y(s));
}

/* F without the two averages; they enter as GS and GE. */
static double combine(const bperc_i_dense_problem *p,
                      const bperc_i_dense_state *s, double gs, double ge) {
  double hq = p->weights == BPERC_THEORY_ISING ? 0 : s->h * p->mean;
  return -hq + s->lam * p->distance -
         0.5 * (s->qh1 + s->dh * inverse_y(s)) * s->d - 0.5 * copies_term(s) -
         0.5 * s->x * (s->qh1 * s->q1 - s->qh0 * s->q0) +
         (gs + p->alpha * ge) / s->x;
}

bperc_status bperc_i_dense_free_entropy(const bperc_i_dense_problem *problem,
                                        const bperc_i_dense_state *s,
                                        const bperc_i_dense_rule *rule,
                                        double *entropy) {
  bperc_i_dense_patterns patterns;
  bperc_i_dense_sites sites;
  bperc_status status = bperc_i_dense_patterns_average(s, rule, &patterns);
  if (status == BPERC_OK)
    status = bperc_i_dense_sites_average(problem->weights, s, rule, &sites);
  if (status == BPERC_OK)
    *entropy = combine(problem, s, sites.log_z, patterns.log_z);
  return status;
}

/* l'' = scale^2 s (1-s) for flip probability s: d is close to scale^2 D when
 * D is small, and the difference is the better unknown. */
static double scale2(const bperc_i_dense_problem *p) {
  return p->weights == BPERC_THEORY_ISING ? 4 : 1;
}

static void unpack_dense(const bperc_i_dense_problem *p, const double *u,
                         bperc_i_dense_state *s) {
  s->y = p->y;
  s->d = scale2(p) * p->distance - exp(u[0]);
  s->delta = exp(u[1]);
  s->q1 = p->mean - s->d - s->delta * inverse_y(s);
  s->step = s->q1 * exp(u[2]);
  s->q0 = s->q1 - s->step;
  s->lam = u[BPERC_I_DENSE_LAM];
  s->x = exp(u[4]);
}

static bperc_status find_dense_patterns(const bperc_i_dense_state *s,
                                        const bperc_i_dense_rule *rule,
                                        bperc_i_dense_memo *memo) {
  if (memo->y == s->y && memo->d == s->d && memo->delta == s->delta &&
      memo->q1 == s->q1 && memo->step == s->step && memo->x == s->x)
    return BPERC_OK;
  *memo = (bperc_i_dense_memo){.y = s->y,
                               .d = s->d,
                               .delta = s->delta,
                               .q1 = s->q1,
                               .step = s->step,
                               .x = s->x};
  bperc_status status = bperc_i_dense_patterns_average(s, rule, &memo->average);
  if (status != BPERC_OK)
    memo->x = 0;
  return status;
}

/* Stationarity in x. Per c0, <A> - log(Z)/x is the relative entropy of the
 * inner measure over x. By the logarithmic Sobolev inequality it is at most x
 * sigma^2 <A'^2>/2, by Talagrand's at least x sigma^2 <A'>^2/2 (B likewise).
 * With q1 = <A'^2> and qh0 = alpha <<B'>^2> the equation says that what the
 * weights lack to the first equals what the patterns exceed the second by. Both
 * are positive, and the logarithm of their ratio is nearly linear in the
 * unknowns, where the difference has curved valleys. */
static double stationarity(double alpha, const bperc_i_dense_state *s,
                           const bperc_i_dense_sites *sites,
                           const bperc_i_dense_patterns *patterns) {
  double lack = 0.5 * s->x * (s->qh1 - s->qh0) * sites->square -
                (sites->value - sites->log_z / s->x);
  double excess = alpha * (patterns->value - patterns->log_z / s->x) -
                  0.5 * s->x * s->qh0 * s->step;
  double terms = fabs(sites->value) + alpha * fabs(patterns->value);
  return log(excess / lack) * lack / (lack + ROUNDING * terms);
}

/* h of its unknown. */
static double dense_field(const bperc_i_dense_problem *p, double u, double x,
                          double spread) {
  return p->weights == BPERC_THEORY_ISING
             ? 0
             : ODDS * sinh(u) / x - 0.5 * x * p->alpha * spread;
}

static double mean_residual(const bperc_i_dense_problem *p,
                            const bperc_i_dense_sites *sites) {
  return log(sites->mean / (1 - sites->mean) * (1 - p->mean) / p->mean);
}

bperc_status bperc_i_dense_equations(const bperc_i_dense_problem *problem,
                                     const double *u,
                                     const bperc_i_dense_rule *rule,
                                     bperc_i_dense_memo *memo,
                                     bperc_i_dense_state *s, double *r) {
  bperc_i_dense_patterns patterns;
  bperc_i_dense_sites sites;
  unpack_dense(problem, u, s);
  if (!in_domain(s))
    return BPERC_E_NUMERIC;
  bperc_status status = find_dense_patterns(s, rule, memo);
  if (status != BPERC_OK)
    return status;
  patterns = memo->average;
  s->qh1 = problem->alpha * patterns.square;
  s->qh0 = problem->alpha * (patterns.square - patterns.spread);
  s->dh = problem->alpha * patterns.stiffness;
  s->h = dense_field(problem, u[5], s->x, patterns.spread);
  if (!(s->qh0 > 0 && s->qh1 > s->qh0 && s->dh > 0))
    return BPERC_E_NUMERIC;
  status = bperc_i_dense_sites_average(problem->weights, s, rule, &sites);
  if (status != BPERC_OK)
    return status;
  s->entropy = combine(problem, s, sites.log_z, patterns.log_z);
  r[0] = log(sites.deficit) - u[0];
  r[1] = log(sites.delta / s->delta);
  r[2] = log(sites.spread / s->step);
  r[3] = log(sites.flip / problem->distance);
  r[4] = stationarity(problem->alpha, s, &sites, &patterns);
  r[5] = mean_residual(problem, &sites);
  return BPERC_OK;
}

/* dPhi/dy at fixed m = x/y; F is stationary in x, so that only the explicit y
 * counts: internal = F + y dF/dy, and dA/dy = (<l> - A)/y. */
bperc_status bperc_i_dense_entropies_at(const bperc_i_dense_problem *problem,
                                        const bperc_i_dense_state *s,
                                        const bperc_i_dense_rule *rule,
                                        bperc_i_dense_entropies *out) {
  bperc_i_dense_patterns patterns;
  bperc_i_dense_sites sites;
  bperc_status status = bperc_i_dense_patterns_average(s, rule, &patterns);
  if (status == BPERC_OK)
    status = bperc_i_dense_sites_average(problem->weights, s, rule, &sites);
  if (status != BPERC_OK)
    return status;
  double explicit_y = sites.energy - sites.value - 0.5 * copies_term(s) +
                      problem->alpha * (patterns.energy - patterns.value);
  out->internal = combine(problem, s, sites.log_z, patterns.log_z) + explicit_y;
  out->external = -s->y * explicit_y;
  return BPERC_OK;
}

/* ---- replica-symmetric references at finite y ---- */

bperc_status bperc_i_symmetric_equations(const bperc_i_dense_problem *problem,
                                         const double *u,
                                         const bperc_i_dense_rule *rule,
                                         bperc_i_dense_memo *memo,
                                         bperc_i_dense_state *s, double *r) {
  bperc_i_dense_sites sites;
  *s = (bperc_i_dense_state){.y = problem->y, .x = problem->y, .lam = u[2]};
  s->d = scale2(problem) * problem->distance - exp(u[0]);
  s->q1 = problem->mean - s->d;
  s->step = s->q1 * exp(u[1]);
  s->q0 = s->q1 - s->step;
  if (!(s->d > 0 && s->q0 > 0 && s->step > 0 && isfinite(s->lam)))
    return BPERC_E_NUMERIC;
  bperc_status status = find_dense_patterns(s, rule, memo);
  if (status != BPERC_OK)
    return status;
  s->qh1 = problem->alpha * memo->average.square;
  s->qh0 = problem->alpha * (memo->average.square - memo->average.spread);
  s->h = dense_field(problem, u[3], s->x, memo->average.spread);
  if (!(s->qh0 > 0 && s->qh1 > s->qh0))
    return BPERC_E_NUMERIC;
  status = bperc_i_dense_sites_average(problem->weights, s, rule, &sites);
  if (status != BPERC_OK)
    return status;
  s->entropy = combine(problem, s, sites.log_z, memo->average.log_z);
  r[0] = log(sites.deficit) - u[0];
  r[1] = log((sites.delta / s->y + sites.spread) / s->step);
  r[2] = log(sites.flip / problem->distance);
  r[3] = mean_residual(problem, &sites);
  return BPERC_OK;
}

bperc_status bperc_i_symmetric_entropies(const bperc_i_dense_problem *problem,
                                         const bperc_i_dense_state *s,
                                         const bperc_i_dense_rule *rule,
                                         bperc_i_dense_entropies *out) {
  bperc_i_dense_patterns patterns;
  bperc_i_dense_sites sites;
  bperc_status status = bperc_i_dense_patterns_average(s, rule, &patterns);
  if (status == BPERC_OK)
    status = bperc_i_dense_sites_average(problem->weights, s, rule, &sites);
  if (status != BPERC_OK)
    return status;
  double phi = s->y * combine(problem, s, sites.log_z, patterns.log_z);
  out->internal = combine(problem, s, 0, 0) -
                  0.5 * s->y * (s->qh1 * s->q1 - s->qh0 * s->q0) +
                  sites.energy + problem->alpha * patterns.energy;
  out->external = phi - s->y * out->internal;
  return BPERC_OK;
}
