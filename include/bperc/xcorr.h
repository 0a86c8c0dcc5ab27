/* Cross-correlations of weights by belief propagation.
 *
 * Solves   c_ij = <w_i w_j> - <w_i><w_j> [BZ eqs. 23-24]
 * Methods  condition: fix w_i = 1, iterate from the unconditioned fixed point,
 *          c_ij = p_i (p_j|i - p_j) [BZ appendix C];
 *          response: the derivative of p_j by a field on w_i
 * Cost     a fixed point (two for response) per sampled weight
 */
#ifndef BPERC_XCORR_H
#define BPERC_XCORR_H

#include "bperc/bp.h"

BPERC_C_BEGIN

typedef enum { BPERC_XCORR_CONDITION, BPERC_XCORR_RESPONSE } bperc_xcorr_method;
typedef enum { BPERC_XCORR_ZERO, BPERC_XCORR_EXCLUDE } bperc_xcorr_failed;

/* name, default, paper, low, high, meaning [symbol] */
#define BPERC_XCORR_OPTIONS(X)                                                 \
  X(CHOICE, estimate, BPERC_XCORR_CONDITION, BPERC_XCORR_CONDITION,            \
    "condition|response",                                                      \
    "fix weights at 1 one by one, or differentiate by a field")                \
  X(INT, sample, 50, 50, 0, 1e9,                                               \
    "how many weights to condition on, all when fewer are unfixed; 0: all "    \
    "[BZ |A|]")                                                                \
  X(CHOICE, failed, BPERC_XCORR_EXCLUDE, BPERC_XCORR_ZERO, "zero|exclude",     \
    "a conditioned run that does not converge: c_ij = 0, or left out")         \
  X(REAL, probe, 0.1, 0.1, 1e-6, 1, "size of the field of estimate response")

BPERC_OPTIONS_DECLARE(bperc_xcorr_options, BPERC_XCORR_OPTIONS);
/* Their table; constant. */
BPERC_API bperc_option_table bperc_xcorr_option_table(void);

typedef struct {
  int converged;            /* the unconditioned run and all conditioned ones */
  size_t sampled;           /* weights conditioned on: 0 when already the
                               unconditioned run did not converge */
  size_t unconverged;       /* of them, runs that did not converge */
  int contradiction;        /* no weights satisfy all patterns, or messages
                               force a weight both ways: no correlations */
  double mean, mean_square; /* over i in the sample, j != i unfixed; NaN when
                               no run converged */
} bperc_xcorr;

/* How they are measured; all zero, or NULL in place of it: the defaults. */
typedef struct {
  uint64_t seed;    /* of the sample */
  unsigned threads; /* 0: all cores; the answer does not depend on them */
  double *matrix;   /* room for n x n numbers: rows of the sampled weights, NaN
                       elsewhere and on the diagonal. NULL: not wanted */
} bperc_xcorr_run;

/* Correlations at the state of bp, which is first iterated to convergence: by
 * the criterion of its options, and until no field is off by more than 1e-4.
 * After BPERC_E_INTERRUPTED *out is of the out->sampled weights that were done;
 * out->sampled counts them during the call too, for a control's poll to show.
 */
BPERC_API bperc_status bperc_xcorr_measure(bperc_bp *bp,
                                           const bperc_xcorr_options *options,
                                           const bperc_xcorr_run *how,
                                           bperc_xcorr *out,
                                           bperc_error *error);

BPERC_C_END

#endif
