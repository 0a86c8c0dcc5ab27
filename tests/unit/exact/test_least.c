/* The least number of errors against a loop over all weights. */
#include "any_instance.h"
#include "check.h"
#include "literal.h"

#include "base/alloc.h"
#include "bperc/bperc.h"

#include <string.h>

enum { INSTANCES = 300, MOST_N = 16 };

static uint64_t cost_of(const bperc_instance *in, const uint32_t *cost,
                        uint32_t w) {
  uint64_t sum = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    if (!literal_satisfied(in, mu, w))
      sum += cost ? cost[mu] : 1;
  return sum;
}

static uint64_t least_by_loop(const bperc_instance *in, const int8_t *fixed,
                              const uint32_t *cost) {
  uint64_t least = UINT64_MAX;
  for (uint32_t w = 0; w < 1u << in->n; w++) {
    bool allowed = true;
    for (size_t i = 0; i < in->n && allowed; i++)
      allowed = fixed[i] < 0 || fixed[i] == (int)(w >> i & 1);
    uint64_t here = allowed ? cost_of(in, cost, w) : UINT64_MAX;
    least = here < least ? here : least;
  }
  return least;
}

static void check_fixed(const int8_t *fixed, size_t n, uint64_t weights) {
  for (size_t i = 0; i < n; i++)
    assert_true(fixed[i] < 0 || fixed[i] == (int)(weights >> i & 1));
}

/* True: the instance had no solution and was compared. */
static bool check_problem(uint64_t seed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 4);
  size_t n = seed % 5 ? 2 + bperc_stream_below(&s, 9)
                      : 11 + bperc_stream_below(&s, MOST_N - 10);
  bperc_instance *in =
      any_instance(n, n / 2 + bperc_stream_below(&s, 2 * n), seed);
  int8_t fixed[MOST_N];
  uint32_t cost[64];
  uint64_t weights = 0;
  bperc_least_errors got;
  for (size_t i = 0; i < n; i++)
    fixed[i] = seed % 3 == 0 && bperc_stream_below(&s, 4) == 0
                   ? (int8_t)bperc_stream_below(&s, 2)
                   : -1;
  for (size_t mu = 0; mu < in->m; mu++)
    cost[mu] = 1 + (uint32_t)bperc_stream_below(&s, 9);
  const uint32_t *costs = seed % 2 ? cost : NULL;
  uint64_t least = least_by_loop(in, fixed, costs);
  assert_int_equal(bperc_exact_least_errors(
                       in,
                       &(bperc_least_options){.fixed = fixed, .cost = costs},
                       &weights, &got, NULL),
                   BPERC_OK);
  if (got.cost != least)
    fail_msg("seed %lu: cost %lu, by the loop %lu", (unsigned long)seed,
             (unsigned long)got.cost, (unsigned long)least);
  assert_true(got.proven && got.found && got.floor == least);
  assert_int_equal(cost_of(in, costs, (uint32_t)weights), least);
  check_fixed(fixed, n, weights);
  /* Nothing is better than the best; one more leaves room for it. */
  if (least > 0) {
    assert_int_equal(bperc_exact_least_errors(
                         in,
                         &(bperc_least_options){
                             .fixed = fixed, .cost = costs, .below = least},
                         NULL, &got, NULL),
                     BPERC_OK);
    assert_true(got.proven && !got.found && got.cost == least);
  }
  assert_int_equal(bperc_exact_least_errors(
                       in,
                       &(bperc_least_options){
                           .fixed = fixed, .cost = costs, .below = least + 1},
                       NULL, &got, NULL),
                   BPERC_OK);
  assert_true(got.found && got.cost == least);
  bperc_instance_free(in);
  return least > 0;
}

static void equals_a_loop(void **state) {
  (void)state;
  size_t compared = 0;
  for (uint64_t seed = 1; compared < INSTANCES; seed++)
    compared += check_problem(seed);
}

/* A pattern and its copies with the other label: one error for each pair, the
 * cheaper of the two. */
static void copies_with_the_other_label(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_least_errors got;
  uint32_t cost[10];
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 50, .m = 10, .fin = 0.3, .model = {.a = 12}},
          4, &in, NULL),
      BPERC_OK);
  for (size_t mu = 0; mu < 5; mu++) {
    in->patterns[mu + 5] = in->patterns[mu];
    in->labels[mu] = mu % 2;
    in->labels[mu + 5] = !(mu % 2);
    cost[mu] = 7;
    cost[mu + 5] = (uint32_t)mu + 5;
  }
  bperc_instance_update_bounds(in);
  assert_int_equal(bperc_exact_least_errors(in, NULL, NULL, &got, NULL),
                   BPERC_OK);
  assert_true(got.proven && got.cost == 5);
  assert_int_equal(
      bperc_exact_least_errors(in, &(bperc_least_options){.cost = cost}, NULL,
                               &got, NULL),
      BPERC_OK);
  assert_true(got.proven && got.cost == 5 + 6 + 7 + 7 + 7);
  bperc_instance_free(in);
}

/* A limit on the nodes gives bounds on both sides. */
static void limited(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_least_errors some, all;
  bperc_model model = {.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM};
  bperc_stream s = bperc_stream_make(1, BPERC_FOR_TEST, 5);
  uint64_t weights;
  assert_int_equal(bperc_instance_new(25, 32, &model, &in, NULL), BPERC_OK);
  for (size_t mu = 0; mu < in->m; mu++)
    any_row(in, mu, &s);
  bperc_instance_update_bounds(in);
  assert_int_equal(bperc_exact_least_errors(in, NULL, &weights, &all, NULL),
                   BPERC_OK);
  assert_true(all.proven && all.cost > 0 && all.nodes > 50);
  assert_int_equal(bperc_verify(in, &weights, NULL).errors, all.cost);
  assert_int_equal(
      bperc_exact_least_errors(in, &(bperc_least_options){.max_nodes = 50},
                               &weights, &some, NULL),
      BPERC_OK);
  assert_true(!some.proven && some.found && some.nodes == 50);
  assert_true(some.floor <= all.cost && all.cost <= some.cost);
  assert_int_equal(bperc_verify(in, &weights, NULL).errors, some.cost);
  bperc_instance_free(in);
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  bperc_instance *in = any_instance(12, 20, 7);
  for (long k = 0; k < 40; k++) {
    bperc_least_errors got;
    bperc_i_alloc_fail_after(k);
    bperc_status status = bperc_exact_least_errors(in, NULL, NULL, &got, NULL);
    bperc_i_alloc_fail_after(-1);
    assert_true(status == BPERC_OK || status == BPERC_E_MEMORY);
  }
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_a_loop),
      cmocka_unit_test(copies_with_the_other_label),
      cmocka_unit_test(limited),
      cmocka_unit_test(survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
