/* The kernels of belief propagation compiled for: avx2. */
#define KERNEL_TABLE bperc_i_bp_kernels_avx2
#include "kernels/bp_body.h"
