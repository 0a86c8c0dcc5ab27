/* Runs the solver and the measurement of docs/extend.md. */
#include "flipper.h"

#include "bperc/ensemble.h"
#include "bperc/lab/measure.h"
#include "bperc/run.h"

#include <stdio.h>
#include <string.h>

extern const bperc_measurement bperc_i_measure_ones;

static int fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

/* The solver is driven as any other, and its answer verified by plain sums. */
static int try_solver(void) {
  bperc_instance *in = NULL;
  bperc_run_result r, again;
  bperc_run_options how = {.seed = 3, .threads = 1};
  int wrong;
  bperc_ensemble e = {.n = 201, .m = 20, .fin = 0.3, .model = {.a = 12}};
  if (bperc_ensemble_draw(&e, 1, &in, NULL))
    return fail("no instance");
  if (bperc_run(&bperc_flipper_class, in, NULL, &how, &r, NULL) ||
      bperc_run(&bperc_flipper_class, in, NULL, &how, &again, NULL))
    return fail("the solver failed");
  wrong = r.outcome != BPERC_SOLVED ||
          bperc_verify(in, r.weights, NULL).errors || again.steps != r.steps ||
          memcmp(again.weights, r.weights, in->words * sizeof *r.weights) != 0;
  printf("flipper: %s after %llu flips\n", wrong ? "wrong" : "solved",
         (unsigned long long)r.steps);
  bperc_run_clear(&r);
  bperc_run_clear(&again);
  bperc_instance_free(in);
  return wrong;
}

/* A task of the measurement, with the defaults of its options. */
static int try_measurement(void) {
  const bperc_measurement *m = &bperc_i_measure_ones;
  char own[1024], solver[1024];
  bperc_inputs in = {.own = own, .groups = {solver}, .seed = 5};
  bperc_record *record = NULL;
  const double *ones = NULL;
  size_t count;
  int vector;
  bperc_options_default(m->options(), own);
  bperc_options_default(bperc_solver_find("sbpi")->options(), solver);
  if (bperc_record_new(&record) || m->run(&in, record, NULL))
    return fail("the measurement failed");
  for (size_t k = 0; k < bperc_record_count(record); k++)
    if (strcmp(bperc_record_name(record, k), "ones") == 0)
      ones = bperc_record_values(record, k, &count, &vector);
  if (!ones || !(*ones > 0 && *ones < 0.5))
    return fail("a solution at A = 40, f_in = 0.3 has few ones");
  printf("measurement: %.3f of the weights are 1\n", *ones);
  bperc_record_free(record);
  return 0;
}

int main(void) { return try_solver() | try_measurement(); }
