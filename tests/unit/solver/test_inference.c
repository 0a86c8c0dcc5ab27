/* Inference by message passing: against state evolution at a teacher's labels,
 * against counting over all weights, and broken input. */
#include "check.h"

#include "bperc/ensemble.h"
#include "bperc/inference.h"
#include "bperc/teacher.h"

#include <stdlib.h>

static bperc_instance *draw(const bperc_ensemble *e, uint64_t seed) {
  bperc_instance *in;
  bperc_error error;
  if (bperc_ensemble_draw(e, seed, &in, &error) != BPERC_OK)
    fail_msg("%s", error.text);
  return in;
}

static bperc_inference *begin(const bperc_instance *in, double noise,
                              unsigned threads) {
  bperc_inference_options o;
  bperc_inference *s;
  bperc_error error;
  bperc_options_default(bperc_inference_option_table(), &o);
  o.noise = noise;
  if (bperc_inference_new(in, &o, threads, &s, &error) != BPERC_OK)
    fail_msg("%s", error.text);
  return s;
}

static double overlap_with(const bperc_inference *s, const bperc_ensemble *e,
                           const uint64_t *teacher) {
  double *p = malloc(e->n * sizeof *p), sum = 0;
  assert_non_null(p);
  bperc_inference_marginals(s, p);
  for (size_t i = 0; i < e->n; i++)
    sum += e->model.weights == BPERC_WEIGHTS_PM
               ? (2 * p[i] - 1) * (2 * bperc_bit_get(teacher, i) - 1)
               : p[i] * bperc_bit_get(teacher, i);
  free(p);
  return sum / (double)e->n;
}

static bperc_inference_report converge(bperc_inference *s) {
  bperc_inference_report r = bperc_inference_step(s);
  while (!r.converged && !r.diverged && r.iterations < 500)
    r = bperc_inference_step(s);
  return r;
}

/* Every label flipped with this probability. */
static void flip_labels(bperc_instance *in, double noise, uint64_t seed) {
  bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_NOISE, 0);
  for (size_t mu = 0; mu < in->m; mu++)
    in->labels[mu] ^= bperc_stream_double(&stream) < noise;
  bperc_instance_update_bounds(in);
}

/* At every step, means over instances; both overlaps and errors. */
static void follow(bperc_ensemble e, const bperc_teacher_model *model,
                   int instances, double within) {
  enum { STEPS = 8 };
  bperc_teacher_state expected[STEPS + 1];
  double overlap[STEPS] = {0}, own[STEPS] = {0}, error[STEPS] = {0};
  assert_int_equal(bperc_teacher_evolution(model, 0, STEPS, expected, NULL),
                   BPERC_OK);
  for (int k = 0; k < instances; k++) {
    bperc_instance *in = draw(&e, 100 + (uint64_t)k);
    uint64_t *teacher;
    assert_int_equal(
        bperc_ensemble_teacher(&e, 100 + (uint64_t)k, &teacher, NULL),
        BPERC_OK);
    flip_labels(in, model->noise, (uint64_t)k);
    bperc_inference *s = begin(in, model->noise, 1);
    for (int t = 0; t < STEPS; t++) {
      bperc_inference_report r = bperc_inference_step(s);
      overlap[t] += overlap_with(s, &e, teacher) / instances;
      own[t] += r.overlap / instances;
      error[t] += r.error_bayes / instances;
    }
    bperc_inference_free(s);
    bperc_free(teacher);
    bperc_instance_free(in);
  }
  for (int t = 0; t < STEPS; t++) {
    assert_close(overlap[t], expected[t + 1].overlap, within);
    assert_close(own[t], expected[t + 1].overlap, within);
    /* those of the state before the step */
    assert_close(error[t], expected[t].error_bayes, within);
  }
}

static void test_state_evolution(void **state) {
  (void)state;
  bperc_ensemble e = {
      .n = 2001,
      .fin = 0.5,
      .teacher = 1,
      .model = {.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM}};
  for (double alpha = 0.5; alpha < 1.2; alpha += 0.5)
    for (double noise = 0; noise < 0.2; noise += 0.1) {
      bperc_teacher_model model = {
          .weights = BPERC_THEORY_ISING, .alpha = alpha, .noise = noise};
      e.m = (size_t)(alpha * 2001);
      follow(e, &model, 4, 0.025);
    }
}

/* Weights 0, 1 of inputs 0, 1: the activity is known from the labels. */
static void test_sparse(void **state) {
  (void)state;
  bperc_ensemble e = {
      .n = 3000, .m = 600, .fin = 0.3, .teacher = 1, .model = {.a = 40}};
  double activity = 1 / (40 * 0.3);
  bperc_teacher_model model = {
      .weights = BPERC_THEORY_01, .mean = activity, .alpha = 0.2};
  bperc_teacher_answer t;
  bperc_error error;
  double overlap = 0, bayes = 0;
  assert_int_equal(bperc_teacher_generalisation(&model, &t, &error), BPERC_OK);
  for (uint64_t k = 1; k <= 4; k++) {
    bperc_instance *in = draw(&e, k);
    bperc_inference *s = begin(in, 0, 1);
    bperc_inference_report r = converge(s);
    assert_true(r.converged);
    overlap += r.overlap / 4;
    bayes += r.error_bayes / 4;
    bperc_inference_free(s);
    bperc_instance_free(in);
  }
  assert_close(overlap, t.amp.overlap, 0.05 * activity);
  assert_close(bayes, t.amp.error_bayes, 0.02);
}

/* Marginals of all weights that satisfy the patterns, by counting. */
static void test_counting(void **state) {
  (void)state;
  enum { N = 17 };
  bperc_ensemble e = {
      .n = N,
      .m = 6,
      .fin = 0.5,
      .model = {.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM}};
  double off = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bperc_instance *in = draw(&e, seed);
    bperc_inference *s = begin(in, 0, 1);
    double p[N], counted[N] = {0}, solutions = 0;
    converge(s);
    bperc_inference_marginals(s, p);
    for (uint64_t w = 0; w < 1 << N; w++) {
      if (bperc_verify(in, &w, NULL).errors)
        continue;
      solutions++;
      for (size_t i = 0; i < N; i++)
        counted[i] += (double)(w >> i & 1);
    }
    for (size_t i = 0; i < N; i++)
      off += fabs(p[i] - counted[i] / solutions) / N / 20;
    bperc_inference_free(s);
    bperc_instance_free(in);
  }
  assert_true(off < 0.06); /* all 1/2 would be off by 0.13 */
}

/* Constraints on both sides, and outside of them, off the symmetric threshold:
 * marginals by counting. */
static void test_bands(void **state) {
  (void)state;
  enum { N = 15 };
  double off = 0, plain = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bperc_ensemble e = {.n = N,
                        .m = 5,
                        .fin = 0.5,
                        .fout = seed % 2 ? 1 : 0.4,
                        .model = {.theta = 3.5, .band = 1.2}};
    bperc_instance *in = draw(&e, seed);
    bperc_inference *s = begin(in, 0, 1);
    double p[N], counted[N] = {0}, solutions = 0;
    converge(s);
    bperc_inference_marginals(s, p);
    for (uint64_t w = 0; w < 1 << N; w++) {
      if (bperc_verify(in, &w, NULL).errors)
        continue;
      solutions++;
      for (size_t i = 0; i < N; i++)
        counted[i] += (double)(w >> i & 1);
    }
    for (size_t i = 0; i < N && solutions > 0; i++) {
      off += fabs(p[i] - counted[i] / solutions) / N / 20;
      plain += fabs(0.5 - counted[i] / solutions) / N / 20;
    }
    bperc_inference_free(s);
    bperc_instance_free(in);
  }
  assert_true(off < 0.5 * plain);
}

/* Same bits for every number of threads. */
static void test_threads(void **state) {
  (void)state;
  bperc_ensemble e = {
      .n = 1501, .m = 700, .fin = 0.5, .teacher = 1, .model = {.a = 20}};
  bperc_instance *in = draw(&e, 3);
  static double p[2][1501];
  for (unsigned threads = 1; threads <= 2; threads++) {
    bperc_inference *s = begin(in, 0.05, threads);
    for (int t = 0; t < 5; t++)
      bperc_inference_step(s);
    bperc_inference_marginals(s, p[threads - 1]);
    bperc_inference_free(s);
  }
  assert_memory_equal(p[0], p[1], sizeof p[0]);
  bperc_instance_free(in);
}

static void test_broken_input(void **state) {
  (void)state;
  bperc_ensemble e = {.n = 11, .m = 3, .fin = 0.5, .model = {.a = 4}};
  bperc_instance *in = draw(&e, 1);
  bperc_inference_options o;
  bperc_inference *s;
  bperc_error error;
  assert_int_equal(bperc_inference_new(in, NULL, 1, &s, &error), BPERC_OK);
  assert_int_equal(bperc_inference_step(s).iterations, 1);
  bperc_inference_free(s);
  bperc_options_default(bperc_inference_option_table(), &o);
  for (double noise = -0.1; noise < 0.7; noise += 0.6) {
    o.noise = noise;
    assert_int_equal(bperc_inference_new(in, &o, 1, &s, &error),
                     BPERC_E_ARGUMENT);
    assert_null(s);
  }
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_state_evolution),
      cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_counting),
      cmocka_unit_test(test_bands),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_broken_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
