/* Body of the bit kernels, compiled once per instruction set with
 * KERNEL_TABLE naming the table that it fills. */
#include "kernels/bits.h"

static uint64_t and_popcount(const uint64_t *x, const uint64_t *y,
                             size_t words) {
  uint64_t sum = 0;
  for (size_t k = 0; k < words; k++)
    sum += (uint64_t)__builtin_popcountll(x[k] & y[k]);
  return sum;
}

const bperc_i_bit_kernels KERNEL_TABLE = {
    .and_popcount = and_popcount,
};
