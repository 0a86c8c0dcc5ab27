/* One iteration: all factors, then all weights.
 *
 * Factors are cut into blocks whose number depends on the problem alone. A
 * block sums its messages h_hat, row after row, into a cell of its own; the
 * blocks are added in order. Where threads cannot share out the blocks evenly,
 * every row of the last blocks has a cell, and these are added to that of the
 * block in order: the same sums. So threads leave no trace in the result. */
#include "bp/centred.h"

#include "base/check.h"
#include "bp/bp_recount.h"
#include "bp/bp_rows.h"

#include <math.h>
#include <string.h>

/* The stiffness of the uniform mode changes slowly: it is measured every so
 * many sweeps. */
#define STIFFNESS_EVERY 4

/* Rows of a task, where rows have cells; ranges of columns for each thread. */
enum { TASK_ROWS = 4, RANGES = 2, RANGE_UNIT = 16 };

typedef struct {
  bperc_bp *bp;
  bperc_i_pass pass;
  size_t whole;  /* blocks that are done whole; of the others row by row */
  size_t ranges; /* of columns */
} sweep;

/* ---- all rows */

static void set_columns(bperc_bp *bp) {
  for (size_t c = 0; c < bp->columns; c++)
    bp->g32[c] = (float)bp->g[bp->weight_of[c]];
  for (size_t c = 0; bperc_i_bp_is_signed(bp) && c < bp->columns; c++)
    bp->g32[bp->half + c] = -bp->g32[c];
  if (bp->layout == BPERC_I_LISTS)
    bp->g32[bp->columns] = BPERC_I_NO_EDGE; /* the column of the padding */
}

static void clear_cell(const sweep *job, bperc_i_bp_cell *cell) {
  const bperc_bp *bp = job->bp;
  cell->log_z = cell->slope = 0;
  if (job->pass.want_stiffness || bp->opt.centred)
    cell->stiff = cell->variance = 0;
  if (bp->fast)
    memset(cell->sums32, 0, bp->width * sizeof *cell->sums32);
  else
    memset(cell->sums, 0, bp->width * sizeof *cell->sums);
}

static void run_rows(const sweep *job, size_t from, size_t end,
                     bperc_i_bp_cell *cell, bperc_i_bp_workspace *w) {
  clear_cell(job, cell);
  for (size_t mu = from; mu < end; mu++)
    if (job->bp->factor[mu].live)
      bperc_i_bp_run_row(job->bp, mu, &job->pass, cell, w);
}

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

/* The first row that has a cell. */
static size_t first_single(const sweep *job) {
  return min_size(job->whole * bperc_i_bp_block_rows(job->bp), job->bp->in->m);
}

/* A whole block, or a few rows. */
static void update_task(void *context, size_t task, unsigned worker) {
  const sweep *job = context;
  bperc_bp *bp = job->bp;
  size_t rows = bperc_i_bp_block_rows(bp), first = first_single(job);
  bperc_i_bp_workspace *w = &bp->work[worker];
  if (task < job->whole) {
    run_rows(job, task * rows, min_size((task + 1) * rows, bp->in->m),
             &bp->cell[task], w);
    return;
  }
  size_t from = first + (task - job->whole) * TASK_ROWS;
  for (size_t mu = from; mu < min_size(from + TASK_ROWS, bp->in->m); mu++)
    run_rows(job, mu, mu + 1, &bp->cell[bp->blocks + mu - first], w);
}

/* Adds the numbers from to end - 1 of a row to those of its block. */
static void add_row_cells(const bperc_bp *bp, const bperc_i_bp_cell *row,
                          bperc_i_bp_cell *block, size_t from, size_t end) {
  if (bp->fast)
    for (size_t k = from; k < end; k++)
      block->sums32[k] += row->sums32[k];
  else
    for (size_t k = from; k < end; k++)
      block->sums[k] += row->sums[k];
}

/* The same of a block to the total; the first one is what it adds to. */
static void add_block_cells(bperc_bp *bp, const bperc_i_bp_cell *block,
                            int first, size_t from, size_t end) {
  double *total = bp->total;
  if (bp->fast && first)
    for (size_t k = from; k < end; k++)
      total[k] = (double)block->sums32[k];
  else if (bp->fast)
    for (size_t k = from; k < end; k++)
      total[k] += (double)block->sums32[k];
  else if (first)
    memcpy(total + from, block->sums + from, (end - from) * sizeof *total);
  else
    for (size_t k = from; k < end; k++)
      total[k] += block->sums[k];
}

static void add_range(const sweep *job, size_t from, size_t end) {
  bperc_bp *bp = job->bp;
  size_t rows = bperc_i_bp_block_rows(bp), first = first_single(job);
  for (size_t mu = first; mu < bp->in->m; mu++)
    if (bp->factor[mu].live)
      add_row_cells(bp, &bp->cell[bp->blocks + mu - first],
                    &bp->cell[mu / rows], from, end);
  for (size_t b = 0; b < bp->blocks; b++)
    add_block_cells(bp, &bp->cell[b], b == 0, from, end);
}

/* total[literal] of a range of columns. */
static void add_task(void *context, size_t task, unsigned worker) {
  const sweep *job = context;
  const bperc_bp *bp = job->bp;
  size_t units = (bp->columns + RANGE_UNIT - 1) / RANGE_UNIT;
  size_t from = min_size(task * units / job->ranges * RANGE_UNIT, bp->columns);
  size_t end =
      min_size((task + 1) * units / job->ranges * RANGE_UNIT, bp->columns);
  (void)worker;
  add_range(job, from, end);
  if (bperc_i_bp_is_signed(bp))
    add_range(job, bp->half + from, bp->half + end);
}

/* Before the rows are added: the blocks that they are added to. */
static void open_split_blocks(const sweep *job) {
  bperc_bp *bp = job->bp;
  size_t rows = bperc_i_bp_block_rows(bp), first = first_single(job);
  for (size_t b = job->whole; b < bp->blocks; b++)
    clear_cell(job, &bp->cell[b]);
  for (size_t mu = first; mu < bp->in->m; mu++) {
    const bperc_i_bp_cell *row = &bp->cell[bp->blocks + mu - first];
    bperc_i_bp_cell *block = &bp->cell[mu / rows];
    block->slope += row->slope;
    if (job->pass.want_stiffness || bp->opt.centred) {
      block->stiff += row->stiff;
      block->variance += row->variance;
    }
  }
}

/* All rows, and the sums of h_hat. Bethe terms are added edge by edge: blocks
 * stay whole where they are wanted. */
static void run_rows_of_all(sweep *job) {
  bperc_bp *bp = job->bp;
  unsigned threads = bperc_i_bp_threads(bp);
  size_t left = bp->blocks % threads * bperc_i_bp_block_rows(bp), singles;
  job->whole = bp->blocks;
  job->ranges = threads > 1 ? RANGES * threads : 1;
  if (left <= bp->row_cells && !job->pass.want_log_z)
    job->whole -= bp->blocks % threads;
  singles = bp->in->m - first_single(job);
  bperc_i_thread_pool_run(bp->pool,
                          job->whole + (singles + TASK_ROWS - 1) / TASK_ROWS,
                          threads, update_task, job);
  open_split_blocks(job);
  bperc_i_thread_pool_run(bp->pool, job->ranges, threads, add_task, job);
}

static double log_one_plus_exp(double x) {
  return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/* p (1 - p) of a column's field, the weight of its share in the uniform mode:
 * all columns at once where messages are single precision. */
static const float *variances(bperc_bp *bp) {
  float *pq = bp->work[0].row;
  bp->kernels->variance(bp->g32, bp->columns, pq);
  return pq;
}

static double variance_at(double h) {
  double e = exp(-fabs(h));
  return e / ((1 + e) * (1 + e));
}

static double larger(double x, double y) { return x > y ? x : y; }

/* Where patterns force weights, p (1 - p) of the weights vanishes but not that
 * of the messages, and lambda = stiff / weight would say that nothing may move.
 * The mean over weights counts as at least this part of the mean over
 * messages. */
#define LEAST_SHARE 0.125

static double field_response(const bperc_bp *bp, double weight) {
  double stiff = 0, variance = 0, edges = (double)bp->edges;
  for (size_t b = 0; b < bp->blocks; b++) {
    stiff += bp->cell[b].stiff;
    variance += bp->cell[b].variance;
  }
  if (bp->edges)
    weight =
        larger(weight, LEAST_SHARE * variance * (double)bp->unfixed / edges);
  return stiff / weight;
}

/* H_i, how far it is from g_i, and the sums over weights. */
static void collect_fields(bperc_bp *bp, int want_log_z) {
  int split = bp->opt.update == BPERC_BP_SPLIT;
  double weight = 1e-300, shift = 0, moved = 0, log_z = 0;
  const float *pq32 = split && bp->fast ? variances(bp) : NULL;
  double residual = 0;
  for (size_t c = 0; c < bp->columns; c++) {
    size_t i = bp->weight_of[c];
    double h, off, pq;
    if (bp->fixed[i] >= 0)
      continue;
    pq = pq32 ? (double)pq32[c] : split ? variance_at(bp->g[i]) : 1;
    h = bp->external[i] + bp->total[c];
    if (bperc_i_bp_is_signed(bp)) {
      double other = bp->total[bp->half + c];
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
      log_z += log_one_plus_exp(h);
  }
  for (size_t b = 0; b < bp->blocks; b++)
    log_z += bp->cell[b].log_z;
  bp->residual = residual;
  bp->shift = shift / weight;
  bp->stiffness = field_response(bp, weight);
  bp->moved = moved / (double)bp->in->n;
  bp->log_z = log_z;
}

void bperc_i_bp_sweep(bperc_bp *bp, double f, int want_log_z) {
  int split = bp->opt.update == BPERC_BP_SPLIT;
  sweep job = {.bp = bp, .pass = {f, want_log_z, 0}};
  if (split)
    job.pass.want_stiffness = bp->sweeps++ % STIFFNESS_EVERY == 0;
  if (bp->fast)
    set_columns(bp);
  if (bp->opt.centred)
    bperc_i_centred_open(bp);
  run_rows_of_all(&job);
  if (bp->opt.centred)
    bperc_i_centred_collect(bp, f, want_log_z);
  else
    collect_fields(bp, want_log_z);
  BPERC_I_CHECK(bp->opt.centred || bperc_i_recount_fields(bp));
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
