/* Franz-Parisi potential: known zeros, stationarity in every order parameter,
 * the typical distance, the densest region above it, broken input. */
#include "check.h"

#include "base/alloc.h"
#include "bperc/theory.h"
#include "numeric/solve.h"
#include "theory/franz_parisi.h"

#include <string.h>

static bperc_theory_local at(double alpha, double a, double fin, double d) {
  bperc_theory_model model = {.a = a, .fin = fin, .alpha = alpha};
  bperc_theory_local p;
  bperc_error error;
  double ended;
  if (bperc_theory_franz_parisi(&model, &d, 1, &p, &ended, &error) != BPERC_OK)
    fail_msg("A %g f_in %g D %g: %s", a, fin, d, error.text);
  assert_true(p.regime != BPERC_THEORY_LOST && p.residual < 1e-9 &&
              p.quadrature_error < 1e-9);
  return p;
}

/* F crosses zero between two neighbouring distances and is negative below. */
static void check_zero(double fin, double below, double above) {
  bperc_theory_model model = {.a = 40, .fin = fin, .alpha = 0.2};
  double d[] = {below, above, 0.8 * below}, ended;
  bperc_theory_local p[3];
  assert_int_equal(bperc_theory_franz_parisi(&model, d, 3, p, &ended, NULL),
                   BPERC_OK);
  assert_true(p[0].entropy < 0 && p[1].entropy > 0 && p[2].entropy < 0);
}

static void test_zeros(void **state) {
  (void)state;
  check_zero(0.1, 0.000665, 0.000675);
  check_zero(0.5, 0.00845, 0.00855);
}

/* Negative at small distance for every sparseness of the figure. */
static void test_negative(void **state) {
  (void)state;
  for (double fin = 0.2; fin < 0.45; fin += 0.1)
    assert_true(at(0.2, 40, fin, 6e-4).entropy < 0);
}

/* F and dF/dD at the typical distance, from both sides. */
static void test_typical_distance(void **state) {
  (void)state;
  bperc_theory_model model = {.a = 23, .fin = 0.31, .alpha = 0.3};
  bperc_theory_typical t;
  assert_int_equal(bperc_theory_entropy(&model, &t, NULL), BPERC_OK);
  for (double e = 0.04; e > 1e-3; e *= 0.2)
    for (int side = -1; side <= 1; side += 2) {
      bperc_theory_local p = at(0.3, 23, 0.31, t.distance * (1 + side * e));
      assert_true(p.entropy < t.entropy);
      assert_close(p.entropy, t.entropy, 0.3 * e * e);
      assert_true(p.slope * side < 0);
      assert_close(p.slope, 0, 20 * e);
    }
  assert_close(at(0.3, 23, 0.31, t.distance).entropy, t.entropy, 1e-12);
}

static void test_slope_and_order(void **state) {
  (void)state;
  enum { N = 8 };
  bperc_theory_model model = {.a = 40, .fin = 0.5, .alpha = 0.2};
  double d[N], ended;
  bperc_theory_local p[N], dense[N];
  for (int k = 0; k < N; k++) /* out of order, in near pairs */
    d[k] = 0.002 * (1 + (k / 2 * 3) % 4) * (1 + 1e-3 * (k % 2));
  assert_int_equal(bperc_theory_franz_parisi(&model, d, N, p, &ended, NULL),
                   BPERC_OK);
  assert_int_equal(
      bperc_theory_large_deviation(&model, d, N, dense, &ended, NULL),
      BPERC_OK);
  for (int k = 0; k < N; k += 2) {
    double slope = (p[k + 1].entropy - p[k].entropy) / (d[k + 1] - d[k]);
    assert_close(p[k].distance, d[k], 0);
    assert_close(slope, 0.5 * (p[k].slope + p[k + 1].slope), 1e-4);
    assert_true(p[k].entropy < dense[k].entropy);
    assert_true(dense[k].entropy < dense[k].bound);
    assert_true(p[k].bound <= dense[k].bound);
  }
}

/* ---- lists ---- */

static bperc_theory_local ising_at(double alpha, double d) {
  bperc_theory_model model = {.weights = BPERC_THEORY_ISING, .alpha = alpha};
  bperc_theory_local p;
  double ended;
  assert_int_equal(bperc_theory_franz_parisi(&model, &d, 1, &p, &ended, NULL),
                   BPERC_OK);
  assert_true(p.residual < 1e-9 && p.quadrature_error < 1e-9);
  return p;
}

/* Every point of a list as if asked alone, bit for bit; slopes by central
 * differences, also where F is nearly flat. */
static void check_list(double mean, double load, const double *part, int n) {
  bperc_theory_model model = {.a = 1 / (0.37 * mean), .fin = 0.37};
  bperc_theory_typical t;
  bperc_theory_local list[4], two[2];
  double d[4], ended;
  assert_int_equal(bperc_theory_capacity(&model, &t, NULL), BPERC_OK);
  model.alpha = load * t.alpha;
  assert_int_equal(bperc_theory_entropy(&model, &t, NULL), BPERC_OK);
  for (int k = 0; k < n; k++)
    d[k] = part[k] * t.distance;
  assert_int_equal(
      bperc_theory_franz_parisi(&model, d, (size_t)n, list, &ended, NULL),
      BPERC_OK);
  for (int k = 0; k < n; k++) {
    bperc_theory_local alone = at(model.alpha, model.a, model.fin, d[k]);
    assert_close(list[k].entropy, alone.entropy, 0);
    assert_close(list[k].slope, alone.slope, 0);
    double h = fmin(1e-3 * d[k], 0.1 * fabs(t.distance - d[k]));
    double pair[] = {d[k] - h, d[k] + h};
    assert_int_equal(
        bperc_theory_franz_parisi(&model, pair, 2, two, &ended, NULL),
        BPERC_OK);
    double slope = (two[1].entropy - two[0].entropy) / (2 * h);
    if (fabs(list[k].slope - slope) > 1e-4 * fabs(slope))
      fail_msg("Q %g load %g D %g: slope %.9g, difference %.9g", mean, load,
               d[k], list[k].slope, slope);
  }
}

static void test_lists(void **state) {
  (void)state;
  check_list(0.05, 0.787, (double[]){0.1454, 0.9995}, 2);
  check_list(0.66, 0.4, (double[]){0.9995, 0.31, 1.003, 0.97}, 4);
  check_list(0.83, 0.93, (double[]){0.62, 0.9995, 0.0712}, 3);
  check_list(0.87, 0.21, (double[]){0.9995, 0.8, 1.08}, 3);
}

/* Weights -1, +1: slopes, the typical entropy at the typical distance, negative
 * at small distance near capacity and everywhere below the densest region. */
static void test_ising(void **state) {
  (void)state;
  bperc_theory_model model = {.weights = BPERC_THEORY_ISING, .alpha = 0.57};
  bperc_theory_typical t;
  double ended;
  assert_int_equal(bperc_theory_entropy(&model, &t, NULL), BPERC_OK);
  assert_close(ising_at(0.57, t.distance).entropy, t.entropy, 1e-12);
  for (double part = 0.011; part < 1.4; part *= 2.93) {
    double d = part * t.distance, h = 1e-3 * d;
    bperc_theory_local p = ising_at(0.57, d), dense;
    double slope =
        (ising_at(0.57, d + h).entropy - ising_at(0.57, d - h).entropy) /
        (2 * h);
    assert_close(p.slope / slope, 1, 1e-5);
    assert_int_equal(
        bperc_theory_large_deviation(&model, &d, 1, &dense, &ended, NULL),
        BPERC_OK);
    assert_true(p.entropy < dense.entropy && p.entropy < p.bound);
    assert_close(p.bound, -d * log(d) - (1 - d) * log1p(-d), 1e-12);
  }
  assert_true(ising_at(0.57, 0.002).entropy < 0);
}

/* A point that is lost takes no other with it. */
static void test_list_with_a_lost_point(void **state) {
  (void)state;
  bperc_theory_model model = {.a = 40, .fin = 0.5, .alpha = 0.2};
  double d[] = {1e-4, 0.01, 0.06875, 0.5, 0.09}, ended;
  bperc_theory_local p[5];
  assert_int_equal(bperc_theory_franz_parisi(&model, d, 5, p, &ended, NULL),
                   BPERC_E_NUMERIC);
  assert_true(p[0].regime == BPERC_THEORY_LOST &&
              p[3].regime == BPERC_THEORY_LOST);
  assert_close(p[1].entropy, 0.0020657, 5e-8);
  assert_close(p[2].entropy, 0.0472776, 5e-8);
  assert_close(p[4].entropy, at(0.2, 40, 0.5, 0.09).entropy, 0);
}

/* Closer than any solution: two terms, continuous with what lies outside. */
static void test_next_to_typical(void **state) {
  (void)state;
  bperc_theory_model model = {.a = 3, .fin = 0.5, .alpha = 0.3};
  bperc_theory_typical t;
  assert_int_equal(bperc_theory_entropy(&model, &t, NULL), BPERC_OK);
  for (int side = -1; side <= 1; side += 2) {
    bperc_theory_local in = at(0.3, 3, 0.5, t.distance * (1 + side * 1.9e-5));
    bperc_theory_local out = at(0.3, 3, 0.5, t.distance * (1 + side * 3.8e-5));
    assert_int_equal(in.regime, BPERC_THEORY_TYPICAL);
    assert_int_equal(out.regime, BPERC_THEORY_SADDLE);
    assert_close(out.slope / in.slope, 2, 1e-4);
  }
  assert_close(at(0.3, 3, 0.5, 0.17636).slope, 0.0018089, 1e-7);
}

/* ---- stationarity ---- */

/* A saddle point, found here by the equations of THEORY alone: h, ph, t, q1
 * are unknown, th and qh follow. */
typedef struct {
  bperc_i_reference ref;
  bperc_i_fp_rule rule;
  bperc_i_fp_state s;
} problem;

static bperc_status equations(const double *u, double p, double *r,
                              void *context) {
  problem *c = context;
  bperc_i_fp_patterns patterns;
  bperc_i_fp_sites sites;
  double h = c->ref.ising ? 0 : u[3]; /* no unknown for weights -1, +1 */
  c->s = (bperc_i_fp_state){.p = p, .ph = u[0], .t = u[1], .q1 = u[2], .h = h};
  bperc_status status =
      bperc_i_fp_patterns_average(&c->ref, &c->s, &c->rule, &patterns);
  c->s.qh = c->ref.alpha * patterns.square;
  c->s.th = c->ref.alpha * patterns.cross;
  if (status == BPERC_OK)
    status = bperc_i_fp_sites_average(&c->ref, &c->s, &c->rule, &sites);
  r[0] = sites.overlap / p - 1;
  r[1] = sites.width / (c->ref.mean - c->s.q1) - 1;
  r[2] = sites.other / c->s.t - 1;
  r[3] = sites.mean / c->ref.mean - 1;
  return status;
}

static double free_entropy(const problem *c) {
  double f;
  assert_int_equal(bperc_i_fp_free_entropy(&c->ref, &c->s, &c->rule, &f),
                   BPERC_OK);
  return f;
}

/* Weights 0, 1, or -1, +1 for Q = 1. */
static void prepare(double mean, double alpha, problem *c) {
  bperc_i_ensemble e = {
      .weights = mean < 1 ? BPERC_THEORY_01 : BPERC_THEORY_ISING, .mean = mean};
  bperc_i_typical t;
  assert_int_equal(bperc_i_typical_at(&e, alpha, 0, NULL, &t), BPERC_OK);
  *c = (problem){.ref = bperc_i_reference_of(e.weights, &t)};
  assert_int_equal(bperc_i_fp_rule_init(&c->rule, 0), BPERC_OK);
}

static bperc_i_system make_system(problem *c) {
  return (bperc_i_system){.n = c->ref.ising ? 3 : 4,
                          .residual = equations,
                          .context = c,
                          .tolerance = 1e-11,
                          .max_steps = 40,
                          .max_change = 1};
}

/* The expansion around the typical distance: h, ph, t have errors of second
 * order in the change of the overlap, v of third. */
static void check_expansion(double mean, double alpha) {
  problem c;
  double miss[2][4];
  prepare(mean, alpha, &c);
  bperc_i_system system = make_system(&c);
  bperc_i_fp_expansion by = bperc_i_fp_expand(&c.ref);
  for (int k = 0; k < 2; k++) {
    const bperc_i_reference *ref = &c.ref;
    double e = (k ? 0.01 : 0.02) * ref->gap0, p = ref->q0 + e, size;
    bperc_i_fp_guess g = bperc_i_fp_near_typical(ref, &by, e);
    double least = g.t * g.t / ref->q0 + (p - g.t) * (p - g.t) / ref->gap0;
    double u[4] = {g.ph, g.t, least + g.v, g.h};
    assert_int_equal(bperc_i_newton(&system, p, u, &size), BPERC_OK);
    least = u[1] * u[1] / ref->q0 + (p - u[1]) * (p - u[1]) / ref->gap0;
    double found[] = {u[0], u[1], u[2] - least, u[3]};
    double change[] = {g.ph - ref->qh0, g.t - ref->q0, g.v, g.h - ref->h0};
    double guess[] = {g.ph, g.t, g.v, g.h};
    for (size_t j = 0; j < system.n; j++) /* relative: of first order for all */
      miss[k][j] = fabs((guess[j] - found[j]) / change[j]);
  }
  for (size_t j = 0; j < system.n; j++) {
    assert_true(miss[0][j] < 0.2);
    assert_close(miss[1][j] / miss[0][j], 0.5, 0.1);
  }
}

static void test_expansion(void **state) {
  (void)state;
  check_expansion(0.05, 0.2);
  check_expansion(0.3, 0.3);
  check_expansion(1, 0.41); /* weights -1, +1 */
}

static void check_stationary(double mean, double alpha, double p, double *u,
                             double entropy) {
  problem c;
  double size, r[4];
  prepare(mean, alpha, &c);
  bperc_i_system system = make_system(&c);
  assert_int_equal(bperc_i_newton(&system, p, u, &size), BPERC_OK);
  assert_int_equal(equations(u, p, r, &c), BPERC_OK);
  assert_close(free_entropy(&c), entropy, 1e-10);
  double *fields[] = {&c.s.t, &c.s.q1, &c.s.ph, &c.s.qh, &c.s.th, &c.s.h};
  for (size_t k = 0; k < 5 + (mean < 1); k++) {
    double keep = *fields[k], e = 1e-5 * fabs(keep), f[2];
    for (int side = 0; side < 2; side++) {
      *fields[k] = keep + (side ? e : -e);
      f[side] = free_entropy(&c);
    }
    *fields[k] = keep;
    assert_close((f[1] - f[0]) / 2e-5, 0, 3e-8);
  }
}

static void test_stationary(void **state) {
  (void)state;
  double u[4] = {10.1, 0.0163, 0.0371, -6.44}, v[4] = {1.17, 0.34, 0.67, 0};
  check_stationary(0.05, 0.2, 0.05 - 0.5 * 0.0177, u,
                   at(0.2, 40, 0.5, 0.0177).entropy);
  check_stationary(1, 0.4, 1 - 2 * 0.17, v, ising_at(0.4, 0.17).entropy);
}

static void test_ends(void **state) {
  (void)state;
  bperc_theory_model model = {.a = 40, .fin = 0.5, .alpha = 0.2};
  const double d[] = {0.3, 0.02, 1e-4};
  double ended;
  bperc_theory_local p[3];
  bperc_error error;
  assert_int_equal(bperc_theory_franz_parisi(&model, d, 3, p, &ended, &error),
                   BPERC_E_NUMERIC);
  assert_true(p[1].regime != BPERC_THEORY_LOST &&
              p[0].regime == BPERC_THEORY_LOST &&
              p[2].regime == BPERC_THEORY_LOST);
  assert_true(isnan(p[2].entropy) && ended > 1e-4 && ended < 1e-3);
  assert_non_null(strstr(error.text, "ends at distance"));
}

/* Where the expansion around the typical distance reaches least far, and where
 * log v must stay the unknown: F below the typical entropy, slope = dF/dD. */
static void check_hard(double a, double alpha, double d) {
  bperc_theory_model model = {.a = a, .fin = 0.5, .alpha = alpha};
  bperc_theory_typical t;
  bperc_theory_local p[2];
  double pair[] = {d, d * 1.001}, ended;
  assert_int_equal(bperc_theory_entropy(&model, &t, NULL), BPERC_OK);
  assert_int_equal(bperc_theory_franz_parisi(&model, pair, 2, p, &ended, NULL),
                   BPERC_OK);
  double slope = (p[1].entropy - p[0].entropy) / (pair[1] - pair[0]);
  assert_true(p[0].entropy < t.entropy && p[0].quadrature_error < 1e-8);
  assert_close(slope, 0.5 * (p[0].slope + p[1].slope), 1e-4 * fabs(slope));
}

static void test_hard_starts(void **state) {
  (void)state;
  check_hard(4, 0.5, 0.1);
  check_hard(4, 0.0512, 0.1);
  check_hard(200, 0.0077, 0.01);
  check_hard(2.4, 0.125, 0.01);
}

static void test_broken_input(void **state) {
  (void)state;
  bperc_theory_model model = {.a = 40, .fin = 0.5, .alpha = 0.2};
  bperc_theory_local p;
  bperc_error error;
  double ended, d = 0.01, bad[] = {0, -1, 1.5, NAN};
  for (int k = 0; k < 4; k++)
    assert_int_equal(
        bperc_theory_franz_parisi(&model, &bad[k], 1, &p, &ended, &error),
        BPERC_E_ARGUMENT);
  model.weights = BPERC_THEORY_INTEGER;
  assert_int_equal(bperc_theory_franz_parisi(&model, &d, 1, &p, &ended, &error),
                   BPERC_E_ARGUMENT);
  model = (bperc_theory_model){.a = 40, .fin = 0.5, .alpha = 5};
  assert_int_equal(bperc_theory_franz_parisi(&model, &d, 1, &p, &ended, &error),
                   BPERC_E_NUMERIC);
  model.alpha = 0.2;
  for (long k = 0; k < 20; k += 7) {
    bperc_i_alloc_fail_after(k);
    assert_int_equal(
        bperc_theory_franz_parisi(&model, &d, 1, &p, &ended, &error),
        BPERC_E_MEMORY);
  }
  bperc_i_alloc_fail_after(-1);
}

/* Memory that runs out while a point is measured, the slope last: an error,
 * and a point that is not half filled in. */
static void test_memory_at_the_end(void **state) {
  (void)state;
  bperc_theory_model model = {.a = 40, .fin = 0.5, .alpha = 0.2};
  bperc_theory_local p;
  double ended, d = 0.06;
  bperc_i_alloc_fail_after(-1);
  assert_int_equal(bperc_theory_franz_parisi(&model, &d, 1, &p, &ended, NULL),
                   BPERC_OK);
  long all = bperc_i_alloc_count();
  for (long k = all - 14; k < all; k++) {
    bperc_i_alloc_fail_after(k);
    assert_int_equal(bperc_theory_franz_parisi(&model, &d, 1, &p, &ended, NULL),
                     BPERC_E_MEMORY);
    assert_true(p.regime == BPERC_THEORY_LOST && isnan(p.entropy) &&
                p.slope == 0 && p.residual == 0);
  }
  bperc_i_alloc_fail_after(-1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zeros),
      cmocka_unit_test(test_negative),
      cmocka_unit_test(test_typical_distance),
      cmocka_unit_test(test_slope_and_order),
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_ising),
      cmocka_unit_test(test_list_with_a_lost_point),
      cmocka_unit_test(test_next_to_typical),
      cmocka_unit_test(test_expansion),
      cmocka_unit_test(test_stationary),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_hard_starts),
      cmocka_unit_test(test_broken_input),
      cmocka_unit_test(test_memory_at_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
