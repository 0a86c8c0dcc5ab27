/* Densest region: known points, stationarity of the free entropy in every
 * order parameter, the second rule, bounds and limits, alpha_U. */
#include "check.h"

#include "base/alloc.h"
#include "bperc/theory.h"
#include "theory/dense.h"

#include <string.h>

static const bperc_theory_model dense_01 = {
    .weights = BPERC_THEORY_01, .a = 40, .fin = 0.5, .alpha = 0.2};
static const bperc_theory_model dense_ising = {.weights = BPERC_THEORY_ISING,
                                               .alpha = 0.4};

static void ask(const bperc_theory_model *model, const double *distances,
                size_t n, bperc_theory_local *points) {
  double ended;
  bperc_error error;
  if (bperc_theory_large_deviation(model, distances, n, points, &ended,
                                   &error) != BPERC_OK)
    fail_msg("alpha %g A %g f_in %g: %s", model->alpha, model->a, model->fin,
             error.text);
  assert_true(isnan(ended));
}

static void test_known_points(void **state) {
  (void)state;
  const double d[] = {0.02, 0.1};
  bperc_theory_local p;
  ask(&dense_01, &d[0], 1, &p);
  assert_close(p.entropy, 0.0351868, 5e-8);
  assert_close(p.slope, 0.878, 5e-4);
  assert_true(p.residual < 1e-9 && p.quadrature_error < 1e-10);
  ask(&dense_ising, &d[1], 1, &p);
  assert_close(p.entropy, 0.2758066, 5e-8);
  assert_close(p.slope, 1.446, 5e-4);
  assert_true(p.residual < 1e-9 && p.quadrature_error < 1e-10);
}

/* ---- stationarity ---- */

static double free_entropy(const bperc_i_dense *dense,
                           const bperc_i_dense_state *s) {
  double f;
  assert_int_equal(
      bperc_i_dense_free_entropy(&dense->problem, s, &dense->rule, &f),
      BPERC_OK);
  return f;
}

/* Central difference per relative change, which must be small for q1 - q0, too;
 * d follows q1 at fixed Q. */
static double derivative(const bperc_i_dense *dense, double *field,
                         bperc_i_dense_state *s) {
  bool overlap = field == &s->q1;
  double part = 1e-5 * fmin(1, 30 * (1 - s->q0 / s->q1));
  double keep = *field, e = part * fabs(keep), f[2];
  for (int side = 0; side < 2; side++) {
    *field = keep + (side ? e : -e);
    if (overlap)
      s->d = dense->problem.mean - s->q1;
    s->step = s->q1 - s->q0;
    f[side] = free_entropy(dense, s);
  }
  *field = keep;
  if (overlap)
    s->d = dense->problem.mean - s->q1;
  s->step = s->q1 - s->q0;
  return (f[1] - f[0]) / (2 * part);
}

static void check_stationary(bperc_theory_weights weights, double mean,
                             double alpha, double distance) {
  bperc_i_dense dense;
  assert_int_equal(bperc_i_dense_start(weights, mean, alpha, &dense), BPERC_OK);
  assert_int_equal(bperc_i_dense_move(&dense, distance), BPERC_OK);
  bperc_i_dense_state s = dense.state;
  double *fields[] = {&s.q1,  &s.q0,  &s.delta, &s.lam, &s.x,
                      &s.qh1, &s.qh0, &s.dh,    &s.h};
  size_t n = weights == BPERC_THEORY_ISING ? 8 : 9;
  for (size_t k = 0; k < n; k++) {
    double slope = derivative(&dense, fields[k], &s);
    if (fabs(slope) > 3e-8)
      fail_msg("alpha %g D %g: dF/d log(parameter %zu) = %g", alpha, distance,
               k, slope);
  }
}

static void test_stationary(void **state) {
  (void)state;
  check_stationary(BPERC_THEORY_01, 0.05, 0.2, 0.013);
  check_stationary(BPERC_THEORY_01, 0.21, 0.37, 0.031);
  check_stationary(BPERC_THEORY_ISING, 1, 0.63, 0.071);
  /* narrow inner peaks, x = 6e3: where a coarse inner rule loses the way */
  check_stationary(BPERC_THEORY_01, 0.95, 0.005, 0.022);
}

/* ---- the curve ---- */

/* Below the bound and approaching it; slope = dF/dD; flat at the typical
 * entropy beyond D*. */
static void check_curve(const bperc_theory_model *model, double top) {
  enum { N = 12 };
  double d[N];
  bperc_theory_local p[N];
  bperc_theory_typical typical;
  assert_int_equal(bperc_theory_entropy(model, &typical, NULL), BPERC_OK);
  for (int k = 0; k < N; k++)
    d[k] = top * pow(0.67, k / 2) * (1 + 1e-3 * (k % 2));
  ask(model, d, N, p);
  double before = 2;
  for (int k = 0; k < N; k += 2) {
    assert_true(p[k].entropy <= p[k].bound);
    assert_true(p[k].entropy < typical.entropy);
    assert_true(p[k].quadrature_error < 1e-7);
    double gap = (p[k].bound - p[k].entropy) / p[k].bound;
    assert_true(gap < before);
    before = gap;
    double slope = (p[k + 1].entropy - p[k].entropy) / (d[k + 1] - d[k]);
    assert_close(slope, (p[k].slope + p[k + 1].slope) / 2, 1e-4 * slope);
  }
}

static void test_curve(void **state) {
  (void)state;
  check_curve(&dense_01, 0.011);
  check_curve(&dense_ising, 0.09);
}

static void test_far_and_near(void **state) {
  (void)state;
  const double d[] = {0.3, 1e-6, 0.02, 0.9};
  bperc_theory_local p[4];
  bperc_theory_typical typical;
  assert_int_equal(bperc_theory_entropy(&dense_01, &typical, NULL), BPERC_OK);
  ask(&dense_01, d, 4, p);
  assert_true(p[0].regime == BPERC_THEORY_TYPICAL &&
              p[3].regime == BPERC_THEORY_TYPICAL &&
              p[2].regime == BPERC_THEORY_SADDLE);
  assert_close(p[0].entropy, typical.entropy, 1e-12);
  assert_true(p[1].regime == BPERC_THEORY_BOUND && p[1].entropy <= p[1].bound);
  assert_close(p[1].entropy / p[1].bound, 1, 1e-6);
  assert_close(p[2].entropy, 0.0351868, 5e-8);
}

/* Small alpha, where the saddle point is near the bound except close to D*. */
static void test_small_alpha(void **state) {
  (void)state;
  const double d[] = {0.001, 0.01, 0.035};
  bperc_theory_model model = dense_01;
  for (model.alpha = 0.02; model.alpha > 0.002; model.alpha *= 0.5) {
    bperc_theory_local p[3];
    ask(&model, d, 3, p);
    for (int k = 0; k < 3; k++)
      assert_true(p[k].entropy <= p[k].bound &&
                  p[k].entropy > 0.98 * p[k].bound);
    assert_int_equal(p[2].regime, BPERC_THEORY_SADDLE);
  }
  /* only by the second attempt, close to D* */
  bperc_theory_local p;
  double close = 0.021;
  model = (bperc_theory_model){.a = 2 / 0.03, .fin = 0.5, .alpha = 0.003};
  ask(&model, &close, 1, &p);
  assert_true(p.entropy < p.bound && p.entropy > 0.99 * p.bound);
}

/* ---- small alpha and large Q ---- */

/* F falls with alpha and stays below the bound; from one alpha to the next it
 * moves little. */
static void check_falls(double a, const double *d, size_t n, double alpha,
                        bperc_theory_local *p) {
  bperc_theory_local near[8];
  bperc_theory_model model = {.a = a, .fin = 0.5, .alpha = alpha};
  assert_true(n <= 8);
  ask(&model, d, n, p);
  model.alpha *= 1.02;
  ask(&model, d, n, near);
  for (size_t k = 0; k < n; k++) {
    assert_true(p[k].entropy <= p[k].bound);
    assert_true(near[k].entropy <= p[k].entropy + 1e-12);
    assert_close(near[k].entropy, p[k].entropy,
                 0.3 * (p[k].bound - near[k].entropy) + 1e-12);
  }
}

/* Most distances lie on the bound, those next to D* do not. At the last three
 * alpha the bound is close also at 0.75 D*. */
static void test_mostly_bound(void **state) {
  (void)state;
  static const double a[] = {2.4, 2.2, 2.0408, 2.0408, 2.0408};
  static const double alpha[] = {0.005, 0.005, 0.00024, 0.000239, 0.000245};
  for (int k = 0; k < 5; k++) {
    double widest = 1 - 2 / a[k];
    double d[] = {0.02 * widest, 0.3 * widest, 0.78 * widest, 0.782 * widest};
    bperc_theory_local p[4];
    check_falls(a[k], d, 4, alpha[k], p);
    assert_int_equal(p[0].regime, BPERC_THEORY_BOUND);
    assert_close(p[0].entropy / p[0].bound, 1, 1e-9);
    assert_close(p[1].entropy / p[1].bound, 1, 1e-3);
    assert_int_equal(p[2].regime, BPERC_THEORY_SADDLE);
    double slope = (p[3].entropy - p[2].entropy) / (d[3] - d[2]);
    assert_close(slope, (p[2].slope + p[3].slope) / 2, 1e-4 * slope);
  }
}

/* Where even a larger alpha lies on the bound, this one does. */
static void test_tiny_alpha(void **state) {
  (void)state;
  static const double a[] = {40, 4, 4, 2.105};
  static const double alpha[] = {1e-5, 1e-5, 5e-6, 1e-5};
  for (int k = 0; k < 4; k++) {
    double q = 2 / a[k], widest = fmin(q, 1 - q);
    double d[] = {0.1 * widest, 0.6 * widest, 0.7 * widest};
    bperc_theory_local p[3];
    bperc_theory_model model = {.a = a[k], .fin = 0.5, .alpha = alpha[k]};
    ask(&model, d, 3, p);
    for (int i = 0; i < 3; i++) {
      assert_int_equal(p[i].regime, BPERC_THEORY_BOUND);
      assert_true(p[i].entropy <= p[i].bound);
      assert_close(p[i].entropy, p[i].bound, p[i].quadrature_error + 1e-15);
      assert_true(p[i].quadrature_error < 1e-4 * p[i].bound);
    }
  }
}

/* Close to D* at large Q: the curve goes over into the typical entropy with
 * the slope that it tells. */
static void test_edge_at_large_q(void **state) {
  (void)state;
  static const double a[] = {4, 2.105};
  for (int k = 0; k < 2; k++) {
    enum { N = 20 };
    bperc_theory_model model = {.a = a[k], .fin = 0.5};
    bperc_theory_typical typical;
    assert_int_equal(bperc_theory_capacity(&model, &typical, NULL), BPERC_OK);
    model.alpha = 0.95 * typical.alpha;
    bperc_theory_local p[N + 1];
    double d[N + 1];
    bperc_i_dense dense;
    assert_int_equal(
        bperc_i_dense_start(BPERC_THEORY_01, 2 / a[k], model.alpha, &dense),
        BPERC_OK);
    assert_int_equal(bperc_theory_entropy(&model, &typical, NULL), BPERC_OK);
    for (int i = 0; i <= N; i++)
      d[i] = dense.edge * (0.4 + 0.6 * i / N);
    ask(&model, d, N + 1, p);
    for (int i = 0; i < N; i++) {
      double error = p[i].quadrature_error + p[i + 1].quadrature_error;
      double rise = p[i + 1].entropy - p[i].entropy;
      double slope = (p[i].slope + p[i + 1].slope) / 2;
      assert_true(p[i].entropy < typical.entropy && rise > 0);
      assert_close(rise, slope * (d[i + 1] - d[i]), 5e-3 * rise + error);
    }
    assert_close(p[N].entropy, typical.entropy, 1e-12);
  }
}

/* ---- loss ---- */

/* The saddle point does not see the capacity, but above Q = 0.8 it is not
 * followed there. */
static void test_above_capacity(void **state) {
  (void)state;
  bperc_theory_model model = {.a = 2 / 0.75, .fin = 0.5};
  bperc_theory_typical capacity;
  bperc_theory_local p[5];
  bperc_error error;
  double d = 0.03, drop = 0, ended;
  assert_int_equal(bperc_theory_capacity(&model, &capacity, NULL), BPERC_OK);
  for (int k = 0; k < 5; k++) {
    model.alpha = capacity.alpha * (0.98 + 0.01 * k);
    ask(&model, &d, 1, &p[k]);
    double before = drop;
    drop = k > 0 ? p[k - 1].entropy - p[k].entropy : 0;
    assert_true(k < 1 || drop > 0);
    assert_true(k < 2 || (drop > before && drop < 1.5 * before));
  }
  model.a = 2 / 0.85;
  assert_int_equal(bperc_theory_capacity(&model, &capacity, NULL), BPERC_OK);
  model.alpha = 0.999 * capacity.alpha;
  ask(&model, &d, 1, &p[0]);
  model.alpha = 1.001 * capacity.alpha;
  assert_int_equal(
      bperc_theory_large_deviation(&model, &d, 1, &p[0], &ended, &error),
      BPERC_E_NUMERIC);
  assert_non_null(strstr(error.text, "is above capacity"));
  model.a = 2 / 0.9951;
  model.alpha = 1e-4;
  assert_int_equal(
      bperc_theory_large_deviation(&model, &d, 1, &p[0], &ended, &error),
      BPERC_E_LIMIT);
}

/* Beyond D* no way is needed; far above capacity the reason is told. */
static void test_nothing_there(void **state) {
  (void)state;
  bperc_theory_model model = dense_01;
  bperc_theory_local p;
  bperc_error error;
  double ended, d = 0.02, far = 0.3;
  model.alpha = 0.3;
  assert_int_equal(
      bperc_theory_large_deviation(&model, &d, 1, &p, &ended, &error),
      BPERC_E_NUMERIC);
  assert_true(strstr(error.text, "above capacity"));
  assert_true(p.regime == BPERC_THEORY_LOST && isnan(p.entropy));
  ask(&model, &far, 1, &p);
  assert_int_equal(p.regime, BPERC_THEORY_TYPICAL);
}

static void test_lost(void **state) {
  (void)state;
  bperc_theory_model model = dense_01;
  const double d[] = {0.01, 0.0008};
  bperc_theory_local p[2];
  bperc_error error;
  double ended;
  model.alpha = 0.238;
  assert_int_equal(
      bperc_theory_large_deviation(&model, d, 2, p, &ended, &error),
      BPERC_E_NUMERIC);
  assert_true(p[0].regime != BPERC_THEORY_LOST &&
              p[1].regime == BPERC_THEORY_LOST && isnan(p[1].entropy));
  assert_true(ended > 0.0008 && ended < 0.0015);
}

static void test_alpha_u(void **state) {
  (void)state;
  bperc_theory_threshold t;
  assert_int_equal(bperc_theory_alpha_u(&dense_ising, 5e-4, 3e-4, &t, NULL),
                   BPERC_OK);
  assert_true(t.low > 0.77 && t.high < 0.78);
  assert_close(t.alpha_u, 0.7735, 5e-4);
  assert_true(t.at_low.survived && t.at_low.ended <= 3e-4);
  assert_true(!t.at_high.survived && t.at_high.slope < 1e-3);
  assert_int_equal(bperc_theory_alpha_u(&dense_01, 5e-4, 3e-4, &t, NULL),
                   BPERC_OK);
  assert_close(t.alpha_u, 0.2345, 5e-4);
  assert_true(t.at_low.survived && t.at_low.ended <= 3e-4);
  assert_true(!t.at_high.survived && t.at_high.ended > 5e-4);
}

static void test_broken_input(void **state) {
  (void)state;
  bperc_theory_model model = dense_01;
  bperc_theory_threshold t;
  bperc_theory_local p;
  bperc_error error;
  double ended, d = 0.01, bad[] = {0, -1, 1.5, NAN};
  for (int k = 0; k < 4; k++)
    assert_int_equal(
        bperc_theory_large_deviation(&model, &bad[k], 1, &p, &ended, &error),
        BPERC_E_ARGUMENT);
  model.weights = BPERC_THEORY_INTEGER;
  assert_int_equal(
      bperc_theory_large_deviation(&model, &d, 1, &p, &ended, &error),
      BPERC_E_ARGUMENT);
  assert_int_equal(bperc_theory_alpha_u(&model, 1e-3, 3e-4, &t, &error),
                   BPERC_E_ARGUMENT);
  assert_int_equal(bperc_theory_alpha_u(&dense_01, 0, 3e-4, &t, &error),
                   BPERC_E_ARGUMENT);
  model = dense_01;
  model.a = 1.7;
  assert_int_equal(bperc_theory_alpha_u(&model, 1e-3, 3e-4, &t, &error),
                   BPERC_E_NUMERIC);
  assert_int_equal(
      bperc_theory_large_deviation(&model, &d, 1, &p, &ended, &error),
      BPERC_E_NUMERIC);
}

static void test_memory(void **state) {
  (void)state;
  double ended, d = 0.02;
  bperc_theory_local p;
  for (long k = 0; k < 40; k += 3) {
    bperc_i_alloc_fail_after(k);
    assert_int_equal(
        bperc_theory_large_deviation(&dense_01, &d, 1, &p, &ended, NULL),
        BPERC_E_MEMORY);
  }
  bperc_i_alloc_fail_after(-1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_points),
      cmocka_unit_test(test_stationary),
      cmocka_unit_test(test_curve),
      cmocka_unit_test(test_far_and_near),
      cmocka_unit_test(test_small_alpha),
      cmocka_unit_test(test_mostly_bound),
      cmocka_unit_test(test_tiny_alpha),
      cmocka_unit_test(test_edge_at_large_q),
      cmocka_unit_test(test_above_capacity),
      cmocka_unit_test(test_nothing_there),
      cmocka_unit_test(test_lost),
      cmocka_unit_test(test_alpha_u),
      cmocka_unit_test(test_broken_input),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
