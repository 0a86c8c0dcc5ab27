/* Replica theory: what the statistical mechanics of the perceptron predicts.
 *
 * Solves   [BZ eqs. 26-36]; derivations in docs/theory.md
 * Model    N weights, alpha N random patterns with balanced labels, N -> inf;
 *          everything depends on A and f_in through Q = 1/(A f_in) alone
 * Units    entropies per weight in nats; distances are Hamming distances / N
 * Errors   every result carries the residual of its saddle-point equations
 *          and the difference to a second, finer quadrature
 * Threads  all calls are independent and keep no state
 */
#ifndef BPERC_THEORY_H
#define BPERC_THEORY_H

#include "bperc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  BPERC_THEORY_01,      /* weights 0, 1 */
  BPERC_THEORY_INTEGER, /* weights 0, 1, 2, ... without bound */
  BPERC_THEORY_ISING    /* weights -1, +1, threshold 0: no A, no f_in */
} bperc_theory_weights;

typedef struct {
  bperc_theory_weights weights;
  double a, fin; /* threshold N/A, input sparseness; not used for ISING */
  double alpha;  /* patterns per weight; not used by capacity */
} bperc_theory_model;

/* The typical solution: replica-symmetric saddle point. */
typedef struct {
  double alpha;
  double entropy;          /* F; negative above capacity */
  double overlap;          /* q, of two typical solutions */
  double mean;             /* Q, mean weight (0 for ISING) */
  double square;           /* mean square weight: Q, Q2 or 1 */
  double field, conjugate; /* h, q-hat */
  double distance;         /* typical distance of two solutions (0,1 and +-1) */
  double residual, quadrature_error;
} bperc_theory_typical;

/* The alpha at which the entropy vanishes. With weights 0, 1 and A f_in <= 1
 * the threshold cannot be reached: alpha 0, overlap = mean = 1. */
BPERC_API bperc_status bperc_theory_capacity(const bperc_theory_model *model,
                                             bperc_theory_typical *out,
                                             bperc_error *error);

/* The typical solution at model->alpha. BPERC_E_NUMERIC when there is none. */
BPERC_API bperc_status bperc_theory_entropy(const bperc_theory_model *model,
                                            bperc_theory_typical *out,
                                            bperc_error *error);

/* The Q of largest capacity of weights 0, 1: A_opt = 1 / (Q f_in). */
BPERC_API bperc_status bperc_theory_optimum(double fin, double *a_opt,
                                            bperc_theory_typical *out,
                                            bperc_error *error);

/* Pure states of the full solution space [BZ App. F, eqs. 31-36]. Both saddle
 * points of the 1RSB free entropy g(x) follow from the typical solution. */
typedef struct {
  double x;                /* Parisi parameter */
  double g;                /* (1/N) log sum over states of (size)^x */
  double q_same, q_diff;   /* overlaps in one state, in two states */
  double size, complexity; /* (1/N) log of size and number of the states */
} bperc_theory_state;

/* The states that dominate at x: small ones up to x = 1, large ones above.
 * At x = 1 itself, the value of real systems, pairs in large states dominate
 * the overlaps. */
BPERC_API bperc_theory_state
bperc_theory_geometry(const bperc_theory_typical *typical, double x);

#endif
