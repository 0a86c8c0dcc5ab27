/* Reinforced approximate message passing with the activity pinned.
 *
 * Solves   the equations of docs/frontier.md: one mean p_i per weight, one
 *          force g_mu per pattern, patterns centred per input, the mean sum
 *          of the patterns held at the threshold, fields reinforced at a rate
 *          that grows with time. A round that freezes with violated patterns
 *          raises their margins and starts again, more slowly.
 * Step     one iteration: two products with the pattern bits
 * Cost     O(N M) bits per step, no message per edge, no second copy
 * Choices  rates, margins, resumed rounds: docs/frontier.md
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
    "rate from which rounds resume half-way instead")                          \
  X(REAL, boost, 0.25, 0.25, 0, 10,                                            \
    "added to the margin of patterns that a failed round violates")            \
  X(REAL, decay, 0.95, 0.95, 0, 1, "of these margins, per round")              \
  X(INT, resume, 3, 3, 0, 1000, "slow rounds resumed from one state")          \
  X(REAL, again, 1, 1, 0.01, 1,                                                \
    "rate of the next slow round from scratch over the last one's")            \
  X(REAL, depth, 0.33, 0.33, 0, 1,                                             \
    "undecided share of weights at that state, over the one at the start")     \
  X(INT, freeze, 0, 0, 0, 65535,                                               \
    "a weight leaves the round after so many iterations with a field "         \
    "beyond `freeze_field`; 0: never")                                         \
  X(REAL, freeze_field, 8, 8, 0, 60,                                           \
    "size of the field of a weight that leaves")

BPERC_OPTIONS_DECLARE(bperc_amp_options, BPERC_AMP_OPTIONS);

BPERC_C_END

#endif
