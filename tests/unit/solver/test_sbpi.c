/* SBPI: the fast form against the plain one, state by state; its rules. */
#include "check.h"

#include "any_instance.h"
#include "bperc/ensemble.h"
#include "bperc/run.h"
#include "isa.h"
#include "no_memory.h"
#include "plain_sbpi.h"

#include <string.h>

/* Both forms side by side; every hidden state after every sweep. Releases
 * the instance. */
static void side_by_side_frozen(bperc_instance *in, int margin,
                                int presentation, uint64_t seed, int sweeps,
                                int freeze, double freeze_at, int *left) {
  bperc_sbpi_options options;
  bperc_solver *fast;
  plain_sbpi plain;
  double *h = malloc(in->n * sizeof *h);
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.margin = margin;
  options.presentation = presentation;
  options.p_s = 0.37;
  options.freeze = freeze;
  options.freeze_at = freeze_at;
  assert_int_equal(
      bperc_solver_new(&bperc_sbpi_class, in, &options,
                       &(bperc_run_options){.seed = seed, .threads = 1}, &fast,
                       NULL),
      BPERC_OK);
  plain = plain_sbpi_new(in, margin, 0.37, seed);
  plain.drawn = presentation == BPERC_SBPI_DRAWN;
  plain.freeze = freeze;
  plain.freeze_at = freeze_at;
  for (int t = 0; t < sweeps; t++) {
    bperc_view view;
    int errors = plain_sbpi_sweep(&plain);
    bperc_progress progress = bperc_solver_step(fast);
    bperc_solver_view(fast, &view);
    bperc_solver_fields(fast, h);
    for (size_t i = 0; i < in->n; i++)
      if (h[i] != plain.h[i])
        fail_msg("n %zu margin %d seed %d sweep %d: h[%zu] = %g, plain %d",
                 in->n, margin, (int)seed, t, i, h[i], plain.h[i]);
    for (size_t i = 0; i < in->n; i++)
      assert_int_equal(bperc_bit_get(view.weights, i), plain.h[i] > 0);
    assert_int_equal(view.errors, errors);
    assert_int_equal(progress == BPERC_SOLVED, errors == 0);
    assert_int_equal(view.step, t + 1);
    if (errors == 0)
      break;
  }
  for (size_t i = 0; left && i < in->n; i++)
    *left += plain.frozen[i];
  plain_sbpi_free(&plain);
  bperc_solver_free(fast);
  bperc_instance_free(in);
  free(h);
}

static void side_by_side(bperc_instance *in, int margin, int presentation,
                         uint64_t seed, int sweeps) {
  side_by_side_frozen(in, margin, presentation, seed, sweeps, 0, 0.5, NULL);
}

static void compare(size_t n, size_t m, double fin, double a, int margin,
                    int presentation, uint64_t seed, int sweeps) {
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = a}},
          seed, &in, NULL),
      BPERC_OK);
  side_by_side(in, margin, presentation, seed, sweeps);
}

static void same_states_as_plain(void **state) {
  (void)state;
  FOR_EACH_ISA(isa) {
    for (int margin = 0; margin < 4; margin++) {
      for (uint64_t seed = 1; seed <= 5; seed++) {
        compare(25, 20, 0.5, 12, margin, BPERC_SBPI_SHUFFLED, seed, 300);
        compare(480, 96, 0.3, 40, margin, BPERC_SBPI_SHUFFLED, seed, 200);
        compare(480, 110, 0.5, 40, margin, BPERC_SBPI_SHUFFLED, seed, 60);
      }
      compare(480, 110, 0.5, 40, margin, BPERC_SBPI_DRAWN, 6, 60);
      compare(10000, 1900, 0.5, 40, margin, BPERC_SBPI_SHUFFLED, 7, 2);
      compare(10000, 300, 0.3, 37.7, margin, BPERC_SBPI_SHUFFLED, 8, 6);
    }
  }
}

/* Every kind of weights and inputs, widths with every tail. */
static void every_kind_as_plain(void **state) {
  (void)state;
  FOR_EACH_ISA(isa) {
    for (uint64_t seed = 0; seed < 360; seed++) {
      size_t n = 3 + seed % 29 * 11;
      side_by_side(any_instance(n, n / 2 + 1, seed), (int)(seed / 5 % 3),
                   seed % 7 ? BPERC_SBPI_SHUFFLED : BPERC_SBPI_DRAWN, seed, 9);
    }
    for (uint64_t seed = 0; seed < 18; seed++)
      side_by_side(any_instance(1203, 150, seed), BPERC_SBPI_DEEPEN,
                   BPERC_SBPI_SHUFFLED, seed, 3);
  }
}

/* Weights that have left stay, the others move as if nothing had happened; of
 * every kind, with several departures. */
static void frozen_as_plain(void **state) {
  int left = 0;
  (void)state;
  FOR_EACH_ISA(isa) {
    for (uint64_t seed = 0; seed < 120; seed++) {
      size_t n = 5 + seed % 29 * 11;
      side_by_side_frozen(any_instance(n, n / 2 + 1, seed), (int)(seed / 5 % 3),
                          seed % 7 ? BPERC_SBPI_SHUFFLED : BPERC_SBPI_DRAWN,
                          seed, 25, 1 + (int)seed % 4,
                          0.13 + 0.07 * (double)(seed % 6), &left);
    }
  }
  assert_true(left > 5000);
}

/* A run with freezing starts again from where another one ended. */
static void frozen_states_are_adopted(void **state) {
  bperc_instance *in;
  bperc_sbpi_options options;
  double first[480], second[480];
  bperc_solver *a, *b;
  (void)state;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.freeze = 2;
  options.freeze_at = 0.2;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 480, .m = 110, .fin = 0.5, .model = {.a = 40}}, 3,
      &in, NULL);
  bperc_solver_new(&bperc_sbpi_class, in, &options,
                   &(bperc_run_options){.seed = 1, .threads = 1}, &a, NULL);
  bperc_solver_new(&bperc_sbpi_class, in, &options,
                   &(bperc_run_options){.seed = 2, .threads = 1}, &b, NULL);
  for (int t = 0; t < 12; t++)
    bperc_solver_step(a);
  bperc_solver_adopt(b, a);
  bperc_solver_fields(a, first);
  bperc_solver_fields(b, second);
  assert_memory_equal(first, second, sizeof first);
  bperc_solver_free(a);
  bperc_solver_free(b);
  bperc_instance_free(in);
}

static void bounds_are_odd(void **state) {
  /* K is 3 (of 3.3), 21, 48, 96 */
  static const struct {
    size_t n;
    int bound;
  } rows[] = {{12, 3}, {480, 21}, {2500, 47}, {10000, 95}, {1, 1}};
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    bperc_instance *in;
    bperc_solver *s;
    double *h = malloc(rows[k].n * sizeof *h);
    /* One pattern that wants a larger sum than there is. */
    bperc_instance_new(rows[k].n, 1, &(bperc_model){.a = 0.5}, &in, NULL);
    for (size_t i = 0; i < rows[k].n; i++)
      bperc_bit_set(in->patterns, i, 1);
    in->labels[0] = 1;
    bperc_instance_update_bounds(in);
    bperc_solver_new(&bperc_sbpi_class, in, NULL,
                     &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL);
    for (int t = 0; t < 100; t++)
      bperc_solver_step(s);
    bperc_solver_fields(s, h);
    for (size_t i = 0; i < rows[k].n; i++)
      assert_true(h[i] == rows[k].bound);
    free(h);
    bperc_solver_free(s);
    bperc_instance_free(in);
  }
}

/* Solved means solved, by the independent verifier, under every tie rule. */
static void solutions_pass_the_verifier(void **state) {
  (void)state;
  for (int ties = 0; ties < 3; ties++)
    for (uint64_t seed = 1; seed <= 10; seed++) {
      bperc_instance *in;
      bperc_run_result run;
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 480,
                            .m = 80,
                            .fin = 0.2,
                            .model = {.a = 40, .ties = (bperc_ties)ties}},
          seed, &in, NULL);
      assert_int_equal(
          bperc_run(&bperc_sbpi_class, in, NULL,
                    &(bperc_run_options){.seed = seed, .threads = 1}, &run,
                    NULL),
          BPERC_OK);
      assert_int_equal(bperc_verify(in, run.weights, NULL).errors, run.errors);
      assert_int_equal(run.outcome == BPERC_SOLVED, run.errors == 0);
      assert_true(run.outcome == BPERC_SOLVED || ties == BPERC_TIES_STRICT);
      bperc_run_clear(&run);
      bperc_instance_free(in);
    }
}

static void bad_options(void **state) {
  bperc_sbpi_options options;
  bperc_instance *in;
  bperc_solver *s;
  bperc_error error;
  (void)state;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.p_s = 1.5;
  bperc_instance_new(10, 0, &(bperc_model){.a = 2}, &in, NULL);
  assert_int_equal(
      bperc_solver_new(&bperc_sbpi_class, in, &options,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &s,
                       &error),
      BPERC_E_ARGUMENT);
  assert_null(s);
  assert_non_null(strstr(error.text, "p_s"));
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in;
  bperc_sbpi_options options;
  bperc_solver *s;
  (void)state;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  bperc_instance_new(100, 5, &(bperc_model){.a = 6}, &in, NULL);
  assert_needs_memory(
      3,
      bperc_solver_new(&bperc_sbpi_class, in, NULL,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL),
      s);
  bperc_solver_free(s);
  options.freeze = 3;
  assert_needs_memory(
      9,
      bperc_solver_new(&bperc_sbpi_class, in, &options,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL),
      s);
  bperc_solver_free(s);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_states_as_plain),
      cmocka_unit_test(every_kind_as_plain),
      cmocka_unit_test(frozen_as_plain),
      cmocka_unit_test(frozen_states_are_adopted),
      cmocka_unit_test(bounds_are_odd),
      cmocka_unit_test(solutions_pass_the_verifier),
      cmocka_unit_test(bad_options),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
