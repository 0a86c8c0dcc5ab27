/* Configurations of up to 128 weights: bit j is column j of whoever uses the
 * word. Lists hold 64-bit words as long as the columns fit. */
#ifndef BPERC_EXACT_WORD_H
#define BPERC_EXACT_WORD_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned __int128 bperc_i_word;

static inline bperc_i_word bperc_i_word_bit(size_t j) {
  return (bperc_i_word)1 << j;
}

static inline int bperc_i_word_popcount(bperc_i_word w) {
  return __builtin_popcountll((uint64_t)w) +
         __builtin_popcountll((uint64_t)(w >> 64));
}

static inline int bperc_i_word_ctz(bperc_i_word w) {
  uint64_t low = (uint64_t)w;
  return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(w >> 64));
}

/* The highest one of w, which is not 0. */
static inline int bperc_i_word_top(bperc_i_word w) {
  uint64_t high = (uint64_t)(w >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)w);
}

/* The lowest k bits. */
static inline bperc_i_word bperc_i_word_low(size_t k) {
  return k < 128 ? bperc_i_word_bit(k) - 1 : ~(bperc_i_word)0;
}

#endif
