/* Bounds from sums of patterns: they never cost a solution, and searches that
 * use them find what searches without them find. */
#include "any_instance.h"
#include "check.h"
#include "isa.h"

#include "base/alloc.h"
#include "bperc/bperc.h"
#include "exact/search/relax.h"

#include <stdlib.h>
#include <string.h>

enum { N = 12, PROBLEMS = 300, NODES = 8, CALLS = 4 };

static bool holds(const bperc_i_search_residual *r, size_t mu, bperc_i_word w) {
  int on = bperc_i_word_popcount(r->mask[mu] & ~(w ^ r->sign[mu]));
  return r->label[mu] ? on >= r->bound[mu] : on <= r->bound[mu];
}

static bool solves(const bperc_i_search_residual *r, bperc_i_word w) {
  for (size_t mu = 0; mu < r->m; mu++)
    if (!holds(r, mu, w))
      return false;
  return true;
}

static bool below(const bperc_i_relaxed *node, bperc_i_word w) {
  return (w & ~node->free) == node->ones;
}

/* Weights `w` of the columns at their positions. */
static bperc_i_word placed(bperc_i_word w, const bperc_i_word *bit,
                           size_t count) {
  bperc_i_word at = 0;
  for (size_t l = 0; l < count; l++)
    if (w & bit[l])
      at |= bperc_i_word_bit(l);
  return at;
}

typedef struct {
  size_t dead, decided; /* nodes without solutions, weights decided */
} gains;

/* Every solution below a node is below what it is settled to. */
static void check_node(const bperc_i_relax *q, const bperc_i_search_residual *r,
                       const bperc_i_word *bit, size_t count, bperc_stream *s,
                       gains *g) {
  bperc_i_relaxed *start = calloc(2, bperc_i_relaxed_size(q));
  bperc_i_relaxed *node = malloc(bperc_i_relaxed_size(q));
  bperc_i_word all = bperc_i_word_low(count);
  start->free = all & (bperc_stream_u64(s) | bperc_stream_u64(s));
  start->ones = all & ~start->free & bperc_stream_u64(s);
  bperc_i_relax_start(q, start);
  memcpy(node, start, bperc_i_relaxed_size(q));
  bool live = true;
  for (int call = 0; call < CALLS && live; call++)
    live = bperc_i_relax_kernels_get()->fixed_point(q, node);
  for (uint64_t w = 0; w < UINT64_C(1) << N; w++) {
    if ((w & ~r->open) || !solves(r, w))
      continue;
    bperc_i_word at = placed(w, bit, count);
    if (below(start, at))
      assert_true(live && below(node, at));
  }
  g->dead += !live;
  g->decided +=
      live ? (size_t)bperc_i_word_popcount(start->free & ~node->free) : 0;
  free(start);
  free(node);
}

static void check_problem(uint64_t seed, gains *g) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 7);
  bperc_instance *in = any_instance(N, 2 + bperc_stream_below(&s, 9), seed);
  bperc_i_search_residual r;
  bperc_i_relax q;
  bperc_i_word bit[N];
  size_t count = 0;
  assert_int_equal(bperc_i_residual_init(&r, in, NULL, NULL), BPERC_OK);
  for (size_t j = r.columns; j-- > 0;) /* any order */
    if (r.open >> j & 1)
      bit[count++] = bperc_i_word_bit(j);
  assert_int_equal(bperc_i_relax_init(&q, &r, bit, count), BPERC_OK);
  for (int k = 0; k < NODES && !r.contradiction && r.m > 0; k++)
    check_node(&q, &r, bit, count, &s, g);
  bperc_i_relax_clear(&q);
  bperc_i_residual_clear(&r);
  bperc_instance_free(in);
}

static void no_solution_is_lost(void **state) {
  (void)state;
  gains first = {0, 0};
  for (int isa = 0; isa < BPERC_ISA_COUNT; isa++) {
    gains g = {0, 0};
    if (!bperc_i_isa_available((bperc_i_isa)isa))
      continue;
    bperc_i_isa_force((bperc_i_isa)isa);
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++)
      check_problem(seed, &g);
    if (isa == BPERC_ISA_portable)
      first = g;
    assert_int_equal(g.dead, first.dead);
    assert_int_equal(g.decided, first.decided);
  }
  bperc_i_isa_force(BPERC_ISA_COUNT);
  assert_true(first.dead > 100 && first.decided > 100);
}

static uint64_t count_with(const bperc_instance *in, const int8_t *fixed,
                           unsigned threads) {
  bperc_exact_answer answer;
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.fixed = fixed,
                                                            .threads = threads},
                                     &answer, NULL),
                   BPERC_OK);
  assert_true(answer.count.word[1] == 0);
  return answer.count.word[0];
}

/* A problem that is large enough for these bounds, and the sum over all
 * values of its first weights, whose parts are too small for them. */
static void compare_parts(bperc_instance *in, size_t given) {
  int8_t *fixed = malloc(in->n);
  uint64_t whole = count_with(in, NULL, 2), sum = 0;
  memset(fixed, -1, in->n);
  for (unsigned part = 0; part < 1u << given; part++) {
    for (size_t i = 0; i < given; i++)
      fixed[i] = part >> i & 1;
    sum += count_with(in, fixed, 1);
  }
  if (whole != sum)
    fail_msg("N = %zu, M = %zu: %lu solutions, %lu in parts", in->n, in->m,
             (unsigned long)whole, (unsigned long)sum);
  free(fixed);
  bperc_instance_free(in);
}

static void whole_and_parts(void **state) {
  static const struct {
    size_t n, m;
    double fin;
  } size[] = {{52, 26, 0.3}, {53, 22, 0.5}, {51, 24, 0.4}};
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    bperc_instance *in;
    assert_int_equal(bperc_ensemble_draw(&(bperc_ensemble){.n = size[k].n,
                                                           .m = size[k].m,
                                                           .fin = size[k].fin,
                                                           .model = {.a = 12}},
                                         3 + k, &in, NULL),
                     BPERC_OK);
    compare_parts(in, size[k].n - BPERC_I_RELAXED);
  }
}

/* The same with signed inputs and weights of both kinds. */
static void signed_whole_and_parts(void **state) {
  size_t solvable = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 24; seed++) {
    bperc_instance *in = any_instance(BPERC_I_RELAXED_SIGNED + 2, 36, seed);
    solvable += count_with(in, NULL, 1) > 0;
    compare_parts(in, 2);
  }
  assert_true(solvable > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_solution_is_lost),
                                     cmocka_unit_test(whole_and_parts),
                                     cmocka_unit_test(signed_whole_and_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
