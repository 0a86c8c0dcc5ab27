/* The symmetric perceptron: published values, the free entropies written out
 * literally, counting over all weights, limits, and broken input. */
#include "check.h"

#include "bperc/stream.h"
#include "bperc/symmetric.h"

#include <stdlib.h>

static bperc_symmetric_typical typical(double band, double fout, double alpha) {
  bperc_symmetric_model model = {band, fout, alpha};
  bperc_symmetric_typical t;
  bperc_error e;
  if (bperc_symmetric_capacity(&model, &t, &e) != BPERC_OK)
    fail_msg("band %g f_out %g: %s", band, fout, e.text);
  assert_true(t.quadrature_error < 1e-9);
  return t;
}

/* -log 2 / log P(|z| <= K), from erf in long double */
static void test_first_moment(void **state) {
  (void)state;
  for (double band = 0.1; band < 4; band += 0.13) {
    long double p = erfl((long double)band / sqrtl(2));
    double rectangle = (double)(-logl(2) / logl(p));
    double outside = (double)(-logl(2) / logl(erfcl(band / sqrtl(2))));
    assert_close(typical(band, 1, 0).alpha_c / rectangle, 1, 1e-13);
    assert_close(typical(band, 0, 0).alpha_c / outside, 1, 1e-13);
  }
  assert_close(typical(1, 1, 0).alpha_c, 1.8159, 5e-5);
  assert_close(typical(1, 1, 0.5).entropy, log(2) * (1 - 0.5 / 1.815875496),
               1e-9);
}

/* For the rectangle the second moment confirms the first at every band; for the
 * complement up to K* = 0.817 (Aubin, Perkins, Zdeborova 2019). */
static void test_second_moment(void **state) {
  (void)state;
  for (double band = 0.2; band < 3; band += 0.21)
    assert_close(typical(band, 1, 0).alpha_moment, typical(band, 1, 0).alpha_c,
                 0);
  double low = 0.5, high = 1.2;
  while (high - low > 1e-5) {
    double band = 0.5 * (low + high);
    bperc_symmetric_typical t = typical(band, 0, 0);
    *(t.alpha_moment < t.alpha_c ? &high : &low) = band;
  }
  assert_close(low, 0.817, 5e-4);
}

/* Pairs: for correlation m the literal double integral. */
static double literal_pair(double band, double m) {
  double sum = 0, h = 0.002, s = sqrt(1 - m * m);
  for (double z = -band + h / 2; z < band; z += h)
    sum += h * exp(-0.5 * z * z) / sqrt(2 * M_PI) *
           (0.5 * erfc((-band - m * z) / s / M_SQRT2) -
            0.5 * erfc((band - m * z) / s / M_SQRT2));
  return sum;
}

static double hb(double p) { return -p * log(p) - (1 - p) * log1p(-p); }

static bperc_symmetric_local at_distance(double band, double alpha, double d) {
  bperc_symmetric_model model = {band, 1, alpha};
  bperc_symmetric_local p;
  bperc_error e;
  if (bperc_symmetric_franz_parisi(&model, &d, 1, &p, &e) != BPERC_OK)
    fail_msg("band %g alpha %g D %g: %s", band, alpha, d, e.text);
  assert_true(p.quadrature_error < 1e-9 && p.residual < 1e-9);
  return p;
}

static void test_bound(void **state) {
  (void)state;
  for (double d = 0.03; d < 0.5; d += 0.11) {
    double p = erf(0.71 / M_SQRT2), pair = literal_pair(0.71, 1 - 2 * d);
    bperc_symmetric_local at = at_distance(0.71, 0.4, d);
    assert_close(at.bound, hb(d) + 0.4 * log(pair / p), 1e-6);
    assert_true(at.entropy < at.bound);
    assert_close(at.entropy, at_distance(0.71, 0.4, 1 - d).entropy, 1e-12);
  }
}

/* F of the heading of symmetric_local.c at any order parameters, on grids. */
static double literal_f(double band, double alpha, double p, double q1,
                        double ph, double qh) {
  double f = -0.5 * qh * (1 - q1) - ph * p, h = 0.01;
  double own = erf(band / M_SQRT2);
  for (double z = -9; z < 9; z += h) {
    double w = h * exp(-0.5 * z * z) / sqrt(2 * M_PI);
    double x = ph + sqrt(qh) * z, c = sqrt(q1) * z, s = sqrt(2 * (1 - q1));
    double t = p / sqrt(q1) * z, r = sqrt(2 * (1 - p * p / q1));
    double near = 0.5 * (erf((band - t) / r) + erf((band + t) / r)) / own;
    double far = 0.5 * (erf((band - c) / s) + erf((band + c) / s));
    f += w * (fabs(x) + log1p(exp(-2 * fabs(x))));
    if (near > 1e-12)
      f += w * alpha * near * log(far);
  }
  return f;
}

/* F is stationary in q1 and equals the answer, with ph and qh found here from
 * p and q1 by Newton's method on grids. */
static void solve_sites(double p, double q1, double *ph, double *qh) {
  *ph = atanh(p);
  *qh = 0.1;
  for (int step = 0; step < 200; step++) {
    double mean = 0, square = 0, h = 0.01;
    for (double z = -9; z < 9; z += h) {
      double w = h * exp(-0.5 * z * z) / sqrt(2 * M_PI);
      double t = tanh(*ph + sqrt(*qh) * z);
      mean += w * t;
      square += w * t * t;
    }
    *ph += (p - mean) / (1 - q1);
    *qh = fmax(1e-3, *qh + (q1 - square) / (1 - q1) / 2);
  }
}

static void test_stationary(void **state) {
  (void)state;
  double band = 0.83, alpha = 0.6, d = 0.15, p = 1 - 2 * d, f[3];
  bperc_symmetric_local at = at_distance(band, alpha, d);
  for (int k = 0; k < 3; k++) {
    double ph, qh, q1 = at.overlap + 0.01 * (k - 1);
    solve_sites(p, q1, &ph, &qh);
    f[k] = literal_f(band, alpha, p, q1, ph, qh);
  }
  assert_close(f[1], at.entropy, 1e-7);
  assert_true(fabs(f[2] - f[0]) < 0.05 * fabs(f[2] - 2 * f[1] + f[0]));
}

/* Typical solutions are isolated: no others at small distances. */
static void test_isolated(void **state) {
  (void)state;
  for (double alpha = 0.1; alpha < 1.8; alpha += 0.4) {
    bperc_symmetric_model model = {1, 1, alpha};
    double d = 0.001 * alpha * alpha;
    bperc_symmetric_local p;
    bperc_error e;
    bperc_status status = bperc_symmetric_franz_parisi(&model, &d, 1, &p, &e);
    assert_true(status == BPERC_OK || status == BPERC_E_NUMERIC);
    assert_int_equal(status == BPERC_E_NUMERIC, isnan(p.entropy));
    assert_true(p.bound < 0);
  }
}

/* Counting: N = 16, signed inputs, M patterns: log of the mean count. Sums have
 * steps of 2, so P is that of the binomial distribution. */
static void test_counting(void **state) {
  (void)state;
  enum { N = 16, M = 8, INSTANCES = 200 };
  double band = 1.25, inside = 0, total = 0; /* |sum| <= 5, in fact 4 */
  for (int ones = 0; ones <= N; ones++)
    if (abs(2 * ones - N) <= 4)
      inside +=
          exp(lgamma(N + 1) - lgamma(ones + 1) - lgamma(N - ones + 1)) / 65536;
  for (int k = 0; k < INSTANCES; k++) {
    bperc_stream s = bperc_stream_make(4711, BPERC_FOR_PATTERNS, (uint64_t)k);
    unsigned rows[M];
    for (int mu = 0; mu < M; mu++)
      rows[mu] = (unsigned)bperc_stream_below(&s, 1 << N);
    for (unsigned w = 0; w < 1 << N; w++) {
      int mu = 0;
      while (mu < M && abs(N - 2 * __builtin_popcount(w ^ rows[mu])) <= 4)
        mu++;
      total += mu == M;
    }
  }
  double exact = log(2) + (double)M / N * log(inside);
  double counted = log(total / INSTANCES) / N;
  assert_close(counted, exact, 0.01);
  /* the theory with the band half way between the sums 4 and 6 */
  assert_close(typical(band, 1, (double)M / N).entropy, exact, 0.01);
}

static void test_broken_input(void **state) {
  (void)state;
  bperc_symmetric_model bad[] = {{0, 1, 0},   {-1, 1, 0},   {9, 1, 0},
                                 {1, 1.1, 0}, {1, -0.1, 0}, {1, 1, -1},
                                 {NAN, 1, 0}, {1, NAN, 0},  {1, 1, INFINITY}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    bperc_symmetric_typical t;
    bperc_error e;
    assert_int_equal(bperc_symmetric_capacity(&bad[k], &t, &e),
                     BPERC_E_ARGUMENT);
    assert_true(e.text[0]);
  }
  double d = 1.5;
  bperc_symmetric_local p;
  assert_int_equal(bperc_symmetric_franz_parisi(
                       &(bperc_symmetric_model){1, 1, 0.5}, &d, 1, &p, NULL),
                   BPERC_E_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_moment), cmocka_unit_test(test_second_moment),
      cmocka_unit_test(test_bound),        cmocka_unit_test(test_stationary),
      cmocka_unit_test(test_isolated),     cmocka_unit_test(test_counting),
      cmocka_unit_test(test_broken_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
