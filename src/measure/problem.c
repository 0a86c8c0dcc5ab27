/* Instances and solvers of a task. */
#include "measure/problem.h"

#include "bperc/run.h"
#include "bperc/stream.h"

#include <assert.h>
#include <math.h>
#include <string.h>

uint64_t bperc_i_problem_seed(const bperc_inputs *inputs, uint64_t part) {
  return bperc_stream_seed(inputs->seed, BPERC_FOR_TRIAL, part);
}

bperc_ensemble bperc_i_problem_rows(const bperc_ensemble *e,
                                    const bperc_inputs *inputs) {
  bperc_ensemble out = *e;
  if (!inputs->rows)
    return out;
  out.rows = inputs->rows;
  out.n = inputs->rows->n;
  out.m = (size_t)nearbyint((double)e->m * (double)out.n / (double)e->n);
  out.m = out.m < out.rows->m ? out.m : out.rows->m;
  return out;
}

bperc_status bperc_i_problem_make(const bperc_ensemble *e,
                                  const bperc_inputs *inputs,
                                  bperc_instance **out, bperc_error *error) {
  bperc_ensemble own = bperc_i_problem_rows(e, inputs);
  return bperc_ensemble_draw(&own, bperc_i_problem_seed(inputs, 0), out, error);
}

bperc_status bperc_i_problem_run(const bperc_ensemble *e,
                                 const bperc_inputs *inputs,
                                 bperc_i_problem_use *use, bperc_record *out,
                                 bperc_error *error) {
  bperc_instance *problem = NULL;
  bperc_status status = bperc_i_problem_make(e, inputs, &problem, error);
  if (status == BPERC_OK)
    status = use(inputs, problem, out, error);
  bperc_instance_free(problem);
  return status;
}

const bperc_solver_class *bperc_i_problem_choice(const bperc_measurement *self,
                                                 const bperc_inputs *inputs) {
  const bperc_option *row = bperc_options_find(self->options(), "solver");
  char name[32];
  assert(row);
  return bperc_solver_find(
      bperc_options_show(row, inputs->own, name, sizeof name));
}

bperc_status bperc_i_problem_solver(const bperc_measurement *self,
                                    const bperc_inputs *inputs,
                                    const bperc_solver_class **solver,
                                    const void **options, bperc_error *error) {
  *solver = bperc_i_problem_choice(self, inputs);
  *options = NULL;
  for (int g = 0; *solver && g < BPERC_MEASURE_GROUPS; g++)
    if (self->groups[g].prefix &&
        strcmp(self->groups[g].prefix, (*solver)->name) == 0)
      *options = inputs->groups[g];
  if (*options)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s has no options for its solver", self->name);
}

bperc_status bperc_i_problem_solve(const bperc_measurement *self,
                                   const bperc_inputs *in,
                                   const bperc_instance *problem,
                                   bperc_i_weights_use *use, bperc_record *out,
                                   bperc_error *error) {
  const bperc_solver_class *solver;
  const void *options;
  bperc_run_result result = {0};
  int solved;
  bperc_status status =
      bperc_i_problem_solver(self, in, &solver, &options, error);
  if (status == BPERC_OK)
    status = bperc_run(solver, problem, options, bperc_i_problem_seed(in, 1), 1,
                       NULL, NULL, &result, error);
  solved = result.outcome == BPERC_SOLVED;
  if (status == BPERC_OK)
    bperc_record_scalar(out, "solved", solved);
  if (status == BPERC_OK && solved)
    status = use(in, problem, result.weights, out, error);
  bperc_run_clear(&result);
  return status;
}

bperc_status bperc_i_problem_needs_bits(const bperc_measurement *self,
                                        const bperc_inputs *in,
                                        bperc_error *error) {
  if (!bperc_i_problem_choice(self, in)->unbounded)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s is of weights that are bits: not of ecp",
                         self->name);
}
