/* Bounds from sums of patterns: the linear relaxation of a node and its prices.
 *
 * A literal of a pattern is good when it helps: on for label 1, off for label
 * 0. The slack of a pattern is how many literals it may still lose. With a
 * price p_mu >= 0 for a lost literal of each pattern, the undecided weights
 * lose at least
 *   sum_i min(loss of w_i = 0, loss of w_i = 1),
 * and no more than sum_mu p_mu slack_mu may be lost. What is left between the
 * two, the gap, is negative: no solution below the node. A weight whose worse
 * value loses more than the gap has the other one. Prices that make the gap
 * small are sought by a few subgradient steps from those of the node above
 * (Polyak's step). Prices, losses and gaps are integers: bounds are exact.
 *
 * At N = 80, f_in = 0.5 this leaves 350 to 1800 times fewer nodes than the
 * tables of tables.h, at ten times the cost of each.
 */
#ifndef BPERC_EXACT_RELAX_H
#define BPERC_EXACT_RELAX_H

#include "exact/search/residual.h"
#include "kernels/isa.h"

enum {
  BPERC_I_SUBTREE = 16,        /* undecided weights that tables search */
  BPERC_I_RELAXED = 50,        /* weights above which this pays, */
  BPERC_I_RELAXED_SIGNED = 40, /* the same with signed inputs */
  BPERC_I_PRICED = 256,        /* most patterns */
  BPERC_I_PRICE_SUM = 8192,    /* all prices together, about */
  BPERC_I_PRICE_BLOCK = 8      /* patterns are padded to a multiple */
};

typedef struct bperc_i_relax {
  size_t positions;     /* weights, in the order of the search */
  size_t patterns;      /* with padding */
  uint64_t *literal[2]; /* [patterns] positions of the literals, by 64 */
  uint64_t *good[2];    /* [patterns] of these, good when the bit is 1 */
  int32_t *slack;       /* [patterns] before anything is decided */
  int16_t *side;        /* [patterns][128] 1: good at 1, -1: at 0, 0: none */
} bperc_i_relax;

/* A node: undecided positions, those at 1, a price per pattern. */
typedef struct {
  bperc_i_word free, ones;
  int16_t price[];
} bperc_i_relaxed;

static inline size_t bperc_i_relaxed_size(const bperc_i_relax *q) {
  return (sizeof(bperc_i_relaxed) + q->patterns * sizeof(int16_t) + 31) / 32 *
         32;
}

/* bit: the column of each position. More than BPERC_I_PRICED patterns:
 * BPERC_E_ARGUMENT. */
bperc_status bperc_i_relax_init(bperc_i_relax *q,
                                const bperc_i_search_residual *r,
                                const bperc_i_word *bit, size_t positions);
void bperc_i_relax_clear(bperc_i_relax *q);

/* The prices to start from: all equal. */
void bperc_i_relax_start(const bperc_i_relax *q, bperc_i_relaxed *node);

typedef struct {
  /* Decides what must be as it is below the node and improves its prices;
   * false: there is no solution below. */
  bool (*fixed_point)(const bperc_i_relax *q, bperc_i_relaxed *node);
} bperc_i_relax_kernels;

/* bperc_i_relax_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_relax_kernels)

#endif
