/* Every kind of weights and inputs: search, sweep and measures against literal
 * loops, and against the same problem written in 0/1 inputs by hand. */
#include "any_instance.h"
#include "check.h"
#include "isa.h"
#include "literal.h"

#include "base/alloc.h"
#include "bperc/bperc.h"

#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 2000, MOST_N = 18, MEASURED = 150, DISTANCE = 3 };

/* The seed runs through all kinds of weights, inputs and ties, with and
 * without fixed weights; kappa and threshold are random. */
static bperc_instance *random_problem(uint64_t seed, int8_t *fixed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 2);
  size_t n = 1 + bperc_stream_below(&s, seed % 16 ? 13 : MOST_N);
  bperc_instance *in = any_instance(n, bperc_stream_below(&s, 9), seed);
  for (size_t i = 0; i < n; i++)
    fixed[i] = seed / 18 % 2 && bperc_stream_double(&s) < 0.3
                   ? (int8_t)bperc_stream_below(&s, 2)
                   : -1;
  return in;
}

static bperc_solutions *list_by(const bperc_instance *in, const int8_t *fixed,
                                int method) {
  bperc_exact_options options;
  bperc_solutions *s;
  bperc_options_default(bperc_exact_option_table(), &options);
  options.method = method;
  assert_int_equal(
      bperc_exact_list(in, &options,
                       &(bperc_space_options){.fixed = fixed, .threads = 1}, &s,
                       NULL),
      BPERC_OK);
  return s;
}

static void compare_list(const bperc_solutions *s, const uint32_t *truth,
                         size_t count, uint64_t seed) {
  uint64_t weights[1];
  if (s->count != count)
    fail_msg("seed %lu: %zu solutions, %zu in truth", (unsigned long)seed,
             s->count, count);
  for (size_t k = 0; k < count; k++) {
    bperc_solutions_weights(s, k, weights);
    assert_int_equal(weights[0], truth[k]);
  }
}

static void compare_marginals(const bperc_solutions *s, const uint32_t *truth) {
  bperc_moments moments;
  double marginals[MOST_N + 1];
  assert_int_equal(bperc_solutions_moments(s, &moments, marginals, NULL),
                   BPERC_OK);
  for (size_t j = 0; s->count && j < s->columns; j++) {
    size_t ones = 0;
    for (size_t k = 0; k < s->count; k++)
      ones += truth[k] >> s->column[j] & 1;
    assert_close(marginals[j], (double)ones / (double)s->count, 1e-14);
  }
}

/* Clusters, overlaps, correlations, k index and local entropies. */
static void compare_measures(const bperc_solutions *s, const uint32_t *truth) {
  uint32_t of[MEASURED], unfixed = 0, near[MEASURED * (DISTANCE + 1)];
  double entropy[DISTANCE], k_index = 0;
  bperc_clusters *c;
  bperc_moments moments;
  for (size_t j = 0; j < s->columns; j++)
    unfixed |= 1u << s->column[j];
  literal_clusters(truth, s->count, of);
  assert_int_equal(bperc_clusters_new(s, &c), BPERC_OK);
  assert_int_equal(bperc_solutions_moments(s, &moments, NULL, NULL), BPERC_OK);
  literal_geometry want = literal_measure(truth, of, s->count, s->n, unfixed);
  assert_close(c->parisi_x, want.parisi_x, 1e-13);
  assert_close(c->q_same, want.q_same, 1e-13);
  assert_close(c->q_diff, want.q_diff, 1e-13);
  assert_close(moments.xcorr_mean, want.xcorr, 1e-14);
  assert_close(moments.xcorr_mean_square, want.xcorr_square, 1e-14);
  assert_int_equal(bperc_solutions_near(s, DISTANCE, BPERC_NEAR_CHOOSE, near),
                   BPERC_OK);
  bperc_near_entropy(near, DISTANCE, s->n, NULL, s->count, entropy);
  for (int d = 1; d <= DISTANCE; d++) {
    double sum = 0;
    for (size_t k = 0; k < s->count; k++) {
      size_t there = literal_near(truth, s->count, truth[k], d);
      sum += there ? log((double)there) : 0;
    }
    assert_close(entropy[d - 1], sum / (double)(s->count * s->n), 1e-13);
  }
  for (size_t k = 0; k < s->count; k++) {
    size_t size = 0;
    for (size_t l = 0; l < s->count; l++)
      size += of[l] == of[k];
    k_index += log((double)size);
  }
  assert_close(bperc_clusters_k_index(c, s->n, NULL, s->count),
               k_index / (double)(s->count * s->n), 1e-13);
  bperc_clusters_free(c);
}

static void check_problem(uint64_t seed, size_t *measured) {
  int8_t fixed[MOST_N];
  uint32_t *truth;
  bperc_exact_answer answer;
  bperc_instance *in = random_problem(seed, fixed);
  size_t count = literal_solutions(in, fixed, &truth);
  bperc_solutions *s = list_by(in, fixed, BPERC_EXACT_SEARCH);
  bperc_solutions *plain = list_by(in, fixed, BPERC_EXACT_GRAY);
  compare_list(s, truth, count, seed);
  compare_list(plain, truth, count, seed);
  assert_null(bperc_solutions_check(s, in));
  assert_int_equal(
      bperc_exact_count(in, NULL,
                        &(bperc_space_options){.fixed = fixed, .threads = 1},
                        &answer, NULL),
      BPERC_OK);
  assert_int_equal(answer.count.word[0], count);
  assert_true(!answer.contradiction || count == 0);
  compare_marginals(s, truth);
  if (count > 0 && count <= MEASURED) {
    compare_measures(s, truth);
    *measured += 1;
  }
  bperc_solutions_free(s);
  bperc_solutions_free(plain);
  free(truth);
  bperc_instance_free(in);
}

static void agrees_with_literal_loops(void **state) {
  (void)state;
  size_t measured = 0;
  for (uint64_t seed = 1; seed <= INSTANCES; seed++)
    check_problem(seed, &measured);
  assert_true(measured > INSTANCES / 4);
}

/* ---- the same problem in 0/1 inputs */

static bperc_instance *make(size_t n, size_t m, bperc_weight_kind weights,
                            bperc_input_kind inputs, double theta) {
  bperc_model model = {.weights = weights, .inputs = inputs, .theta = theta};
  bperc_instance *in;
  assert_int_equal(bperc_instance_new(n, m, &model, &in, NULL), BPERC_OK);
  return in;
}

/* Bounds of its own for every pattern, for a test to set by hand. */
static void own_bounds(bperc_instance *in) {
  in->bound = bperc_i_alloc(in->m, sizeof *in->bound);
  assert_non_null(in->bound);
}

static bperc_instance *random_signed(size_t n, size_t m,
                                     bperc_weight_kind weights,
                                     bperc_input_kind inputs, double theta,
                                     uint64_t seed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 3);
  bperc_instance *in = make(n, m, weights, inputs, theta);
  for (size_t mu = 0; mu < m; mu++)
    any_row(in, mu, &s);
  bperc_instance_update_bounds(in);
  return in;
}

/* Weights -1/+1 on 0/1 inputs: sum x (2 b - 1) > theta is
 * 2 sum x b > theta + d with d inputs at 1. */
static void pm_weights_by_hand(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    size_t n = 24, m = 10;
    bperc_instance *in = random_signed(n, m, BPERC_WEIGHTS_PM, BPERC_INPUTS_01,
                                       (double)(seed % 5) - 2, seed);
    bperc_instance *hand = make(n, m, BPERC_WEIGHTS_01, BPERC_INPUTS_01, 3);
    for (size_t mu = 0; mu < m; mu++) {
      hand->patterns[mu] = in->patterns[mu];
      hand->labels[mu] = in->labels[mu];
    }
    own_bounds(hand);
    for (size_t mu = 0; mu < m; mu++) {
      int64_t most = 0; /* hits that are not above the threshold */
      int64_t d = __builtin_popcountll(in->patterns[mu]);
      while (2 * (most + 1) - d <= (int64_t)in->theta)
        most++;
      if (-d > (int64_t)in->theta)
        most = -1;
      hand->bound[mu] = most + in->labels[mu];
    }
    bperc_solutions *a = list_by(in, NULL, BPERC_EXACT_SEARCH);
    bperc_solutions *b = list_by(hand, NULL, BPERC_EXACT_SEARCH);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->bits, b->bits, a->count * sizeof *a->bits);
    bperc_solutions_free(a);
    bperc_solutions_free(b);
    bperc_instance_free(in);
    bperc_instance_free(hand);
  }
}

/* Signed inputs: weight i + n is the complement of weight i, by two patterns
 * of two inputs, and takes the negative inputs. */
static bperc_instance *doubled(const bperc_instance *in) {
  size_t n = in->n, m = in->m;
  bperc_instance *out =
      make(2 * n, m + 2 * n, BPERC_WEIGHTS_01, BPERC_INPUTS_01, 1);
  assert_true(2 * n <= 64);
  for (size_t mu = 0; mu < m; mu++) {
    uint64_t up = in->patterns[mu], all = (UINT64_C(1) << n) - 1;
    uint64_t there = in->support ? in->support[mu] : all;
    out->patterns[mu] = up | (there & ~up) << n;
    out->labels[mu] = in->labels[mu];
  }
  for (size_t i = 0; i < 2 * n; i++) {
    out->patterns[m + i] = UINT64_C(1) << i % n | UINT64_C(1) << (i % n + n);
    out->labels[m + i] = i < n;
  }
  own_bounds(out);
  for (size_t mu = 0; mu < m; mu++)
    out->bound[mu] = bperc_instance_bound(in, mu);
  for (size_t i = 0; i < 2 * n; i++)
    out->bound[m + i] = 1;
  return out;
}

static void signed_inputs_by_complements(void **state) {
  (void)state;
  size_t total = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    size_t n = 16;
    bperc_instance *in =
        random_signed(n, 10, (bperc_weight_kind)(seed % 2),
                      seed % 3 ? BPERC_INPUTS_PM : BPERC_INPUTS_SIGNED,
                      seed % 2 ? (double)(seed % 5) - 2 : 1, seed);
    bperc_instance *hand = doubled(in);
    bperc_solutions *a = list_by(in, NULL, BPERC_EXACT_SEARCH);
    bperc_solutions *b = list_by(hand, NULL, BPERC_EXACT_SEARCH);
    uint64_t mask = (UINT64_C(1) << n) - 1;
    assert_int_equal(a->count, b->count);
    for (size_t k = 0; k < b->count; k++) /* complements descend: reversed */
      assert_true(bperc_solutions_find(a, &(uint64_t){b->bits[k] & mask}) !=
                  SIZE_MAX);
    total += a->count;
    bperc_solutions_free(a);
    bperc_solutions_free(b);
    bperc_instance_free(in);
    bperc_instance_free(hand);
  }
  assert_true(total > 1000);
}

/* ---- larger ones */

/* Threads, instruction sets and both widths of word give the same. */
static void same_for_all_teams(void **state) {
  (void)state;
  bperc_instance *in =
      random_signed(34, 19, BPERC_WEIGHTS_PM, BPERC_INPUTS_PM, 0, 5);
  bperc_exact_answer answer;
  bperc_solutions *one = list_by(in, NULL, BPERC_EXACT_SEARCH), *many;
  assert_true(one->count > 20);
  assert_null(bperc_solutions_check(one, in));
  FOR_EACH_ISA(isa) {
    assert_int_equal(bperc_exact_list(in, NULL,
                                      &(bperc_space_options){.threads = 3},
                                      &many, NULL),
                     BPERC_OK);
    assert_int_equal(one->count, many->count);
    assert_memory_equal(one->bits, many->bits, one->count * sizeof *one->bits);
    bperc_solutions_free(many);
    assert_int_equal(bperc_exact_count(in, NULL,
                                       &(bperc_space_options){.threads = 2},
                                       &answer, NULL),
                     BPERC_OK);
    assert_int_equal(answer.count.word[0], one->count);
  }
  bperc_solutions_free(one);
  bperc_instance_free(in);
}

/* 100 weights, most of them in no pattern: those are free factors of two. */
static void wide_words(void **state) {
  (void)state;
  bperc_instance *in =
      random_signed(24, 12, BPERC_WEIGHTS_PM, BPERC_INPUTS_SIGNED, 0, 3);
  bperc_instance *wide =
      make(100, 12, BPERC_WEIGHTS_PM, BPERC_INPUTS_SIGNED, 0);
  bperc_exact_answer narrow, broad;
  for (size_t mu = 0; mu < 12; mu++) {
    wide->labels[mu] = in->labels[mu];
    for (size_t i = 0; i < 24; i++) {
      size_t to = 4 * i + 3;
      uint64_t bit = UINT64_C(1) << to % 64;
      if (in->support[mu] >> i & 1)
        wide->support[2 * mu + to / 64] |= bit;
      if (in->patterns[mu] >> i & 1)
        wide->patterns[2 * mu + to / 64] |= bit;
    }
  }
  bperc_instance_update_bounds(wide);
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &narrow, NULL),
                   BPERC_OK);
  assert_int_equal(bperc_exact_count(wide, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &broad, NULL),
                   BPERC_OK);
  assert_true(narrow.count.word[0] > 0);
  assert_close(bperc_count_log(broad.count),
               bperc_count_log(narrow.count) + 76 * log(2), 1e-12);
  bperc_instance_free(in);
  bperc_instance_free(wide);
}

/* Few patterns over 40 weights: merged states against the search, which a
 * limit that is never reached asks for. */
static void merged_states(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    bperc_instance *in =
        random_signed(40, 2, BPERC_WEIGHTS_PM,
                      seed % 2 ? BPERC_INPUTS_PM : BPERC_INPUTS_SIGNED,
                      seed % 2 ? 26 : 16, seed);
    bperc_exact_options options;
    bperc_exact_answer merged, searched;
    bperc_options_default(bperc_exact_option_table(), &options);
    options.limit = (int64_t)1 << 50;
    in->labels[0] = in->labels[1] = 1;
    bperc_instance_update_bounds(in);
    assert_int_equal(bperc_exact_count(in, NULL,
                                       &(bperc_space_options){.threads = 1},
                                       &merged, NULL),
                     BPERC_OK);
    assert_int_equal(bperc_exact_count(in, &options,
                                       &(bperc_space_options){.threads = 1},
                                       &searched, NULL),
                     BPERC_OK);
    assert_int_equal(merged.nodes, 0);
    assert_int_equal(merged.count.word[0], searched.count.word[0]);
    bperc_instance_free(in);
  }
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  bperc_instance *in =
      random_signed(34, 19, BPERC_WEIGHTS_PM, BPERC_INPUTS_PM, 0, 5);
  for (long k = 0; k < 100; k++) {
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_literal_loops),
      cmocka_unit_test(pm_weights_by_hand),
      cmocka_unit_test(signed_inputs_by_complements),
      cmocka_unit_test(same_for_all_teams),
      cmocka_unit_test(wide_words),
      cmocka_unit_test(merged_states),
      cmocka_unit_test(survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
