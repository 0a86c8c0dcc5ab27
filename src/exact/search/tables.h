/* Tables of the search: of its last weights, of patterns with one sign, of
 * signed patterns. */
#ifndef BPERC_EXACT_TABLES_H
#define BPERC_EXACT_TABLES_H

#include "exact/search/residual.h"

/* The last weights of a search, never branched on: the configurations of them
 * that a state allows are the bits of one truth table. */

enum { BPERC_I_TAIL = 8, BPERC_I_LEAF = 256 };

/* One bit per configuration of the tail. */
typedef uint64_t bperc_i_leaf __attribute__((vector_size(32)));

typedef struct {
  bperc_i_word word[BPERC_I_LEAF]; /* columns set by a configuration */
  bperc_i_leaf valid;              /* which configurations exist */
} bperc_i_search_tail;

/* bit: the columns of the tail's positions. */
void bperc_i_tail_init(bperc_i_search_tail *t, const bperc_i_word *bit,
                       size_t count);

/* to |= from moved up by 2^digit: a tail whose weight number digit is 1. */
void bperc_i_leaf_join(bperc_i_leaf *to, const bperc_i_leaf *from,
                       size_t digit);

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

/* Tables of the search for signed patterns.
 *
 * A node of the search is a vector of slacks (residual.h), one byte each, of
 * all patterns and of sums of two of them; setting a weight subtracts a vector
 * of losses, and a negative slack ends the branch. Pairs prune far earlier than
 * patterns alone: 100 times fewer nodes at N = 40 with inputs -1, +1.
 *
 * The last eight positions are decided by truth tables as above.
 */

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

/* What every row loses when the column `bit` is set to value. */
void bperc_i_rows_losses(const bperc_i_search_row *rows, size_t count,
                         bperc_i_word bit, size_t value, int8_t *loss);
/* out[s]: configurations of the tail that lose at most s of a pattern. */
void bperc_i_row_leaf(const bperc_i_search_row *x, const bperc_i_word *bit,
                      size_t count, bperc_i_leaf out[BPERC_I_TAIL + 1]);

#endif
