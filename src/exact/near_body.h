/* Both widths of near.inc for the instruction set named by ISA. */
#include "bperc/status.h"
#include "exact/near.h"
#include "exact/word.h"

enum {
  SMALL_CROSS = 64,
  LARGE_BRANCH = 256 /* from here on it is asked whether to go on */
};

#define JOIN(a, b) a##b
#define EXPAND(a, b) JOIN(a, b)

static inline int highest_64(uint64_t w) { return 63 - __builtin_clzll(w); }

static inline int highest_128(bperc_i_word w) {
  uint64_t high = (uint64_t)(w >> 64);
  return high ? 64 + highest_64(high) : highest_64((uint64_t)w);
}

#define WORD uint64_t
#define NAME(x) x##_64
#define POPCOUNT __builtin_popcountll
#define HIGHEST highest_64
#define TABLE EXPAND(bperc_i_near_64_, ISA)
#include "exact/near.inc"
#undef WORD
#undef NAME
#undef POPCOUNT
#undef HIGHEST
#undef TABLE

#define WORD bperc_i_word
#define NAME(x) x##_128
#define POPCOUNT bperc_i_word_popcount
#define HIGHEST highest_128
#define TABLE EXPAND(bperc_i_near_128_, ISA)
#include "exact/near.inc"
