/* Stochastic belief-propagation-inspired learning, SBPI01.
 *
 * Solves   [BZ Appendix A]: each weight has an odd hidden state h_i, |h_i| <= K
 *          and w_i = 1 where h_i > 0; patterns shown in random order
 * Step     one sweep: M presentations, then the errors are counted; a start
 *          that is a solution thus counts as one sweep
 * Cost     O(N M / 64) time per sweep, one bit plane per binary digit of h
 * Choices  start, saturation, margin rule, ties: docs/choices.md 1-3
 */
#ifndef BPERC_SBPI_H
#define BPERC_SBPI_H

#include "bperc/solver.h"

BPERC_C_BEGIN

/* name, default, paper, low, high, meaning [symbol in the paper] */
#define BPERC_SBPI_OPTIONS(X)                                                  \
  X(INT, max_sweeps, 4000, 4000, 1, 1e9,                                       \
    "give up after so many sweeps [T_max]")                                    \
  X(REAL, p_s, 0.3, 0.3, 0, 1, "probability of the margin rule [p_s]")         \
  X(CHOICE, margin, BPERC_SBPI_DEEPEN, BPERC_SBPI_DEEPEN,                      \
    "deepen|printed|off|inside",                                               \
    "what it moves at the largest allowed sum: active weights at 0, all "      \
    "active ones, none; inside: as deepen, where 0 < N/A - sum <= 1")          \
  X(CHOICE, presentation, BPERC_SBPI_SHUFFLED, BPERC_SBPI_SHUFFLED,            \
    "shuffled|drawn",                                                          \
    "a sweep shows every pattern once, or M patterns drawn at random")         \
  X(AUTO_INT, k, BPERC_AUTO, 0, 65535,                                         \
    "the nearest integer to 21 sqrt(N/480), or 63 sqrt(N/480) unless weights " \
    "and inputs are 0/1",                                                      \
    "bound on hidden states [K]")                                              \
  X(INT, freeze, 0, 0, 0, 65535,                                               \
    "weights that were beyond `freeze_at` after each of so many sweeps "       \
    "leave the computation; 0: never")                                         \
  X(REAL, freeze_at, 0.5, 0.5, 0, 1,                                           \
    "hidden state of a weight that leaves, as a share of the bound")

enum {
  BPERC_SBPI_DEEPEN,
  BPERC_SBPI_PRINTED,
  BPERC_SBPI_OFF,
  BPERC_SBPI_INSIDE
};
enum { BPERC_SBPI_SHUFFLED, BPERC_SBPI_DRAWN };

BPERC_OPTIONS_DECLARE(bperc_sbpi_options, BPERC_SBPI_OPTIONS);

BPERC_C_END

#endif
