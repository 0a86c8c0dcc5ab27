/* The driver: best weights, t_fix, watching, interruption, no memory. */
#include "check.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/cancel.h"
#include "bperc/ensemble.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  size_t n, calls, best;
  uint64_t steps, stop_at;
  int *last;       /* weights of the step before */
  uint32_t *t_fix; /* kept the plain way */
} observer;

static int observe(void *context, const bperc_solver *solver,
                   const bperc_view *view) {
  observer *o = context;
  assert_ptr_equal(bperc_solver_kind(solver), &bperc_sbpi_class);
  assert_int_equal(view->step, o->calls);
  for (size_t i = 0; i < o->n; i++) {
    int w = bperc_i_bit(view->weights, i);
    if (o->calls && w != o->last[i])
      o->t_fix[i] = (uint32_t)view->step;
    o->last[i] = w;
  }
  if (!o->calls || view->errors < o->best)
    o->best = view->errors;
  o->calls++;
  return view->step == o->stop_at;
}

static observer make_observer(size_t n) {
  observer o = {.n = n,
                .last = calloc(n, sizeof(int)),
                .t_fix = calloc(n, sizeof(uint32_t)),
                .stop_at = UINT64_MAX};
  return o;
}

static void free_observer(observer *o) {
  free(o->last);
  free(o->t_fix);
}

static bperc_instance *hard(void) {
  bperc_instance *in;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 101, .m = 90, .fin = 0.4, .model = {.a = 12}}, 3,
      &in, NULL);
  return in;
}

/* Best weights and t_fix as a bystander who sees every step finds them. */
static void best_and_t_fix_of(uint64_t seed) {
  bperc_instance *in = hard();
  observer o = make_observer(in->n);
  bperc_sbpi_options options;
  bperc_run_result run;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = 57;
  assert_int_equal(bperc_run(&bperc_sbpi_class, in, &options,
                             &(bperc_run_options){.seed = seed,
                                                  .threads = 1,
                                                  .watch = observe,
                                                  .context = &o},
                             &run, NULL),
                   BPERC_OK);
  assert_int_equal(run.outcome, BPERC_EXHAUSTED);
  assert_int_equal(run.steps, 57);
  assert_int_equal(o.calls, 58);
  assert_int_equal(run.errors, o.best);
  assert_int_equal(bperc_verify(in, run.weights, NULL).errors, o.best);
  assert_memory_equal(run.t_fix, o.t_fix, in->n * sizeof *run.t_fix);
  for (size_t i = 0; i < in->n; i++)
    assert_int_equal(bperc_i_bit(run.final, i), o.last[i]);
  bperc_run_clear(&run);
  assert_null(run.weights);
  free_observer(&o);
  bperc_instance_free(in);
}

/* Several runs: the last errors of one may happen to be its fewest. */
static void best_and_t_fix(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++)
    best_and_t_fix_of(seed);
}

static void watcher_can_stop(void **state) {
  bperc_instance *in = hard();
  observer o = make_observer(in->n);
  bperc_run_result run;
  bperc_error error;
  (void)state;
  o.stop_at = 5;
  assert_int_equal(
      bperc_run(&bperc_sbpi_class, in, NULL,
                &(bperc_run_options){
                    .seed = 4, .threads = 1, .watch = observe, .context = &o},
                &run, &error),
      BPERC_E_INTERRUPTED);
  assert_int_equal(run.steps, 5);
  assert_int_equal(bperc_verify(in, run.weights, NULL).errors, run.errors);
  bperc_run_clear(&run);
  bperc_cancel();
  assert_int_equal(bperc_run(&bperc_sbpi_class, in, NULL,
                             &(bperc_run_options){.seed = 4, .threads = 1},
                             &run, &error),
                   BPERC_E_INTERRUPTED);
  assert_int_equal(run.steps, 0);
  bperc_i_cancel_reset();
  bperc_run_clear(&run);
  free_observer(&o);
  bperc_instance_free(in);
}

static void watching_changes_nothing(void **state) {
  bperc_instance *in = hard();
  observer o = make_observer(in->n);
  bperc_run_result seen, unseen;
  (void)state;
  bperc_run(&bperc_sbpi_class, in, NULL,
            &(bperc_run_options){
                .seed = 9, .threads = 1, .watch = observe, .context = &o},
            &seen, NULL);
  bperc_run(&bperc_sbpi_class, in, NULL,
            &(bperc_run_options){.seed = 9, .threads = 2}, &unseen, NULL);
  assert_int_equal(seen.steps, unseen.steps);
  assert_memory_equal(seen.final, unseen.final, in->words * 8);
  bperc_run_clear(&seen);
  bperc_run_clear(&unseen);
  free_observer(&o);
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in = hard();
  bperc_run_result run;
  long needed;
  (void)state;
  bperc_i_alloc_fail_after(-1);
  bperc_run(&bperc_sbpi_class, in, NULL,
            &(bperc_run_options){.seed = 1, .threads = 1}, &run, NULL);
  needed = bperc_i_alloc_count();
  bperc_run_clear(&run);
  assert_in_range(needed, 4, 20);
  for (long k = 0; k < needed; k++) {
    bperc_i_alloc_fail_after(k);
    assert_int_equal(bperc_run(&bperc_sbpi_class, in, NULL,
                               &(bperc_run_options){.seed = 1, .threads = 1},
                               &run, NULL),
                     BPERC_E_MEMORY);
    assert_null(run.weights);
    assert_null(run.t_fix);
  }
  bperc_i_alloc_fail_after(-1);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(best_and_t_fix),
      cmocka_unit_test(watcher_can_stop),
      cmocka_unit_test(watching_changes_nothing),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
