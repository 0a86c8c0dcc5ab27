/* Every kept bit of a word moves down by the number of dropped bits below it,
 * one binary digit of that number at a time (H. S. Warren, Hacker's Delight,
 * section 7-4). The moves depend on the columns alone and serve all rows. */
#include "base/squeeze.h"

#include "base/check.h"

static bperc_i_squeeze plan_word(uint64_t keep) {
  bperc_i_squeeze plan = {.keep = keep};
  uint64_t dropped = ~keep << 1; /* above every dropped bit */
  for (int k = 0; k < 6; k++) {
    uint64_t odd = dropped; /* parity of the dropped bits below */
    for (int shift = 1; shift < 64; shift *= 2)
      odd ^= odd << shift;
    plan.move[k] = odd & keep;
    keep = (keep ^ plan.move[k]) | plan.move[k] >> (1 << k);
    dropped &= ~odd;
  }
  return plan;
}

void bperc_i_squeeze_plan(const uint64_t *keep, size_t words,
                          bperc_i_squeeze *plan) {
  for (size_t k = 0; k < words; k++)
    plan[k] = plan_word(keep[k]);
}

static uint64_t squeeze_word(const bperc_i_squeeze *plan, uint64_t word) {
  word &= plan->keep;
  for (int k = 0; k < 6; k++) {
    uint64_t moved = word & plan->move[k];
    word = (word ^ moved) | moved >> (1 << k);
  }
  return word;
}

/* Ones of the columns that stay. */
static size_t kept_ones(const bperc_i_squeeze *plan, size_t words,
                        const uint64_t *row) {
  size_t sum = 0;
  for (size_t k = 0; k < words; k++)
    sum += (size_t)__builtin_popcountll(row[k] & plan[k].keep);
  return sum;
}

static size_t count_row_ones(const uint64_t *row, size_t words) {
  size_t sum = 0;
  for (size_t k = 0; k < words; k++)
    sum += (size_t)__builtin_popcountll(row[k]);
  return sum;
}

size_t bperc_i_squeeze_row(const bperc_i_squeeze *plan, size_t words,
                           const uint64_t *from, uint64_t *to) {
  uint64_t pending = 0;
  unsigned used = 0;
  size_t written = 0,
         expected = BPERC_I_CHECKING ? kept_ones(plan, words, from) : 0;
  for (size_t k = 0; k < words; k++) {
    uint64_t word = squeeze_word(&plan[k], from[k]);
    unsigned count = (unsigned)__builtin_popcountll(plan[k].keep);
    pending |= word << used;
    if (used + count >= 64) {
      to[written++] = pending;
      pending = used ? word >> (64 - used) : 0;
      used += count - 64;
    } else {
      used += count;
    }
  }
  if (used)
    to[written++] = pending;
  assert(written <= words);
  BPERC_I_CHECK(count_row_ones(to, written) == expected);
  return written;
}
