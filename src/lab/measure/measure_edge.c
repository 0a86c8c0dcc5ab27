/* edge: the load at which a solver stops, by bisection over the first m pairs
 * of one random instance; one run at each load. For sizes at which adding pairs
 * one by one (capacity) takes too long. */
#include "lab/measure/measurements.h"

#include "bperc/run.h"
#include "lab/measure/problem.h"
#include "run/trials.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_SIZE_ROWS(X)                                                         \
  X(CHOICE, solver, 0, 0, BPERC_I_SOLVER_CHOICES, "who solves")                \
  X(REAL, low, 0.05, 0.05, 0, 1e4,                                             \
    "load to begin with: nothing is said below")                               \
  X(REAL, high, 0.7, 0.7, 0, 1e4, "load that is taken for unsolved")           \
  X(REAL, tolerance, 0.005, 0.005, 1e-6, 1, "width of the last interval")
BPERC_I_MEASURE_OPTIONS(edge, ROWS);

/* Whether the solver stores the first m pairs. */
static bperc_status attempt_load(bperc_i_probe *t, size_t m, int *solved) {
  bperc_instance use = *t->problem; /* owns nothing */
  const bperc_solver_class *solver = bperc_i_problem_choice(t->self, t->in);
  bperc_run_result result = {0};
  bperc_status status;
  use.m = m;
  *solved = 0;
  if (bperc_instance_infeasible(&use, 0, solver->unbounded))
    return BPERC_OK;
  status = bperc_i_probe_try(t, &use, 1 + m, NULL, NULL, &result);
  *solved = status == BPERC_OK && result.outcome == BPERC_SOLVED;
  bperc_run_clear(&result);
  return status;
}

static bperc_status measure_edge(bperc_i_probe *t) {
  const edge_options *o = t->in->own;
  double n = (double)o->n;
  size_t low = (size_t)nearbyint(o->low * n), high = t->problem->m, runs = 1;
  size_t width = (size_t)fmax(1, nearbyint(o->tolerance * n));
  int solved = 0, any, at_low;
  bperc_status status = attempt_load(t, low, &at_low);
  /* A solver may fail on a load that is too easy for it: the end is looked for
   * all the same. */
  any = at_low;
  while (status == BPERC_OK && high - low > width) {
    size_t middle = low + (high - low) / 2;
    status = attempt_load(t, middle, &solved);
    any |= solved;
    if (solved)
      low = middle;
    else
      high = middle;
    runs++;
  }
  if (status == BPERC_OK) {
    double at = (double)(low + high) / (2 * n);
    bperc_i_put(t, "above_low", at_low);
    bperc_i_put(t, "edge", any ? at : NAN);
    bperc_i_put(t, "runs", (double)runs);
  }
  return status;
}

static bperc_status run_edge_task(const bperc_inputs *in, bperc_record *out,
                                  bperc_error *error) {
  const edge_options *o = in->own;
  bperc_ensemble e =
      BPERC_I_ENSEMBLE(o, (size_t)nearbyint(o->high * (double)o->n));
  return bperc_i_probe_run(&bperc_i_measure_edge, &e, in, measure_edge, out,
                           error);
}

static bperc_status check_edge(const bperc_inputs *in, bperc_error *error) {
  const edge_options *o = in->own;
  if (nearbyint(o->low * (double)o->n) < 1 || !(o->high > o->low))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "an interval of loads is low < high, with at least "
                           "one pair at low");
  return BPERC_OK;
}

const bperc_measurement bperc_i_measure_edge = {
    .name = "edge",
    .summary = "the load at which a solver stops, by bisection",
    .results = "above_low  1, or 0 when it already fails at `low`\n"
               "edge       load between its last success and first failure;\n"
               "           none without a success\n"
               "runs       of the solver",
    .version = 1,
    BPERC_I_MEASURE_TABLE(edge),
    .groups = {BPERC_I_SOLVER_GROUPS},
    BPERC_I_PROBLEM_NAMED,
    .check = check_edge,
    .seconds = 0.03,
    .others = 1,
    .size = 480,
    .power = 2,
    .run = run_edge_task,
};
