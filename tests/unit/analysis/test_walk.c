/* The walk among solutions against flips judged by the verifier. */
#include "check.h"

#include "base/bits.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "bperc/walk.h"
#include "no_memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *solution(const bperc_instance *in) {
  bperc_run_result run;
  uint64_t *weights = malloc(in->words * sizeof *weights);
  assert_int_equal(
      bperc_run(&bperc_sbpi_class, in, NULL, 2, 1, NULL, NULL, &run, NULL),
      BPERC_OK);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  memcpy(weights, run.weights, in->words * sizeof *weights);
  bperc_run_clear(&run);
  return weights;
}

static void same_as_plain(void **state) {
  static const bperc_ties ties[] = {BPERC_TIES_ZERO, BPERC_TIES_EITHER};
  (void)state;
  for (size_t k = 0; k < 2; k++) {
    enum { N = 70, SWEEPS = 30 };
    bperc_instance *in;
    uint64_t *w, *plain;
    uint64_t moves, expected = 0;
    uint32_t order[N];
    size_t distance, differ = 0;
    bperc_stream s = bperc_stream_make(5, BPERC_FOR_WALK, 0);
    bperc_instance_generate(N, 67, 0.4, 7, ties[k], 4 + k, &in, NULL);
    in->m = 20;
    w = solution(in);
    plain = malloc(in->words * sizeof *plain);
    memcpy(plain, w, in->words * sizeof *plain);
    for (uint32_t i = 0; i < N; i++)
      order[i] = i;
    for (int t = 0; t < SWEEPS; t++) {
      bperc_stream_shuffle(&s, order, N);
      for (int i = 0; i < N; i++) {
        uint64_t bit = (uint64_t)1 << (order[i] % 64);
        plain[order[i] / 64] ^= bit;
        if (bperc_verify(in, plain, NULL).errors)
          plain[order[i] / 64] ^= bit;
        else
          expected++;
      }
    }
    for (size_t i = 0; i < N; i++)
      differ += (size_t)(bperc_i_bit(w, i) != bperc_i_bit(plain, i));
    assert_int_equal(
        bperc_walk_sweeps(in, w, SWEEPS, 5, &moves, &distance, NULL), BPERC_OK);
    assert_memory_equal(w, plain, in->words * sizeof *plain);
    assert_int_equal(moves, expected);
    assert_int_equal(distance, differ);
    assert_true(moves > 0);
    free(w);
    free(plain);
    bperc_instance_free(in);
  }
}

static void start_must_be_a_solution(void **state) {
  bperc_instance *in;
  bperc_walk *w;
  bperc_error error;
  uint64_t zero[2] = {0};
  (void)state;
  bperc_instance_generate(70, 20, 0.2, 7, BPERC_TIES_ZERO, 4, &in, NULL);
  assert_int_equal(bperc_walk_new(in, zero, 1, &w, &error), BPERC_E_ARGUMENT);
  assert_null(w);
  assert_non_null(strstr(error.text, "solution"));
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in;
  bperc_walk *w;
  uint64_t zero[2] = {0};
  (void)state;
  bperc_instance_new(70, 3, 7, BPERC_TIES_ZERO, &in, NULL);
  assert_needs_memory(7, bperc_walk_new(in, zero, 1, &w, NULL), w);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_as_plain),
      cmocka_unit_test(start_must_be_a_solution),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
