/* Allocation that fails on demand, error sentences, parallel loops. */
#include "check.h"

#include "base/alloc.h"
#include "base/threads.h"
#include "bperc/status.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

typedef struct {
  atomic_uint runs[40];
  atomic_uint largest; /* number of a worker */
} tally;

static void note(void *context, size_t task, unsigned worker) {
  tally *t = context;
  unsigned seen = atomic_load(&t->largest);
  atomic_fetch_add(&t->runs[task], 1);
  while (seen < worker &&
         !atomic_compare_exchange_weak(&t->largest, &seen, worker))
    ;
}

/* Loops follow each other at once, with fewer and more tasks than workers; 9
 * threads are more than most machines have cores, and sleep between loops. */
static void team_runs_every_task_once(void **state) {
  (void)state;
  for (unsigned threads = 1; threads < 10; threads += 2) {
    bperc_i_thread_pool *pool = bperc_i_thread_pool_new(threads);
    assert_non_null(pool);
    for (size_t loop = 0; loop < 600; loop++) {
      size_t tasks = loop % 40;
      unsigned most = 1 + (unsigned)(loop / 40) % 10;
      tally t = {0};
      bperc_i_thread_pool_run(pool, tasks, most, note, &t);
      for (size_t k = 0; k < 40; k++)
        assert_int_equal(atomic_load(&t.runs[k]), k < tasks);
      assert_true(atomic_load(&t.largest) < most);
      assert_true(atomic_load(&t.largest) < threads);
    }
    bperc_i_thread_pool_free(pool);
  }
}

/* Partial sums of the last loop, at two places in turn. */
typedef struct {
  size_t parts;
  uint64_t sum[2][16];
  uint64_t own[16];
  uint64_t answer, owned;
} chain;

typedef struct {
  chain *c;
  size_t loop;
  uint64_t sum; /* of the last loop */
} ring;

static void add_ring(void *context, size_t part, unsigned worker) {
  const ring *l = context;
  (void)worker;
  l->c->sum[l->loop % 2][part] = l->sum * 3 + part + l->loop;
}

/* Nobody waits for it; all see it after the next loop. */
static void add_own(void *context, size_t part, unsigned worker) {
  const ring *l = context;
  (void)worker;
  l->c->own[part] += l->loop;
}

/* Every worker follows all sums; each loop needs those of the last one. */
static void follow(void *context, bperc_i_region *region) {
  chain *c = context;
  ring l = {.c = c, .sum = 1};
  assert_int_equal(bperc_i_region_parts(region), c->parts);
  for (l.loop = 0; l.loop < 7; l.loop++) {
    if (l.loop % 3 == 1)
      bperc_i_region_run_and(region, add_ring, add_own, &l);
    else
      bperc_i_region_run(region, add_ring, &l);
    l.sum = 0;
    for (size_t k = 0; k < c->parts; k++)
      l.sum += c->sum[l.loop % 2][k];
  }
  if (bperc_i_region_worker(region) > 0)
    return;
  c->answer = l.sum;
  for (size_t k = 0; k < c->parts; k++)
    c->owned += c->own[k];
}

static uint64_t chain_alone(uint64_t parts) {
  uint64_t sum = 1;
  for (uint64_t loop = 0; loop < 7; loop++)
    sum = parts * (sum * 3 + loop) + parts * (parts - 1) / 2;
  return sum;
}

/* In turn with loops of one call. */
static void crews_go_through_loops(void **state) {
  (void)state;
  for (unsigned threads = 0; threads < 10; threads++) {
    bperc_i_thread_pool *pool =
        threads ? bperc_i_thread_pool_new(threads) : NULL;
    size_t parts = bperc_i_thread_pool_size(pool);
    for (size_t k = 0; k < 400; k++) {
      chain c = {.parts = parts};
      size_t out[30] = {0};
      bperc_i_thread_pool_region(pool, follow, &c);
      assert_int_equal(c.answer, chain_alone(parts));
      assert_int_equal(c.owned, parts * (1 + 4));
      if (k % 3 == 0)
        bperc_i_thread_pool_run(pool, 30, threads, square, out);
      assert_int_equal(out[29], k % 3 == 0 ? 29 * 29 : 0);
    }
    bperc_i_thread_pool_free(pool);
  }
}

/* The child has no helpers, and must not wait for them. */
static void team_after_fork(void **state) {
  bperc_i_thread_pool *pool = bperc_i_thread_pool_new(3);
  size_t out[50] = {0};
  int status = -1;
  (void)state;
  bperc_i_thread_pool_run(pool, 50, 3, square, out);
  pid_t child = fork();
  if (child == 0) {
    size_t mine[50] = {0};
    chain c = {.parts = 3};
    bperc_i_thread_pool_run(pool, 50, 3, square, mine);
    bperc_i_thread_pool_region(pool, follow, &c);
    bperc_i_thread_pool_free(pool);
    _exit(memcmp(mine, out, sizeof out) != 0 || c.answer != chain_alone(3));
  }
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  bperc_i_thread_pool_run(pool, 50, 3, square, out);
  assert_int_equal(out[49], 2 * 49 * 49);
  bperc_i_thread_pool_free(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allocation_fails_on_demand),
      cmocka_unit_test(allocation_overflow),
      cmocka_unit_test(realloc_keeps_content),
      cmocka_unit_test(error_sentences),
      cmocka_unit_test(parallel_runs_every_task_once),
      cmocka_unit_test(team_runs_every_task_once),
      cmocka_unit_test(crews_go_through_loops),
      cmocka_unit_test(team_after_fork),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
