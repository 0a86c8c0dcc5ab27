/* Descent of errors: never more of them, and all gone near a solution. */
#include "check.h"

#include "any_instance.h"
#include "base/alloc.h"
#include "base/bits.h"
#include "bperc/ensemble.h"
#include "data/descend.h"
#include "no_memory.h"

/* Every kind of weights and inputs, from weights drawn at random. */
static void never_more_errors(void **state) {
  size_t fewer = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 180; seed++) {
    bperc_instance *in = any_instance(16, 24, seed);
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 9);
    uint64_t weights[1];
    bperc_stream_bernoulli(&s, 0.5, weights, 16);
    size_t before = bperc_verify(in, weights, NULL).errors, after;
    assert_int_equal(bperc_i_descend(in, seed, weights), BPERC_OK);
    after = bperc_verify(in, weights, NULL).errors;
    assert_true(after <= before && weights[0] < 1 << 16);
    fewer += after < before;
    bperc_instance_free(in);
  }
  assert_true(fewer > 90);
}

/* Labels given by weights, of which three are then wrong. */
static void back_to_a_solution(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    bperc_instance *in;
    uint64_t weights[2];
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 10);
    bperc_ensemble_draw(
        &(bperc_ensemble){.n = 100, .m = 40, .fin = 0.5, .model = {.a = 4}},
        seed, &in, NULL);
    bperc_stream_bernoulli(&s, 0.5, weights, 100);
    for (size_t mu = 0; mu < in->m; mu++)
      in->labels[mu] = bperc_instance_hits(in, mu, weights) > 25;
    bperc_instance_update_bounds(in);
    assert_int_equal(bperc_verify(in, weights, NULL).errors, 0);
    for (size_t i = 3; i < 90; i += 31)
      bperc_i_bit_set(weights, i, !bperc_i_bit(weights, i));
    assert_int_equal(bperc_i_descend(in, seed, weights), BPERC_OK);
    assert_int_equal(bperc_verify(in, weights, NULL).errors, 0);
    bperc_instance_free(in);
  }
}

static void no_memory(void **state) {
  bperc_instance *in, *none = NULL;
  uint64_t weights[2] = {0, 0};
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 100, .m = 40, .fin = 0.5, .model = {.a = 4}}, 1,
      &in, NULL);
  assert_needs_memory(3, bperc_i_descend(in, 1, weights), none);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(never_more_errors),
      cmocka_unit_test(back_to_a_solution),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
