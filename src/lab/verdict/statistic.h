/* What judges know of a number: an estimate and whether it is beyond a bound.
 *
 * Instances are the independent draws: rows of tables share them, so every
 * statistic is made of one number per instance (or of the influence that each
 * instance has), which is right however rows are correlated. Methods and what
 * they assume: docs/sweeps.md.
 */
#ifndef BPERC_JUDGE_STATISTIC_H
#define BPERC_JUDGE_STATISTIC_H

#include "lab/table/table.h"

/* Rows are taken to be at most this skewed: a log-normal number whose logarithm
 * has standard deviation 1. */
#define BPERC_I_SKEWNESS 6.18

typedef enum {
  BPERC_I_UNKNOWN, /* too little data: nothing is beyond anything */
  BPERC_I_EXACT,   /* nothing random in it */
  BPERC_I_STUDENT, /* t of the numbers of instances, with room for skewness */
  BPERC_I_SHARE,   /* of yes: binomial, or Chernoff's bound for several rows */
  BPERC_I_SHARES,  /* difference of two shares */
  BPERC_I_CHANCES, /* tail probabilities against 0 from an exact test */
} bperc_i_method;

typedef struct {
  double mean;
  size_t n, rows; /* instances; rows that were averaged for each */
} bperc_i_share;

typedef struct {
  bperc_i_method method;
  double value, sem;      /* sem NAN: none to tell */
  size_t n;               /* instances behind it, or batches of them */
  size_t most;            /* n does not grow beyond it; 0: it does */
  double dof, skewness;   /* of Student's t */
  bperc_i_share share[2]; /* first minus second; of SHARE the second is a
                             number that was subtracted */
  double above, below;    /* chances of as much or more at a true 0 */
} bperc_i_estimate;

extern const bperc_i_estimate bperc_i_unknown; /* no number at all */

/* Whether the true value is above (below) the bound, wrong with probability
 * `rate` at most. CHANCES know the bound 0 only. */
int bperc_i_is_above(const bperc_i_estimate *e, double bound, double rate);
int bperc_i_is_below(const bperc_i_estimate *e, double bound, double rate);
/* The smallest value of e that would be above 0, as far as it has one; and the
 * chance of as much or more at a true 0, as far as that decides. NAN: none. */
double bperc_i_critical_value(const bperc_i_estimate *e, double rate);
double bperc_i_chance(const bperc_i_estimate *e);
/* The same number with the other sign. */
bperc_i_estimate bperc_i_negative(bperc_i_estimate e);
/* What would be known of it with so many times the instances, the values being
 * as they are; batches become larger, not more than `most`. Exact tests by the
 * normal quantiles of their chances. */
bperc_i_estimate bperc_i_with_more(bperc_i_estimate e, double times);

/* Sum of w_k times the mean of cell k. Only instances that have all cells
 * count, if at least half of the values are theirs; else all do. */
bperc_i_estimate bperc_i_contrast(const bperc_i_table_cell *const *cells,
                                  const double *w, size_t count);
/* b - a; yes_no: values are 0 and 1, or exact. */
bperc_i_estimate bperc_i_difference(const bperc_i_table_cell *a,
                                    const bperc_i_table_cell *b, int yes_no);
/* The mean of a cell; of yes and no, averaged over so many rows. */
bperc_i_estimate bperc_i_level(const bperc_i_table_cell *c, int yes_no,
                               size_t rows);

/* slope.c: slope of y against x: mean over instances of each one's own slope;
 * the slope of the means where own slopes would leave out more than half of the
 * values. Numbers without error must be monotonic, else the slope is 0. */
bperc_i_estimate bperc_i_slope(const double *x,
                               const bperc_i_table_cell *const *cells,
                               size_t count);
/* Weights with which the slope is a sum over the points; 0 when x is constant.
 */
int bperc_i_slope_weights(const double *x, size_t count, double *w);

/* exact_tests.c. Sign test of the values of a cell against a number. */
bperc_i_estimate bperc_i_sign_test(const bperc_i_table_cell *c, double value);
/* Sign test of b - a over common instances. */
bperc_i_estimate bperc_i_sign_test_pairs(const bperc_i_table_cell *a,
                                         const bperc_i_table_cell *b);
/* Of a number per instance that is as likely x as -x: a bound on the chance of
 * their mean. */
bperc_i_estimate bperc_i_flip_test(const double *values, size_t n);
/* Slope of yes and no: values of an instance are exchanged among its points.
 * cells[g * count + k] is point k of series g; series are exchanged together.
 */
bperc_i_estimate bperc_i_exchange_test(const double *x,
                                       const bperc_i_table_cell *const *cells,
                                       size_t series, size_t count);
/* Chances of k of n or more, and of k or fewer, at probability p. */
double bperc_i_share_above(const bperc_i_share *s, double p);
double bperc_i_share_below(const bperc_i_share *s, double p);
/* Fills above and below of two shares: by the instances in common, or by
 * Fisher's test when there are few. */
void bperc_i_compare_shares(const bperc_i_table_cell *a,
                            const bperc_i_table_cell *b, bperc_i_estimate *e);

#endif
