/* Allocation that fails on demand, error sentences, the parallel loop. */
#include "check.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "bperc/status.h"

#include <stdint.h>

static void allocation_fails_on_demand(void **state) {
  void *p, *q;
  (void)state;
  bperc_i_alloc_fail_after(1);
  p = bperc_i_alloc(3, 5);
  q = bperc_i_alloc(3, 5);
  bperc_i_alloc_fail_after(-1);
  assert_non_null(p);
  assert_null(q);
  assert_int_equal((uintptr_t)p % BPERC_I_ALIGN, 0);
  bperc_i_free(p);
}

static void allocation_overflow(void **state) {
  (void)state;
  assert_null(bperc_i_alloc(SIZE_MAX / 2, 3));
  assert_null(bperc_i_alloc(1, SIZE_MAX));
}

static void realloc_keeps_content(void **state) {
  char *p = bperc_i_strdup("perceptron");
  (void)state;
  p = bperc_i_realloc(p, 11, 1000);
  assert_string_equal(p, "perceptron");
  bperc_i_free(p);
}

static void error_sentences(void **state) {
  bperc_error error;
  (void)state;
  assert_int_equal(bperc_error_set(&error, BPERC_E_FORMAT, "line %d", 7),
                   BPERC_E_FORMAT);
  assert_string_equal(error.text, "line 7");
  assert_int_equal(bperc_error_set(NULL, BPERC_E_IO, "x"), BPERC_E_IO);
}

static void square(void *context, size_t task, unsigned worker) {
  (void)worker;
  ((size_t *)context)[task] += task * task;
}

static void parallel_runs_every_task_once(void **state) {
  (void)state;
  for (unsigned threads = 0; threads < 5; threads++) {
    size_t out[333] = {0};
    bperc_i_parallel_for(333, threads, square, out);
    for (size_t k = 0; k < 333; k++)
      assert_int_equal(out[k], k * k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allocation_fails_on_demand),
      cmocka_unit_test(allocation_overflow),
      cmocka_unit_test(realloc_keeps_content),
      cmocka_unit_test(error_sentences),
      cmocka_unit_test(parallel_runs_every_task_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
