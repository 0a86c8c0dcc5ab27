/* Dispatch of the kernels of sites. */
#include "kernels/sites.h"

#include "kernels/isa.h"

const bperc_i_site_kernels *bperc_i_site_kernels_get(void) {
#if defined(BPERC_HAVE_AVX2)
  if (bperc_i_isa_chosen() >= BPERC_ISA_AVX2)
    return &bperc_i_site_kernels_avx2;
#endif
  return &bperc_i_site_kernels_portable;
}
