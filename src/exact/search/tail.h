/* The last weights of a search, never branched on: the configurations of them
 * that a state allows are the bits of one truth table. */
#ifndef BPERC_EXACT_TAIL_H
#define BPERC_EXACT_TAIL_H

#include "exact/search/residual.h"

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

#endif
