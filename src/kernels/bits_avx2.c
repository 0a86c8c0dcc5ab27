/* The bit kernels compiled for: avx2. */
#define KERNEL_TABLE bperc_i_bit_kernels_avx2
#include "kernels/bits_body.h"
