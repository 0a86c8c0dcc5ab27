/* Probabilities of weights from their fields, many at once. */
#ifndef BPERC_KERNELS_SITES_H
#define BPERC_KERNELS_SITES_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  /* p[i] = 1/(1 + exp(-x)) with x = h[i] + shift pull[i] between -most and
   * most; adds f[i] p[i] and its derivative by the shift to sums: 8 numbers,
   * four lanes of each sum, which bperc_i_lanes adds up. Arrays aligned to 32
   * bytes, count a multiple of 4. */
  void (*sum)(const double *h, const double *pull, const double *f,
              double shift, double most, size_t count, double *p, double *sums);
  /* The same in two steps, where the sums are not yet known: the terms, and
   * their addition. */
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
