/* Instances and solvers of a task. */
#include "measure/problem.h"

#include "bperc/stream.h"

uint64_t bperc_i_problem_seed(const bperc_inputs *inputs, uint64_t part) {
  return bperc_stream_seed(inputs->seed, BPERC_FOR_TRIAL, part);
}

bperc_status bperc_i_problem_make(const bperc_ensemble *e,
                                  const bperc_inputs *inputs,
                                  bperc_instance **out, bperc_error *error) {
  return bperc_instance_generate(e->n, e->m, e->fin, e->a, e->ties,
                                 bperc_i_problem_seed(inputs, 0), out, error);
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

bperc_status bperc_i_problem_solver(int64_t choice, const bperc_inputs *inputs,
                                    const bperc_solver_class **solver,
                                    const void **options, bperc_error *error) {
  static const char *const names[] = {"sbpi", "rbp", "ecp", "bpd"};
  *solver = bperc_solver_find(names[choice]);
  *options = inputs->groups[choice];
  if (*solver && *options)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT, "there is no solver '%s'",
                         names[choice]);
}
