/* The weighted local search: what flips change, found in another way. */
#include "check.h"

#include "bperc/bperc.h"
#include "isa.h"
#include "no_memory.h"
#include "solver/flip_search.h"

#include <stdlib.h>
#include <string.h>

enum { N = 203, WORDS = (N + 63) / 64, MOVE = 70 };

/* 0/1, -1/+1 and -1/0/+1 inputs. */
static bperc_instance *draw(uint64_t seed, size_t m) {
  const bool pm = seed % 3 != 0;
  const bperc_model model = {.a = pm ? 0 : 20,
                             .weights =
                                 pm ? BPERC_WEIGHTS_PM : BPERC_WEIGHTS_01,
                             .inputs = seed % 3 == 0   ? BPERC_INPUTS_01
                                       : seed % 3 == 1 ? BPERC_INPUTS_PM
                                                       : BPERC_INPUTS_SIGNED};
  bperc_instance *in;
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 96);
  assert_int_equal(bperc_instance_new(N, m, &model, &in, NULL), BPERC_OK);
  for (size_t mu = 0; mu < m; mu++) {
    uint64_t *row = in->patterns + mu * in->words;
    in->labels[mu] = (uint8_t)(bperc_stream_u64(&s) & 1);
    bperc_stream_bernoulli(&s, 0.5, row, N);
    if (in->support)
      bperc_stream_bernoulli(&s, 0.7, in->support + mu * in->words, N);
    for (size_t k = 0; in->support && k < in->words; k++)
      row[k] &= in->support[mu * in->words + k];
  }
  bperc_instance_update_bounds(in);
  return in;
}

/* Sum over violated patterns of how far they are violated. */
static int64_t violation(const bperc_instance *in, const uint64_t *weights) {
  int64_t far = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t hits = bperc_instance_hits(in, mu, weights);
    int64_t short_of = bperc_instance_bound(in, mu) - hits;
    short_of = in->labels[mu] ? short_of : -short_of;
    far += short_of > 0 ? short_of : 0;
  }
  return far;
}

static void prepare(const bperc_instance *in, uint64_t seed, uint64_t *weights,
                    uint32_t *site, bperc_i_flip_search *search) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 97);
  memset(weights, 0, WORDS * sizeof *weights);
  bperc_stream_bernoulli(&s, in->inputs == BPERC_INPUTS_01 ? 0.1 : 0.5, weights,
                         N);
  for (uint32_t k = 0; k < MOVE; k++)
    site[k] = k * 3 % N;
  assert_int_equal(bperc_i_flip_search_init(search, MOVE, in->m), BPERC_OK);
  assert_true(bperc_i_flip_search_load(search, in, weights, site, MOVE, NULL));
}

/* Before the first step all patterns weigh 1: the change by a flip is that of
 * the violation counted from scratch. After it the bits are those of the best
 * weights, and they violate as many patterns as it says. */
static void counts_are_right(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    bperc_instance *in = draw(seed, 10 + seed % 90);
    bperc_i_flip_search search;
    bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_TEST, 98);
    uint64_t weights[WORDS];
    uint32_t site[MOVE];
    size_t made, before;
    bool better;
    prepare(in, seed, weights, site, &search);
    before = bperc_verify(in, weights, NULL).errors;
    bperc_i_flip_search_run(&search, 0, &stream, &made);
    assert_int_equal(made, 0);
    assert_int_equal(search.fewest, before);
    for (size_t k = 0; k < MOVE; k++) {
      int64_t was = violation(in, weights), is;
      int bit = bperc_bit_get(weights, site[k]);
      bperc_bit_set(weights, site[k], !bit);
      is = violation(in, weights);
      bperc_bit_set(weights, site[k], bit);
      assert_int_equal(bit ? search.down[k] : search.up[k], is - was);
    }
    assert_true(
        bperc_i_flip_search_load(&search, in, weights, site, MOVE, NULL));
    better = bperc_i_flip_search_run(&search, 300, &stream, &made);
    for (size_t k = 0; k < MOVE; k++)
      bperc_bit_set(weights, site[k], search.best[k]);
    assert_int_equal(bperc_verify(in, weights, NULL).errors, search.fewest);
    assert_int_equal(better, search.fewest < before);
    bperc_i_flip_search_clear(&search);
    bperc_instance_free(in);
  }
}

/* With weights of patterns that have grown and shrunk: what flips change, from
 * the sets of tight and violated patterns. */
static void weights_are_counted(void **state) {
  bool heavy = false;
  (void)state;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    bperc_instance *in = draw(seed, 130);
    bperc_i_flip_search s;
    bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_TEST, 99);
    uint64_t weights[WORDS];
    uint32_t site[MOVE];
    prepare(in, seed, weights, site, &s);
    bperc_i_flip_search_run(&s, 200, &stream, NULL);
    for (size_t k = 0; k < MOVE && s.rows > 0; k++) {
      int32_t change = 0;
      for (size_t r = 0; r < s.rows; r++) {
        int raise = bperc_bit_get(s.raise_row + r * s.site_words, k);
        int lower = bperc_bit_get(s.lower_row + r * s.site_words, k);
        int effect = (raise - lower) * (s.now[k] ? -1 : 1);
        int weigh = effect < 0   ? bperc_bit_get(s.tight, r)
                    : effect > 0 ? -bperc_bit_get(s.violated, r)
                                 : 0;
        change += weigh * s.weight[r];
        heavy = heavy || s.weight[r] > 3;
      }
      assert_int_equal(s.now[k] ? s.down[k] : s.up[k], change);
    }
    bperc_i_flip_search_clear(&s);
    bperc_instance_free(in);
  }
  assert_true(heavy);
}

/* The same flips with every instruction set. */
static void same_flips(void **state) {
  bperc_instance *in = draw(3, 90);
  uint8_t first[MOVE];
  size_t errors = 0;
  (void)state;
  FOR_EACH_ISA(isa) {
    bperc_i_flip_search s;
    bperc_stream stream = bperc_stream_make(1, BPERC_FOR_TEST, 99);
    uint64_t weights[WORDS];
    uint32_t site[MOVE];
    prepare(in, 3, weights, site, &s);
    bperc_i_flip_search_run(&s, 500, &stream, NULL);
    if (isa == 0) {
      memcpy(first, s.best, sizeof first);
      errors = s.fewest;
    }
    assert_int_equal(s.fewest, errors);
    assert_memory_equal(s.best, first, sizeof first);
    bperc_i_flip_search_clear(&s);
  }
  bperc_instance_free(in);
}

static void memory_may_fail(void **state) {
  (void)state;
  for (long k = 0; k < 8; k++) {
    bperc_i_flip_search s;
    bperc_i_alloc_fail_after(k);
    assert_int_equal(bperc_i_flip_search_init(&s, 40, 50), BPERC_E_MEMORY);
    bperc_i_alloc_fail_after(-1);
    bperc_i_flip_search_clear(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_right),
      cmocka_unit_test(weights_are_counted),
      cmocka_unit_test(same_flips),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
