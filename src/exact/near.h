/* Distances between the solutions of a list: hot loops, compiled for both
 * widths of word and for each instruction set. They end early, with nothing
 * of use, when bperc_cancelled(). */
#ifndef BPERC_EXACT_NEAR_H
#define BPERC_EXACT_NEAR_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  /* out[k * (most + 1) + d] += solutions at distance d from solution k, 0 < d
   * <= most: by all pairs, and by pairs of branches. */
  void (*pairs)(const void *list, size_t count, size_t most, uint32_t *out);
  void (*tree)(const void *list, size_t count, size_t most, uint32_t *out);
  /* out[d] += unordered pairs at distance d > 0. */
  void (*histogram)(const void *list, size_t count, uint64_t *out);
} bperc_i_near_kernels;

extern const bperc_i_near_kernels bperc_i_near_64_portable,
    bperc_i_near_128_portable, bperc_i_near_64_avx2, bperc_i_near_128_avx2;

#endif
