/* Tables of the search for signed patterns.
 *
 * A node of the search is a vector of slacks (rows.h), one byte each, of all
 * patterns and of sums of two of them; setting a weight subtracts a vector of
 * losses, and a negative slack ends the branch. Pairs prune far earlier than
 * patterns alone: 100 times fewer nodes at N = 40 with inputs -1, +1.
 *
 * The last eight positions are decided by truth tables as in plan.h.
 */
#ifndef BPERC_EXACT_SLACK_H
#define BPERC_EXACT_SLACK_H

#include "exact/search/tail.h"

enum { BPERC_I_LANES = 32 };

/* Slacks or losses of 32 rows. */
typedef int8_t bperc_i_lanes __attribute__((vector_size(BPERC_I_LANES)));

typedef struct bperc_i_slack_plan {
  size_t positions, head; /* head: positions before the tail */
  size_t patterns;        /* their slacks are the first, then those of pairs */
  size_t vectors;         /* of lanes */
  bperc_i_lanes *start;   /* [vectors] */
  bperc_i_lanes *loss;    /* [head][2][vectors]: by weight at 0, at 1 */
  bperc_i_leaf *leaf;     /* [patterns][BPERC_I_TAIL + 1]: by slack */
  bperc_i_word *bit;      /* [positions] which column */
  bperc_i_search_tail tail;
} bperc_i_slack_plan;

/* which: the open columns to search, a subset of r->open. */
bperc_status bperc_i_slack_plan_init(bperc_i_slack_plan *p,
                                     const bperc_i_search_residual *r,
                                     bperc_i_word which);
void bperc_i_slack_plan_clear(bperc_i_slack_plan *p);

#endif
