/* generalisation: labels come from a teacher; how often is a solution that a
 * solver finds wrong on new patterns? */
#include "lab/measure/measurements.h"

#include "base/bits.h"
#include "bperc/io.h"
#include "bperc/run.h"
#include "lab/measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, BPERC_I_BITS_CHOICES, "who solves")                  \
  X(INT, test, 2000, 2000, 1, 1e7, "new patterns of the teacher")
BPERC_I_MEASURE_OPTIONS(generalisation, ROWS);

/* The sum of products of the weights, divided by the root of the product of the
 * sums of their squares. */
static double correlate_weights(const bperc_ensemble *e,
                                const uint64_t *student,
                                const uint64_t *teacher) {
  int pm = e->model.weights == BPERC_WEIGHTS_PM;
  double square[2] = {0, 0}, product = 0;
  for (size_t i = 0; i < e->n; i++) {
    int u = bperc_i_bit(student, i), v = bperc_i_bit(teacher, i);
    u = pm ? 2 * u - 1 : u;
    v = pm ? 2 * v - 1 : v;
    square[0] += u * u;
    square[1] += v * v;
    product += u * v;
  }
  return product / sqrt(square[0] * square[1]);
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

static bperc_status record_generalisation(bperc_i_probe *t) {
  const generalisation_options *o = t->in->own;
  bperc_ensemble e = taught(o);
  uint64_t *teacher = NULL, seed = bperc_i_probe_seed(t, 0);
  double wrong = NAN;
  bperc_status status = bperc_ensemble_teacher(&e, seed, &teacher, t->error);
  if (status == BPERC_OK)
    status =
        count_wrong(e, (size_t)o->test, seed, t->weights, &wrong, t->error);
  if (status == BPERC_OK) {
    bperc_i_put(t, "error", wrong);
    bperc_i_put(t, "correlation", correlate_weights(&e, t->weights, teacher));
  }
  bperc_free(teacher);
  return status;
}

static bperc_status measure_generalisation(bperc_i_probe *t) {
  return bperc_i_probe_solve(t, record_generalisation);
}

static bperc_status run_generalisation_task(const bperc_inputs *in,
                                            bperc_record *out,
                                            bperc_error *error) {
  bperc_ensemble e = taught(in->own);
  return bperc_i_probe_run(&bperc_i_measure_generalisation, &e, in,
                           measure_generalisation, out, error);
}

const bperc_measurement bperc_i_measure_generalisation = {
    .name = "generalisation",
    .summary = "errors of a solver's solution on new patterns of a teacher",
    .results = "solved       1 or 0; the rest is of solved runs\n"
               "error        share of new patterns with the wrong output\n"
               "correlation  of the weights of student and teacher: sum of\n"
               "             products, divided by the root of the product of\n"
               "             the sums of squares",
    .version = 1,
    BPERC_I_MEASURE_TABLE(generalisation),
    .groups = {BPERC_I_BITS_GROUPS},
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .seconds = 0.01,
    .others = 0.2,
    .size = 480,
    .power = 2,
    .run = run_generalisation_task,
};
