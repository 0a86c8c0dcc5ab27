/* Decimation guided by belief propagation.
 *
 * Solves   [BZ appendix B]: fix the most polarised weight, again and again
 * Step     belief propagation to its fixed point, then one weight is fixed
 * Cost     O(E) per iteration over the edges that are left
 * Choices  protocols, convergence, near-ties: docs/choices.md
 */
#ifndef BPERC_BPD_H
#define BPERC_BPD_H

#include "bperc/bp.h"
#include "bperc/order.h"
#include "bperc/solver.h"

BPERC_C_BEGIN

typedef enum {
  BPERC_BPD_FAST,  /* warm start, uniform mode apart, undamped residual */
  BPERC_BPD_PAPER, /* N = 480 of [BZ]: random start every step, entropy
                      criterion, inflection rule */
  BPERC_BPD_LARGE, /* large N of [BZ]: warm start, field criterion */
} bperc_bpd_protocol;

/* name, default, paper, low, high, meaning [symbol in the paper] */
#define BPERC_BPD_OPTIONS(X)                                                   \
  X(CHOICE, protocol, BPERC_BPD_FAST, BPERC_BPD_PAPER, "fast|paper|large",     \
    "warm start with the uniform mode apart; random starts, entropy "          \
    "criterion and inflection rule; warm start with field criterion")          \
  X(AUTO_REAL, damping, BPERC_AUTO, 0, 1, "by protocol and size",              \
    "fraction of the new message kept [BZ f]")                                 \
  X(AUTO_REAL, tolerance, BPERC_AUTO, 0, 1, "by protocol",                     \
    "convergence threshold")                                                   \
  X(INT, max_iterations, 4000, 4000, 1, 1e9,                                   \
    "iterations of one step before it counts as not converged")                \
  X(INT, give_up, 5, 0, 0, 1e9,                                                \
    "protocol fast stops when none of so many first steps finds a fixed "      \
    "point; 0: goes on")                                                       \
  X(CHOICE, factor, BPERC_BP_CHEAP, BPERC_BP_PAPER, BPERC_BP_FACTORS,          \
    "factor update, as in bp")                                                 \
  X(CHOICE, gaussian, BPERC_BP_CENTRED, BPERC_BP_PRINTED, "centred|printed",   \
    "threshold of the Gaussian: between integers, or N/A as printed")          \
  X(CHOICE, kernel, BPERC_BP_KERNEL_FAST, BPERC_BP_KERNEL_FAST,                \
    "auto|fast|plain", "single precision vectors, or double precision")        \
  X(FLAG, entropy, 0, 0, "record the Bethe entropy of every step")             \
  X(FLAG, uniform, 0, 0,                                                       \
    "uniform decimation: any weight with equal probability, at 1 with its "    \
    "marginal [BZ section VIII]")                                              \
  X(INT, uniform_seed, 0, 0, -9.3e18, 9.3e18,                                  \
    "seed of what `uniform` draws; 0: the seed of the run")

BPERC_OPTIONS_DECLARE(bperc_bpd_options, BPERC_BPD_OPTIONS);

/* What was done about a step's messages. */
typedef enum {
  BPERC_BPD_SPLIT,      /* converged, uniform mode apart */
  BPERC_BPD_DAMPED,     /* converged with damping alone */
  BPERC_BPD_INFLECTION, /* not converged: messages of the inflection point */
  BPERC_BPD_FLATTEST,   /* not converged, no reasonable inflection point:
                           messages where |F''| is least */
  BPERC_BPD_LAST,       /* not converged: the last messages */
  BPERC_BPD_SAME,       /* fast: the messages of the step before, which the
                           last weights moved by less than the tolerance */
} bperc_bpd_method;

/* One step; which weight it fixed is in the order. */
typedef struct {
  uint8_t converged;
  bperc_bpd_method method;
  uint32_t iterations;
  double residual;
  double p; /* P(weight = 1) before it was fixed */
} bperc_bpd_record;

/* A solver of class bpd, seen as what it is: NULL for one of another class.
 * Borrowed; as long as the solver. */
typedef struct bperc_bpd bperc_bpd;
BPERC_API const bperc_bpd *bperc_bpd_of(const bperc_solver *solver);

/* Whether it stopped because no step found a fixed point (option give_up). */
BPERC_API int bperc_bpd_gave_up(const bperc_bpd *bpd);
/* "split", "damped", "inflection", ...; constant. */
BPERC_API const char *bperc_bpd_method_name(bperc_bpd_method method);

/* The weights fixed so far; borrowed until the next step. log_count is NAN
 * unless the option `entropy` is on. */
BPERC_API const bperc_order *bperc_bpd_order(const bperc_bpd *bpd);
/* One record per step done, in the order of fixing; borrowed. */
BPERC_API const bperc_bpd_record *bperc_bpd_records(const bperc_bpd *bpd,
                                                    size_t *count);
/* F_BP(t) of the last step, one number per iteration of its record, under
 * protocol paper; borrowed until the next step. */
BPERC_API const double *bperc_bpd_entropies(const bperc_bpd *bpd);
/* The engine between steps: what is fixed, and the messages of the last step;
 * clone it to measure (correlations, entropies) without disturbing the run. */
BPERC_API const bperc_bp *bperc_bpd_engine(const bperc_bpd *bpd);

BPERC_C_END

#endif
