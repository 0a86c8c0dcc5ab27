/* Teacher and student: fixed points of state evolution and their entropies.
 *
 * Every strength r of the messages is a fixed point of some alpha:
 *   gap(r) from the weights, alpha(r) = r gap / information(gap)
 *   s = S + free(r) - r q/2 + alpha (log_p(gap) + Hb(noise)),  q = Q - gap
 * with S = Hb(Q) the entropy of the prior; the teacher itself has s = 0 at
 * every alpha. Where alpha rises with r the fixed point is stable, and there s
 * falls with alpha. Message passing stops at the first r that has the given
 * alpha.
 */
#include "theory/teacher.h"

#include "numeric/gauss.h"
#include "numeric/solve.h"

#include <math.h>

#define FIRST 1e-8        /* r where the line begins */
#define STRIDE 0.1        /* in log r */
#define SMALLEST_GAP 1e-4 /* of Q: alpha falls like sqrt(gap) before */
#define POINTS 250

/* ---- what is asked ---- */

static double threshold_of(double fout) {
  double low = -40, high = 40;
  if (fout == 0 || fout == 0.5)
    return 0;
  for (int k = 0; k < 100; k++) {
    double middle = 0.5 * (low + high);
    *(bperc_i_log_h(middle) > log(fout) ? &low : &high) = middle;
  }
  return low;
}

static bperc_status check_teacher(const bperc_teacher_model *m,
                                  bperc_error *error) {
  if (m->weights != BPERC_THEORY_01 && m->weights != BPERC_THEORY_ISING)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a teacher is worked out for weights 0, 1 and "
                           "-1, +1 only");
  if (m->weights == BPERC_THEORY_01 && !(m->mean > 1e-3 && m->mean < 0.999))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the mean weight must lie between 0.001 and 0.999, "
                           "not at %g",
                           m->mean);
  if (m->fout != 0 && !(m->fout >= 1e-6 && m->fout <= 1 - 1e-6))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "f_out must lie between 0 and 1, not at %g",
                           m->fout);
  if (!(m->noise >= 0 && m->noise < 0.5))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "noise must lie between 0 and 0.5, not at %g",
                           m->noise);
  if (!(m->band >= 0 && m->band < 8))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the band must lie between 0 and 8 (units of "
                           "sqrt(N)), not at %g",
                           m->band);
  if (!(m->alpha >= 0) || !isfinite(m->alpha))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "alpha must be 0 or more, not %g", m->alpha);
  return BPERC_OK;
}

bperc_status bperc_i_planted_make(const bperc_teacher_model *m,
                                  bperc_i_planted *out, bperc_error *error) {
  bperc_status status = check_teacher(m, error);
  int pm = m->weights == BPERC_THEORY_ISING;
  double mean = pm ? 0.5 : m->mean;
  *out = (bperc_i_planted){.mean = mean,
                           .known = pm || m->exact_inputs ? mean * mean : 0,
                           .alpha = m->alpha,
                           .noise = m->noise,
                           .threshold = m->band > 0 ? 0 : threshold_of(m->fout),
                           .band = pm ? 0.5 * m->band : m->band};
  return status;
}

static double binary_entropy_of(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * log(p) - (1 - p) * log1p(-p);
}

/* ---- the line of fixed points ---- */

typedef struct {
  double r, gap, alpha, entropy;
} point;

static point planted_point(const bperc_i_planted *p, double r, int finer) {
  bperc_i_planted_site site = bperc_i_planted_weights(p, r, finer);
  bperc_i_planted_labels labels = bperc_i_planted_patterns(p, site.gap, finer);
  double alpha = r * site.gap / labels.information;
  double entropy = binary_entropy_of(p->mean) + site.free -
                   0.5 * r * (p->mean - site.gap) +
                   alpha * (labels.log_p + binary_entropy_of(p->noise));
  return (point){r, site.gap, alpha, entropy};
}

typedef struct {
  const bperc_i_planted *planted;
  double alpha;
  int finer;
  size_t n;
  point at[POINTS];
} line;

static bperc_status draw_line(line *l) {
  double log_r = log(FIRST);
  for (l->n = 0; l->n < POINTS; l->n++) {
    if (bperc_cancelled())
      return BPERC_E_INTERRUPTED;
    point *p = l->at + l->n;
    *p = planted_point(l->planted, exp(log_r), l->finer);
    if (p->gap < SMALLEST_GAP * l->planted->mean)
      break;
    if (!isfinite(p->alpha))
      return BPERC_E_NUMERIC;
    /* wider steps where messages are still weak */
    log_r += (p->r < 0.01 ? 8 : 1) * STRIDE;
  }
  return l->n < POINTS ? BPERC_OK : BPERC_E_NUMERIC;
}

static double planted_entropy(double log_r, void *context) {
  const line *l = context;
  return planted_point(l->planted, exp(log_r), l->finer).entropy;
}

static double load_on_line(double log_r, void *context) {
  const line *l = context;
  return planted_point(l->planted, exp(log_r), l->finer).alpha - l->alpha;
}

/* The highest load between the neighbours of point k. */
static point highest_load(const line *l, size_t k) {
  const double golden = 0.6180339887498949;
  double low = log(l->at[k - 1].r), high = log(l->at[k + 1].r);
  for (int step = 0; step < 80 && high - low > 1e-9; step++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (load_on_line(a, (void *)l) > load_on_line(b, (void *)l))
      high = b;
    else
      low = a;
  }
  return planted_point(l->planted, exp(0.5 * (low + high)), l->finer);
}

/* Root of f between two points of the line. */
static bperc_status root_between(line *l, bperc_i_scalar *f, const point *a,
                                 const point *b, point *out) {
  double at;
  bperc_status status = bperc_i_root(f, l, log(a->r), log(b->r), 1e-14, &at);
  if (status == BPERC_OK)
    *out = planted_point(l->planted, exp(at), l->finer);
  return status;
}

/* ---- thresholds ---- */

/* Without any knowledge, r = 0: stable up to the first load of the line. */
static point ignorance(const line *l, double alpha) {
  const bperc_i_planted *p = l->planted;
  point at = {.gap = bperc_i_planted_weights(p, 0, l->finer).gap};
  double log_p = bperc_i_planted_patterns(p, at.gap, l->finer).log_p;
  at.alpha = alpha;
  at.entropy = binary_entropy_of(p->mean) +
               alpha * (log_p + binary_entropy_of(p->noise));
  return at;
}

/* Stable pieces end at the maxima of alpha; on each, s falls. */
static bperc_status find_thresholds(line *l, double *it, double *amp) {
  bperc_status status = BPERC_OK;
  double prior = binary_entropy_of(l->planted->mean);
  double lost = prior - ignorance(l, 1).entropy; /* per alpha */
  *amp = l->at[0].alpha;
  *it = fmin(*amp, prior / lost);
  for (size_t k = 1; status == BPERC_OK && k + 1 < l->n; k++) {
    point top, zero;
    int rises = l->at[k].alpha > l->at[k - 1].alpha;
    if (!rises)
      continue;
    int peak = l->at[k + 1].alpha <= l->at[k].alpha;
    top = peak ? highest_load(l, k) : l->at[k + 1];
    if (peak)
      *amp = fmax(*amp, top.alpha);
    const point *from = l->at + k - 1;
    if (from->entropy >= 0 && top.entropy < 0) {
      status = root_between(l, planted_entropy, from, &top, &zero);
      if (status == BPERC_OK)
        *it = fmax(*it, zero.alpha);
    } else if (peak && top.entropy >= 0) {
      *it = fmax(*it, top.alpha);
    }
  }
  return status;
}

/* ---- the states at one load ---- */

/* The teacher itself. */
static point perfect(void) { return (point){INFINITY, 0, 0, 0}; }

/* First fixed point from below, and that of the largest entropy. */
static bperc_status find_states(line *l, double alpha, point *first,
                                point *best) {
  point at;
  bperc_status status = BPERC_OK;
  int found = 0;
  l->alpha = alpha;
  *first = *best = perfect();
  if (alpha <= l->at[0].alpha) { /* weaker than any message: no knowledge */
    *first = ignorance(l, alpha);
    found = 1;
    if (first->entropy > best->entropy)
      *best = *first;
  }
  for (size_t k = 0; status == BPERC_OK && k + 1 < l->n; k++) {
    const point *from = l->at + k;
    point to = l->at[k + 1];
    if (k + 2 < l->n && to.alpha > from->alpha && l->at[k + 2].alpha < to.alpha)
      to = highest_load(l, k + 1);
    if (!(from->alpha < alpha && to.alpha >= alpha))
      continue;
    status = root_between(l, load_on_line, from, &to, &at);
    if (status != BPERC_OK)
      break;
    if (!found)
      *first = at;
    found = 1;
    if (at.entropy > best->entropy)
      *best = at;
  }
  return status;
}

/* A state in the weights' own unit: w = 2b - 1 for -1, +1. */
static bperc_status tell_student(const bperc_i_planted *p, int pm,
                                 const point *at, bperc_teacher_state *out) {
  *out =
      (bperc_teacher_state){.overlap = pm ? 1 - 4 * at->gap : p->mean - at->gap,
                            .entropy = at->entropy};
  return at->gap > 0 ? bperc_i_planted_errors(p, at->gap, &out->error_bayes,
                                              &out->error_gibbs)
                     : BPERC_OK;
}

static bperc_status solve_planted(const bperc_i_planted *p, int finer, line *l,
                                  bperc_teacher_answer *out, point states[2]) {
  *l = (line){.planted = p, .finer = finer};
  bperc_status status = draw_line(l);
  if (status == BPERC_OK)
    status = find_thresholds(l, &out->alpha_it, &out->alpha_amp);
  if (status == BPERC_OK)
    status = find_states(l, p->alpha, &states[0], &states[1]);
  return status;
}

bperc_status bperc_teacher_generalisation(const bperc_teacher_model *model,
                                          bperc_teacher_answer *out,
                                          bperc_error *error) {
  bperc_i_planted p;
  bperc_teacher_answer finer;
  point states[2], again[2];
  line l;
  bperc_status status = bperc_i_planted_make(model, &p, error);
  if (status != BPERC_OK)
    return status;
  int pm = model->weights == BPERC_THEORY_ISING;
  status = solve_planted(&p, 0, &l, out, states);
  if (status == BPERC_OK)
    status = tell_student(&p, pm, &states[0], &out->amp);
  if (status == BPERC_OK)
    status = tell_student(&p, pm, &states[1], &out->best);
  if (status == BPERC_OK)
    status = solve_planted(&p, 1, &l, &finer, again);
  if (status != BPERC_OK)
    return bperc_error_set(
        error, status,
        status == BPERC_E_NUMERIC ? "no line of fixed points found" : "%s",
        bperc_status_name(status));
  out->residual = states[0].r > 0 && isfinite(states[0].r)
                      ? fabs(states[0].alpha - p.alpha)
                      : 0;
  out->quadrature_error = fmax(fabs(out->alpha_it - finer.alpha_it),
                               fmax(fabs(out->alpha_amp - finer.alpha_amp),
                                    fabs(states[0].gap - again[0].gap)));
  return BPERC_OK;
}

/* ---- state evolution ---- */

bperc_status bperc_teacher_evolution(const bperc_teacher_model *model,
                                     double start, size_t n,
                                     bperc_teacher_state *states,
                                     bperc_error *error) {
  bperc_i_planted p;
  bperc_status status = bperc_i_planted_make(model, &p, error);
  if (status != BPERC_OK)
    return status;
  if (!(start >= 0 && start < 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the first relative overlap lies between 0 and 1, "
                           "not at %g",
                           start);
  double span = p.mean * (1 - p.mean);
  point at = {.gap = span * (1 - start), .entropy = NAN};
  for (size_t k = 0; status == BPERC_OK && k <= n; k++) {
    if (k > 0 && at.gap > 1e-12 * span) {
      double information = bperc_i_planted_patterns(&p, at.gap, 0).information;
      at.gap =
          bperc_i_planted_weights(&p, p.alpha * information / at.gap, 0).gap;
    }
    if (at.gap <= 1e-12 * span)
      at.gap = 0;
    status =
        tell_student(&p, model->weights == BPERC_THEORY_ISING, &at, states + k);
    if (status == BPERC_OK && bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  if (status != BPERC_OK)
    bperc_error_set(error, status, "%s", bperc_status_name(status));
  return status;
}
