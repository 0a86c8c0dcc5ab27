/* The walk among solutions against flips judged by the verifier. */
#include "check.h"

#include "any_instance.h"
#include "base/bits.h"
#include "bperc/ensemble.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "bperc/walk.h"
#include "no_memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 30 };

/* One try of the plain form: a flip, judged by the verifier. */
static uint64_t plain_try(const bperc_instance *in, uint64_t *w, size_t i) {
  uint64_t bit = (uint64_t)1 << (i % 64);
  w[i / 64] ^= bit;
  if (bperc_verify(in, w, NULL).errors == 0)
    return 1;
  w[i / 64] ^= bit;
  return 0;
}

static uint64_t plain_shuffled(const bperc_instance *in, uint64_t *w) {
  bperc_stream s = bperc_stream_make(5, BPERC_FOR_WALK, 0);
  uint32_t *order = malloc(in->n * sizeof *order);
  uint64_t moves = 0;
  for (uint32_t i = 0; i < in->n; i++)
    order[i] = i;
  for (int t = 0; t < SWEEPS; t++) {
    bperc_stream_shuffle(&s, order, in->n);
    for (size_t i = 0; i < in->n; i++)
      moves += plain_try(in, w, order[i]);
  }
  free(order);
  return moves;
}

static uint64_t plain_drawn(const bperc_instance *in, uint64_t *w) {
  bperc_stream s = bperc_stream_make(5, BPERC_FOR_WALK_DRAWN, 0);
  uint64_t moves = 0;
  for (size_t t = 0; t < SWEEPS * in->n; t++) {
    uint64_t drawn = bperc_stream_below(&s, 2 * in->n);
    if ((uint64_t)bperc_i_bit(w, (size_t)(drawn / 2)) != drawn % 2)
      moves += plain_try(in, w, (size_t)(drawn / 2));
  }
  return moves;
}

/* Of every kind of problem that SBPI solves, both orders. */
static void same_as_plain(void **state) {
  uint64_t total = 0;
  int walked = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 72; seed++) {
    bperc_walk_options options = {.order = (int64_t)(seed / 18 % 2)};
    bperc_instance *in = any_instance(70 + seed, 6, seed);
    bperc_run_result run;
    bperc_walk_result walk;
    uint64_t expected, plain[3];
    size_t differ = 0;
    bperc_run(&bperc_sbpi_class, in, NULL,
              &(bperc_run_options){.seed = 2, .threads = 1}, &run, NULL);
    if (run.outcome == BPERC_SOLVED) {
      walked++;
      memcpy(plain, run.weights, in->words * sizeof *plain);
      expected =
          (options.order == BPERC_WALK_DRAWN ? plain_drawn
                                             : plain_shuffled)(in, plain);
      for (size_t k = 0; k < in->words; k++)
        differ += (size_t)__builtin_popcountll(plain[k] ^ run.weights[k]);
      assert_int_equal(
          bperc_walk_sweeps(in, &options,
                            &(bperc_walk_run){.sweeps = SWEEPS, .seed = 5},
                            run.weights, &walk, NULL),
          BPERC_OK);
      assert_memory_equal(run.weights, plain, in->words * sizeof *plain);
      assert_int_equal(walk.moves, expected);
      assert_int_equal(walk.distance, differ);
      total += walk.moves;
    }
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
  assert_in_range(walked, 50, 72);
  assert_true(total > 10000);
}

/* ---- all solutions of a cluster are equally likely */

/* Chi-square of samples over the states that the walk can reach from `start`,
 * which are marked; thrice its standard deviation above its mean is
 * refused. */
static void uniform_over(const bperc_instance *in, const bool *reached,
                         uint64_t start, size_t samples, int thin,
                         uint64_t seed) {
  size_t states = (size_t)1 << in->n, count = 0;
  uint32_t *met = calloc(states, sizeof *met);
  double chi = 0, expected, freedom;
  bperc_walk *w;
  assert_int_equal(bperc_walk_new(in, NULL, &start, seed, &w, NULL), BPERC_OK);
  for (size_t k = 0; k < samples; k++) {
    for (int t = 0; t < thin; t++)
      bperc_walk_sweep(w);
    assert_true(reached[*bperc_walk_weights(w)]);
    met[*bperc_walk_weights(w)]++;
  }
  for (size_t x = 0; x < states; x++)
    count += reached[x];
  expected = (double)samples / (double)count;
  freedom = (double)count - 1;
  for (size_t x = 0; x < states; x++)
    if (reached[x])
      chi += (met[x] - expected) * (met[x] - expected) / expected;
  if (fabs(chi - freedom) > 4 * sqrt(2 * freedom))
    fail_msg("seed %d: chi-square %g of %zu states", (int)seed, chi, count);
  bperc_walk_free(w);
  free(met);
}

static void free_weights_are_uniform(void **state) {
  bperc_instance *in;
  bool reached[64];
  (void)state;
  memset(reached, 1, sizeof reached);
  bperc_instance_new(6, 0, &(bperc_model){.a = 2}, &in, NULL);
  uniform_over(in, reached, 0, 100000, 4, 1);
  bperc_instance_free(in);
}

/* The cluster of a solution, by flips judged by the definition. */
static size_t spread(const bperc_instance *in, bool *reached, uint64_t from) {
  size_t count = 1;
  reached[from] = true;
  for (size_t i = 0; i < in->n; i++) {
    uint64_t next = from ^ (uint64_t)1 << i;
    if (!reached[next] && bperc_verify(in, &next, NULL).errors == 0)
      count += spread(in, reached, next);
  }
  return count;
}

static void clusters_are_uniform(void **state) {
  int clusters = 0;
  (void)state;
  for (uint64_t seed = 0; clusters < 5; seed++) {
    bperc_instance *in = any_instance(10, 5, seed);
    bool *reached = calloc((size_t)1 << in->n, sizeof *reached);
    for (uint64_t x = 0; x < 1u << in->n; x++)
      if (bperc_verify(in, &x, NULL).errors == 0) {
        size_t size = spread(in, reached, x);
        if (size >= 20 && size <= 80 && ++clusters)
          uniform_over(in, reached, x, 20000, 20, seed);
        break;
      }
    free(reached);
    bperc_instance_free(in);
  }
}

static void start_must_be_a_solution(void **state) {
  bperc_instance *in;
  bperc_walk *w;
  bperc_error error;
  uint64_t zero[2] = {0};
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 70, .m = 20, .fin = 0.2, .model = {.a = 7}}, 4,
      &in, NULL);
  assert_int_equal(bperc_walk_new(in, NULL, zero, 1, &w, &error),
                   BPERC_E_ARGUMENT);
  assert_null(w);
  assert_non_null(strstr(error.text, "solution"));
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in;
  bperc_walk *w;
  uint64_t zero[2] = {0};
  (void)state;
  bperc_instance_new(70, 3, &(bperc_model){.a = 7}, &in, NULL);
  assert_needs_memory(7, bperc_walk_new(in, NULL, zero, 1, &w, NULL), w);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_as_plain),
      cmocka_unit_test(free_weights_are_uniform),
      cmocka_unit_test(clusters_are_uniform),
      cmocka_unit_test(start_must_be_a_solution),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
