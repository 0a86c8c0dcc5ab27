/* Replica-symmetric line: every q-hat is a saddle point of some alpha.
 *
 * Private to the theory: the reference solution of Franz-Parisi and the
 * starting point of the other calculations.
 */
#ifndef BPERC_SRC_THEORY_TYPICAL_H
#define BPERC_SRC_THEORY_TYPICAL_H

#include "bperc/theory.h"

/* One point of the line. gap = (mean square) - q, computed without
 * cancellation. */
typedef struct {
  double qh, h, q, gap, square, alpha, entropy;
  double shift; /* mean of the sums, in the unit of kappa */
} bperc_i_typical;

/* What solutions are asked for; zero beyond the mean: balanced labels without
 * margin. */
typedef struct {
  bperc_theory_weights weights;
  double mean;  /* Q; 1 for ISING */
  double lean;  /* f_out - 1/2 */
  double kappa; /* margin / sqrt(N variance of an input) */
} bperc_i_ensemble;

bperc_i_ensemble bperc_i_ensemble_of(const bperc_theory_model *model);

/* For questions worked out for f_out = 1/2 and kappa = 0 only. */
bperc_status bperc_i_ensemble_plain(const bperc_theory_model *model,
                                    const char *question, bperc_error *error);

/* Q = 1/(A f_in); 1 for ISING. */
double bperc_i_theory_q(const bperc_theory_model *model);

/* Range checks common to all calls. */
bperc_status bperc_i_theory_check(const bperc_theory_model *model,
                                  bool needs_alpha, bperc_error *error);

/* The point of the line at alpha. near: the answer of the other rule, or NULL;
 * not the same object as out. */
bperc_status bperc_i_typical_at(const bperc_i_ensemble *e, double alpha,
                                int finer, const bperc_i_typical *near,
                                bperc_i_typical *out);

/* alpha of zero entropy, finer and near as above. */
bperc_status bperc_i_typical_capacity(const bperc_i_ensemble *e, int finer,
                                      const bperc_i_typical *near,
                                      bperc_i_typical *out);

/* The part that patterns add, per sqrt(Q-q): averages of log H(k - shift + x t)
 * for label 1 and log H(k + shift + x t) for label 0, and of g^2, with the
 * shift of the largest log_h. */
typedef struct {
  double log_h, hazard2, shift;
} bperc_i_pattern_term;

/* x = sqrt(q/(Q-q)), lean = f_out - 1/2, k = kappa/sqrt(Q-q). */
bperc_i_pattern_term bperc_i_pattern_average(double x, double lean, double k,
                                             int finer);

/* Integer weights: the point of zero entropy (alpha NULL) or at *alpha, and
 * the residual of its three equations. kappa = 0 only. */
bperc_status bperc_i_integer_solve(const bperc_i_ensemble *e,
                                   const double *alpha, int finer,
                                   bperc_i_typical *out, double *residual);

/* <min(sig, 1-sig)>: distance of a typical solution from the most likely
 * value of every weight; beyond it the densest region is the typical one. */
bperc_status bperc_i_typical_edge(bperc_theory_weights weights,
                                  const bperc_i_typical *saddle, double *edge);

#endif
