/* Column counts of lists of words: tally.h. */
#include "exact/tally.h"

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
const uint64_t bperc_i_tally_spread[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64),
                                            SIXTY_FOUR(128), SIXTY_FOUR(192)};

void bperc_i_tally_init(bperc_i_tally *t, size_t columns) {
  memset(t, 0, sizeof *t);
  t->columns = columns;
  t->bytes = (columns + 7) / 8;
}

void bperc_i_tally_flush(bperc_i_tally *t) {
  for (size_t j = 0; j < t->columns; j++)
    t->total[j] += t->sum[j / 8] >> (j % 8 * 8) & 0xff;
  memset(t->sum, 0, sizeof t->sum);
  t->filled = 0;
}
