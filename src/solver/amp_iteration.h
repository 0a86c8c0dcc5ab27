/* One iteration of AMP for a perceptron with weights of one bit.
 *
 * Every problem is reduced to the bits b_i: pattern mu with label y = +-1
 * wants y (sum_i x_i b_i - t) > 0, t half-way between allowed and forbidden
 * sums. Columns are described by the mean f_i and variance q_i of x_i.
 */
#ifndef BPERC_SOLVER_AMP_ITERATION_H
#define BPERC_SOLVER_AMP_ITERATION_H

#include "bperc/instance.h"
#include "kernels/matvec.h"
#include "kernels/sites.h"

#include <stdbool.h>

typedef struct {
  const bperc_instance *in;
  unsigned threads;
  size_t padded; /* n up to a multiple of 4; arrays of n are zero there */
  const bperc_i_site_kernels *sites;
  bperc_i_bit_matrix x, support; /* of inputs 1, of inputs not 0 */
  bool pinned;                   /* sum_i f_i p_i is held at target */
  double target;                 /* mean of t */
  double q_mean;                 /* mean of q */
  double *f, *q;    /* n: mean and variance of an input; f = 0 if not pinned */
  double *pull;     /* n: f_i over its root mean square */
  double *t;        /* m: threshold */
  double *margin;   /* m: kappa_mu, in standard deviations */
  double *h, *p;    /* n: field, P(b_i = 1) */
  double *g;        /* m: force of a pattern */
  double rho;       /* reinforcement in force */
  double shift;     /* L, last value */
  double undecided; /* U = sum_i p_i (1 - p_i) + 0.2 */
  int32_t *whole;   /* products: p or g in whole units */
  int64_t *sums, *other;
} bperc_i_amp;

bperc_status bperc_i_amp_init(bperc_i_amp *s, const bperc_instance *in,
                              unsigned threads);
void bperc_i_amp_clear(bperc_i_amp *s);
/* All fields equal, no forces. */
void bperc_i_amp_start(bperc_i_amp *s);
/* False when a number is no longer finite. */
bool bperc_i_amp_iterate(bperc_i_amp *s);

#endif
