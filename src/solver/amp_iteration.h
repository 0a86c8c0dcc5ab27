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
  bperc_i_team *team; /* borrowed; NULL: one thread */
  size_t n;           /* weights in the computation */
  size_t padded;      /* n up to a multiple of 4; arrays of n are zero there */
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
  double variance;  /* V = sum_i q_i p_i (1 - p_i), and what rounding leaves */
  double rest_undecided, rest_variance; /* of weights that have left */
  uint32_t *site;                       /* of a part: which weights are in it */
  uint64_t *own;                        /* of a part: its columns */
  bperc_i_squeeze *plan;                /* of a part: how they are packed */
  int32_t *whole_p, *whole_g;           /* p and g in whole units */
  int64_t *sums, *other;                /* of products */
  double *term;     /* 2 n with a team: terms of sums over weights */
  double *response; /* m: terms of a sum over patterns */
} bperc_i_amp;

/* What rounding a weight to 0 or 1 leaves undecided. */
#define BPERC_I_UNDECIDED 0.2
/* p is a whole number of these. */
#define BPERC_I_UNIT_P 0x1p-21

/* A sum over inputs +1, with those over inputs that are not 0 in `other`, or
 * over all inputs: +1 minus -1. */
static inline int64_t bperc_i_amp_sum(const bperc_i_amp *s, size_t k,
                                      int64_t all) {
  if (s->in->inputs == BPERC_INPUTS_01)
    return s->sums[k];
  return 2 * s->sums[k] - (s->other ? s->other[k] : all);
}

static inline int64_t bperc_i_amp_total(const int32_t *whole, size_t count) {
  int64_t sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += whole[k];
  return sum;
}

bperc_status bperc_i_amp_init(bperc_i_amp *s, const bperc_instance *in,
                              bperc_i_team *team);
void bperc_i_amp_clear(bperc_i_amp *s);
/* Whether sums and other are those of whole_p, or whole_g: base/check.h. */
bool bperc_i_amp_rows_right(const bperc_i_amp *s);
bool bperc_i_amp_columns_right(const bperc_i_amp *s);
/* What follows from p, after it was written from outside. */
void bperc_i_amp_refresh(bperc_i_amp *s);
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
