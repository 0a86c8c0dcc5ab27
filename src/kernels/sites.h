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
  /* The same in parts that give the same bits: the terms of the two sums, and
   * their addition, part after part. sums: 8 numbers, 0 at first, four lanes of
   * each sum; bperc_i_lanes adds them up. */
  void (*terms)(const double *h, const double *pull, const double *f,
                double shift, double most, size_t count, double *p,
                double *share, double *slope);
  void (*add_terms)(const double *share, const double *slope, size_t count,
                    double *sums);
} bperc_i_site_kernels;

static inline double bperc_i_lanes(const double *x) {
  return (x[0] + x[1]) + (x[2] + x[3]);
}

/* bperc_i_site_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_site_kernels)

#endif
