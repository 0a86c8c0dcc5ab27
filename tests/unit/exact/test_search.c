/* The search against the Gray sweep and a literal loop. */
#include "check.h"
#include "literal.h"

#include "base/alloc.h"
#include "bperc/bperc.h"
#include "kernels/isa.h"

#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 1000, MOST_N = 20 };

static double between(bperc_stream *s, double low, double high) {
  return low + (high - low) * bperc_stream_double(s);
}

/* Random size, density, threshold, tie rule and fixed weights. */
static bperc_instance *random_problem(uint64_t seed, int8_t *fixed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 0);
  size_t n = 1 + bperc_stream_below(&s, MOST_N);
  size_t m = bperc_stream_below(&s, 12);
  double fin = between(&s, 0.1, 0.9), a = between(&s, 0.8, 14);
  if (bperc_stream_below(&s, 2)) /* an integer threshold: ties */
    a = (double)n / (double)(1 + bperc_stream_below(&s, n));
  bperc_ties ties = (bperc_ties)bperc_stream_below(&s, 3);
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){
              .n = n, .m = m, .fin = fin, .model = {.a = a, .ties = ties}},
          seed, &in, NULL),
      BPERC_OK);
  double share = bperc_stream_below(&s, 2) ? 0 : between(&s, 0, 0.6);
  for (size_t i = 0; i < n; i++)
    fixed[i] = bperc_stream_double(&s) < share
                   ? (int8_t)bperc_stream_below(&s, 2)
                   : -1;
  return in;
}

static void compare_list(const bperc_solutions *s, const uint32_t *truth,
                         size_t count, uint64_t seed) {
  uint64_t weights[1];
  if (s->count != count)
    fail_msg("seed %lu: %zu solutions, %zu in truth", (unsigned long)seed,
             s->count, count);
  /* Fixed weights are the same everywhere: both lists are ascending. */
  for (size_t k = 0; k < count; k++) {
    bperc_solutions_weights(s, k, weights);
    assert_int_equal(weights[0], truth[k]);
  }
}

static void check_problem(uint64_t seed) {
  int8_t fixed[MOST_N];
  uint32_t *truth;
  bperc_exact_options gray, search;
  bperc_options_default(bperc_exact_option_table(), &search);
  gray = search;
  gray.method = BPERC_EXACT_GRAY;
  bperc_instance *in = random_problem(seed, fixed);
  size_t count = literal_solutions(in, fixed, &truth);
  for (int which = 0; which < 2; which++) {
    bperc_solutions *s;
    bperc_exact_answer answer;
    const bperc_exact_options *options = which ? &gray : &search;
    assert_int_equal(
        bperc_exact_list(in, options,
                         &(bperc_space_options){.fixed = fixed, .threads = 1},
                         &s, NULL),
        BPERC_OK);
    compare_list(s, truth, count, seed);
    bperc_solutions_free(s);
    assert_int_equal(
        bperc_exact_count(in, options,
                          &(bperc_space_options){.fixed = fixed, .threads = 1},
                          &answer, NULL),
        BPERC_OK);
    assert_int_equal(answer.count.word[0], count);
    assert_true(answer.complete);
    assert_true(!answer.contradiction || count == 0);
  }
  free(truth);
  bperc_instance_free(in);
}

static void agrees_with_sweep_and_loop(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= INSTANCES; seed++)
    check_problem(seed);
}

static bperc_instance *median_problem(size_t n, double fin, uint64_t seed) {
  bperc_instance *in;
  size_t m = (size_t)(0.36 * (double)n + 0.5);
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = 12}},
          seed, &in, NULL),
      BPERC_OK);
  return in;
}

/* Threads and instruction sets change nothing, limits included. */
static void same_for_all_teams(void **state) {
  (void)state;
  bperc_instance *in = median_problem(44, 0.4, 3);
  bperc_exact_options options;
  bperc_options_default(bperc_exact_option_table(), &options);
  for (int limited = 0; limited < 2; limited++) {
    bperc_solutions *one, *many, *plain;
    options.limit = limited ? 1000 : 0;
    assert_int_equal(bperc_exact_list(in, &options,
                                      &(bperc_space_options){.threads = 1},
                                      &one, NULL),
                     BPERC_OK);
    assert_int_equal(bperc_exact_list(in, &options,
                                      &(bperc_space_options){.threads = 5},
                                      &many, NULL),
                     BPERC_OK);
    bperc_i_isa_force(BPERC_ISA_portable);
    assert_int_equal(bperc_exact_list(in, &options,
                                      &(bperc_space_options){.threads = 2},
                                      &plain, NULL),
                     BPERC_OK);
    bperc_i_isa_force(BPERC_ISA_COUNT);
    if (limited)
      assert_int_equal(one->count, 1000);
    assert_int_equal(one->complete, !limited);
    assert_int_equal(one->count, many->count);
    assert_int_equal(one->count, plain->count);
    assert_memory_equal(one->bits, many->bits, one->count * 8);
    assert_memory_equal(one->bits, plain->bits, one->count * 8);
    assert_null(bperc_solutions_check(one, in));
    bperc_solutions_free(one);
    bperc_solutions_free(many);
    bperc_solutions_free(plain);
  }
  bperc_instance_free(in);
}

/* Beyond 64 columns: an instance whose extra weights are in no pattern, or
 * only copies of narrower ones, has a count known from the narrow one. */
static void wide_words(void **state) {
  (void)state;
  bperc_instance *small = median_problem(30, 0.5, 11), *wide;
  bperc_exact_answer narrow, broad;
  assert_int_equal(
      bperc_instance_new(110, small->m, &(bperc_model){.a = 44}, &wide, NULL),
      BPERC_OK); /* threshold 2.5, as for the small one */
  for (size_t mu = 0; mu < small->m; mu++) {
    wide->labels[mu] = small->labels[mu];
    for (size_t i = 0; i < 30; i++)
      if (small->patterns[mu] >> i & 1) {
        size_t to = i * 3 + 17; /* scattered over both words */
        wide->patterns[mu * 2 + to / 64] |= UINT64_C(1) << (to % 64);
      }
  }
  bperc_instance_update_bounds(wide);
  assert_int_equal(bperc_exact_count(small, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &narrow, NULL),
                   BPERC_OK);
  assert_int_equal(bperc_exact_count(wide, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &broad, NULL),
                   BPERC_OK);
  assert_true(narrow.count.word[0] > 0);
  assert_close(bperc_count_log(broad.count),
               bperc_count_log(narrow.count) + 80 * log(2), 1e-12);
  bperc_instance_free(small);
  bperc_instance_free(wide);
}

static void check_wide_list(void **state) {
  (void)state;
  bperc_instance *in = median_problem(75, 0.3, 5);
  int8_t fixed[75];
  bperc_solutions *s, *t;
  bperc_exact_answer answer;
  memset(fixed, -1, sizeof fixed);
  for (size_t i = 0; i < 8; i++)
    fixed[9 * i] = 0;
  bperc_exact_options options;
  bperc_options_default(bperc_exact_option_table(), &options);
  options.limit = 20000;
  assert_int_equal(
      bperc_exact_list(in, &options,
                       &(bperc_space_options){.fixed = fixed, .threads = 2}, &s,
                       NULL),
      BPERC_OK);
  assert_int_equal(s->words, 2);
  assert_true(s->count > 100);
  assert_null(bperc_solutions_check(s, in));
  /* Fix what is common down to 50 columns: both widths agree. */
  for (size_t i = 50; i < 75; i++) {
    uint64_t w[2];
    bperc_solutions_weights(s, s->count / 2, w);
    fixed[i] = (int8_t)(w[i / 64] >> (i % 64) & 1);
  }
  options.limit = 0;
  assert_int_equal(
      bperc_exact_list(in, &options,
                       &(bperc_space_options){.fixed = fixed, .threads = 1}, &t,
                       NULL),
      BPERC_OK);
  assert_int_equal(t->words, 1);
  assert_null(bperc_solutions_check(t, in));
  assert_int_equal(
      bperc_exact_count(in, NULL,
                        &(bperc_space_options){.fixed = fixed, .threads = 1},
                        &answer, NULL),
      BPERC_OK);
  assert_int_equal(answer.count.word[0], t->count);
  bperc_solutions_free(s);
  bperc_solutions_free(t);
  bperc_instance_free(in);
}

/* sum_{k <= cap} C(n, k) for one label-0 pattern of all ones. */
static void counts_beyond_64_bits(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_exact_answer answer;
  char text[BPERC_COUNT_TEXT];
  assert_int_equal(
      bperc_instance_new(128, 1, &(bperc_model){.a = 2}, &in, NULL), BPERC_OK);
  in->patterns[0] = in->patterns[1] = ~UINT64_C(0);
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &answer, NULL),
                   BPERC_OK);
  /* 2^127 + C(128, 64) / 2 */
  assert_string_equal(bperc_count_text(answer.count, text),
                      "182116756481433273164755097604074381603");
  in->labels[0] = 1; /* the rest: 2^127 - C(128, 64) / 2 */
  bperc_instance_update_bounds(in);
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &answer, NULL),
                   BPERC_OK);
  assert_string_equal(bperc_count_text(answer.count, text),
                      "158165610439505190298619509827693829853");
  in->patterns[0] = in->patterns[1] = 0;
  in->labels[0] = 0; /* no constraint at all */
  bperc_instance_update_bounds(in);
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &answer, NULL),
                   BPERC_OK);
  assert_string_equal(bperc_count_text(answer.count, text),
                      "340282366920938463463374607431768211456");
  bperc_instance_free(in);
}

/* Slacks beyond a nibble, many patterns, few weights left: against the sweep
 * on the same residual problem. */
static void late_stage_of_large_instances(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    bperc_instance *in;
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 1);
    size_t n = 150 + 40 * seed;
    int8_t fixed[700];
    bperc_exact_answer a, b;
    bperc_exact_options gray;
    bperc_options_default(bperc_exact_option_table(), &gray);
    gray.method = BPERC_EXACT_GRAY;
    assert_int_equal(bperc_ensemble_draw(
                         &(bperc_ensemble){
                             .n = n,
                             .m = n / 8,
                             .fin = 0.3,
                             .model = {.a = 6, .ties = (bperc_ties)(seed % 3)}},
                         seed, &in, NULL),
                     BPERC_OK);
    /* Label by a random configuration, so that there are solutions. */
    for (size_t i = 0; i < n; i++)
      fixed[i] = bperc_stream_double(&s) < 0.53;
    memset(in->labels, 0, in->m);
    bperc_instance_update_bounds(in);
    for (size_t mu = 0; mu < in->m; mu++) {
      int64_t sum = 0;
      for (size_t i = 0; i < n; i++)
        sum +=
            fixed[i] *
            (int64_t)(bperc_instance_pattern(in, mu)[i / 64] >> (i % 64) & 1);
      in->labels[mu] = sum > bperc_instance_bound(in, mu);
    }
    bperc_instance_update_bounds(in);
    for (size_t i = 0; i < n; i++)
      if (i * 17 / n != (i * 17 + 17) / n)
        fixed[i] = -1;
    assert_int_equal(
        bperc_exact_count(in, NULL,
                          &(bperc_space_options){.fixed = fixed, .threads = 2},
                          &a, NULL),
        BPERC_OK);
    assert_int_equal(
        bperc_exact_count(in, &gray,
                          &(bperc_space_options){.fixed = fixed, .threads = 1},
                          &b, NULL),
        BPERC_OK);
    assert_int_equal(a.count.word[0], b.count.word[0]);
    bperc_instance_free(in);
  }
}

/* Every allocation may fail: an error, never a crash or a leak. */
static void survives_lack_of_memory(void **state) {
  (void)state;
  bperc_instance *in = median_problem(40, 0.4, 2);
  for (long k = 0; k < 400; k++) {
    bperc_solutions *s;
    bperc_i_alloc_fail_after(k);
    bperc_status status = bperc_exact_list(
        in, NULL, &(bperc_space_options){.threads = 1}, &s, NULL);
    bperc_i_alloc_fail_after(-1);
    assert_true(status == BPERC_OK || (status == BPERC_E_MEMORY && !s));
    bperc_solutions_free(s);
  }
  bperc_instance_free(in);
}

static void too_many_weights(void **state) {
  (void)state;
  bperc_instance *in = median_problem(200, 0.3, 1);
  bperc_error error;
  bperc_exact_answer answer;
  bperc_solutions *s;
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &answer, &error),
                   BPERC_E_ARGUMENT);
  assert_non_null(strstr(error.text, "128"));
  assert_int_equal(bperc_exact_list(in, NULL,
                                    &(bperc_space_options){.threads = 1}, &s,
                                    &error),
                   BPERC_E_ARGUMENT);
  assert_null(s);
  bperc_instance_free(in);
}

static void share_never_falls(void *context, double share, double found) {
  double *last = context;
  (void)found;
  assert_true(share >= last[0] && share <= 1);
  last[0] = share;
  last[1] += 1;
}

static void progress_reaches_the_end(void **state) {
  (void)state;
  bperc_instance *in = median_problem(46, 0.4, 4);
  double last[2] = {0, 0};
  bperc_exact_watch watch = {share_never_falls, last};
  bperc_exact_answer answer;
  assert_int_equal(
      bperc_exact_count(in, NULL,
                        &(bperc_space_options){.threads = 2, .watch = &watch},
                        &answer, NULL),
      BPERC_OK);
  assert_true(last[1] > 10);
  assert_close(last[0], 1, 1e-9);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_sweep_and_loop),
      cmocka_unit_test(same_for_all_teams),
      cmocka_unit_test(wide_words),
      cmocka_unit_test(check_wide_list),
      cmocka_unit_test(counts_beyond_64_bits),
      cmocka_unit_test(late_stage_of_large_instances),
      cmocka_unit_test(survives_lack_of_memory),
      cmocka_unit_test(too_many_weights),
      cmocka_unit_test(progress_reaches_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
