/* One iteration of AMP for a perceptron with weights of one bit.
 *
 * Every problem is reduced to the bits b_i: pattern mu with label y = +-1
 * wants y (sum_i x_i b_i - t) > 0, t half-way between allowed and forbidden
 * sums. Columns are described by the mean f_i and variance q_i of x_i.
 */
#ifndef BPERC_SOLVER_AMP_ITERATION_H
#define BPERC_SOLVER_AMP_ITERATION_H

#include "base/squeeze.h"
#include "bperc/instance.h"
#include "kernels/matvec.h"
#include "kernels/sites.h"

#include <stdbool.h>

typedef struct {
  const bperc_instance *in;
  unsigned threads;
  size_t n;      /* weights in the computation */
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
  double rest_undecided, rest_variance; /* of weights that have left */
  uint32_t *site;                       /* of a part: which weights are in it */
  uint64_t *own;                        /* of a part: its columns */
  bperc_i_squeeze *plan;                /* of a part: how they are packed */
  int32_t *whole;                       /* products: p or g in whole units */
  int64_t *sums, *other;
} bperc_i_amp;

bperc_status bperc_i_amp_init(bperc_i_amp *s, const bperc_instance *in,
                              unsigned threads);
void bperc_i_amp_clear(bperc_i_amp *s);
/* All fields equal, no forces. */
void bperc_i_amp_start(bperc_i_amp *s);
/* Fields +-field with the signs of these weights, no forces. */
void bperc_i_amp_start_at(bperc_i_amp *s, const uint64_t *weights,
                          double field);

/* A part of the weights, at most `most` of them, the others as they are. It
 * shares forces and margins with the whole problem. */
bperc_status bperc_i_amp_part_init(bperc_i_amp *part, const bperc_i_amp *full,
                                   size_t most);
/* Takes over all weights where out[i] is 0. */
void bperc_i_amp_part_take(bperc_i_amp *part, bperc_i_amp *full,
                           const uint8_t *out);
/* Hands fields and probabilities back. */
void bperc_i_amp_part_give(const bperc_i_amp *part, bperc_i_amp *full);

/* False when a number is no longer finite. */
bool bperc_i_amp_iterate(bperc_i_amp *s);

#endif
