/* Clusters under single flips, x* [BZ eq. 10], overlaps, k index [BZ eq. 11].
 *
 * Everything is linear in the number of solutions: overlaps within clusters
 * come from the columns' counts n_{g,i} of each cluster,
 *   sum over pairs in g of w.w' = sum_i n_{g,i}^2.
 */
#include "exact/space/space.h"

#include "base/alloc.h"
#include "base/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- two flips: two solutions at distance 2 are both at distance 1 from two
 * configurations between them. Every solution enters itself and its neighbours
 * into a table, and whoever meets there is united. Configurations are dealt out
 * to passes by their hash, so that a table stays small. ---- */

enum { LEAST_BITS = 10, MAX_BITS = 22 };
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
    unite_parts(t->parent, t->owner[at], who);
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
  while (size < 2 * entries && size < (size_t)1 << MAX_BITS)
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

/* ---- single flips ---- */

enum {
  DIMENSIONS = 6, /* columns of a block: bits of a 64-bit mask */
  SMALL_CLUSTER = 4,
  SMALL_SIZE = 256 /* clusters below are sorted by counting */
};

/* The cluster of the lowest bit of a mask: single flips of the six digits of
 * a position are shifts. */
static inline uint64_t part_of(uint64_t mask) {
  uint64_t part = mask & -mask, last;
  do {
    last = part;
    part |= part << 1 & UINT64_C(0xaaaaaaaaaaaaaaaa);
    part |= part >> 1 & UINT64_C(0x5555555555555555);
    part &= mask;
    part |= part << 2 & UINT64_C(0xcccccccccccccccc);
    part |= part >> 2 & UINT64_C(0x3333333333333333);
    part &= mask;
    part |= part << 4 & UINT64_C(0xf0f0f0f0f0f0f0f0);
    part |= part >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f);
    part &= mask;
    part |= part << 8 & UINT64_C(0xff00ff00ff00ff00);
    part |= part >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    part &= mask;
    part |= part << 16 & UINT64_C(0xffff0000ffff0000);
    part |= part >> 16 & UINT64_C(0x0000ffff0000ffff);
    part &= mask;
    part |= part << 32 | part >> 32;
    part &= mask;
  } while (part != last);
  return part;
}

#define WORD uint64_t
#define NAME(x) x##_64
#include "exact/space/cover_template.h"

#define WORD bperc_i_word
#define NAME(x) x##_128
#include "exact/space/cover_template.h"

/* ---- numbering by size ---- */

typedef struct {
  uint32_t size, root;
} entry;

static int by_size(const void *left, const void *right) {
  const entry *a = left, *b = right;
  if (a->size != b->size)
    return a->size < b->size ? 1 : -1;
  return a->root < b->root ? -1 : a->root > b->root;
}

/* Largest first, earlier roots first among equals. Entries come in the order
 * of their roots: the many small ones are put into their places by a count. */
static void sort_entries(entry *entries, const entry *from, size_t count) {
  size_t place[SMALL_SIZE + 1] = {0}, large = 0;
  for (size_t g = 0; g < count; g++)
    if (from[g].size >= SMALL_SIZE)
      entries[large++] = from[g];
    else
      place[from[g].size]++;
  qsort(entries, large, sizeof *entries, by_size);
  for (size_t size = SMALL_SIZE, first = large; size-- > 0;) {
    size_t many = place[size];
    place[size] = first;
    first += many;
  }
  for (size_t g = 0; g < count; g++)
    if (from[g].size < SMALL_SIZE)
      entries[place[from[g].size]++] = from[g];
}

/* of: parts on entry, numbers of clusters afterwards. A root is the first part
 * of its cluster, and holds its first solution. */
static bperc_status number_clusters(bperc_clusters *c, uint32_t *parent,
                                    size_t parts) {
  bperc_status status = BPERC_E_MEMORY;
  uint32_t *number = bperc_i_calloc(parts + 1, sizeof *number);
  entry *entries = NULL;
  flatten(parent, parts);
  for (size_t p = 0; p < parts; p++)
    c->count += parent[p] == p;
  entries = bperc_i_alloc(2 * c->count + 1, sizeof *entries);
  c->size = bperc_i_alloc(c->count + 1, sizeof *c->size);
  if (!number || !entries || !c->size)
    goto done;
  for (size_t k = 0; k < c->solutions && bperc_i_list_go_on(k); k++)
    number[parent[c->of[k]]]++;
  for (size_t p = 0, g = 0; p < parts; p++)
    if (parent[p] == p)
      entries[c->count + g++] = (entry){number[p], (uint32_t)p};
  sort_entries(entries, entries + c->count, c->count);
  for (size_t g = 0; g < c->count; g++) {
    c->size[g] = entries[g].size;
    number[entries[g].root] = (uint32_t)g;
  }
  for (size_t k = 0; k < c->solutions && bperc_i_list_go_on(k); k++)
    c->of[k] = number[parent[c->of[k]]];
  status = bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
done:
  bperc_i_free(number);
  bperc_i_free(entries);
  return status;
}

/* flips 2: of[k] = k is the part of solution k. */
static bperc_status join_by_two(bperc_clusters *c, const bperc_solutions *s,
                                uint32_t **parents) {
  *parents = bperc_i_alloc(s->count + 1, sizeof **parents);
  if (!*parents)
    return BPERC_E_MEMORY;
  for (size_t k = 0; k < s->count; k++)
    c->of[k] = (*parents)[k] = (uint32_t)k;
  return bperc_i_join_two_flips(s, *parents);
}

static bperc_status find_clusters(bperc_clusters *c, const bperc_solutions *s,
                                  size_t flips) {
  bperc_i_word live = bperc_i_list_live(s);
  uint32_t *parent = NULL;
  size_t parts = s->count;
  bperc_status status =
      flips == 2 ? join_by_two(c, s, &parent)
      : s->words == 2
          ? join_flips_128(s->bits, s->count, live, c->of, &parent, &parts)
          : join_flips_64(s->bits, s->count, live, c->of, &parent, &parts);
  if (status == BPERC_OK)
    status = number_clusters(c, parent, parts);
  bperc_i_free(parent);
  return status;
}

/* ---- overlaps ---- */

/* Solutions ordered by cluster, ascending inside each; first: count + 1. */
static bperc_status members(const bperc_clusters *c, uint32_t **out,
                            uint32_t **first) {
  uint32_t *order = bperc_i_alloc(c->solutions + 1, sizeof *order);
  uint32_t *start = bperc_i_calloc(c->count + 2, sizeof *start);
  if (!order || !start) {
    bperc_i_free(order);
    bperc_i_free(start);
    return BPERC_E_MEMORY;
  }
  for (size_t g = 0; g + 1 < c->count; g++)
    start[g + 2] = start[g + 1] + c->size[g];
  for (size_t k = 0; k < c->solutions && bperc_i_list_go_on(k); k++)
    order[start[c->of[k] + 1]++] = (uint32_t)k;
  *out = order;
  *first = start;
  return BPERC_OK; /* short, if cancelled: the caller asks */
}

/* Counts of ones by column: of large clusters, and of all others together. */
typedef struct {
  uint64_t large[128];
  bperc_i_column_counts others;
} column_ones;

/* sum over ordered pairs of a cluster of the weights both have at 1. */
static bperc_i_word common_ones(const bperc_solutions *s, bperc_i_word live,
                                const uint32_t *member, size_t size,
                                column_ones *ones) {
  bperc_i_word sum = 0;
  if (size <= SMALL_CLUSTER) {
    for (size_t k = 0; k < size; k++) {
      bperc_i_word w = bperc_i_list_word(s, member[k]) & live;
      bperc_i_column_counts_add(&ones->others, w);
      for (size_t l = 0; l < size; l++)
        sum += (bperc_i_word)bperc_i_word_popcount(
            w & bperc_i_list_word(s, member[l]));
    }
    return sum;
  }
  bperc_i_column_counts tally;
  bperc_i_column_counts_init(&tally, s->columns);
  for (size_t k = 0; k < size && bperc_i_list_go_on(k); k++)
    bperc_i_column_counts_add(&tally, bperc_i_list_word(s, member[k]) & live);
  bperc_i_column_counts_flush(&tally);
  for (size_t j = 0; j < s->columns; j++) {
    ones->large[j] += tally.total[j];
    sum += (bperc_i_word)tally.total[j] * tally.total[j];
  }
  return sum;
}

static bperc_status measure_overlaps(bperc_clusters *c,
                                     const bperc_solutions *s) {
  uint32_t *order, *first;
  bperc_i_word live = bperc_i_list_live(s), same = 0, all = 0, pairs = 0;
  column_ones ones = {0};
  bperc_status status = members(c, &order, &first);
  if (status != BPERC_OK)
    return status;
  bperc_i_column_counts_init(&ones.others, s->columns);
  for (size_t g = 0; g < c->count && !bperc_cancelled(); g++) {
    same += common_ones(s, live, order + first[g], c->size[g], &ones);
    pairs += (bperc_i_word)c->size[g] * c->size[g];
  }
  bperc_i_free(order);
  bperc_i_free(first);
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  bperc_i_column_counts_flush(&ones.others);
  for (size_t j = 0; j < s->columns; j++) {
    uint64_t both = ones.large[j] + ones.others.total[j];
    all += (bperc_i_word)both * both;
  }
  bperc_i_word total = (bperc_i_word)s->count * s->count;
  double u = s->unfixed ? (double)s->unfixed : NAN;
  c->parisi_x = c->q_same = c->q_diff = NAN;
  if (s->count > 0) {
    c->parisi_x = (double)(total - pairs) / (double)total;
    c->q_same = (double)same / (u * (double)pairs);
  }
  if (c->count > 1)
    c->q_diff = (double)(all - same) / (u * (double)(total - pairs));
  return BPERC_OK;
}

static bperc_status make_clusters(const bperc_solutions *s, size_t flips,
                                  bperc_clusters **out) {
  bperc_status status = BPERC_E_MEMORY;
  bperc_clusters *c = bperc_i_calloc(1, sizeof *c);
  *out = NULL;
  if (!c)
    return status;
  c->solutions = s->count;
  c->of = bperc_i_alloc(s->count + 1, sizeof *c->of);
  if (c->of)
    status = find_clusters(c, s, flips);
  BPERC_I_CHECK(status != BPERC_OK || bperc_i_recount_clusters(c, s, flips));
  if (status == BPERC_OK)
    status = measure_overlaps(c, s);
  if (status == BPERC_OK)
    *out = c;
  else
    bperc_clusters_free(c);
  return status;
}

bperc_status bperc_clusters_new(const bperc_solutions *s,
                                bperc_clusters **out) {
  return make_clusters(s, 1, out);
}

bperc_status bperc_clusters_within(const bperc_solutions *s, size_t flips,
                                   bperc_clusters **out) {
  *out = NULL;
  if (flips != 1 && flips != 2)
    return BPERC_E_ARGUMENT;
  return make_clusters(s, flips, out);
}

void bperc_clusters_free(bperc_clusters *c) {
  if (!c)
    return;
  bperc_i_free(c->of);
  bperc_i_free(c->size);
  bperc_i_free(c);
}

bperc_status bperc_clusters_overlaps(const bperc_clusters *c,
                                     const bperc_solutions *s, size_t max,
                                     double *out) {
  size_t n = s->columns;
  bperc_i_word live = bperc_i_list_live(s);
  if (max > c->count)
    return BPERC_E_ARGUMENT;
  double *mean = bperc_i_calloc(max * n + 1, sizeof *mean);
  if (!mean)
    return BPERC_E_MEMORY;
  for (size_t k = 0; k < s->count; k++)
    if (c->of[k] < max)
      for (bperc_i_word w = bperc_i_list_word(s, k) & live; w; w &= w - 1)
        mean[c->of[k] * n + (size_t)bperc_i_word_ctz(w)] += 1;
  for (size_t g = 0; g < max; g++)
    for (size_t h = 0; h < max; h++) {
      double sum = 0;
      for (size_t j = 0; j < n; j++)
        sum += mean[g * n + j] * mean[h * n + j];
      out[g * max + h] =
          sum / ((double)c->size[g] * (double)c->size[h] * (double)s->unfixed);
    }
  bperc_i_free(mean);
  return BPERC_OK;
}

bperc_status bperc_clusters_frozen(const bperc_clusters *c,
                                   const bperc_solutions *s, uint32_t *out) {
  bperc_i_word live = bperc_i_list_live(s);
  bperc_i_word *first = bperc_i_alloc(c->count + 1, sizeof *first);
  bperc_i_word *moved = bperc_i_calloc(c->count + 1, sizeof *moved);
  bperc_status status = first && moved ? BPERC_OK : BPERC_E_MEMORY;
  for (size_t k = s->count; k-- > 0 && status == BPERC_OK;)
    first[c->of[k]] = bperc_i_list_word(s, k);
  for (size_t k = 0; k < s->count && status == BPERC_OK; k++)
    moved[c->of[k]] |= first[c->of[k]] ^ bperc_i_list_word(s, k);
  for (size_t g = 0; g < c->count && status == BPERC_OK; g++)
    out[g] = (uint32_t)bperc_i_word_popcount(live & ~moved[g]);
  bperc_i_free(first);
  bperc_i_free(moved);
  return status;
}

double bperc_clusters_k_index(const bperc_clusters *c, size_t n,
                              const uint32_t *origin, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += log((double)c->size[c->of[origin ? origin[k] : k]]);
  return count ? sum / ((double)count * (double)n) : NAN;
}
