/* Quadrature against integrals known in closed form, kinks included. */
#include "check.h"

#include "base/alloc.h"
#include "numeric/gauss.h"
#include "numeric/quadrature.h"

static double sum(const bperc_i_nodes *nodes, double (*f)(double, double),
                  double parameter) {
  double total = 0;
  for (size_t k = 0; k < nodes->n; k++)
    total += nodes->w[k] * f(nodes->x[k], parameter);
  return total;
}

static double one(double x, double p) {
  (void)x;
  return p;
}

static double bump(double x, double width) {
  double y = (x - 0.7) / width;
  return 1 / (1 + y * y);
}

/* Panels that shrink towards a feature integrate it at any width. */
static void test_narrow_features(void **state) {
  (void)state;
  bperc_i_legendre rule;
  assert_int_equal(bperc_i_legendre_init(&rule, 10), BPERC_OK);
  for (double width = 0.3; width > 1e-8; width /= 7) {
    bperc_i_nodes nodes = {0};
    bperc_i_mesh mesh = {.low = -3.1,
                         .high = 5.3,
                         .largest = 1,
                         .growth = 0.5,
                         .features = 1,
                         .feature = {{0.7, 0.5 * width}}};
    assert_int_equal(bperc_i_nodes_add(&nodes, &mesh, &rule), BPERC_OK);
    double exact = width * (atan(4.6 / width) + atan(3.8 / width));
    assert_close(sum(&nodes, one, 1), 8.4, 1e-12);
    assert_close(sum(&nodes, bump, width) / exact, 1, 1e-9);
    assert_true(nodes.n < 1000);
    bperc_i_nodes_clear(&nodes);
  }
}

static double square(double x, double p) { return p * x * x; }

static void test_gaussian_measure(void **state) {
  (void)state;
  bperc_i_legendre rule;
  bperc_i_nodes nodes = {0};
  bperc_i_mesh mesh = {.low = -9, .high = 9, .largest = 1.1};
  assert_int_equal(bperc_i_legendre_init(&rule, 12), BPERC_OK);
  assert_int_equal(bperc_i_nodes_add(&nodes, &mesh, &rule), BPERC_OK);
  bperc_i_nodes_gauss(&nodes);
  assert_close(sum(&nodes, one, 1), 1, 1e-14);
  assert_close(sum(&nodes, square, 1), 1, 1e-13);
  bperc_i_nodes_clear(&nodes);
}

/* n nodes are exact up to the power 2n - 1: moments 1, 3, 15, 105, ... */
static void test_hermite(void **state) {
  (void)state;
  for (size_t n = 4; n <= BPERC_I_HERMITE_MAX; n += 4) {
    bperc_i_hermite rule;
    double moment = 1;
    assert_int_equal(bperc_i_hermite_init(&rule, n), BPERC_OK);
    assert_int_equal(rule.n, n);
    for (int power = 0; power <= 6; power += 2) {
      double total = 0;
      for (size_t k = 0; k < n; k++)
        total += rule.w[k] * pow(rule.x[k], power);
      assert_close(total / moment, 1, 1e-12);
      moment *= power + 1;
    }
  }
}

static void test_impossible_mesh(void **state) {
  (void)state;
  bperc_i_legendre rule;
  bperc_i_nodes nodes = {0};
  bperc_i_mesh mesh = {.low = 0, .high = 1, .largest = NAN};
  assert_int_equal(bperc_i_legendre_init(&rule, 4), BPERC_OK);
  assert_int_equal(bperc_i_nodes_add(&nodes, &mesh, &rule), BPERC_E_NUMERIC);
  mesh.largest = 1e-30;
  mesh.low = 1 - 1e-12;
  assert_int_equal(bperc_i_nodes_add(&nodes, &mesh, &rule), BPERC_E_NUMERIC);
  bperc_i_nodes_clear(&nodes);
  bperc_i_alloc_fail_after(0);
  mesh.largest = 0.1;
  assert_int_equal(bperc_i_nodes_add(&nodes, &mesh, &rule), BPERC_E_MEMORY);
  bperc_i_alloc_fail_after(-1);
}

/* Int Dz H(a + b z) = H(a / sqrt(1 + b^2)) */
static void test_trapezoid(void **state) {
  (void)state;
  for (double b = 0.3; b < 300; b *= 2.3)
    for (int finer = 0; finer < 2; finer++) {
      bperc_i_trapezoid t = bperc_i_trapezoid_make(1 / b, finer);
      double total = 0;
      for (long k = -t.half; k <= t.half; k++) {
        double z = (double)k * t.step;
        total +=
            bperc_i_trapezoid_weight(&t, z) * exp(bperc_i_log_h(0.37 + b * z));
      }
      assert_close(total, exp(bperc_i_log_h(0.37 / hypot(1, b))), 1e-14);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_narrow_features),
      cmocka_unit_test(test_gaussian_measure),
      cmocka_unit_test(test_hermite),
      cmocka_unit_test(test_impossible_mesh),
      cmocka_unit_test(test_trapezoid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
