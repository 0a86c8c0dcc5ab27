/* Averages over coupled random instances along decimation, and the claims
 * judged on them: docs/exact.md, "Trends". */
#ifndef BPERC_CLI_TRENDS_H
#define BPERC_CLI_TRENDS_H

#include "bperc/decimate.h"

#include <stdbool.h>

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
  size_t n, used;
  double alpha, fin;
  double (*row)[TREND_STORED]; /* of the instance in hand: sums over shares, */
  double (*shares)[TREND_STORED]; /* how many have it */
  double row_largest, row_shares;
  double (*curve)[TREND_STORED]; /* instances x (n + 1) */
  double (*sum)[TREND_STORED];   /* over instances, and how many have it */
  double (*count)[TREND_STORED];
  double *largest; /* log size of the largest cluster, per weight */
} trend_kind;

/* Room for the curves; false without memory, trend_clear in any case. */
bool trend_init(trend_kind *k, size_t instances);
/* A share of one more instance: n + 1 steps. An instance is the mean of its
 * shares, and counts from trend_end on; trend_drop forgets them. */
void trend_add(trend_kind *k, const bperc_exact_step *steps);
void trend_end(trend_kind *k);
void trend_drop(trend_kind *k);
void trend_clear(trend_kind *k);

enum { TREND_KINDS = 3, TREND_FIGURES = 2 };

/* Figures 7 and 9: row t of the three kinds is the same draw, which has
 * solutions in all of them. */
typedef struct {
  int number;
  size_t wanted, draws;
  size_t unsatisfiable, large; /* draws left out because of one kind */
  trend_kind kind[TREND_KINDS];
} trend_figure;

/* How to draw: instances with more solutions than `most` are left out. */
typedef struct {
  size_t n, instances;
  double threshold_a;
  uint64_t seed, most;
  unsigned threads;
} trend_draws;

/* Room for both figures; BPERC_E_MEMORY without, trend_close in any case. */
bperc_status trend_open(const trend_draws *how,
                        trend_figure figures[TREND_FIGURES],
                        bperc_error *error);
/* Draw and measure until a figure has one instance more, or it is given up:
 * then *more is false. */
bperc_status trend_grow(const trend_draws *how, trend_figure *figure,
                        bool *more, bperc_error *error);
void trend_close(trend_figure figures[TREND_FIGURES]);

/* Average over the instances but `without` (SIZE_MAX: over all) of a measure
 * after so many weights are fixed. */
double trend_average(const trend_kind *k, size_t without, size_t fixed,
                     trend_measure which);
/* Its standard error by the jackknife. */
double trend_error(const trend_kind *k, size_t fixed, trend_measure which);

enum { TREND_CLAIMS = 8, TREND_VALUES = TREND_KINDS, TREND_TESTS = 2 };

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

void trend_judge(const trend_figure figures[TREND_FIGURES],
                 trend_claim claims[TREND_CLAIMS]);

#endif
