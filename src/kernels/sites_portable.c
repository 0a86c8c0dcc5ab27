/* The kernels of sites compiled for: portable. */
#define KERNEL_TABLE bperc_i_site_kernels_portable
#include "kernels/sites_body.h"
