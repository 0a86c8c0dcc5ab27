/* Densest region at finite y: stationarity of the free entropy in every order
 * parameter for both kinds of references, internal entropy and lam as its
 * derivatives, the limit y -> infinity, one copy, loss of concavity. */
#include "check.h"

#include "bperc/theory.h"
#include "theory/finite_y.h"

static const bperc_theory_model binary = {.a = 40, .fin = 0.5, .alpha = 0.2};
static const bperc_theory_model ising = {.weights = BPERC_THEORY_ISING,
                                         .alpha = 0.4};

static bperc_theory_model with(const bperc_theory_model *model, double y,
                               bperc_theory_references references) {
  bperc_theory_model m = *model;
  m.y = y;
  m.references = references;
  return m;
}

static bperc_i_copies at(const bperc_theory_model *model, double distance) {
  bperc_i_copies c;
  assert_int_equal(bperc_i_copies_start(model, &c), BPERC_OK);
  assert_int_equal(bperc_i_copies_move(&c, distance), BPERC_OK);
  return c;
}

/* ---- stationarity ---- */

/* d and q1 - q0 follow the overlaps: Q = d + q1 + delta/y. */
static double free_entropy(const bperc_i_copies *c, bperc_i_dense_state *s) {
  const bperc_i_dense_problem *p = bperc_i_copies_at(c);
  double f;
  s->d = p->mean - s->q1 - s->delta / s->y;
  s->step = s->q1 - s->q0;
  assert_int_equal(bperc_i_dense_free_entropy(p, s, &c->dense.rule, &f),
                   BPERC_OK);
  return f;
}

static void check_stationary(const bperc_theory_model *model, double distance) {
  bperc_i_copies c = at(model, distance);
  bperc_i_dense_state s = *bperc_i_copies_state(&c);
  bool rs = model->references == BPERC_THEORY_RS;
  double *fields[] = {&s.q1, &s.q0,    &s.lam, &s.qh1, &s.qh0,
                      &s.h,  &s.delta, &s.dh,  &s.x};
  for (size_t k = 0; k < (rs ? 6 : 9); k++) {
    double keep = *fields[k], part = 1e-5 * fmin(1, 30 * (1 - s.q0 / s.q1));
    double f[2];
    if (keep == 0) /* h of -1, +1 */
      continue;
    for (int side = 0; side < 2; side++) {
      *fields[k] = keep * (1 + (side ? part : -part));
      f[side] = free_entropy(&c, &s);
    }
    *fields[k] = keep;
    double slope = (f[1] - f[0]) / (2 * part);
    if (fabs(slope) > 3e-8)
      fail_msg("y %g D %g: dF/d log(parameter %zu) = %g", model->y, distance, k,
               slope);
  }
}

static void test_stationary(void **state) {
  (void)state;
  bperc_theory_model m = with(&binary, 17, BPERC_THEORY_1RSB);
  check_stationary(&m, 0.013);
  m = with(&ising, 70, BPERC_THEORY_1RSB);
  check_stationary(&m, 0.09);
  m = with(&binary, 17, BPERC_THEORY_RS);
  check_stationary(&m, 0.007);
  m = with(&ising, 13, BPERC_THEORY_RS);
  check_stationary(&m, 0.07);
}

/* ---- derivatives ---- */

static bperc_theory_local ask(const bperc_theory_model *model, double d) {
  bperc_theory_local p;
  bperc_error error;
  double ended;
  if (bperc_theory_large_deviation(model, &d, 1, &p, &ended, &error) !=
      BPERC_OK)
    fail_msg("y %g D %g: %s", model->y, d, error.text);
  assert_true(p.residual < 1e-9 && p.quadrature_error < 1e-9);
  return p;
}

/* Phi = y internal + external; internal = dPhi/dy and y lam = dPhi/dD. */
static double phi(bperc_theory_model model, double y, double d) {
  model.y = y;
  bperc_theory_local p = ask(&model, d);
  return y * p.entropy + p.external;
}

static void check_derivatives(const bperc_theory_model *m, double d) {
  bperc_theory_local p = ask(m, d);
  double e = 1e-3, y = m->y;
  double by_y =
      (phi(*m, y * (1 + e), d) - phi(*m, y * (1 - e), d)) / (2 * e * y);
  double by_d =
      (phi(*m, y, d * (1 + e)) - phi(*m, y, d * (1 - e))) / (2 * e * d);
  assert_close(by_y / p.entropy, 1, 1e-5);
  assert_close(by_d / (y * p.slope), 1, 1e-5);
  assert_true(p.entropy < p.bound);
}

static void test_derivatives(void **state) {
  (void)state;
  bperc_theory_model m = with(&binary, 20, BPERC_THEORY_RS);
  check_derivatives(&m, 0.011);
  m = with(&ising, 12, BPERC_THEORY_RS);
  check_derivatives(&m, 0.05);
  m = with(&binary, 20, BPERC_THEORY_1RSB);
  check_derivatives(&m, 0.018);
}

/* ---- limits ---- */

/* 1RSB references: corrections of order 1/y, no external entropy left. */
static void test_many_copies(void **state) {
  (void)state;
  bperc_theory_local limit = ask(&binary, 0.016);
  double gap[2];
  assert_true(isnan(limit.external) && isnan(limit.parisi));
  for (int k = 0; k < 2; k++) {
    bperc_theory_model m = with(&binary, k ? 4000 : 1000, BPERC_THEORY_1RSB);
    bperc_theory_local p = ask(&m, 0.016);
    gap[k] = fabs(p.entropy - limit.entropy);
    assert_true(fabs(p.external) < 1e-3 && p.parisi < 0.02);
    assert_close(p.slope, limit.slope, 1e-3);
  }
  assert_true(gap[1] < 1e-6 && gap[1] < 0.5 * gap[0]);
}

/* One copy: a reference and a solution around it; Phi counts pairs, of which
 * there are exp(N(F + Hb(D))). */
static void test_one_copy(void **state) {
  (void)state;
  bperc_theory_typical t;
  assert_int_equal(bperc_theory_entropy(&ising, &t, NULL), BPERC_OK);
  double d = 0.09, pairs = t.entropy - d * log(d) - (1 - d) * log1p(-d);
  bperc_theory_model m = with(&ising, 1, BPERC_THEORY_RS);
  assert_close(phi(m, 1, d), pairs, 1e-9);
}

/* ---- loss of concavity ---- */

static void test_concavity(void **state) {
  (void)state;
  bperc_theory_fold fold;
  bperc_theory_model m = with(&binary, 15, BPERC_THEORY_RS);
  assert_int_equal(bperc_theory_concavity(&m, 3e-3, 4e-3, &fold, NULL),
                   BPERC_OK);
  assert_close(fold.alpha, 0.2156, 3e-3);
  assert_true(fold.from < fold.to && fold.to < 0.03);
  assert_int_equal(bperc_theory_concavity(&binary, 2e-3, 3e-4, &fold, NULL),
                   BPERC_OK);
  assert_close(fold.alpha, 0.2287, 2e-3);
}

/* How far a curve is followed does not matter: at finite y lam falls at the
 * smallest distances at every load, and that is no fold. */
static void test_last_fall(void **state) {
  (void)state;
  bperc_theory_fold near, far;
  bperc_theory_model m = with(&ising, 10, BPERC_THEORY_RS);
  assert_int_equal(bperc_theory_concavity(&m, 4e-3, 3e-3, &near, NULL),
                   BPERC_OK);
  assert_int_equal(bperc_theory_concavity(&m, 4e-3, 3e-4, &far, NULL),
                   BPERC_OK);
  assert_close(far.alpha, near.alpha, 1e-12);
  assert_true(far.from > 0.01); /* the last fall begins near 0.002 */
}

static void test_broken_input(void **state) {
  (void)state;
  bperc_theory_local p;
  bperc_theory_fold fold;
  double ended, d = 0.01;
  bperc_theory_model bad[] = {with(&binary, 0, BPERC_THEORY_RS),
                              with(&binary, 0.5, BPERC_THEORY_RS),
                              with(&binary, NAN, BPERC_THEORY_1RSB),
                              with(&binary, 20, BPERC_THEORY_RS)};
  bad[3].weights = BPERC_THEORY_INTEGER;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(
        bperc_theory_large_deviation(&bad[k], &d, 1, &p, &ended, NULL),
        BPERC_E_ARGUMENT);
    assert_int_equal(bperc_theory_concavity(&bad[k], 1e-3, 1e-3, &fold, NULL),
                     BPERC_E_ARGUMENT);
  }
  assert_int_equal(bperc_theory_concavity(&binary, 0, 1e-3, &fold, NULL),
                   BPERC_E_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stationary),   cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_many_copies),  cmocka_unit_test(test_one_copy),
      cmocka_unit_test(test_concavity),    cmocka_unit_test(test_last_fall),
      cmocka_unit_test(test_broken_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
