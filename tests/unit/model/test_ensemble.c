/* Random instances: labels, teachers, copies, prototypes, sources. */
#include "check.h"

#include "base/bits.h"
#include "bperc/ensemble.h"
#include "bperc/io.h"
#include "no_memory.h"

#include <math.h>
#include <string.h>

static bperc_instance *draw(const bperc_ensemble *e, uint64_t seed) {
  bperc_instance *in;
  bperc_error error;
  if (bperc_ensemble_draw(e, seed, &in, &error))
    fail_msg("%s", error.text);
  return in;
}

/* FNV-1a over everything. */
static uint64_t hash(const bperc_instance *in) {
  uint64_t h = 1469598103934665603u;
  for (size_t k = 0; k < in->m * in->words; k++)
    h = (h ^ in->patterns[k]) * 1099511628211u;
  for (size_t mu = 0; mu < in->m; mu++)
    h = (h ^ in->labels[mu]) * 1099511628211u;
  return h;
}

/* What version 0.1 generated. */
static void first_ensemble_keeps_its_bits(void **state) {
  static const struct {
    size_t n, m;
    double fin;
    uint64_t seed, hash;
  } rows[] = {
      {77, 31, 0.3, 42, 12133739444116208432u},
      {480, 96, 0.5, 1, 18352917476076087008u},
      {1000, 17, 0.1, 7, 17835712520211140279u},
  };
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    bperc_instance *in;
    bperc_ensemble_draw(&(bperc_ensemble){.n = rows[k].n,
                                          .m = rows[k].m,
                                          .fin = rows[k].fin,
                                          .model = {.a = 6, .ties = 0}},
                        rows[k].seed, &in, NULL);
    assert_int_equal(hash(in), rows[k].hash);
    bperc_instance_free(in);
  }
}

static double share_of_label_1(const bperc_instance *in) {
  double sum = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    sum += in->labels[mu];
  return sum / (double)in->m;
}

/* The coding level of the labels, by coins and by a teacher's activity. */
static void coding_level(void **state) {
  static const double levels[] = {0.1, 0.2, 0.5, 0.83};
  (void)state;
  for (size_t k = 0; k < 4; k++)
    for (int teacher = 0; teacher < 2; teacher++) {
      bperc_ensemble e = {.n = 900,
                          .m = 4000,
                          .fin = 0.3,
                          .fout = levels[k],
                          .model = {.a = 20},
                          .teacher = teacher};
      bperc_instance *in = draw(&e, 3 + k);
      /* Five standard errors, and one weight more or less of the teacher. */
      assert_close(share_of_label_1(in), levels[k],
                   5 * sqrt(0.25 / 4000) + 0.02 * teacher);
      bperc_instance_free(in);
    }
}

/* f_out = 1/2 has the labels of the first version, and larger ones include
 * smaller ones. */
static void labels_grow_with_the_level(void **state) {
  bperc_ensemble e = {.n = 50, .m = 400, .fin = 0.3, .model = {.a = 5}};
  bperc_instance *none = draw(&e, 4), *half, *more;
  (void)state;
  e.fout = 0.5;
  half = draw(&e, 4);
  e.fout = 0.7;
  more = draw(&e, 4);
  assert_memory_equal(none->labels, half->labels, e.m);
  assert_memory_equal(none->patterns, more->patterns,
                      e.m * more->words * sizeof(uint64_t));
  for (size_t mu = 0; mu < e.m; mu++)
    assert_true(more->labels[mu] >= half->labels[mu]);
  bperc_instance_free(none);
  bperc_instance_free(half);
  bperc_instance_free(more);
}

/* The planted weights solve the instance and the test set, for every kind. */
static void teachers_are_solutions(void **state) {
  (void)state;
  for (int k = 0; k < 24; k++) {
    bperc_ensemble e = {.n = 301,
                        .m = 200,
                        .fin = k % 2 ? 0.5 : 0.3,
                        .teacher = 1,
                        .model = {.weights = (bperc_weight_kind)(k / 2 % 2),
                                  .inputs = (bperc_input_kind)(k / 4 % 2),
                                  .ties = (bperc_ties)(k % 3),
                                  .kappa = k / 8}};
    bperc_instance *in, *test;
    uint64_t *w;
    e.model.theta = e.model.inputs == BPERC_INPUTS_01 ? 30 : -30;
    in = draw(&e, 100 + (uint64_t)k);
    assert_int_equal(bperc_ensemble_test(&e, 100 + (uint64_t)k, &test, NULL),
                     BPERC_OK);
    assert_int_equal(bperc_ensemble_teacher(&e, 100 + (uint64_t)k, &w, NULL),
                     BPERC_OK);
    assert_int_equal(bperc_verify(in, w, NULL).errors, 0);
    assert_int_equal(bperc_verify(test, w, NULL).errors, 0);
    assert_memory_not_equal(test->patterns, in->patterns,
                            in->words * sizeof(uint64_t));
    if (k % 2 == 0) /* with f_in = 1/2 signs have no mean to shift */
      assert_close(share_of_label_1(in), 0.5, 0.18);
    bperc_free(w);
    bperc_instance_free(in);
    bperc_instance_free(test);
  }
}

static double agreement(const bperc_instance *in, size_t mu, size_t nu) {
  size_t differ = 0;
  for (size_t k = 0; k < in->words; k++)
    differ += (size_t)__builtin_popcountll(in->patterns[mu * in->words + k] ^
                                           in->patterns[nu * in->words + k]);
  return 1 - (double)differ / (double)in->n;
}

/* A copy differs from its original where an input was drawn again and came out
 * otherwise: noise times 2 f (1 - f). */
static void copies(void **state) {
  bperc_ensemble e = {.n = 3000,
                      .m = 300,
                      .fin = 0.3,
                      .model = {.a = 20},
                      .structure = BPERC_PATTERNS_COPIES,
                      .groups = 3,
                      .noise = 0.2};
  bperc_instance *in = draw(&e, 9);
  double same = 0, other = 0;
  (void)state;
  for (size_t mu = 0; mu < e.m; mu += 3) {
    same += agreement(in, mu, mu + 1) / 200 + agreement(in, mu, mu + 2) / 200;
    other += agreement(in, mu, (mu + 3) % e.m) / 100;
    assert_int_equal(in->labels[mu], in->labels[mu + 1]);
    assert_int_equal(in->labels[mu], in->labels[mu + 2]);
  }
  assert_close(same, 1 - 0.2 * 2 * 0.3 * 0.7, 0.003);
  assert_close(other, 1 - 2 * 0.3 * 0.7, 0.005);
  bperc_instance_free(in);
}

static void prototypes(void **state) {
  bperc_ensemble e = {.n = 3000,
                      .m = 60,
                      .fin = 0.3,
                      .model = {.a = 20},
                      .structure = BPERC_PATTERNS_PROTOTYPES,
                      .groups = 4,
                      .noise = 0.5};
  bperc_instance *in = draw(&e, 9);
  size_t near = 0;
  (void)state;
  for (size_t mu = 0; mu < e.m; mu++)
    for (size_t nu = 0; nu < mu; nu++) {
      /* Both kept: 1/4; otherwise independent. */
      double a = agreement(in, mu, nu), far = 1 - 2 * 0.3 * 0.7;
      int is_near = a > far + 0.05;
      near += (size_t)is_near;
      assert_close(a, is_near ? 0.25 + 0.75 * far : far, 0.05);
    }
  /* A quarter of the pairs, roughly. */
  assert_in_range(near, 300, 620);
  bperc_instance_free(in);
}

/* Signs of numbers with correlation c agree with probability
 * 1 - arccos(c)/pi; averaged over directions in D dimensions patterns have a
 * spread that independent inputs do not have. */
static void source(void **state) {
  bperc_ensemble e = {.n = 2000,
                      .m = 300,
                      .fin = 0.5,
                      .model = {.a = 20},
                      .structure = BPERC_PATTERNS_SOURCE,
                      .groups = 3};
  bperc_instance *in = draw(&e, 2);
  double mean = 0, square = 0, ones = 0, pairs = 0;
  (void)state;
  for (size_t k = 0; k < in->m * in->words; k++)
    ones += __builtin_popcountll(in->patterns[k]) / 600000.;
  for (size_t mu = 0; mu < e.m; mu++)
    for (size_t nu = 0; nu < mu; nu++) {
      double a = agreement(in, mu, nu);
      mean += a;
      square += a * a;
      pairs++;
    }
  mean /= pairs;
  assert_close(ones, 0.5, 0.03);
  assert_close(mean, 0.5, 0.03);
  /* In 3 dimensions the angle of two points is that of a uniform cosine: the
   * share of agreement 1 - angle/pi has variance 1/4 - 2/pi^2. */
  assert_close(square / pairs - mean * mean, 0.25 - 2 / (M_PI * M_PI), 0.01);
  bperc_instance_free(in);
}

static void every_structure_extends(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    bperc_ensemble e = {.n = 130,
                        .m = 20,
                        .fin = 0.4,
                        .model = {.a = 5},
                        .teacher = k / 4,
                        .structure = (bperc_structure)(k % 4),
                        .groups = 3,
                        .noise = 0.3};
    bperc_instance *small = draw(&e, 8), *large;
    e.m = 33;
    large = draw(&e, 8);
    assert_memory_equal(small->patterns, large->patterns,
                        20 * small->words * sizeof(uint64_t));
    assert_memory_equal(small->labels, large->labels, 20);
    bperc_instance_free(small);
    bperc_instance_free(large);
  }
}

static void bad_ensembles(void **state) {
  static const struct {
    bperc_ensemble e;
    const char *says;
  } rows[] = {
      {{.n = 9, .fin = 1.5, .model = {.a = 2}}, "f_in = 1.5"},
      {{.n = 9, .fin = 0.5, .fout = 1, .model = {.a = 2}}, "f_out = 1 is"},
      {{.n = 9, .fin = 0.5, .fout = -0.1, .model = {.a = 2}}, "f_out = -0.1"},
      {{.n = 9, .fin = 0.5, .model = {.a = 2, .kappa = -1}}, "kappa = -1"},
      {{.n = 9, .fin = 0.5, .model = {.theta = 9}}, "no sum reaches"},
      {{.n = 9, .fin = 0.5, .model = {.theta = -1}}, "no sum reaches"},
      {{.n = 9, .fin = 0.5, .model = {.theta = 5, .kappa = 4}}, "no sum"},
      {{.n = 9, .fin = 0.5, .model = {.a = 2}, .noise = 2}, "noise = 2"},
      {{.n = 9,
        .fin = 0.5,
        .model = {.a = 2},
        .structure = BPERC_PATTERNS_COPIES},
       "copies"},
      {{.n = 9,
        .fin = 0.5,
        .model = {.a = 2},
        .structure = BPERC_PATTERNS_SOURCE,
        .groups = 65},
       "at most 64 dimensions"},
      {{.n = 9, .fin = 0.5, .model = {.inputs = BPERC_INPUTS_SIGNED}},
       "not signed"},
      {{.n = 40,
        .m = 1,
        .fin = 0.5,
        .model = {.theta = 10, .kappa = 9.5},
        .teacher = 1},
       "no margin"},
  };
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    bperc_instance *in;
    bperc_error error = {0};
    assert_int_equal(bperc_ensemble_draw(&rows[k].e, 1, &in, &error),
                     BPERC_E_ARGUMENT);
    assert_null(in);
    if (!strstr(error.text, rows[k].says))
      fail_msg("'%s' does not say '%s'", error.text, rows[k].says);
  }
}

static void no_memory(void **state) {
  bperc_ensemble e = {
      .n = 40, .m = 3, .fin = 0.5, .model = {.a = 2}, .teacher = 1};
  bperc_instance *in;
  (void)state;
  assert_needs_memory(8, bperc_ensemble_draw(&e, 1, &in, NULL), in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_ensemble_keeps_its_bits),
      cmocka_unit_test(coding_level),
      cmocka_unit_test(labels_grow_with_the_level),
      cmocka_unit_test(teachers_are_solutions),
      cmocka_unit_test(copies),
      cmocka_unit_test(prototypes),
      cmocka_unit_test(source),
      cmocka_unit_test(every_structure_extends),
      cmocka_unit_test(bad_ensembles),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
