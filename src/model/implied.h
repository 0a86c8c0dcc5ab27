/* What patterns force: bits that every solution has. */
#ifndef BPERC_MODEL_IMPLIED_H
#define BPERC_MODEL_IMPLIED_H

#include "bperc/instance.h"

/* Unit propagation from the given values (n, -1: not known): a pattern with
 * just as many literals left as it needs forces them on, one that allows no
 * more forces the others off, until nothing changes. Complete where patterns
 * share weights like a tree. known: scratch, two rows of in->words. Returns the
 * first pattern found that cannot hold, or m. O(N M / 64) per pass. */
size_t bperc_i_implied_violation(const bperc_instance *in, const int8_t *value,
                                 uint64_t *known);

#endif
