/* Correlations, clusters, neighbours and distances against literal loops. */
#include "check.h"
#include "literal.h"

#include "base/alloc.h"
#include "bperc/bperc.h"
#include "exact/space/space.h"
#include "isa.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 4 };

static bperc_instance *generate(size_t n, size_t m, double fin, double a,
                                uint64_t seed) {
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n,
                            .m = m,
                            .fin = fin,
                            .model = {.a = a, .ties = (bperc_ties)(seed % 3)}},
          seed, &in, NULL),
      BPERC_OK);
  return in;
}

static bperc_solutions *list(const bperc_instance *in, const int8_t *fixed) {
  bperc_solutions *s;
  assert_int_equal(
      bperc_exact_list(in, NULL,
                       &(bperc_space_options){.fixed = fixed, .threads = 1}, &s,
                       NULL),
      BPERC_OK);
  return s;
}

static void compare_clusters(const bperc_clusters *c, const uint32_t *of,
                             size_t count) {
  for (size_t k = 0; k < count; k++)
    for (size_t l = 0; l < k; l++)
      assert_int_equal(c->of[k] == c->of[l], of[k] == of[l]);
  for (size_t g = 1; g < c->count; g++)
    assert_true(c->size[g - 1] >= c->size[g]);
}

static void compare_near(const bperc_solutions *s, const uint32_t *truth,
                         bperc_near_method method) {
  uint32_t *near = malloc((s->count + 1) * (MOST + 1) * sizeof *near);
  assert_int_equal(bperc_solutions_near(s, MOST, method, near), BPERC_OK);
  for (size_t k = 0; k < s->count; k++)
    for (int d = 0; d <= MOST; d++)
      assert_int_equal(near[k * (MOST + 1) + (size_t)d],
                       literal_near(truth, s->count, truth[k], d));
  free(near);
}

static void compare_distances(const bperc_solutions *s, const uint32_t *truth,
                              bperc_near_method method) {
  uint64_t got[129], want[129] = {0};
  for (size_t k = 0; k < s->count; k++)
    for (size_t l = 0; l < k; l++)
      want[__builtin_popcount(truth[k] ^ truth[l])]++;
  assert_int_equal(bperc_solutions_distances(s, method, got), BPERC_OK);
  for (size_t d = 0; d <= s->columns; d++)
    assert_int_equal(got[d], want[d]);
}

static void compare_means(const bperc_solutions *s, const bperc_clusters *c,
                          const uint32_t *truth, const uint32_t *of,
                          uint32_t unfixed) {
  bperc_moments moments;
  assert_int_equal(bperc_solutions_moments(s, &moments, NULL, NULL), BPERC_OK);
  literal_geometry want = literal_measure(truth, of, s->count, s->n, unfixed);
  assert_close(c->parisi_x, want.parisi_x, 1e-13);
  assert_close(c->q_same, want.q_same, 1e-13);
  assert_close(c->q_diff, want.q_diff, 1e-13);
  assert_close(moments.xcorr_mean, want.xcorr, 1e-14);
  assert_close(moments.xcorr_mean_square, want.xcorr_square, 1e-14);
}

/* A space, then the same one filtered weight by weight. */
static void compare_all(const bperc_instance *in) {
  bperc_solutions *s = list(in, NULL), *next;
  int8_t fixed[32];
  memset(fixed, -1, sizeof fixed);
  for (size_t step = 0; step < 4; step++) {
    uint32_t *truth;
    size_t count = literal_solutions(in, fixed, &truth);
    uint32_t *of = malloc((count + 1) * sizeof *of), unfixed = 0;
    bperc_clusters *c;
    assert_int_equal(s->count, count);
    for (size_t i = 0; i < in->n; i++)
      if (fixed[i] < 0)
        unfixed |= 1u << i;
    literal_clusters(truth, count, of);
    FOR_EACH_ISA(isa) {
      assert_int_equal(bperc_clusters_new(s, &c), BPERC_OK);
      compare_clusters(c, of, count);
      compare_means(s, c, truth, of, unfixed);
      bperc_clusters_free(c);
      compare_near(s, truth, BPERC_NEAR_TREE);
      compare_near(s, truth, BPERC_NEAR_PAIRS);
      compare_distances(s, truth, BPERC_NEAR_PAIRS);
    }
    compare_near(s, truth, BPERC_NEAR_TRANSFORM);
    compare_near(s, truth, BPERC_NEAR_CHOOSE);
    compare_distances(s, truth, BPERC_NEAR_TRANSFORM);
    free(truth);
    free(of);
    fixed[step * 3 + 1] = step % 2;
    assert_int_equal(
        bperc_solutions_filter(s, step * 3 + 1, step % 2, &next, NULL),
        BPERC_OK);
    bperc_solutions_free(s);
    s = next;
  }
  bperc_solutions_free(s);
}

static void agrees_with_loops(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 24; seed++) {
    size_t n = 11 + seed % 5;
    bperc_instance *in = generate(n, 4 + seed % 3, 0.45, 5.5, seed);
    compare_all(in);
    bperc_instance_free(in);
  }
}

/* A list of 100 columns made by hand: the narrow list and constant columns
 * between. */
static void two_word_lists(void **state) {
  (void)state;
  bperc_instance *in = generate(15, 5, 0.45, 5.5, 6);
  bperc_solutions *s = list(in, NULL), *w = list(in, NULL);
  size_t count = s->count;
  w->words = 2;
  w->columns = w->unfixed = 100;
  bperc_i_free(w->bits);
  w->bits = bperc_i_calloc(2 * count, sizeof *w->bits);
  for (size_t k = 0; k < count; k++)
    for (size_t j = 0; j < 15; j++)
      if (s->bits[k] >> j & 1)
        w->bits[2 * k + (7 * j) / 64] |= UINT64_C(1) << (7 * j % 64);
  w->live[0] = ~UINT64_C(0);
  w->live[1] = (UINT64_C(1) << 36) - 1;
  bperc_clusters *a, *b;
  assert_int_equal(bperc_clusters_new(s, &a), BPERC_OK);
  assert_int_equal(bperc_clusters_new(w, &b), BPERC_OK);
  assert_memory_equal(a->of, b->of, count * sizeof *a->of);
  assert_close(a->q_same * 15, b->q_same * 100, 1e-12);
  assert_close(a->q_diff * 15, b->q_diff * 100, 1e-12);
  uint32_t *near[3];
  for (int k = 0; k < 3; k++) {
    near[k] = malloc(count * (MOST + 1) * sizeof **near);
    bperc_solutions_near(k ? w : s, MOST,
                         k == 2 ? BPERC_NEAR_PAIRS : BPERC_NEAR_TREE, near[k]);
    assert_memory_equal(near[0], near[k], count * (MOST + 1) * sizeof **near);
  }
  uint64_t narrow[101], broad[101], ones[15], spread[100];
  bperc_solutions_distances(s, BPERC_NEAR_TRANSFORM, narrow);
  bperc_solutions_distances(w, BPERC_NEAR_PAIRS, broad);
  assert_memory_equal(narrow, broad, 16 * sizeof *narrow);
  bperc_solutions_ones(s, ones);
  bperc_solutions_ones(w, spread);
  for (size_t j = 0; j < 15; j++)
    assert_int_equal(ones[j], spread[7 * j]);
  bperc_moments x, y;
  bperc_solutions_moments(s, &x, NULL, NULL);
  bperc_solutions_moments(w, &y, NULL, NULL);
  assert_close(x.xcorr_mean_square * 15 * 14, y.xcorr_mean_square * 100 * 99,
               1e-12);
  for (int k = 0; k < 3; k++)
    free(near[k]);
  w->columns = 15; /* as allocated */
  bperc_clusters_free(a);
  bperc_clusters_free(b);
  bperc_solutions_free(s);
  bperc_solutions_free(w);
  bperc_instance_free(in);
}

/* Clusters of any words: the number of a word of its cluster for every word,
 * by all pairs. */
static void plain_clusters(const bperc_solutions *s, uint32_t *of) {
  for (size_t k = 0; k < s->count; k++)
    of[k] = (uint32_t)k;
  for (size_t k = 0; k < s->count; k++)
    for (size_t l = 0; l < k; l++) {
      uint32_t old = of[k];
      if (of[l] != old && bperc_i_word_popcount(bperc_i_list_word(s, k) ^
                                                bperc_i_list_word(s, l)) == 1)
        for (size_t m = 0; m < s->count; m++)
          of[m] = of[m] == old ? of[l] : of[m];
    }
}

/* A walk over words of `columns` bits: single flips, of the columns from
 * `low` on, and now and then a leap. Sorted, without repetitions. */
static void walk(bperc_solutions *s, size_t steps, size_t low,
                 bperc_stream *rng) {
  bperc_i_word word = 0;
  s->count = 0;
  for (size_t k = 0; k < steps; k++) {
    size_t flips = bperc_stream_below(rng, 20) ? 1 : 5;
    for (; flips > 0; flips--)
      word ^= bperc_i_word_bit(low + bperc_stream_below(rng, s->columns - low));
    size_t at = s->count;
    for (; at > 0 && bperc_i_list_word(s, at - 1) >= word; at--)
      ;
    if (at < s->count && bperc_i_list_word(s, at) == word)
      continue;
    uint64_t *here = s->bits + at * s->words;
    memmove(here + s->words, here,
            (s->count++ - at) * s->words * sizeof *s->bits);
    here[0] = (uint64_t)word;
    if (s->words == 2)
      here[1] = (uint64_t)(word >> 64);
  }
}

static void compare_walk(size_t columns, size_t steps, size_t low,
                         bperc_stream *rng) {
  bperc_solutions s = {.columns = columns, .unfixed = columns};
  uint32_t *of = malloc((steps + 1) * sizeof *of);
  s.words = columns > 64 ? 2 : 1;
  s.bits = malloc(steps * s.words * sizeof *s.bits + 1);
  s.live[0] = columns < 64 ? (UINT64_C(1) << columns) - 1 : UINT64_MAX;
  s.live[1] = columns > 64 ? UINT64_MAX >> (128 - columns) : 0;
  walk(&s, steps, low, rng);
  plain_clusters(&s, of);
  /* Not a word more: sanitizers see a step beyond the end. */
  s.bits = realloc(s.bits, s.count * s.words * sizeof *s.bits + !s.count);
  FOR_EACH_ISA(isa) {
    bperc_clusters *c;
    assert_int_equal(bperc_clusters_new(&s, &c), BPERC_OK);
    compare_clusters(c, of, s.count);
    bperc_clusters_free(c);
  }
  free(s.bits);
  free(of);
}

/* Lists of few and many words, also of all 64 and 128 columns; flips of high
 * columns only, of which none is within a block. */
static void clusters_of_any_list(void **state) {
  static const size_t columns[] = {20, 50, 64, 70, 128};
  bperc_stream rng = bperc_stream_make(11, BPERC_FOR_TEST, 7);
  (void)state;
  for (size_t c = 0; c < 5; c++) {
    for (size_t steps = 0; steps < 20; steps++)
      compare_walk(columns[c], steps, columns[c] - 6, &rng);
    for (size_t steps = 60; steps < 600; steps += 97)
      for (size_t low = 0; low < columns[c] - 5; low += columns[c] - 14)
        compare_walk(columns[c], steps, low, &rng);
  }
}

static void overlaps_add_up(void **state) {
  (void)state;
  bperc_instance *in = generate(16, 6, 0.45, 7, 4);
  bperc_solutions *s = list(in, NULL);
  bperc_clusters *c;
  assert_int_equal(bperc_clusters_new(s, &c), BPERC_OK);
  assert_true(c->count > 2);
  double *q = malloc(c->count * c->count * sizeof *q);
  assert_int_equal(bperc_clusters_overlaps(c, s, c->count, q), BPERC_OK);
  double same = 0, diff = 0, same_pairs = 0, diff_pairs = 0;
  for (size_t g = 0; g < c->count; g++)
    for (size_t h = 0; h < c->count; h++) {
      double pairs = (double)c->size[g] * (double)c->size[h];
      *(g == h ? &same : &diff) += q[g * c->count + h] * pairs;
      *(g == h ? &same_pairs : &diff_pairs) += pairs;
    }
  assert_close(same / same_pairs, c->q_same, 1e-12);
  assert_close(diff / diff_pairs, c->q_diff, 1e-12);
  assert_int_equal(bperc_clusters_overlaps(c, s, c->count + 1, q),
                   BPERC_E_ARGUMENT);
  free(q);
  bperc_clusters_free(c);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

/* Around a solution is what near says; around anything, weights fixed in the
 * list count. */
static void around_any_configuration(void **state) {
  (void)state;
  bperc_instance *in = generate(13, 4, 0.4, 5.5, 8);
  int8_t fixed[13];
  uint32_t *truth;
  memset(fixed, -1, sizeof fixed);
  fixed[4] = 1;
  bperc_solutions *s = list(in, fixed);
  size_t count = literal_solutions(in, fixed, &truth);
  uint64_t centre = 0x0aa5, got[14];
  bperc_solutions_around(s, &centre, 13, got);
  for (int d = 0; d <= 13; d++)
    assert_int_equal(got[d], literal_near(truth, count, (uint32_t)centre, d));
  free(truth);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

static void files_keep_everything(void **state) {
  (void)state;
  if (access(getenv("BPERC_HDF5"), X_OK) != 0)
    skip(); /* a build without HDF5 */
  bperc_instance *in = generate(15, 4, 0.4, 5.5, 8);
  int8_t fixed[15];
  memset(fixed, -1, sizeof fixed);
  fixed[2] = 1;
  bperc_solutions *s = list(in, fixed), *t;
  bperc_error error;
  char path[] = "/tmp/bperc-list-XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(bperc_solutions_write(s, NULL, path, &error), BPERC_OK);
  assert_int_equal(bperc_solutions_read(path, &t, &error), BPERC_OK);
  assert_int_equal(s->count, t->count);
  assert_memory_equal(s->bits, t->bits, s->count * sizeof *s->bits);
  assert_memory_equal(s->fixed, t->fixed, s->n);
  assert_null(bperc_solutions_check(t, in));
  bperc_solutions_free(t);
  FILE *out = fopen(path, "w");
  fputs("not a list", out);
  fclose(out);
  assert_int_equal(bperc_solutions_read(path, &t, &error), BPERC_E_FORMAT);
  assert_null(t);
  assert_non_null(strstr(error.text, path));
  remove(path);
  assert_int_equal(bperc_solutions_read(path, &t, &error), BPERC_E_IO);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

/* A wrong list is seen. */
static void validator_sees_faults(void **state) {
  (void)state;
  bperc_instance *in = generate(12, 4, 0.4, 5.5, 2);
  bperc_solutions *s = list(in, NULL);
  uint64_t first = s->bits[0];
  assert_true(s->count > 4);
  assert_null(bperc_solutions_check(s, in));
  s->bits[0] = s->bits[1];
  assert_non_null(bperc_solutions_check(s, in));
  s->bits[0] = first;
  s->bits[s->count - 1] |= 1 << 12;
  assert_non_null(bperc_solutions_check(s, in));
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

/* Permuting weights permutes the answer; a pattern never adds solutions. */
static void theorems(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    bperc_instance *in = generate(20, 8, 0.4, 9, seed), *turned, *shorter;
    assert_int_equal(bperc_instance_new(
                         20, 8,
                         &(bperc_model){.a = 9, .ties = (bperc_ties)(in->ties)},
                         &turned, NULL),
                     BPERC_OK);
    for (size_t mu = 0; mu < 8; mu++) {
      turned->labels[mu] = in->labels[mu];
      for (size_t i = 0; i < 20; i++)
        turned->patterns[mu] |= (in->patterns[mu] >> i & 1) << (i * 7 % 20);
    }
    bperc_instance_update_bounds(turned);
    assert_int_equal(bperc_instance_without(in, 7, in->m - 7, &shorter, NULL),
                     BPERC_OK);
    bperc_solutions *a = list(in, NULL), *b = list(turned, NULL),
                    *c = list(shorter, NULL);
    uint64_t ones[20], moved[20];
    bperc_solutions_ones(a, ones);
    bperc_solutions_ones(b, moved);
    for (size_t i = 0; i < 20; i++)
      assert_int_equal(ones[i], moved[i * 7 % 20]);
    assert_true(c->count >= a->count);
    bperc_solutions_free(a);
    bperc_solutions_free(b);
    bperc_solutions_free(c);
    bperc_instance_free(in);
    bperc_instance_free(turned);
    bperc_instance_free(shorter);
  }
}

/* An order that has a weight at another value than the list fixes: the sentence
 * names it, and what was measured before stays. */
static void impossible_order_is_named(void **state) {
  (void)state;
  bperc_instance *in = generate(14, 4, 0.4, 5.5, 2);
  const int8_t fixed[14] = {-1, -1, -1, -1, -1, 0,  -1,
                            -1, -1, -1, -1, -1, -1, -1};
  bperc_solutions *s = list(in, fixed);
  uint32_t weight[3] = {2, 9, 5};
  uint8_t value[3] = {0, 1, 1};
  bperc_order order = {.n = 14, .fixed = 3, .weight = weight, .value = value};
  bperc_exact_step steps[4];
  bperc_error error;
  assert_int_equal(
      bperc_exact_along(s, BPERC_ALONG_ALONE, &order, 0, steps, &error),
      BPERC_E_ARGUMENT);
  assert_string_equal(error.text,
                      "the order has weight 5 at 1, where no weight is left "
                      "to fix at that value");
  assert_int_equal(steps[0].count.word[0], s->count);
  assert_true(steps[2].count.word[0] > 0);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

/* Every allocation of the measures may fail. */
static void survives_lack_of_memory(void **state) {
  (void)state;
  bperc_instance *in = generate(14, 4, 0.4, 5.5, 2);
  bperc_solutions *s = list(in, NULL);
  uint32_t weight[3] = {5, 2, 9};
  uint8_t value[3] = {0, 0, 1};
  bperc_order order = {.n = 14, .fixed = 3, .weight = weight, .value = value};
  bperc_exact_step steps[4];
  bperc_status status = BPERC_E_MEMORY;
  for (long k = 0; k < 300 && status != BPERC_OK; k++) {
    bperc_i_alloc_fail_after(k);
    status = bperc_exact_along(s, BPERC_ALONG_FULL, &order, 0, steps, NULL);
    bperc_i_alloc_fail_after(-1);
    assert_true(status == BPERC_OK || status == BPERC_E_MEMORY);
  }
  assert_int_equal(status, BPERC_OK);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

/* Clusters by up to two flips and frozen weights, by loops over all pairs. */
static void two_flips_and_frozen_weights(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    bperc_instance *in = generate(12 + seed % 3, 9, 0.45, 5.5, seed);
    bperc_solutions *s = list(in, NULL);
    bperc_clusters *c;
    assert_int_equal(bperc_clusters_within(s, 2, &c), BPERC_OK);
    uint32_t *of = malloc((s->count + 1) * sizeof *of);
    uint32_t *frozen = malloc((c->count + 1) * sizeof *frozen);
    bool changed = true;
    for (size_t k = 0; k < s->count; k++)
      of[k] = (uint32_t)k;
    while (changed) {
      changed = false;
      for (size_t k = 0; k < s->count; k++)
        for (size_t l = 0; l < s->count; l++)
          if (__builtin_popcountll(s->bits[k] ^ s->bits[l]) <= 2 &&
              of[l] < of[k]) {
            of[k] = of[l];
            changed = true;
          }
    }
    compare_clusters(c, of, s->count);
    assert_int_equal(bperc_clusters_frozen(c, s, frozen), BPERC_OK);
    for (size_t g = 0; g < c->count; g++) {
      uint64_t zeros = ~UINT64_C(0), ones = ~UINT64_C(0);
      for (size_t k = 0; k < s->count; k++)
        if (c->of[k] == g) {
          ones &= s->bits[k];
          zeros &= ~s->bits[k];
        }
      uint64_t all = (UINT64_C(1) << in->n) - 1;
      assert_int_equal(frozen[g], __builtin_popcountll((zeros | ones) & all));
    }
    free(of);
    free(frozen);
    bperc_clusters_free(c);
    assert_int_equal(bperc_clusters_within(s, 3, &c), BPERC_E_ARGUMENT);
    bperc_solutions_free(s);
    bperc_instance_free(in);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_loops),
      cmocka_unit_test(two_word_lists),
      cmocka_unit_test(clusters_of_any_list),
      cmocka_unit_test(overlaps_add_up),
      cmocka_unit_test(around_any_configuration),
      cmocka_unit_test(files_keep_everything),
      cmocka_unit_test(validator_sees_faults),
      cmocka_unit_test(theorems),
      cmocka_unit_test(impossible_order_is_named),
      cmocka_unit_test(survives_lack_of_memory),
      cmocka_unit_test(two_flips_and_frozen_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
