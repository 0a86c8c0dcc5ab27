/* Tables that let the search decide a node with a few loads.
 *
 * The open weights get positions: those in many patterns first. The
 * last eight positions (the tail) are never branched on: the configurations
 * of the tail that a state allows are the AND of 256-bit truth tables.
 *
 * State of the search at some position:
 * - for every group of up to three label-0 patterns an index: the slacks (how
 *   many more ones the pattern takes) in mixed radix;
 * - for every label-1 pattern what it still needs, a field of 4 or 8 bits.
 *
 * gain[position][group index] holds, packed like the needs, the exact most that
 * each label-1 sum can still get from this position on when the slacks of that
 * one group are respected. A need above its gain in any group ends the branch.
 */
#ifndef BPERC_EXACT_PLAN_H
#define BPERC_EXACT_PLAN_H

#include "exact/search/tail.h"

enum { BPERC_I_PER_WORD = 4 };

typedef struct bperc_i_plan {
  size_t positions, head;        /* head: positions before the tail */
  size_t groups, index_words;    /* four 16-bit group indices per word */
  size_t *states, *offset;       /* per group: size, first state */
  size_t total_states;           /* over all groups */
  unsigned field;                /* bits per need: 4 or 8 */
  size_t need_words, need_bytes; /* words and bytes of packed needs */
  uint64_t low, guard;           /* lowest and highest bit of each field */
  uint64_t *gain;                /* [head + 1][total_states][need_words] */
  bperc_i_word *blocked;         /* [total_states] positions without room */
  bperc_i_leaf *leaf_slack;      /* [total_states] */
  bperc_i_leaf *leaf_need;       /* [need_bytes][256] */
  uint64_t *delta;               /* [positions][index_words] */
  uint64_t *column;              /* [positions][need_words] */
  uint64_t *start;               /* index words, then need words */
  bperc_i_word *bit;             /* [positions] which column */
  bperc_i_search_tail tail;
} bperc_i_plan;

/* which: the open columns to search, a subset of r->open. */
bperc_status bperc_i_plan_init(bperc_i_plan *p,
                               const bperc_i_search_residual *r,
                               bperc_i_word which);
void bperc_i_plan_clear(bperc_i_plan *p);

#endif
