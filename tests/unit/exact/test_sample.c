/* Uniform samples of solutions: chi-square on listed spaces. */
#include "any_instance.h"
#include "check.h"

#include "base/alloc.h"
#include "bperc/bperc.h"

#include <stdlib.h>
#include <string.h>

enum { SPACES = 20, DRAWS = 100000 };

/* Of fair samplers one in a thousand fails one of the SPACES tests: 5e-5 each,
 * both sides. */
static const double most_deviates = 4.056;

static bperc_solutions *list(const bperc_instance *in, const int8_t *fixed) {
  bperc_solutions *s;
  assert_int_equal(
      bperc_exact_list(in, NULL,
                       &(bperc_space_options){.fixed = fixed, .threads = 1}, &s,
                       NULL),
      BPERC_OK);
  return s;
}

/* Chi-square with so many degrees of freedom as a normal deviate, by the cube
 * root of Wilson and Hilferty. */
static double deviate(double chi, double freedom) {
  double scale = 2 / (9 * freedom);
  return (cbrt(chi / freedom) - 1 + scale) / sqrt(scale);
}

static void check_uniform(const bperc_instance *in, const int8_t *fixed,
                          const bperc_solutions *s, uint64_t seed) {
  uint64_t *weights = calloc(DRAWS * in->words, sizeof *weights);
  size_t *met = calloc(s->count, sizeof *met);
  bperc_exact_answer answer;
  assert_int_equal(
      bperc_exact_sample(
          in,
          &(bperc_space_options){.fixed = fixed, .seed = seed, .threads = 1},
          DRAWS, weights, &answer, NULL),
      BPERC_OK);
  assert_int_equal(answer.count.word[0], s->count);
  for (size_t k = 0; k < DRAWS; k++) {
    size_t at = bperc_solutions_find(s, weights + k * in->words);
    assert_true(at < s->count);
    met[at]++;
  }
  double mean = (double)DRAWS / (double)s->count, chi = 0;
  for (size_t k = 0; k < s->count; k++)
    chi += ((double)met[k] - mean) * ((double)met[k] - mean) / mean;
  if (fabs(deviate(chi, (double)s->count - 1)) > most_deviates)
    fail_msg("seed %lu: chi-square %g with %zu solutions", (unsigned long)seed,
             chi, s->count);
  free(weights);
  free(met);
}

/* All kinds of problems, with and without fixed weights. */
static void uniform(void **state) {
  (void)state;
  size_t spaces = 0;
  for (uint64_t seed = 1; spaces < SPACES; seed++) {
    bperc_instance *in = any_instance(14, 7, seed);
    int8_t fixed[14];
    memset(fixed, -1, sizeof fixed);
    if (seed % 2)
      fixed[3] = fixed[9] = (int8_t)(seed / 2 % 2);
    bperc_solutions *s = list(in, fixed);
    if (s->count > 10 && s->count <= 1000) {
      check_uniform(in, fixed, s, seed);
      spaces++;
    }
    bperc_solutions_free(s);
    bperc_instance_free(in);
  }
}

enum { MERGED_N = 43, BOUND = 40 };

/* Few patterns, many weights: draws go through merged states. At most two
 * literals of the first pattern are lost, and at least so many as `second` says
 * of the first 19 of them; three weights are in no pattern. */
static bperc_instance *few_patterns(int signs, int second) {
  int8_t x[2 * MERGED_N] = {0}, labels[2] = {1, 0};
  int minus = signs ? BOUND / 2 : 0;
  bperc_model model = {.theta = BOUND - minus - 2.5};
  bperc_instance *in;
  for (int i = 0; i < BOUND; i++) {
    x[i] = i < BOUND - minus ? 1 : -1;
    x[MERGED_N + i] = second && i < 19;
  }
  assert_int_equal(bperc_instance_from_bytes(
                       MERGED_N, 2, &(bperc_bytes){x, MERGED_N, 1, labels, 1},
                       &model, &in, NULL),
                   BPERC_OK);
  return in;
}

static void uniform_through_merged_states(void **state) {
  (void)state;
  const size_t counts[] = {8 * (1 + 40 + 780), 8 * (1 + 40 + 780),
                           8 * (19 * 18 / 2)};
  for (size_t k = 0; k < 3; k++) {
    bperc_instance *in = few_patterns(k > 0, k > 1);
    bperc_solutions *s = list(in, NULL);
    assert_int_equal(s->count, counts[k]);
    check_uniform(in, NULL, s, 5 + k);
    bperc_solutions_free(s);
    bperc_instance_free(in);
  }
}

/* A space of 2^99 solutions, of which no tree is searched. */
static void large_space(void **state) {
  (void)state;
  enum { N = 100, M = 2, SHOTS = 2000 };
  int8_t x[M * N], labels[M] = {1, 0};
  bperc_model model = {.theta = 20.5};
  bperc_instance *in;
  bperc_exact_answer answer;
  uint64_t *weights = calloc(SHOTS * 2, sizeof *weights);
  for (size_t k = 0; k < sizeof x; k++)
    x[k] = k < N ? 1 : k % 3 == 0;
  assert_int_equal(bperc_instance_from_bytes(N, M,
                                             &(bperc_bytes){x, N, 1, labels, 1},
                                             &model, &in, NULL),
                   BPERC_OK);
  assert_int_equal(
      bperc_exact_sample(in, &(bperc_space_options){.seed = 4, .threads = 2},
                         SHOTS, weights, &answer, NULL),
      BPERC_OK);
  assert_int_equal(answer.nodes, 0);
  assert_true(bperc_count_log(answer.count) > 98 * log(2));
  size_t ones = 0;
  for (size_t k = 0; k < SHOTS; k++) {
    assert_int_equal(bperc_verify(in, weights + 2 * k, NULL).errors, 0);
    ones += (size_t)__builtin_popcountll(weights[2 * k] & 0x12);
  }
  assert_true(fabs((double)ones - SHOTS) < 5 * sqrt(SHOTS));
  free(weights);
  bperc_instance_free(in);
}

/* Weights in no pattern are fair coins, and all is the same for any pool. */
static void same_for_all_teams(void **state) {
  (void)state;
  bperc_instance *in;
  uint64_t one[500 * 2], many[500 * 2];
  bperc_exact_answer answer;
  size_t free_ones = 0;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 70, .m = 20, .fin = 0.4, .model = {.a = 12}},
          3, &in, NULL),
      BPERC_OK);
  for (size_t mu = 0; mu < in->m; mu++) {
    in->patterns[2 * mu] &= ~UINT64_C(0xffffff); /* 24 free weights */
    in->patterns[2 * mu + 1] = 0;
  }
  bperc_instance_update_bounds(in);
  assert_int_equal(
      bperc_exact_sample(in, &(bperc_space_options){.seed = 9, .threads = 1},
                         500, one, &answer, NULL),
      BPERC_OK);
  assert_true(bperc_count_log(answer.count) > 24 * log(2));
  assert_int_equal(
      bperc_exact_sample(in, &(bperc_space_options){.seed = 9, .threads = 3},
                         500, many, &answer, NULL),
      BPERC_OK);
  assert_memory_equal(one, many, sizeof one);
  for (size_t k = 0; k < 500; k++) {
    assert_int_equal(bperc_verify(in, one + 2 * k, NULL).errors, 0);
    free_ones += (size_t)__builtin_popcountll(one[2 * k] & 0xffffff);
  }
  assert_true(fabs((double)free_ones - 6000) < 4 * sqrt(500 * 24 / 4.));
  bperc_instance_free(in);
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  bperc_instance *in = any_instance(14, 5, 3);
  for (long k = 0; k < 60; k++) {
    uint64_t weights[10];
    bperc_exact_answer answer;
    bperc_i_alloc_fail_after(k);
    bperc_status status =
        bperc_exact_sample(in, &(bperc_space_options){.seed = 1, .threads = 1},
                           10, weights, &answer, NULL);
    bperc_i_alloc_fail_after(-1);
    assert_true(status == BPERC_OK || status == BPERC_E_MEMORY);
  }
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform),
      cmocka_unit_test(uniform_through_merged_states),
      cmocka_unit_test(large_space),
      cmocka_unit_test(same_for_all_teams),
      cmocka_unit_test(survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
