/* The kernels of sites compiled for: avx2. */
#define KERNEL_TABLE bperc_i_site_kernels_avx2
#include "kernels/sites_body.h"
