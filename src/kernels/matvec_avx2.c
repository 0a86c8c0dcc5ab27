/* The products with a matrix of bits compiled for: avx2. */
#define KERNEL_TABLE bperc_i_matvec_kernels_avx2
#include "kernels/matvec_body.h"
