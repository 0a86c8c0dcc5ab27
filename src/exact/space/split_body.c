/* Both widths of split_template.h, compiled once per instruction set. */
#include "exact/search/word.h"
#include "exact/space/space.h"

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
    unite_parts(keys->parent, k, l);
    return;
  }
  for (uint32_t p = keys->first[k]; p < keys->first[k + 1]; p++)
    for (uint32_t q = keys->first[l]; q < keys->first[l + 1]; q++)
      if (keys->part[p] & keys->part[q])
        unite_parts(keys->parent, p, q);
}

#if defined(__AVX2__)
/* Several keys in one register: for 64-bit words
 * four (AVX2) or eight (AVX-512), for 128-bit words four (AVX-512 alone; with
 * two a merge of single keys is as fast).
 *
 * Masks have bit STEP (WIDE r + c) for key c of a register and the r-th of
 * other keys. */
INLINE size_t lesser(size_t x, size_t y) { return x < y ? x : y; }

#if defined(__AVX512F__)
enum { WIDE_64 = 8, STEP_64 = 1, WIDE_128 = 4, STEP_128 = 2 };
typedef __m512i wide_64;
typedef __m512i wide_128;

INLINE __m512i load_64(const uint64_t *p) { return _mm512_loadu_si512(p); }
INLINE __m512i same_64(uint64_t x) { return _mm512_set1_epi64((long long)x); }
INLINE __m512i xor_64(__m512i x, __m512i y) { return _mm512_xor_si512(x, y); }

/* Which keys of x are b[0], b[1], ... */
INLINE uint64_t equal_64(__m512i x, const uint64_t *b) {
#define ROW(r) _mm512_cmpeq_epi64_mask(x, same_64(b[r]))
#define ROWS(r) _mm512_kunpackb(ROW((r) + 1), ROW(r))
  return _mm512_kunpackd(_mm512_kunpackw(ROWS(6), ROWS(4)),
                         _mm512_kunpackw(ROWS(2), ROWS(0)));
#undef ROWS
#undef ROW
}

/* Which keys have at most one bit. */
INLINE uint64_t single_64(__m512i x) {
  return _mm512_testn_epi64_mask(x, _mm512_add_epi64(x, same_64(UINT64_MAX)));
}

INLINE __m512i load_128(const bperc_i_word *p) { return _mm512_loadu_si512(p); }
INLINE __m512i same_128(bperc_i_word x) {
  return _mm512_broadcast_i32x4(
      _mm_set_epi64x((long long)(x >> 64), (long long)x));
}
INLINE __m512i xor_128(__m512i x, __m512i y) { return _mm512_xor_si512(x, y); }

/* Both halves of a key must agree. */
INLINE uint64_t equal_128(__m512i x, const bperc_i_word *b) {
#define ROW(r) _mm512_cmpeq_epi64_mask(x, same_128(b[r]))
#define ROWS(r) _mm512_kunpackb(ROW((r) + 1), ROW(r))
  uint64_t half = _mm512_kunpackw(ROWS(2), ROWS(0));
  return half & half >> 1 & 0x55555555;
#undef ROWS
#undef ROW
}

INLINE uint64_t single_128(__m512i x) {
  __m512i ones = _mm512_popcnt_epi64(x);
  ones = _mm512_add_epi64(ones, _mm512_shuffle_epi32(ones, _MM_PERM_BADC));
  return _mm512_cmple_epu64_mask(ones, same_64(1)) & 0x55u;
}
#else
enum { WIDE_64 = 4, STEP_64 = 1 };
typedef __m256i wide_64;

INLINE __m256i load_64(const uint64_t *p) {
  return _mm256_loadu_si256((const __m256i *)p);
}
INLINE __m256i same_64(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
INLINE __m256i xor_64(__m256i x, __m256i y) { return _mm256_xor_si256(x, y); }
INLINE unsigned mask_of(__m256i equal) {
  return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(equal));
}

INLINE uint64_t equal_64(__m256i x, const uint64_t *b) {
#define ROW(r) (mask_of(_mm256_cmpeq_epi64(x, same_64(b[r]))) << 4 * (r))
  return ROW(0) | ROW(1) | ROW(2) | ROW(3);
#undef ROW
}

INLINE uint64_t single_64(__m256i x) {
  __m256i less = _mm256_add_epi64(x, same_64(UINT64_MAX));
  return mask_of(_mm256_cmpeq_epi64(_mm256_and_si256(x, less), same_64(0)));
}
#endif
#endif

#define WORD uint64_t
#define NAME(x) x##_64
#if defined(__AVX2__)
#define WIDE_KEYS 1
#else
#define WIDE_KEYS 0
#endif
#include "exact/space/split_template.h"

#define WORD bperc_i_word
#define NAME(x) x##_128
#if defined(__AVX512F__)
#define WIDE_KEYS 1
#else
#define WIDE_KEYS 0
#endif
#include "exact/space/split_template.h"

const bperc_i_split_kernels BPERC_I_FOR_ISA(bperc_i_split_kernels) = {
    .join = {join_64, join_128}};
