/* Belief propagation: the object, its messages, what can be asked of it. */
#include "bperc/bp.h"

#include "base/alloc.h"
#include "base/options.h"
#include "bp/centred.h"
#include "bp/graph.h"
#include "bp/method.h"
#include "bp/state.h"
#include "model/bit_rows.h"

#include <math.h>
#include <string.h>

BPERC_OPTIONS_DEFINE(bperc_bp_option_table, bperc_bp_options, BPERC_BP_OPTIONS);

/* A block of factors is about so many edges: work for one thread at a time. */
#define BLOCK_EDGES 100000
#define MOST_BLOCKS 32
/* So many blocks share out over threads well enough. */
#define MANY_BLOCKS 16
/* Most numbers of rows as cells of their own. */
#define ROW_CELLS_ROOM (16 * BLOCK_EDGES)

/* Residual that single precision reaches at every size. */
#define FAST_FLOOR 1e-5
/* Residual of each of many fixed points in double precision. */
#define MANY_TOLERANCE 1e-7

static void free_work(bperc_i_bp_workspace *w) {
  bperc_i_free(w->slots);
  bperc_i_free(w->literals);
  bperc_i_free(w->h);
  bperc_i_free(w->p);
  bperc_i_free(w->q);
  bperc_i_free(w->h_hat);
  bperc_i_free(w->row);
  bperc_i_free(w->other);
  bperc_i_free(w->message);
  bperc_i_free(w->mask);
  bperc_i_free(w->table);
}

void bperc_bp_free(bperc_bp *bp) {
  if (!bp)
    return;
  for (unsigned k = 0; bp->work && k < bp->workers; k++)
    free_work(&bp->work[k]);
  bperc_i_free(bp->work);
  bperc_i_free(bp->fixed);
  bperc_i_free(bp->external);
  bperc_i_free(bp->g);
  bperc_i_free(bp->field);
  bperc_i_free(bp->factor);
  bperc_i_free(bp->weight_of);
  bperc_i_free(bp->column_of);
  bperc_i_free(bp->stay);
  bperc_i_free(bp->known);
  bperc_i_free(bp->list);
  bperc_i_free(bp->mask);
  bperc_i_free(bp->u);
  bperc_i_free(bp->u32);
  bperc_i_free(bp->sums);
  bperc_i_free(bp->sums32);
  bperc_i_free(bp->g32);
  bperc_i_free(bp->cell);
  bperc_i_free(bp->total);
  bperc_i_thread_pool_free(bp->pool);
  bperc_i_free(bp->open);
  bperc_i_free(bp);
}

static int alloc_work(bperc_bp *bp, bperc_i_bp_workspace *w, size_t table) {
  size_t room = bp->in->n + 64;
  w->slots = bperc_i_alloc(room, sizeof *w->slots);
  w->literals = bperc_i_alloc(room, sizeof *w->literals);
  w->h = bperc_i_alloc(room, sizeof *w->h);
  w->p = bperc_i_alloc(room, sizeof *w->p);
  w->q = bperc_i_alloc(room, sizeof *w->q);
  w->h_hat = bperc_i_alloc(room, sizeof *w->h_hat);
  w->row = bperc_i_alloc(room, sizeof *w->row);
  w->other = bperc_i_alloc(room, sizeof *w->other);
  w->message = bperc_i_alloc(room, sizeof *w->message);
  w->mask = bperc_i_alloc(room / 64 + 1, sizeof *w->mask);
  w->table = bperc_i_alloc(table, sizeof *w->table);
  return w->slots && w->literals && w->h && w->p && w->q && w->h_hat &&
         w->row && w->other && w->message && w->mask && w->table;
}

/* Rows of the blocks that are left when all workers have had as many, as cells
 * of their own; none where blocks are many or rows sparse. */
static size_t row_cells(const bperc_bp *bp) {
  size_t rows = bp->blocks % bp->workers * bperc_i_bp_block_rows(bp);
  return bp->blocks < MANY_BLOCKS && rows * bp->width <= ROW_CELLS_ROOM ? rows
                                                                        : 0;
}

static int alloc_cells(bperc_bp *bp) {
  size_t count;
  bp->row_cells = row_cells(bp);
  count = bp->blocks + bp->row_cells;
  bp->cell = bperc_i_calloc(count, sizeof *bp->cell);
  bp->total = bperc_i_calloc(bp->width, sizeof *bp->total);
  if (bp->fast)
    bp->sums32 = bperc_i_alloc(count * bp->width, sizeof *bp->sums32);
  else
    bp->sums = bperc_i_alloc(count * bp->width, sizeof *bp->sums);
  if (!bp->cell || !bp->total || (!bp->sums && !bp->sums32))
    return 0;
  for (size_t k = 0; k < count; k++)
    if (bp->fast)
      bp->cell[k].sums32 = bp->sums32 + k * bp->width;
    else
      bp->cell[k].sums = bp->sums + k * bp->width;
  return 1;
}

static int alloc_workers(bperc_bp *bp) {
  size_t table = bperc_i_bp_table_room(bp);
  bp->work = bperc_i_calloc(bp->workers, sizeof *bp->work);
  if (bp->workers > 1)
    bp->pool = bperc_i_thread_pool_new(bp->workers);
  if (!bp->work || (bp->workers > 1 && !bp->pool))
    return 0;
  for (unsigned k = 0; k < bp->workers; k++)
    if (!alloc_work(bp, &bp->work[k], table))
      return 0;
  return 1;
}

static bperc_status alloc_iteration(bperc_bp *bp) {
  bp->blocks = 1 + bp->edges / BLOCK_EDGES;
  if (bp->blocks > MOST_BLOCKS)
    bp->blocks = MOST_BLOCKS;
  bp->width = bperc_i_bp_is_signed(bp) ? 2 * bp->half : bp->half;
  bp->workers = bperc_threads(bp->blocks, bp->threads);
  bp->open = bperc_i_calloc(bp->half / 64 + 1, sizeof *bp->open);
  bp->g32 = bperc_i_calloc(bp->width, sizeof(float));
  bp->external = bperc_i_calloc(bp->in->n, sizeof(double));
  bp->g = bperc_i_calloc(bp->in->n, sizeof(double));
  bp->field = bperc_i_calloc(bp->in->n, sizeof(double));
  return bp->open && bp->g32 && bp->external && bp->g && bp->field &&
                 alloc_cells(bp) && alloc_workers(bp)
             ? BPERC_OK
             : BPERC_E_MEMORY;
}

static bperc_status make_bp(const bperc_instance *in,
                            const bperc_bp_options *opt, uint64_t seed,
                            unsigned threads, bperc_bp **out) {
  bperc_bp *bp = bperc_i_calloc(1, sizeof *bp);
  bperc_status status;
  *out = NULL;
  if (!bp)
    return BPERC_E_MEMORY;
  bp->in = in;
  bp->opt = *opt;
  bp->seed = seed;
  bp->threads = threads;
  bp->kernels = bperc_i_bp_kernels_get();
  status = bperc_i_bp_build(bp);
  if (status == BPERC_OK)
    status = alloc_iteration(bp);
  if (status != BPERC_OK) {
    bperc_bp_free(bp);
    return status;
  }
  *out = bp;
  return BPERC_OK;
}

bperc_status bperc_bp_new(const bperc_instance *in,
                          const bperc_bp_options *options, uint64_t seed,
                          unsigned threads, bperc_bp **out,
                          bperc_error *error) {
  bperc_bp_options opt;
  *out = NULL;
  if (bperc_i_options_take(bperc_bp_option_table(), sizeof opt, options, &opt,
                           error))
    return BPERC_E_ARGUMENT;
  if (bperc_i_no_band(in, "belief propagation", error))
    return BPERC_E_ARGUMENT;
  if (opt.centred && in->inputs != BPERC_INPUTS_01)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "centred belief propagation is for 0/1 inputs: "
                           "signed ones leave the activity free");
  if (make_bp(in, &opt, seed, threads, out))
    return bperc_error_set(error, BPERC_E_MEMORY,
                           "no memory for the messages of %zu x %zu", in->m,
                           in->n);
  bperc_bp_restart(*out, 0);
  return BPERC_OK;
}

bperc_bp_options bperc_bp_options_for_many(const bperc_bp_options *from,
                                           const bperc_instance *in) {
  bperc_bp_options opt;
  (void)bperc_i_options_take(bperc_bp_option_table(), sizeof opt, from, &opt,
                             NULL); /* what is wrong bperc_bp_new refuses */
  if (!(opt.tolerance > 0) && opt.criterion == BPERC_BP_RESIDUAL)
    opt.tolerance = bperc_i_bp_is_fast(&opt, in) ? FAST_FLOOR : MANY_TOLERANCE;
  return opt;
}

bperc_bp_options bperc_bp_options_used(const bperc_bp *bp) {
  bperc_bp_options opt = bp->opt;
  bperc_i_bp_choose(bp->in, &opt);
  return opt;
}

void bperc_bp_copy(bperc_bp *to, const bperc_bp *from) {
  size_t n = from->in->n;
  memcpy(to->fixed, from->fixed, n * sizeof *to->fixed);
  memcpy(to->external, from->external, n * sizeof *to->external);
  memcpy(to->g, from->g, n * sizeof *to->g);
  memcpy(to->field, from->field, n * sizeof *to->field);
  memcpy(to->factor, from->factor, from->in->m * sizeof *to->factor);
  memcpy(to->weight_of, from->weight_of, n * sizeof *to->weight_of);
  memcpy(to->column_of, from->column_of, n * sizeof *to->column_of);
  if (from->list)
    memcpy(to->list, from->list, from->capacity * sizeof *to->list);
  if (from->mask)
    memcpy(to->mask, from->mask, from->words * sizeof *to->mask);
  if (from->fast)
    memcpy(to->u32, from->u32, from->capacity * sizeof *to->u32);
  else
    memcpy(to->u, from->u, from->capacity * sizeof *to->u);
  to->unfixed = from->unfixed;
  to->live = from->live;
  to->edges = from->edges;
  to->violated = from->violated;
  to->columns = from->columns;
  to->stride = from->stride;
  to->half = from->half;
  to->width = from->width;
  to->residual = from->residual;
  to->activity = from->activity;
  to->lambda = from->lambda;
  to->sweeps = 0; /* the stiffness is measured anew */
  to->opt = from->opt;
}

bperc_status bperc_bp_clone(const bperc_bp *bp, unsigned threads,
                            bperc_bp **out) {
  bperc_bp_options opt = bp->opt;
  bperc_status status;
  opt.kernel = bp->fast ? BPERC_BP_KERNEL_FAST : BPERC_BP_KERNEL_PLAIN;
  status = make_bp(bp->in, &opt, bp->seed, threads, out);
  if (status == BPERC_OK)
    bperc_bp_copy(*out, bp);
  return status;
}

/* The uniform field at which the mean sum of a pattern sits on the threshold:
 * a start from which the uniform mode has little to do. */
static double level_field(const bperc_bp *bp) {
  double ones = (double)bp->edges / (double)(bp->live ? bp->live : 1);
  double left = 0, p;
  if (bperc_i_bp_is_signed(bp)) /* the signs share the work */
    return 0;
  for (size_t mu = 0; mu < bp->in->m; mu++)
    if (bp->factor[mu].live)
      left += bp->factor[mu].left;
  p = left / (double)(bp->live ? bp->live : 1) / (ones > 0 ? ones : 1);
  p = fmax(0.01, fmin(0.99, p));
  return bp->live ? log(p / (1 - p)) : 0;
}

void bperc_bp_restart(bperc_bp *bp, uint64_t index) {
  int level_start = bp->opt.update == BPERC_BP_SPLIT || bp->opt.centred;
  double level = level_start ? level_field(bp) : 0;
  bperc_stream stream = bperc_stream_make(bp->seed, BPERC_FOR_BP_START, index);
  uint32_t *slots = bp->work[0].slots;
  bp->sweeps = 0;
  for (size_t i = 0; i < bp->in->n; i++)
    bp->g[i] = bp->field[i] = level;
  if (bp->opt.centred) { /* nothing to break the symmetry of: no noise */
    bperc_i_centred_start(bp, level);
    memset(bp->u32, 0, bp->capacity * sizeof *bp->u32);
    return;
  }
  for (size_t mu = 0; mu < bp->in->m; mu++) {
    size_t degree, at = bp->factor[mu].at;
    if (!bp->factor[mu].live)
      continue;
    degree = bperc_i_bp_row(bp, mu, slots);
    for (size_t k = 0; k < degree; k++) {
      double h = 2 * bperc_stream_double(&stream) - 1;
      if (bp->fast)
        bp->u32[at + slots[k]] = (float)-h;
      else
        bp->u[at + slots[k]] = -h;
    }
  }
}

void bperc_bp_set_external(bperc_bp *bp, size_t i, double x) {
  bp->external[i] = x;
}

/* ---- bp/engine.h */

const bperc_instance *bperc_i_bp_instance(const bperc_bp *bp) { return bp->in; }

const bperc_bp_options *bperc_i_bp_options(const bperc_bp *bp) {
  return &bp->opt;
}

const double *bperc_i_bp_field(const bperc_bp *bp) { return bp->field; }

const int8_t *bperc_i_bp_values(const bperc_bp *bp) { return bp->fixed; }

double *bperc_i_bp_external(bperc_bp *bp) { return bp->external; }

void bperc_i_bp_add_external(bperc_bp *bp, size_t i, double x) {
  bp->external[i] += x;
  bp->g[i] += x;
}

void bperc_i_bp_add_field(bperc_bp *bp, size_t i, double x) {
  bp->field[i] += x;
  bp->g[i] += x;
}

double bperc_i_bp_swept_entropy(const bperc_bp *bp) {
  return bp->log_z / (double)(bp->unfixed ? bp->unfixed : 1);
}

/* ---- answers */

double bperc_bp_residual(const bperc_bp *bp) { return bp->residual; }

void bperc_bp_fields(const bperc_bp *bp, double *h) {
  for (size_t i = 0; i < bp->in->n; i++)
    h[i] =
        bp->fixed[i] < 0 ? bp->field[i] : (bp->fixed[i] ? INFINITY : -INFINITY);
}

void bperc_bp_marginals(const bperc_bp *bp, double *p) {
  bperc_bp_fields(bp, p);
  for (size_t i = 0; i < bp->in->n; i++)
    p[i] = 1 / (1 + exp(-p[i]));
}

double bperc_bp_log_z(bperc_bp *bp) {
  bperc_i_bp_sweep(bp, 0, BPERC_I_PRECISE);
  return bp->log_z;
}

double bperc_bp_entropy(bperc_bp *bp) {
  return bp->unfixed ? bperc_bp_log_z(bp) / (double)bp->unfixed : 0;
}
