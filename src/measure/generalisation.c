/* generalisation: labels come from a teacher; how often is a solution that a
 * solver finds wrong on new patterns? */
#include "measure/measurements.h"

#include "base/alloc.h"
#include "bperc/io.h"
#include "bperc/run.h"
#include "measure/problem.h"
#include "numeric/bivariate.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, BPERC_I_SOLVER_CHOICES, "who solves; not ecp")       \
  X(INT, test, 2000, 2000, 1, 1e7, "new patterns of the teacher")
BPERC_I_MEASURE_OPTIONS(generalisation, ROWS);

/* The sum of the values of weights, and of their products. */
typedef struct {
  double sum[2], square[2], product;
} moments;

static moments compare(const bperc_ensemble *e, const uint64_t *student,
                       const uint64_t *teacher) {
  int pm = e->model.weights == BPERC_WEIGHTS_PM;
  moments m = {0};
  for (size_t i = 0; i < e->n; i++) {
    int v[2] = {(int)(student[i / 64] >> (i % 64) & 1),
                (int)(teacher[i / 64] >> (i % 64) & 1)};
    for (int k = 0; k < 2; k++) {
      v[k] = pm ? 2 * v[k] - 1 : v[k];
      m.sum[k] += v[k];
      m.square[k] += v[k] * v[k];
    }
    m.product += v[0] * v[1];
  }
  return m;
}

/* Half-way between the largest sum that is output 0 and the next one. */
static double edge(const bperc_ensemble *e, double theta) {
  int odd = (int)(e->n % 2);
  if (e->model.weights == BPERC_WEIGHTS_PM &&
      e->model.inputs == BPERC_INPUTS_PM) /* sums have the parity of N */
    return 2 * floor((theta - odd) / 2) + odd + 1;
  return floor(theta) + 0.5;
}

/* Both sums are Gaussian over random inputs: the probability that they lie on
 * different sides. */
static double gaussian_error(const bperc_ensemble *e, double theta,
                             const moments *m, double *correlation) {
  int pm = e->model.inputs == BPERC_INPUTS_PM;
  double mean = pm ? 2 * e->fin - 1 : e->fin;
  double variance = e->fin * (1 - e->fin) * (pm ? 4 : 1);
  double at = edge(e, theta), z[2];
  for (int k = 0; k < 2; k++)
    z[k] = (at - mean * m->sum[k]) / sqrt(variance * m->square[k]);
  *correlation = m->product / sqrt(m->square[0] * m->square[1]);
  return erfc(z[0] / sqrt(2)) / 2 + erfc(z[1] / sqrt(2)) / 2 -
         2 * bperc_i_both_above(z[0], z[1], *correlation);
}

/* Wrong outputs on new patterns; the teacher has no margin there. */
static bperc_status count_wrong(bperc_ensemble e, size_t patterns,
                                uint64_t seed, const uint64_t *weights,
                                double *wrong, bperc_error *error) {
  bperc_instance *test = NULL;
  bperc_status status;
  e.m = patterns;
  e.model.kappa = 0;
  e.model.ties = BPERC_TIES_ZERO;
  status = bperc_ensemble_test(&e, seed, &test, error);
  if (status == BPERC_OK)
    *wrong =
        (double)bperc_verify(test, weights, NULL).errors / (double)patterns;
  bperc_instance_free(test);
  return status;
}

static bperc_ensemble taught(const generalisation_options *o) {
  bperc_ensemble e = BPERC_I_ENSEMBLE(o, BPERC_I_PATTERNS(o));
  e.teacher = 1;
  return e;
}

static bperc_status record(bperc_i_probe *t) {
  const generalisation_options *o = t->in->own;
  bperc_ensemble e = taught(o);
  uint64_t *teacher = NULL, seed = bperc_i_probe_seed(t, 0);
  double wrong = NAN, correlation;
  bperc_status status = bperc_ensemble_teacher(&e, seed, &teacher, t->error);
  if (status == BPERC_OK)
    status =
        count_wrong(e, (size_t)o->test, seed, t->weights, &wrong, t->error);
  if (status == BPERC_OK) {
    moments m = compare(&e, t->weights, teacher);
    double gaussian = gaussian_error(&e, t->problem->theta, &m, &correlation);
    bperc_i_put(t, "error", wrong);
    bperc_i_put(t, "error_gaussian", gaussian);
    bperc_i_put(t, "correlation", correlation);
  }
  bperc_free(teacher);
  return status;
}

static bperc_status measure(bperc_i_probe *t) {
  return bperc_i_probe_solve(t, record);
}

static bperc_status run(const bperc_inputs *in, bperc_record *out,
                        bperc_error *error) {
  bperc_ensemble e = taught(in->own);
  return bperc_i_probe_run(&bperc_i_measure_generalisation, &e, in, measure,
                           out, error);
}

static bperc_status check(const bperc_inputs *in, bperc_error *error) {
  return bperc_i_problem_needs_bits(&bperc_i_measure_generalisation, in, error);
}

const bperc_measurement bperc_i_measure_generalisation = {
    .name = "generalisation",
    .summary = "errors of a solver's solution on new patterns of a teacher",
    .results = "solved          1 or 0; the rest is of solved runs\n"
               "error           share of new patterns with the wrong output\n"
               "error_gaussian  the same in the Gaussian limit, from the\n"
               "                overlaps of student and teacher\n"
               "correlation     sum of products of their weights, divided by\n"
               "                the root of the product of the sums of squares",
    .version = 1,
    BPERC_I_MEASURE_TABLE(generalisation),
    .groups = {BPERC_I_SOLVER_GROUPS},
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .check = check,
    .seconds = 0.01,
    .others = 0.2,
    .size = 480,
    .power = 2,
    .run = run,
};
