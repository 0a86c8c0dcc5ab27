/* Clusters while they grow: a forest in which every part points towards the
 * first part of its cluster. */
#ifndef BPERC_EXACT_FOREST_H
#define BPERC_EXACT_FOREST_H

#include "bperc/exact.h"

static inline uint32_t root_of(uint32_t *parent, uint32_t k) {
  while (parent[k] != k) {
    parent[k] = parent[parent[k]];
    k = parent[k];
  }
  return k;
}

/* The root of a cluster is its first part. */
static inline void unite(uint32_t *parent, uint32_t k, uint32_t l) {
  if (parent[k] == parent[l])
    return;
  k = root_of(parent, k);
  l = root_of(parent, l);
  if (k < l)
    parent[l] = k;
  else
    parent[k] = l;
}

/* Every part below its root: parents come earlier and are final. */
static inline void flatten(uint32_t *parent, size_t parts) {
  for (size_t p = 0; p < parts; p++)
    parent[p] = parent[parent[p]];
}

/* Unites solutions at distance 1 or 2; parent: one part per solution. */
bperc_status bperc_i_join_two_flips(const bperc_solutions *s, uint32_t *parent);

#endif
