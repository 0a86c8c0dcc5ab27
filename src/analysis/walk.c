/* Random walk among solutions. Which flips are allowed is kept as two bit
 * vectors over patterns: label-0 patterns at their cap forbid 0 -> 1 of their
 * inputs, label-1 patterns at their need forbid 1 -> 0. One AND with the
 * column of a weight decides. */
#include "bperc/walk.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "model/hits.h"

#include <stdbool.h>
#include <string.h>

struct bperc_walk {
  const bperc_instance *in;
  bperc_stream stream;
  size_t words;      /* of a column, m bits */
  uint64_t *columns; /* n * words: bit mu of column i is xi_i^mu */
  uint64_t *full;    /* label 0 and sum == cap */
  uint64_t *tight;   /* label 1 and sum == need */
  int64_t *sums;
  uint64_t *weights;
  uint32_t *order;
};

static uint64_t *column(const bperc_walk *w, size_t i) {
  return w->columns + i * w->words;
}

static void mark(bperc_walk *w, size_t mu) {
  if (w->in->labels[mu])
    bperc_i_bit_set(w->tight, mu, w->sums[mu] == w->in->bound[mu]);
  else
    bperc_i_bit_set(w->full, mu, w->sums[mu] == w->in->bound[mu]);
}

/* Columns and sums from the rows. */
static void transpose(bperc_walk *w) {
  const bperc_instance *in = w->in;
  for (size_t mu = 0; mu < in->m; mu++) {
    const uint64_t *row = bperc_instance_pattern(in, mu);
    for (size_t k = 0; k < in->words; k++)
      for (uint64_t left = row[k]; left; left &= left - 1) {
        size_t i = 64 * k + (size_t)__builtin_ctzll(left);
        bperc_i_bit_set(column(w, i), mu, 1);
        w->sums[mu] += bperc_i_bit(w->weights, i);
      }
    mark(w, mu);
  }
}

static bool meet(const uint64_t *x, const uint64_t *y, size_t words) {
  uint64_t both = 0;
  for (size_t k = 0; k < words; k++)
    both |= x[k] & y[k];
  return both != 0;
}

static void flip(bperc_walk *w, size_t i, int from) {
  const uint64_t *mine = column(w, i);
  bperc_i_bit_set(w->weights, i, !from);
  for (size_t k = 0; k < w->words; k++)
    for (uint64_t left = mine[k]; left; left &= left - 1) {
      size_t mu = 64 * k + (size_t)__builtin_ctzll(left);
      w->sums[mu] += from ? -1 : 1;
      mark(w, mu);
    }
}

size_t bperc_walk_sweep(bperc_walk *w) {
  size_t moves = 0;
  bperc_stream_shuffle(&w->stream, w->order, w->in->n);
  for (size_t k = 0; k < w->in->n; k++) {
    size_t i = w->order[k];
    int value = bperc_i_bit(w->weights, i);
    if (meet(column(w, i), value ? w->tight : w->full, w->words))
      continue;
    flip(w, i, value);
    moves++;
  }
  return moves;
}

const uint64_t *bperc_walk_weights(const bperc_walk *w) { return w->weights; }

static bool allocate(bperc_walk *w) {
  const bperc_instance *in = w->in;
  w->words = bperc_i_words(in->m);
  w->columns = bperc_i_calloc(in->n, w->words * sizeof *w->columns);
  w->full = bperc_i_calloc(w->words, sizeof *w->full);
  w->tight = bperc_i_calloc(w->words, sizeof *w->tight);
  w->sums = bperc_i_calloc(in->m, sizeof *w->sums);
  w->weights = bperc_i_alloc(in->words, sizeof *w->weights);
  w->order = bperc_i_alloc(in->n, sizeof *w->order);
  return w->columns && w->full && w->tight && w->sums && w->weights && w->order;
}

bperc_status bperc_walk_new(const bperc_instance *in, const uint64_t *start,
                            uint64_t seed, bperc_walk **out,
                            bperc_error *error) {
  size_t errors = bperc_verify(in, start, NULL).errors;
  bperc_walk *w;
  *out = NULL;
  if (bperc_i_only_01_inputs(in, "the walk", error))
    return BPERC_E_ARGUMENT;
  if (errors)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a walk starts from a solution: these weights miss "
                           "%zu of %zu patterns",
                           errors, in->m);
  w = bperc_i_calloc(1, sizeof *w);
  if (w)
    w->in = in;
  if (!w || !allocate(w)) {
    bperc_walk_free(w);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for the walk");
  }
  w->stream = bperc_stream_make(seed, BPERC_FOR_WALK, 0);
  memcpy(w->weights, start, in->words * sizeof *start);
  for (size_t i = 0; i < in->n; i++)
    w->order[i] = (uint32_t)i;
  transpose(w);
  *out = w;
  return BPERC_OK;
}

void bperc_walk_free(bperc_walk *w) {
  if (!w)
    return;
  bperc_i_free(w->columns);
  bperc_i_free(w->full);
  bperc_i_free(w->tight);
  bperc_i_free(w->sums);
  bperc_i_free(w->weights);
  bperc_i_free(w->order);
  bperc_i_free(w);
}

bperc_status bperc_walk_sweeps(const bperc_instance *in, uint64_t *weights,
                               uint64_t sweeps, uint64_t seed, uint64_t *moves,
                               size_t *distance, bperc_error *error) {
  uint64_t accepted = 0;
  size_t away = 0;
  bperc_walk *w;
  bperc_status status = bperc_walk_new(in, weights, seed, &w, error);
  for (uint64_t t = 0; status == BPERC_OK && t < sweeps; t++) {
    accepted += bperc_walk_sweep(w);
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  if (status == BPERC_OK) {
    for (size_t k = 0; k < in->words; k++)
      away += (size_t)__builtin_popcountll(weights[k] ^ w->weights[k]);
    memcpy(weights, w->weights, in->words * sizeof *weights);
    if (moves)
      *moves = accepted;
    if (distance)
      *distance = away;
  }
  bperc_walk_free(w);
  return status;
}
