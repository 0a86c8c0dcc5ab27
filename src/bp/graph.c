/* The factor graph: building it, fixing weights, dropping what is decided. */
#include "bp/graph.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "bp/bp_recount.h"
#include "bp/state.h"

#include <string.h>

/* Rows of all columns beat lists above this density of ones. */
#define MASK_DENSITY 0.6
/* Columns are squeezed when this part of them is still unfixed. */
#define SQUEEZE_BELOW 0.9

size_t bperc_i_bp_padded(size_t degree) { return (degree + 7) / 8 * 8; }

/* ---- reading rows */

/* Appends the places of the ones of a word. */
static size_t append_ones(uint32_t *list, size_t k, uint64_t bits,
                          size_t first) {
  for (; bits; bits &= bits - 1)
    list[k++] = (uint32_t)(first + (size_t)__builtin_ctzll(bits));
  return k;
}

const uint32_t *bperc_i_bp_literals(const bperc_bp *bp, size_t mu,
                                    uint32_t *room) {
  const uint64_t *mask;
  size_t count = 0;
  if (bp->layout == BPERC_I_LISTS)
    return bp->list + bp->factor[mu].at;
  mask = bperc_i_bp_mask(bp, mu);
  for (size_t w = 0; w < bp->stride / 64; w++)
    count = append_ones(room, count, mask[w], 64 * w);
  assert(count == bp->factor[mu].degree);
  return room;
}

size_t bperc_i_bp_row(const bperc_bp *bp, size_t mu, uint32_t *slots) {
  size_t degree = bp->factor[mu].degree;
  if (bp->layout == BPERC_I_MASKS)
    bperc_i_bp_literals(bp, mu, slots);
  else
    for (size_t k = 0; k < degree; k++)
      slots[k] = (uint32_t)k;
  return degree;
}

/* ---- deciding factors */

static void drop_factor(bperc_bp *bp, bperc_i_factor *a) {
  a->live = 0;
  bp->live--;
  bp->edges -= a->degree;
}

/* Removes the factor if the fixed weights decide it. */
static void decide_factor(bperc_bp *bp, size_t mu) {
  bperc_i_factor *a = &bp->factor[mu];
  int64_t degree = a->degree;
  int bad = a->label ? degree < a->left : a->left < 0;
  int good = a->label ? a->left <= 0 : degree <= a->left;
  if (bad && bp->violated == bp->in->m)
    bp->violated = mu;
  if (bad || good)
    drop_factor(bp, a);
}

/* ---- building */

/* Inputs -1 of word w of a pattern. */
static uint64_t minus_inputs(const bperc_instance *in, size_t mu, size_t w) {
  uint64_t plus = bperc_instance_pattern(in, mu)[w], support = ~(uint64_t)0;
  if (in->inputs == BPERC_INPUTS_01)
    return 0;
  if (in->support)
    support = in->support[mu * in->words + w];
  else if (w == in->n / 64) /* the last one, not full */
    support = ((uint64_t)1 << in->n % 64) - 1;
  return support & ~plus;
}

/* -1, 0 or +1 */
static int graph_input(const bperc_instance *in, size_t mu, size_t i) {
  if (bperc_i_bit(bperc_instance_pattern(in, mu), i))
    return 1;
  return -(int)(minus_inputs(in, mu, i / 64) >> i % 64 & 1);
}

static size_t count_graph_ones(const uint64_t *row, size_t words) {
  size_t sum = 0;
  for (size_t w = 0; w < words; w++)
    sum += (size_t)__builtin_popcountll(row[w]);
  return sum;
}

static int32_t clamp32(int64_t value) {
  return value > INT32_MAX   ? INT32_MAX
         : value < INT32_MIN ? INT32_MIN
                             : (int32_t)value;
}

static void set_factors(bperc_bp *bp) {
  const bperc_instance *in = bp->in;
  bp->live = in->m;
  bp->edges = 0;
  bp->violated = in->m;
  for (size_t mu = 0; mu < in->m; mu++) {
    bperc_i_factor *a = &bp->factor[mu];
    a->label = in->labels[mu];
    a->left = clamp32(bperc_instance_bound(in, mu));
    a->plus =
        (uint32_t)count_graph_ones(bperc_instance_pattern(in, mu), in->words);
    a->degree = (uint32_t)bperc_instance_degree(in, mu);
    a->live = 1;
    bp->edges += a->degree;
  }
}

/* Numbers of a row of messages. */
static size_t row_numbers(const bperc_bp *bp, size_t mu) {
  return bp->layout == BPERC_I_MASKS ? bp->stride
                                     : bperc_i_bp_padded(bp->factor[mu].degree);
}

/* Lists rise: the literals of inputs -1 are behind all others. */
static void set_lists(bperc_bp *bp) {
  size_t at = 0;
  for (size_t mu = 0; mu < bp->in->m; mu++) {
    const uint64_t *row = bperc_instance_pattern(bp->in, mu);
    uint32_t *list = bp->list + at;
    size_t k = 0;
    bp->factor[mu].at = at;
    for (size_t w = 0; w < bp->in->words; w++)
      k = append_ones(list, k, row[w], 64 * w);
    for (size_t w = 0; w < bp->in->words; w++)
      k = append_ones(list, k, minus_inputs(bp->in, mu, w), bp->half + 64 * w);
    at += bperc_i_bp_padded(k);
    while (k % 8)
      list[k++] = (uint32_t)bp->in->n;
  }
}

static void set_masks(bperc_bp *bp) {
  const bperc_instance *in = bp->in;
  size_t at = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    uint64_t *mask;
    bp->factor[mu].at = at;
    mask = bperc_i_bp_mask(bp, mu);
    memcpy(mask, bperc_instance_pattern(in, mu), in->words * sizeof *mask);
    for (size_t w = 0; bperc_i_bp_is_signed(bp) && w < in->words; w++)
      mask[bp->half / 64 + w] = minus_inputs(in, mu, w);
    at += row_numbers(bp, mu);
  }
}

static bperc_status alloc_edges(bperc_bp *bp) {
  const bperc_instance *in = bp->in;
  bp->stride = bp->layout == BPERC_I_MASKS ? (in->n + 63) / 64 * 64
               : bperc_i_bp_is_signed(bp)  ? 2 * bp->half
                                           : bp->half;
  bp->capacity = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    bp->capacity += row_numbers(bp, mu);
  bp->words = in->m * bp->stride / 64;
  if (bp->fast)
    bp->u32 = bperc_i_calloc(bp->capacity + 8, sizeof *bp->u32);
  else
    bp->u = bperc_i_calloc(bp->capacity + 8, sizeof *bp->u);
  if (bp->layout != BPERC_I_LISTS)
    bp->mask = bperc_i_calloc(bp->words + 1, sizeof *bp->mask);
  else
    bp->list = bperc_i_alloc(bp->capacity + 8, sizeof *bp->list);
  return (bp->u || bp->u32) && (bp->mask || bp->list) ? BPERC_OK
                                                      : BPERC_E_MEMORY;
}

int bperc_i_bp_is_fast(const bperc_bp_options *opt, const bperc_instance *in) {
  size_t edges = 0;
  if (opt->centred)
    return 1;
  if (opt->kernel != BPERC_BP_KERNEL_AUTO)
    return opt->kernel == BPERC_BP_KERNEL_FAST;
  for (size_t mu = 0; mu < in->m; mu++)
    edges += bperc_instance_degree(in, mu);
  return edges > BPERC_I_PLAIN_EDGES;
}

/* The border of MASK_DENSITY is part of the answer, in its last bits: sums of
 * such rows are taken by columns. */
static bperc_i_layout choose_layout(const bperc_bp *bp) {
  double columns = (double)bp->in->n * (double)bp->in->m;
  double edges = (double)bp->edges;
  if (!bp->fast)
    return BPERC_I_LISTS;
  if (bp->opt.centred)
    return BPERC_I_MASKS;
  if (bperc_i_bp_is_signed(bp))
    columns *= 2;
  else if (edges > MASK_DENSITY * columns)
    return BPERC_I_MASKS;
  return edges > bp->kernels->pack_density * columns ? BPERC_I_PACKED
                                                     : BPERC_I_LISTS;
}

bperc_status bperc_i_bp_build(bperc_bp *bp) {
  const bperc_instance *in = bp->in;
  bp->factor = bperc_i_calloc(in->m, sizeof *bp->factor);
  bp->weight_of = bperc_i_alloc(in->n, sizeof *bp->weight_of);
  bp->column_of = bperc_i_alloc(in->n, sizeof *bp->column_of);
  bp->stay = bperc_i_alloc(in->n, sizeof *bp->stay);
  bp->fixed = bperc_i_alloc(in->n, sizeof *bp->fixed);
  bp->known = bperc_i_calloc(2 * in->words, sizeof *bp->known);
  if (!bp->factor || !bp->weight_of || !bp->column_of || !bp->stay ||
      !bp->fixed || !bp->known)
    return BPERC_E_MEMORY;
  set_factors(bp);
  bp->half = (in->n + 1 + 63) / 64 * 64;
  bp->fast = bperc_i_bp_is_fast(&bp->opt, in);
  bp->layout = choose_layout(bp);
  if (alloc_edges(bp) != BPERC_OK)
    return BPERC_E_MEMORY;
  bp->unfixed = bp->columns = in->n;
  for (size_t i = 0; i < in->n; i++) {
    bp->weight_of[i] = bp->column_of[i] = (uint32_t)i;
    bp->fixed[i] = -1;
  }
  bp->layout == BPERC_I_LISTS ? set_lists(bp) : set_masks(bp);
  for (size_t mu = 0; mu < in->m; mu++)
    decide_factor(bp, mu);
  BPERC_I_CHECK(bperc_i_recount_graph(bp));
  return BPERC_OK;
}

/* ---- fixing */

static size_t find_column(const uint32_t *list, size_t count, uint32_t column) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (list[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The place of a literal among a row's edges; it leaves the list or mask. */
static size_t remove_literal(bperc_bp *bp, size_t mu, uint32_t literal) {
  const bperc_i_factor *a = &bp->factor[mu];
  if (bp->layout == BPERC_I_LISTS) {
    uint32_t *list = bp->list + a->at;
    size_t k = find_column(list, a->degree, literal);
    assert(k < a->degree && list[k] == literal);
    memmove(list + k, list + k + 1, (a->degree - k - 1) * sizeof *list);
    list[a->degree - 1] = (uint32_t)bp->in->n;
    return k;
  }
  uint64_t *mask = bperc_i_bp_mask(bp, mu);
  uint64_t below = ((uint64_t)1 << literal % 64) - 1;
  assert(bperc_i_bit(mask, literal));
  bperc_i_bit_set(mask, literal, 0);
  return count_graph_ones(mask, literal / 64) +
         (size_t)__builtin_popcountll(mask[literal / 64] & below);
}

static void remove_edge(bperc_bp *bp, size_t mu, uint32_t literal) {
  const bperc_i_factor *a = &bp->factor[mu];
  size_t k = remove_literal(bp, mu, literal), tail = a->degree - k - 1;
  if (bp->fast) {
    float *u = bp->u32 + a->at;
    memmove(u + k, u + k + 1, tail * sizeof *u);
    u[a->degree - 1] = 0;
  } else {
    double *u = bp->u + a->at;
    memmove(u + k, u + k + 1, tail * sizeof *u);
    u[a->degree - 1] = 0;
  }
}

/* The bits of the columns that stay; new places are never behind. */
static void squeeze_mask(const uint64_t *old, const uint32_t *stay,
                         size_t count, size_t words, uint64_t *bits) {
  for (size_t w = 0; w < words; w++) {
    uint64_t word = 0;
    for (size_t k = 64 * w; k < 64 * w + 64 && k < count; k++)
      word |= (uint64_t)bperc_i_bit(old, stay[k]) << (k % 64);
    bits[w] = word;
  }
}

/* Masks: rows move up to where decided factors were. */
static void squeeze_masks(bperc_bp *bp, size_t count) {
  size_t at = 0, stride = (count + 63) / 64 * 64;
  for (size_t mu = 0; mu < bp->in->m; mu++) {
    bperc_i_factor *a = &bp->factor[mu];
    if (!a->live)
      continue;
    squeeze_mask(bp->mask + a->at / 64, bp->stay, count, stride / 64,
                 bp->mask + at / 64);
    for (size_t k = 0; k < count; k++)
      bp->u32[at + k] = bp->u32[a->at + bp->stay[k]];
    for (size_t k = count; k < stride; k++)
      bp->u32[at + k] = 0;
    a->at = at;
    at += stride;
  }
  bp->stride = stride;
}

/* Packed: the messages stay where they are. */
static void squeeze_packed(bperc_bp *bp, size_t count) {
  size_t parts = bperc_i_bp_is_signed(bp) ? 2 : 1;
  size_t half = (count + 63) / 64 * 64, stride = parts * half;
  for (size_t mu = 0; mu < bp->in->m; mu++)
    for (size_t part = 0; part < parts; part++)
      squeeze_mask(bp->mask + (mu * bp->stride + part * bp->half) / 64,
                   bp->stay, count, half / 64,
                   bp->mask + (mu * stride + part * half) / 64);
  bp->stride = bp->width = stride;
  bp->half = half;
}

/* Drops the columns of fixed weights. */
static void squeeze_columns(bperc_bp *bp) {
  size_t count = 0;
  for (size_t c = 0; c < bp->columns; c++)
    if (bp->fixed[bp->weight_of[c]] < 0) {
      bp->weight_of[count] = bp->weight_of[c];
      bp->column_of[bp->weight_of[c]] = (uint32_t)count;
      bp->stay[count++] = (uint32_t)c;
    }
  if (bp->layout == BPERC_I_PACKED)
    squeeze_packed(bp, count);
  else
    squeeze_masks(bp, count);
  bp->columns = count;
}

typedef struct {
  bperc_bp *bp;
  size_t weight, parts;
  int value; /* of the weight */
} removal;

/* The edges of a weight leave some rows; what these count of them. */
static void remove_edges(void *context, size_t part, unsigned worker) {
  const removal *r = context;
  bperc_bp *bp = r->bp;
  uint32_t column = bp->column_of[r->weight];
  bperc_i_span rows = bperc_i_part(bp->in->m, 1, part, r->parts);
  (void)worker;
  for (size_t mu = rows.from; mu < rows.to; mu++) {
    bperc_i_factor *a = &bp->factor[mu];
    int x = a->live ? graph_input(bp->in, mu, r->weight) : 0;
    if (x == 0)
      continue;
    if (bp->layout == BPERC_I_MASKS)
      bperc_i_bit_set(bp->mask + a->at / 64, column, 0);
    else
      remove_edge(bp, mu, x > 0 ? column : column + (uint32_t)bp->half);
    a->degree--;
    a->plus -= x > 0;
    a->left -= r->value == (x > 0);
  }
}

/* After degrees have changed. Factors that did not lose an edge are not decided
 * now, or they were before. */
static void decide_all(bperc_bp *bp) {
  bp->edges = 0;
  for (size_t mu = 0; mu < bp->in->m; mu++)
    bp->edges += bp->factor[mu].live ? bp->factor[mu].degree : 0;
  for (size_t mu = 0; mu < bp->in->m; mu++)
    if (bp->factor[mu].live)
      decide_factor(bp, mu);
}

bperc_progress bperc_bp_fix(bperc_bp *bp, size_t i, int value) {
  unsigned threads = bperc_i_bp_threads(bp);
  removal r = {bp, i, threads, value};
  assert(i < bp->in->n && (value == 0 || value == 1));
  if (bp->fixed[i] >= 0)
    return bp->fixed[i] == value ? BPERC_RUNNING : BPERC_CONTRADICTION;
  bp->fixed[i] = (int8_t)value;
  bp->unfixed--;
  bp->activity -= value;
  bperc_i_thread_pool_run(bp->pool, threads, threads, remove_edges, &r);
  decide_all(bp);
  if (bp->layout != BPERC_I_LISTS &&
      (double)bp->unfixed < SQUEEZE_BELOW * (double)bp->columns)
    squeeze_columns(bp);
  BPERC_I_CHECK(bperc_i_recount_graph(bp));
  if (bp->violated < bp->in->m)
    return BPERC_CONTRADICTION;
  return bp->unfixed ? BPERC_RUNNING : BPERC_SOLVED;
}

size_t bperc_bp_violated(const bperc_bp *bp) { return bp->violated; }

int bperc_bp_fixed(const bperc_bp *bp, size_t i) { return bp->fixed[i]; }

size_t bperc_bp_unfixed(const bperc_bp *bp) { return bp->unfixed; }

size_t bperc_i_bp_edges(const bperc_bp *bp) { return bp->edges; }
