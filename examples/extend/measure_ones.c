/* A new measurement, complete: how many weights of a solution are 1, and how
 * far its summed inputs spread; docs/extend.md goes through it. */
#include "lab/measure/measurements.h"

#include "lab/base/memory.h"
#include "lab/measure/problem.h"

#include <math.h>

/* In the tree the list in measurements.h declares it. */
extern const bperc_measurement bperc_i_measure_ones;

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, BPERC_I_BITS_CHOICES, "which solver runs")
BPERC_I_MEASURE_OPTIONS(ones, ROWS);

static double spread_of_sums(const int64_t *sums, size_t m) {
  double mean = 0, square = 0;
  for (size_t mu = 0; mu < m; mu++)
    mean += (double)sums[mu] / (double)m;
  for (size_t mu = 0; mu < m; mu++)
    square += pow((double)sums[mu] - mean, 2) / (double)m;
  return sqrt(square);
}

/* BPERC_I_WEIGHTS_RUN has run the solver, recorded `solved` and comes here only
 * with a solution. */
static bperc_status record_ones(bperc_i_probe *t) {
  const bperc_instance *in = t->problem;
  int64_t *sums = bperc_calloc(in->m, sizeof *sums);
  size_t ones = 0;
  if (!sums)
    return BPERC_E_MEMORY;
  for (size_t i = 0; i < in->n; i++)
    ones += (size_t)bperc_bit_get(t->weights, i);
  bperc_instance_sums(in, t->weights, sums);
  bperc_i_put(t, "ones", (double)ones / (double)in->n);
  bperc_i_put(t, "spread", spread_of_sums(sums, in->m));
  bperc_free(sums);
  return BPERC_OK;
}

BPERC_I_WEIGHTS_RUN(ones, record_ones)

const bperc_measurement bperc_i_measure_ones = {
    .name = "ones",
    .summary = "share of weights that are 1 in a solver's solution",
    .results = "solved  1 or 0\n"
               "ones    share of weights that are 1\n"
               "spread  standard deviation of the summed inputs",
    .version = 1,
    BPERC_I_MEASURE_TABLE(ones),
    .groups = {BPERC_I_BITS_GROUPS},
    BPERC_I_PROBLEM_NAMED,
    .seconds = 0.002,
    .size = 480,
    .power = 1,
    .run = run_ones_task,
};
