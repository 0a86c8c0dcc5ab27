/* How many words have bit j set, for every j. Eight words at a time become
 * counts of 1, 2, 4 and 8 per column by full adders on whole words; the eights
 * are spread to bytes by a table and added eight columns at a time. */
#ifndef BPERC_EXACT_TALLY_H
#define BPERC_EXACT_TALLY_H

#include "exact/search/word.h"

enum { BPERC_I_TALLY_GROUP = 8 };

typedef struct {
  size_t columns, bytes;
  unsigned filled, groups; /* words that wait; groups since the last flush */
  uint64_t waiting[2][BPERC_I_TALLY_GROUP]; /* low and high halves */
  uint64_t ones[2], twos[2], fours[2];      /* bit j: column j */
  uint64_t sum[16]; /* eights: byte j % 8 of word j / 8 belongs to column j */
  uint64_t total[128];
} bperc_i_column_counts;

void bperc_i_tally_init(bperc_i_column_counts *t, size_t columns);
/* Brings total up to date. */
void bperc_i_tally_flush(bperc_i_column_counts *t);
/* Adds the words that wait, a whole group. */
void bperc_i_tally_group(bperc_i_column_counts *t);

static inline void bperc_i_tally_add(bperc_i_column_counts *t, bperc_i_word w) {
  t->waiting[0][t->filled] = (uint64_t)w;
  t->waiting[1][t->filled] = (uint64_t)(w >> 64);
  if (++t->filled == BPERC_I_TALLY_GROUP)
    bperc_i_tally_group(t);
}

#endif
