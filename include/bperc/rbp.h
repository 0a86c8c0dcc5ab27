/* Reinforced belief propagation.
 *
 * Solves   [BZ eqs. 12-15]
 * Step     one parallel update of every message = one time step of [BZ]
 * Cost     O(E) time per step, E = number of ones in the patterns
 * Choices  p(t), Gaussian threshold, start: docs/choices.md
 */
#ifndef BPERC_RBP_H
#define BPERC_RBP_H

#include "bperc/bp.h"
#include "bperc/solver.h"

BPERC_C_BEGIN

enum { BPERC_RBP_WEIGHT, BPERC_RBP_STEP, BPERC_RBP_MEAN };
enum { BPERC_RBP_SPLIT, BPERC_RBP_DAMPED };

/* name, default, paper, low, high, meaning [symbol in the paper] */
#define BPERC_RBP_OPTIONS(X)                                                   \
  X(AUTO_REAL, gamma, 0.99, 0, 1, "by size, closer to 1 at every new attempt", \
    "reinforcement base [BZ gamma, 0.9 to 0.999]")                             \
  X(AUTO_REAL, damping, BPERC_AUTO, 0, 1,                                      \
    "split 0.1, damped 0.05 and from N = 2500 on 0.002",                       \
    "fraction of the new message kept [BZ f]")                                 \
  X(AUTO_REAL, h_max, 8, 0, 1000, "8, above N = 480 8 + ln(N/480)",            \
    "bound on |h_{i->mu}| [BZ 8]")                                             \
  X(INT, max_steps, 4000, 4000, 1, 1e9, "give up after so many steps [T_max]") \
  X(CHOICE, draw, 0, 0, "weight|step|mean",                                    \
    "p(t) is 1 with probability 1 - gamma^t: one draw per weight and "         \
    "step, one per step, or the mean itself")                                  \
  X(CHOICE, update, BPERC_RBP_SPLIT, BPERC_RBP_DAMPED, "split|damped",         \
    "uniform mode of the fields apart, or every message alike as in "          \
    "[BZ eq. 12]")                                                             \
  X(CHOICE, factor, BPERC_BP_CHEAP, BPERC_BP_GAUSSIAN, BPERC_BP_FACTORS,       \
    "factor update, as in bp")                                                 \
  X(CHOICE, gaussian, BPERC_BP_CENTRED, BPERC_BP_PRINTED, "centred|printed",   \
    "threshold of the Gaussian: between integers, or N/A as printed")          \
  X(CHOICE, kernel, BPERC_BP_KERNEL_FAST, BPERC_BP_KERNEL_FAST,                \
    "auto|fast|plain", "single precision vectors, or double precision")

BPERC_OPTIONS_DECLARE(bperc_rbp_options, BPERC_RBP_OPTIONS);

BPERC_C_END

#endif
