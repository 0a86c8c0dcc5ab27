/* Densest region at finite y with replica-symmetric references.
 *
 * Private to the theory; docs/theory.md 4.
 */
#ifndef BPERC_SRC_THEORY_DENSE_SYMMETRIC_H
#define BPERC_SRC_THEORY_DENSE_SYMMETRIC_H

#include "theory/dense.h"

/* A saddle point that is being followed. */
typedef struct {
  bperc_i_dense_problem problem; /* where it is, y included */
  bperc_i_branch branch;
  bperc_i_dense_state state;
  bperc_i_dense_rule rule;
  bperc_i_dense_memo memo;
} bperc_i_symmetric;

/* From the saddle point at y -> infinity, where it is: at y = x one step of
 * symmetry breaking and none are the same. */
bperc_status bperc_i_symmetric_start(const bperc_i_dense *from,
                                     bperc_i_symmetric *out);

/* To another alpha, distance and y, straight in their logarithms. On
 * BPERC_E_NUMERIC the saddle point stays where it was last found. */
bperc_status bperc_i_symmetric_move(bperc_i_symmetric *s, double alpha,
                                    double distance, double y);

#endif
