/* solving: one run of a solver on one random instance
 * [BZ fig. 2d,e, 8b, S3]. */
#include "lab/measure/measurements.h"

#include "bperc/amp.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "lab/measure/problem.h"
#include "run/trials.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, BPERC_I_SOLVER_CHOICES, "who solves")
BPERC_I_MEASURE_OPTIONS(solving, ROWS);

static bperc_status measure_solving(bperc_i_probe *t) {
  const bperc_solver_class *solver = bperc_i_problem_choice(t->self, t->in);
  bperc_run_result result = {.outcome = BPERC_CONTRADICTION};
  bperc_status status = BPERC_OK;
  if (!bperc_instance_infeasible(t->problem, 0, solver->unbounded))
    status = bperc_i_probe_try(t, t->problem, 1, NULL, NULL, &result);
  if (status == BPERC_OK) {
    double steps = (double)result.steps;
    int solved = result.outcome == BPERC_SOLVED;
    int tried = result.steps > 0;
    bperc_i_put(t, "solved", solved);
    bperc_i_put(t, "steps", solved ? steps : NAN);
    bperc_i_put(t, "log_steps", solved ? log(steps) : NAN);
    bperc_i_put(t, "errors", tried ? (double)result.errors : NAN);
  }
  bperc_run_clear(&result);
  return status;
}

BPERC_I_PROBLEM_RUN(solving, measure_solving)

/* AMP takes about 5e-11 s per pattern bit and iteration. Easy problems need
 * few of its iterations, infeasible ones all: a tenth on average. */
static double cost_solving(const bperc_inputs *in) {
  const solving_options *o = in->own;
  const bperc_solver_class *solver = NULL;
  const void *options;
  double n = (double)o->n;
  bperc_i_problem_solver(&bperc_i_measure_solving, in, &solver, &options, NULL);
  if (solver == &bperc_amp_class)
    return 5e-12 *
           (double)((const bperc_amp_options *)options)->max_iterations *
           o->alpha * n * n;
  return (solver == &bperc_sbpi_class ? 0.002 : 0.12) * (n / 480) * (n / 480);
}

const bperc_measurement bperc_i_measure_solving = {
    .name = "solving",
    .summary = "one run of a solver on one random instance",
    .results =
        "solved     1 or 0\n"
        "steps      time steps of a solved run\n"
        "log_steps  their logarithm: the distribution has a long tail\n"
        "errors     patterns that the best weights miss; none where two\n"
        "           patterns contradict each other and nothing is tried",
    .version = 3,
    BPERC_I_MEASURE_TABLE(solving),
    .groups = {BPERC_I_SOLVER_GROUPS},
    .takes_rows = 1,
    BPERC_I_PROBLEM_NAMED,
    .cost = cost_solving,
    .run = run_solving_task,
};
