/* One iteration: all factors, then all weights.
 *
 * Factors are cut into blocks whose number depends on the problem alone. A
 * block sums its messages h_hat into an accumulator of its own; the blocks are
 * added in order, so the threads leave no trace in the result. */
#include "bp/centred.h"

#include "base/parallel.h"
#include "bp/factor.h"
#include "bp/graph.h"
#include "bp/method.h"
#include "kernels/bp.h"
#include "numeric/gauss.h"

#include <math.h>
#include <string.h>

/* Fewer edges than this are not worth a second thread. */
#define EDGES_PER_THREAD 60000
/* The stiffness of the uniform mode is measured every so many sweeps. */
#define STIFFNESS_EVERY 4

typedef struct {
  bperc_bp *bp;
  double f;
  int want_log_z, want_stiffness;
} pass;

/* ---- a row in double precision */

static double bounded(const bperc_bp *bp, double h) {
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
static size_t gather(const bperc_bp *bp, size_t mu, bperc_i_work *w) {
  size_t at = bp->factor[mu].at, degree = bperc_i_bp_row(bp, mu, w->slots);
  for (size_t k = 0; k < degree; k++) {
    uint32_t slot = w->slots[k];
    double g = get_g(bp, bperc_i_bp_literal(bp, mu, slot));
    double h = bounded(bp, g - get_u(bp, at + slot));
    double e = exp(-fabs(h)), big = 1 / (1 + e), small = e / (1 + e);
    w->h[k] = h;
    w->p[k] = h > 0 ? big : small;
    w->q[k] = h > 0 ? small : big;
  }
  return degree;
}

/* u <- f h_hat + (1-f)(g - h), where h has been bounded; sums of h_hat. */
static void scatter(bperc_bp *bp, size_t mu, bperc_i_work *w, size_t degree,
                    double f, size_t block) {
  size_t at = bp->factor[mu].at;
  for (size_t k = 0; k < degree; k++) {
    uint32_t slot = w->slots[k], literal = bperc_i_bp_literal(bp, mu, slot);
    double last = get_g(bp, literal) - w->h[k];
    if (f > 0)
      put_u(bp, at + slot, last + f * (w->h_hat[k] - last));
    if (bp->fast)
      bp->sums32[block * bp->width + literal] += (float)w->h_hat[k];
    else
      bp->sums[block * bp->width + literal] += w->h_hat[k];
  }
}

/* log Z_mu - sum of log Z_(i mu), the normalisations of h_hat left out: they
 * cancel against those of Z_i [BZ eqs. S1-S3]. */
static double bethe_terms(const bperc_i_work *w, size_t degree, double log_z) {
  for (size_t k = 0; k < degree; k++)
    log_z -= log(w->q[k] + w->p[k] * exp(w->h_hat[k]));
  return log_z;
}

/* hazard'(x) v: what a uniform field adds to the factor's opposition; a and v
 * are the mean and the variance of its hits, minus the part of v that inputs -1
 * have: a uniform field moves their literals the other way. */
static void add_stiffness(bperc_bp *bp, size_t mu, size_t block, double a,
                          double v, double minus) {
  double s = bp->factor[mu].label ? 1 : -1;
  double sigma = sqrt(fmax(v, 1e-12));
  bperc_i_tail tail =
      bperc_i_tail_at(s * (bperc_i_bp_edge(bp, mu) - a) / sigma);
  if (minus > 0)
    bp->block_stiff[block] +=
        tail.hazard * tail.excess * (v - 2 * minus) * (v - 2 * minus) / v;
  else
    bp->block_stiff[block] += tail.hazard * tail.excess * v;
  bp->block_variance[block] += v;
}

static void add_row_stiffness(bperc_bp *bp, size_t mu, size_t block,
                              const bperc_i_work *w, size_t degree) {
  double a = 0, v = 0, minus = 0;
  for (size_t k = 0; k < degree; k++) {
    a += w->p[k];
    v += w->p[k] * w->q[k];
  }
  for (size_t k = bp->factor[mu].plus; k < degree; k++)
    minus += w->p[k] * w->q[k];
  add_stiffness(bp, mu, block, a, v, minus);
}

static void plain_row(bperc_bp *bp, size_t mu, const pass *job, size_t block,
                      bperc_i_work *w) {
  const bperc_i_factor *a = &bp->factor[mu];
  size_t degree = gather(bp, mu, w);
  double log_z;
  if (bperc_i_bp_exact_here(bp, mu))
    log_z = bperc_i_factor_exact(a->label, a->left, degree, w->p, w->q,
                                 w->table, w->h_hat);
  else
    log_z = bperc_i_factor_gaussian(a->label, bperc_i_bp_edge(bp, mu), degree,
                                    w->p, w->q, w->h_hat);
  if (job->want_log_z)
    bp->block_log_z[block] += bethe_terms(w, degree, log_z);
  if (job->want_stiffness)
    add_row_stiffness(bp, mu, block, w, degree);
  scatter(bp, mu, w, degree, job->f, block);
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

static bperc_i_row_sums read_row(const bperc_bp *bp, size_t mu, float *p) {
  const bperc_i_factor *a = &bp->factor[mu];
  float bound = (float)bp->opt.h_max, *u = bp->u32 + a->at;
  if (bp->layout == BPERC_I_MASKS)
    return bp->kernels->read_mask(bp->g32, bp->mask + a->at / 64, u,
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

static void write_row(bperc_bp *bp, size_t mu, const bperc_i_poly *poly,
                      double f, const float *p, float *sums) {
  const bperc_i_factor *a = &bp->factor[mu];
  float *u = bp->u32 + a->at;
  if (bp->layout == BPERC_I_MASKS)
    bp->kernels->write_mask(poly, p, u, row_room(bp, mu), (float)f, sums);
  else
    bp->kernels->write_list(poly, p, bp->list + a->at, u,
                            bperc_i_bp_padded(a->degree), (float)f, sums);
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
  float *u = bp->u32 + a->at;
  if (bp->layout == BPERC_I_MASKS)
    bp->kernels->apply_mask(h_hat, bp->mask + a->at / 64, u, row_room(bp, mu),
                            (float)f, sums);
  else
    bp->kernels->apply_list(h_hat, bp->list + a->at, u, row_room(bp, mu),
                            (float)f, sums);
}

/* Every edge for itself, where no polynomial fits: few uncertain weights. */
static void edge_by_edge(bperc_bp *bp, size_t mu, const pass *job, size_t block,
                         bperc_i_row_sums row, bperc_i_work *w) {
  size_t room = row_room(bp, mu), degree = bperc_i_bp_row(bp, mu, w->slots);
  size_t whole = (degree + 3) / 4 * 4;
  for (size_t k = 0; k < whole; k++)
    w->p[k] = k < degree ? (double)w->row[w->slots[k]] : 0;
  bp->kernels->gaussian(bp->factor[mu].label ? 1 : -1, bperc_i_bp_edge(bp, mu),
                        row, w->p, whole, w->h_hat,
                        job->want_log_z ? w->q : NULL);
  for (size_t k = 0; k < room; k++)
    w->row[k] = 0;
  for (size_t k = 0; k < degree; k++) {
    w->row[w->slots[k]] = (float)w->h_hat[k];
    if (job->want_log_z)
      bp->block_log_z[block] -= w->q[k];
  }
  apply_row(bp, mu, w->row, job->f, bp->sums32 + block * bp->width);
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
static void fast_row(bperc_bp *bp, size_t mu, const pass *job, size_t block,
                     bperc_i_work *w) {
  double s = bp->factor[mu].label ? 1 : -1, edge = bperc_i_bp_edge(bp, mu), fit;
  bperc_i_poly h_hat, terms;
  bperc_i_row_sums row = read_row(bp, mu, w->row);
  if (job->want_stiffness)
    add_stiffness(bp, mu, block, row.a, row.v, minus_part(bp, mu, w->row));
  fit = job->want_log_z ? fit_terms(bp, mu, row, &h_hat, &terms)
                        : bp->kernels->fit_gaussian(s, edge, row, &h_hat);
  if (fit < FIT_TOLERANCE) {
    write_row(bp, mu, &h_hat, job->f, w->row, bp->sums32 + block * bp->width);
    if (job->want_log_z)
      bp->block_log_z[block] -= sum_row(bp, mu, &terms, w->row);
  } else {
    edge_by_edge(bp, mu, job, block, row, w);
  }
  if (job->want_log_z)
    bp->block_log_z[block] +=
        bperc_i_log_h(s * (edge - row.a) / sqrt(fmax(row.v, 1e-12)));
}

/* Exact factor in single precision; 0, with nothing done, where its numbers
 * are out of range. */
static int exact_row(bperc_bp *bp, size_t mu, const pass *job, size_t block,
                     bperc_i_work *w) {
  const bperc_i_factor *a = &bp->factor[mu];
  bperc_i_capped way = bperc_i_factor_plan(a->label, a->left, a->degree);
  bperc_i_row_sums row;
  double bethe, minus;
  if (way.bound == 0)
    return 0;
  row = read_row(bp, mu, w->row);
  minus = job->want_stiffness ? minus_part(bp, mu, w->row) : 0;
  for (size_t k = a->degree; bp->layout == BPERC_I_LISTS && k % 8; k++)
    w->row[k] = 0;
  if (!bp->kernels->exact(&way, w->row, row_room(bp, mu), (void *)w->table,
                          w->row, job->want_log_z ? &bethe : NULL))
    return 0;
  apply_row(bp, mu, w->row, job->f, bp->sums32 + block * bp->width);
  if (job->want_log_z)
    bp->block_log_z[block] += bethe;
  if (job->want_stiffness)
    add_stiffness(bp, mu, block, row.a, row.v, minus);
  return 1;
}

/* ---- all rows */

static void set_columns(bperc_bp *bp) {
  for (size_t c = 0; c < bp->columns; c++)
    bp->g32[c] = (float)bp->g[bp->weight_of[c]];
  for (size_t c = 0; bperc_i_bp_is_signed(bp) && c < bp->columns; c++)
    bp->g32[bp->half + c] = -bp->g32[c];
  if (bp->layout == BPERC_I_LISTS)
    bp->g32[bp->columns] = -100; /* the column of the padding: p = 0 */
}

static void run_row(bperc_bp *bp, size_t mu, const pass *job, size_t block,
                    bperc_i_work *w) {
  int fast = bp->fast && job->want_log_z != BPERC_I_PRECISE;
  if (bp->opt.centred)
    bperc_i_centred_row(bp, mu, job->f, job->want_log_z, block, w);
  else if (fast && !bperc_i_bp_exact_here(bp, mu))
    fast_row(bp, mu, job, block, w);
  else if (!fast || !exact_row(bp, mu, job, block, w))
    plain_row(bp, mu, job, block, w);
}

static void run_block(void *context, size_t block, unsigned worker) {
  pass *job = context;
  bperc_bp *bp = job->bp;
  size_t per = (bp->in->m + bp->blocks - 1) / bp->blocks;
  size_t end = (block + 1) * per < bp->in->m ? (block + 1) * per : bp->in->m;
  bp->block_log_z[block] = 0;
  if (job->want_stiffness || bp->opt.centred)
    bp->block_stiff[block] = bp->block_variance[block] = 0;
  bp->block_slope[block] = 0;
  if (bp->fast)
    memset(bp->sums32 + block * bp->width, 0, bp->width * sizeof *bp->sums32);
  else
    memset(bp->sums + block * bp->width, 0, bp->width * sizeof *bp->sums);
  for (size_t mu = block * per; mu < end; mu++)
    if (bp->factor[mu].live)
      run_row(bp, mu, job, block, &bp->work[worker]);
}

double bperc_i_bp_block_sum(const bperc_bp *bp, size_t literal) {
  double sum = 0;
  for (size_t b = 0; b < bp->blocks; b++)
    sum += bp->fast ? (double)bp->sums32[b * bp->width + literal]
                    : bp->sums[b * bp->width + literal];
  return sum;
}

static double softplus(double x) { return fmax(x, 0) + log1p(exp(-fabs(x))); }

/* p (1 - p) of a column's field, the weight of its share in the uniform mode:
 * all columns at once where messages are single precision. */
static const float *doubts(bperc_bp *bp) {
  float *pq = bp->work[0].row;
  bp->kernels->doubt(bp->g32, bp->columns, pq);
  return pq;
}

static double doubt(double h) {
  double e = exp(-fabs(h));
  return e / ((1 + e) * (1 + e));
}

static double larger(double x, double y) { return x > y ? x : y; }

/* Where patterns force weights, p (1 - p) of the weights vanishes but not that
 * of the messages, and lambda = stiff / weight would say that nothing may move.
 * The mean over weights counts as at least this part of the mean over
 * messages. */
#define LEAST_SHARE 0.125

static double response(const bperc_bp *bp, double weight) {
  double stiff = 0, variance = 0, edges = (double)bp->edges;
  for (size_t b = 0; b < bp->blocks; b++) {
    stiff += bp->block_stiff[b];
    variance += bp->block_variance[b];
  }
  if (bp->edges)
    weight =
        larger(weight, LEAST_SHARE * variance * (double)bp->unfixed / edges);
  return stiff / weight;
}

/* H_i, how far it is from g_i, and the sums over weights. */
static void collect(bperc_bp *bp, int want_log_z) {
  int split = bp->opt.update == BPERC_BP_SPLIT;
  double weight = 1e-300, shift = 0, moved = 0, log_z = 0;
  const float *pq32 = split && bp->fast ? doubts(bp) : NULL;
  double residual = 0;
  for (size_t c = 0; c < bp->columns; c++) {
    size_t i = bp->weight_of[c];
    double h, off, pq;
    if (bp->fixed[i] >= 0)
      continue;
    pq = pq32 ? (double)pq32[c] : split ? doubt(bp->g[i]) : 1;
    h = bp->external[i] + bperc_i_bp_block_sum(bp, c);
    if (bperc_i_bp_is_signed(bp)) {
      double other = bperc_i_bp_block_sum(bp, bp->half + c);
      h -= other;
      log_z += other; /* messages are exp(h_hat) for a literal that is on */
    }
    off = h - bp->g[i];
    moved += (h - bp->field[i]) * (h - bp->field[i]);
    bp->field[i] = h;
    residual = larger(fabs(off), residual);
    weight += pq;
    shift += pq * off;
    if (want_log_z)
      log_z += softplus(h);
  }
  for (size_t b = 0; b < bp->blocks; b++)
    log_z += bp->block_log_z[b];
  bp->residual = residual;
  bp->shift = shift / weight;
  bp->stiffness = response(bp, weight);
  bp->moved = moved / (double)bp->in->n;
  bp->log_z = log_z;
}

void bperc_i_bp_sweep(bperc_bp *bp, double f, int want_log_z) {
  int split = bp->opt.update == BPERC_BP_SPLIT;
  /* it changes slowly */
  pass job = {bp, f, want_log_z, split && bp->sweeps++ % STIFFNESS_EVERY == 0};
  unsigned wanted = (unsigned)(1 + bp->edges / EDGES_PER_THREAD);
  unsigned threads = wanted < bp->workers ? wanted : bp->workers;
  if (bp->fast)
    set_columns(bp);
  if (bp->opt.centred)
    bperc_i_centred_open(bp);
  if (threads > 1)
    bperc_i_parallel_for(bp->blocks, threads, run_block, &job);
  else
    for (size_t block = 0; block < bp->blocks; block++)
      run_block(&job, block, 0);
  if (bp->opt.centred)
    bperc_i_centred_collect(bp, f, want_log_z);
  else
    collect(bp, want_log_z);
}

/* A split step moves no field by more than this: far from the fixed point the
 * linear picture behind it does not hold. */
#define LONGEST_STEP 1.0

static double short_step(double x) {
  return larger(-LONGEST_STEP, x < LONGEST_STEP ? x : LONGEST_STEP);
}

/* What a split step adds to every field alike. */
static double common_step(const bperc_bp *bp) {
  return short_step(bp->shift / (1 + bp->stiffness));
}

double bperc_i_bp_lag(const bperc_bp *bp) {
  return bp->shift - common_step(bp);
}

void bperc_i_bp_relax(bperc_bp *bp, double f, int split) {
  double together = common_step(bp);
  split = split && !bp->opt.centred; /* the activity is that mode */
  for (size_t i = 0; i < bp->in->n; i++) {
    double off = bp->field[i] - bp->g[i];
    if (bp->fixed[i] < 0)
      bp->g[i] +=
          split ? short_step(f * (off - bp->shift)) + together : f * off;
  }
}
