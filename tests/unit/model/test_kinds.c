/* Every kind of weights, inputs, ties, threshold and kappa against the
 * definition: bounds, hits, sums, verifier, contradictions. */
#include "check.h"

#include "any_instance.h"
#include "bperc/instance.h"
#include "literal.h"

#include <string.h>

/* Bounds and verifier of one instance under one configuration. */
static void compare(const bperc_instance *in, uint32_t w) {
  uint64_t weights = w;
  size_t violated[8], errors = 0;
  int64_t sums[8];
  bperc_verdict verdict = bperc_verify(in, &weights, violated);
  bperc_instance_sums(in, &weights, sums);
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t hits = bperc_instance_hits(in, mu, &weights);
    bool good = in->labels[mu] ? hits >= bperc_instance_bound(in, mu)
                               : hits <= bperc_instance_bound(in, mu);
    assert_int_equal(good, literal_satisfied(in, mu, w));
    assert_int_equal(sums[mu], (int64_t)literal_sum(in, mu, w));
    if (!good)
      assert_int_equal(violated[errors++], mu);
  }
  assert_int_equal(verdict.errors, errors);
  assert_int_equal(verdict.min_margin<0, errors> 0);
}

static void bounds_are_the_definition(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 3600; seed++) {
    size_t n = 1 + seed % 17;
    bperc_instance *in = any_instance(n, 8, seed);
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 78);
    for (int k = 0; k < 40; k++)
      compare(in, (uint32_t)bperc_stream_below(&s, (uint64_t)1 << n));
    compare(in, 0);
    compare(in, (1u << n) - 1);
    bperc_instance_free(in);
  }
}

/* Whether one pattern, or two, have no solution at all. */
static bool impossible(const bperc_instance *in, size_t mu, size_t nu) {
  for (uint32_t w = 0; w < 1u << in->n; w++)
    if (literal_satisfied(in, mu, w) && literal_satisfied(in, nu, w))
      return false;
  return true;
}

static void contradictions_are_true_and_complete(void **state) {
  size_t alone = 0, pairs = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 1800; seed++) {
    bperc_instance *in = any_instance(1 + seed % 5, 7, seed);
    bperc_contradiction list[64];
    size_t count, expected = 0;
    assert_int_equal(bperc_instance_contradictions(in, list, 64, &count),
                     BPERC_OK);
    assert_in_range(count, 0, 64);
    for (size_t k = 0; k < count; k++) {
      assert_true(impossible(in, list[k].mu, list[k].nu));
      expected += list[k].mu == list[k].nu;
      pairs += list[k].mu != list[k].nu;
    }
    alone += expected;
    for (size_t mu = 0; mu < in->m; mu++)
      expected -= impossible(in, mu, mu);
    assert_int_equal(expected, 0);
    bperc_instance_free(in);
  }
  assert_in_range(alone, 100, 20000);
  assert_in_range(pairs, 100, 20000);
}

/* Hits beyond one word, with every tail, against the definition. */
static void wide_rows(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    size_t n = 40 + 7 * seed;
    bperc_instance *in = any_instance(n, 3, seed);
    uint64_t weights[64];
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 79);
    bperc_stream_bernoulli(&s, 0.4, weights, n);
    for (size_t mu = 0; mu < 3; mu++) {
      int64_t hits = 0;
      for (size_t i = 0; i < n; i++) {
        int x = literal_input(in, mu, i);
        int bit = (int)(weights[i / 64] >> i % 64 & 1);
        hits += in->inputs == BPERC_INPUTS_01 ? x && bit : x && bit == (x > 0);
      }
      assert_int_equal(bperc_instance_hits(in, mu, weights), hits);
    }
    bperc_instance_free(in);
  }
}

/* Another model on the same patterns is the instance made that way. */
static void changed_model(void **state) {
  bperc_error error;
  (void)state;
  for (uint64_t seed = 0; seed < 360; seed++) {
    bperc_instance *in = any_instance(12, 8, seed);
    bperc_model model = bperc_instance_model(in), other = model;
    int64_t bound[8];
    for (size_t mu = 0; mu < 8; mu++)
      bound[mu] = bperc_instance_bound(in, mu);
    other.theta += 1.5;
    other.kappa += 0.5;
    other.weights = (bperc_weight_kind)!other.weights;
    assert_int_equal(bperc_instance_set_model(in, &other, NULL), BPERC_OK);
    compare(in, 0x5a7);
    assert_int_equal(bperc_instance_set_model(in, &model, NULL), BPERC_OK);
    for (size_t mu = 0; mu < 8; mu++)
      assert_int_equal(bperc_instance_bound(in, mu), bound[mu]);
    model.kappa = -0.25;
    assert_int_equal(bperc_instance_set_model(in, &model, &error),
                     BPERC_E_ARGUMENT);
    assert_string_equal(error.text, "kappa = -0.25 must be 0 or more");
    for (size_t mu = 0; mu < 8; mu++)
      assert_int_equal(bperc_instance_bound(in, mu), bound[mu]);
    bperc_instance_free(in);
  }
}

/* Levels that only rounding separates from a whole number are that number:
 * 0.3 - 2.3 is not -2 in floating point. */
static void whole_levels(void **state) {
  static const struct {
    double theta, kappa;
    int64_t low, high; /* bounds of labels 0 and 1 under `strict` */
  } rows[] = {{2.9999999999, 0, 2, 4},
              {2.99999, 0, 2, 3},
              {0.3, 2.3, -3, 3},
              {-0.3, 0.3, -1, 1}};
  (void)state;
  for (size_t k = 0; k < 4; k++) {
    bperc_model model = {.theta = rows[k].theta,
                         .kappa = rows[k].kappa,
                         .ties = BPERC_TIES_STRICT};
    bperc_instance *in;
    assert_int_equal(bperc_instance_new(9, 2, &model, &in, NULL), BPERC_OK);
    in->labels[1] = 1;
    bperc_instance_update_bounds(in);
    assert_int_equal(bperc_instance_bound(in, 0), rows[k].low);
    assert_int_equal(bperc_instance_bound(in, 1), rows[k].high);
    bperc_instance_free(in);
  }
}

/* Bytes at any strides become the instance they were taken from. */
static void bytes_come_back(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 360; seed++) {
    enum { M = 4, GAP = 3 };
    size_t n = 1 + seed % 90;
    bperc_instance *in = any_instance(n, M, seed), *back;
    bperc_model model = bperc_instance_model(in);
    int8_t bytes[M * 90 * GAP], labels[2 * M];
    bperc_bytes rows = {bytes, (ptrdiff_t)n * GAP, GAP, labels, 2};
    bperc_bytes columns = {bytes, GAP, M * GAP, labels, 2};
    bperc_bytes plain = {bytes, (ptrdiff_t)n, 1, labels, 2};
    bperc_bytes x = seed < 90 ? rows : seed < 180 ? columns : plain;
    for (size_t mu = 0; mu < M; mu++) {
      labels[2 * mu] = (int8_t)(in->labels[mu] ? 1 : -(int)(seed % 3 > 0));
      for (size_t i = 0; i < n; i++)
        bytes[(ptrdiff_t)mu * x.row + (ptrdiff_t)i * x.step] =
            (int8_t)literal_input(in, mu, i);
    }
    assert_int_equal(bperc_instance_from_bytes(n, M, &x, &model, &back, NULL),
                     BPERC_OK);
    for (size_t mu = 0; mu < M; mu++)
      assert_int_equal(bperc_instance_bound(back, mu),
                       bperc_instance_bound(in, mu));
    assert_memory_equal(back->labels, in->labels, M);
    for (size_t mu = 0; mu < M; mu++)
      for (size_t i = 0; i < n; i++)
        assert_int_equal(bperc_instance_input(back, mu, i),
                         literal_input(in, mu, i));
    bperc_instance_free(back);
    bperc_instance_free(in);
  }
}

static void bad_bytes(void **state) {
  static const int8_t bytes[] = {0, 1, 2, 0}, labels[] = {0, 7};
  bperc_model model = {.a = 2};
  bperc_instance *in;
  bperc_error error;
  (void)state;
  assert_int_equal(
      bperc_instance_from_bytes(2, 2, &(bperc_bytes){bytes, 2, 1, labels, 0},
                                &model, &in, &error),
      BPERC_E_ARGUMENT);
  assert_null(in);
  assert_string_equal(error.text, "input 0 of pattern 1 is 2, not -1, 0 or 1");
  assert_int_equal(
      bperc_instance_from_bytes(2, 2, &(bperc_bytes){bytes, 1, 1, labels, 0},
                                &model, &in, &error),
      BPERC_E_ARGUMENT);
  assert_int_equal(bperc_instance_from_bytes(
                       2, 1, &(bperc_bytes){bytes, 2, 1, labels + 1, 0}, &model,
                       &in, &error),
                   BPERC_E_ARGUMENT);
  assert_string_equal(error.text, "label 0 is 7, not 0 or 1, or -1 or 1");
}

static void packed_bits(void **state) {
  int8_t values[100], back[100];
  uint64_t bits[2] = {~(uint64_t)0, ~(uint64_t)0};
  (void)state;
  for (int i = 0; i < 100; i++)
    values[i] = (int8_t)(i * i % 3 - 1);
  bperc_bits_pack(values, 100, bits);
  assert_int_equal(bits[1] >> 36, 0);
  bperc_bits_unpack(bits, 100, back);
  for (size_t i = 0; i < 100; i++) {
    assert_int_equal(back[i], values[i] > 0);
    assert_int_equal(bperc_bit_get(bits, i), back[i]);
    bperc_bit_set(bits, i, !back[i]);
    assert_int_equal(bperc_bit_get(bits, i), !back[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_the_definition),
      cmocka_unit_test(contradictions_are_true_and_complete),
      cmocka_unit_test(wide_rows),
      cmocka_unit_test(changed_model),
      cmocka_unit_test(whole_levels),
      cmocka_unit_test(bytes_come_back),
      cmocka_unit_test(bad_bytes),
      cmocka_unit_test(packed_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
