/* Control of calls: per thread, inherited by workers, deadlines, polls. */
#include "check.h"

#include "base/threads.h"
#include "bperc/bperc.h"

#include <pthread.h>

/* A run that never ends by itself: two patterns that contradict each other. */
static bperc_instance *endless(void) {
  bperc_instance *in;
  assert_int_equal(bperc_instance_new(64, 2, &(bperc_model){.a = 4}, &in, NULL),
                   BPERC_OK);
  in->patterns[0] = in->patterns[1] = ~(uint64_t)0;
  in->labels[1] = 1;
  bperc_instance_update_bounds(in);
  return in;
}

static bperc_status solve(bperc_watch *watch, void *context) {
  bperc_instance *in = endless();
  bperc_sbpi_options options;
  bperc_run_result run;
  bperc_error error;
  bperc_status status;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = 1000000000;
  status = bperc_run(
      &bperc_sbpi_class, in, &options,
      &(bperc_run_options){
          .seed = 1, .threads = 1, .watch = watch, .context = context},
      &run, &error);
  bperc_run_clear(&run);
  bperc_instance_free(in);
  return status;
}

static int stop_later(void *context) { return ++*(int *)context > 100; }

static void flag_deadline_and_poll(void **state) {
  volatile int flag = 1;
  int polls = 0;
  bperc_control by_flag = {.cancel = &flag};
  bperc_control by_time = {.deadline = bperc_control_in(0.01)};
  bperc_control by_poll = {.poll = stop_later, .context = &polls};
  const bperc_control *all[] = {&by_flag, &by_time, &by_poll};
  (void)state;
  assert_false(bperc_cancelled());
  for (size_t k = 0; k < 3; k++) {
    assert_null(bperc_control_use(all[k]));
    assert_int_equal(solve(NULL, NULL), BPERC_E_INTERRUPTED);
    assert_ptr_equal(bperc_control_use(NULL), all[k]);
  }
  assert_int_equal(polls, 101);
  assert_false(bperc_cancelled());
}

static void *cancelled_run(void *context) {
  bperc_control control = {.cancel = context};
  bperc_control_use(&control);
  return (void *)(intptr_t)solve(NULL, NULL);
}

/* Ends the other thread's run from inside its own, which goes on. */
static int watch(void *context, const bperc_solver *solver,
                 const bperc_view *view) {
  (void)solver;
  if (view->step == 10)
    __atomic_store_n((volatile int *)context, 1, __ATOMIC_RELAXED);
  return view->step == 1000;
}

static void one_of_two_calls(void **state) {
  volatile int flag = 0;
  pthread_t id;
  void *answer;
  (void)state;
  assert_int_equal(
      pthread_create(&id, NULL, cancelled_run, (void *)(uintptr_t)&flag), 0);
  assert_int_equal(solve(watch, (void *)(uintptr_t)&flag),
                   BPERC_E_INTERRUPTED); /* by its watcher, at step 1000 */
  pthread_join(id, &answer);
  assert_int_equal((intptr_t)answer, BPERC_E_INTERRUPTED);
  assert_false(bperc_cancelled());
}

static void seen_by_worker(void *context, size_t task, unsigned worker) {
  int *seen = context;
  (void)worker;
  seen[task] = bperc_cancelled();
}

static void workers_inherit(void **state) {
  volatile int flag = 1;
  bperc_control control = {.cancel = &flag};
  int seen[64] = {0};
  (void)state;
  bperc_control_use(&control);
  bperc_i_parallel_for(64, 4, seen_by_worker, seen);
  bperc_control_use(NULL);
  for (size_t k = 0; k < 64; k++)
    assert_true(seen[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flag_deadline_and_poll),
      cmocka_unit_test(one_of_two_calls),
      cmocka_unit_test(workers_inherit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
