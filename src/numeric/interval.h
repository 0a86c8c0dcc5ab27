/* A standard Gaussian z in an interval, and outside of it, in forms that
 * survive narrow intervals and far tails.
 *
 * log_p    log of the probability
 * mean     of z given that
 * shrink   1 - variance of z given that; negative where the variance exceeds 1
 *
 * As functions of a common shift of both ends, d log_p / d shift = -mean and
 * d mean / d shift = shrink.
 */
#ifndef BPERC_SRC_NUMERIC_INTERVAL_H
#define BPERC_SRC_NUMERIC_INTERVAL_H

typedef struct {
  double log_p, mean, shrink;
} bperc_i_interval;

/* low <= z <= high, either end may be infinite; low < high. */
bperc_i_interval bperc_i_inside(double low, double high);

/* z < low or z > high. */
bperc_i_interval bperc_i_outside(double low, double high);

#endif
