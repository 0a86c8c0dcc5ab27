/* generalisation and retrieval against plain loops and known limits. */
#include "measured.h"

#include "bperc/ensemble.h"
#include "bperc/io.h"

/* ---- generalisation */

/* With weights and inputs -1/+1, threshold 0 and f_in = 1/2 both sums are
 * Gaussian, and they differ in sign with probability acos(correlation) / pi. */
static void error_goes_with_correlation(void **state) {
  measured t = measured_run("generalisation\nn = 401\nalpha = 0.3\n"
                            "test = 20000\nfin = 0.5\ninputs = pm\n"
                            "weights = pm\n",
                            2);
  double error = number(&t, "error", 0),
         correlation = number(&t, "correlation", 0);
  (void)state;
  assert_close(number(&t, "solved", 0), 1, 0);
  assert_true(error > 0.15 && error < 0.5);
  /* Five standard errors, and sums are not quite Gaussian. */
  assert_close(error, acos(correlation) / M_PI, 5 * sqrt(0.25 / 20000) + 0.005);
  measured_clear(&t);
}

/* The error is what a plain loop over the new patterns counts. */
static void error_is_a_count(void **state) {
  measured t = measured_run("generalisation\nn = 101\nalpha = 0.3\nfin = 0.3\n"
                            "a = 9\ntest = 500\n",
                            1);
  bperc_ensemble e = {
      .n = 101, .m = 30, .fin = 0.3, .model = {.a = 9}, .teacher = 1};
  bperc_instance *p, *test;
  bperc_run_result r;
  size_t wrong = 0;
  uint64_t seed = bperc_i_problem_seed(&t.in, 0);
  (void)state;
  assert_int_equal(bperc_ensemble_draw(&e, seed, &p, NULL), BPERC_OK);
  e.m = 500;
  assert_int_equal(bperc_ensemble_test(&e, seed, &test, NULL), BPERC_OK);
  r = measured_solve(&t, p, "sbpi", 0, 1);
  for (size_t mu = 0; mu < 500; mu++) {
    double sum = 0;
    for (size_t i = 0; i < 101; i++)
      sum += bit(r.weights, i) * bit(bperc_instance_pattern(test, mu), i);
    wrong += (sum > 101. / 9) != test->labels[mu];
  }
  assert_close(number(&t, "error", 0), (double)wrong / 500, 1e-12);
  bperc_run_clear(&r);
  bperc_instance_free(p);
  bperc_instance_free(test);
  measured_clear(&t);
}

/* ---- retrieval */

/* Noise on the sum by its formula, pattern by pattern. */
static void noise_on_the_sum(void **state) {
  measured t = measured_run("retrieval\nn = 93\na = 11\nalpha = 0.3\n"
                            "fin = 0.27\nkind = sum\nnoise = 0.4\n",
                            3);
  bperc_instance *p = measured_problem(&t, 93, 28, 0.27, 11);
  bperc_run_result r = measured_solve(&t, p, "sbpi", 0, 1);
  double right = 0, theta = 93. / 11;
  (void)state;
  for (size_t mu = 0; mu < 28; mu++) {
    double sum = 0, z;
    for (size_t i = 0; i < 93; i++)
      sum += bit(r.weights, i) * bit(bperc_instance_pattern(p, mu), i);
    z = (sum - theta) / (0.4 * theta) * (p->labels[mu] ? 1 : -1);
    right += (1 - erfc(z / sqrt(2)) / 2) / 28;
  }
  assert_close(number(&t, "right", 0), right, 1e-12);
  bperc_run_clear(&r);
  bperc_instance_free(p);
  measured_clear(&t);
}

/* Without noise a stored pattern is right, with all of it a coin. */
static void ends_of_the_noise(void **state) {
  static const char *const kinds[] = {"flip", "redraw", "sum"};
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    char plan[200];
    measured t;
    snprintf(plan, sizeof plan,
             "retrieval\nn = 301\nalpha = 0.3\nweights = pm\ninputs = pm\n"
             "fin = 0.5\nunit = root\nkind = %s\nnoise = 0\n",
             kinds[k]);
    t = measured_run(plan, 1);
    assert_close(number(&t, "right", 0), 1, 0);
    measured_clear(&t);
    snprintf(plan, sizeof plan,
             "retrieval\nn = 301\nalpha = 0.3\nweights = pm\ninputs = pm\n"
             "fin = 0.5\nunit = root\nkind = %s\nnoise = %s\nsamples = 400\n",
             kinds[k],
             k == 0   ? "0.5"
             : k == 1 ? "1"
                      : "1000");
    t = measured_run(plan, 1);
    assert_close(number(&t, "right", 0), 0.5, 0.02);
    measured_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_goes_with_correlation),
      cmocka_unit_test(error_is_a_count),
      cmocka_unit_test(noise_on_the_sum),
      cmocka_unit_test(ends_of_the_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
