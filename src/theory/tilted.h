/* Averages Int Dz0 [ ... ] with the inner measure Dz1 exp(x phi(c)),
 * c = c0 + sigma z1, for a phi of one variable.
 *
 * phi and the functions to average are tabulated once on nodes in c; every c0
 * then costs one Gaussian weight per node.
 */
#ifndef BPERC_SRC_THEORY_TILTED_H
#define BPERC_SRC_THEORY_TILTED_H

#include "numeric/quadrature.h"

#define BPERC_I_TILTED_FUNCTIONS 7

typedef struct {
  bperc_i_nodes nodes;
  double sigma, x;
  double *block, *log_w, *exponent; /* log(weight) + x phi; scratch */
  double *f[BPERC_I_TILTED_FUNCTIONS];
} bperc_i_tilted;

/* Allocate for the nodes added so far. */
bperc_status bperc_i_tilted_reserve(bperc_i_tilted *t);
void bperc_i_tilted_clear(bperc_i_tilted *t);

/* Value phi and functions f[0..6] at node k. */
void bperc_i_tilted_set(bperc_i_tilted *t, size_t k, double phi,
                        const double *f);

/* log of the inner integral and the tilted means at c0. All weight lies
 * between low and high. */
double bperc_i_tilted_mean(const bperc_i_tilted *t, double c0, double low,
                           double high, double *mean);

/* Tilted density at a point of known phi, given the log of the integral. */
double bperc_i_tilted_density(const bperc_i_tilted *t, double c0, double at,
                              double phi, double log_z);

#endif
