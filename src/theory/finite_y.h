/* Densest region at any y, references of either kind.
 *
 * Private to the theory; docs/theory.md 4.
 */
#ifndef BPERC_SRC_THEORY_FINITE_Y_H
#define BPERC_SRC_THEORY_FINITE_Y_H

#include "theory/dense_symmetric.h"

/* A saddle point, y in problem (0 for infinity). */
typedef struct {
  bool symmetric;       /* references: rs is in force, else dense */
  bperc_i_dense dense;  /* 1RSB; with rs, where it started from */
  bperc_i_symmetric rs; /* replica symmetric */
} bperc_i_copies;

/* At the model's alpha and y, at some distance. */
bperc_status bperc_i_copies_start(const bperc_theory_model *model,
                                  bperc_i_copies *c);
bperc_status bperc_i_copies_move(bperc_i_copies *c, double distance);
const bperc_i_dense_problem *bperc_i_copies_at(const bperc_i_copies *c);
const bperc_i_dense_state *bperc_i_copies_state(const bperc_i_copies *c);

/* bperc_theory_large_deviation at finite y; bounds are set already. */
bperc_status bperc_i_finite_y(const bperc_theory_model *model,
                              bperc_theory_local *points, size_t n,
                              double *ended, bperc_error *error);

#endif
