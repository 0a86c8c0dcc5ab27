/* The solvers in turn: who solves, what is proved, budgets in steps; and
 * options that are resolved in one place. */
#include "check.h"

#include "bperc/amp.h"
#include "bperc/auto.h"
#include "bperc/ensemble.h"
#include "bperc/exact.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "bperc/solving.h"
#include "no_memory.h"

#include <string.h>

static bperc_instance *generate(size_t n, size_t m, double fin, double a,
                                uint64_t seed) {
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = a}},
          seed, &in, NULL),
      BPERC_OK);
  return in;
}

static bperc_run_result run_auto(const bperc_instance *in, int64_t sweeps,
                                 int64_t iterations, int64_t slices) {
  bperc_auto_options o;
  bperc_run_result run;
  bperc_options_default(bperc_auto_class.options(), &o);
  o.quick_sweeps = sweeps;
  o.max_iterations = iterations;
  o.proof_after = 50;
  o.proof_slices = slices;
  assert_int_equal(bperc_run(&bperc_auto_class, in, &o,
                             &(bperc_run_options){.seed = 1, .threads = 1},
                             &run, NULL),
                   BPERC_OK);
  return run;
}

static void every_member_solves(void **state) {
  bperc_instance *easy = generate(200, 10, 0.3, 20, 1);
  bperc_instance *hard = generate(1000, 200, 0.5, 40, 1);
  bperc_instance *small = generate(40, 12, 0.5, 10, 1);
  bperc_run_result run = run_auto(easy, 100, 100, 1);
  (void)state;
  assert_int_equal(run.outcome, BPERC_SOLVED);
  assert_string_equal(run.by, "sbpi");
  bperc_run_clear(&run);
  run = run_auto(hard, 3, 5000, 1);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  assert_string_equal(run.by, "amp");
  bperc_run_clear(&run);
  run = run_auto(small, 0, 1, 1);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  assert_string_equal(run.by, "exact");
  assert_int_equal(bperc_verify(small, run.weights, NULL).errors, 0);
  bperc_run_clear(&run);
  bperc_instance_free(easy);
  bperc_instance_free(hard);
  bperc_instance_free(small);
}

/* Against the complete search alone, on small problems of every kind. */
static void agrees_with_proofs(void **state) {
  size_t proved = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    bperc_instance *in = generate(12, 4 + seed % 9, 0.5, 4, seed);
    bperc_run_result proof, run = run_auto(in, 5, 200, 1);
    bperc_run(&bperc_exact_class, in, NULL,
              &(bperc_run_options){.seed = 1, .threads = 1}, &proof, NULL);
    assert_int_equal(run.outcome, proof.outcome);
    assert_int_equal(bperc_verify(in, run.weights, NULL).errors, run.errors);
    proved += run.outcome == BPERC_CONTRADICTION;
    bperc_run_clear(&run);
    bperc_run_clear(&proof);
    bperc_instance_free(in);
  }
  assert_in_range(proved, 5, 55);
}

/* One pattern with both labels: known at once, yet good weights are sought. */
static void contradictions_are_searched(void **state) {
  bperc_instance *in = generate(400, 61, 0.5, 20, 3);
  bperc_run_result run;
  (void)state;
  memcpy(in->patterns + 60 * in->words, in->patterns,
         in->words * sizeof *in->patterns);
  in->labels[60] = !in->labels[0];
  bperc_instance_update_bounds(in);
  run = run_auto(in, 100, 100000, 5);
  assert_int_equal(run.outcome, BPERC_CONTRADICTION);
  assert_int_equal(run.steps, 400);
  assert_int_equal(run.errors, 1);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

static void budgets_are_steps(void **state) {
  bperc_instance *in = generate(300, 200, 0.5, 20, 3);
  bperc_run_result run = run_auto(in, 17, 123, 5);
  (void)state;
  assert_int_equal(run.outcome, BPERC_EXHAUSTED);
  assert_int_equal(run.steps, 140);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

/* NULL means the defaults for every solver and on every way to it. */
static void defaults_everywhere(void **state) {
  const bperc_ensemble small = {.n = 30, .m = 4, .fin = 0.5, .model = {.a = 5}};
  (void)state;
  for (size_t k = 0; bperc_solvers()[k]; k++) {
    bperc_solving_one one;
    const bperc_trials trials = {.ensemble = &small, .seed = 1};
    assert_int_equal(
        bperc_solving_trial(bperc_solvers()[k], NULL, &trials, 0, &one, NULL),
        BPERC_OK);
    assert_int_equal(one.outcome, BPERC_SOLVED);
  }
}

static void options_are_checked(void **state) {
  bperc_instance *in = generate(30, 4, 0.5, 5, 1);
  bperc_amp_options o;
  bperc_error error;
  bperc_solver *made;
  (void)state;
  bperc_options_default(bperc_amp_class.options(), &o);
  o.rate = 7;
  assert_int_equal(
      bperc_solver_new(&bperc_amp_class, in, &o,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &made,
                       &error),
      BPERC_E_ARGUMENT);
  assert_null(made);
  assert_non_null(strstr(error.text, "rate"));
  bperc_instance_free(in);
}

static void memory_may_fail(void **state) {
  bperc_instance *in = generate(200, 10, 0.5, 20, 3);
  bperc_solver *made = NULL;
  (void)state;
  assert_needs_memory(
      8,
      bperc_solver_new(&bperc_auto_class, in, NULL,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &made,
                       NULL),
      made);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_member_solves),
      cmocka_unit_test(agrees_with_proofs),
      cmocka_unit_test(contradictions_are_searched),
      cmocka_unit_test(budgets_are_steps),
      cmocka_unit_test(defaults_everywhere),
      cmocka_unit_test(options_are_checked),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
