/* One problem over several processes, here threads that each have some of the
 * patterns: the answers of one. */
#include "check.h"

#include "bperc/bperc.h"
#include "solver/amp_state.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t *total;
static char *common;
static _Thread_local int me;
static int processes;

/* What the first one brings is where the others add theirs. */
static void sum_threads(int64_t *numbers, size_t count) {
  if (me == 0)
    total = calloc(count, sizeof *total);
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&lock);
  for (size_t k = 0; k < count; k++)
    total[k] += numbers[k];
  pthread_mutex_unlock(&lock);
  pthread_barrier_wait(&barrier);
  memcpy(numbers, total, count * sizeof *total);
  pthread_barrier_wait(&barrier);
  if (me == 0)
    free(total);
}

static void gather_threads(void *all, const size_t *at) {
  size_t end = at[processes];
  if (me == 0)
    common = all;
  pthread_barrier_wait(&barrier);
  if (me > 0)
    memcpy(common + at[me], (char *)all + at[me], at[me + 1] - at[me]);
  pthread_barrier_wait(&barrier);
  if (me > 0) {
    memcpy(all, common, at[me]);
    memcpy((char *)all + at[me + 1], common + at[me + 1], end - at[me + 1]);
  }
  pthread_barrier_wait(&barrier);
}

typedef struct {
  bperc_instance *in;
  int rank, size;
  bperc_run_result run;
} process;

static void solve_amp(const bperc_instance *in, bperc_run_result *run) {
  bperc_amp_options options;
  bperc_options_default(bperc_amp_class.options(), &options);
  options.max_iterations = 700;
  options.polish = 300;
  options.slow = 0.5;
  assert_int_equal(bperc_run(&bperc_amp_class, in, &options, NULL, run, NULL),
                   BPERC_OK);
}

static void *run_process(void *context) {
  process *p = context;
  bperc_i_span own = bperc_i_amp_rank_rows(p->in->m, p->rank, p->size);
  const bperc_spread spread = {.m = p->in->m,
                               .first = own.from,
                               .rank = p->rank,
                               .size = p->size,
                               .sum = sum_threads,
                               .gather = gather_threads};
  me = p->rank;
  if (bperc_instance_spread(p->in, &spread, own.to - own.from, NULL))
    abort();
  solve_amp(p->in, &p->run);
  return NULL;
}

/* Kinds of inputs in turn; balanced and other labels; some are not solved. */
static bperc_instance *draw(uint64_t seed) {
  bperc_ensemble e = {.n = 400 + seed % 3,
                      .m = 90 + 8 * (size_t)(seed % 5),
                      .fin = seed % 2 ? 0.5 : 0.3,
                      .model = {.a = 40}};
  bperc_instance *in;
  e.fout = seed % 4 == 2 ? 0.2 : 0.5;
  if (seed % 3 == 1) {
    e.m = 300 + 4 * (size_t)seed;
    e.model =
        (bperc_model){.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM};
  }
  assert_int_equal(bperc_ensemble_draw(&e, seed, &in, NULL), BPERC_OK);
  return in;
}

static void same_answer(uint64_t seed, int size,
                        const bperc_run_result *expected) {
  process all[MOST];
  pthread_t thread[MOST];
  processes = size;
  pthread_barrier_init(&barrier, NULL, (unsigned)size);
  for (int r = 0; r < size; r++) {
    all[r] = (process){.in = draw(seed), .rank = r, .size = size};
    pthread_create(&thread[r], NULL, run_process, &all[r]);
  }
  for (int r = 0; r < size; r++) {
    const bperc_run_result *run = &all[r].run;
    pthread_join(thread[r], NULL);
    assert_int_equal(run->outcome, expected->outcome);
    assert_int_equal(run->steps, expected->steps);
    assert_int_equal(run->errors, expected->errors);
    assert_memory_equal(run->weights, expected->weights,
                        all[r].in->words * sizeof *run->weights);
    bperc_run_clear(&all[r].run);
    bperc_instance_free(all[r].in);
  }
  pthread_barrier_destroy(&barrier);
}

static void every_number_of_processes(void **state) {
  size_t solved = 0, failed = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bperc_instance *in = draw(seed);
    bperc_run_result expected;
    solve_amp(in, &expected);
    assert_int_equal(bperc_verify(in, expected.weights, NULL).errors,
                     expected.errors);
    solved += expected.errors == 0;
    failed += expected.errors > 0;
    for (int size = 1 + (int)(seed % 2); size <= MOST; size += 2)
      same_answer(seed, size, &expected);
    bperc_run_clear(&expected);
    bperc_instance_free(in);
  }
  print_message("%zu solved, %zu not\n", solved, failed);
  assert_true(solved >= 3 && failed >= 3);
}

static void what_is_refused(void **state) {
  bperc_instance *in = draw(2);
  bperc_spread spread = {.m = in->m + 1, .size = 1};
  bperc_amp_options options;
  bperc_run_result run;
  bperc_error error;
  (void)state;
  assert_int_equal(bperc_instance_spread(in, &spread, 1, &error),
                   BPERC_E_ARGUMENT);
  spread = (bperc_spread){.m = in->m, .first = 3, .size = 1};
  assert_int_equal(bperc_instance_spread(in, &spread, in->m - 2, &error),
                   BPERC_E_ARGUMENT);
  assert_int_equal(bperc_instance_spread(in, &spread, 2, &error), BPERC_OK);
  assert_int_equal(in->m, 2);
  assert_int_equal(bperc_instance_all(in), spread.m);
  bperc_options_default(bperc_amp_class.options(), &options);
  options.freeze = 3;
  assert_int_equal(
      bperc_run(&bperc_amp_class, in, &options, NULL, &run, &error),
      BPERC_E_ARGUMENT);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_of_processes),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
