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
} bperc_i_typical;

/* Q = 1/(A f_in); 1 for ISING. */
double bperc_i_theory_q(const bperc_theory_model *model);

/* Range checks common to all calls. */
bperc_status bperc_i_theory_check(const bperc_theory_model *model,
                                  bool needs_alpha, bperc_error *error);

/* The saddle point of weights 0, 1 or +-1 with conjugate qh and mean Q. finer
 * selects the second quadrature rule. */
bperc_status bperc_i_typical_line(bperc_theory_weights weights, double mean,
                                  double qh, int finer, bperc_i_typical *out);

/* The point of the line at alpha. near: the answer of the other rule, or NULL;
 * not the same object as out. */
bperc_status bperc_i_typical_at(bperc_theory_weights weights, double mean,
                                double alpha, int finer,
                                const bperc_i_typical *near,
                                bperc_i_typical *out);

/* alpha of zero entropy, finer and near as above. */
bperc_status bperc_i_typical_capacity(bperc_theory_weights weights, double mean,
                                      int finer, const bperc_i_typical *near,
                                      bperc_i_typical *out);

/* Int Dt log H(x t) and Int Dt g(x t)^2: the part that patterns add. */
typedef struct {
  double log_h, hazard2;
} bperc_i_pattern_term;
bperc_i_pattern_term bperc_i_pattern_average(double x, int finer);

/* Integer weights: the point of zero entropy (alpha NULL) or at *alpha, and
 * the residual of its three equations. */
bperc_status bperc_i_integer_solve(double mean, const double *alpha, int finer,
                                   bperc_i_typical *out, double *residual);

/* <min(sig, 1-sig)>: distance of a typical solution from the most likely
 * value of every weight; beyond it the densest region is the typical one. */
bperc_status bperc_i_typical_edge(bperc_theory_weights weights,
                                  const bperc_i_typical *saddle, double *edge);

#endif
