/* Factor updates against the literal sum over configurations. */
#include "check.h"

#include "bp/factor.h"
#include "bperc/stream.h"
#include "literal_factor.h"

enum { MOST = 14 };

static void draw(bperc_stream *s, size_t degree, double scale, double *p,
                 double *q) {
  for (size_t j = 0; j < degree; j++) {
    double h = scale * (2 * bperc_stream_double(s) - 1) - 0.37;
    p[j] = 1 / (1 + exp(-h));
    q[j] = 1 / (1 + exp(h));
  }
}

/* The smallest left that is not decided, and the largest. */
static int least(int label) { return label ? 1 : 0; }
static int most(int label, size_t degree) {
  return label ? (int)degree : (int)degree - 1;
}

static double cut(double x) {
  return fmax(-BPERC_I_FORCED, fmin(BPERC_I_FORCED, x));
}

static void exact_equals_literal(void **state) {
  double p[MOST], q[MOST], h_hat[MOST], table[(MOST + 2) * (MOST + 2)];
  bperc_stream s = bperc_stream_make(4, BPERC_FOR_TEST, 0);
  (void)state;
  for (size_t degree = 1; degree <= 10; degree++)
    for (int label = 0; label < 2; label++)
      for (int left = least(label); left <= most(label, degree); left++) {
        double z;
        draw(&s, degree, 4.3, p, q);
        assert_true(bperc_i_factor_table(label, left, degree) <=
                    sizeof table / sizeof *table);
        z = bperc_i_factor_exact(label, left, degree, p, q, table, h_hat);
        assert_close(z, literal_log_z(label, left, degree, p), 1e-11);
        for (size_t i = 0; i < degree; i++)
          assert_close(h_hat[i], cut(literal_h_hat(label, left, degree, p, i)),
                       1e-10);
      }
}

/* The Gaussian is an approximation; at degree 14 with spread-out messages the
 * centred one is within a few per cent. */
static void gaussian_is_near_literal(void **state) {
  double p[MOST], q[MOST], h_hat[MOST];
  bperc_stream s = bperc_stream_make(5, BPERC_FOR_TEST, 0);
  (void)state;
  for (int label = 0; label < 2; label++)
    for (int left = 4; left <= 9; left++) {
      double z;
      draw(&s, MOST, 1.1, p, q);
      z = bperc_i_factor_gaussian(label, left + (label ? -0.5 : 0.5), MOST, p,
                                  q, h_hat);
      assert_close(z, literal_log_z(label, left, MOST, p), 0.08);
      for (size_t i = 0; i < MOST; i++)
        assert_close(h_hat[i], literal_h_hat(label, left, MOST, p, i), 0.12);
    }
}

/* Means and variances by hand [BZ eq. 21], far in the tail too. */
static void gaussian_formula(void **state) {
  double p[3] = {0.2, 0.5, 0.9}, q[3] = {0.8, 0.5, 0.1}, h_hat[3];
  double sigma = sqrt(0.25 + 0.09), x = (7.3 - 1.4) / sigma, expected;
  (void)state;
  bperc_i_factor_gaussian(1, 7.3, 3, p, q, h_hat);
  expected = log(erfc((x - 1 / sigma) / sqrt(2)) / erfc(x / sqrt(2)));
  assert_close(h_hat[0], expected, 1e-9);
  bperc_i_factor_gaussian(1, 70, 3, p, q, h_hat);
  assert_true(h_hat[0] == BPERC_I_FORCED);
  bperc_i_factor_gaussian(0, 70, 3, p, q, h_hat);
  assert_close(h_hat[0], 0, 1e-12);
}

/* A large factor with known answer: all p equal, binomial sums. */
static void exact_at_large_degree(void **state) {
  enum { DEGREE = 240, CAP = 12 };
  static double p[DEGREE], q[DEGREE], h_hat[DEGREE],
      table[(DEGREE + 2) * (CAP + 1)];
  double x = 0.061, term = pow(1 - x, DEGREE - 1), below = 0, at_most = 0;
  (void)state;
  for (int k = 0; k <= CAP; k++) {
    at_most += term;
    below += k < CAP ? term : 0;
    term *= (DEGREE - 1. - k) / (k + 1.) * x / (1 - x);
  }
  for (size_t j = 0; j < DEGREE; j++) {
    p[j] = x;
    q[j] = 1 - x;
  }
  assert_int_equal(bperc_i_factor_width(0, CAP, DEGREE), CAP + 1);
  bperc_i_factor_exact(0, CAP, DEGREE, p, q, table, h_hat);
  assert_close(h_hat[17], log(below / at_most), 1e-12);
  assert_close(h_hat[DEGREE - 1], log(below / at_most), 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_equals_literal),
      cmocka_unit_test(gaussian_is_near_literal),
      cmocka_unit_test(gaussian_formula),
      cmocka_unit_test(exact_at_large_degree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
