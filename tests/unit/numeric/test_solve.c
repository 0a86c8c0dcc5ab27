/* Roots, Newton's method and continuation on equations solved by hand. */
#include "check.h"

#include "numeric/gsl_guard.h"
#include "numeric/solve.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_log.h>
#include <pthread.h>

static double cubic(double x, void *context) {
  return x * x * x - *(double *)context;
}

static double undefined(double x, void *context) {
  (void)context;
  return x < 0.5 ? -1 : x > 0.6 ? 1 : NAN;
}

static void test_root(void **state) {
  (void)state;
  double c = 7.3, root;
  assert_int_equal(bperc_i_root(cubic, &c, 0, 5, 1e-15, &root), BPERC_OK);
  assert_close(root, cbrt(7.3), 1e-14);
  assert_int_equal(bperc_i_root(cubic, &c, 2, 5, 1e-15, &root),
                   BPERC_E_NUMERIC);
  assert_int_equal(bperc_i_root(undefined, NULL, 0, 1, 1e-15, &root),
                   BPERC_E_NUMERIC);
}

/* ---- errors inside GSL ---- */

static int reported; /* to the handler of the host */

static void hosts_handler(const char *reason, const char *file, int line,
                          int error) {
  (void)reason, (void)file, (void)line, (void)error;
  reported++;
}

/* Brackets a root when it is looked at first and not when GSL looks again. */
static double fickle(double x, void *context) {
  return ++*(int *)context > 2 ? 1 : x - 0.5;
}

/* With GSL's own handler this aborts the process. */
static void test_an_error_is_a_status(void **state) {
  (void)state;
  int calls = 0;
  double root;
  assert_int_equal(bperc_i_root(fickle, &calls, 0, 1, 1e-15, &root),
                   BPERC_E_NUMERIC);
  assert_int_equal(calls, 4);
}

static void *ask(void *context) {
  for (int k = 0; k < 2000; k++) {
    int calls = 0;
    double root;
    *(int *)context +=
        bperc_i_root(fickle, &calls, 0, 1, 1e-15, &root) == BPERC_E_NUMERIC;
  }
  return NULL;
}

/* Out of force while any call runs, back afterwards. */
static void test_the_host_keeps_its_handler(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  int failed[THREADS] = {0};
  gsl_sf_result r;
  gsl_error_handler_t *before = gsl_set_error_handler(hosts_handler);
  for (int k = 0; k < THREADS; k++)
    assert_int_equal(pthread_create(&threads[k], NULL, ask, &failed[k]), 0);
  for (int k = 0; k < THREADS; k++) {
    assert_int_equal(pthread_join(threads[k], NULL), 0);
    assert_int_equal(failed[k], 2000);
  }
  assert_int_equal(reported, 0);
  gsl_sf_log_e(-1, &r);
  assert_int_equal(reported, 1);
  bperc_i_gsl_begin();
  gsl_sf_log_e(-1, &r);
  assert_int_equal(reported, 1);
  gsl_set_error_handler(hosts_handler); /* the host changes its mind */
  bperc_i_gsl_end();
  gsl_sf_log_e(-1, &r);
  assert_int_equal(reported, 2);
  gsl_set_error_handler(before);
}

/* u0 u1 = p, u0 - log u1 = 0.3 */
static bperc_status pair(const double *u, double p, double *r, void *context) {
  ++*(int *)context;
  if (u[1] <= 0)
    return BPERC_E_NUMERIC;
  r[0] = u[0] * u[1] - p;
  r[1] = u[0] - log(u[1]) - 0.3;
  return BPERC_OK;
}

static void test_newton(void **state) {
  (void)state;
  int calls = 0;
  bperc_i_system s = {.n = 2,
                      .residual = pair,
                      .context = &calls,
                      .tolerance = 1e-13,
                      .max_steps = 30,
                      .max_change = 1};
  double u[2] = {3, 0.2}, size;
  assert_int_equal(bperc_i_newton(&s, 2.5, u, &size), BPERC_OK);
  assert_close(u[0] * u[1], 2.5, 1e-12);
  assert_close(u[0] - log(u[1]), 0.3, 1e-12);
  assert_true(size <= 1e-13 && calls < 60);
  double outside[2] = {1, -1};
  assert_int_equal(bperc_i_newton(&s, 2.5, outside, &size), BPERC_E_NUMERIC);
  s.max_steps = 1;
  double far[2] = {30, 0.2};
  assert_int_equal(bperc_i_newton(&s, 2.5, far, &size), BPERC_E_NUMERIC);
}

/* A curved valley, one equation much louder than the other: steps that lower
 * the residual would crawl along it. */
static bperc_status valley(const double *u, double p, double *r,
                           void *context) {
  ++*(int *)context;
  r[0] = 1e5 * (u[1] - u[0] * u[0] * u[0]);
  r[1] = p - u[0];
  return BPERC_OK;
}

static void test_newton_in_a_valley(void **state) {
  (void)state;
  int calls = 0;
  bperc_i_system s = {.n = 2,
                      .residual = valley,
                      .context = &calls,
                      .tolerance = 1e-8,
                      .max_steps = 30,
                      .max_change = 10};
  double u[2] = {-1.2, -1.728}, size; /* on its floor */
  assert_int_equal(bperc_i_newton(&s, 1.7, u, &size), BPERC_OK);
  assert_close(u[1], 1.7 * 1.7 * 1.7, 1e-12);
  assert_true(calls < 15);
}

/* The fold u^2 = p: a branch exists for p >= 0 only. */
static bperc_status fold(const double *u, double p, double *r, void *context) {
  (void)context;
  r[0] = u[0] * u[0] - p;
  return BPERC_OK;
}

static bperc_status broken(const double *u, double p, double *r,
                           void *context) {
  (void)context;
  r[0] = u[0] - p;
  return p > 0.5 ? BPERC_E_MEMORY : BPERC_OK;
}

static bool above_half(const bperc_i_branch *branch, void *context) {
  (void)context;
  return branch->u[0] > 0.5;
}

static void test_follow(void **state) {
  (void)state;
  bperc_i_system s = {.n = 1,
                      .residual = fold,
                      .tolerance = 1e-13,
                      .max_steps = 30,
                      .max_change = 1};
  bperc_i_stride stride = {.first = 0.1, .largest = 1, .smallest = 1e-7};
  bperc_i_branch b = {.parameter = 1, .u = {1}};
  assert_int_equal(bperc_i_follow(&s, &stride, 17.3, &b), BPERC_OK);
  assert_true(b.parameter == 17.3);
  assert_close(b.u[0], sqrt(17.3), 1e-12);
  /* a step of a rounding error does not spoil the next prediction */
  b.u[0] *= 1.01;
  assert_int_equal(bperc_i_follow(&s, &stride, 17.3 * (1 + 3e-16), &b),
                   BPERC_OK);
  assert_close(b.u[0], sqrt(17.3), 1e-12);
  assert_true(fabs(b.slope[0]) < 1);
  assert_int_equal(bperc_i_follow(&s, &stride, 16, &b), BPERC_OK);
  assert_close(b.u[0], 4, 1e-12);
  assert_int_equal(bperc_i_follow(&s, &stride, -1, &b), BPERC_E_NUMERIC);
  assert_true(b.parameter >= 0 && b.parameter < 1e-5);
  assert_close(b.u[0] * b.u[0], b.parameter, 1e-12);
}

static void test_follow_stops(void **state) {
  (void)state;
  bperc_i_system s = {.n = 1,
                      .residual = fold,
                      .tolerance = 1e-13,
                      .max_steps = 30,
                      .max_change = 1};
  bperc_i_stride stride = {
      .first = 0.1, .largest = 1, .smallest = 1e-7, .accept = above_half};
  bperc_i_branch b = {.parameter = 1, .u = {1}};
  assert_int_equal(bperc_i_follow(&s, &stride, 0.1, &b), BPERC_E_NUMERIC);
  assert_close(b.parameter, 0.25, 1e-5);
  /* enough at the first point where it is, without shorter steps */
  b = (bperc_i_branch){.parameter = 0.01, .u = {0.1}};
  stride.accept = NULL;
  stride.enough = above_half;
  assert_int_equal(bperc_i_follow(&s, &stride, 9, &b), BPERC_E_NUMERIC);
  assert_true(b.parameter > 0.25 && b.parameter < 2);
  assert_close(b.u[0] * b.u[0], b.parameter, 1e-12);
  assert_int_equal(bperc_i_follow(&s, &stride, b.parameter, &b), BPERC_OK);
  stride.enough = NULL;
  stride.accept = above_half;
  s.residual = broken;
  bperc_i_branch c = {0};
  assert_int_equal(bperc_i_follow(&s, &stride, 1, &c), BPERC_E_NUMERIC);
  stride.accept = NULL;
  assert_int_equal(bperc_i_follow(&s, &stride, 1, &c), BPERC_E_MEMORY);
}

/* u = -log(1 - parameter): it runs away at 1. Context: calls so far. */
static bperc_status runaway(const double *u, double parameter, double *r,
                            void *context) {
  ++*(int *)context;
  r[0] = exp(-u[0]) - (1 - parameter);
  return BPERC_OK;
}

/* Foreseen, the end is found without steps beyond it; the solution and the way
 * back are the same. */
static void test_follow_foresees(void **state) {
  (void)state;
  int calls[2] = {0};
  for (int foresee = 0; foresee < 2; foresee++) {
    bperc_i_system s = {.n = 1,
                        .residual = runaway,
                        .context = &calls[foresee],
                        .tolerance = 1e-12,
                        .max_steps = 10,
                        .max_change = 1};
    bperc_i_stride stride = {
        .first = 0.1, .largest = 0.5, .smallest = 1e-3, .foresee = foresee};
    bperc_i_branch b = {0};
    assert_int_equal(bperc_i_follow(&s, &stride, 0.97, &b), BPERC_OK);
    assert_close(b.u[0], -log1p(-0.97), 1e-10);
    assert_int_equal(bperc_i_follow(&s, &stride, 2, &b), BPERC_E_NUMERIC);
    assert_true(b.parameter > 0.99 && b.parameter < 1);
    assert_close(b.u[0], -log1p(-b.parameter), 1e-8);
    assert_int_equal(bperc_i_follow(&s, &stride, 0, &b), BPERC_OK);
    assert_close(b.u[0], 0, 1e-10);
  }
  assert_true(calls[1] < calls[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_root),
      cmocka_unit_test(test_an_error_is_a_status),
      cmocka_unit_test(test_the_host_keeps_its_handler),
      cmocka_unit_test(test_newton),
      cmocka_unit_test(test_newton_in_a_valley),
      cmocka_unit_test(test_follow),
      cmocka_unit_test(test_follow_stops),
      cmocka_unit_test(test_follow_foresees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
