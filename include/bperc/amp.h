/* Reinforced approximate message passing with the activity pinned.
 *
 * Solves   the equations of docs/frontier.md: one mean p_i per weight, one
 *          force g_mu per pattern, patterns centred per input, the mean sum
 *          of the patterns held at the threshold, fields reinforced at a rate
 *          that grows with time. Patterns begin with a margin that vanishes as
 *          weights are decided. A round that freezes with violated patterns is
 *          followed by a slower one with other margins.
 * Step     one iteration: two products with the pattern bits
 * Cost     O(N M) bits per step, no message per edge, no second copy
 * Choices  rates, margins: docs/frontier.md
 */
#ifndef BPERC_AMP_H
#define BPERC_AMP_H

#include "bperc/solver.h"

BPERC_C_BEGIN

/* name, default, paper, low, high, meaning [symbol] */
#define BPERC_AMP_OPTIONS(X)                                                   \
  X(INT, max_iterations, 100000, 100000, 1, 1e12,                              \
    "give up after so many iterations")                                        \
  X(REAL, rate, 0.06, 0.06, 1e-6, 1,                                           \
    "growth of the reinforcement in the first round: rho = rate t")            \
  X(REAL, slow, 0.3, 0.3, 0.01, 1, "rate of the next round over this one's")   \
  X(REAL, slowest, 0.001, 0.001, 1e-7, 1,                                      \
    "rate below which `again` takes the place of `slow`")                      \
  X(REAL, again, 1, 1, 0.01, 1,                                                \
    "rate of the next round over this one's, from there on")                   \
  X(REAL, margin, 1.1, 1.1, 0, 100,                                            \
    "margin of the patterns at the start of a round, in standard deviations "  \
    "of their sums; falls like the square of the undecided share of weights")  \
  X(REAL, spread, 0.3, 0.3, 0, 10,                                             \
    "standard deviation of these margins over patterns, relative; drawn anew " \
    "in every round but the first")                                            \
  X(INT, freeze, 0, 0, 0, 65535,                                               \
    "a weight leaves the round after so many iterations with a field "         \
    "beyond `freeze_field`; 0: never")                                         \
  X(REAL, freeze_field, 8, 8, 0, 60,                                           \
    "size of the field of a weight that leaves")                               \
  X(INT, polish, 3000, 3000, 0, 1e9,                                           \
    "after a failed round: flips of a weighted local search among the 128 "    \
    "weights with the smallest fields at its best weights; 0: none")

BPERC_OPTIONS_DECLARE(bperc_amp_options, BPERC_AMP_OPTIONS);

BPERC_C_END

#endif
