/* A Gaussian inside and outside of an interval against sums over a fine grid
 * in long double, and limits. */
#include "check.h"

#include "numeric/gauss.h"
#include "numeric/interval.h"

typedef struct {
  long double p, first, second;
} sums;

/* Gauss-Legendre of 5 nodes on many panels, exponents relative to peak. */
static void add(sums *s, double low, double high, long double peak) {
  static const long double x[] = {0, 0.538469310105683091L,
                                  0.906179845938663993L};
  static const long double w[] = {0.568888888888888889L, 0.478628670499366468L,
                                  0.236926885056189088L};
  long double from = fmaxl(low, -60), to = fminl(high, 60);
  long panels = (long)((to - from) * 30) + 50;
  long double half = 0.5L * (to - from) / (long double)panels;
  for (long k = 0; k < panels; k++)
    for (int j = -2; j <= 2; j++) {
      long double node = j < 0 ? -x[-j] : x[j];
      long double z = from + half * ((long double)(2 * k + 1) + node);
      long double f = half * w[j < 0 ? -j : j] * expl(-0.5L * z * z - peak);
      s->p += f;
      s->first += f * z;
      s->second += f * z * z;
    }
}

static void compare(bperc_i_interval got, const sums *s, long double peak) {
  long double mean = s->first / s->p;
  long double shrink = 1 - (s->second / s->p - mean * mean);
  double log_p = (double)(logl(s->p / sqrtl(8 * atanl(1))) + peak);
  assert_close(got.log_p, log_p, 1e-11 * (1 + fabs(log_p)));
  assert_close(got.mean, (double)mean, 1e-11 * (1 + fabs((double)mean)));
  assert_close(got.shrink, (double)shrink, 3e-9 * (1 + fabs((double)shrink)));
}

static void test_against_sums(void **state) {
  (void)state;
  for (double low = -21.3; low < 20; low += 3.37)
    for (double width = 1.3e-4; width < 50; width *= 5.3) {
      double high = low + width;
      double near = low > 0 ? low : high < 0 ? high : 0;
      long double peak = -0.5L * near * near;
      sums in = {0}, out = {0};
      add(&in, low, high, peak);
      compare(bperc_i_inside(low, high), &in, peak);
      near = fabs(low) < fabs(high) ? low : high;
      peak = low > 0 || high < 0 ? 0 : -0.5L * near * near;
      add(&out, -60, low, peak);
      add(&out, high, 60, peak);
      compare(bperc_i_outside(low, high), &out, peak);
    }
}

/* One end at infinity is the tail, both are everything. */
static void test_limits(void **state) {
  (void)state;
  for (double x = -30; x < 100; x += 3.3) {
    bperc_i_gauss_tail tail = bperc_i_tail_at(x);
    bperc_i_interval up = bperc_i_inside(x, INFINITY);
    bperc_i_interval down = bperc_i_inside(-INFINITY, -x);
    bperc_i_interval beyond = bperc_i_outside(-INFINITY, x);
    assert_close(up.log_p, tail.log_h, 0);
    assert_close(up.mean, tail.hazard, 0);
    assert_close(up.shrink, tail.hazard * tail.excess, 0);
    assert_close(down.log_p, tail.log_h, 0);
    assert_close(down.mean, -tail.hazard, 0);
    assert_close(beyond.log_p, tail.log_h, 1e-14 * fabs(tail.log_h));
    assert_close(beyond.mean, tail.hazard, 1e-14 * tail.hazard);
  }
  assert_close(bperc_i_inside(-INFINITY, INFINITY).log_p, 0, 0);
  assert_close(bperc_i_inside(-40, 40).mean, 0, 0);
}

/* Far out the shift dominates: the mean is close to the nearer end. */
static void test_far_tails(void **state) {
  (void)state;
  for (double low = 50; low < 1e6; low *= 7.7) {
    bperc_i_interval far = bperc_i_inside(low, low + 3.1);
    assert_close(far.mean, low + 1 / low, 3 / (low * low));
    assert_close(far.shrink, 1, 3 / (low * low));
    bperc_i_interval mirror = bperc_i_inside(-low - 3.1, -low);
    assert_close(mirror.mean, -far.mean, 0);
    assert_close(mirror.log_p, far.log_p, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_sums),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_far_tails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
