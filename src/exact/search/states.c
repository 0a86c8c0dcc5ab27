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
