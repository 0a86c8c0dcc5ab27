/* Counts at sizes that no sweep reaches, by two methods that share nothing: the
 * search, and layers of merged states. */
#include "check.h"

#include "bperc/bperc.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_M = 32 };

/* What every pattern may still take (label 0) or still wants (label 1). */
typedef struct {
  uint8_t left[MOST_M];
  uint64_t ways; /* 0: the place is empty */
} merged;

typedef struct {
  merged *place;
  size_t used, room; /* room: a power of two */
} layer;

static layer new_layer(size_t room) {
  return (layer){calloc(room, sizeof(merged)), 0, room};
}

static void add(layer *l, const uint8_t *left, uint64_t ways);

static void grow(layer *l) {
  layer wider = new_layer(2 * l->room);
  for (size_t k = 0; k < l->room; k++)
    if (l->place[k].ways)
      add(&wider, l->place[k].left, l->place[k].ways);
  free(l->place);
  *l = wider;
}

static void add(layer *l, const uint8_t *left, uint64_t ways) {
  uint64_t hash = 0, word[MOST_M / 8];
  if (2 * l->used >= l->room)
    grow(l);
  memcpy(word, left, sizeof word);
  for (size_t k = 0; k < MOST_M / 8; k++) {
    hash = (hash ^ word[k]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 31;
  }
  size_t at = hash & (l->room - 1);
  while (l->place[at].ways && memcmp(l->place[at].left, left, MOST_M))
    at = (at + 1) & (l->room - 1);
  l->used += !l->place[at].ways;
  memcpy(l->place[at].left, left, MOST_M);
  l->place[at].ways += ways;
}

/* Sets weight i of a state; false when a pattern can no longer hold. rest: the
 * ones of every pattern behind i. */
static int set(const bperc_instance *in, uint8_t *left, size_t i, int value,
               const size_t *rest) {
  for (size_t mu = 0; mu < in->m; mu++) {
    const uint64_t *bits = bperc_instance_pattern(in, mu);
    if (value && bits[i / 64] >> (i % 64) & 1) {
      if (left[mu])
        left[mu]--;
      else if (!in->labels[mu])
        return 0;
    }
    if (in->labels[mu] && left[mu] > rest[mu])
      return 0;
    /* more than there are inputs left is as good as all of them */
    if (!in->labels[mu] && left[mu] > rest[mu])
      left[mu] = (uint8_t)rest[mu];
  }
  return 1;
}

static void count_ones(const bperc_instance *in, size_t i, size_t *rest) {
  for (size_t mu = 0; mu < in->m; mu++) {
    const uint64_t *bits = bperc_instance_pattern(in, mu);
    rest[mu] = 0;
    for (size_t j = i + 1; j < in->n; j++)
      rest[mu] += bits[j / 64] >> (j % 64) & 1;
  }
}

static uint64_t count_merged(const bperc_instance *in) {
  layer now = new_layer(1 << 10);
  uint8_t left[MOST_M] = {0};
  uint64_t count = 0;
  assert_true(in->m <= MOST_M);
  for (size_t mu = 0; mu < in->m; mu++)
    left[mu] = (uint8_t)bperc_instance_bound(in, mu);
  add(&now, left, 1);
  for (size_t i = 0; i < in->n; i++) {
    layer next = new_layer(1 << 10);
    size_t rest[MOST_M];
    count_ones(in, i, rest);
    for (size_t k = 0; k < now.room; k++)
      for (int value = 0; now.place[k].ways && value < 2; value++) {
        memcpy(left, now.place[k].left, MOST_M);
        if (set(in, left, i, value, rest))
          add(&next, left, now.place[k].ways);
      }
    free(now.place);
    now = next;
  }
  for (size_t k = 0; k < now.room; k++)
    count += now.place[k].ways;
  free(now.place);
  return count;
}

static void two_methods(void **state) {
  static const struct {
    size_t n, m;
    double fin;
  } size[] = {{36, 14, 0.3}, {38, 15, 0.3}, {36, 13, 0.5}};
  size_t solvable = 0;
  (void)state;
  for (size_t k = 0; k < 3; k++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      bperc_instance *in;
      bperc_exact_answer answer;
      assert_int_equal(
          bperc_ensemble_draw(&(bperc_ensemble){.n = size[k].n,
                                                .m = size[k].m,
                                                .fin = size[k].fin,
                                                .model = {.a = 12}},
                              seed, &in, NULL),
          BPERC_OK);
      assert_int_equal(bperc_exact_count(in, NULL,
                                         &(bperc_space_options){.threads = 1},
                                         &answer, NULL),
                       BPERC_OK);
      uint64_t truth = count_merged(in);
      if (answer.count.word[0] != truth)
        fail_msg("N = %zu, seed %lu: search %lu, merged states %lu", size[k].n,
                 (unsigned long)seed, (unsigned long)answer.count.word[0],
                 (unsigned long)truth);
      solvable += truth > 100;
      bperc_instance_free(in);
    }
  assert_true(solvable >= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_methods)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
