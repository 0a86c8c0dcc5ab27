/* Some columns of rows of bits, side by side. */
#ifndef BPERC_BASE_SQUEEZE_H
#define BPERC_BASE_SQUEEZE_H

#include <stddef.h>
#include <stdint.h>

/* One word: which bits stay, and the bits that move by 1, 2, 4, ... 32. */
typedef struct {
  uint64_t keep, move[6];
} bperc_i_squeeze;

/* From a vector of bits that are 1 where a column stays. */
void bperc_i_squeeze_plan(const uint64_t *keep, size_t words,
                          bperc_i_squeeze *plan);
/* One row. `to` may be `from` or lie before it; its last word is filled up with
 * zeros. Returns the words written. */
size_t bperc_i_squeeze_row(const bperc_i_squeeze *plan, size_t words,
                           const uint64_t *from, uint64_t *to);

#endif
