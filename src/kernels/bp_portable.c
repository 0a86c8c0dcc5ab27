/* The kernels of belief propagation compiled for: portable. */
#define KERNEL_TABLE bperc_i_bp_kernels_portable
#include "kernels/bp_body.h"
