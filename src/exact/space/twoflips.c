/* Clusters by up to two flips. Two solutions at distance 2 are both at distance
 * 1 from two configurations between them: every solution enters itself and its
 * neighbours into a table, and whoever meets there is united. Configurations
 * are dealt out to passes by their hash, so that a table stays small. */
#include "base/alloc.h"
#include "exact/space/forest.h"
#include "exact/space/list.h"

#include <string.h>

enum { LEAST_BITS = 10, MOST_BITS = 22 };
#define NOBODY UINT32_MAX

typedef struct {
  bperc_i_word *key;
  uint32_t *owner; /* NOBODY: empty */
  uint32_t *parent;
  size_t size; /* a power of two */
} table;

static uint64_t hash_of(bperc_i_word word) {
  uint64_t x =
      (uint64_t)word ^ (uint64_t)(word >> 64) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static void enter(table *t, bperc_i_word word, uint64_t hash, uint32_t who) {
  size_t mask = t->size - 1, at = hash & mask;
  while (t->owner[at] != NOBODY && t->key[at] != word)
    at = (at + 1) & mask;
  if (t->owner[at] == NOBODY) {
    t->key[at] = word;
    t->owner[at] = who;
  } else {
    unite(t->parent, t->owner[at], who);
  }
}

/* Those configurations whose hash falls to this pass. */
static bool run_pass(table *t, const bperc_solutions *s, uint64_t pass,
                     uint64_t passes) {
  bperc_i_word live = bperc_i_list_live(s);
  memset(t->owner, 0xff, t->size * sizeof *t->owner);
  for (size_t k = 0; k < s->count; k++) {
    bperc_i_word word = bperc_i_list_word(s, k), bit = 0, left = live;
    if (!bperc_i_list_go_on(k))
      return false;
    do {
      uint64_t hash = hash_of(word ^ bit);
      if ((hash >> 40) % passes == pass)
        enter(t, word ^ bit, hash, (uint32_t)k);
      bit = left & -left;
      left &= left - 1;
    } while (bit);
  }
  return true;
}

bperc_status bperc_i_join_two_flips(const bperc_solutions *s,
                                    uint32_t *parent) {
  uint64_t entries = (uint64_t)s->count * (s->unfixed + 1);
  size_t size = (size_t)1 << LEAST_BITS;
  while (size < 2 * entries && size < (size_t)1 << MOST_BITS)
    size *= 2;
  uint64_t passes = 1 + 2 * entries / size; /* at most half full, on average */
  table t = {.parent = parent, .size = size};
  t.key = bperc_i_alloc(size, sizeof *t.key);
  t.owner = bperc_i_alloc(size, sizeof *t.owner);
  bperc_status status = t.key && t.owner ? BPERC_OK : BPERC_E_MEMORY;
  for (uint64_t pass = 0; pass < passes && status == BPERC_OK; pass++)
    if (!run_pass(&t, s, pass, passes))
      status = BPERC_E_INTERRUPTED;
  bperc_i_free(t.key);
  bperc_i_free(t.owner);
  return status;
}
