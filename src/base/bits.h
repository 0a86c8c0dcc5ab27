/* Bit vectors: bit i of a vector is bit i%64 of word i/64; padding bits of
 * the last word are zero. */
#ifndef BPERC_BASE_BITS_H
#define BPERC_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>

static inline size_t bperc_i_words(size_t bits) { return (bits + 63) / 64; }

static inline int bperc_i_bit(const uint64_t *v, size_t i) {
  return (int)(v[i / 64] >> (i % 64) & 1);
}

static inline void bperc_i_bit_set(uint64_t *v, size_t i, int value) {
  uint64_t one = (uint64_t)1 << (i % 64);
  v[i / 64] = value ? v[i / 64] | one : v[i / 64] & ~one;
}

/* The bits of the last word that belong to a vector of this many bits. */
static inline uint64_t bperc_i_tail_mask(size_t bits) {
  return bits % 64 ? ((uint64_t)1 << (bits % 64)) - 1 : ~(uint64_t)0;
}

static inline void bperc_i_bits_ones(uint64_t *v, size_t bits) {
  for (size_t k = 0; k < bperc_i_words(bits); k++)
    v[k] = ~(uint64_t)0;
  if (bits)
    v[bperc_i_words(bits) - 1] = bperc_i_tail_mask(bits);
}

#endif
