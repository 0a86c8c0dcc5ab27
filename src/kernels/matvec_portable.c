/* The products with a matrix of bits compiled for: portable. */
#define KERNEL_TABLE bperc_i_matvec_kernels_portable
#include "kernels/matvec_body.h"
