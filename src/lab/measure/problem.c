/* Instances and solvers of a task. */
#include "lab/measure/problem.h"

#include "bperc/stream.h"
#include "lab/base/memory.h"
#include "lab/measure/decimated.h"

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

/* ---- a task at work */

bperc_status bperc_i_probe_run(const bperc_measurement *self,
                               const bperc_ensemble *e, const bperc_inputs *in,
                               bperc_i_probe_use *use, bperc_record *out,
                               bperc_error *error) {
  bperc_instance *problem = NULL;
  bperc_i_probe t = {.self = self, .in = in, .out = out, .error = error};
  bperc_status status = bperc_i_problem_make(e, in, &problem, error);
  t.problem = problem;
  if (status == BPERC_OK)
    status = use(&t);
  while (t.kept_count--)
    t.kept[t.kept_count].release(t.kept[t.kept_count].what);
  bperc_instance_free(problem);
  return status;
}

bperc_status bperc_i_probe_solve(bperc_i_probe *t, bperc_i_probe_use *use) {
  bperc_run_result result = {0};
  bperc_status status =
      bperc_i_probe_try(t, t->problem, 1, NULL, NULL, &result);
  if (status == BPERC_OK)
    bperc_i_put(t, "solved", result.outcome == BPERC_SOLVED);
  t->weights = result.weights;
  if (status == BPERC_OK && result.outcome == BPERC_SOLVED)
    status = use(t);
  bperc_run_clear(&result);
  return status;
}

void bperc_i_put(bperc_i_probe *t, const char *name, double value) {
  bperc_record_scalar(t->out, name, value);
}

void bperc_i_put_all(bperc_i_probe *t, const char *name, const double *values,
                     size_t count) {
  bperc_record_vector(t->out, name, values, count);
}

uint64_t bperc_i_probe_seed(const bperc_i_probe *t, uint64_t part) {
  return bperc_i_problem_seed(t->in, part);
}

const void *bperc_i_probe_group(const bperc_i_probe *t, const char *prefix) {
  int g = 0;
  while (strcmp(t->self->groups[g].prefix, prefix) != 0)
    g++;
  return t->in->groups[g];
}

bperc_status bperc_i_probe_try(bperc_i_probe *t, const bperc_instance *problem,
                               uint64_t part, bperc_watch *watch, void *context,
                               bperc_run_result *out) {
  bperc_run_options how = {.seed = bperc_i_probe_seed(t, part),
                           .threads = 1,
                           .watch = watch,
                           .context = context};
  const bperc_solver_class *solver;
  const void *options;
  bperc_status status =
      bperc_i_problem_solver(t->self, t->in, &solver, &options, t->error);
  return status != BPERC_OK
             ? status
             : bperc_run(solver, problem, options, &how, out, t->error);
}

/* Takes what was made, if it was; gives it back or NULL. */
static void *keep_for_probe(bperc_i_probe *t, void *what,
                            void (*release)(void *), bperc_status status) {
  assert(t->kept_count < BPERC_I_KEPT);
  if (!what)
    status = bperc_error_set(t->error, BPERC_E_MEMORY, "no memory for a task");
  t->status = status;
  t->kept[t->kept_count].what = what;
  t->kept[t->kept_count++].release = release;
  return status == BPERC_OK ? what : NULL;
}

double *bperc_i_probe_room(bperc_i_probe *t, size_t count) {
  return keep_for_probe(t, bperc_calloc(count, sizeof(double)), bperc_free,
                        BPERC_OK);
}

static void free_order(void *order) {
  if (order)
    bperc_order_clear(order);
  bperc_free(order);
}

const bperc_order *bperc_i_probe_order(bperc_i_probe *t, uint64_t part,
                                       const uint64_t *uniform) {
  bperc_order *order = bperc_calloc(1, sizeof *order);
  bperc_status status = BPERC_OK;
  if (order)
    status = bperc_i_order_bpd(t->problem, bperc_i_probe_group(t, "bpd"),
                               bperc_i_probe_seed(t, part), uniform, order,
                               t->error);
  return keep_for_probe(t, order, free_order, status);
}
