/* Learning from a teacher: published thresholds, the equations written out
 * literally, counting over all weights, and broken input. */
#include "check.h"

#include "bperc/stream.h"
#include "bperc/teacher.h"

#include <stdlib.h>

static bperc_teacher_answer learn(bperc_teacher_model model) {
  bperc_teacher_answer t;
  bperc_error e;
  if (bperc_teacher_generalisation(&model, &t, &e) != BPERC_OK)
    fail_msg("alpha %g mean %g: %s", model.alpha, model.mean, e.text);
  assert_true(t.quadrature_error < 1e-7 && t.residual < 1e-9);
  return t;
}

static bperc_teacher_answer learn_pm(double alpha, double noise) {
  return learn((bperc_teacher_model){
      .weights = BPERC_THEORY_ISING, .alpha = alpha, .noise = noise});
}

/* Gyorgyi 1990 has 1.245 for the transition; 1.493 is quoted for the end of the
 * fixed point without knowledge of the teacher. */
static void test_thresholds(void **state) {
  (void)state;
  bperc_teacher_answer t = learn_pm(1, 0);
  assert_close(t.alpha_it, 1.245, 5e-4);
  assert_close(t.alpha_it, 1.2446840, 5e-8);
  assert_close(t.alpha_amp, 1.493, 5e-4);
  assert_close(t.alpha_amp, 1.4926318, 5e-8);
}

/* A pattern's share of the equations, on a plain grid. */
static double literal_conjugate(double q, double flip) {
  double sum = 0, h = 0.004, x = sqrt(q / (1 - q));
  for (double v = -9; v < 9; v += h) {
    double one = 0.5 * erfc(-x * v / M_SQRT2);
    double p = flip + (1 - 2 * flip) * one, n = 1 - p;
    double g = (1 - 2 * flip) * exp(-0.5 * x * x * v * v) / sqrt(2 * M_PI);
    double w = h * exp(-0.5 * v * v) / sqrt(2 * M_PI);
    if (p > 1e-14 && n > 1e-14)
      sum += w * g * g * (1 / p + 1 / n) / (1 - q);
  }
  return sum;
}

static double literal_overlap(double r) {
  double sum = 0, h = 0.004;
  for (double z = -9; z < 9; z += h)
    sum += h * exp(-0.5 * z * z) / sqrt(2 * M_PI) * tanh(r + sqrt(r) * z);
  return sum;
}

static void test_fixed_point(void **state) {
  (void)state;
  for (double noise = 0; noise < 0.3; noise += 0.11)
    for (double alpha = 0.2; alpha < 1.3; alpha += 0.3) {
      double q = learn_pm(alpha, noise).amp.overlap;
      double r = alpha * literal_conjugate(q, noise);
      assert_close(literal_overlap(r), q, 1e-8);
    }
}

/* Steps of state evolution are the same map, from nothing. */
static void test_evolution(void **state) {
  (void)state;
  bperc_teacher_model model = {.weights = BPERC_THEORY_ISING, .alpha = 1.1};
  bperc_teacher_state s[200];
  bperc_error e;
  assert_int_equal(bperc_teacher_evolution(&model, 0, 199, s, &e), BPERC_OK);
  double q = 0;
  for (int k = 0; k < 6; k++) {
    assert_close(s[k].overlap, q, 1e-8);
    assert_close(s[k].error_gibbs, acos(q) / M_PI, 1e-8);
    assert_close(s[k].error_bayes, acos(sqrt(q)) / M_PI, 1e-8);
    q = literal_overlap(1.1 * literal_conjugate(q, 0));
  }
  assert_close(s[199].overlap, learn(model).amp.overlap, 1e-9);
  model.alpha = 1.6;
  assert_int_equal(bperc_teacher_evolution(&model, 0, 199, s, &e), BPERC_OK);
  assert_close(s[199].overlap, 1, 1e-9);
  assert_close(s[199].error_gibbs, 0, 0);
}

/* 0, 1 at Q = 1/2 with inputs of equal sums is -1, +1; with independent inputs
 * the known part of the sum helps the student. */
static void test_known_part(void **state) {
  (void)state;
  bperc_teacher_model model = {.weights = BPERC_THEORY_01,
                               .mean = 0.5,
                               .exact_inputs = 1,
                               .alpha = 0.8,
                               .noise = 0.02};
  bperc_teacher_answer exact = learn(model), pm = learn_pm(0.8, 0.02);
  assert_close(exact.alpha_it, pm.alpha_it, 1e-12);
  assert_close(exact.alpha_amp, pm.alpha_amp, 1e-12);
  assert_close(exact.best.error_bayes, pm.best.error_bayes, 1e-12);
  assert_close(4 * exact.best.overlap - 1, pm.best.overlap, 1e-12);
  model.exact_inputs = 0;
  bperc_teacher_answer free = learn(model);
  assert_true(free.best.error_bayes < exact.best.error_bayes - 0.02);
  assert_true(free.best.overlap < exact.best.overlap);
  assert_close(free.best.error_gibbs, acos(2 * free.best.overlap) / M_PI, 1e-9);
  assert_close(free.best.error_bayes, acos(sqrt(2 * free.best.overlap)) / M_PI,
               1e-9);
}

/* Noise moves the thresholds up; wrong labels carry no knowledge at 1/2. */
static void test_noise(void **state) {
  (void)state;
  double it = 0, amp = 0;
  for (double noise = 0; noise < 0.4; noise += 0.07) {
    bperc_teacher_answer t = learn_pm(1, noise);
    assert_true(t.alpha_it > it && t.alpha_amp > amp);
    assert_true(t.alpha_it < t.alpha_amp);
    it = t.alpha_it;
    amp = t.alpha_amp;
  }
}

/* With a band the sign of the teacher is unknown: nothing is learned below an
 * instability, at 1 / ((2 K G(K))^2 (1/p + 1/(1-p))), and half of all inputs
 * inside need one pattern per weight to be stored. */
static void test_band(void **state) {
  (void)state;
  double band = 1, p = erf(band / M_SQRT2);
  double edge = 2 * band * exp(-0.5 * band * band) / sqrt(2 * M_PI);
  double first = 1 / (edge * edge * (1 / p + 1 / (1 - p)));
  bperc_teacher_model model = {.weights = BPERC_THEORY_ISING, .band = band};
  model.alpha = first - 0.001;
  assert_close(learn(model).amp.overlap, 0, 1e-12);
  model.alpha = first + 0.01;
  assert_true(learn(model).amp.overlap > 1e-3);
  model.band = 0.674489750196082;
  model.alpha = 0.7;
  assert_close(learn(model).alpha_it, 1, 1e-9);
  assert_close(learn(model).best.entropy, 0.3 * log(2), 1e-9);
}

/* All weights of N inputs -1, +1 that a teacher's labels allow: errors of a
 * random one and of the majority on new patterns. */
static void add_instance(int n, int m, uint64_t seed, double *gibbs,
                         double *bayes, int tests) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_PATTERNS, (uint64_t)n);
  unsigned all = 1u << n, rows[64], fresh[64], *kept, count = 0;
  unsigned teacher = (unsigned)bperc_stream_below(&s, all);
  kept = malloc(all * sizeof *kept);
  assert_non_null(kept);
  for (int mu = 0; mu < m; mu++)
    rows[mu] = (unsigned)bperc_stream_below(&s, all);
  for (int t = 0; t < tests; t++)
    fresh[t] = (unsigned)bperc_stream_below(&s, all);
  for (unsigned w = 0; w < all; w++) {
    int mu = 0;
    while (mu < m && (2 * __builtin_popcount(w ^ rows[mu]) < n) ==
                         (2 * __builtin_popcount(teacher ^ rows[mu]) < n))
      mu++;
    if (mu == m)
      kept[count++] = w;
  }
  for (int t = 0; t < tests; t++) {
    unsigned wrong = 0;
    int says = 2 * __builtin_popcount(teacher ^ fresh[t]) < n;
    for (unsigned k = 0; k < count; k++)
      wrong += (2 * __builtin_popcount(kept[k] ^ fresh[t]) < n) != says;
    *gibbs += (double)wrong / count / tests;
    *bayes += (2 * wrong > count ? 1 : 2 * wrong == count ? 0.5 : 0) / tests;
  }
  free(kept);
}

/* The finite-size part is taken as one term in 1/N, from N = 9 and 17. */
static void test_counting(void **state) {
  (void)state;
  double gibbs[2] = {0}, bayes[2] = {0};
  const int n[2] = {9, 17}, m[2] = {6, 11}, instances[2] = {4000, 300};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < instances[k]; i++)
      add_instance(n[k], m[k], (uint64_t)i + 1, &gibbs[k], &bayes[k], 40);
    bperc_teacher_answer t = learn_pm((double)m[k] / n[k], 0);
    gibbs[k] = gibbs[k] / instances[k] - t.best.error_gibbs;
    bayes[k] = bayes[k] / instances[k] - t.best.error_bayes;
  }
  double far = (17 * gibbs[1] - 9 * gibbs[0]) / 8;
  double best = (17 * bayes[1] - 9 * bayes[0]) / 8;
  assert_close(far, 0, 0.02);
  assert_close(best, 0, 0.02);
}

static void test_broken_input(void **state) {
  (void)state;
  bperc_teacher_model bad[] = {
      {.weights = BPERC_THEORY_INTEGER, .mean = 0.5, .alpha = 1},
      {.weights = BPERC_THEORY_01, .mean = 0, .alpha = 1},
      {.weights = BPERC_THEORY_01, .mean = 1, .alpha = 1},
      {.weights = BPERC_THEORY_01, .mean = NAN, .alpha = 1},
      {.weights = BPERC_THEORY_ISING, .alpha = -1},
      {.weights = BPERC_THEORY_ISING, .alpha = INFINITY},
      {.weights = BPERC_THEORY_ISING, .alpha = 1, .noise = 0.5},
      {.weights = BPERC_THEORY_ISING, .alpha = 1, .noise = -0.1},
      {.weights = BPERC_THEORY_ISING, .alpha = 1, .fout = 1},
      {.weights = BPERC_THEORY_ISING, .alpha = 1, .band = 9}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    bperc_teacher_answer t;
    bperc_teacher_state s[2];
    bperc_error e;
    assert_int_equal(bperc_teacher_generalisation(&bad[k], &t, &e),
                     BPERC_E_ARGUMENT);
    assert_true(e.text[0]);
    assert_int_equal(bperc_teacher_evolution(&bad[k], 0, 1, s, &e),
                     BPERC_E_ARGUMENT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_thresholds), cmocka_unit_test(test_fixed_point),
      cmocka_unit_test(test_evolution),  cmocka_unit_test(test_known_part),
      cmocka_unit_test(test_noise),      cmocka_unit_test(test_band),
      cmocka_unit_test(test_counting),   cmocka_unit_test(test_broken_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
