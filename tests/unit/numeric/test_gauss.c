/* log H and its relatives against long double erfc, GSL and their limits. */
#include "check.h"

#include "numeric/gauss.h"

#include <gsl/gsl_sf_erf.h>

static void test_against_long_double(void **state) {
  (void)state;
  for (double x = -37.3; x < 37; x += 0.173) {
    long double h = 0.5L * erfcl((long double)x / sqrtl(2.0L));
    long double g = expl(-0.5L * x * x) / sqrtl(8 * atanl(1.0L)) / h;
    double log_h = x < 0 ? (double)log1pl(-0.5L * erfcl(-x / sqrtl(2.0L)))
                         : (double)logl(h);
    /* Below zero the rounding of x / sqrt 2 costs x^2 units. */
    double units = x < 0 ? 10 + x * x : 10;
    assert_close(bperc_i_log_h(x) / log_h, 1, 2e-16 * units);
    assert_close(bperc_i_hazard(x) / (double)g, 1, 2e-16 * (40 + units));
    assert_close(bperc_i_hazard_excess(x) / (double)(g - x), 1, 3e-13);
  }
}

static void test_against_gsl(void **state) {
  (void)state;
  for (double x = -8; x < 1000; x = x * 1.1 + 0.9) {
    double log_h = gsl_sf_log_erfc(x * M_SQRT1_2) - M_LN2;
    assert_close(bperc_i_log_h(x), log_h, 1e-12 * (1e-3 + fabs(log_h)));
    assert_close(bperc_i_hazard(x) / gsl_sf_hazard(x), 1, 1e-11);
  }
}

/* g = x + 1/x - 2/x^3 + ..., log H = -x^2/2 - log(g sqrt(2 pi)) */
static void test_far_tail(void **state) {
  (void)state;
  for (double x = 100; x < 1e150; x *= 11.3) {
    assert_close(bperc_i_hazard_excess(x) * x, 1 - 2 / (x * x), 1e-7);
    double log_h = -0.5 * x * x - log(x) - 0.5 * log(2 * M_PI);
    assert_close(bperc_i_log_h(x) / log_h, 1, 1e-7);
    assert_close(bperc_i_log_h(-x), 0, 0);
    assert_close(bperc_i_hazard(-x), 0, 0);
  }
  assert_true(bperc_i_log_h(INFINITY) == -INFINITY);
  assert_true(bperc_i_hazard(INFINITY) == INFINITY);
  assert_true(bperc_i_log_h(-INFINITY) == 0);
  assert_true(isnan(bperc_i_log_h(NAN)) && isnan(bperc_i_hazard(NAN)));
}

/* d log H / dx = -g and g' = g (g - x), across the change of method. */
static void test_derivatives(void **state) {
  (void)state;
  for (double x = -6.03; x < 12; x += 0.0931) {
    double e = 1e-5, g = bperc_i_hazard(x);
    double slope = (bperc_i_log_h(x + e) - bperc_i_log_h(x - e)) / (2 * e);
    double bend = (bperc_i_hazard(x + e) - bperc_i_hazard(x - e)) / (2 * e);
    assert_close(slope, -g, 1e-8 * (1 + g));
    assert_close(bend, g * bperc_i_hazard_excess(x), 1e-8);
  }
}

static void test_all_in_one_call(void **state) {
  (void)state;
  for (double x = -20.01; x < 50; x += 0.317) {
    bperc_i_gauss_tail t = bperc_i_tail_at(x);
    assert_close(t.log_h, bperc_i_log_h(x), 0);
    assert_close(t.hazard, bperc_i_hazard(x), 0);
    assert_close(t.excess, bperc_i_hazard_excess(x), 0);
  }
}

static void test_ratio(void **state) {
  (void)state;
  for (double x = -7.7; x < 40; x += 1.13)
    assert_close(bperc_i_log_h_ratio(x, x + 0.3),
                 bperc_i_log_h(x) - bperc_i_log_h(x + 0.3), 1e-12);
  /* Far out the plain difference has no digits left: -g dx does. */
  double x = 1e7, dx = 1e-6;
  assert_close(bperc_i_log_h_ratio(x, x + dx) / ((x + dx - x) * x), 1, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_long_double),
      cmocka_unit_test(test_against_gsl),
      cmocka_unit_test(test_far_tail),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_all_in_one_call),
      cmocka_unit_test(test_ratio),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
