/* Sammon maps: the stress is what the definition says, and is low where a map
 * without stress exists. */
#include "check.h"

#include "base/alloc.h"
#include "bperc/bperc.h"
#include "kernels/isa.h"

#include <stdlib.h>
#include <string.h>

static bperc_solutions *list(size_t n, size_t m, double fin, uint64_t seed,
                             bperc_instance **in) {
  bperc_solutions *s;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = 9}},
          seed, in, NULL),
      BPERC_OK);
  assert_int_equal(bperc_exact_list(*in, NULL,
                                    &(bperc_space_options){.threads = 1}, &s,
                                    NULL),
                   BPERC_OK);
  return s;
}

static bperc_embedding *embed(const bperc_solutions *s, int64_t points,
                              unsigned threads) {
  bperc_embed_options options;
  bperc_embedding *e;
  bperc_options_default(bperc_embed_option_table(), &options);
  options.points = points;
  options.iterations = 60;
  assert_int_equal(
      bperc_embed(s, &options,
                  &(bperc_space_options){.seed = 7, .threads = threads}, &e,
                  NULL),
      BPERC_OK);
  return e;
}

/* E of points in the plane, by its definition; lists of up to 64 columns. */
static double double_sum(const bperc_embedding *e, const bperc_solutions *s) {
  double sum = 0, total = 0;
  for (size_t k = 0; k < e->count; k++)
    for (size_t l = 0; l < k; l++) {
      double far = __builtin_popcountll(s->bits[e->solution[k]] ^
                                        s->bits[e->solution[l]]);
      double miss = far - hypot(e->x[k] - e->x[l], e->y[k] - e->y[l]);
      sum += miss * miss / far;
      total += far;
    }
  return sum / total;
}

static void stress_is_the_double_sum(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_solutions *s = list(18, 5, 0.4, 3, &in);
  bperc_embedding *e = embed(s, 150, 1);
  assert_true(s->count > 20);
  assert_close(e->stress, double_sum(e, s), 1e-12);
  assert_true(e->stress < e->classical && e->classical < 1);
  assert_true(e->count == (s->count < 150 ? s->count : 150));
  for (size_t k = 1; k < e->count; k++)
    assert_true(e->solution[k - 1] < e->solution[k]);
  bperc_embedding_free(e);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

static void same_for_all_teams(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_solutions *s = list(18, 5, 0.4, 3, &in);
  bperc_embedding *one = embed(s, 60, 1), *many = embed(s, 60, 4), *plain;
  bperc_i_isa_force(BPERC_ISA_portable);
  plain = embed(s, 60, 1);
  bperc_i_isa_force(BPERC_ISA_COUNT);
  assert_memory_equal(one->x, many->x, one->count * sizeof *one->x);
  assert_memory_equal(one->y, plain->y, one->count * sizeof *one->y);
  bperc_embedding_free(one);
  bperc_embedding_free(many);
  bperc_embedding_free(plain);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

/* Three solutions always fit into the plane: no stress is left. */
static void triangles_fit(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_solutions *s = list(18, 5, 0.4, 3, &in);
  bperc_embed_options options;
  bperc_embedding *e;
  bperc_options_default(bperc_embed_option_table(), &options);
  options.points = 3;
  options.tolerance = 0;
  options.iterations = 2000;
  assert_int_equal(bperc_embed(s, &options,
                               &(bperc_space_options){.seed = 1, .threads = 1},
                               &e, NULL),
                   BPERC_OK);
  assert_true(e->stress < 1e-8);
  bperc_embedding_free(e);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

static void nothing_and_one(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_solutions *s = list(18, 5, 0.4, 3, &in);
  size_t count = s->count;
  for (s->count = 0; s->count < 2; s->count++) {
    bperc_embedding *e = embed(s, 10, 1);
    assert_int_equal(e->count, s->count);
    assert_true(isnan(e->stress));
    bperc_embedding_free(e);
  }
  s->count = count;
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  bperc_instance *in;
  bperc_solutions *s = list(18, 5, 0.4, 3, &in);
  bperc_embed_options options;
  bperc_status status = BPERC_E_MEMORY;
  bperc_options_default(bperc_embed_option_table(), &options);
  options.points = 10;
  for (long k = 0; k < 100 && status != BPERC_OK; k++) {
    bperc_embedding *e;
    bperc_i_alloc_fail_after(k);
    status = bperc_embed(
        s, &options, &(bperc_space_options){.seed = 1, .threads = 1}, &e, NULL);
    bperc_i_alloc_fail_after(-1);
    assert_true(status == BPERC_OK || (status == BPERC_E_MEMORY && !e));
    bperc_embedding_free(e);
  }
  assert_int_equal(status, BPERC_OK);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_is_the_double_sum),
      cmocka_unit_test(same_for_all_teams),
      cmocka_unit_test(triangles_fit),
      cmocka_unit_test(nothing_and_one),
      cmocka_unit_test(survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
