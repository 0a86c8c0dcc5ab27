/* The hot loop of Sammon maps, compiled for each instruction set. */
#ifndef BPERC_ANALYSIS_SAMMON_H
#define BPERC_ANALYSIS_SAMMON_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* Over all pairs k > l of points: returns the sum of (delta - d)^2 / delta and
 * fills, per point, half the gradient (downhill) and half the curvature of
 * that sum along both axes. delta: count x count. */
typedef double bperc_i_sammon(const double *x, const double *y,
                              const uint8_t *delta, size_t count, double *gx,
                              double *gy, double *hx, double *hy);

typedef struct {
  bperc_i_sammon *run;
} bperc_i_sammon_kernels;

/* bperc_i_sammon_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_sammon_kernels)

#endif
