/* The local search after a round of AMP. */
#include "check.h"

#include "bperc/bperc.h"
#include "isa.h"
#include "no_memory.h"
#include "solver/amp_polish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 403, WORDS = (N + 63) / 64, SMALL = 40 };

static bperc_instance *draw(int kind, uint64_t seed) {
  bperc_ensemble e = {.n = N, .m = 60, .fin = 0.5, .model = {.a = 20}};
  bperc_instance *in;
  if (kind == 1) {
    e.m = 160;
    e.model =
        (bperc_model){.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM};
  }
  assert_int_equal(bperc_ensemble_draw(&e, seed, &in, NULL), BPERC_OK);
  return in;
}

static bperc_run_result solve(const bperc_instance *in, int64_t iterations,
                              int64_t flips, unsigned threads) {
  bperc_amp_options options;
  bperc_run_result run;
  bperc_options_default(bperc_amp_class.options(), &options);
  options.max_iterations = iterations;
  options.polish = flips;
  assert_int_equal(
      bperc_run(&bperc_amp_class, in, &options,
                &(bperc_run_options){.seed = 1, .threads = threads}, &run,
                NULL),
      BPERC_OK);
  return run;
}

/* Fields of these weights: small at SMALL places, where some have the wrong
 * sign. */
static void near(const uint64_t *solution, uint64_t seed, double *fields) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TRIAL, 0);
  for (size_t i = 0; i < N; i++)
    fields[i] = bperc_bit_get(solution, i) ? 9.5 : -9.5;
  for (size_t k = 0; k < SMALL; k++)
    fields[k * (N / SMALL)] *= k % 8 == seed % 8 ? -0.03 : 0.05;
  fields[bperc_stream_below(&s, SMALL) * (N / SMALL)] *= -1;
}

static void signs(const double *fields, uint64_t *weights) {
  memset(weights, 0, WORDS * sizeof *weights);
  for (size_t i = 0; i < N; i++)
    bperc_bit_set(weights, i, fields[i] > 0);
}

/* Solutions spoilt at weights with small fields come back; never are more
 * patterns violated than before. */
static void mends_what_was_spoilt(void **state) {
  size_t spoilt = 0, mended = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bperc_instance *in = draw(seed % 2, seed);
    bperc_run_result run = solve(in, 2000, 0, 1);
    double fields[N], before[N];
    uint64_t weights[WORDS];
    bperc_i_polish p;
    size_t was, is;
    assert_int_equal(run.errors, 0);
    near(run.weights, seed, fields);
    memcpy(before, fields, sizeof fields);
    signs(fields, weights);
    was = bperc_verify(in, weights, NULL).errors;
    assert_int_equal(bperc_i_polish_init(&p, in), BPERC_OK);
    bperc_i_polish_run(&p, seed, 400, weights, fields);
    signs(fields, weights);
    is = bperc_verify(in, weights, NULL).errors;
    assert_true(is < was || memcmp(fields, before, sizeof fields) == 0);
    for (size_t i = 0; i < N; i++)
      assert_close(fabs(fields[i]), fabs(before[i]), 0);
    spoilt += was > 0;
    mended += was > 0 && is == 0;
    bperc_i_polish_clear(&p);
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
  assert_in_range(spoilt, 15, 20);
  assert_in_range(mended, spoilt * 8 / 10, spoilt);
}

/* Only the 128 smallest fields move. */
static void large_fields_stay(void **state) {
  bperc_instance *in = draw(0, 5);
  double fields[N];
  uint64_t weights[WORDS];
  bperc_i_polish p;
  (void)state;
  for (size_t i = 0; i < N; i++)
    fields[i] = -1 - (double)(i * 7 % N);
  signs(fields, weights);
  assert_int_equal(bperc_i_polish_init(&p, in), BPERC_OK);
  bperc_i_polish_run(&p, 1, 400, weights, fields);
  size_t moved = 0;
  for (size_t i = 0; i < N; i++) {
    moved += fields[i] > 0;
    if (i * 7 % N >= 128)
      assert_true(fields[i] < 0);
  }
  assert_in_range(moved, 1, 128);
  bperc_i_polish_clear(&p);
  bperc_instance_free(in);
}

/* More problems within the same iterations, the same bits everywhere. */
static void helps_rounds(void **state) {
  size_t solved[2] = {0};
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    bperc_instance *in;
    assert_int_equal(bperc_ensemble_draw(&(bperc_ensemble){.n = 1500,
                                                           .m = 330,
                                                           .fin = 0.5,
                                                           .model = {.a = 40}},
                                         seed, &in, NULL),
                     BPERC_OK);
    for (int k = 0; k < 2; k++) {
      bperc_run_result run = solve(in, 400, k ? 1000 : 0, 1);
      size_t errors = bperc_verify(in, run.weights, NULL).errors;
      assert_int_equal(errors, run.errors);
      assert_int_equal(run.outcome == BPERC_SOLVED, errors == 0);
      solved[k] += errors == 0;
      if (k == 1 && seed <= 3)
        FOR_EACH_ISA(isa) {
          bperc_run_result other = solve(in, 400, 1000, 1 + seed % 2);
          assert_int_equal(other.steps, run.steps);
          assert_memory_equal(other.weights, run.weights, in->words * 8);
          bperc_run_clear(&other);
        }
      bperc_run_clear(&run);
    }
    bperc_instance_free(in);
  }
  print_message("solved %zu, with flips %zu\n", solved[0], solved[1]);
  assert_true(solved[1] > solved[0]);
}

static void memory_may_fail(void **state) {
  bperc_instance *in = draw(0, 3);
  bperc_amp_options options;
  bperc_solver *made = NULL;
  (void)state;
  bperc_options_default(bperc_amp_class.options(), &options);
  options.polish = 10;
  assert_needs_memory(
      10,
      bperc_solver_new(&bperc_amp_class, in, &options,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &made,
                       NULL),
      made);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mends_what_was_spoilt),
      cmocka_unit_test(large_fields_stay),
      cmocka_unit_test(helps_rounds),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
