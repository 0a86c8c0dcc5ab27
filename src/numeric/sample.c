/* Mean and median. Sums run in the order of the values. */
#include "numeric/sample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void bperc_i_mean(const double *values, size_t count, double *mean,
                  double *sem) {
  double sum = 0, square = 0;
  for (size_t k = 0; k < count; k++)
    sum += values[k];
  *mean = count ? sum / (double)count : NAN;
  for (size_t k = 0; k < count; k++)
    square += (values[k] - *mean) * (values[k] - *mean);
  *sem = count > 1 ? sqrt(square / ((double)count * (double)(count - 1))) : NAN;
}

int bperc_i_ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

double bperc_i_median(double *values, size_t count) {
  if (count == 0)
    return NAN;
  qsort(values, count, sizeof *values, bperc_i_ascending);
  assert(isnan(values[0]) || !(values[count - 1] < values[0]));
  return count % 2 ? values[count / 2]
                   : (values[count / 2 - 1] + values[count / 2]) / 2;
}
