/* What outputs hold after a deadline that has passed, as the headers say: NULL,
 * empty, or what was reached, to be cleared in any case. The address sanitizer
 * sees to it that nothing is lost. */
#include "check.h"

#include "bperc/bperc.h"

#include <math.h>
#include <string.h>

static const bperc_ensemble kind = {
    .n = 81, .m = 60, .fin = 0.5, .model = {.a = 6}};

static bperc_control late;

/* Made without the deadline, which is in force from then on. */
static bperc_instance *problem(size_t n, size_t m) {
  bperc_ensemble e = kind;
  bperc_instance *in;
  e.n = n;
  e.m = m;
  assert_int_equal(bperc_ensemble_draw(&e, 3, &in, NULL), BPERC_OK);
  late.deadline = bperc_control_in(-1);
  bperc_control_use(&late);
  return in;
}

static int end(void **state) {
  (void)state;
  bperc_control_use(NULL);
  return 0;
}

static void runs_hold_what_was_reached(void **state) {
  bperc_instance *in = problem(81, 60);
  (void)state;
  for (size_t k = 0; bperc_solvers()[k]; k++) {
    const bperc_solver_class *class = bperc_solvers()[k];
    bperc_run_result run;
    bperc_search_result found;
    if (class == &bperc_exact_class) /* too many weights for it */
      continue;
    assert_int_equal(bperc_run(class, in, NULL, NULL, &run, NULL),
                     BPERC_E_INTERRUPTED);
    assert_true(run.weights || run.integers);
    assert_non_null(run.t_fix);
    assert_int_equal(run.steps, 0);
    if (run.weights)
      assert_int_equal(bperc_verify(in, run.weights, NULL).errors, run.errors);
    bperc_run_clear(&run);
    assert_null(run.t_fix);
    assert_int_equal(bperc_search(class, in, NULL, NULL, &found, NULL),
                     BPERC_E_INTERRUPTED);
    assert_true(found.run.weights || found.run.integers);
    bperc_search_clear(&found);
    assert_null(found.run.t_fix);
  }
  bperc_instance_free(in);
}

static void other_failures_leave_runs_empty(void **state) {
  bperc_instance *in = problem(81, 60);
  bperc_sbpi_options options;
  bperc_run_result run;
  bperc_search_result found;
  bperc_solver *s;
  const uint64_t start[2] = {0};
  bperc_run_options how = {.start = start};
  (void)state;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = -1;
  assert_int_equal(bperc_run(&bperc_sbpi_class, in, &options, NULL, &run, NULL),
                   BPERC_E_ARGUMENT);
  assert_true(!run.weights && !run.final && !run.t_fix);
  assert_int_equal(
      bperc_search(&bperc_sbpi_class, in, &options, NULL, &found, NULL),
      BPERC_E_ARGUMENT);
  assert_true(!found.run.weights && !found.run.final && !found.run.t_fix);
  assert_int_equal(
      bperc_solver_new(&bperc_sbpi_class, in, &options, NULL, &s, NULL),
      BPERC_E_ARGUMENT);
  assert_null(s);
  assert_int_equal(bperc_solver_new(&bperc_bpd_class, in, NULL, &how, &s, NULL),
                   BPERC_E_ARGUMENT);
  assert_null(s);
  bperc_instance_free(in);
}

static void spaces_are_empty(void **state) {
  bperc_instance *in = problem(41, 16);
  bperc_exact_answer answer;
  bperc_solutions *list = (bperc_solutions *)in;
  uint64_t weights[10];
  (void)state;
  memset(&answer, 0xff, sizeof answer);
  assert_int_equal(bperc_exact_count(in, NULL, NULL, &answer, NULL),
                   BPERC_E_INTERRUPTED);
  assert_true(!answer.complete && !answer.count.word[0]);
  memset(&answer, 0xff, sizeof answer);
  assert_int_equal(bperc_exact_sample(in, NULL, 10, weights, &answer, NULL),
                   BPERC_E_INTERRUPTED);
  assert_true(!answer.complete && !answer.count.word[0]);
  assert_int_equal(bperc_exact_list(in, NULL, NULL, &list, NULL),
                   BPERC_E_INTERRUPTED);
  assert_null(list);
  bperc_instance_free(in);
}

static void least_errors_find_nothing(void **state) {
  bperc_instance *in = problem(41, 80);
  bperc_least_errors least;
  uint64_t weights = 0;
  (void)state;
  assert_int_equal(bperc_exact_least_errors(in, NULL, &weights, &least, NULL),
                   BPERC_E_INTERRUPTED);
  assert_true(!least.proven);
  bperc_instance_free(in);
}

/* The best so far, if there is one: what it says is that it is not complete. */
static void fits_are_not_complete(void **state) {
  bperc_instance *in = problem(81, 60);
  bperc_fit_result fit;
  (void)state;
  assert_int_equal(bperc_fit(in, NULL, &fit, NULL), BPERC_E_INTERRUPTED);
  assert_true(!fit.complete);
  bperc_fit_clear(&fit);
  bperc_instance_free(in);
}

static void trials_say_which_are_done(void **state) {
  const bperc_trials trials = {.ensemble = &kind, .trials = 3};
  bperc_capacity_one pairs[3];
  bperc_solving_one runs[3];
  (void)state;
  bperc_instance_free(problem(21, 8));
  assert_int_equal(
      bperc_capacity_trials(&bperc_sbpi_class, NULL, &trials, pairs, NULL),
      BPERC_E_INTERRUPTED);
  assert_int_equal(
      bperc_solving_trials(&bperc_sbpi_class, NULL, &trials, runs, NULL),
      BPERC_E_INTERRUPTED);
  for (int k = 0; k < 3; k++)
    assert_true(!pairs[k].finished && !runs[k].finished);
}

/* A list, and a walk among its solutions, made before the deadline. */
static void walks_maps_and_decimations(void **state) {
  bperc_instance *in = problem(21, 8);
  bperc_solutions *list;
  bperc_embedding *map = (bperc_embedding *)in;
  bperc_clusters *clusters = (bperc_clusters *)in;
  bperc_order order;
  bperc_walk_run how = {.sweeps = 10};
  bperc_walk_result walk = {7, 7};
  uint64_t weights, was;
  (void)state;
  bperc_control_use(NULL);
  assert_int_equal(bperc_exact_list(in, NULL, NULL, &list, NULL), BPERC_OK);
  assert_true(list->count > 4);
  bperc_control_use(&late);
  bperc_solutions_weights(list, 2, &weights);
  was = weights;
  assert_int_equal(bperc_walk_sweeps(in, NULL, &how, &weights, &walk, NULL),
                   BPERC_E_INTERRUPTED);
  assert_true(weights == was && walk.moves == 7 && walk.distance == 7);
  assert_int_equal(bperc_embed(list, NULL, NULL, &map, NULL),
                   BPERC_E_INTERRUPTED);
  assert_null(map);
  assert_int_equal(bperc_decimate_exactly(in, list, NULL, &order, NULL),
                   BPERC_E_INTERRUPTED);
  assert_int_equal(order.fixed, 0);
  bperc_order_clear(&order);
  if (bperc_clusters_new(list, &clusters) != BPERC_OK)
    assert_null(clusters);
  bperc_clusters_free(clusters);
  bperc_solutions_free(list);
  bperc_instance_free(in);
}

static void local_entropies_are_not_known(void **state) {
  bperc_instance *in = problem(21, 8);
  bperc_local_point points[37];
  uint64_t weights = 0;
  (void)state;
  assert_int_equal(
      bperc_local_entropy(in, &weights, NULL,
                          &(bperc_local_run){.seed = 1, .threads = 1}, points,
                          NULL),
      BPERC_E_INTERRUPTED);
  for (int k = 0; k < 37; k++)
    assert_true(isnan(points[k].x));
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(runs_hold_what_was_reached, end),
      cmocka_unit_test_teardown(other_failures_leave_runs_empty, end),
      cmocka_unit_test_teardown(spaces_are_empty, end),
      cmocka_unit_test_teardown(least_errors_find_nothing, end),
      cmocka_unit_test_teardown(fits_are_not_complete, end),
      cmocka_unit_test_teardown(trials_say_which_are_done, end),
      cmocka_unit_test_teardown(walks_maps_and_decimations, end),
      cmocka_unit_test_teardown(local_entropies_are_not_known, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
