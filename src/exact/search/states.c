/* Counting by merging equal states: one array over all combinations of what
 * the patterns may still lose or must still gain, one sweep per weight. Either
 * value of a weight leads to a smaller state (or to the same one), so that a
 * sweep in ascending order works in place.
 *
 * A pattern over d open literals with bound b counts those on, down from b,
 * or those off, down from d - b, whichever are fewer: one of the two may not
 * fall below 0 (`strict`), the other must reach 0 and stays there. */
#include "exact/search/states.h"

#include "base/alloc.h"
#include "exact/search/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FEW_WEIGHTS = 40, MAX_STATES = 1 << 20 };

typedef struct {
  bperc_i_word at[2]; /* columns that count when the bit is 0, 1 */
  size_t stride, radix;
  bool strict;
} digit;

static digit digit_of(const bperc_i_search_residual *r, size_t mu) {
  int size = bperc_i_word_popcount(r->mask[mu]), bound = r->bound[mu];
  bool on = bound <= size - bound;
  bperc_i_word one = r->sign[mu], zero = r->mask[mu] & ~one;
  return (digit){.at = {on ? zero : one, on ? one : zero},
                 .radix = (size_t)(on ? bound : size - bound) + 1,
                 .strict = on == !r->label[mu]};
}

/* How many states there are; beyond MAX_STATES it may stop. */
static size_t states_of(const bperc_i_search_residual *r, digit *digits) {
  size_t total = 1;
  for (size_t mu = 0; mu < r->m && total <= MAX_STATES; mu++) {
    digit d = digit_of(r, mu);
    d.stride = total;
    total *= d.radix;
    if (digits)
      digits[mu] = d;
  }
  return total;
}

bool bperc_i_states_fit(const bperc_i_search_residual *r) {
  return bperc_i_word_popcount(r->open) >= FEW_WEIGHTS &&
         states_of(r, NULL) <= MAX_STATES;
}

/* The state after column j is set to value; SIZE_MAX when not allowed. */
static size_t state_after(const bperc_i_search_residual *r, const digit *digits,
                          size_t j, size_t value, size_t state) {
  size_t next = state;
  for (size_t mu = 0; mu < r->m; mu++) {
    const digit *d = &digits[mu];
    if (!(d->at[value] >> j & 1))
      continue;
    if (state / d->stride % d->radix > 0)
      next -= d->stride;
    else if (d->strict)
      return SIZE_MAX;
  }
  return next;
}

/* Whether every pattern has what it must reach. */
static bool all_satisfied(const bperc_i_search_residual *r, const digit *digits,
                          size_t state) {
  for (size_t mu = 0; mu < r->m; mu++)
    if (!digits[mu].strict && state / digits[mu].stride % digits[mu].radix)
      return false;
  return true;
}

static void merge_column(const bperc_i_search_residual *r, const digit *digits,
                         size_t j, bperc_i_word *ways, size_t total) {
  for (size_t state = 0; state < total; state++) {
    bperc_i_word here = ways[state];
    if (!here)
      continue;
    ways[state] = 0;
    for (size_t value = 0; value < 2; value++) {
      size_t next = state_after(r, digits, j, value, state);
      assert(next == SIZE_MAX || next <= state);
      if (next != SIZE_MAX)
        ways[next] += here;
    }
  }
}

bperc_status bperc_i_states_count(const bperc_i_search_residual *r,
                                  bperc_i_word *count) {
  digit *digits = bperc_i_alloc(r->m + 1, sizeof *digits);
  size_t total = digits ? states_of(r, digits) : 0;
  bperc_i_word *ways = bperc_i_calloc(total, sizeof *ways);
  bperc_i_word bound = 0;
  bperc_status status = digits && ways ? BPERC_OK : BPERC_E_MEMORY;
  *count = 0;
  if (status != BPERC_OK)
    goto done;
  for (size_t mu = 0; mu < r->m; mu++)
    bound |= r->mask[mu];
  assert(total >= 1 && total <= MAX_STATES);
  ways[total - 1] = 1;
  for (size_t j = 0; j < r->columns; j++)
    if (bound >> j & 1)
      merge_column(r, digits, j, ways, total);
  for (size_t state = 0; state < total; state++)
    if (all_satisfied(r, digits, state))
      *count += ways[state];
done:
  bperc_i_free(digits);
  bperc_i_free(ways);
  return status;
}

/* ---- draws ----
 *
 * Backwards, ways[state] becomes in how many ways the columns from some one on
 * complete a state. A draw is a rank among all solutions; it goes forwards,
 * and the ways of either value say which one the rank lies in. Every so many
 * layers are kept, those between are computed once more. */

typedef struct {
  const bperc_i_search_residual *r;
  digit *digits;
  size_t total, columns, apart; /* one layer in so many is kept */
  uint8_t column[BPERC_I_WIDEST];
  bperc_i_word *kept, *block; /* [columns / apart + 1], [apart + 1] layers */
  bperc_i_word *rank;         /* of the draws: what is left of their ranks */
  size_t *state;
} merged_draw;

/* The layer before column j from the one behind it, in place, downwards. */
static void complete_column(const merged_draw *d, size_t j,
                            bperc_i_word *ways) {
  for (size_t state = d->total; state-- > 0;) {
    bperc_i_word sum = 0;
    for (size_t value = 0; value < 2; value++) {
      size_t next = state_after(d->r, d->digits, j, value, state);
      sum += next == SIZE_MAX ? 0 : ways[next];
    }
    ways[state] = sum;
  }
}

static bperc_i_word *kept_layer(const merged_draw *d, size_t k) {
  return d->kept + k * d->total;
}

/* Keeps the layers before columns 0, apart, 2 apart, ...; returns the number
 * of solutions. */
static bperc_i_word complete_all(const merged_draw *d) {
  bperc_i_word *ways = d->block;
  for (size_t state = 0; state < d->total; state++)
    ways[state] = all_satisfied(d->r, d->digits, state);
  for (size_t k = d->columns; k-- > 0 && !bperc_cancelled();) {
    complete_column(d, d->column[k], ways);
    if (k % d->apart == 0)
      memcpy(kept_layer(d, k / d->apart), ways, d->total * sizeof *ways);
  }
  return ways[d->total - 1];
}

/* The layers behind columns from, from + 1, ..., to - 1, in this order. */
static void fill_block_layers(const merged_draw *d, size_t from, size_t to) {
  size_t size = d->total * sizeof *d->block;
  bperc_i_word *last = d->block + (to - from - 1) * d->total;
  if (to < d->columns)
    memcpy(last, kept_layer(d, to / d->apart), size);
  else
    for (size_t state = 0; state < d->total; state++)
      last[state] = all_satisfied(d->r, d->digits, state);
  for (size_t k = to - 1; k > from && !bperc_cancelled(); k--) {
    memcpy(last - d->total, last, size);
    last -= d->total;
    complete_column(d, d->column[k], last);
  }
}

/* Sets column j in draw k; ways: the layer behind it. */
static void draw_column(merged_draw *d, size_t j, const bperc_i_word *ways,
                        size_t k, bperc_i_word *word) {
  size_t zero = state_after(d->r, d->digits, j, 0, d->state[k]);
  bperc_i_word below = zero == SIZE_MAX ? 0 : ways[zero];
  if (d->rank[k] < below) {
    d->state[k] = zero;
    return;
  }
  d->rank[k] -= below;
  d->state[k] = state_after(d->r, d->digits, j, 1, d->state[k]);
  assert(d->state[k] < d->total && d->rank[k] < ways[d->state[k]]);
  *word |= bperc_i_word_bit(j);
}

/* Uniform below n, by rejection. */
static bperc_i_word draw_below(bperc_stream *s, bperc_i_word n) {
  size_t bits = n > 1 ? (size_t)bperc_i_word_top(n - 1) + 1 : 0;
  bperc_i_word x;
  do {
    x = bperc_stream_u64(s);
    x = (x << 64 | bperc_stream_u64(s)) & bperc_i_word_low(bits);
  } while (x >= n);
  return x;
}

static bperc_status allocate_draw(merged_draw *d, size_t count) {
  d->digits = bperc_i_alloc(d->r->m + 1, sizeof *d->digits);
  d->total = d->digits ? states_of(d->r, d->digits) : 0;
  while (d->apart * d->apart < d->columns)
    d->apart++;
  d->kept = bperc_i_alloc((d->columns / d->apart + 1) * d->total + 1,
                          sizeof *d->kept);
  d->block = bperc_i_alloc((d->apart + 1) * d->total + 1, sizeof *d->block);
  d->rank = bperc_i_alloc(count + 1, sizeof *d->rank);
  d->state = bperc_i_alloc(count + 1, sizeof *d->state);
  return d->digits && d->kept && d->block && d->rank && d->state
             ? BPERC_OK
             : BPERC_E_MEMORY;
}

static void draw_blocks(merged_draw *d, bperc_i_draw *draw) {
  for (size_t from = 0; from < d->columns && !bperc_cancelled();
       from += d->apart) {
    size_t to = from + d->apart < d->columns ? from + d->apart : d->columns;
    fill_block_layers(d, from, to);
    for (size_t k = from; k < to && !bperc_cancelled(); k++)
      for (size_t i = 0; i < draw->count; i++)
        draw_column(d, d->column[k], d->block + (k - from) * d->total, i,
                    &draw->word[i]);
  }
}

bperc_status bperc_i_states_draw(const bperc_i_search_residual *r,
                                 bperc_i_word *count, bperc_i_draw *draw) {
  merged_draw d = {.r = r, .apart = 1};
  bperc_i_word bound = 0;
  bperc_stream s = bperc_stream_make(draw->seed, BPERC_FOR_MERGED, 0);
  for (size_t mu = 0; mu < r->m; mu++)
    bound |= r->mask[mu];
  for (size_t j = 0; j < r->columns; j++)
    if (bound >> j & 1)
      d.column[d.columns++] = (uint8_t)j;
  bperc_status status = allocate_draw(&d, draw->count);
  *count = status == BPERC_OK ? complete_all(&d) : 0;
  for (size_t k = 0; k<draw->count && * count> 0; k++) {
    d.rank[k] = draw_below(&s, *count);
    d.state[k] = d.total - 1;
    draw->word[k] = r->base;
  }
  if (*count > 0)
    draw_blocks(&d, draw);
  if (status == BPERC_OK && bperc_cancelled())
    status = BPERC_E_INTERRUPTED;
  bperc_i_free(d.digits);
  bperc_i_free(d.kept);
  bperc_i_free(d.block);
  bperc_i_free(d.rank);
  bperc_i_free(d.state);
  return status;
}

/* ---- numbers up to 2^128 ---- */

bperc_count bperc_count_from(uint64_t x) { return (bperc_count){{x, 0, 0}}; }

bperc_count bperc_i_count_make(bperc_i_word x, size_t shift) {
  bperc_count c = {{(uint64_t)x, (uint64_t)(x >> 64), 0}};
  for (; shift >= 64; shift -= 64) {
    c.word[2] = c.word[1];
    c.word[1] = c.word[0];
    c.word[0] = 0;
  }
  if (shift > 0) {
    c.word[2] = c.word[2] << shift | c.word[1] >> (64 - shift);
    c.word[1] = c.word[1] << shift | c.word[0] >> (64 - shift);
    c.word[0] <<= shift;
  }
  return c;
}

double bperc_count_real(bperc_count c) {
  return ((double)c.word[2] * 0x1p64 + (double)c.word[1]) * 0x1p64 +
         (double)c.word[0];
}

double bperc_count_log(bperc_count c) { return log(bperc_count_real(c)); }

/* Divides by ten in place, returns the remainder. */
static unsigned divide_by_ten(bperc_count *c) {
  bperc_i_word rest = 0;
  for (size_t k = 3; k-- > 0;) {
    rest = rest << 64 | c->word[k];
    c->word[k] = (uint64_t)(rest / 10);
    rest %= 10;
  }
  return (unsigned)rest;
}

const char *bperc_count_text(bperc_count c, char text[BPERC_COUNT_TEXT]) {
  char digits[BPERC_COUNT_TEXT];
  size_t k = sizeof digits - 1;
  digits[k] = 0;
  do
    digits[--k] = (char)('0' + divide_by_ten(&c));
  while (c.word[0] | c.word[1] | c.word[2]);
  return strcpy(text, digits + k);
}
