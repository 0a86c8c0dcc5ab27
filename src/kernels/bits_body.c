/* Body of the bit kernels, compiled once per instruction set. Only the count of
 * ones inside a vector has several forms: an instruction, a byte shuffle, or
 * shifts and adds. */
#include "kernels/bit_kernels.h"

#include <assert.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(BPERC_I_NEON)
#include <arm_neon.h>
#endif

/* Vectors never cross a call: everything below is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

enum { LANES = 4 };
typedef uint64_t vec __attribute__((vector_size(32)));
typedef uint64_t loose __attribute__((vector_size(32), aligned(8)));

INLINE vec load_words(const uint64_t *p) { return *(const loose *)p; }
INLINE void store_words(uint64_t *p, vec v) { *(loose *)p = v; }

/* The last words of a vector, zero beyond its end. */
INLINE vec load_tail(const uint64_t *p, size_t words) {
  vec v = {0};
  for (size_t k = 0; k < words; k++)
    v[k] = p[k];
  return v;
}

/* ---- population counts */

/* What is counted of two vectors: x AND y, x XOR y, or x XNOR y inside z. */
typedef enum { OF_AND, OF_XOR, OF_SAME } counted;

#if defined(__AVX512VPOPCNTDQ__)
/* Eight words from `at`, those of the mask. */
INLINE __m512i mix_wide(counted what, const uint64_t *x, const uint64_t *y,
                        const uint64_t *z, size_t at, __mmask8 some) {
  __m512i a = _mm512_maskz_loadu_epi64(some, x + at);
  __m512i b = _mm512_maskz_loadu_epi64(some, y + at);
  if (what == OF_AND)
    return _mm512_and_si512(a, b);
  if (what == OF_XOR)
    return _mm512_xor_si512(a, b);
  return _mm512_andnot_si512(_mm512_xor_si512(a, b),
                             _mm512_maskz_loadu_epi64(some, z + at));
}

INLINE __m512i ones_wide(counted what, const uint64_t *x, const uint64_t *y,
                         const uint64_t *z, size_t at, __mmask8 some) {
  return _mm512_popcnt_epi64(mix_wide(what, x, y, z, at, some));
}

INLINE uint64_t ones_of(counted what, const uint64_t *x, const uint64_t *y,
                        const uint64_t *z, size_t words) {
  enum { WIDE = 8, ALL = 255 };
  __m512i sum[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(),
                    _mm512_setzero_si512(), _mm512_setzero_si512()};
  size_t at = 0;
  for (; at + 4 * WIDE <= words; at += 4 * WIDE)
    for (size_t k = 0; k < 4; k++)
      sum[k] = _mm512_add_epi64(sum[k],
                                ones_wide(what, x, y, z, at + k * WIDE, ALL));
  for (; at + WIDE <= words; at += WIDE)
    sum[0] = _mm512_add_epi64(sum[0], ones_wide(what, x, y, z, at, ALL));
  if (at < words)
    sum[1] = _mm512_add_epi64(
        sum[1],
        ones_wide(what, x, y, z, at, (__mmask8)((1u << (words - at)) - 1)));
  return (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(
      _mm512_add_epi64(sum[0], sum[1]), _mm512_add_epi64(sum[2], sum[3])));
}

#else
#if defined(__AVX2__)
/* Ones of every byte, by two look-ups of half a byte each. */
INLINE vec byte_counts(vec v) {
  const __m256i table =
      _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                       2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i nibble = _mm256_set1_epi8(15);
  __m256i low = _mm256_and_si256((__m256i)v, nibble);
  __m256i high = _mm256_and_si256(_mm256_srli_epi16((__m256i)v, 4), nibble);
  return (vec)_mm256_add_epi8(_mm256_shuffle_epi8(table, low),
                              _mm256_shuffle_epi8(table, high));
}

/* Sums of the eight bytes of every lane. */
INLINE vec lane_sums(vec bytes) {
  return (vec)_mm256_sad_epu8((__m256i)bytes, _mm256_setzero_si256());
}

INLINE uint64_t word_count(uint64_t x) {
  return (uint64_t)__builtin_popcountll(x);
}
#elif defined(BPERC_I_NEON)
INLINE vec byte_counts(vec v) {
  uint8x16_t half[2];
  memcpy(half, &v, sizeof half);
  half[0] = vcntq_u8(half[0]);
  half[1] = vcntq_u8(half[1]);
  memcpy(&v, half, sizeof half);
  return v;
}

INLINE vec lane_sums(vec bytes) {
  uint8x16_t half[2];
  memcpy(half, &bytes, sizeof half);
  uint64x2_t sum[2] = {vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(half[0]))),
                       vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(half[1])))};
  memcpy(&bytes, sum, sizeof sum);
  return bytes;
}

INLINE uint64_t word_count(uint64_t x) {
  return (uint64_t)__builtin_popcountll(x);
}
#else
INLINE vec byte_counts(vec v) {
  v -= v >> 1 & 0x5555555555555555u;
  v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
  return (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

INLINE vec lane_sums(vec bytes) {
  vec pairs =
      (bytes & 0x00ff00ff00ff00ffu) + (bytes >> 8 & 0x00ff00ff00ff00ffu);
  vec fours =
      (pairs & 0x0000ffff0000ffffu) + (pairs >> 16 & 0x0000ffff0000ffffu);
  return (fours & 0xffffffffu) + (fours >> 32);
}

INLINE uint64_t word_count(uint64_t x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return x * 0x0101010101010101u >> 56;
}
#endif

INLINE vec mix(counted what, const uint64_t *x, const uint64_t *y,
               const uint64_t *z, size_t at) {
  vec a = load_words(x + at), b = load_words(y + at);
  return what == OF_AND   ? a & b
         : what == OF_XOR ? a ^ b
                          : ~(a ^ b) & load_words(z + at);
}

INLINE uint64_t mix_word(counted what, uint64_t x, uint64_t y,
                         const uint64_t *z, size_t at) {
  return what == OF_AND ? x & y : what == OF_XOR ? x ^ y : ~(x ^ y) & z[at];
}

/* Adds three bits per position: returns the sum's digit, *carry the next. */
INLINE vec full_add(vec a, vec b, vec c, vec *carry) {
  vec u = a ^ b;
  *carry = (a & b) | (u & c);
  return u ^ c;
}

/* Eight vectors from `at` into running ones, twos and fours (Harley-Seal);
 * what leaves the fours is a count of eights. */
INLINE vec eight_vectors(counted what, const uint64_t *x, const uint64_t *y,
                         const uint64_t *z, size_t at, vec *ones, vec *twos,
                         vec *fours) {
  vec pair[4], quad[2], eights;
  for (int k = 0; k < 4; k++, at += 2 * LANES)
    *ones = full_add(*ones, mix(what, x, y, z, at),
                     mix(what, x, y, z, at + LANES), &pair[k]);
  *twos = full_add(*twos, pair[0], pair[1], &quad[0]);
  *twos = full_add(*twos, pair[2], pair[3], &quad[1]);
  *fours = full_add(*fours, quad[0], quad[1], &eights);
  return eights;
}

INLINE uint64_t ones_of(counted what, const uint64_t *x, const uint64_t *y,
                        const uint64_t *z, size_t words) {
  vec sum = {0};
  uint64_t tail = 0;
  size_t at = 0;
  if (words >= 8 * LANES) {
    vec ones = {0}, twos = {0}, fours = {0};
    for (; at + 8 * LANES <= words; at += 8 * LANES)
      sum += lane_sums(
          byte_counts(eight_vectors(what, x, y, z, at, &ones, &twos, &fours)));
    sum = (sum << 3) + (lane_sums(byte_counts(fours)) << 2) +
          (lane_sums(byte_counts(twos)) << 1) + lane_sums(byte_counts(ones));
  }
  for (; at + LANES <= words; at += LANES)
    sum += lane_sums(byte_counts(mix(what, x, y, z, at)));
  for (; at < words; at++)
    tail += word_count(mix_word(what, x[at], y[at], z, at));
  return sum[0] + sum[1] + sum[2] + sum[3] + tail;
}
#endif

static uint64_t and_popcount(const uint64_t *x, const uint64_t *y,
                             size_t words) {
  return ones_of(OF_AND, x, y, NULL, words);
}

/* Padding is 0 in rows, support and y: it never differs and has no support. */
INLINE int64_t hits_of(const bperc_i_rows *rows, bperc_i_rows_kind kind,
                       size_t mu, const uint64_t *y) {
  const size_t words = rows->words;
  const uint64_t *row = rows->rows + mu * words;
  if (kind == BPERC_I_ROWS_01)
    return (int64_t)ones_of(OF_AND, row, y, NULL, words);
  if (kind == BPERC_I_ROWS_PM)
    return (int64_t)(rows->bits - ones_of(OF_XOR, row, y, NULL, words));
  return (int64_t)ones_of(OF_SAME, row, y, rows->support + mu * words, words);
}

static int64_t count_hits(const bperc_i_rows *rows, size_t mu,
                          const uint64_t *y) {
  switch (rows->kind) {
  case BPERC_I_ROWS_01:
    return hits_of(rows, BPERC_I_ROWS_01, mu, y);
  case BPERC_I_ROWS_PM:
    return hits_of(rows, BPERC_I_ROWS_PM, mu, y);
  default:
    return hits_of(rows, BPERC_I_ROWS_SIGNED, mu, y);
  }
}

/* by_row: every row has a bound of its own. */
INLINE size_t violated_of(const bperc_i_rows *rows, bperc_i_rows_kind kind,
                          int by_row, const uint64_t *weights) {
  const int64_t last[2] = {rows->label_bound[0], rows->label_bound[1]};
  assert(rows->kind != BPERC_I_ROWS_SIGNED || rows->support);
  size_t errors = 0;
  for (size_t mu = 0; mu < rows->count; mu++) {
    int64_t sum = hits_of(rows, kind, mu, weights);
    int label = rows->labels[mu];
    int64_t bound = by_row ? rows->bound[mu] : last[label];
    errors += label ? sum < bound : sum > bound;
  }
  return errors;
}

INLINE size_t violated_kind(const bperc_i_rows *rows, bperc_i_rows_kind kind,
                            const uint64_t *weights) {
  return rows->bound ? violated_of(rows, kind, 1, weights)
                     : violated_of(rows, kind, 0, weights);
}

static size_t count_violated(const bperc_i_rows *rows,
                             const uint64_t *weights) {
  switch (rows->kind) {
  case BPERC_I_ROWS_01:
    return violated_kind(rows, BPERC_I_ROWS_01, weights);
  case BPERC_I_ROWS_PM:
    return violated_kind(rows, BPERC_I_ROWS_PM, weights);
  default:
    return violated_kind(rows, BPERC_I_ROWS_SIGNED, weights);
  }
}

/* ---- bit-sliced saturating counters */

/* One step of the counters whose lowest digits are at `plane`, where mask is
 * 1: up for flip = 0; with flip = all ones the digits are read complemented,
 * and up is down. */
INLINE void count_vector(uint64_t *plane, size_t stride, vec mask,
                         unsigned planes, vec flip, const vec *limit) {
  vec digit[BPERC_I_MOST_PLANES], full = mask;
  for (unsigned p = 0; p < planes; p++) {
    digit[p] = load_words(plane + p * stride) ^ flip;
    full &= digit[p] ^ limit[p]; /* limit holds the complement */
  }
  mask &= ~full;
  for (unsigned p = 0; p < planes; p++) {
    vec carry = digit[p] & mask;
    store_words(plane + p * stride, digit[p] ^ mask ^ flip);
    mask = carry;
  }
}

/* Which counters move where. */
typedef struct {
  const uint64_t *mask;
  const uint64_t *signs; /* directions; NULL: all up, or all down */
  int down;              /* without signs; with them: against them */
  int firm;              /* only where the sign of h is the direction */
} motion;

INLINE vec load_some(const uint64_t *p, size_t words) {
  return words < LANES ? load_tail(p, words) : load_words(p);
}

/* The counters of up to LANES words from `at` on. */
INLINE void move_vector(uint64_t *plane, const motion *m, size_t at,
                        size_t words, unsigned planes, size_t stride,
                        const vec *limit) {
  const vec zero = {0};
  vec mask = load_some(m->mask + at, words), flip = m->down ? ~zero : zero;
  if (m->signs)
    flip ^= ~load_some(m->signs + at, words);
  if (m->firm) /* sign 1 and up, or sign 0 and down */
    mask &= load_words(plane + (planes - 1) * stride + at) ^ flip;
  count_vector(plane + at, stride, mask, planes, flip, limit);
}

INLINE void count_planes(const bperc_i_counters *c, const motion *m,
                         unsigned planes) {
  const vec zero = {0};
  /* Copies, because stores into the planes could change *c as far as the
   * compiler knows. */
  const size_t words = c->words, stride = c->stride;
  uint64_t *plane = c->plane;
  vec limit[BPERC_I_MOST_PLANES];
  size_t at = 0;
  assert(planes >= 1 && planes <= BPERC_I_MOST_PLANES);
  assert(c->limit >> (planes - 1) == 0 && stride >= words);
  for (unsigned p = 0; p + 1 < planes; p++)
    limit[p] = c->limit >> p & 1 ? zero : ~zero;
  limit[planes - 1] = zero;
  for (; at + LANES <= words; at += LANES)
    move_vector(plane, m, at, LANES, planes, stride, limit);
  if (at < words)
    move_vector(plane, m, at, words - at, planes, stride, limit);
}

/* The plane count becomes a constant, so that the loops over planes unroll
 * and the digits stay in registers. */
INLINE void count_any(const bperc_i_counters *c, const motion *m) {
  switch (c->planes) {
  case 4:
    count_planes(c, m, 4);
    break;
  case 5:
    count_planes(c, m, 5);
    break;
  case 6:
    count_planes(c, m, 6);
    break;
  case 7:
    count_planes(c, m, 7);
    break;
  case 8:
    count_planes(c, m, 8);
    break;
  case 9:
    count_planes(c, m, 9);
    break;
  default:
    count_planes(c, m, c->planes);
  }
}

static void up(const bperc_i_counters *c, const uint64_t *mask) {
  const motion m = {mask, NULL, 0, 0};
  count_any(c, &m);
}

static void down(const bperc_i_counters *c, const uint64_t *mask) {
  const motion m = {mask, NULL, 1, 0};
  count_any(c, &m);
}

static void deepen(const bperc_i_counters *c, const uint64_t *mask) {
  const motion m = {mask, NULL, 1, 1};
  count_any(c, &m);
}

static void strengthen(const bperc_i_counters *c, const uint64_t *mask) {
  const motion m = {mask, NULL, 0, 1};
  count_any(c, &m);
}

static void toward(const bperc_i_counters *c, const uint64_t *mask,
                   const uint64_t *signs, int on) {
  const motion m = {mask, signs, !on, 0};
  count_any(c, &m);
}

static void firm(const bperc_i_counters *c, const uint64_t *mask,
                 const uint64_t *signs, int on) {
  const motion m = {mask, signs, !on, 1};
  count_any(c, &m);
}

/* ---- two-digit counters */

INLINE int is_zero(vec v) { return (v[0] | v[1] | v[2] | v[3]) == 0; }

INLINE uint64_t *wheel_at(const bperc_i_two_digit_counters *o, unsigned p,
                          size_t at) {
  return o->wheel + p * o->stride + at;
}

INLINE uint64_t *w_at(const bperc_i_two_digit_counters *o, unsigned p,
                      size_t at) {
  return o->w + p * o->stride + at;
}

/* Where w > 0. */
INLINE vec positive(const bperc_i_two_digit_counters *o, size_t at) {
  vec some = {0};
  for (unsigned p = 0; p < o->used; p++)
    some |= load_words(w_at(o, p, at));
  return some;
}

/* Moves the wheels; returns where they turned over. */
INLINE vec turn_wheel(bperc_i_two_digit_counters *o, size_t at, vec mask,
                      int down) {
  vec over = mask;
  for (unsigned p = 0; p < o->wheel_planes; p++) {
    vec digit = load_words(wheel_at(o, p, at));
    over &= !down && o->last >> p & 1 ? digit : ~digit;
  }
  mask &= ~over;
  if (down && o->hold)
    over &= positive(o, at);
  for (unsigned p = 0; p < o->wheel_planes; p++) {
    vec digit = load_words(wheel_at(o, p, at));
    vec carry = (down ? ~digit : digit) & mask;
    digit ^= mask;
    if (o->last >> p & 1)
      digit = down ? digit | over : digit & ~over;
    store_words(wheel_at(o, p, at), digit);
    mask = carry;
  }
  return over;
}

INLINE void turn_w(bperc_i_two_digit_counters *o, size_t at, vec over,
                   int down) {
  if (down)
    over &= positive(o, at);
  for (unsigned p = 0; p < o->used; p++) {
    vec digit = load_words(w_at(o, p, at));
    store_words(w_at(o, p, at), digit ^ over);
    over &= down ? ~digit : digit;
  }
  if (!down && !is_zero(over) && o->used < BPERC_I_MOST_PLANES)
    store_words(w_at(o, o->used++, at), over);
}

INLINE void turn(bperc_i_two_digit_counters *o, const uint64_t *mask,
                 int down) {
  size_t at = 0;
  assert(o->used <= BPERC_I_MOST_PLANES && o->stride >= o->words);
  assert(o->last >> o->wheel_planes == 0);
  for (; at + LANES <= o->words; at += LANES)
    turn_w(o, at, turn_wheel(o, at, load_words(mask + at), down), down);
  if (at < o->words) {
    vec tail = load_tail(mask + at, o->words - at);
    turn_w(o, at, turn_wheel(o, at, tail, down), down);
  }
}

static void turn_up(bperc_i_two_digit_counters *o, const uint64_t *mask) {
  turn(o, mask, 0);
}

static void turn_down(bperc_i_two_digit_counters *o, const uint64_t *mask) {
  turn(o, mask, 1);
}

const bperc_i_bit_kernels BPERC_I_FOR_ISA(bperc_i_bit_kernels) = {
    .and_popcount = and_popcount,
    .hits = count_hits,
    .violated = count_violated,
    .up = up,
    .down = down,
    .deepen = deepen,
    .strengthen = strengthen,
    .toward = toward,
    .firm = firm,
    .turn_up = turn_up,
    .turn_down = turn_down,
};
