/* Centred belief propagation: the activity pinned as a global constraint.
 *
 * Patterns of 0/1 inputs all hold the activity S = sum of the weights, so that
 * weights are correlated: each pair a little, the sum of a pattern as a whole a
 * lot. Here every message is taken at given S. Of a pattern let A and B be the
 * sums over inputs 1 and 0, with means a, b and variances v_a, v_b, and
 * D = S - a - b. At given S the sum A has mean a + (v_a / V) D and variance
 * v_a v_b / V, V = v_a + v_b; its pattern speaks to all weights, with the
 * coefficients 1 - v_a/V (inputs 1) and -v_a/V (inputs 0) of a centred pattern.
 * Where the bound is small A is summed exactly and B alone is Gaussian.
 *
 * S itself is where log Z(S) is stationary, lambda = sum of d log P(ok|S)/dS,
 * with lambda the uniform field at which the weights have that activity; the
 * width of the maximum is part of log Z. docs/bp.md derives all of it. */
#include "bp/centred.h"

#include "bp/factor.h"
#include "bp/graph.h"
#include "bp/method.h"
#include "numeric/gauss.h"

#include <math.h>
#include <string.h>

#define LEAST_VARIANCE 1e-9
/* Variance of B below which its whole numbers would show. */
#define LEAST_SPREAD 0.1
/* Exact up to this bound; the distribution of A ends at LONGEST then. */
#define EXACT_BOUND 32
#define LONGEST 94
/* A polynomial whose last coefficient is larger than this is not used. */
#define FIT_TOLERANCE 1e-5

/* A row with what its messages need. */
typedef struct {
  const bperc_i_factor *factor;
  double s, edge;                /* +1 for label 1; where the Gaussian cuts A */
  double a, b, va, vb, all, off; /* all = V, off = D */
  double activity, shift; /* shift: uniform field that was added to the row */
  size_t reach;           /* exact: largest count of A that is kept */
} row;

/* ---- Gaussian */

static double cut(double h) {
  return fmax(-BPERC_I_FORCED, fmin(BPERC_I_FORCED, h));
}

/* h_hat of a weight with P(1) = p, of an input 1 (active) or 0. */
static double gaussian_message(const row *r, int active, double p) {
  double v = p * (1 - p), all = fmax(r->all - v, LEAST_VARIANCE);
  double va = fmax(active ? r->va - v : r->va, LEAST_VARIANCE);
  double vb = fmax(active ? r->vb : r->vb - v, LEAST_VARIANCE);
  double rho = va / all, sigma = sqrt(fmax(va * vb / all, LEAST_VARIANCE));
  double ahead = r->edge - r->a - rho * r->off, step = active ? 1 - rho : -rho;
  return cut(bperc_i_log_h_ratio(r->s * (ahead - (1 - p) * step) / sigma,
                                 r->s * (ahead + p * step) / sigma));
}

/* log P(ok|S), its slope and minus its curvature in S. */
static double gaussian_factor(const row *r, double *slope, double *curvature) {
  double rho = r->va / r->all;
  double sigma = sqrt(fmax(r->va * r->vb / r->all, LEAST_VARIANCE));
  double x = r->s * (r->edge - r->a - rho * r->off) / sigma;
  bperc_i_gauss_tail tail = bperc_i_tail_at(x);
  *slope = r->s * tail.hazard * rho / sigma;
  *curvature = tail.hazard * tail.excess * rho * rho / (sigma * sigma);
  return bperc_i_log_h(x);
}

/* ---- A exact, B Gaussian */

static int ok(const row *r, size_t count) {
  int64_t k = (int64_t)count;
  return r->factor->label ? k >= r->factor->left : k <= r->factor->left;
}

/* F(k) = P(B = S - extra - k), up to a factor, B without a weight of mean m and
 * variance v. */
static void spread_count(const row *r, double extra, double m, double v,
                         double *f) {
  double vb = fmax(r->vb - v, LEAST_SPREAD), top = -INFINITY;
  for (size_t k = 0; k <= r->reach; k++) {
    double d = r->activity - extra - (double)k - (r->b - m);
    f[k] = -d * d / (2 * vb);
    top = fmax(top, f[k]);
  }
  for (size_t k = 0; k <= r->reach; k++)
    f[k] = exp(f[k] - top);
}

static double log_share(double good, double all) {
  return log(fmax(good, 1e-300) / fmax(all, 1e-300));
}

/* log P(ok | S, w) for a weight of an input 0. */
static double inactive_share(const row *r, const double *count, double p, int w,
                             double *f) {
  double good = 0, all = 0;
  spread_count(r, w, p, p * (1 - p), f);
  for (size_t k = 0; k <= r->reach; k++) {
    all += count[k] * f[k];
    good += ok(r, k) ? count[k] * f[k] : 0;
  }
  return log_share(good, all);
}

static double exact_message(const row *r, const double *count, double p,
                            double *f) {
  return cut(inactive_share(r, count, p, 1, f) -
             inactive_share(r, count, p, 0, f));
}

/* Distributions of the first j of A's weights, j = 0 .. degree. */
static void heads(const row *r, const double *p, size_t degree, double *head) {
  size_t width = r->reach + 1;
  memset(head, 0, width * sizeof *head);
  head[0] = 1;
  for (size_t j = 0; j < degree; j++) {
    const double *last = head + j * width;
    double *next = head + (j + 1) * width;
    next[0] = (1 - p[j]) * last[0];
    for (size_t k = 1; k < width; k++)
      next[k] = (1 - p[j]) * last[k] + p[j] * last[k - 1];
  }
}

/* The four sums that a message compares: w = 0, 1, all and ok. */
enum { ALL0, OK0, ALL1, OK1, SUMS };

static void start_tails(const row *r, double tail[SUMS][LONGEST + 2]) {
  for (int w = 0; w < 2; w++) {
    double *all = tail[2 * w + ALL0], *good = tail[2 * w + OK0];
    spread_count(r, w, 0, 0, all);
    for (size_t k = 0; k <= r->reach; k++)
      good[k] = ok(r, k + (size_t)w) ? all[k] : 0;
    all[r->reach + 1] = good[r->reach + 1] = 0;
  }
}

/* h_hat of the weights of inputs 1, from the last to the first. */
static void exact_active(const row *r, const double *p, size_t degree,
                         const double *head, double *h_hat) {
  double tail[SUMS][LONGEST + 2];
  size_t width = r->reach + 1;
  start_tails(r, tail);
  for (size_t j = degree; j-- > 0;) {
    double sum[SUMS] = {0};
    for (int f = 0; f < SUMS; f++) {
      for (size_t k = 0; k < width; k++)
        sum[f] += head[j * width + k] * tail[f][k];
      for (size_t k = 0; k < width; k++)
        tail[f][k] = (1 - p[j]) * tail[f][k] + p[j] * tail[f][k + 1];
    }
    h_hat[j] =
        cut(log_share(sum[OK1], sum[ALL1]) - log_share(sum[OK0], sum[ALL0]));
  }
}

/* log P(ok|S); slope and curvature are differences of means and variances of
 * the count. */
static double exact_factor(const row *r, const double *count, double *slope,
                           double *curvature) {
  double f[LONGEST + 2], sum[2][3] = {{0}}, mean[2], variance[2];
  double vb = fmax(r->vb, LEAST_SPREAD);
  spread_count(r, 0, 0, 0, f);
  for (size_t k = 0; k <= r->reach; k++)
    for (int g = 0; g < 1 + ok(r, k); g++) {
      sum[g][0] += count[k] * f[k];
      sum[g][1] += count[k] * f[k] * (double)k;
      sum[g][2] += count[k] * f[k] * (double)(k * k);
    }
  for (int g = 0; g < 2; g++) {
    double z = fmax(sum[g][0], 1e-300);
    mean[g] = sum[g][1] / z;
    variance[g] = sum[g][2] / z - mean[g] * mean[g];
  }
  *slope = (mean[1] - mean[0]) / vb;
  *curvature = (variance[0] - variance[1]) / (vb * vb);
  return log_share(sum[1][0], sum[0][0]);
}

/* ---- rows */

static int exact_here(const bperc_bp *bp, size_t mu) {
  const bperc_i_factor *a = &bp->factor[mu];
  return bperc_i_bp_exact_here(bp, mu) &&
         (a->degree <= LONGEST || a->left < EXACT_BOUND);
}

size_t bperc_i_centred_table_room(size_t degree) {
  return (degree + 2) * (LONGEST + 2);
}

/* The probabilities p after a uniform field log t is added; their sums. */
static bperc_i_row_sums shifted_sums(float *p, size_t count, double t) {
  bperc_i_row_sums sums = {0, 0};
  float x = (float)t;
  for (size_t k = 0; k < count; k++) {
    p[k] = p[k] * x / (1 - p[k] + p[k] * x);
    sums.a += (double)p[k];
    sums.v += (double)(p[k] - p[k] * p[k]);
  }
  return sums;
}

/* Without a pattern that forces weights the others are far from the activity
 * S: a uniform field brings them there, up to a rest that is small. */
#define SMALL_REST 1e-3
#define MOST_PINS 20
#define LONGEST_PIN 1.0

static void pin_row(const bperc_bp *bp, bperc_i_bp_workspace *w, row *r) {
  for (int k = 0; k < MOST_PINS && fabs(r->off) > SMALL_REST * r->all; k++) {
    double step = fmax(-LONGEST_PIN, fmin(LONGEST_PIN, r->off / r->all));
    bperc_i_row_sums in = shifted_sums(w->row, bp->columns, exp(step));
    bperc_i_row_sums out = shifted_sums(w->other, bp->columns, exp(step));
    r->shift += step;
    r->a = in.a;
    r->b = out.a;
    r->va = fmax(in.v, LEAST_VARIANCE);
    r->vb = fmax(out.v, LEAST_VARIANCE);
    r->all = r->va + r->vb;
    r->off = r->activity - r->a - r->b;
  }
}

/* p of all unfixed columns: those with input 1 in w->row, the others in
 * w->other. */
static void read_centred_row(const bperc_bp *bp, size_t mu,
                             bperc_i_bp_workspace *w, row *r) {
  const bperc_i_factor *a = &bp->factor[mu];
  const uint64_t *mask = bp->mask + a->at / 64;
  size_t room = (bp->columns + 31) / 32 * 32;
  float *u = bp->u32 + a->at;
  bperc_i_row_sums in, out;
  for (size_t k = 0; k < bp->stride / 64; k++)
    w->mask[k] = bp->open[k] & ~mask[k];
  in = bp->kernels->read_mask(bp->g32, mask, u, room, 0, w->row);
  out = bp->kernels->read_mask(bp->g32, w->mask, u, room, 0, w->other);
  *r = (row){.factor = a,
             .s = a->label ? 1 : -1,
             .edge = bperc_i_bp_edge(bp, mu),
             .a = in.a,
             .b = out.a,
             .va = fmax(in.v, LEAST_VARIANCE),
             .vb = fmax(out.v, LEAST_VARIANCE),
             .activity = bp->activity,
             .reach = a->degree < LONGEST ? a->degree : LONGEST};
  r->all = r->va + r->vb;
  r->off = r->activity - r->a - r->b;
  pin_row(bp, w, r);
}

/* h_hat of one class of inputs from its polynomial, or weight by weight. */
typedef struct {
  const row *r;
  int active;
  const double *count; /* exact messages to inputs 0; NULL: Gaussian */
  double *f;
} class;

static double message(const class *c, double p) {
  return c->count ? exact_message(c->r, c->count, p, c->f)
                  : gaussian_message(c->r, c->active, p);
}

static float poly_at(const bperc_i_poly *poly, float p) {
  float x = p - 0.5f, y = poly->c[BPERC_I_NODES - 1];
  for (int i = BPERC_I_NODES - 2; i >= 0; i--)
    y = y * x + poly->c[i];
  return y;
}

static void fill_centred(const bperc_bp *bp, const class *c, const float *p,
                         float *h) {
  double values[BPERC_I_NODES];
  bperc_i_poly poly = {{0}, 0};
  for (int j = 0; j < BPERC_I_NODES; j++)
    values[j] = message(c, bperc_i_bp_chebyshev.node[j]);
  if (bp->kernels->fit_values(values, &poly) < FIT_TOLERANCE)
    for (size_t k = 0; k < bp->columns; k++)
      h[k] = p[k] > 0 ? poly_at(&poly, p[k]) : h[k];
  else
    for (size_t k = 0; k < bp->columns; k++)
      if (p[k] > 0)
        h[k] = (float)message(c, (double)p[k]);
}

/* Inputs 1 of an exact row; leaves the distribution of A in *count. */
static void fill_exact(const bperc_bp *bp, const row *r,
                       bperc_i_bp_workspace *w, float *h,
                       const double **count) {
  size_t degree = 0;
  for (size_t k = 0; k < bp->columns; k++)
    if (w->row[k] > 0) {
      w->slots[degree] = (uint32_t)k;
      w->p[degree++] = (double)w->row[k];
    }
  heads(r, w->p, degree, w->table);
  exact_active(r, w->p, degree, w->table, w->h_hat);
  for (size_t j = 0; j < degree; j++)
    h[w->slots[j]] = (float)w->h_hat[j];
  *count = w->table + degree * (r->reach + 1);
}

/* Sum over the edges of log(1 - p + p exp h_hat), h_hat less the row's field.
 */
static double edge_terms(const bperc_bp *bp, const row *r,
                         const bperc_i_bp_workspace *w, const float *h) {
  double sum = r->shift * r->activity;
  for (size_t k = 0; k < bp->columns; k++) {
    double p = (double)(w->row[k] > 0 ? w->row[k] : w->other[k]);
    if (p > 0)
      sum += log(1 - p + p * exp((double)h[k] - r->shift));
  }
  return sum;
}

void bperc_i_centred_row(bperc_bp *bp, size_t mu, double f, int want_log_z,
                         bperc_i_bp_cell *cell, bperc_i_bp_workspace *w) {
  double slope, curvature, log_ok, scratch[LONGEST + 2];
  size_t room = (bp->columns + 31) / 32 * 32;
  float *h = w->message;
  row r;
  class active = {&r, 1, NULL, scratch}, inactive = {&r, 0, NULL, scratch};
  read_centred_row(bp, mu, w, &r);
  memset(h, 0, room * sizeof *h);
  if (exact_here(bp, mu)) {
    fill_exact(bp, &r, w, h, &inactive.count);
    log_ok = exact_factor(&r, inactive.count, &slope, &curvature);
  } else {
    fill_centred(bp, &active, w->row, h);
    log_ok = gaussian_factor(&r, &slope, &curvature);
  }
  fill_centred(bp, &inactive, w->other, h);
  cell->slope += slope;
  cell->stiff += curvature;
  if (want_log_z)
    cell->log_z += log_ok - edge_terms(bp, &r, w, h) -
                   r.off * r.off / (2 * r.all) - 0.5 * log(r.all);
  bp->kernels->apply_mask(h, bp->open, bp->u32 + bp->factor[mu].at, room,
                          (float)f, cell->sums32);
}

/* ---- weights */

/* Newton steps for lambda and S are no longer than these. */
#define LONGEST_FIELD 1.0
#define LONGEST_SHARE 0.05
#define MOST_STEPS 50

static double centred_sigmoid(double h) { return 1 / (1 + exp(-h)); }

static double bounded_centred(double x, double most) {
  return fmax(-most, fmin(most, x));
}

/* lambda at which the fields have the activity S; returns sum p (1 - p). */
static double pin(bperc_bp *bp) {
  double variance = 0;
  for (int t = 0; t < MOST_STEPS; t++) {
    double sum = 0, step;
    variance = 0;
    for (size_t c = 0; c < bp->columns; c++) {
      size_t i = bp->weight_of[c];
      double p = centred_sigmoid(bp->field[i] + bp->lambda);
      if (bp->fixed[i] >= 0)
        continue;
      sum += p;
      variance += p * (1 - p);
    }
    variance = fmax(variance, LEAST_VARIANCE);
    step = bounded_centred((bp->activity - sum) / variance, LONGEST_FIELD);
    bp->lambda += step;
    if (fabs(step) < 1e-13)
      break;
  }
  return variance;
}

/* log Z: Bethe terms, the weights, the constraint, the width of the maximum. */
static double centred_log_z(const bperc_bp *bp, double variance,
                            double curvature) {
  double log_z = -bp->lambda * bp->activity -
                 0.5 * log(fmax(variance * curvature, 1e-300)) +
                 0.5 * (double)bp->live * log(variance);
  for (size_t b = 0; b < bp->blocks; b++)
    log_z += bp->cell[b].log_z;
  for (size_t c = 0; c < bp->columns; c++) {
    size_t i = bp->weight_of[c];
    double h = bp->field[i];
    if (bp->fixed[i] < 0)
      log_z += fmax(h, 0) + log1p(exp(-fabs(h)));
  }
  return log_z;
}

/* H_i with lambda; how far they are from g_i. */
static void compare_fields(bperc_bp *bp) {
  double residual = 0, moved = 0;
  for (size_t c = 0; c < bp->columns; c++) {
    size_t i = bp->weight_of[c];
    double off;
    if (bp->fixed[i] >= 0)
      continue;
    bp->field[i] += bp->lambda;
    off = bp->field[i] - bp->g[i];
    residual = fabs(off) > residual ? fabs(off) : residual;
    moved += off * off;
  }
  bp->residual = residual;
  bp->moved = moved / (double)bp->in->n;
}

void bperc_i_centred_collect(bperc_bp *bp, double f, int want_log_z) {
  double slope = 0, curvature, variance, most;
  for (size_t c = 0; c < bp->columns; c++) {
    size_t i = bp->weight_of[c];
    if (bp->fixed[i] < 0)
      bp->field[i] = bp->external[i] + bp->total[c];
  }
  variance = pin(bp);
  compare_fields(bp);
  curvature = 1 / variance;
  for (size_t b = 0; b < bp->blocks; b++) {
    slope += bp->cell[b].slope;
    curvature += bp->cell[b].stiff;
  }
  slope -= bp->lambda;
  bp->residual = fmax(bp->residual, fabs(slope));
  if (want_log_z)
    bp->log_z = centred_log_z(bp, variance, curvature);
  most = (double)bp->unfixed;
  if (f > 0) { /* a damped Newton step towards the maximum of log Z(S) */
    bp->activity += f * bounded_centred(slope / fmax(curvature, 1e-9),
                                        LONGEST_SHARE * most);
    bp->activity = fmax(1e-3 * most, fmin(most - 1e-3 * most, bp->activity));
  }
}

/* The activity at which the mean sum of a pattern is its threshold. */
void bperc_i_centred_start(bperc_bp *bp, double level) {
  bp->lambda = level;
  bp->activity = (double)bp->unfixed * centred_sigmoid(level);
}

void bperc_i_centred_open(bperc_bp *bp) {
  memset(bp->open, 0, bp->stride / 64 * sizeof *bp->open);
  for (size_t c = 0; c < bp->columns; c++)
    if (bp->fixed[bp->weight_of[c]] < 0)
      bp->open[c / 64] |= (uint64_t)1 << c % 64;
}
