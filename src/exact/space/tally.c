/* Column counts of lists of words: tally.h. */
#include "exact/space/tally.h"

#include <string.h>

#define BIT(x, j) ((uint64_t)((x) >> (j)&1) << (8 * (j)))
#define ONE(x)                                                                 \
  (BIT(x, 0) | BIT(x, 1) | BIT(x, 2) | BIT(x, 3) | BIT(x, 4) | BIT(x, 5) |     \
   BIT(x, 6) | BIT(x, 7))
#define FOUR(x) ONE(x), ONE(x + 1), ONE(x + 2), ONE(x + 3)
#define SIXTEEN(x) FOUR(x), FOUR(x + 4), FOUR(x + 8), FOUR(x + 12)
#define SIXTY_FOUR(x)                                                          \
  SIXTEEN(x), SIXTEEN(x + 16), SIXTEEN(x + 32), SIXTEEN(x + 48)

/* Bit j of the index becomes byte j. */
static const uint64_t spread[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64),
                                     SIXTY_FOUR(128), SIXTY_FOUR(192)};

void bperc_i_tally_init(bperc_i_column_counts *t, size_t columns) {
  memset(t, 0, sizeof *t);
  t->columns = columns;
  t->bytes = (columns + 7) / 8;
}

/* *sum and two words more: the sum bit stays, the carry is returned. */
static inline uint64_t add(uint64_t *sum, uint64_t x, uint64_t y) {
  uint64_t half = *sum ^ x, carry = (*sum & x) | (half & y);
  *sum = half ^ y;
  return carry;
}

/* Eight words of one half; the columns that reached another eight. */
static inline uint64_t add_group(bperc_i_column_counts *t, size_t half) {
  const uint64_t *w = t->waiting[half];
  uint64_t ones = t->ones[half], twos = t->twos[half], fours = t->fours[half];
  uint64_t a = add(&ones, w[0], w[1]), b = add(&ones, w[2], w[3]);
  uint64_t c = add(&ones, w[4], w[5]), d = add(&ones, w[6], w[7]);
  uint64_t e = add(&twos, a, b), f = add(&twos, c, d);
  uint64_t eights = add(&fours, e, f);
  t->ones[half] = ones;
  t->twos[half] = twos;
  t->fours[half] = fours;
  return eights;
}

/* The bytes' eights into the totals. */
static void empty_bytes(bperc_i_column_counts *t) {
  for (size_t j = 0; j < t->columns; j++)
    t->total[j] += 8 * (t->sum[j / 8] >> (j % 8 * 8) & 0xff);
  memset(t->sum, 0, sizeof t->sum);
  t->groups = 0;
}

void bperc_i_tally_group(bperc_i_column_counts *t) {
  for (size_t b = 0; b < t->bytes; b += 8) {
    uint64_t eights = add_group(t, b / 8);
    for (size_t k = b; k < b + 8 && k < t->bytes; k++, eights >>= 8)
      t->sum[k] += spread[(uint8_t)eights];
  }
  t->filled = 0;
  if (++t->groups == 255)
    empty_bytes(t);
}

void bperc_i_tally_flush(bperc_i_column_counts *t) {
  for (size_t half = 0; half < 2; half++)
    for (size_t k = t->filled; k < BPERC_I_TALLY_GROUP; k++)
      t->waiting[half][k] = 0;
  bperc_i_tally_group(t);
  empty_bytes(t);
  for (size_t j = 0; j < t->columns; j++)
    t->total[j] += (t->ones[j / 64] >> j % 64 & 1) +
                   2 * (t->twos[j / 64] >> j % 64 & 1) +
                   4 * (t->fours[j / 64] >> j % 64 & 1);
  memset(t->ones, 0, sizeof t->ones);
  memset(t->twos, 0, sizeof t->twos);
  memset(t->fours, 0, sizeof t->fours);
}
