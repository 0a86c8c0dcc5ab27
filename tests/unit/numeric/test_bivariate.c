/* The bivariate tail against closed forms and a plain double sum. */
#include "check.h"

#include "numeric/bivariate.h"

static double tail(double x) { return erfc(x / sqrt(2)) / 2; }

/* Through the origin: 1/4 + arcsin(rho)/(2 pi). */
static void at_the_origin(void **state) {
  (void)state;
  for (double rho = -1; rho <= 1.001; rho += 0.125)
    assert_close(bperc_i_both_above(0, 0, rho),
                 0.25 + asin(fmin(rho, 1)) / (2 * M_PI), 1e-10);
}

static void limits(void **state) {
  (void)state;
  assert_close(bperc_i_both_above(0.7, -0.3, 0), tail(0.7) * tail(-0.3), 1e-14);
  assert_close(bperc_i_both_above(0.7, -0.3, 1), tail(0.7), 1e-9);
  assert_close(bperc_i_both_above(0.7, 0.7, 1), tail(0.7), 1e-9);
  assert_close(bperc_i_both_above(0.7, -0.3, -1), 0, 1e-9);
  assert_close(bperc_i_both_above(-0.7, -0.3, -1), tail(-0.7) - tail(0.3),
               1e-9);
}

/* integral of the density of x times P(y > k given x), from h on. */
static double plain(double h, double k, double rho) {
  double sum = 0, step = 1e-4;
  for (double x = h + step / 2; x < 10; x += step)
    sum += step * exp(-x * x / 2) / sqrt(2 * M_PI) *
           tail((k - rho * x) / sqrt(1 - rho * rho));
  return sum;
}

static void against_a_plain_sum(void **state) {
  static const double rows[][3] = {{0.3, -0.8, 0.5},
                                   {1.7, 1.1, 0.93},
                                   {-0.4, 0.2, -0.77},
                                   {0.1, 0.1, 0.999},
                                   {2.5, -1, 0.31}};
  (void)state;
  for (size_t r = 0; r < 5; r++)
    assert_close(bperc_i_both_above(rows[r][0], rows[r][1], rows[r][2]),
                 plain(rows[r][0], rows[r][1], rows[r][2]), 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_the_origin),
      cmocka_unit_test(limits),
      cmocka_unit_test(against_a_plain_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
