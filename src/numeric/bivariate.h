/* Two Gaussian numbers with mean 0, variance 1 and correlation rho.
 *
 * Accuracy  about 1e-10 absolute, for rho up to 1 included
 */
#ifndef BPERC_SRC_NUMERIC_BIVARIATE_H
#define BPERC_SRC_NUMERIC_BIVARIATE_H

/* P(x > h and y > k). */
double bperc_i_both_above(double h, double k, double rho);

#endif
