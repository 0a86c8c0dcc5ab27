/* How many words have bit j set, for every j: bytes that are spread from a
 * table and added eight columns at a time. */
#ifndef BPERC_EXACT_TALLY_H
#define BPERC_EXACT_TALLY_H

#include "exact/word.h"

typedef struct {
  size_t columns, bytes;
  unsigned filled;  /* words since the last flush, at most 255 */
  uint64_t sum[16]; /* byte j % 8 of word j / 8 belongs to column j */
  uint64_t total[128];
} bperc_i_tally;

extern const uint64_t bperc_i_tally_spread[256];

void bperc_i_tally_init(bperc_i_tally *t, size_t columns);
/* Brings total up to date. */
void bperc_i_tally_flush(bperc_i_tally *t);

static inline void bperc_i_tally_add(bperc_i_tally *t, bperc_i_word w) {
  if (t->filled == 255)
    bperc_i_tally_flush(t);
  t->filled++;
  for (size_t b = 0; b < t->bytes; b++, w >>= 8)
    t->sum[b] += bperc_i_tally_spread[(uint8_t)w];
}

#endif
