/* The last weights of a search: tail.h. */
#include "exact/search/tail.h"

#include <assert.h>

void bperc_i_leaf_join(bperc_i_leaf *to, const bperc_i_leaf *from,
                       size_t digit) {
  assert(digit < BPERC_I_TAIL);
  if (digit < 6)
    (*to)[0] |= (*from)[0] << (1u << digit);
  else if (digit == 6)
    (*to)[1] |= (*from)[0];
  else {
    (*to)[2] |= (*from)[0];
    (*to)[3] |= (*from)[1];
  }
}

void bperc_i_tail_init(bperc_i_search_tail *t, const bperc_i_word *bit,
                       size_t count) {
  assert(count <= BPERC_I_TAIL);
  t->valid = (bperc_i_leaf){1, 0, 0, 0};
  t->word[0] = 0;
  for (size_t digit = 0; digit < count; digit++) {
    size_t half = (size_t)1 << digit;
    bperc_i_leaf from = t->valid;
    bperc_i_leaf_join(&t->valid, &from, digit);
    for (size_t k = 0; k < half; k++)
      t->word[half + k] = t->word[k] | bit[digit];
  }
}
