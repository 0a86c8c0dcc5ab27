/* Small statistics for tables and judges. */
#ifndef BPERC_JUDGE_STATISTIC_H
#define BPERC_JUDGE_STATISTIC_H

#include "sweep/table.h"

/* A mean with its standard error and the degrees of freedom behind that error;
 * dof INFINITY: known, dof 0: unknown. */
typedef struct {
  double value, sem, dof;
} bperc_i_estimate;

/* Of a plain list of values. */
bperc_i_estimate bperc_i_estimate_of(const double *values, size_t n);

/* Mean of differences b - a: over common instances when `paired` and both
 * cells have them, else of the means with independent errors. */
bperc_i_estimate bperc_i_difference(const bperc_i_cell *a,
                                    const bperc_i_cell *b, int paired);
/* The same for estimates with independent errors (Welch). */
bperc_i_estimate bperc_i_subtract(bperc_i_estimate b, bperc_i_estimate a);
bperc_i_estimate bperc_i_cell_estimate(const bperc_i_cell *c);

/* The value of an instance in a cell; 0 when it has none. */
int bperc_i_cell_value(const bperc_i_cell *c, uint32_t instance, double *value);
/* One more than the largest instance number, 0 when a cell has no values. */
uint32_t bperc_i_most_instances(const bperc_i_cell *const *cells, size_t count);

/* Slope of y against x over cells: mean over instances of each instance's own
 * slope when the cells share instances (valid however their errors are
 * correlated); the slope of the means, with the same validity, when own slopes
 * would leave out more than half of the values; without values regression
 * weighted by 1/sem^2: slope.c. */
bperc_i_estimate bperc_i_slope(const double *x,
                               const bperc_i_cell *const *cells, size_t count);

/* Mean over rows, instance by instance: one number per instance, so that the
 * error is right however rows are correlated. Instances that have fewer than
 * half of the rows are left out. 0 when memory lacks. */
int bperc_i_pool(const bperc_i_cell *const *cells, size_t count,
                 bperc_i_cell *out);

/* A function of the means of cells with its jackknife error: one instance is
 * left out of all cells at a time: jackknife.c. */
typedef double bperc_i_function(const void *context, const double *means);
bperc_i_estimate bperc_i_jackknife(const bperc_i_cell *const *cells,
                                   size_t count, bperc_i_function *f,
                                   const void *context);

/* The same as a cell with a pseudo-value per instance, f + (n - 1)(mean of f_-i
 * - f_-i): their mean is f, their standard error is that of the jackknife, and
 * pairing, pooling and slopes over such cells account for instances that stand
 * behind several of them. `who` are the n instances of the whole table, so that
 * every row has all of them. 0 when memory lacks. */
int bperc_i_jackknife_cell(const bperc_i_cell *const *cells, size_t count,
                           bperc_i_function *f, const void *context,
                           const uint32_t *who, size_t n, bperc_i_cell *out);

/* Evidence that an estimate is positive: its t value as the z value of the
 * same one-sided probability; infinite when it has no error. NAN: unknown. */
double bperc_i_evidence(bperc_i_estimate e);
/* Evidence that the median of a cell is above the value, by the sign test. */
double bperc_i_sign_test(const bperc_i_cell *c, double value);
/* The z value of one-sided probability p. */
double bperc_i_z_of(double p);

#endif
