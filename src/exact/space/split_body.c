/* Both widths of split.inc, compiled once per instruction set. */
#include "exact/search/word.h"
#include "exact/space/forest.h"
#include "exact/space/split.h"

#include <assert.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum {
  MERGES = 4,       /* side by side */
  LONG_MERGE = 128, /* of so many keys together, */
  FEW_KEYS = 12,    /* are compared pair by pair */
  PAIRS = 1024      /* found before they are united */
};

/* Keys i to i_end - 1, with the bit set, against keys j to j_end - 1. */
typedef struct {
  size_t i, i_end, j, j_end;
} range;

/* Keys k and l differ in one column; of blocks, parts with a position in
 * common are joined. */
static inline void unite_keys(const bperc_i_keys *keys, uint32_t k,
                              uint32_t l) {
  if (!keys->first) {
    unite(keys->parent, k, l);
    return;
  }
  for (uint32_t p = keys->first[k]; p < keys->first[k + 1]; p++)
    for (uint32_t q = keys->first[l]; q < keys->first[l + 1]; q++)
      if (keys->part[p] & keys->part[q])
        unite(keys->parent, p, q);
}

#if defined(__AVX2__)
#include "exact/space/wide.h"
#endif

#define WORD uint64_t
#define NAME(x) x##_64
#if defined(__AVX2__)
#define MERGE "exact/space/merge_wide.inc"
#else
#define MERGE "exact/space/merge.inc"
#endif
#include "exact/space/split.inc"
#undef WORD
#undef NAME
#undef MERGE

#define WORD bperc_i_word
#define NAME(x) x##_128
#if defined(__AVX512F__)
#define MERGE "exact/space/merge_wide.inc"
#else
#define MERGE "exact/space/merge.inc"
#endif
#include "exact/space/split.inc"

const bperc_i_split_kernels BPERC_I_FOR_ISA(bperc_i_split_kernels) = {
    .join = {join_64, join_128}};
