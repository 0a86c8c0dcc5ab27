/* The messages of one pattern, in double or single precision. */
#include "bp/bp_rows.h"

#include "base/check.h"
#include "bp/bp_recount.h"
#include "bp/centred.h"
#include "bp/factor.h"
#include "bp/graph.h"
#include "bp/method.h"
#include "kernels/bp_kernels.h"
#include "numeric/gauss.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- a row in double precision */

static double bounded_field(const bperc_bp *bp, double h) {
  double bound = bp->opt.h_max;
  return bound > 0 ? fmax(-bound, fmin(bound, h)) : h;
}

static double get_u(const bperc_bp *bp, size_t at) {
  return bp->fast ? (double)bp->u32[at] : bp->u[at];
}

static void put_u(bperc_bp *bp, size_t at, double u) {
  if (bp->fast)
    bp->u32[at] = (float)u;
  else
    bp->u[at] = u;
}

/* Damped field of a literal. */
static double get_g(const bperc_bp *bp, uint32_t literal) {
  double g = bp->g[bp->weight_of[bperc_i_bp_column(bp, literal)]];
  return literal < bp->half ? g : -g;
}

/* h, p, q of the row's edges; returns the degree. */
static size_t gather_edges(const bperc_bp *bp, size_t mu,
                           bperc_i_bp_workspace *w) {
  size_t at = bp->factor[mu].at, degree = bperc_i_bp_row(bp, mu, w->slots);
  const uint32_t *literal = bperc_i_bp_literals(bp, mu, w->literals);
  for (size_t k = 0; k < degree; k++) {
    double g = get_g(bp, literal[k]);
    double h = bounded_field(bp, g - get_u(bp, at + w->slots[k]));
    double e = exp(-fabs(h)), big = 1 / (1 + e), small = e / (1 + e);
    w->h[k] = h;
    w->p[k] = h > 0 ? big : small;
    w->q[k] = h > 0 ? small : big;
  }
  return degree;
}

/* u <- f h_hat + (1-f)(g - h), where h has been bounded; sums of h_hat. */
static void scatter_messages(bperc_bp *bp, size_t mu, bperc_i_bp_workspace *w,
                             size_t degree, double f, bperc_i_bp_cell *cell) {
  size_t at = bp->factor[mu].at;
  const uint32_t *literal = bperc_i_bp_literals(bp, mu, w->literals);
  for (size_t k = 0; k < degree; k++) {
    double last = get_g(bp, literal[k]) - w->h[k];
    if (f > 0)
      put_u(bp, at + w->slots[k], last + f * (w->h_hat[k] - last));
    if (bp->fast)
      cell->sums32[literal[k]] += (float)w->h_hat[k];
    else
      cell->sums[literal[k]] += w->h_hat[k];
  }
}

/* log Z_mu - sum of log Z_(i mu), the normalisations of h_hat left out: they
 * cancel against those of Z_i [BZ eqs. S1-S3]. */
static double bethe_terms(const bperc_i_bp_workspace *w, size_t degree,
                          double log_z) {
  for (size_t k = 0; k < degree; k++)
    log_z -= log(w->q[k] + w->p[k] * exp(w->h_hat[k]));
  return log_z;
}

/* hazard'(x) v: what a uniform field adds to the factor's opposition; a and v
 * are the mean and the variance of its hits, minus the part of v that inputs -1
 * have: a uniform field moves their literals the other way. */
static void add_stiffness(const bperc_bp *bp, size_t mu, bperc_i_bp_cell *cell,
                          double a, double v, double minus) {
  double s = bp->factor[mu].label ? 1 : -1;
  double sigma = sqrt(fmax(v, 1e-12));
  bperc_i_gauss_tail tail =
      bperc_i_tail_at(s * (bperc_i_bp_edge(bp, mu) - a) / sigma);
  if (minus > 0)
    cell->stiff +=
        tail.hazard * tail.excess * (v - 2 * minus) * (v - 2 * minus) / v;
  else
    cell->stiff += tail.hazard * tail.excess * v;
  cell->variance += v;
}

static void add_row_stiffness(const bperc_bp *bp, size_t mu,
                              bperc_i_bp_cell *cell,
                              const bperc_i_bp_workspace *w, size_t degree) {
  double a = 0, v = 0, minus = 0;
  for (size_t k = 0; k < degree; k++) {
    a += w->p[k];
    v += w->p[k] * w->q[k];
  }
  for (size_t k = bp->factor[mu].plus; k < degree; k++)
    minus += w->p[k] * w->q[k];
  add_stiffness(bp, mu, cell, a, v, minus);
}

static void plain_row(bperc_bp *bp, size_t mu, const bperc_i_pass *job,
                      bperc_i_bp_cell *cell, bperc_i_bp_workspace *w) {
  const bperc_i_factor *a = &bp->factor[mu];
  size_t degree = gather_edges(bp, mu, w);
  double log_z;
  if (bperc_i_bp_exact_here(bp, mu))
    log_z = bperc_i_factor_exact(a->label, a->left, degree, w->p, w->q,
                                 w->table, w->h_hat);
  else
    log_z = bperc_i_factor_gaussian(a->label, bperc_i_bp_edge(bp, mu), degree,
                                    w->p, w->q, w->h_hat);
  BPERC_I_CHECK(bperc_i_recount_row(bp, w, degree));
  if (job->want_log_z)
    cell->log_z += bethe_terms(w, degree, log_z);
  if (job->want_stiffness)
    add_row_stiffness(bp, mu, cell, w, degree);
  scatter_messages(bp, mu, w, degree, job->f, cell);
}

/* ---- a row in single precision */

/* A polynomial whose last coefficient is larger than this does not stand for
 * the factor: the row is done in double precision. */
#define FIT_TOLERANCE 1e-5

/* Numbers of a row that the kernels go through. */
static size_t row_room(const bperc_bp *bp, size_t mu) {
  return bp->layout == BPERC_I_MASKS ? (bp->columns + 31) / 32 * 32
                                     : bperc_i_bp_padded(bp->factor[mu].degree);
}

static bperc_i_row_sums read_factor_row(const bperc_bp *bp, size_t mu,
                                        float *p) {
  const bperc_i_factor *a = &bp->factor[mu];
  float bound = (float)bp->opt.h_max, *u = bp->u32 + a->at;
  if (bp->layout == BPERC_I_PACKED)
    return bp->kernels->read_packed(bp->g32, bperc_i_bp_mask(bp, mu), u,
                                    bp->stride, a->degree, bound, p);
  if (bp->layout == BPERC_I_MASKS)
    return bp->kernels->read_mask(bp->g32, bperc_i_bp_mask(bp, mu), u,
                                  row_room(bp, mu), bound, p);
  return bp->kernels->read_list(bp->g32, bp->list + a->at, u, a->degree, bound,
                                p);
}

/* Sum of p (1 - p) over the inputs -1 of a row that has been read. */
static double minus_part(const bperc_bp *bp, size_t mu, const float *p) {
  double sum = 0;
  for (size_t k = bp->factor[mu].plus; k < bp->factor[mu].degree; k++)
    sum += (double)(p[k] - p[k] * p[k]);
  return sum;
}

/* p is of no use afterwards. */
static void write_row(bperc_bp *bp, size_t mu, const bperc_i_poly *poly,
                      double f, float *p, float *sums) {
  const bperc_i_factor *a = &bp->factor[mu];
  size_t room = row_room(bp, mu);
  float *u = bp->u32 + a->at;
  if (bp->layout == BPERC_I_PACKED)
    bp->kernels->write_packed(poly, p, bperc_i_bp_mask(bp, mu), u, bp->stride,
                              room, (float)f, sums);
  else if (bp->layout == BPERC_I_MASKS)
    bp->kernels->write_mask(poly, p, u, room, (float)f, sums);
  else
    bp->kernels->write_list(poly, p, bp->list + a->at, u, room, (float)f, sums);
}

/* Sum over the edges of a polynomial that vanishes at p = 0. */
static double sum_row(const bperc_bp *bp, size_t mu, const bperc_i_poly *poly,
                      const float *p) {
  static const float none[8];
  size_t count = row_room(bp, mu);
  return bp->kernels->sum(poly, p, count) -
         (double)(count - bp->factor[mu].degree) / 8 *
             bp->kernels->sum(poly, none, 8);
}

/* u and the sums from the row's h_hat, 0 where there is no edge. */
static void apply_row(bperc_bp *bp, size_t mu, const float *h_hat, double f,
                      float *sums) {
  const bperc_i_factor *a = &bp->factor[mu];
  size_t room = row_room(bp, mu);
  float *u = bp->u32 + a->at;
  if (bp->layout == BPERC_I_PACKED)
    bp->kernels->apply_packed(h_hat, bperc_i_bp_mask(bp, mu), u, bp->stride,
                              room, (float)f, sums);
  else if (bp->layout == BPERC_I_MASKS)
    bp->kernels->apply_mask(h_hat, bperc_i_bp_mask(bp, mu), u, room, (float)f,
                            sums);
  else
    bp->kernels->apply_list(h_hat, bp->list + a->at, u, room, (float)f, sums);
}

/* Numbers p >= 0 have the order of their bits. */
static uint32_t bits_of(float p) {
  uint32_t bits;
  memcpy(&bits, &p, sizeof bits);
  return bits;
}

/* The values of p to evaluate, and in which[k] the one of edge k; returns how
 * many. Messages at the bound of rBP are equal, and most are at the bound where
 * no polynomial fits: the least and the largest p are evaluated once. */
static size_t distinct(const bperc_bp *bp, const bperc_i_bp_workspace *w,
                       size_t degree, double *p, uint32_t *which) {
  uint32_t low = bits_of(w->row[w->slots[0]]), high = low;
  size_t at_low = 0, at_high = 0, count = 2;
  assert(degree > 0);
  for (size_t k = 0; bp->opt.h_max > 0 && k < degree; k++) {
    uint32_t x = bits_of(w->row[w->slots[k]]);
    at_low = x < low ? k : at_low;
    at_high = x > high ? k : at_high;
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
  p[0] = (double)w->row[w->slots[at_low]];
  p[1] = (double)w->row[w->slots[at_high]];
  for (size_t k = 0; k < degree; k++) {
    uint32_t x = bits_of(w->row[w->slots[k]]);
    p[count] = (double)w->row[w->slots[k]];
    which[k] = x == low ? 0 : x == high ? 1 : (uint32_t)count;
    count += x != low && x != high;
  }
  return count;
}

/* Every edge for itself, where no polynomial fits: few uncertain weights. */
static void edge_by_edge(bperc_bp *bp, size_t mu, const bperc_i_pass *job,
                         bperc_i_bp_cell *cell, bperc_i_row_sums row,
                         bperc_i_bp_workspace *w) {
  size_t room = row_room(bp, mu), degree = bperc_i_bp_row(bp, mu, w->slots);
  uint32_t *which = w->literals;
  size_t count = distinct(bp, w, degree, w->p, which);
  while (count % 4)
    w->p[count++] = 0;
  bp->kernels->gaussian(bp->factor[mu].label ? 1 : -1, bperc_i_bp_edge(bp, mu),
                        row, w->p, count, w->h_hat,
                        job->want_log_z ? w->q : NULL);
  for (size_t k = 0; k < room; k++)
    w->row[k] = 0;
  for (size_t k = 0; k < degree; k++) {
    w->row[w->slots[k]] = (float)w->h_hat[which[k]];
    if (job->want_log_z)
      cell->log_z -= w->q[which[k]];
  }
  apply_row(bp, mu, w->row, job->f, cell->sums32);
}

/* The polynomials of h_hat and of an edge's log Z, in double precision. */
static double fit_terms(bperc_bp *bp, size_t mu, bperc_i_row_sums row,
                        bperc_i_poly *h_hat, bperc_i_poly *terms) {
  double values[2][BPERC_I_NODES], fit;
  bp->kernels->gaussian(bp->factor[mu].label ? 1 : -1, bperc_i_bp_edge(bp, mu),
                        row, bperc_i_bp_chebyshev.node, BPERC_I_NODES,
                        values[0], values[1]);
  fit = bp->kernels->fit_values(values[0], h_hat);
  bp->kernels->fit_values(values[1], terms);
  return fit;
}

/* Gaussian factor in single precision. */
static void fast_row(bperc_bp *bp, size_t mu, const bperc_i_pass *job,
                     bperc_i_bp_cell *cell, bperc_i_bp_workspace *w) {
  double s = bp->factor[mu].label ? 1 : -1, edge = bperc_i_bp_edge(bp, mu), fit;
  bperc_i_poly h_hat, terms;
  bperc_i_row_sums row = read_factor_row(bp, mu, w->row);
  if (job->want_stiffness)
    add_stiffness(bp, mu, cell, row.a, row.v, minus_part(bp, mu, w->row));
  fit = job->want_log_z ? fit_terms(bp, mu, row, &h_hat, &terms)
                        : bp->kernels->fit_gaussian(s, edge, row, &h_hat);
  if (fit < FIT_TOLERANCE) {
    if (job->want_log_z)
      cell->log_z -= sum_row(bp, mu, &terms, w->row);
    write_row(bp, mu, &h_hat, job->f, w->row, cell->sums32);
  } else {
    edge_by_edge(bp, mu, job, cell, row, w);
  }
  if (job->want_log_z)
    cell->log_z += bperc_i_log_h(s * (edge - row.a) / sqrt(fmax(row.v, 1e-12)));
}

/* Exact factor in single precision; 0, with nothing done, where its numbers
 * are out of range. */
static int exact_row(bperc_bp *bp, size_t mu, const bperc_i_pass *job,
                     bperc_i_bp_cell *cell, bperc_i_bp_workspace *w) {
  const bperc_i_factor *a = &bp->factor[mu];
  bperc_i_capped way = bperc_i_factor_plan(a->label, a->left, a->degree);
  bperc_i_row_sums row;
  double bethe, minus;
  if (way.bound == 0)
    return 0;
  row = read_factor_row(bp, mu, w->row);
  minus = job->want_stiffness ? minus_part(bp, mu, w->row) : 0;
  for (size_t k = a->degree; bp->layout != BPERC_I_MASKS && k % 8; k++)
    w->row[k] = 0;
  if (!bp->kernels->exact(&way, w->row, row_room(bp, mu), (void *)w->table,
                          w->row, job->want_log_z ? &bethe : NULL))
    return 0;
  apply_row(bp, mu, w->row, job->f, cell->sums32);
  if (job->want_log_z)
    cell->log_z += bethe;
  if (job->want_stiffness)
    add_stiffness(bp, mu, cell, row.a, row.v, minus);
  return 1;
}

/* ---- any row */

void bperc_i_bp_run_row(bperc_bp *bp, size_t mu, const bperc_i_pass *job,
                        bperc_i_bp_cell *cell, bperc_i_bp_workspace *w) {
  int fast = bp->fast && job->want_log_z != BPERC_I_PRECISE;
  if (bp->opt.centred)
    bperc_i_centred_row(bp, mu, job->f, job->want_log_z, cell, w);
  else if (fast && !bperc_i_bp_exact_here(bp, mu))
    fast_row(bp, mu, job, cell, w);
  else if (!fast || !exact_row(bp, mu, job, cell, w))
    plain_row(bp, mu, job, cell, w);
}
