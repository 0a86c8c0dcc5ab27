/* The least number of violated patterns: branch and bound over the weights.
 *
 * A node keeps the slacks of all patterns and of sums of two (residual.h),
 * which stop at -1: that pattern is violated, or the two of that pair exclude
 * each other. The bound of a node is the cost of its violated patterns plus,
 * for a greedy matching among the pairs that exclude each other, the lesser
 * cost of each. The last eight weights are counted at once, one bit per
 * configuration in planes of binary digits. It starts from weights found by
 * local search.
 */
#ifndef BPERC_EXACT_LEAST_H
#define BPERC_EXACT_LEAST_H

#include "bperc/exact.h"

typedef struct bperc_i_least bperc_i_least;

/* cost: NULL or m positive numbers. known: only weights that cost less are
 * looked for. Borrows in and cost. */
bperc_status bperc_i_least_new(const bperc_instance *in, const int8_t *fixed,
                               const uint32_t *cost, uint64_t known,
                               bperc_i_least **out, bperc_error *error);
/* Visits so many nodes; true when nothing is left to visit. */
bool bperc_i_least_run(bperc_i_least *l, uint64_t nodes);
/* Cost of the best weights, what no weights can cost less than, and n bits
 * (NULL: none that cost less than known). */
bperc_least_errors bperc_i_least_look(const bperc_i_least *l);
const uint64_t *bperc_i_least_weights(const bperc_i_least *l);
void bperc_i_least_free(bperc_i_least *l); /* NULL is fine */

#endif
