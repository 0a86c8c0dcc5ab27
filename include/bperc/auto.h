/* Several solvers in turn, for users who want a solution and no method.
 *
 * Solves   a few sweeps of SBPI, then AMP; where N is small enough AMP stops
 *          after a while for the complete search, which finds or proves. Two
 *          patterns that contradict each other end the search early.
 * Step     one step of the member at work; bperc_solver_member names it
 * Cost     every budget counts work, not seconds: the answer repeats
 */
#ifndef BPERC_AUTO_H
#define BPERC_AUTO_H

#include "bperc/solver.h"

BPERC_C_BEGIN

/* name, default, paper, low, high, meaning */
#define BPERC_AUTO_OPTIONS(X)                                                  \
  X(INT, quick_sweeps, 100, 100, 0, 1e9,                                       \
    "sweeps of SBPI to begin with; above N = 2000 times sqrt(N/2000)")         \
  X(INT, max_iterations, 100000, 100000, 0, 1e12, "iterations of AMP at most") \
  X(INT, proof_after, 1000, 1000, 0, 1e12,                                     \
    "iterations of AMP before the complete search, where N is small")          \
  X(INT, proof_slices, 20, 20, 0, 1e12,                                        \
    "slices of a million nodes of the complete search; 0: none")

BPERC_OPTIONS_DECLARE(bperc_auto_options, BPERC_AUTO_OPTIONS);

BPERC_C_END

#endif
