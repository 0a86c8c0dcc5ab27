/* Numbers of solutions: inside the library. */
#ifndef BPERC_EXACT_COUNT_H
#define BPERC_EXACT_COUNT_H

#include "bperc/exact.h"
#include "exact/search/word.h"

/* x times 2^shift. */
bperc_count bperc_i_count_make(bperc_i_word x, size_t shift);

#endif
