/* Random streams: known answers, independence of order, statistics. */
#include "check.h"

#include "base/bits.h"
#include "bperc/stream.h"

#include <stdbool.h>

/* Threefry-4x64-20, key and counter zero: the answer published with
 * Random123 (kat_vectors). */
static void known_answer(void **state) {
  bperc_stream s = bperc_stream_make(0, (bperc_purpose)0, 0);
  (void)state;
  assert_int_equal(bperc_stream_u64(&s), 0x09218ebde6c85537u);
  assert_int_equal(bperc_stream_u64(&s), 0x55941f5266d86105u);
  assert_int_equal(bperc_stream_u64(&s), 0x4bd25e16282434dcu);
  assert_int_equal(bperc_stream_u64(&s), 0xee29ec846bd2e40bu);
}

static void keys_differ(void **state) {
  uint64_t seen[4];
  bperc_stream s[4] = {bperc_stream_make(7, BPERC_FOR_SBPI, 3),
                       bperc_stream_make(8, BPERC_FOR_SBPI, 3),
                       bperc_stream_make(7, BPERC_FOR_ECP, 3),
                       bperc_stream_make(7, BPERC_FOR_SBPI, 4)};
  (void)state;
  for (int k = 0; k < 4; k++)
    seen[k] = bperc_stream_u64(&s[k]);
  for (int k = 1; k < 4; k++)
    assert_int_not_equal(seen[0], seen[k]);
}

static void below_is_uniform(void **state) {
  enum { N = 7, DRAWS = 70000 };
  bperc_stream s = bperc_stream_make(11, BPERC_FOR_TEST, 0);
  int count[N] = {0};
  (void)state;
  for (int k = 0; k < DRAWS; k++)
    count[bperc_stream_below(&s, N)]++;
  for (int k = 0; k < N; k++)
    assert_close(count[k], DRAWS / N, 5 * sqrt(DRAWS / N));
}

static void shuffle_is_a_permutation(void **state) {
  uint32_t items[100];
  bool seen[100] = {false};
  bperc_stream s = bperc_stream_make(3, BPERC_FOR_TEST, 1);
  (void)state;
  for (uint32_t k = 0; k < 100; k++)
    items[k] = k;
  bperc_stream_shuffle(&s, items, 100);
  for (int k = 0; k < 100; k++) {
    assert_false(seen[items[k]]);
    seen[items[k]] = true;
  }
}

static void bernoulli_frequency(void **state) {
  static const double ps[] = {0, 0.1, 0.3, 0.5, 0.871, 1};
  enum { BITS = 99991 };
  static uint64_t words[(BITS + 63) / 64];
  (void)state;
  for (size_t k = 0; k < sizeof ps / sizeof *ps; k++) {
    bperc_stream s = bperc_stream_make(5, BPERC_FOR_TEST, k);
    size_t ones = 0;
    bperc_stream_bernoulli(&s, ps[k], words, BITS);
    for (size_t w = 0; w < bperc_i_words(BITS); w++)
      ones += (size_t)__builtin_popcountll(words[w]);
    assert_close((double)ones, BITS * ps[k],
                 5 * sqrt(BITS * ps[k] * (1 - ps[k])));
    assert_int_equal(words[BITS / 64] & ~bperc_i_tail_mask(BITS), 0);
  }
}

/* Two purposes with one number would share their streams: the compiler refuses
 * two equal cases. A new purpose that is missing here is a warning. */
static int is_purpose(bperc_purpose purpose) {
  switch (purpose) {
  case BPERC_FOR_PATTERNS:
  case BPERC_FOR_LABELS:
  case BPERC_FOR_SBPI:
  case BPERC_FOR_ECP:
  case BPERC_FOR_RBP:
  case BPERC_FOR_WALK:
  case BPERC_FOR_BP_START:
  case BPERC_FOR_SAMPLE:
  case BPERC_FOR_EMBED:
  case BPERC_FOR_TRIAL:
  case BPERC_FOR_TASK:
  case BPERC_FOR_TEST:
  case BPERC_FOR_DECIMATE:
  case BPERC_FOR_THINNING:
  case BPERC_FOR_FOLDS:
  case BPERC_FOR_WALK_DRAWN:
  case BPERC_FOR_LEAST_ERRORS:
  case BPERC_FOR_ENUMERATE:
  case BPERC_FOR_JUDGES:
  case BPERC_FOR_TEACHER:
  case BPERC_FOR_NOISE:
  case BPERC_FOR_PROTOTYPES:
  case BPERC_FOR_SOURCE:
  case BPERC_FOR_RETRIEVAL:
  case BPERC_FOR_RESTART:
  case BPERC_FOR_ROWS:
  case BPERC_FOR_MERGED:
  case BPERC_FOR_AMP:
    return 1;
  }
  return 0;
}

static void purposes_differ(void **state) {
  (void)state;
  assert_true(is_purpose(BPERC_FOR_PATTERNS));
  assert_false(is_purpose((bperc_purpose)0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(purposes_differ),
      cmocka_unit_test(known_answer),
      cmocka_unit_test(keys_differ),
      cmocka_unit_test(below_is_uniform),
      cmocka_unit_test(shuffle_is_a_permutation),
      cmocka_unit_test(bernoulli_frequency),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
