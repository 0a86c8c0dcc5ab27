/* Products with a matrix of bits, compiled once per instruction set: eight bits
 * become eight lane masks, which select the values to add. Lanes of 32 bits are
 * emptied into 64 bits before they can overflow. */
#include "kernels/matvec.h"

#include <assert.h>
#include <string.h>

/* Vectors never cross a call: everything below is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

enum {
  LANES = 8,
  TILE_WORDS = 64, /* columns of a lane: 64 * 64 / 8 = 2^9 < 2^(31 - 13) */
  TILE_ROWS = 512, /* 2^9 as well */
  STRIP_WORDS = 8, /* a cache line of a row */
  STRIP_ROWS = 16,
};

_Static_assert(TILE_WORDS * 64 / LANES <= INT32_MAX / BPERC_I_MATVEC_LARGEST &&
                   TILE_ROWS <= INT32_MAX / BPERC_I_MATVEC_LARGEST,
               "no lane overflows in a tile");

typedef int32_t lanes __attribute__((vector_size(32)));
typedef uint32_t places __attribute__((vector_size(32)));
typedef int32_t loose __attribute__((vector_size(32), aligned(4)));

INLINE lanes load(const int32_t *p) { return *(const loose *)p; }

/* Half a word in every lane: one broadcast serves four bytes. */
INLINE places spread(uint64_t half) {
  uint32_t b = (uint32_t)half;
  return (places){b, b, b, b, b, b, b, b};
}

/* All ones where the bit of the lane in byte k is 1. */
INLINE lanes masks(places half, int k) {
  const places bit = (places){1, 2, 4, 8, 16, 32, 64, 128} << 8 * k;
  return (lanes)((half & bit) == bit);
}

INLINE int64_t total(lanes x) {
  int64_t sum = 0;
  for (int k = 0; k < LANES; k++)
    sum += x[k];
  return sum;
}

INLINE size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* ---- rows */

INLINE int64_t row_tile(const uint64_t *bits, const int32_t *value,
                        size_t words) {
  lanes even = {0}, odd = {0};
  for (size_t w = 0; w < words; w++) {
    const places half[2] = {spread(bits[w]), spread(bits[w] >> 32)};
    const int32_t *v = value + w * 64;
    for (int k = 0; k < 4; k++) {
      even += masks(half[0], k) & load(v + k * LANES);
      odd += masks(half[1], k) & load(v + (k + 4) * LANES);
    }
  }
  return total(even) + total(odd);
}

static void rows(const bperc_i_bit_matrix *x, const int32_t *value, size_t from,
                 size_t to, int64_t *out) {
  assert(to <= x->words);
  for (size_t w = from; w < to; w += TILE_WORDS)
    for (size_t mu = 0; mu < x->count; mu++)
      out[mu] += row_tile(x->bits + mu * x->words + w, value + w * 64,
                          least(TILE_WORDS, to - w));
}

/* ---- columns */

/* 64 columns, some rows, added to 64 sums of 32 bits. */
INLINE void column_word(const uint64_t *bits, size_t stride,
                        const int32_t *value, size_t count, lanes *sum) {
  lanes s[8];
  memcpy(s, sum, sizeof s);
  for (size_t r = 0; r < count; r++) {
    uint64_t word = bits[r * stride];
    const places half[2] = {spread(word), spread(word >> 32)};
    int32_t v = value[r];
    const lanes all = {v, v, v, v, v, v, v, v};
    for (int k = 0; k < 4; k++) {
      s[k] += masks(half[0], k) & all;
      s[k + 4] += masks(half[1], k) & all;
    }
  }
  memcpy(sum, s, sizeof s);
}

/* Up to TILE_ROWS rows of a strip of words. */
INLINE void column_tile(const uint64_t *bits, size_t stride, size_t words,
                        const int32_t *value, size_t count, int64_t *out) {
  lanes sum[STRIP_WORDS][8];
  memset(sum, 0, sizeof sum);
  for (size_t r = 0; r < count; r += STRIP_ROWS)
    for (size_t w = 0; w < words; w++)
      column_word(bits + r * stride + w, stride, value + r,
                  least(STRIP_ROWS, count - r), sum[w]);
  for (size_t w = 0; w < words; w++)
    for (int i = 0; i < 64; i++)
      out[w * 64 + (size_t)i] += sum[w][i / LANES][i % LANES];
}

static void columns(const bperc_i_bit_matrix *x, const int32_t *value,
                    size_t from, size_t to, int64_t *out) {
  assert(to <= x->words);
  for (size_t w = from; w < to; w += STRIP_WORDS)
    for (size_t mu = 0; mu < x->count; mu += TILE_ROWS)
      column_tile(x->bits + mu * x->words + w, x->words,
                  least(STRIP_WORDS, to - w), value + mu,
                  least(TILE_ROWS, x->count - mu), out + w * 64);
}

const bperc_i_matvec_kernels BPERC_I_FOR_ISA(bperc_i_matvec_kernels) = {
    .rows = rows, .columns = columns};
