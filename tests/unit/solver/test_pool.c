/* Solvers whose steps a pool of threads shares (reinforced BP, decimation by
 * BP, AMP), and the exact search: the same bits as with one thread. Problems
 * are as small as a pool takes them, so that the thread sanitizer can run this
 * too (tools/threads). */
#include "check.h"

#include "bperc/bpd.h"
#include "bperc/ensemble.h"
#include "bperc/exact.h"
#include "bperc/solver.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1201, M = 420, WORDS = (N + 63) / 64 };

typedef struct {
  double field[N];
  uint64_t weights[WORDS];
  size_t errors;
} result;

static bperc_instance *draw(int pm) {
  bperc_ensemble e = {.n = N, .m = M, .fin = 0.5, .model = {.a = 40}};
  bperc_instance *in;
  if (pm)
    e.model =
        (bperc_model){.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM};
  assert_int_equal(bperc_ensemble_draw(&e, 5, &in, NULL), BPERC_OK);
  return in;
}

/* What a solver knows after some steps. */
static result run(const bperc_solver_class *solver, const bperc_instance *in,
                  const void *options, int steps, unsigned threads) {
  result r;
  bperc_view view;
  bperc_solver *s;
  memset(&r, 0, sizeof r);
  assert_int_equal(
      bperc_solver_new(solver, in, options,
                       &(bperc_run_options){.seed = 7, .threads = threads}, &s,
                       NULL),
      BPERC_OK);
  for (int k = 0; k < steps; k++)
    assert_int_equal(bperc_solver_step(s), BPERC_RUNNING);
  bperc_solver_view(s, &view);
  memcpy(r.weights, view.weights, sizeof r.weights);
  r.errors = view.errors;
  bperc_solver_fields(s, r.field);
  bperc_solver_free(s);
  return r;
}

static void compare(const bperc_solver_class *solver, const void *options,
                    int steps) {
  for (int pm = 0; pm < 2; pm++) {
    bperc_instance *in = draw(pm);
    result one = run(solver, in, options, steps, 1);
    assert_true(one.errors > 0 && one.errors < M);
    for (unsigned threads = 2; threads <= 3; threads++) {
      result many = run(solver, in, options, steps, threads);
      assert_memory_equal(&many, &one, sizeof one);
    }
    bperc_instance_free(in);
  }
}

static void reinforced(void **state) {
  (void)state;
  compare(&bperc_rbp_class, NULL, 4);
}

/* Edges of the weights that are fixed leave the graph on all threads. */
static void decimation(void **state) {
  bperc_bpd_options options;
  (void)state;
  bperc_options_default(bperc_bpd_class.options(), &options);
  options.max_iterations = 4;
  options.give_up = 0;
  compare(&bperc_bpd_class, &options, 3);
}

static void message_passing(void **state) {
  (void)state;
  compare(&bperc_amp_class, NULL, 10);
}

/* The exact search, whose branches threads share. */
static void search(void **state) {
  bperc_ensemble e = {.n = 34, .m = 12, .fin = 0.5, .model = {.a = 12}};
  bperc_exact_answer one, many;
  bperc_instance *in;
  (void)state;
  assert_int_equal(bperc_ensemble_draw(&e, 5, &in, NULL), BPERC_OK);
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 1}, &one,
                                     NULL),
                   BPERC_OK);
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 3},
                                     &many, NULL),
                   BPERC_OK);
  assert_true(one.count.word[0] > 0);
  assert_int_equal(one.count.word[0], many.count.word[0]);
  assert_int_equal(one.nodes, many.nodes);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reinforced),
      cmocka_unit_test(decimation),
      cmocka_unit_test(message_passing),
      cmocka_unit_test(search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
