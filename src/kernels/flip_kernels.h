/* Kernels of a local search over bits: what a flip changes is kept up to date
 * row by row, slacks of patterns as bit planes. */
#ifndef BPERC_KERNELS_FLIP_H
#define BPERC_KERNELS_FLIP_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* Numbers side by side in two's complement: digit p in the words from
 * p * words on, the last plane is the sign. */
typedef struct {
  uint64_t *plane;
  size_t words;
  unsigned planes;
} bperc_i_sliced;

typedef struct {
  /* out[i] += change where bit i of the row is 1; out[64 words]. */
  void (*add_row)(const uint64_t *row, size_t words, int32_t change,
                  int32_t *out);
  /* Numbers + 1 where up is 1, - 1 where down is 1 (nowhere both). Then where
   * they are below 0, and where they are at most 0. */
  void (*count)(const bperc_i_sliced *x, const uint64_t *up,
                const uint64_t *down, uint64_t *below, uint64_t *most);
} bperc_i_flip_kernels;

/* bperc_i_flip_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_flip_kernels)

#endif
