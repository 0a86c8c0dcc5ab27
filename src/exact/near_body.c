/* Both widths of near.inc, compiled once per instruction set. */
#include "bperc/status.h"
#include "exact/near.h"
#include "exact/word.h"

enum {
  SMALL_CROSS = 64,
  LARGE_BRANCH = 256 /* from here on it is asked whether to go on */
};

static inline int highest_64(uint64_t w) { return 63 - __builtin_clzll(w); }

static inline int highest_128(bperc_i_word w) {
  uint64_t high = (uint64_t)(w >> 64);
  return high ? 64 + highest_64(high) : highest_64((uint64_t)w);
}

#define WORD uint64_t
#define NAME(x) x##_64
#define POPCOUNT __builtin_popcountll
#define HIGHEST highest_64
#include "exact/near.inc"
#undef WORD
#undef NAME
#undef POPCOUNT
#undef HIGHEST

#define WORD bperc_i_word
#define NAME(x) x##_128
#define POPCOUNT bperc_i_word_popcount
#define HIGHEST highest_128
#include "exact/near.inc"

const bperc_i_near_kernels BPERC_I_FOR_ISA(bperc_i_near_kernels) = {
    .width = {{pairs_64, tree_64, histogram_64},
              {pairs_128, tree_128, histogram_128}}};
