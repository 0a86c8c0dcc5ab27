/* Random walk among solutions. Which flips are allowed is kept as two bit
 * vectors over patterns: label-0 patterns at their bound forbid another hit,
 * label-1 patterns at theirs forbid to lose one. Two ANDs with the columns of
 * a weight decide. */
#include "bperc/walk.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/options.h"
#include "model/bit_rows.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

struct bperc_walk {
  const bperc_instance *in;
  bperc_walk_options options;
  bperc_stream stream;
  size_t words;           /* of a column, m bits */
  uint64_t *plus, *minus; /* n * words: where x_i is +1, and where -1 */
  uint64_t *full;         /* label 0 and hits == bound */
  uint64_t *tight;        /* label 1 and hits == bound */
  int64_t *hits;
  uint64_t *weights;
  uint32_t *order;
};

BPERC_OPTIONS_DEFINE(bperc_walk_option_table, bperc_walk_options,
                     BPERC_WALK_OPTIONS);

static void mark_pattern(bperc_walk *w, size_t mu) {
  bperc_i_bit_set(w->in->labels[mu] ? w->tight : w->full, mu,
                  w->hits[mu] == bperc_instance_bound(w->in, mu));
}

/* The patterns for which weight i is a hit while it has this value. */
static const uint64_t *hit_by(const bperc_walk *w, size_t i, int value) {
  const uint64_t *columns = value ? w->plus : w->minus;
  return columns ? columns + i * w->words : NULL;
}

static void set_column(uint64_t *columns, size_t words, size_t mu,
                       const uint64_t *row, size_t row_words) {
  for (size_t k = 0; k < row_words; k++)
    for (uint64_t left = row[k]; left; left &= left - 1) {
      size_t i = 64 * k + (size_t)__builtin_ctzll(left);
      bperc_i_bit_set(columns + i * words, mu, 1);
    }
}

/* Columns and hits from the rows; `row` is room for one. */
static void transpose_inputs(bperc_walk *w, uint64_t *row) {
  const bperc_instance *in = w->in;
  for (size_t mu = 0; mu < in->m; mu++) {
    set_column(w->plus, w->words, mu, bperc_instance_pattern(in, mu),
               in->words);
    if (w->minus) {
      bperc_i_instance_minus(in, mu, row);
      set_column(w->minus, w->words, mu, row, in->words);
    }
    w->hits[mu] = bperc_instance_hits(in, mu, w->weights);
    mark_pattern(w, mu);
  }
}

static bool meet(const uint64_t *x, const uint64_t *y, size_t words) {
  uint64_t both = 0;
  for (size_t k = 0; k < words; k++)
    both |= x[k] & y[k];
  return both != 0;
}

static void count_flip(bperc_walk *w, const uint64_t *column, int by) {
  if (!column)
    return;
  for (size_t k = 0; k < w->words; k++)
    for (uint64_t left = column[k]; left; left &= left - 1) {
      size_t mu = 64 * k + (size_t)__builtin_ctzll(left);
      w->hits[mu] += by;
      mark_pattern(w, mu);
    }
}

/* Flips weight i if the result is a solution; returns whether it was. */
static size_t try_walk_flip(bperc_walk *w, size_t i) {
  int value = bperc_i_bit(w->weights, i);
  const uint64_t *lost = hit_by(w, i, value), *won = hit_by(w, i, !value);
  if ((lost && meet(lost, w->tight, w->words)) ||
      (won && meet(won, w->full, w->words)))
    return 0;
  bperc_i_bit_set(w->weights, i, !value);
  count_flip(w, lost, -1);
  count_flip(w, won, 1);
  return 1;
}

/* A weight and a value are drawn: half of the tries change nothing, so that
 * the walk has no period. */
static size_t sweep_drawn(bperc_walk *w) {
  size_t moves = 0;
  for (size_t k = 0; k < w->in->n; k++) {
    uint64_t drawn = bperc_stream_below(&w->stream, 2 * w->in->n);
    size_t i = (size_t)(drawn / 2);
    assert(i < w->in->n);
    if (bperc_i_bit(w->weights, i) != (int)(drawn % 2))
      moves += try_walk_flip(w, i);
  }
  return moves;
}

static size_t sweep_each_once(bperc_walk *w) {
  size_t moves = 0;
  bperc_stream_shuffle(&w->stream, w->order, w->in->n);
  for (size_t k = 0; k < w->in->n; k++)
    moves += try_walk_flip(w, w->order[k]);
  return moves;
}

size_t bperc_walk_sweep(bperc_walk *w) {
  assert(w && w->in);
  return w->options.order == BPERC_WALK_DRAWN ? sweep_drawn(w)
                                              : sweep_each_once(w);
}

const uint64_t *bperc_walk_weights(const bperc_walk *w) { return w->weights; }

static bool allocate_walk(bperc_walk *w) {
  const bperc_instance *in = w->in;
  bool signs = in->inputs != BPERC_INPUTS_01;
  w->words = bperc_i_words(in->m);
  w->plus = bperc_i_calloc(in->n, w->words * sizeof *w->plus);
  if (signs)
    w->minus = bperc_i_calloc(in->n, w->words * sizeof *w->minus);
  w->full = bperc_i_calloc(w->words, sizeof *w->full);
  w->tight = bperc_i_calloc(w->words, sizeof *w->tight);
  w->hits = bperc_i_calloc(in->m, sizeof *w->hits);
  w->weights = bperc_i_alloc(2 * in->words, sizeof *w->weights);
  w->order = bperc_i_alloc(in->n, sizeof *w->order);
  return w->plus && (w->minus || !signs) && w->full && w->tight && w->hits &&
         w->weights && w->order;
}

static void start_walk(bperc_walk *w, const uint64_t *start, uint64_t seed) {
  const bperc_instance *in = w->in;
  w->stream = bperc_stream_make(seed,
                                w->options.order == BPERC_WALK_DRAWN
                                    ? BPERC_FOR_WALK_DRAWN
                                    : BPERC_FOR_WALK,
                                0);
  memcpy(w->weights, start, in->words * sizeof *start);
  for (size_t i = 0; i < in->n; i++)
    w->order[i] = (uint32_t)i;
  transpose_inputs(w, w->weights + in->words);
}

bperc_status bperc_walk_new(const bperc_instance *in,
                            const bperc_walk_options *options,
                            const uint64_t *start, uint64_t seed,
                            bperc_walk **out, bperc_error *error) {
  size_t errors = bperc_verify(in, start, NULL).errors;
  bperc_walk_options opt;
  bperc_walk *w;
  *out = NULL;
  if (bperc_i_options_take(bperc_walk_option_table(), sizeof opt, options, &opt,
                           error))
    return BPERC_E_ARGUMENT;
  if (bperc_i_one_sided(&in, "a walk", error))
    return BPERC_E_ARGUMENT;
  if (errors)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a walk starts from a solution: these weights miss "
                           "%zu of %zu patterns",
                           errors, in->m);
  w = bperc_i_calloc(1, sizeof *w);
  if (w)
    w->in = in;
  if (!w || !allocate_walk(w)) {
    bperc_walk_free(w);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for the walk");
  }
  w->options = opt;
  start_walk(w, start, seed);
  *out = w;
  return BPERC_OK;
}

void bperc_walk_free(bperc_walk *w) {
  if (!w)
    return;
  bperc_i_free(w->plus);
  bperc_i_free(w->minus);
  bperc_i_free(w->full);
  bperc_i_free(w->tight);
  bperc_i_free(w->hits);
  bperc_i_free(w->weights);
  bperc_i_free(w->order);
  bperc_i_free(w);
}

bperc_status bperc_walk_sweeps(const bperc_instance *in,
                               const bperc_walk_options *options,
                               const bperc_walk_run *run, uint64_t *weights,
                               bperc_walk_result *out, bperc_error *error) {
  uint64_t accepted = 0;
  size_t away = 0;
  bperc_walk *w;
  bperc_status status =
      bperc_walk_new(in, options, weights, run->seed, &w, error);
  for (uint64_t t = 0; status == BPERC_OK && t < run->sweeps; t++) {
    accepted += bperc_walk_sweep(w);
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  if (status == BPERC_OK) {
    assert(bperc_verify(in, w->weights, NULL).errors == 0); /* still one */
    for (size_t k = 0; k < in->words; k++)
      away += (size_t)__builtin_popcountll(weights[k] ^ w->weights[k]);
    memcpy(weights, w->weights, in->words * sizeof *weights);
    if (out)
      *out = (bperc_walk_result){accepted, away};
  }
  bperc_walk_free(w);
  return status;
}
