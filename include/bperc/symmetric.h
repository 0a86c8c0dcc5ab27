/* Theory of the symmetric perceptron: weights -1, +1 and two-sided constraints.
 *
 * Model    label 1 wants |x.w| <= band sqrt(N), label 0 wants it larger; inputs
 *          of mean 0 and variance 1, alpha N patterns, N -> inf
 * Source   Aubin, Perkins, Zdeborova, J. Phys. A 52, 294003 (2019): the first
 *          moment, and where the second moment confirms it
 * Units    entropies per weight in nats; distances are Hamming distances / N
 * Threads  all calls are independent and keep no state
 */
#ifndef BPERC_SYMMETRIC_H
#define BPERC_SYMMETRIC_H

#include "bperc/status.h"

#include <stddef.h>

BPERC_C_BEGIN

typedef struct {
  double band;  /* in units of sqrt(N variance of an input), above 0 */
  double fout;  /* probability of label 1: 1 the rectangle, 0 its complement */
  double alpha; /* patterns per weight; not used for capacities */
} bperc_symmetric_model;

/* What follows from the mean number of solutions and its square. */
typedef struct {
  double alpha_c;          /* where the mean number of solutions is 1 */
  double alpha_stability;  /* above it overlap 0 is unstable */
  double alpha_moment;     /* below it the mean of the square is of the order of
                              the square of the mean, so that the entropy is
                              exact; at most alpha_c and alpha_stability */
  double entropy;          /* replica-symmetric, q = 0: log 2 + alpha <log p> */
  double quadrature_error; /* of alpha_moment */
} bperc_symmetric_typical;

/* Moments of the number of solutions; the entropy is that at model->alpha. */
BPERC_API bperc_status
bperc_symmetric_capacity(const bperc_symmetric_model *model,
                         bperc_symmetric_typical *out, bperc_error *error);

/* Solutions at a distance from a typical one. */
typedef struct {
  double distance;
  double entropy; /* replica-symmetric Franz-Parisi entropy; NaN: not found */
  double bound;   /* of the mean number: Hb(D) + alpha log(p2/p) */
  double overlap; /* q1, of two solutions at this distance */
  double residual, quadrature_error;
} bperc_symmetric_local;

/* At n distances of 0 to 1. BPERC_E_NUMERIC when a saddle point was not found:
 * that entropy is NaN. */
BPERC_API bperc_status bperc_symmetric_franz_parisi(
    const bperc_symmetric_model *model, const double *distances, size_t n,
    bperc_symmetric_local *points, bperc_error *error);

BPERC_C_END

#endif
