/* Probabilities of weights from their fields, many at once. */
#ifndef BPERC_KERNELS_SITES_H
#define BPERC_KERNELS_SITES_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays are aligned to 32 bytes, counts are multiples of 4; with two sums. */
typedef struct {
  /* p[i] = 1/(1 + exp(-x)) with x = h[i] + shift pull[i] between -most and
   * most. Sums of f[i] p[i] and of its derivative by the shift. */
  void (*means)(const double *h, const double *pull, const double *f,
                double shift, double most, size_t count, double *p,
                double *sums);
  /* h[i] becomes that x, whole[i] the nearest whole number of units of 1/scale
   * to p[i], below scale. Three sums: of p[i] (1 - p[i]), of q[i] p[i]
   * (1 - p[i]), and of pull[i] times what rounding took from p[i]. */
  void (*decide)(double *h, const double *pull, const double *q, double shift,
                 double most, int32_t scale, size_t count, const double *p,
                 int32_t *whole, double *sums);
} bperc_i_site_kernels;

/* bperc_i_site_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_site_kernels)

#endif
