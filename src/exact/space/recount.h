/* What the checking build recounts of lists and clusters: base/check.h. */
#ifndef BPERC_EXACT_RECOUNT_H
#define BPERC_EXACT_RECOUNT_H

#include "exact/space/list.h"

/* Whether the words ascend, without repeats. */
bool bperc_i_recount_ascends(const uint64_t *bits, size_t count, size_t words);
/* Whether these are solutions, by plain sums; where few weights are free also
 * whether they are all. */
bool bperc_i_recount_list(const bperc_solutions *s, const bperc_instance *in);
/* Whether sizes descend, are those of `of`, and the clusters are those of a
 * flood fill where there are few solutions. */
bool bperc_i_recount_clusters(const bperc_clusters *c, const bperc_solutions *s,
                              size_t flips);

#endif
