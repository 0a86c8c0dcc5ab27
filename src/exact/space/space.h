/* Lists of solutions: what the files of this room share. */
#ifndef BPERC_EXACT_SPACE_H
#define BPERC_EXACT_SPACE_H

#include "bperc/exact.h"
#include "exact/search/word.h"
#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* Lists of solutions: inside the library. */

/* Whether a pass over a long list, now at k, has not been cancelled: asked now
 * and then. */
static inline bool bperc_i_list_go_on(size_t k) {
  enum { NOW_AND_THEN = 1 << 20 };
  return k % NOW_AND_THEN != 0 || !bperc_cancelled();
}

/* Sorts count words of so many 64-bit words each; only the lowest `columns`
 * bits differ. */
bperc_status bperc_i_list_sort(uint64_t *bits, size_t count, size_t columns);

static inline bperc_i_word bperc_i_list_word(const bperc_solutions *s,
                                             size_t k) {
  if (s->words == 1)
    return s->bits[k];
  return (bperc_i_word)s->bits[2 * k + 1] << 64 | s->bits[2 * k];
}

static inline bperc_i_word bperc_i_list_live(const bperc_solutions *s) {
  return (bperc_i_word)s->live[1] << 64 | s->live[0];
}

/* A list without solutions over the weights not fixed; bits is NULL. */
bperc_status bperc_i_list_new(size_t n, const int8_t *fixed,
                              bperc_solutions **out);

/* Position of a word, SIZE_MAX if it is not there. */
size_t bperc_i_list_find(const bperc_solutions *s, bperc_i_word word);

/* What the checking build recounts of lists and clusters: base/check.h. */

/* Whether the words ascend, without repeats. */
bool bperc_i_recount_ascends(const uint64_t *bits, size_t count, size_t words);
/* Whether these are solutions, by plain sums; where few weights are free also
 * whether they are all. */
bool bperc_i_recount_list(const bperc_solutions *s, const bperc_instance *in);
/* Whether sizes descend, are those of `of`, and the clusters are those of a
 * flood fill where there are few solutions. */
bool bperc_i_recount_clusters(const bperc_clusters *c, const bperc_solutions *s,
                              size_t flips);

/* How many words have bit j set, for every j. Eight words at a time become
 * counts of 1, 2, 4 and 8 per column by full adders on whole words; the eights
 * are spread to bytes by a table and added eight columns at a time. */

enum { BPERC_I_COUNTED_TOGETHER = 8 };

typedef struct {
  size_t columns, bytes;
  unsigned filled, groups; /* words that wait; groups since the last flush */
  uint64_t waiting[2][BPERC_I_COUNTED_TOGETHER]; /* low and high halves */
  uint64_t ones[2], twos[2], fours[2];           /* bit j: column j */
  uint64_t sum[16]; /* eights: byte j % 8 of word j / 8 belongs to column j */
  uint64_t total[128];
} bperc_i_column_counts;

void bperc_i_column_counts_init(bperc_i_column_counts *t, size_t columns);
/* Brings total up to date. */
void bperc_i_column_counts_flush(bperc_i_column_counts *t);
/* Adds the words that wait, a whole group. */
void bperc_i_column_counts_group(bperc_i_column_counts *t);

static inline void bperc_i_column_counts_add(bperc_i_column_counts *t,
                                             bperc_i_word w) {
  t->waiting[0][t->filled] = (uint64_t)w;
  t->waiting[1][t->filled] = (uint64_t)(w >> 64);
  if (++t->filled == BPERC_I_COUNTED_TOGETHER)
    bperc_i_column_counts_group(t);
}

/* Clusters while they grow: a forest in which every part points towards the
 * first part of its cluster. */

static inline uint32_t root_of(uint32_t *parent, uint32_t k) {
  while (parent[k] != k) {
    parent[k] = parent[parent[k]];
    k = parent[k];
  }
  return k;
}

/* The root of a cluster is its first part. */
static inline void unite_parts(uint32_t *parent, uint32_t k, uint32_t l) {
  if (parent[k] == parent[l])
    return;
  k = root_of(parent, k);
  l = root_of(parent, l);
  if (k < l)
    parent[l] = k;
  else
    parent[k] = l;
}

/* Every part below its root: parents come earlier and are final. */
static inline void flatten(uint32_t *parent, size_t parts) {
  for (size_t p = 0; p < parts; p++)
    parent[p] = parent[parent[p]];
}

/* Unites solutions at distance 1 or 2; parent: one part per solution. */
bperc_status bperc_i_join_two_flips(const bperc_solutions *s, uint32_t *parent);

/* Joining keys that differ in one column: hot loops, compiled for both widths
 * of word and for each instruction set. They end early when bperc_cancelled(),
 * which the caller asks. */

/* Keys are words of solutions, or of blocks of them (cover_template.h). */
typedef struct {
  const void *key; /* ascending */
  size_t count;
  const uint32_t *first; /* per block, and one more: its first part; */
  const uint64_t *part;  /* masks; NULL, both: every key is a part */
  uint32_t *parent;      /* forest over the parts */
} bperc_i_keys;

/* For words of 64 and of 128 bits. */
typedef struct {
  void (*join[2])(const bperc_i_keys *keys);
} bperc_i_split_kernels;

/* bperc_i_split_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_split_kernels)

/* Distances between the solutions of a list: hot loops, compiled for both
 * widths of word and for each instruction set. They end early, with nothing
 * of use, when bperc_cancelled(). */

typedef struct {
  /* out[k * (most + 1) + d] += solutions at distance d from solution k, 0 < d
   * <= most: by all pairs, and by pairs of branches. */
  void (*pairs)(const void *list, size_t count, size_t max, uint32_t *out);
  void (*tree)(const void *list, size_t count, size_t max, uint32_t *out);
  /* out[d] += unordered pairs at distance d > 0. */
  void (*histogram)(const void *list, size_t count, uint64_t *out);
} bperc_i_near_loops;

/* For words of 64 and of 128 bits. */
typedef struct {
  bperc_i_near_loops width[2];
} bperc_i_near_kernels;

/* bperc_i_near_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_near_kernels)

#endif
