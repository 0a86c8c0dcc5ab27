/* Densest region: where saddle points are known, and how far that is.
 *
 * Private to the theory.
 */
#ifndef BPERC_SRC_THEORY_DENSE_MAP_H
#define BPERC_SRC_THEORY_DENSE_MAP_H

#include "theory/dense.h"

/* A place: log(Q/(1-Q)), 0 for ISING, and log l + 2 l, where l is alpha per
 * capacity. Saddle points of equal l resemble each other at all Q, and change
 * more quickly near capacity. */
typedef struct {
  double mean, load;
} bperc_i_dense_place;

#define BPERC_I_DENSE_CAPACITY 2.0 /* the second coordinate at capacity */

bperc_status bperc_i_dense_locate(const bperc_i_dense_problem *problem,
                                  bperc_i_dense_place *at);

/* l of its coordinate. */
double bperc_i_dense_load(double coordinate);

double bperc_i_dense_way(const bperc_i_dense_place *from,
                         const bperc_i_dense_place *to);

/* Starting values, good to a few digits: Newton's method does the rest. */
typedef struct {
  bperc_theory_weights weights;
  double mean, alpha, distance;
  double u[BPERC_I_DENSE_UNKNOWNS];
} bperc_i_dense_known;

bperc_i_dense_problem bperc_i_dense_known_at(const bperc_i_dense_known *known);

/* bperc_i_dense_start from this point instead of the nearest one. */
bperc_status bperc_i_dense_start_from(const bperc_i_dense_known *start,
                                      double mean, double alpha,
                                      bperc_i_dense *dense);

/* The known saddle point with the shortest way to this place. */
bperc_status bperc_i_dense_nearest(bperc_theory_weights weights,
                                   const bperc_i_dense_place *to,
                                   const bperc_i_dense_known **best);

#endif
