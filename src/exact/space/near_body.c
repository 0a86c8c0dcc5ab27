/* Both widths of near_template.h, compiled once per instruction set. */
#include "bperc/status.h"
#include "exact/search/word.h"
#include "exact/space/space.h"

#if defined(__AVX512VPOPCNTDQ__)
#include <immintrin.h>
#endif

enum { LARGE_BRANCH = 256 }; /* from here on it is asked whether to go on */

static inline int highest_64(uint64_t w) { return 63 - __builtin_clzll(w); }

static inline int highest_128(bperc_i_word w) {
  uint64_t high = (uint64_t)(w >> 64);
  return high ? 64 + highest_64(high) : highest_64((uint64_t)w);
}

#if defined(__AVX512VPOPCNTDQ__)
static inline unsigned near_lanes(uint64_t word, const uint64_t *list,
                                  size_t count, size_t max) {
  __mmask8 lanes = count < 8 ? (__mmask8)((1U << count) - 1) : 0xff;
  __m512i x = _mm512_xor_si512(_mm512_maskz_loadu_epi64(lanes, list),
                               _mm512_set1_epi64((long long)word));
  return _mm512_mask_cmple_epu64_mask(lanes, _mm512_popcnt_epi64(x),
                                      _mm512_set1_epi64((long long)max));
}
#define NEAR_LANES near_lanes
#define LANES 8
#define SMALL_CROSS 256
#else
#define LANES 1
#define SMALL_CROSS 64
#endif

#define WORD uint64_t
#define NAME(x) x##_64
#define POPCOUNT __builtin_popcountll
#define HIGHEST highest_64
#include "exact/space/near_template.h"

#define LANES 1
#define SMALL_CROSS 64
#define WORD bperc_i_word
#define NAME(x) x##_128
#define POPCOUNT bperc_i_word_popcount
#define HIGHEST highest_128
#include "exact/space/near_template.h"

const bperc_i_near_kernels BPERC_I_FOR_ISA(bperc_i_near_kernels) = {
    .width = {{pairs_64, tree_64, histogram_64},
              {pairs_128, tree_128, histogram_128}}};
