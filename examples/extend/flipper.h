/* A new solver, complete: flips one weight of a violated pattern at a time.
 *
 * Solves   any problem with bounded weights; the page docs/extend.md goes
 *          through this example line by line
 * Step     one flip
 * Cost     O(M) popcounts per candidate, CANDIDATES candidates per step
 */
#ifndef BPERC_EXAMPLE_FLIPPER_H
#define BPERC_EXAMPLE_FLIPPER_H

#include "bperc/solver.h"

/* name, default, paper, low, high, meaning */
#define BPERC_FLIPPER_OPTIONS(X)                                               \
  X(INT, max_flips, 100000, 100000, 1, 1e12, "give up after so many flips")    \
  X(REAL, noise, 0.1, 0.1, 0, 1, "probability to flip any candidate")
BPERC_OPTIONS_DECLARE(bperc_flipper_options, BPERC_FLIPPER_OPTIONS);

extern const bperc_solver_class bperc_flipper_class;

#endif
