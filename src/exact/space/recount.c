/* Lists and clusters from scratch: recount.h. Nothing is allocated, so that
 * tests of failing allocations count the same ones in every build. */
#include "exact/space/recount.h"

#include "base/bits.h"

enum {
  SWEPT = 10,     /* columns up to which every configuration is looked at */
  LARGEST = 4096, /* weights */
  LISTED = 5000,  /* solutions of which each is verified */
  FILLED = 4096   /* solutions up to which clusters are flooded */
};

bool bperc_i_recount_ascends(const uint64_t *bits, size_t count, size_t words) {
  const bperc_solutions s = {.bits = (uint64_t *)bits, .words = words};
  for (size_t k = 1; k < count; k++)
    if (bperc_i_list_word(&s, k - 1) >= bperc_i_list_word(&s, k))
      return false;
  return true;
}

/* Whether weights are a solution by plain sums, word and fixed ones together.
 */
static bool solves(const bperc_solutions *s, const bperc_instance *in,
                   bperc_i_word word) {
  uint64_t weights[LARGEST / 64] = {0};
  for (size_t i = 0; i < s->n; i++)
    bperc_i_bit_set(weights, i, s->fixed[i] == 1);
  for (size_t j = 0; j < s->columns; j++)
    bperc_i_bit_set(weights, s->column[j], (int)(word >> j & 1));
  return bperc_verify(in, weights, NULL).errors == 0;
}

/* Every configuration is in the list exactly when it is a solution. */
static bool swept(const bperc_solutions *s, const bperc_instance *in) {
  for (bperc_i_word word = 0; word < bperc_i_word_bit(s->columns); word++)
    if (solves(s, in, word) != (bperc_i_list_find(s, word) != SIZE_MAX))
      return false;
  return true;
}

bool bperc_i_recount_list(const bperc_solutions *s, const bperc_instance *in) {
  if (!bperc_i_recount_ascends(s->bits, s->count, s->words))
    return false;
  if (s->n > LARGEST)
    return true;
  if (s->complete && s->columns <= SWEPT)
    return swept(s, in);
  for (size_t k = 0; k < s->count && k < LISTED; k++)
    if (!solves(s, in, bperc_i_list_word(s, k)))
      return false;
  return true;
}

/* ---- clusters */

typedef struct {
  const bperc_solutions *s;
  uint32_t mark[FILLED], stack[FILLED];
  size_t height;
} flood;

static void reach(flood *f, bperc_i_word word, uint32_t g) {
  const size_t k = bperc_i_list_find(f->s, word);
  if (k == SIZE_MAX || f->mark[k] != UINT32_MAX)
    return;
  f->mark[k] = g;
  f->stack[f->height++] = (uint32_t)k;
}

/* Puts cluster g on everything that flips lead to from solution k; how many. */
static size_t fill(flood *f, size_t flips, size_t k, uint32_t g) {
  const bperc_i_word live = bperc_i_list_live(f->s);
  size_t seen = 0;
  reach(f, bperc_i_list_word(f->s, k), g);
  while (f->height > 0) {
    const bperc_i_word here = bperc_i_list_word(f->s, f->stack[--f->height]);
    seen++;
    for (bperc_i_word x = live; x; x &= x - 1) {
      const bperc_i_word next = here ^ (x & -x);
      reach(f, next, g);
      for (bperc_i_word y = flips == 2 ? x & (x - 1) : 0; y; y &= y - 1)
        reach(f, next ^ (y & -y), g);
    }
  }
  return seen;
}

static bool flooded(const bperc_clusters *c, const bperc_solutions *s,
                    size_t flips) {
  flood f = {.s = s};
  size_t found = 0;
  for (size_t k = 0; k < s->count; k++)
    f.mark[k] = UINT32_MAX;
  for (size_t k = 0; k < s->count; k++) {
    if (f.mark[k] == UINT32_MAX) {
      found++;
      if (fill(&f, flips, k, c->of[k]) != c->size[c->of[k]])
        return false;
    }
    if (f.mark[k] != c->of[k])
      return false;
  }
  return found == c->count;
}

bool bperc_i_recount_clusters(const bperc_clusters *c, const bperc_solutions *s,
                              size_t flips) {
  size_t sum = 0;
  for (size_t g = 0; g < c->count; g++) {
    sum += c->size[g];
    if (c->size[g] == 0 || (g > 0 && c->size[g] > c->size[g - 1]))
      return false;
  }
  if (sum != s->count)
    return false;
  return s->count > FILLED || flooded(c, s, flips);
}
