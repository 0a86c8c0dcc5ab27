/* capacity: pairs are added one by one until the solver fails
 * [BZ Appendix A, fig. 2a-c, S2a]. */
#include "lab/measure/measurements.h"

#include "bperc/capacity.h"
#include "bperc/sbpi.h"
#include "lab/measure/problem.h"

#define ROWS(X)                                                                \
  BPERC_I_SIZE_ROWS(X)                                                         \
  X(CHOICE, solver, 0, 0, BPERC_I_SOLVER_CHOICES, "who solves")                \
  X(FLAG, warm, 0, 0, "continue from the state of the last success")
BPERC_I_MEASURE_OPTIONS(capacity, ROWS);

static bperc_status run_capacity_task(const bperc_inputs *in, bperc_record *out,
                                      bperc_error *error) {
  const capacity_options *o = in->own;
  bperc_ensemble paper = BPERC_I_ENSEMBLE(o, 0);
  bperc_ensemble e = bperc_i_problem_rows(&paper, in);
  const bperc_solver_class *solver;
  const void *options;
  bperc_capacity_one one;
  bperc_status status = bperc_i_problem_solver(&bperc_i_measure_capacity, in,
                                               &solver, &options, error);
  if (status == BPERC_OK)
    status = bperc_capacity_trial(
        solver, options,
        &(bperc_trials){.ensemble = &e, .warm = (int)o->warm, .seed = in->seed},
        0, &one, error);
  if (status == BPERC_OK) {
    bperc_record_scalar(out, "capacity", one.capacity);
    bperc_record_scalar(out, "steps", (double)one.steps);
  }
  return status;
}

static double cost_capacity(const bperc_inputs *in) {
  const capacity_options *o = in->own;
  double n = (double)o->n / 480;
  const bperc_solver_class *solver =
      bperc_i_problem_choice(&bperc_i_measure_capacity, in);
  double each = solver == &bperc_sbpi_class ? 0.05
                : solver->unbounded         ? 0.1
                                            : 1.2;
  return each * n * n;
}

const bperc_measurement bperc_i_measure_capacity = {
    .name = "capacity",
    .summary = "pairs added one by one until the solver fails",
    .results = "capacity  pairs of the last success / N\n"
               "steps     of all runs together",
    .version = 2,
    BPERC_I_MEASURE_TABLE(capacity),
    .groups = {BPERC_I_SOLVER_GROUPS},
    .takes_rows = 1,
    BPERC_I_PROBLEM_NAMED,
    .cost = cost_capacity,
    .run = run_capacity_task,
};
