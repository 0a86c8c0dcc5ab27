/* The definitions, as literally as C allows: no kernel, no cleverness. Only for
 * small problems; every function is quadratic or exponential. */
#ifndef BPERC_TESTS_LITERAL_H
#define BPERC_TESTS_LITERAL_H

#include "bperc/exact.h"

/* x_i of a pattern: -1, 0 or 1; sum x_i v_i under the weights w (bit i is
 * b_i); and whether that is what label, threshold, kappa and ties want. */
int literal_input(const bperc_instance *in, size_t mu, size_t i);
double literal_sum(const bperc_instance *in, size_t mu, uint32_t w);
bool literal_satisfied(const bperc_instance *in, size_t mu, uint32_t w);

/* All solutions of at most 24 weights with these fixed, as integers (bit i is
 * w_i), ascending; *out from malloc. Uses the definition of the tie rules. */
size_t literal_solutions(const bperc_instance *in, const int8_t *fixed,
                         uint32_t **out);

/* Clusters by repeated passes over all pairs: of[k] is the lowest index of
 * the cluster of k. */
void literal_clusters(const uint32_t *list, size_t count, uint32_t *of);

typedef struct {
  double parisi_x, q_same, q_diff, xcorr, xcorr_square;
} literal_geometry;

/* By double sums over pairs of solutions; unfixed: mask of weights. */
literal_geometry literal_measure(const uint32_t *list, const uint32_t *of,
                                 size_t count, size_t n, uint32_t unfixed);

/* Solutions of the list at distance d from w. */
size_t literal_near(const uint32_t *list, size_t count, uint32_t w, int d);

#endif
