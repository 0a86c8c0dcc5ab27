/* Distances between the solutions of a list: hot loops, compiled for both
 * widths of word and for each instruction set. They end early, with nothing
 * of use, when bperc_cancelled(). */
#ifndef BPERC_EXACT_NEAR_H
#define BPERC_EXACT_NEAR_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  /* out[k * (most + 1) + d] += solutions at distance d from solution k, 0 < d
   * <= most: by all pairs, and by pairs of branches. */
  void (*pairs)(const void *list, size_t count, size_t most, uint32_t *out);
  void (*tree)(const void *list, size_t count, size_t most, uint32_t *out);
  /* out[d] += unordered pairs at distance d > 0. */
  void (*histogram)(const void *list, size_t count, uint64_t *out);
} bperc_i_near_loops;

/* For words of 64 and of 128 bits. */
typedef struct {
  bperc_i_near_loops width[2];
} bperc_i_near_kernels;

/* bperc_i_near_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_near_kernels)

#endif
