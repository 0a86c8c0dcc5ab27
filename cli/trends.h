/* Averages over coupled random instances along decimation, and the claims
 * judged on them: docs/exact.md, "Trends". */
#ifndef BPERC_CLI_TRENDS_H
#define BPERC_CLI_TRENDS_H

#include "bperc/decimate.h"

typedef enum {
  TREND_XCORR2,
  TREND_PARISI,
  TREND_SAME,
  TREND_DIFF,
  TREND_K,
  TREND_STORED,             /* these are kept per instance, */
  TREND_GAP = TREND_STORED, /* and these made of averages: q_same - q_diff, */
  TREND_EQ9,                /* [BZ eq. 9] */
  TREND_MEASURES
} trend_measure;

/* One kind of instance; curves are NAN where there is nothing to measure. */
typedef struct {
  size_t n, instances;
  double alpha, fin;
  size_t used, unsatisfiable, large;
  double (*curve)[TREND_STORED]; /* instances x (n + 1) */
  double (*sum)[TREND_STORED];   /* over instances, and how many have it */
  double (*count)[TREND_STORED];
  double *largest; /* log size of the largest cluster, per weight */
} trend_kind;

/* Room for the curves; false without memory, trend_clear in any case. */
bool trend_init(trend_kind *k);
/* Instance t: n + 1 steps. */
void trend_add(trend_kind *k, size_t t, const bperc_exact_step *steps);
void trend_clear(trend_kind *k);

/* Average over the instances but `without` (SIZE_MAX: over all) of a measure
 * after so many weights are fixed. */
double trend_average(const trend_kind *k, size_t without, size_t fixed,
                     trend_measure which);
/* Its standard error by the jackknife. */
double trend_error(const trend_kind *k, size_t fixed, trend_measure which);

enum { TREND_CLAIMS = 8, TREND_VALUES = 3, TREND_TESTS = 2 };

/* A test has a statistic for each of three kinds, or one. */
typedef struct {
  const char *text;
  size_t count;
  double value[TREND_VALUES], error[TREND_VALUES];
} trend_test;

typedef struct {
  const char *id, *verdict;
  size_t values, as_claimed; /* statistics, and those with the claimed sign */
  size_t count;
  trend_test test[TREND_TESTS];
} trend_claim;

/* Kinds: three by f_in, and three by alpha of which the first is the last of
 * those. */
void trend_judge(const trend_kind *kinds, trend_claim claims[TREND_CLAIMS]);

#endif
