/* Extended-CP: the fast form against the plain one, state by state. */
#include "check.h"

#include "bperc/ensemble.h"
#include "bperc/run.h"
#include "isa.h"
#include "no_memory.h"
#include "plain_ecp.h"

#include <string.h>

static void compare(size_t n, size_t m, double fin, double a, int k, int start,
                    int floor, uint64_t seed) {
  bperc_ecp_options options;
  bperc_instance *in;
  bperc_solver *fast;
  plain_ecp plain;
  double *h = malloc(n * sizeof *h);
  bperc_options_default(bperc_ecp_class.options(), &options);
  options.k = k;
  options.start = start;
  options.floor = floor;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = a}}, seed,
      &in, NULL);
  assert_int_equal(
      bperc_solver_new(&bperc_ecp_class, in, &options,
                       &(bperc_run_options){.seed = seed, .threads = 1}, &fast,
                       NULL),
      BPERC_OK);
  plain = plain_ecp_new(in, k, start == BPERC_ECP_MEAN, floor == BPERC_ECP_HOLD,
                        seed);
  for (int t = 0; t < 40; t++) {
    bperc_view view;
    size_t errors = plain_ecp_sweep(&plain);
    bperc_progress progress = bperc_solver_step(fast);
    bperc_solver_view(fast, &view);
    bperc_solver_fields(fast, h);
    for (size_t i = 0; i < n; i++)
      if (h[i] != plain.h[i] || view.integers[i] != plain.w[i])
        fail_msg("n %zu a %g k %d seed %d sweep %d: weight %zu", n, a, k,
                 (int)seed, t, i);
    assert_int_equal(view.errors, errors);
    assert_int_equal(progress == BPERC_SOLVED, errors == 0);
    if (errors == 0)
      break;
  }
  plain_ecp_free(&plain);
  bperc_solver_free(fast);
  bperc_instance_free(in);
  free(h);
}

static void same_states_as_plain(void **state) {
  (void)state;
  FOR_EACH_ISA(isa) {
    for (int way = 0; way < 4; way++) {
      compare(25, 15, 0.5, 3, 2, way / 2, way % 2, 1);
      compare(300, 200, 0.3, 20, 2, way / 2, way % 2, 2);
      compare(300, 250, 0.3, 0.11, 2, way / 2, way % 2, 3);
      compare(130, 100, 0.5, 1, 3, way / 2, way % 2, 4);
      compare(130, 100, 0.5, 2.7, 0, way / 2, way % 2, 5);
      compare(130, 100, 0.5, 1, 40, way / 2, way % 2, 6);
    }
  }
}

static void a_run_returns_integers(void **state) {
  bperc_instance *in;
  bperc_run_result run;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 200, .m = 100, .fin = 0.3, .model = {.a = 0.5}}, 3,
      &in, NULL);
  assert_int_equal(bperc_run(&bperc_ecp_class, in, NULL,
                             &(bperc_run_options){.seed = 1, .threads = 1},
                             &run, NULL),
                   BPERC_OK);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  assert_null(run.weights);
  assert_int_equal(bperc_verify_integers(in, run.integers, NULL).errors, 0);
  for (size_t i = 0; i < in->n; i++)
    assert_in_range(run.t_fix[i], 0, run.steps);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in;
  bperc_solver *s;
  (void)state;
  bperc_instance_new(100, 5, &(bperc_model){.a = 6}, &in, NULL);
  assert_needs_memory(
      5,
      bperc_solver_new(&bperc_ecp_class, in, NULL,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL),
      s);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_states_as_plain),
      cmocka_unit_test(a_run_returns_integers),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
