/* Body of the flip kernels, compiled once per instruction set. */
#include "kernels/flip_kernels.h"

#include <assert.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/* Vectors never cross a call: everything below is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
INLINE void add_word(uint64_t bits, int32_t change, int32_t *out) {
  const __m512i all = _mm512_set1_epi32(change);
  for (int k = 0; k < 4; k++, bits >>= 16, out += 16)
    _mm512_storeu_si512(
        out, _mm512_mask_add_epi32(_mm512_loadu_si512(out), (__mmask16)bits,
                                   _mm512_loadu_si512(out), all));
}
#else
typedef int32_t lanes __attribute__((vector_size(32), aligned(4)));
typedef uint32_t places __attribute__((vector_size(32)));

INLINE void add_word(uint64_t bits, int32_t change, int32_t *out) {
  const places bit = {1, 2, 4, 8, 16, 32, 64, 128};
  const lanes all = {change, change, change, change,
                     change, change, change, change};
  for (int k = 0; k < 8; k++, bits >>= 8, out += 8) {
    uint32_t b = bits & 255;
    const places these = {b, b, b, b, b, b, b, b};
    *(lanes *)out += (lanes)((these & bit) == bit) & all;
  }
}
#endif

static void flip_add_row(const uint64_t *row, size_t words, int32_t change,
                         int32_t *out) {
  for (size_t w = 0; w < words; w++)
    if (row[w])
      add_word(row[w], change, out + 64 * w);
}

/* Eight words at a time: carries in registers, plane by plane. */
enum { GROUP = 8 };

INLINE void count_group(const bperc_i_sliced *x, size_t at, size_t some,
                        const uint64_t *up, const uint64_t *down,
                        uint64_t *below, uint64_t *most) {
  uint64_t carry[GROUP] = {0}, borrow[GROUP] = {0}, any[GROUP] = {0};
  uint64_t *digit = x->plane + at;
  for (size_t k = 0; k < some; k++) {
    carry[k] = up[at + k];
    borrow[k] = down[at + k];
  }
  for (unsigned p = 0; p < x->planes; p++, digit += x->words)
    for (size_t k = 0; k < some; k++) {
      uint64_t old = digit[k], now = old ^ carry[k] ^ borrow[k];
      carry[k] &= old;
      borrow[k] &= ~old;
      any[k] |= now;
      digit[k] = now;
    }
  digit -= x->words;
  for (size_t k = 0; k < some; k++) {
    below[at + k] = digit[k];
    most[at + k] = digit[k] | ~any[k];
  }
}

static void flip_count(const bperc_i_sliced *x, const uint64_t *up,
                       const uint64_t *down, uint64_t *below, uint64_t *most) {
  size_t at = 0;
  assert(x->planes > 0);
  for (; at + GROUP <= x->words; at += GROUP)
    count_group(x, at, GROUP, up, down, below, most);
  if (at < x->words)
    count_group(x, at, x->words - at, up, down, below, most);
}

const bperc_i_flip_kernels BPERC_I_FOR_ISA(bperc_i_flip_kernels) = {
    .add_row = flip_add_row, .count = flip_count};
