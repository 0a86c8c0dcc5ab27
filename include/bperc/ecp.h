/* Extended clipped perceptron for weights 0, 1, 2, ... without upper bound.
 *
 * Solves   [BZ supplement 2]: a hidden integer h_i in -K .. K per weight; a
 *          violated pattern moves h_i by one where its input is 1; beyond K
 *          the weight grows by one and h_i = -K, beyond -K it shrinks by one
 *          (not below 0) and h_i = K
 * Step     one sweep: every pattern once in random order, then the errors
 * Cost     O(N M d / 64) time per sweep, d binary digits of the weights
 * Choices  start: docs/choices.md 26
 */
#ifndef BPERC_ECP_H
#define BPERC_ECP_H

#include "bperc/solver.h"

BPERC_C_BEGIN

/* name, default, paper, low, high, meaning [symbol in the paper] */
#define BPERC_ECP_OPTIONS(X)                                                   \
  X(INT, max_sweeps, 8000, 8000, 1, 1e9,                                       \
    "give up after so many sweeps [T_max]")                                    \
  X(INT, k, 2, 2, 0, 65535, "bound on hidden states [K]")                      \
  X(CHOICE, start, BPERC_ECP_MEAN, BPERC_ECP_MEAN, "mean|zero",                \
    "weights whose mean sum is the threshold, or all 0")                       \
  X(CHOICE, floor, BPERC_ECP_HOLD, BPERC_ECP_RESET, "hold|reset",              \
    "h below -K where w = 0: stays at -K, or is reset to K")

enum { BPERC_ECP_MEAN, BPERC_ECP_ZERO };
enum { BPERC_ECP_HOLD, BPERC_ECP_RESET };

BPERC_OPTIONS_DECLARE(bperc_ecp_options, BPERC_ECP_OPTIONS);

BPERC_C_END

#endif
