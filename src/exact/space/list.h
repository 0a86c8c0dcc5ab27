/* Lists of solutions: inside the library. */
#ifndef BPERC_EXACT_LIST_H
#define BPERC_EXACT_LIST_H

#include "bperc/exact.h"
#include "exact/search/word.h"

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

#endif
