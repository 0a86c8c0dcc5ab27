/* Bit kernels: AND-popcount and bit-sliced saturating counters. */
#ifndef BPERC_KERNELS_BITS_H
#define BPERC_KERNELS_BITS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  /* Number of ones of x AND y. */
  uint64_t (*and_popcount)(const uint64_t *x, const uint64_t *y, size_t words);
} bperc_i_bit_kernels;

extern const bperc_i_bit_kernels bperc_i_bit_kernels_portable;
extern const bperc_i_bit_kernels bperc_i_bit_kernels_avx2;

/* The family for the instruction set in force. */
const bperc_i_bit_kernels *bperc_i_bit_kernels_get(void);

#endif
