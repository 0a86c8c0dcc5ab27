/* Subgradient steps on the prices of a node (relax.h), compiled once per
 * instruction set. */
#include "exact/search/relax.h"

#include <assert.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { ROUNDS = 3 };             /* steps that decide nothing */
static const float aim = -82.0f; /* gap that a step aims at */

/* Sets of positions as two words. */
typedef struct {
  uint64_t word[2];
} set;

INLINE set set_of(bperc_i_word w) {
  return (set){{(uint64_t)w, (uint64_t)(w >> 64)}};
}

INLINE bperc_i_word word_of(set s) {
  return (bperc_i_word)s.word[1] << 64 | s.word[0];
}

/* cost[l]: what w_l = 0 loses beyond what w_l = 1 loses. */
INLINE void reduced_costs(const bperc_i_relax *q, const int16_t *price,
                          size_t words, int16_t *cost) {
  size_t lanes = 64 * words;
  int16_t sum[BPERC_I_WIDEST];
  for (size_t l = 0; l < lanes; l++)
    sum[l] = 0;
  for (size_t mu = 0; mu < q->patterns; mu++) {
    const int16_t *side = q->side + mu * BPERC_I_WIDEST;
    int16_t p = price[mu];
    for (size_t l = 0; l < lanes; l++)
      sum[l] = (int16_t)(sum[l] + side[l] * p);
  }
  memcpy(cost, sum, lanes * sizeof *sum);
}

/* Positions whose cost is above a bound. */
INLINE set costs_above(const int16_t *cost, int16_t bound, size_t words) {
  set found = {{0, 0}};
#if defined(__AVX2__)
  typedef short shorts __attribute__((vector_size(32)));
  typedef char bytes __attribute__((vector_size(32)));
  typedef long long quads __attribute__((vector_size(32)));
  for (size_t k = 0; k < 2 * words; k++) {
    shorts low, high;
    memcpy(&low, cost + 32 * k, sizeof low);
    memcpy(&high, cost + 32 * k + 16, sizeof high);
    bytes both = __builtin_ia32_packsswb256((shorts)(low > bound),
                                            (shorts)(high > bound));
    quads inner = (quads)both;
    inner = __builtin_shufflevector(inner, inner, 0, 2, 1, 3);
    uint64_t bits = (uint32_t)__builtin_ia32_pmovmskb256((bytes)inner);
    found.word[k / 2] |= bits << (k % 2 * 32);
  }
#else
  for (size_t l = 0; l < 64 * words; l++)
    found.word[l / 64] |= (uint64_t)(cost[l] > bound) << (l % 64);
#endif
  return found;
}

/* Literals of a pattern in a set that are not good under these ones. */
INLINE int lost_literals(const bperc_i_relax *q, size_t mu, set among, set ones,
                         size_t words) {
  int sum = 0;
  for (size_t k = 0; k < words; k++)
    sum += __builtin_popcountll(q->literal[k][mu] & among.word[k] &
                                (ones.word[k] ^ q->good[k][mu]));
  return sum;
}

INLINE int undecided_literals(const bperc_i_relax *q, size_t mu, set among,
                              size_t words) {
  int sum = 0;
  for (size_t k = 0; k < words; k++)
    sum += __builtin_popcountll(q->literal[k][mu] & among.word[k]);
  return sum;
}

/* The slack of every pattern, at most its undecided literals; false when one
 * is negative. tight: literals that must be good, *up of them at 1. */
INLINE bool slacks_of(const bperc_i_relax *q, set free, set ones, size_t words,
                      int32_t *slack, set *up, set *down) {
  set decided = {{~free.word[0], ~free.word[1]}};
  int min = 0;
  *up = *down = (set){{0, 0}};
  for (size_t mu = 0; mu < q->patterns; mu++) {
    int open = undecided_literals(q, mu, free, words);
    int left = q->slack[mu] - lost_literals(q, mu, decided, ones, words);
    min = left < min ? left : min;
    slack[mu] = left < open ? left : open;
    uint64_t forced = left == 0 ? ~UINT64_C(0) : 0;
    for (size_t k = 0; k < words; k++) {
      uint64_t literal = q->literal[k][mu] & free.word[k] & forced;
      up->word[k] |= literal & q->good[k][mu];
      down->word[k] |= literal & ~q->good[k][mu];
    }
  }
  return min >= 0;
}

/* How much of each slack the cheapest choice leaves; returns the gap. */
INLINE int32_t leftovers(const bperc_i_relax *q, set free, set pick,
                         const int16_t *price, const int32_t *slack,
                         size_t words, int32_t *left) {
  int32_t gap = 0;
  for (size_t mu = 0; mu < q->patterns; mu++) {
    left[mu] = slack[mu] - lost_literals(q, mu, free, pick, words);
    gap += left[mu] * price[mu];
  }
  return gap;
}

/* Polyak's step downhill, then prices of the same sum again. */
INLINE void step_prices(const bperc_i_relax *q, int32_t gap,
                        const int32_t *left, int16_t *price) {
  int32_t norm = 0, sum = 0;
  int32_t wanted[BPERC_I_PRICED];
  for (size_t mu = 0; mu < q->patterns; mu++)
    norm += price[mu] > 0 || left[mu] < 0 ? left[mu] * left[mu] : 0;
  if (norm == 0)
    return;
  float size = ((float)gap - aim) / (float)norm;
  for (size_t mu = 0; mu < q->patterns; mu++) {
    float moved = (float)price[mu] - size * (float)left[mu];
    moved = moved < 0 ? 0 : moved < 1e6f ? moved : 1e6f;
    wanted[mu] = (int32_t)moved;
    sum += wanted[mu];
  }
  if (sum == 0)
    return;
  float scale = (float)BPERC_I_PRICE_SUM / (float)sum;
  for (size_t mu = 0; mu < q->patterns; mu++)
    price[mu] = (int16_t)((float)wanted[mu] * scale);
}

INLINE bool overlap(set a, set b) {
  return ((a.word[0] & b.word[0]) | (a.word[1] & b.word[1])) != 0;
}

/* Whether there was anything to decide. */
INLINE bool decide_weights(set up, set down, set *free, set *ones) {
  uint64_t any = 0;
  for (size_t k = 0; k < 2; k++) {
    any |= up.word[k] | down.word[k];
    ones->word[k] |= up.word[k];
    free->word[k] &= ~(up.word[k] | down.word[k]);
  }
  return any != 0;
}

INLINE bool fixed_point_words(const bperc_i_relax *q, bperc_i_relaxed *node,
                              size_t words) {
  set free = set_of(node->free), ones = set_of(node->ones), up, down;
  int32_t slack[BPERC_I_PRICED], left[BPERC_I_PRICED];
  int16_t cost[BPERC_I_WIDEST];
  for (int round = 0; round < ROUNDS;) {
    if (!slacks_of(q, free, ones, words, slack, &up, &down) ||
        overlap(up, down))
      return false;
    if (decide_weights(up, down, &free, &ones))
      continue;
    reduced_costs(q, node->price, words, cost);
    set pick = costs_above(cost, 0, words);
    int32_t gap = leftovers(q, free, pick, node->price, slack, words, left);
    if (gap < 0)
      return false;
    if (gap < INT16_MAX) {
      up = costs_above(cost, (int16_t)gap, words);
      down = costs_above(cost, (int16_t)(-gap - 1), words);
      for (size_t k = 0; k < 2; k++) {
        up.word[k] &= free.word[k];
        down.word[k] = free.word[k] & ~down.word[k];
      }
      if (decide_weights(up, down, &free, &ones))
        continue;
    }
    step_prices(q, gap, left, node->price);
    round++;
  }
  node->free = word_of(free);
  node->ones = word_of(ones);
  return true;
}

static bool fixed_point_prices(const bperc_i_relax *q, bperc_i_relaxed *node) {
  return q->positions <= 64 ? fixed_point_words(q, node, 1)
                            : fixed_point_words(q, node, 2);
}

const bperc_i_relax_kernels BPERC_I_FOR_ISA(bperc_i_relax_kernels) = {
    .fixed_point = fixed_point_prices};
