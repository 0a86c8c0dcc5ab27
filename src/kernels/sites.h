/* Probabilities of weights from their fields, many at once. */
#ifndef BPERC_KERNELS_SITES_H
#define BPERC_KERNELS_SITES_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  /* p[i] = 1/(1 + exp(-x)) with x = h[i] + shift pull[i] between -most and
   * most; returns sum_i f[i] p[i], its derivative by the shift in *slope.
   * Arrays aligned to 32 bytes, count a multiple of 4. */
  double (*mean_sum)(const double *h, const double *pull, const double *f,
                     double shift, double most, size_t count, double *p,
                     double *slope);
} bperc_i_site_kernels;

/* bperc_i_site_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_site_kernels)

#endif
