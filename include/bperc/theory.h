/* Replica theory: what the statistical mechanics of the perceptron predicts.
 *
 * Solves   [BZ eqs. 26-36]; derivations in docs/theory.md
 * Model    N weights, alpha N random patterns, N -> inf; everything depends on
 *          A and f_in through Q = 1/(A f_in) alone
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

BPERC_C_BEGIN

typedef enum {
  BPERC_THEORY_01,      /* weights 0, 1 */
  BPERC_THEORY_INTEGER, /* weights 0, 1, 2, ... without bound */
  BPERC_THEORY_ISING    /* weights -1, +1, threshold 0: no A, no f_in */
} bperc_theory_weights;

/* How references of the densest region are arranged. */
typedef enum {
  BPERC_THEORY_1RSB, /* one step of replica symmetry breaking */
  BPERC_THEORY_RS    /* replica symmetric; finite y only */
} bperc_theory_references;

typedef struct {
  bperc_theory_weights weights;
  double a, fin; /* threshold N/A, input sparseness; not used for ISING */
  double alpha;  /* patterns per weight; not used by capacity */
  double fout;   /* probability of label 1; 0 stands for 1/2 */
  double kappa;  /* margin / sqrt(N variance of an input), 0 or more */
  /* large_deviation only: references count by (solutions around them)^y */
  double y; /* 0 stands for infinity */
  bperc_theory_references references;
} bperc_theory_model;

/* The typical solution: replica-symmetric saddle point. */
typedef struct {
  double alpha;
  double entropy;          /* F; negative above capacity */
  double overlap;          /* q, of two typical solutions */
  double mean;             /* Q, mean weight (0 for ISING) */
  double square;           /* mean square weight: Q, Q2 or 1 */
  double field, conjugate; /* h, q-hat */
  double
      shift; /* M: solutions have sum w = N Q + M sqrt(N); 0 if f_out = 1/2 */
  double distance; /* typical distance of two solutions (0,1 and +-1) */
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

/* The Q of largest capacity of weights 0, 1: A_opt = 1 / (Q f_in). Of the
 * model, fin, fout and kappa are used. */
BPERC_API bperc_status bperc_theory_optimum(const bperc_theory_model *model,
                                            double *a_opt,
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

/* How a point of a local entropy was obtained. */
typedef enum {
  BPERC_THEORY_LOST,    /* no saddle point at this distance */
  BPERC_THEORY_SADDLE,  /* solved */
  BPERC_THEORY_TYPICAL, /* beyond D* the densest region is the typical one */
  BPERC_THEORY_EDGE,    /* close below D*, interpolated: see docs/theory.md 4 */
  BPERC_THEORY_BOUND    /* so close to the bound that the gap is extrapolated */
} bperc_theory_regime;

/* One point of a local entropy: solutions at a distance from a reference. */
typedef struct {
  double distance;
  double entropy; /* F(D); NaN where there is no saddle point */
  double bound;   /* all configurations at this distance that obey sum w = NQ */
  double slope;   /* dF/dD; at finite y lam, the same of the free entropy / y */
  double external; /* finite y: (1/N) log of the number of references */
  double parisi;   /* finite y, 1RSB: m = x/y, no longer a solution above 1 */
  double residual, quadrature_error;
  bperc_theory_regime regime;
} bperc_theory_local;

/* Franz-Parisi potential [BZ eq. 29] of weights 0, 1 or -1, +1: local entropy
 * around a typical solution. Every point is answered as if asked alone.
 * Arguments and answers as for the densest region below. At small distances it
 * is negative: typical solutions are isolated. */
BPERC_API bperc_status bperc_theory_franz_parisi(
    const bperc_theory_model *model, const double *distances, size_t n,
    bperc_theory_local *points, double *ended, bperc_error *error);

/* Local entropy of the densest region [BZ eq. 30] of weights 0, 1 or -1, +1, at
 * model->y with model->references, at n distances in any order. BPERC_E_NUMERIC
 * when the saddle point is lost before one of them: that point is
 * BPERC_THEORY_LOST and *ended is the distance where it was last seen (NaN
 * otherwise). */
BPERC_API bperc_status bperc_theory_large_deviation(
    const bperc_theory_model *model, const double *distances, size_t n,
    bperc_theory_local *points, double *ended, bperc_error *error);

/* One attempt to follow the densest region to small distances. */
typedef struct {
  double alpha;
  bool survived;       /* to the smallest distance */
  double ended;        /* distance reached */
  double slope, where; /* smallest dF/dD met, and at which distance */
} bperc_theory_trial;

/* alpha_U: above it the densest region is lost at some distance > 0. */
typedef struct {
  double low, high; /* survived, lost: the two trials */
  double alpha_u;   /* minimum over D of the alpha at which dF/dD = 0 */
  double distance;  /* where that minimum lies */
  double alpha_c;
  bperc_theory_trial at_low, at_high;
} bperc_theory_threshold;

/* Ranges of the tolerance and of the smallest distance. */
#define BPERC_ALPHA_U_FINEST 1e-6
#define BPERC_ALPHA_U_COARSEST 0.05
#define BPERC_ALPHA_U_NEAREST 1e-6
#define BPERC_ALPHA_U_FARTHEST 0.1

/* alpha_U within +-tolerance; trials are followed to at most the smallest
 * distance (and further while dF/dD still falls). model->alpha is not used.
 * BPERC_E_NUMERIC when no loss is found below capacity. */
BPERC_API bperc_status bperc_theory_alpha_u(const bperc_theory_model *model,
                                            double tolerance, double smallest,
                                            bperc_theory_threshold *out,
                                            bperc_error *error);

/* Where the local entropy stops being concave: above, lam = dF/dD rises with D
 * between two distances, and a solver that steps in lam loses the curve. */
typedef struct {
  double alpha;    /* least load at which that happens, within tolerance */
  double from, to; /* the distances it cannot reach there: from < to */
  double alpha_c;
} bperc_theory_fold;

/* At model->y with model->references, from small D upwards: distances of at
 * least the smallest. A rise of lam that ends in no larger lam at smaller
 * distances (finite y: references are then the solutions themselves) does not
 * count; a saddle point that is lost while lam falls does. model->alpha is not
 * used. */
BPERC_API bperc_status bperc_theory_concavity(const bperc_theory_model *model,
                                              double tolerance, double smallest,
                                              bperc_theory_fold *out,
                                              bperc_error *error);

BPERC_C_END

#endif
