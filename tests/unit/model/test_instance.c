/* Instances: tie rules, generation, the verifier, contradictions. */
#include "check.h"

#include "bperc/ensemble.h"
#include "bperc/instance.h"
#include "no_memory.h"

#include <math.h>

static bperc_instance *make(size_t n, size_t m, double a, bperc_ties ties) {
  bperc_instance *in;
  assert_int_equal(
      bperc_instance_new(n, m, &(bperc_model){.a = a, .ties = ties}, &in, NULL),
      BPERC_OK);
  return in;
}

static void tie_rules(void **state) {
  /* n, a, ties, cap, need */
  static const struct {
    size_t n;
    double a;
    bperc_ties ties;
    int64_t cap, need;
  } rows[] = {
      {480, 40, BPERC_TIES_ZERO, 12, 13},
      {480, 40, BPERC_TIES_STRICT, 11, 13},
      {480, 40, BPERC_TIES_EITHER, 12, 12},
      {18, 7, BPERC_TIES_ZERO, 2, 3},
      {18, 7, BPERC_TIES_STRICT, 2, 3},
      {18, 7, BPERC_TIES_EITHER, 2, 3},
      {1000, 0.1, BPERC_TIES_ZERO, 10000, 10001},
      {7, 0.7, BPERC_TIES_STRICT, 9, 11},
      {3, 40, BPERC_TIES_ZERO, 0, 1},
  };
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    bperc_instance *in = make(rows[k].n, 2, rows[k].a, rows[k].ties);
    in->labels[1] = 1;
    bperc_instance_update_bounds(in);
    assert_int_equal(bperc_instance_bound(in, 0), rows[k].cap);
    assert_int_equal(bperc_instance_bound(in, 1), rows[k].need);
    bperc_instance_free(in);
  }
}

static void bad_sizes(void **state) {
  bperc_instance *in;
  bperc_error error;
  (void)state;
  assert_int_equal(
      bperc_instance_new(0, 1, &(bperc_model){.a = 4}, &in, &error),
      BPERC_E_ARGUMENT);
  assert_null(in);
  assert_int_equal(
      bperc_instance_new(5, 1, &(bperc_model){.a = -4}, &in, &error),
      BPERC_E_ARGUMENT);
  assert_int_equal(
      bperc_instance_new(5, 1, &(bperc_model){.a = NAN}, &in, &error),
      BPERC_E_ARGUMENT);
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){
              .n = 5, .m = 1, .fin = 1.5, .model = {.a = 4, .ties = 0}},
          1, &in, &error),
      BPERC_E_ARGUMENT);
}

static void generation_extends(void **state) {
  bperc_instance *small, *large;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = 77, .m = 20, .fin = 0.3, .model = {.a = 6, .ties = 0}},
      42, &small, NULL);
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = 77, .m = 31, .fin = 0.3, .model = {.a = 6, .ties = 0}},
      42, &large, NULL);
  assert_memory_equal(small->patterns, large->patterns,
                      20 * small->words * sizeof(uint64_t));
  assert_memory_equal(small->labels, large->labels, 20);
  bperc_instance_free(small);
  bperc_instance_free(large);
}

static void generated_frequencies(void **state) {
  bperc_instance *in;
  double ones = 0, labels = 0;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = 1000, .m = 400, .fin = 0.17, .model = {.a = 6, .ties = 0}},
      3, &in, NULL);
  for (size_t k = 0; k < in->m * in->words; k++)
    ones += __builtin_popcountll(in->patterns[k]);
  for (size_t mu = 0; mu < in->m; mu++)
    labels += in->labels[mu];
  assert_close(ones / 400000, 0.17, 0.003);
  assert_close(labels / 400, 0.5, 0.125);
  bperc_instance_free(in);
}

/* Three patterns over five weights, cap 2, need 3. */
static void verifier(void **state) {
  bperc_instance *in = make(5, 3, 2, BPERC_TIES_ZERO);
  uint64_t w = 0x17; /* weights 0, 1, 2, 4 */
  int32_t integers[5] = {1, 1, 1, 0, 1};
  size_t violated[3];
  bperc_verdict verdict;
  (void)state;
  in->patterns[0] = 0x1f; /* sum 4 */
  in->labels[0] = 1;
  in->patterns[1] = 0x0b; /* sum 2 */
  in->labels[1] = 0;
  in->patterns[2] = 0x16; /* sum 3 */
  in->labels[2] = 0;
  bperc_instance_update_bounds(in);
  verdict = bperc_verify(in, &w, violated);
  assert_int_equal(verdict.errors, 1);
  assert_int_equal(violated[0], 2);
  assert_int_equal(verdict.min_margin, -1);
  assert_int_equal(bperc_verify_integers(in, integers, NULL).errors, 1);
  integers[0] = 7; /* pattern 1 now sums to 8 */
  assert_int_equal(bperc_verify_integers(in, integers, NULL).errors, 2);
  bperc_instance_free(in);
}

static void contradictions(void **state) {
  bperc_instance *in = make(6, 4, 2, BPERC_TIES_ZERO); /* cap 3, need 4 */
  bperc_contradiction list[4];
  size_t count;
  (void)state;
  in->patterns[0] = 0x3f;
  in->labels[0] = 1;
  in->patterns[1] = 0x07; /* three ones, needs four */
  in->labels[1] = 1;
  in->patterns[2] = 0x3f; /* as pattern 0 with the other label */
  in->labels[2] = 0;
  in->patterns[3] = 0x01;
  in->labels[3] = 0;
  bperc_instance_update_bounds(in);
  assert_int_equal(bperc_instance_contradictions(in, list, 4, &count),
                   BPERC_OK);
  assert_int_equal(count, 2);
  assert_int_equal(list[0].mu, 1);
  assert_int_equal(list[1].mu, 0);
  assert_int_equal(list[1].nu, 2);
  bperc_instance_free(in);
}

/* Patterns 3 to 5 of 9 left out; a prefix leaves out the end. */
static void without_patterns(void **state) {
  bperc_instance *in, *out;
  bperc_error error;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 70,
                        .m = 9,
                        .fin = 0.5,
                        .model = {.a = 6, .ties = BPERC_TIES_STRICT}},
      7, &in, NULL);
  assert_int_equal(bperc_instance_without(in, 3, 3, &out, NULL), BPERC_OK);
  assert_int_equal(out->m, 6);
  for (size_t mu = 0; mu < 6; mu++) {
    size_t from = mu < 3 ? mu : mu + 3;
    assert_int_equal(out->labels[mu], in->labels[from]);
    assert_int_equal(bperc_instance_bound(out, mu),
                     bperc_instance_bound(in, from));
    assert_memory_equal(bperc_instance_pattern(out, mu),
                        bperc_instance_pattern(in, from),
                        in->words * sizeof(uint64_t));
  }
  bperc_instance_free(out);
  assert_int_equal(bperc_instance_without(in, 4, in->m - 4, &out, NULL),
                   BPERC_OK);
  assert_int_equal(out->m, 4);
  assert_memory_equal(out->patterns, in->patterns,
                      4 * in->words * sizeof(uint64_t));
  bperc_instance_free(out);
  assert_int_equal(bperc_instance_without(in, 0, 9, &out, NULL), BPERC_OK);
  assert_int_equal(out->m, 0);
  bperc_instance_free(out);
  assert_int_equal(bperc_instance_without(in, 7, 3, &out, &error),
                   BPERC_E_ARGUMENT);
  assert_null(out);
  bperc_instance_free(in);
}

/* 0.5 thinned to 0.8 of its ones is 0.4; the rest of the instance stays. */
static void thinning(void **state) {
  bperc_instance *in, *out, *none, *same;
  size_t ones = 0;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 300,
                        .m = 400,
                        .fin = 0.5,
                        .model = {.a = 6, .ties = BPERC_TIES_STRICT}},
      7, &in, NULL);
  assert_int_equal(bperc_instance_thin(in, 0.8, 7, &out, NULL), BPERC_OK);
  assert_int_equal(bperc_instance_thin(in, 0, 7, &none, NULL), BPERC_OK);
  assert_int_equal(bperc_instance_thin(in, 1, 7, &same, NULL), BPERC_OK);
  for (size_t mu = 0; mu < in->m; mu++)
    assert_int_equal(bperc_instance_bound(out, mu),
                     bperc_instance_bound(in, mu));
  assert_memory_equal(out->labels, in->labels, in->m);
  assert_memory_equal(same->patterns, in->patterns,
                      in->m * in->words * sizeof *in->patterns);
  for (size_t k = 0; k < in->m * in->words; k++) {
    assert_int_equal(out->patterns[k] & ~in->patterns[k], 0);
    assert_int_equal(none->patterns[k], 0);
    ones += (size_t)__builtin_popcountll(out->patterns[k]);
  }
  /* Five standard errors of 120000 bits. */
  assert_close((double)ones / 120000, 0.4, 5 * sqrt(0.4 * 0.6 / 120000));
  bperc_instance_free(none);
  assert_int_equal(bperc_instance_thin(in, 1.1, 7, &none, NULL),
                   BPERC_E_ARGUMENT);
  assert_null(none);
  bperc_instance_free(same);
  bperc_instance_free(out);
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in;
  bperc_model pm = {.weights = BPERC_WEIGHTS_PM};
  (void)state;
  assert_needs_memory(
      3, bperc_instance_new(100, 5, &(bperc_model){.a = 6}, &in, NULL), in);
  /* Weights -1/+1 on inputs 0/1 have a bound per pattern. */
  assert_needs_memory(4, bperc_instance_new(100, 5, &pm, &in, NULL), in);
}

/* A change of kind that fails for lack of memory changes nothing. */
static void no_memory_for_bounds(void **state) {
  bperc_instance *in;
  bperc_error error;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 100, .m = 5, .fin = 0.5, .model = {.a = 6}}, 7,
      &in, NULL);
  bperc_model pm = bperc_instance_model(in);
  const int64_t bound = bperc_instance_bound(in, 3);
  pm.weights = BPERC_WEIGHTS_PM;
  bperc_i_alloc_fail_after(0);
  assert_int_equal(bperc_instance_set_model(in, &pm, &error), BPERC_E_MEMORY);
  bperc_i_alloc_fail_after(-1);
  assert_string_equal(error.text, "no memory for the bounds of 5 patterns");
  assert_int_equal(in->weights, BPERC_WEIGHTS_01);
  assert_int_equal(bperc_instance_bound(in, 3), bound);
  assert_int_equal(bperc_instance_set_model(in, &pm, &error), BPERC_OK);
  assert_non_null(in->bound);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tie_rules),
      cmocka_unit_test(bad_sizes),
      cmocka_unit_test(generation_extends),
      cmocka_unit_test(generated_frequencies),
      cmocka_unit_test(verifier),
      cmocka_unit_test(contradictions),
      cmocka_unit_test(without_patterns),
      cmocka_unit_test(thinning),
      cmocka_unit_test(no_memory),
      cmocka_unit_test(no_memory_for_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
