/* The bit kernels compiled for: portable. */
#define KERNEL_TABLE bperc_i_bit_kernels_portable
#include "kernels/bits_body.h"
