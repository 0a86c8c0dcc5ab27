/* Densest region: local entropy at y -> infinity or finite y, with references
 * in one step of replica symmetry breaking (1RSB) [BZ eq. 30] or, at finite y,
 * replica symmetric.
 *
 * Private to the theory. Formulas and their derivation: docs/theory.md 4.
 */
#ifndef BPERC_SRC_THEORY_DENSE_H
#define BPERC_SRC_THEORY_DENSE_H

#include "bperc/theory.h"
#include "numeric/quadrature.h"
#include "numeric/solve.h"

/* What is asked. */
typedef struct {
  bperc_theory_weights weights;
  double mean; /* Q; 1 for ISING */
  double alpha, distance;
  double y; /* copies per reference; 0 stands for infinity */
} bperc_i_dense_problem;

/* All order parameters of the free entropy. */
typedef struct {
  double d, delta, q1, q0; /* Q - q1, its zero-temperature partner, overlaps */
  double step;             /* q1 - q0, of which that would lose digits */
  double h, lam, x;        /* fields of the sum and the distance, Parisi x/y */
  double qh1, qh0, dh;     /* conjugates of q1, q0 and delta */
  double y;                /* 0 for infinity */
  double entropy;          /* F, where the equations were evaluated */
} bperc_i_dense_state;

/* Resolution of the integrals: plain, or the second, finer rule. */
typedef struct {
  bperc_i_legendre inner, outer;
  bperc_i_hermite peak;
  double reach, panel; /* Gaussian range, panel length in standard deviations */
} bperc_i_dense_rule;

bperc_status bperc_i_dense_rule_init(bperc_i_dense_rule *rule, int finer);

/* Averages over patterns: GE and <B>, and the conjugates per alpha. */
typedef struct {
  double log_z, value;   /* GE, <B> */
  double energy;         /* <log H>, which is <B> without copies */
  double square, spread; /* <B'^2>, <B'^2> - <<B'>^2> */
  double stiffness;      /* <delta L2^2 / (1 - delta L2)> */
} bperc_i_dense_patterns;

bperc_status bperc_i_dense_patterns_average(const bperc_i_dense_state *s,
                                            const bperc_i_dense_rule *rule,
                                            bperc_i_dense_patterns *out);

/* Averages over weights: GS and <A>, and what the order parameters equal. */
typedef struct {
  double log_z, value;          /* GS, <A> */
  double energy;                /* <l>, finite y only */
  double mean, flip, deficit;   /* <A'>, <flip>, scale^2 <flip> - <l''> */
  double square, spread, delta; /* <A'^2>, <A'^2> - <<A'>^2>, <A'' - l''> */
} bperc_i_dense_sites;

bperc_status bperc_i_dense_sites_average(bperc_theory_weights weights,
                                         const bperc_i_dense_state *s,
                                         const bperc_i_dense_rule *rule,
                                         bperc_i_dense_sites *out);

/* The free entropy at any values of the order parameters. */
bperc_status bperc_i_dense_free_entropy(const bperc_i_dense_problem *problem,
                                        const bperc_i_dense_state *s,
                                        const bperc_i_dense_rule *rule,
                                        double *entropy);

/* Log of the number of configurations at this distance from the best
 * reference that obey the sum rule. */
double bperc_i_dense_bound(bperc_theory_weights weights, double mean,
                           double distance);

/* Local entropy at finite y: F above is Phi/y, where exp(N Phi) counts
 * references by (number of solutions around them)^y. */
typedef struct {
  double internal; /* dPhi/dy: log of the number of solutions */
  double external; /* Phi - y dPhi/dy: log of the number of references */
} bperc_i_dense_entropies;

/* Replica-symmetric references at finite y: x = y, delta = dh = 0, q1 between
 * copies of one reference, q0 of two. Unknowns: log(scale^2 D - d),
 * log((q1-q0)/q1), lam and, for weights 0, 1, the last one of below. */
enum { BPERC_I_SYMMETRIC_UNKNOWNS = 4 };

/* Unknowns: log(scale^2 D - d), log delta, log((q1-q0)/q1), lam, log x and,
 * for weights 0, 1, asinh((x h + x^2 (qh1-qh0)/2)/10): each varies slowly. */
enum { BPERC_I_DENSE_LAM = 3, BPERC_I_DENSE_UNKNOWNS = 6 };

/* The last averages over patterns: they do not depend on lam, h and alpha. */
typedef struct {
  double y, d, delta, q1, step, x; /* where; x > 0 when known */
  bperc_i_dense_patterns average;
} bperc_i_dense_memo;

/* The saddle-point equations, their patterns' part solved for the conjugates;
 * fills *s with all order parameters. The memo serves one rule; zero at first.
 */
bperc_status bperc_i_dense_equations(const bperc_i_dense_problem *problem,
                                     const double *u,
                                     const bperc_i_dense_rule *rule,
                                     bperc_i_dense_memo *memo,
                                     bperc_i_dense_state *s, double *r);

bperc_status bperc_i_symmetric_equations(const bperc_i_dense_problem *problem,
                                         const double *u,
                                         const bperc_i_dense_rule *rule,
                                         bperc_i_dense_memo *memo,
                                         bperc_i_dense_state *s, double *r);

/* With 1RSB references at finite y. */
bperc_status bperc_i_dense_entropies_at(const bperc_i_dense_problem *problem,
                                        const bperc_i_dense_state *s,
                                        const bperc_i_dense_rule *rule,
                                        bperc_i_dense_entropies *out);

bperc_status bperc_i_symmetric_entropies(const bperc_i_dense_problem *problem,
                                         const bperc_i_dense_state *s,
                                         const bperc_i_dense_rule *rule,
                                         bperc_i_dense_entropies *out);

/* A saddle point that is being followed. */
typedef struct {
  bperc_i_dense_problem problem; /* where it is */
  double edge;                   /* D* at this mean and alpha */
  double held_slope;             /* lam that was held on the way here, or 0 */
  bool give_up_soon;             /* when it is lost */
  bool merged; /* at a larger alpha than asked for, and at the bound already */
  bperc_i_branch branch;
  bperc_i_dense_state state;
  bperc_i_dense_rule rule;
  bperc_i_dense_memo memo;
} bperc_i_dense;

/* Is the densest region worked out for this model? */
bperc_status bperc_i_dense_check(const bperc_theory_model *model,
                                 bperc_error *error);

/* Find a saddle point for the mean and alpha, at some distance below D*. At
 * very small alpha it is that of a larger one, merged with the bound: there it
 * bounds the entropy from below. */
bperc_status bperc_i_dense_start(bperc_theory_weights weights, double mean,
                                 double alpha, bperc_i_dense *dense);

/* From y -> infinity or another y to this one, at fixed mean, alpha and
 * distance. At an x above y it is no longer that of the references. */
bperc_status bperc_i_dense_copies(bperc_i_dense *dense, double y);

/* Move to another distance, alpha and mean fixed. On BPERC_E_NUMERIC the
 * saddle point stays where it was last found; it is not followed beyond where
 * it merges with the bound, nor where q1 - q0 gets too small near D*. */
bperc_status bperc_i_dense_move(bperc_i_dense *dense, double distance);

/* Move to another distance at fixed small lam = dF/dD, with alpha adjusted:
 * the line on which saddle points are lost. */
bperc_status bperc_i_dense_slope(bperc_i_dense *dense, double slope,
                                 double distance);

/* Free entropy here, and with the second rule. */
bperc_status bperc_i_dense_entropy(bperc_i_dense *dense, double *entropy,
                                   double *finer);

#endif
