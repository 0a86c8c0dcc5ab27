/* Patterns and sums of two patterns as bounds on losses: rows.h. */
#include "exact/search/rows.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
  MOST_PAIRED = 256, /* the tightest patterns, whose pairs are looked at */
  MOST_PAIRS = 1024  /* the tightest pairs, which are used */
};

/* For weights that are fair coins. */
static void weigh_row(bperc_i_search_row *x) {
  double once = bperc_i_word_popcount(x->once);
  double twice = bperc_i_word_popcount(x->twice);
  double deviation = sqrt(once + 4 * twice) / 2;
  x->tightness = ((once + 2 * twice) / 2 - x->slack) / (deviation + 1e-9);
}

/* Label 1 loses literals that are off, label 0 those that are on. */
static bperc_i_search_row pattern_row(const bperc_i_search_residual *r,
                                      size_t mu) {
  int size = bperc_i_word_popcount(r->mask[mu]), bound = r->bound[mu];
  bperc_i_search_row x = {.once = r->mask[mu], .number = mu};
  x.at = r->label[mu] ? ~r->sign[mu] & x.once : r->sign[mu];
  x.slack = r->label[mu] ? size - bound : bound;
  assert(x.slack >= 0 && x.slack < size);
  weigh_row(&x);
  return x;
}

static bperc_i_search_row pair_row(const bperc_i_search_row *a,
                                   const bperc_i_search_row *b) {
  bperc_i_word both = a->once & b->once, apart = a->at ^ b->at;
  bperc_i_search_row x = {.once = a->once ^ b->once, .twice = both & ~apart};
  x.at = (x.once & (a->at | b->at)) | (x.twice & a->at);
  x.slack = a->slack + b->slack - bperc_i_word_popcount(both & apart);
  if (!x.once) { /* twice a pattern */
    x.once = x.twice;
    x.twice = 0;
    x.slack = x.slack < 0 ? -1 : x.slack / 2;
  }
  if (x.slack < 0)
    x.slack = -1; /* the two exclude each other */
  weigh_row(&x);
  return x;
}

static int by_tightness(const void *left, const void *right) {
  const bperc_i_search_row *a = left, *b = right;
  if (a->tightness != b->tightness)
    return a->tightness > b->tightness ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

static bool useful(const bperc_i_search_row *x) {
  int most =
      bperc_i_word_popcount(x->once) + 2 * bperc_i_word_popcount(x->twice);
  return x->slack < most && x->slack <= BPERC_I_MOST_SLACK;
}

bperc_status bperc_i_rows_make(const bperc_i_search_residual *r,
                               bperc_i_search_row **out, size_t *total) {
  size_t m = r->m, paired = m < MOST_PAIRED ? m : MOST_PAIRED, count = m;
  bperc_i_search_row *rows =
      bperc_i_alloc(m + paired * paired / 2 + 1, sizeof *rows);
  *out = rows;
  *total = 0;
  if (!rows)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < m; mu++)
    rows[mu] = pattern_row(r, mu);
  qsort(rows, m, sizeof *rows, by_tightness);
  for (size_t k = 0; k < paired; k++)
    for (size_t l = 0; l < k; l++) {
      bperc_i_search_row x = pair_row(&rows[k], &rows[l]);
      x.number = count;
      x.first = (uint16_t)l;
      x.second = (uint16_t)k;
      if (useful(&x))
        rows[count++] = x;
    }
  assert(count <= m + paired * paired / 2);
  qsort(rows + m, count - m, sizeof *rows, by_tightness);
  *total = count < m + MOST_PAIRS ? count : m + MOST_PAIRS;
  return BPERC_OK;
}

/* ---- order of the weights ---- */

typedef struct {
  size_t patterns, column;
} rank;

static int by_patterns(const void *left, const void *right) {
  const rank *a = left, *b = right;
  if (a->patterns != b->patterns)
    return a->patterns > b->patterns ? -1 : 1;
  return a->column < b->column ? -1 : 1;
}

void bperc_i_rows_order(const bperc_i_search_residual *r, bperc_i_word which,
                        bperc_i_word *bit) {
  rank ranks[BPERC_I_WIDEST];
  size_t count = 0;
  for (size_t j = 0; j < r->columns; j++) {
    if (!(which >> j & 1))
      continue;
    ranks[count] = (rank){0, j};
    for (size_t mu = 0; mu < r->m; mu++)
      ranks[count].patterns += (size_t)(r->mask[mu] >> j & 1);
    count++;
  }
  assert(count <= BPERC_I_WIDEST);
  qsort(ranks, count, sizeof *ranks, by_patterns);
  for (size_t l = 0; l < count; l++)
    bit[l] = bperc_i_word_bit(ranks[l].column);
}

/* ---- tables ---- */

static size_t loss_of(const bperc_i_search_row *x, bperc_i_word bit,
                      size_t value) {
  size_t size = (x->once & bit) ? 1 : (x->twice & bit) ? 2 : 0;
  return ((x->at & bit) != 0) == value ? size : 0;
}

void bperc_i_rows_losses(const bperc_i_search_row *rows, size_t count,
                         bperc_i_word bit, size_t value, int8_t *loss) {
  for (size_t k = 0; k < count; k++)
    loss[k] = (int8_t)loss_of(&rows[k], bit, value);
}

/* One more weight at a time. */
void bperc_i_row_leaf(const bperc_i_search_row *x, const bperc_i_word *bit,
                      size_t count, bperc_i_leaf out[BPERC_I_TAIL + 1]) {
  for (size_t s = 0; s <= BPERC_I_TAIL; s++)
    out[s] = (bperc_i_leaf){1, 0, 0, 0};
  for (size_t digit = 0; digit < count; digit++) {
    size_t zero = loss_of(x, bit[digit], 0), one = loss_of(x, bit[digit], 1);
    for (size_t s = BPERC_I_TAIL + 1; s-- > 0;) {
      bperc_i_leaf none = {0, 0, 0, 0};
      bperc_i_leaf with = s >= one ? out[s - one] : none;
      out[s] = s >= zero ? out[s - zero] : none;
      bperc_i_leaf_join(&out[s], &with, digit);
    }
  }
}
