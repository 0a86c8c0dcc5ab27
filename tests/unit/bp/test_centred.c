/* Centred belief propagation: nearer to the number of solutions than the plain
 * one, consistent with its own derivatives, and what it refuses. */
#include "check.h"

#include "bperc/bp.h"
#include "bperc/ensemble.h"
#include "literal.h"

#include <stdlib.h>
#include <string.h>

static bperc_bp_options options(int centred) {
  bperc_bp_options opt;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.centred = centred;
  opt.tolerance = centred ? 1e-5 : 0;
  return opt;
}

/* log Z, NAN without convergence; p: n marginals or NULL. */
static double log_z(const bperc_instance *in, int centred, size_t i, double x,
                    double *p) {
  bperc_bp_options opt = options(centred);
  bperc_bp_report report;
  bperc_bp *bp;
  double z;
  assert_int_equal(bperc_bp_new(in, &opt, 3, 1, &bp, NULL), BPERC_OK);
  bperc_bp_set_external(bp, i, x);
  bperc_bp_converge(bp, &report);
  z = report.converged ? bperc_bp_log_z(bp) : NAN;
  if (p)
    bperc_bp_marginals(bp, p);
  bperc_bp_free(bp);
  return z;
}

static void nothing_asked(void **state) {
  bperc_instance *in;
  double p[20];
  (void)state;
  bperc_instance_new(20, 0, &(bperc_model){.a = 7}, &in, NULL);
  bperc_instance_update_bounds(in);
  assert_close(log_z(in, 1, 0, 0, p), 20 * log(2), 1e-5);
  assert_close(p[7], 0.5, 1e-5);
  bperc_instance_free(in);
}

static void nearer_than_plain(void **state) {
  double error[2] = {0, 0};
  size_t count = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 24; seed++) {
    bperc_instance *in;
    uint32_t *list;
    double exact, plain, centred;
    bperc_ensemble_draw(
        &(bperc_ensemble){
            .n = 20, .m = 6, .fin = 0.45, .model = {.a = 8, .ties = 0}},
        seed, &in, NULL);
    exact = log((double)literal_solutions(in, NULL, &list));
    plain = log_z(in, 0, 0, 0, NULL);
    centred = log_z(in, 1, 0, 0, NULL);
    if (isfinite(exact) && isfinite(plain) && isfinite(centred)) {
      count++;
      error[0] += fabs(plain - exact) / 20;
      error[1] += fabs(centred - exact) / 20;
    }
    free(list);
    bperc_instance_free(in);
  }
  assert_true(count >= 12);
  assert_true(error[1] < 0.5 * error[0]);
  assert_true(error[1] / (double)count < 0.01);
}

/* d log Z / d x_i is the mean of the weight. */
static void derivatives(void **state) {
  enum { N = 120 };
  bperc_instance *in;
  double p[N];
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = N, .m = 24, .fin = 0.4, .model = {.a = 20.5, .ties = 0}},
      5, &in, NULL);
  log_z(in, 1, 0, 0, p);
  for (size_t i = 0; i < 3; i++) {
    double up = log_z(in, 1, i, 0.2, NULL), down = log_z(in, 1, i, -0.2, NULL);
    assert_close((up - down) / 0.4, p[i], 0.02);
  }
  bperc_instance_free(in);
}

/* Fixing a weight: log Z falls by about -log P, and copies agree. */
static void fixed_weights(void **state) {
  enum { N = 90 };
  bperc_bp_options opt = options(1);
  bperc_instance *in;
  bperc_bp *bp, *other;
  double p[N], before, one[N], two[N];
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = N, .m = 15, .fin = 0.4, .model = {.a = 15.3, .ties = 0}},
      2, &in, NULL);
  assert_int_equal(bperc_bp_new(in, &opt, 3, 1, &bp, NULL), BPERC_OK);
  bperc_bp_converge(bp, NULL);
  before = bperc_bp_log_z(bp);
  bperc_bp_marginals(bp, p);
  assert_int_equal(bperc_bp_clone(bp, 3, &other), BPERC_OK);
  for (size_t i = 0; i < 20; i++) {
    bperc_bp_fix(bp, i, i % 8 == 0);
    bperc_bp_fix(other, i, i % 8 == 0);
    bperc_bp_converge(bp, NULL);
    bperc_bp_converge(other, NULL);
    if (i == 0)
      assert_close(bperc_bp_log_z(bp) - before, log(p[0]), 0.12);
  }
  bperc_bp_marginals(bp, one);
  bperc_bp_marginals(other, two);
  assert_memory_equal(one, two, sizeof one);
  assert_close(one[0], 1, 0);
  bperc_bp_free(bp);
  bperc_bp_free(other);
  bperc_instance_free(in);
}

static void signed_inputs_are_refused(void **state) {
  const bperc_model model = {.inputs = BPERC_INPUTS_PM};
  bperc_bp_options opt = options(1);
  bperc_instance *in;
  bperc_error error;
  bperc_bp *bp;
  (void)state;
  assert_int_equal(bperc_instance_new(5, 1, &model, &in, NULL), BPERC_OK);
  bperc_instance_update_bounds(in);
  assert_int_equal(bperc_bp_new(in, &opt, 1, 1, &bp, &error), BPERC_E_ARGUMENT);
  assert_non_null(strstr(error.text, "0/1 inputs"));
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_asked),
      cmocka_unit_test(nearer_than_plain),
      cmocka_unit_test(derivatives),
      cmocka_unit_test(fixed_weights),
      cmocka_unit_test(signed_inputs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
