/* Mean and median of a sample of numbers. */
#ifndef BPERC_NUMERIC_SAMPLE_H
#define BPERC_NUMERIC_SAMPLE_H

#include <stddef.h>

/* Mean and standard error of values; NaN for too few. Sorts nothing. */
void bperc_i_mean(const double *values, size_t count, double *mean,
                  double *sem);
/* Sorts values; NaN for none. */
double bperc_i_median(double *values, size_t count);
/* For qsort: numbers, or structs that begin with one, in rising order. */
int bperc_i_ascending(const void *left, const void *right);

#endif
