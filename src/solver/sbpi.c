/* SBPI on bit planes: a sum is AND and popcount, an update is one addition in
 * bit-sliced saturating counters whose sign plane is the weight vector. */
#include "bperc/sbpi.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "model/bit_rows.h"
#include "solver/methods.h"
#include "solver/sbpi_part.h"
#include "solver/solver_recount.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
  const bperc_instance *in;
  const bperc_i_bit_kernels *kernels;
  bperc_i_rows rows;
  uint64_t *everywhere; /* n ones: the inputs of a pattern without zeros */
  uint64_t *some;       /* room for inputs that move; NULL without bands */
  double partial;       /* how often only some of them do */
  bool both;            /* the margin rule is for both labels */
  int64_t margin_at;    /* hits to spare where it acts */
  bperc_sbpi_options options;
  bperc_stream stream;
  bperc_i_counters h;
  const uint64_t *weights; /* the sign plane of h */
  bperc_i_sbpi_part part;  /* --freeze: the weights still in rows and h */
  uint32_t *order;
  uint64_t sweeps;
  size_t errors;
} state;

static BPERC_OPTIONS_DEFINE(sbpi_option_table, bperc_sbpi_options,
                            BPERC_SBPI_OPTIONS);

/* ---- hidden states */

/* K = [21 sqrt(N/480)]. Other kinds than the paper's need three times as much:
 * docs/choices.md 28. */
static void sbpi_choose(const bperc_instance *in, void *options) {
  int paper = in->weights == BPERC_WEIGHTS_01 && in->inputs == BPERC_INPUTS_01;
  bperc_sbpi_options *o = options;
  if (o->k == BPERC_AUTO)
    o->k = (int64_t)nearbyint((paper ? 21 : 63) * sqrt((double)in->n / 480));
}

/* (|h| - 1)/2 at saturation: K may be even, h is odd. */
static uint64_t limit_of(int64_t k) {
  return k < 1 ? 0 : (uint64_t)(k - 1) / 2;
}

static bperc_status counters_init(bperc_i_counters *h, size_t n,
                                  uint64_t limit) {
  h->words = bperc_i_words(n);
  h->stride = (h->words + 3) / 4 * 4;
  h->limit = limit;
  for (h->planes = 1; limit; limit >>= 1)
    h->planes++;
  h->plane = bperc_i_calloc(h->planes * h->stride, sizeof *h->plane);
  return h->plane ? BPERC_OK : BPERC_E_MEMORY;
}

/* |h| = 2 k + 1 with the signs as they are: k is stored as itself or as
 * NOT k. */
static void set_depth(state *s, uint64_t k) {
  const uint64_t *sign = bperc_i_plane(&s->h, s->h.planes - 1);
  assert(k <= s->h.limit);
  for (unsigned p = 0; p + 1 < s->h.planes; p++)
    for (size_t w = 0; w < s->h.words; w++)
      bperc_i_plane(&s->h, p)[w] = k >> p & 1 ? sign[w] : ~sign[w];
}

/* h = +1 or -1 with equal probability. */
static void draw_hidden_states(state *s) {
  bperc_stream_bernoulli(&s->stream, 0.5, bperc_i_plane(&s->h, s->h.planes - 1),
                         s->in->n);
  set_depth(s, 0);
}

/* Of halves of bands per weight: how soon all inputs move at once. */
#define FULL_MOVES 16

/* ---- one sweep [BZ Appendix A] */

/* Of a problem with bands: inputs that move, a share of 1, 1/2, ..., 1/16 of
 * them. All at once overshoot to the other side of the band, and of few
 * patterns come back for ever; many patterns disturb each other enough, and
 * are stored sooner when all inputs move. */
static void draw_some(state *s, const uint64_t *active) {
  double share = 1 / (double)(1 << bperc_stream_below(&s->stream, 5));
  bperc_stream_bernoulli(&s->stream, share, s->some, s->rows.bits);
  for (size_t k = 0; k < s->rows.words; k++)
    s->some[k] &= active[k];
}

/* Moves the hidden states of a pattern so that its literals turn on, or off;
 * `firm`: only of those that are so already. */
static void move_hidden_states(state *s, size_t mu, int on, bool firm) {
  const bperc_i_rows *r = &s->rows;
  const uint64_t *xi = r->rows + mu * r->words;
  const uint64_t *mask =
      r->support ? r->support + mu * r->words : s->everywhere;
  if (s->some && !firm && bperc_stream_double(&s->stream) < s->partial) {
    draw_some(s, r->kind == BPERC_I_ROWS_01 ? xi : mask);
    xi = r->kind == BPERC_I_ROWS_01 ? s->some : xi;
    mask = s->some;
  }
  if (r->kind != BPERC_I_ROWS_01)
    (firm ? s->kernels->firm : s->kernels->toward)(&s->h, mask, xi, on);
  else if (firm)
    (on ? s->kernels->strengthen : s->kernels->deepen)(&s->h, xi);
  else
    (on ? s->kernels->up : s->kernels->down)(&s->h, xi);
}

/* A pattern that holds but would not with one hit more or less (or, inside, one
 * that is not on the threshold): with probability p_s. */
static void at_margin(state *s, size_t mu, int on) {
  if (s->options.margin != BPERC_SBPI_OFF &&
      bperc_stream_double(&s->stream) < s->options.p_s)
    move_hidden_states(s, mu, on, s->options.margin != BPERC_SBPI_PRINTED);
}

static void present_to_sbpi(state *s, size_t mu) {
  const bperc_i_rows *r = &s->rows;
  int label = r->labels[mu];
  int64_t bound = bperc_i_row_bound(r, mu);
  int64_t hits = r->kind == BPERC_I_ROWS_01
                     ? (int64_t)s->kernels->and_popcount(
                           r->rows + mu * r->words, s->weights, r->words)
                     : s->kernels->hits(r, mu, s->weights);
  int64_t spare = label ? hits - bound : bound - hits;
  if (spare < 0)
    move_hidden_states(s, mu, label, false);
  else if (spare == s->margin_at && (!label || s->both))
    at_margin(s, mu, label);
}

static size_t count_sbpi_errors(const state *s) {
  return s->kernels->violated(&s->rows, s->weights);
}

/* Rows come in random order, which no hardware foresees: the lines of the next
 * one are asked for while this one is presented, as many as it takes for the
 * rest to follow in sequence: 16 (8 to 24 do nearly as well, 64 do not).
 * Matrices that stay in the second cache do not need it. */
enum {
  LINE_WORDS = 8,
  AHEAD_WORDS = 16 * LINE_WORDS,
  NEAR_WORDS = (512 << 10) / 8
};

static void prefetch_row(const bperc_i_rows *r, size_t mu) {
  const uint64_t *row = r->rows + mu * r->words;
  size_t end = r->words < AHEAD_WORDS ? r->words : AHEAD_WORDS;
  for (size_t k = 0; k < end; k += LINE_WORDS)
    __builtin_prefetch(row + k);
}

static void sweep_once_each(state *s) {
  const size_t m = s->in->m;
  bool far = m * s->rows.words > NEAR_WORDS;
  bperc_stream_shuffle(&s->stream, s->order, m);
  for (size_t k = 0; k < m; k++) {
    if (far && k + 1 < m)
      prefetch_row(&s->rows, s->order[k + 1]);
    present_to_sbpi(s, s->order[k]);
  }
}

static void sweep(state *s) {
  const size_t m = s->in->m;
  if (s->options.presentation != BPERC_SBPI_DRAWN)
    sweep_once_each(s);
  else
    for (size_t k = 0; k < m; k++)
      present_to_sbpi(s, (size_t)bperc_stream_below(&s->stream, m));
}

/* Hidden states are looked at after every sweep, and weights leave at the end
 * of a window of --freeze sweeps. */
static void freeze_columns(state *s) {
  bperc_i_sbpi_part_watch(&s->part, &s->h);
  if (s->sweeps % (uint64_t)s->options.freeze)
    return;
  if (bperc_i_sbpi_part_leave(&s->part, &s->rows, &s->h) && s->everywhere)
    bperc_i_bits_ones(s->everywhere, s->rows.bits);
}

/* What the next sweep relies on, from scratch. */
static bool sbpi_is_sound(const state *s) {
  const bperc_i_rows all = bperc_i_instance_rows(s->in);
  const uint64_t *weights = s->weights;
  if (s->rows.bits < s->in->n) {
    bperc_i_sbpi_part_weights(&s->part, &s->rows, &s->h);
    weights = s->part.weights;
  }
  return bperc_i_recount_counters(&s->h, s->rows.bits) &&
         bperc_i_recount_errors(s->in, weights, s->errors) &&
         (s->rows.bits == s->in->n ||
          bperc_i_recount_part(&s->rows, s->weights, &all, weights));
}

static bperc_progress sbpi_step(void *object) {
  state *s = object;
  sweep(s);
  s->sweeps++;
  if (s->part.quiet)
    freeze_columns(s);
  s->errors = count_sbpi_errors(s);
  BPERC_I_CHECK(sbpi_is_sound(s));
  if (s->errors == 0)
    return BPERC_SOLVED;
  return s->sweeps >= (uint64_t)s->options.max_sweeps ? BPERC_EXHAUSTED
                                                      : BPERC_RUNNING;
}

/* ---- life */

/* Read literally, 0 < N/A - sum <= 1 leaves out a sum on the threshold, which a
 * label-0 pattern may have unless ties are strict (docs/choices.md 2). */
static int64_t margin_at(const bperc_instance *in, int64_t margin) {
  int paper = in->weights == BPERC_WEIGHTS_01 && in->inputs == BPERC_INPUTS_01;
  return margin == BPERC_SBPI_INSIDE && paper && in->kappa == 0 &&
         in->ties != BPERC_TIES_STRICT && floor(in->theta) == in->theta;
}

static void sbpi_destroy(void *object) {
  state *s = object;
  if (!s)
    return;
  bperc_i_free(s->order);
  bperc_i_free(s->everywhere);
  bperc_i_free(s->some);
  bperc_i_free(s->h.plane);
  bperc_i_sbpi_part_clear(&s->part);
  bperc_i_free(s);
}

static bperc_status sbpi_create(const bperc_instance *in, const void *options,
                                uint64_t seed, unsigned threads, void **out,
                                bperc_error *error) {
  state *s;
  (void)threads; /* sequential by nature: every presentation needs the last */
  *out = NULL;
  s = bperc_i_calloc(1, sizeof *s);
  if (!s)
    goto memory;
  s->in = in;
  s->kernels = bperc_i_bit_kernels_get();
  s->rows = bperc_i_instance_rows(in);
  s->both = in->weights == BPERC_WEIGHTS_PM;
  s->stream = bperc_stream_make(seed, BPERC_FOR_SBPI, 0);
  memcpy(&s->options, options, sizeof s->options);
  sbpi_choose(in, &s->options);
  s->margin_at = margin_at(in, s->options.margin);
  s->order = bperc_i_alloc(in->m, sizeof *s->order);
  if (in->inputs == BPERC_INPUTS_PM) {
    s->everywhere = bperc_i_alloc(in->words, sizeof *s->everywhere);
    if (!s->everywhere)
      goto memory;
    bperc_i_bits_ones(s->everywhere, in->n);
  }
  if (in->kappa < 0) { /* half of a band: model/bit_rows.h */
    s->some = bperc_i_calloc(in->words, sizeof *s->some);
    if (!s->some)
      goto memory;
    s->partial = 1 / (1 + FULL_MOVES * (double)in->m / (double)in->n);
  }
  if (!s->order || counters_init(&s->h, in->n, limit_of(s->options.k)))
    goto memory;
  if (s->options.freeze > 0 &&
      bperc_i_sbpi_part_init(&s->part, &s->rows, &s->h, s->options.freeze_at))
    goto memory;
  s->weights = bperc_i_plane(&s->h, s->h.planes - 1);
  for (size_t mu = 0; mu < in->m; mu++)
    s->order[mu] = (uint32_t)mu;
  draw_hidden_states(s);
  s->errors = count_sbpi_errors(s);
  *out = s;
  return BPERC_OK;
memory:
  sbpi_destroy(s);
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for SBPI, N = %zu",
                         in->n);
}

static void sbpi_view(const void *object, bperc_view *out) {
  const state *s = object;
  *out = (bperc_view){
      .step = s->sweeps, .errors = s->errors, .weights = s->weights};
  if (s->rows.bits == s->in->n)
    return;
  bperc_i_sbpi_part_weights(&s->part, &s->rows, &s->h);
  out->weights = s->part.weights;
}

/* The weight of a column. */
static size_t site(const state *s, size_t column) {
  return s->part.quiet ? s->part.site[column] : column;
}

static void sbpi_fields(const void *object, double *out) {
  const state *s = object;
  for (size_t i = 0; s->part.quiet && i < s->in->n; i++)
    out[i] = s->part.frozen_at[i];
  for (size_t j = 0; j < s->rows.bits; j++)
    out[site(s, j)] = bperc_i_sbpi_hidden(&s->h, j);
}

static void set_hidden(const state *s, size_t i, int32_t h) {
  const uint64_t stored =
      h > 0 ? (uint64_t)(h - 1) / 2 : ~((uint64_t)(-h - 1) / 2);
  for (unsigned p = 0; p + 1 < s->h.planes; p++)
    bperc_i_bit_set(bperc_i_plane(&s->h, p), i, stored >> p & 1);
  bperc_i_bit_set(bperc_i_plane(&s->h, s->h.planes - 1), i, h > 0);
}

static void sbpi_adopt(void *object, const void *older) {
  state *s = object;
  const state *from = older;
  assert(s->h.planes == from->h.planes && s->h.stride == from->h.stride);
  assert(s->rows.bits == s->in->n);
  for (size_t i = 0; from->part.quiet && i < s->in->n; i++)
    if (from->part.frozen_at[i])
      set_hidden(s, i, from->part.frozen_at[i]);
  for (size_t j = 0; j < from->rows.bits; j++)
    set_hidden(s, site(from, j), bperc_i_sbpi_hidden(&from->h, j));
  s->errors = count_sbpi_errors(s);
}

/* Up to half the way to saturation. */
static void sbpi_start(void *object, const uint64_t *weights, double field) {
  state *s = object;
  memcpy(bperc_i_plane(&s->h, s->h.planes - 1), weights,
         s->h.words * sizeof *weights);
  set_depth(s, (uint64_t)(tanh(field / 2) * (double)s->h.limit / 2));
  s->errors = count_sbpi_errors(s);
}

static const bperc_solver_methods methods = {
    .choose = sbpi_choose,
    .create = sbpi_create,
    .step = sbpi_step,
    .view = sbpi_view,
    .fields = sbpi_fields,
    .destroy = sbpi_destroy,
    .adopt = sbpi_adopt,
    .start = sbpi_start,
};

const bperc_solver_class bperc_sbpi_class = {
    .name = "sbpi",
    .later = "freeze freeze_at",
    .summary = "stochastic belief-propagation-inspired learning",
    .step_name = "sweeps",
    .options = sbpi_option_table,
    .options_size = sizeof(bperc_sbpi_options),
    .methods = &methods,
};
