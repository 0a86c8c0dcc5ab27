/* Products with a matrix of bits for AVX-512 (VBMI, VNNI, GFNI).
 *
 * Four bits select one of 16 sums of four values. A register of 64 bytes holds
 * four such tables of one byte, so that a permutation of bytes looks up 64 sums
 * at once: byte b of every lane of 32 bits uses table b, and a dot product
 * with ones adds the four bytes of a lane to its counter. Sums of four values
 * have two bytes, the higher one with a sign: two look-ups, two counters.
 * Rows lie far apart, further than the processor fetches by itself: those of
 * the next tile are asked for while this one is done. What remains is to bring
 * bits that share a counter into one lane: a lane holds 32 columns of a row, or
 * 32 rows of a column. */
#include "kernels/matvec.h"

#include <assert.h>
#include <immintrin.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
  DIGITS = 2,
  TILE = 32,          /* words of a row: tables of 24 KB, in the first cache */
  STRIP = 8,          /* words of a register */
  ROWS = 16,          /* lanes of a register */
  COLUMN_ROWS = 32,   /* rows of a lane */
  MOST_ROWS = 1 << 24 /* counters grow by at most 2040 in 32 rows */
};

_Static_assert(4 * BPERC_I_MATVEC_LARGEST < 1 << (8 * DIGITS - 1),
               "a sum of four values fits in its digits");

/* Tables of 32 bits: [half of a byte][digit], byte b for bits 8b to 8b + 7. */
typedef struct {
  __m512i half[2][DIGITS];
} tables;

typedef struct {
  __m512i digit[DIGITS];
} counters;

/* 16 sums of four values as bytes, into quarter b of the tables. */
INLINE void fill(tables *t, int half, int b, const int32_t *value, int step) {
  __m512i s = _mm512_maskz_set1_epi32(0xAAAA, value[0]);
  s = _mm512_mask_add_epi32(s, 0xCCCC, s, _mm512_set1_epi32(value[step]));
  s = _mm512_mask_add_epi32(s, 0xF0F0, s, _mm512_set1_epi32(value[2 * step]));
  s = _mm512_mask_add_epi32(s, 0xFF00, s, _mm512_set1_epi32(value[3 * step]));
  for (int d = 0; d < DIGITS; d++) {
    __m128i *to = (__m128i *)&t->half[half][d] + b;
    _mm_store_si128(to, _mm512_cvtepi32_epi8(s));
    s = _mm512_srai_epi32(s, 8);
  }
}

/* Adds the selected sums of every lane to its counters. */
INLINE void look_up(const tables *t, __m512i bits, counters *c) {
  const __m512i quarter = _mm512_set1_epi32(0x30201000);
  const __m512i low = _mm512_set1_epi8(15), one = _mm512_set1_epi8(1);
  /* (bits & low) | quarter */
  __m512i index[2] = {_mm512_ternarylogic_epi32(bits, low, quarter, 0xEA),
                      _mm512_ternarylogic_epi32(_mm512_srli_epi32(bits, 4), low,
                                                quarter, 0xEA)};
  for (int half = 0; half < 2; half++) {
    for (int d = 0; d < DIGITS - 1; d++)
      c->digit[d] = _mm512_dpbusd_epi32(
          c->digit[d], _mm512_permutexvar_epi8(index[half], t->half[half][d]),
          one);
    c->digit[DIGITS - 1] = _mm512_dpbusd_epi32(
        c->digit[DIGITS - 1], one,
        _mm512_permutexvar_epi8(index[half], t->half[half][DIGITS - 1]));
  }
}

INLINE __m512i half_of(__m512i x, int h) {
  return _mm512_cvtepi32_epi64(h ? _mm512_extracti64x4_epi64(x, 1)
                                 : _mm512_castsi512_si256(x));
}

/* Counters as whole numbers, added to 16 results. */
INLINE void add_to(int64_t *out, const counters *c) {
  for (int h = 0; h < 2; h++) {
    __m512i sum = _mm512_loadu_si512(out + 8 * h);
    for (int d = 0; d < DIGITS; d++)
      sum = _mm512_add_epi64(
          sum, _mm512_slli_epi64(half_of(c->digit[d], h), 8 * (unsigned)d));
    _mm512_storeu_si512(out + 8 * h, sum);
  }
}

INLINE size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Up to eight words of a row, zero beyond its end. */
INLINE __m512i load(const uint64_t *bits, size_t words) {
  return words >= STRIP
             ? _mm512_loadu_si512(bits)
             : _mm512_maskz_loadu_epi64((__mmask8)((1u << words) - 1), bits);
}

/* ---- rows */

/* 16 by 16 lanes transposed: register j gets lane j of every row. */
INLINE void transpose(__m512i *r) {
  __m512i t[16];
  for (int k = 0; k < 16; k += 2) {
    t[k] = _mm512_unpacklo_epi32(r[k], r[k + 1]);
    t[k + 1] = _mm512_unpackhi_epi32(r[k], r[k + 1]);
  }
  for (int k = 0; k < 16; k += 4)
    for (int h = 0; h < 2; h++) {
      r[k + 2 * h] = _mm512_unpacklo_epi64(t[k + h], t[k + 2 + h]);
      r[k + 2 * h + 1] = _mm512_unpackhi_epi64(t[k + h], t[k + 2 + h]);
    }
  for (int k = 0; k < 4; k++) {
    t[k] = _mm512_shuffle_i32x4(r[k], r[k + 4], 0x88);
    t[k + 4] = _mm512_shuffle_i32x4(r[k], r[k + 4], 0xDD);
    t[k + 8] = _mm512_shuffle_i32x4(r[k + 8], r[k + 12], 0x88);
    t[k + 12] = _mm512_shuffle_i32x4(r[k + 8], r[k + 12], 0xDD);
  }
  for (int k = 0; k < 8; k++) {
    r[k] = _mm512_shuffle_i32x4(t[k], t[k + 8], 0x88);
    r[k + 8] = _mm512_shuffle_i32x4(t[k], t[k + 8], 0xDD);
  }
}

INLINE void row_tables(const int32_t *value, size_t words, tables *t) {
  for (size_t l = 0; l < 2 * words; l++)
    for (int b = 0; b < 4; b++)
      for (int half = 0; half < 2; half++)
        fill(&t[l], half, b, value + l * 32 + (size_t)(8 * b + 4 * half), 1);
}

/* Words of the first strip: where rows are whole lines of the cache, strips
 * are. */
INLINE size_t first_strip(const bperc_i_bit_matrix *x, size_t from) {
  return x->words % STRIP == 0 ? STRIP - from % STRIP : STRIP;
}

/* 16 rows of up to TILE words, `first` of them in the first strip. */
INLINE void row_tile(const uint64_t *bits, size_t stride, size_t rows,
                     size_t first, size_t words, const tables *t,
                     int64_t *out) {
  int64_t some[ROWS] = {0};
  counters c;
  memset(&c, 0, sizeof c);
  for (size_t w = 0, now; w < words; w += now) {
    __m512i r[16];
    now = least(w == 0 ? first : STRIP, words - w);
    for (size_t k = 0; k < 16; k++)
      r[k] =
          k < rows ? load(bits + k * stride + w, now) : _mm512_setzero_si512();
    for (size_t k = 0; k < ROWS; k++)
      _mm_prefetch((const char *)(bits + (ROWS + k) * stride + w), _MM_HINT_T0);
    transpose(r);
    for (size_t l = 0; l < 2 * now; l++)
      look_up(&t[2 * w + l], r[l], &c);
  }
  if (rows == ROWS) {
    add_to(out, &c);
    return;
  }
  add_to(some, &c);
  for (size_t k = 0; k < rows; k++)
    out[k] += some[k];
}

static void rows(const bperc_i_bit_matrix *x, const int32_t *value, size_t from,
                 size_t to, int64_t *out) {
  tables t[2 * TILE];
  assert(to <= x->words);
  for (size_t w = from, words; w < to; w += words) {
    const size_t first = first_strip(x, w);
    words = least(TILE - STRIP + first, to - w);
    row_tables(value + w * 64, words, t);
    for (size_t mu = 0; mu < x->count; mu += ROWS)
      row_tile(x->bits + mu * x->words + w, x->words,
               least(ROWS, x->count - mu), first, words, t, out + mu);
  }
}

/* ---- columns */

/* Eight rows of 512 columns: byte c of register v becomes the eight bits of a
 * column, the first row in bit 7. In lane l of 128 bits register v holds the
 * columns 128 l + 16 v to 128 l + 16 v + 15. */
INLINE void octet(const __m512i *row, __m512i *out) {
  const __m512i unit = _mm512_set1_epi64((long long)0x8040201008040201u);
  __m512i a[8], b[8];
  for (int k = 0; k < 4; k++) {
    a[k] = _mm512_unpacklo_epi8(row[2 * k], row[2 * k + 1]);
    a[k + 4] = _mm512_unpackhi_epi8(row[2 * k], row[2 * k + 1]);
  }
  for (int h = 0; h < 8; h += 4)
    for (int k = 0; k < 2; k++) {
      b[h + k] = _mm512_unpacklo_epi16(a[h + 2 * k], a[h + 2 * k + 1]);
      b[h + k + 2] = _mm512_unpackhi_epi16(a[h + 2 * k], a[h + 2 * k + 1]);
    }
  for (int h = 0; h < 8; h += 2) {
    __m512i lo = _mm512_unpacklo_epi32(b[h], b[h + 1]);
    __m512i hi = _mm512_unpackhi_epi32(b[h], b[h + 1]);
    out[h] = _mm512_gf2p8affine_epi64_epi8(unit, lo, 0);
    out[h + 1] = _mm512_gf2p8affine_epi64_epi8(unit, hi, 0);
  }
}

/* Tables of 32 rows; bit 7 - r of byte b is row 8 b + r. */
INLINE void column_tables(const int32_t *value, size_t count, tables *t) {
  int32_t v[COLUMN_ROWS] = {0};
  memcpy(v, value, count * sizeof *v);
  for (int b = 0; b < 4; b++) {
    fill(t, 0, b, v + 8 * b + 7, -1);
    fill(t, 1, b, v + 8 * b + 3, -1);
  }
}

/* 32 rows of 512 columns; counter f of lane l: columns 128 l + 4 f + 0..3. */
INLINE void column_tile(const uint64_t *bits, size_t stride, size_t count,
                        size_t words, const tables *t, counters *c) {
  __m512i column[4][8], row[8];
  for (size_t o = 0; o < 4; o++) {
    for (size_t k = 0; k < 8; k++)
      row[k] = 8 * o + k < count ? load(bits + (8 * o + k) * stride, words)
                                 : _mm512_setzero_si512();
    for (size_t k = 0; k < 8; k++)
      _mm_prefetch((const char *)(bits + (COLUMN_ROWS + 8 * o + k) * stride),
                   _MM_HINT_T0);
    octet(row, column[o]);
  }
  for (int v = 0; v < 8; v++)
    for (int h = 0; h < 2; h++) {
      __m512i a = h ? _mm512_unpackhi_epi8(column[0][v], column[1][v])
                    : _mm512_unpacklo_epi8(column[0][v], column[1][v]);
      __m512i b = h ? _mm512_unpackhi_epi8(column[2][v], column[3][v])
                    : _mm512_unpacklo_epi8(column[2][v], column[3][v]);
      look_up(t, _mm512_unpacklo_epi16(a, b), &c[4 * v + 2 * h]);
      look_up(t, _mm512_unpackhi_epi16(a, b), &c[4 * v + 2 * h + 1]);
    }
}

/* The counters of 512 columns in their order, added to the results. */
INLINE void column_sums(const counters *c, size_t words, int64_t *out) {
  int64_t some[16];
  for (size_t f = 0; f < 32; f++) {
    memset(some, 0, sizeof some);
    add_to(some, &c[f]);
    for (size_t l = 0; l < 4; l++)
      for (size_t d = 0; d < 4; d++) {
        size_t i = 128 * l + 4 * f + d;
        if (i < 64 * words)
          out[i] += some[4 * l + d];
      }
  }
}

/* Up to TILE words, and so many rows that no counter overflows. */
static void column_strips(const bperc_i_bit_matrix *x, const int32_t *value,
                          size_t from, size_t to, size_t w, size_t words,
                          int64_t *out) {
  counters c[TILE / STRIP][32];
  tables t;
  memset(c, 0, sizeof c);
  for (size_t mu = from; mu < to; mu += COLUMN_ROWS) {
    const uint64_t *bits = x->bits + mu * x->words + w;
    size_t count = least(COLUMN_ROWS, to - mu);
    column_tables(value + mu, count, &t);
    for (size_t s = 0; s < words; s += STRIP)
      column_tile(bits + s, x->words, count, words - s, &t, c[s / STRIP]);
  }
  for (size_t s = 0; s < words; s += STRIP)
    column_sums(c[s / STRIP], least(STRIP, words - s), out + (w + s) * 64);
}

static void columns(const bperc_i_bit_matrix *x, const int32_t *value,
                    size_t from, size_t to, int64_t *out) {
  assert(to <= x->words);
  for (size_t w = from; w < to; w += TILE)
    for (size_t mu = 0; mu < x->count; mu += MOST_ROWS)
      column_strips(x, value, mu, least(mu + MOST_ROWS, x->count), w,
                    least(TILE, to - w), out);
}

const bperc_i_matvec_kernels bperc_i_matvec_kernels_avx512 = {
    .rows = rows, .columns = columns};
