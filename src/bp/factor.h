/* Factor updates: from the messages p_j of a pattern's weights to h_hat.
 *
 * Each gives h_hat_i = log P(ok | w_i = 1) / P(ok | w_i = 0) [BZ eq. 20] and
 * log Z = log P(ok) [BZ eq. S2], where ok means that the sum of the unfixed
 * weights is at most `left` (label 0) or at least `left` (label 1). */
#ifndef BPERC_BP_FACTOR_H
#define BPERC_BP_FACTOR_H

#include "kernels/bp_kernels.h"

/* A message that forces a weight: infinity, for every purpose. */
#define BPERC_I_FORCED 50.0

/* The exact update counts ones or zeros, whichever needs fewer numbers. */
bperc_i_capped bperc_i_factor_plan(int label, int32_t left, size_t degree);
/* Numbers that it keeps per weight. */
size_t bperc_i_factor_width(int label, int32_t left, size_t degree);
size_t bperc_i_factor_table(int label, int32_t left, size_t degree);

/* p: P(w = 1), q = 1 - p given apart because it may be tiny. table: room for
 * bperc_i_factor_table numbers. Returns log Z. Nothing is subtracted, so
 * every digit is good. O(degree x width). */
double bperc_i_factor_exact(int label, int32_t left, size_t degree,
                            const double *p, const double *q, double *table,
                            double *h_hat);

/* Gaussian approximation [BZ eq. 21]; edge is where the sum is cut. */
double bperc_i_factor_gaussian(int label, double edge, size_t degree,
                               const double *p, const double *q, double *h_hat);

#endif
