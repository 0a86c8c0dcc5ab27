/* Local entropy around given weights by belief propagation.
 *
 * Solves   [BZ eq. 25]: log Z(x) of the solutions weighted with
 *          exp(x sum_i (w_i - w~_i)^2), and its Legendre transform F(D)
 * Cost     a fixed point per x, each started from the last
 * Choices  the ladder of x, the count at whole distances: docs/choices.md
 */
#ifndef BPERC_LOCALENTROPY_H
#define BPERC_LOCALENTROPY_H

#include "bperc/bp.h"

BPERC_C_BEGIN

/* name, default, paper, low, high, meaning [symbol] */
#define BPERC_LOCAL_OPTIONS(X)                                                 \
  X(REAL, x_from, -9, -9, -40, 40, "first coupling of the ladder [BZ x]")      \
  X(REAL, x_to, 0, 0, -40, 40, "last coupling of the ladder [BZ x]")           \
  X(INT, points, 37, 37, 2, 100000, "couplings in the ladder, evenly spaced")

BPERC_OPTIONS_DECLARE(bperc_local_options, BPERC_LOCAL_OPTIONS);
/* Their table; constant. */
BPERC_API bperc_option_table bperc_local_option_table(void);

typedef struct {
  double x;
  double distance;   /* mean Hamming distance / N */
  double entropy;    /* F(D) = (log Z)/N - x D, nats per weight */
  double count;      /* (1/N) log of the number of solutions at that whole
                        distance: F less the width of its neighbourhood,
                        log(2 pi N dD/dx) / 2N */
  int converged;     /* without it the numbers are NaN */
  int contradiction; /* no weights satisfy all patterns, or messages force a
                        weight both ways: not converged either */
  uint64_t iterations;
} bperc_local_point;

/* How it is measured; all zero, or NULL in place of it: the defaults. */
typedef struct {
  const bperc_bp_options *bp; /* NULL: the defaults */
  uint64_t seed;
  unsigned threads; /* 0: all cores; the answer does not depend on them */
  double *one_flip; /* gets the number of solutions at distance 1, counted; NaN
                       unless the weights are a solution. NULL: not wanted */
} bperc_local_run;

/* weights: n bits. options NULL: the defaults. points: room for
 * options->points, filled one after the other: x is NaN in those that are not
 * known yet, also after BPERC_E_INTERRUPTED. */
BPERC_API bperc_status bperc_local_entropy(const bperc_instance *in,
                                           const uint64_t *weights,
                                           const bperc_local_options *options,
                                           const bperc_local_run *how,
                                           bperc_local_point *points,
                                           bperc_error *error);

BPERC_C_END

#endif
