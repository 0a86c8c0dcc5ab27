/* Body of the kernels of belief propagation, compiled once per instruction set
 * with KERNEL_TABLE naming the table that it fills. Vectors of 32 bytes; where
 * the registers are shorter the compiler splits them, lane by lane the same
 * operations in the same order. */
#include "kernels/bp.h"

#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors never cross a call */
#endif

typedef float f8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));
typedef double d4 __attribute__((vector_size(32)));
typedef int64_t l4 __attribute__((vector_size(32)));
typedef uint64_t ul4 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

/* ---- single precision */

INLINE f8 load(const float *p) {
  f8 x;
  memcpy(&x, p, sizeof x);
  return x;
}

INLINE void store(float *p, f8 x) { memcpy(p, &x, sizeof x); }

INLINE f8 all(float x) { return (f8){x, x, x, x, x, x, x, x}; }

INLINE f8 pick(i8 where, f8 yes, f8 no) {
  return (f8)((where & (i8)yes) | (~where & (i8)no));
}

INLINE f8 least(f8 x, f8 y) { return pick(x < y, x, y); }
INLINE f8 most(f8 x, f8 y) { return pick(x > y, x, y); }

/* 1 / (1 + exp(-h)): exp by 2^k and a polynomial of degree 6 on
 * |r| <= log(2)/2. Adding 1.5 * 2^23 + 127 rounds to an integer and leaves the
 * bits of the exponent of 2^k at the low end. */
INLINE f8 sigmoid(f8 h) {
  const f8 magic = all(12582912.f + 127.f);
  f8 y = most(all(-80), least(all(80), h));
  f8 shifted = y * -1.44269504f + magic, k = shifted - magic;
  f8 r = -y - k * 0.693147181f, e = all(1.f / 720);
  e = e * r + 1.f / 120;
  e = e * r + 1.f / 24;
  e = e * r + 1.f / 6;
  e = e * r + 0.5f;
  e = e * r + 1.f;
  e = e * r + 1.f;
  return 1.f / (1.f + e * (f8)((i8)shifted << 23));
}

/* Lane masks of eight bits. */
INLINE i8 lanes(uint32_t bits) {
  const i8 bit = {1, 2, 4, 8, 16, 32, 64, 128};
  i8 x = {(int)bits, (int)bits, (int)bits, (int)bits,
          (int)bits, (int)bits, (int)bits, (int)bits};
  return (x & bit) == bit;
}

INLINE f8 keep(i8 where, f8 x) { return (f8)(where & (i8)x); }

INLINE double total(f8 x) {
  double sum = 0;
  for (int k = 0; k < 8; k++)
    sum += (double)x[k];
  return sum;
}

/* u such that g - u is within the bound. */
INLINE f8 bounded(f8 g, f8 u, float bound) {
  f8 h = g - u, cut = most(all(-bound), least(all(bound), h));
  return pick(h == cut, u, g - cut);
}

/* Single precision sums are emptied into double ones after so many numbers. */
enum { CHUNK = 512 };

INLINE bperc_i_row_sums list_sums(const float *g, const uint32_t *list,
                                  float *u, size_t padded, int cut, float bound,
                                  float *p) {
  bperc_i_row_sums row = {0, 0};
  for (size_t k = 0; k < padded; k++)
    p[k] = g[list[k]];
  for (size_t from = 0; from < padded; from += CHUNK) {
    size_t end = from + CHUNK < padded ? from + CHUNK : padded;
    f8 a = all(0), v = all(0);
    for (size_t k = from; k < end; k += 8) {
      f8 field = load(p + k), edge = load(u + k), x;
      if (cut) {
        edge = bounded(field, edge, bound);
        store(u + k, edge);
      }
      x = sigmoid(field - edge);
      store(p + k, x);
      a += x;
      v += x - x * x;
    }
    row.a += total(a);
    row.v += total(v);
  }
  return row;
}

INLINE bperc_i_row_sums mask_sums(const float *g, const uint64_t *mask,
                                  float *u, size_t stride, int cut, float bound,
                                  float *p) {
  bperc_i_row_sums row = {0, 0};
  for (size_t from = 0; from < stride; from += CHUNK) {
    size_t end = from + CHUNK < stride ? from + CHUNK : stride;
    f8 a = all(0), v = all(0);
    for (size_t word = from; word < end; word += 64) {
      uint64_t bits = mask[word / 64];
      for (size_t k = word; k < word + 64; k += 8, bits >>= 8) {
        f8 field = load(g + k), edge = load(u + k), x;
        if (cut) {
          edge = bounded(field, edge, bound);
          store(u + k, edge);
        }
        x = keep(lanes(bits & 255), sigmoid(field - edge));
        store(p + k, x);
        a += x;
        v += x - x * x;
      }
    }
    row.a += total(a);
    row.v += total(v);
  }
  return row;
}

static bperc_i_row_sums read_list(const float *g, const uint32_t *list,
                                  float *u, size_t degree, float bound,
                                  float *p) {
  size_t padded = (degree + 7) / 8 * 8;
  bperc_i_row_sums row = bound > 0 ? list_sums(g, list, u, padded, 1, bound, p)
                                   : list_sums(g, list, u, padded, 0, 0, p);
  for (size_t k = degree; k < padded; k++) { /* a bound lifts the padding */
    row.a -= (double)p[k];
    row.v -= (double)(p[k] - p[k] * p[k]);
    p[k] = 0;
  }
  return row;
}

static bperc_i_row_sums read_mask(const float *g, const uint64_t *mask,
                                  float *u, size_t stride, float bound,
                                  float *p) {
  return bound > 0 ? mask_sums(g, mask, u, stride, 1, bound, p)
                   : mask_sums(g, mask, u, stride, 0, 0, p);
}

/* The degree is a constant wherever this is used. */
INLINE f8 evaluate(const bperc_i_poly *poly, int degree, f8 p) {
  f8 s = p * poly->scale - 1.f, y = all(poly->c[degree]);
  for (int i = degree - 1; i >= 0; i--)
    y = y * s + poly->c[i];
  return y;
}

/* Eight edges of a list: damped update of u, and h_hat into the sums. */
INLINE void update_list(f8 h_hat, const uint32_t *list, float *u, float f,
                        float *sums) {
  f8 edge = load(u);
  float out[8];
  store(u, edge + f * (h_hat - edge));
  store(out, h_hat);
  for (size_t j = 0; j < 8; j++)
    sums[list[j]] += out[j];
}

/* Eight columns of a mask row. */
INLINE void update_mask(f8 h_hat, i8 where, float *u, float f, float *sums) {
  f8 edge = load(u);
  store(u, edge + f * (h_hat - edge));
  store(sums, load(sums) + keep(where, h_hat));
}

INLINE void list_write(const bperc_i_poly *poly, int degree, const float *p,
                       const uint32_t *list, float *u, size_t padded, float f,
                       float *sums) {
  for (size_t k = 0; k < padded; k += 8)
    update_list(evaluate(poly, degree, load(p + k)), list + k, u + k, f, sums);
}

static void write_list(const bperc_i_poly *poly, const float *p,
                       const uint32_t *list, float *u, size_t padded, float f,
                       float *sums) {
  if (poly->degree <= 3)
    list_write(poly, 3, p, list, u, padded, f, sums);
  else if (poly->degree <= 5)
    list_write(poly, 5, p, list, u, padded, f, sums);
  else
    list_write(poly, 7, p, list, u, padded, f, sums);
}

static void apply_list(const float *h_hat, const uint32_t *list, float *u,
                       size_t padded, float f, float *sums) {
  for (size_t k = 0; k < padded; k += 8)
    update_list(load(h_hat + k), list + k, u + k, f, sums);
}

/* An edge has p > 0, the other columns p = 0: no need to look at the mask. */
INLINE void mask_write(const bperc_i_poly *poly, int degree, const float *p,
                       float *u, size_t stride, float f, float *sums) {
  for (size_t k = 0; k < stride; k += 8) {
    f8 x = load(p + k);
    update_mask(evaluate(poly, degree, x), x > 0.f, u + k, f, sums + k);
  }
}

static void write_mask(const bperc_i_poly *poly, const float *p, float *u,
                       size_t stride, float f, float *sums) {
  if (poly->degree <= 3)
    mask_write(poly, 3, p, u, stride, f, sums);
  else if (poly->degree <= 5)
    mask_write(poly, 5, p, u, stride, f, sums);
  else
    mask_write(poly, 7, p, u, stride, f, sums);
}

static void apply_mask(const float *h_hat, const uint64_t *mask, float *u,
                       size_t stride, float f, float *sums) {
  for (size_t word = 0; word < stride; word += 64) {
    uint64_t bits = mask[word / 64];
    for (size_t k = word; k < word + 64; k += 8, bits >>= 8)
      update_mask(load(h_hat + k), lanes(bits & 255), u + k, f, sums + k);
  }
}

static double sum(const bperc_i_poly *poly, const float *p, size_t count) {
  double result = 0;
  for (size_t from = 0; from < count; from += CHUNK) {
    size_t end = from + CHUNK < count ? from + CHUNK : count;
    f8 part = all(0);
    for (size_t k = from; k < end; k += 8)
      part += evaluate(poly, BPERC_I_NODES - 1, load(p + k));
    result += total(part);
  }
  return result;
}

/* ---- double precision: log H(a)/H(b) */

INLINE d4 alld(double x) { return (d4){x, x, x, x}; }

INLINE d4 pickd(l4 where, d4 yes, d4 no) {
  return (d4)((where & (l4)yes) | (~where & (l4)no));
}

INLINE d4 mostd(d4 x, d4 y) { return pickd(x > y, x, y); }

/* exp(y) for -700 < y <= 0. */
INLINE d4 exponential(d4 y) {
  const d4 magic = alld(6755399441055744.); /* 1.5 * 2^52 */
  d4 shifted = y * 1.4426950408889634 + magic, k = shifted - magic;
  d4 r = (y - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  d4 e = alld(1. / 39916800);
  l4 scale = ((l4)shifted - (l4)magic + 1023) << 52;
  e = e * r + 1. / 3628800;
  e = e * r + 1. / 362880;
  e = e * r + 1. / 40320;
  e = e * r + 1. / 5040;
  e = e * r + 1. / 720;
  e = e * r + 1. / 120;
  e = e * r + 1. / 24;
  e = e * r + 1. / 6;
  e = e * r + 0.5;
  e = e * r + 1.;
  e = e * r + 1.;
  return e * (d4)scale;
}

/* log x for normal x > 0: exponent, and the series of atanh. */
INLINE d4 logarithm(d4 x) {
  const l4 half = (l4)alld(0.70710678118654752);
  const l4 exponent = ~(l4)alld(0) << 52;
  l4 shift = ((l4)x - half) & exponent;
  d4 m = (d4)((l4)x - shift), s = (m - 1.) / (m + 1.), z = s * s;
  /* the exponent as a number: bits of 1.5 * 2^52 plus k, minus that */
  d4 k = (d4)((shift >> 52) + (l4)alld(6755399441055744.)) - 6755399441055744.;
  d4 y = alld(1. / 17);
  y = y * z + 1. / 15;
  y = y * z + 1. / 13;
  y = y * z + 1. / 11;
  y = y * z + 1. / 9;
  y = y * z + 1. / 7;
  y = y * z + 1. / 5;
  y = y * z + 1. / 3;
  y = y * z + 1.;
  return k * 0.69314718055994531 + 2. * s * y;
}

/* 1/sqrt(x): a first guess from the exponent, four Newton steps. */
INLINE d4 inverse_root(d4 x) {
  l4 guess = 0x5fe6eb50c7b537a9 - (l4)((ul4)x >> 1);
  d4 y = (d4)guess, half = 0.5 * x;
  for (int k = 0; k < 4; k++)
    y = y * (1.5 - half * y * y);
  return y;
}

/* Mills ratio H(x)/G(x), x >= 0: t P(2t - 1) with t = 4/(4 + x). P is the
 * Chebyshev interpolant of degree 13 on 0 <= t <= 1, relative error 1.2e-10
 * (tests/unit/kernels/test_bp_kernels.c measures it). */
INLINE d4 mills(d4 x) {
  static const double poly[] = {
      0.47330476581834674,     0.38094272765995546,     0.24260238958349975,
      0.11688524517143614,     0.037847926161089999,    0.0047250413174157527,
      -0.0021804805093538246,  -0.0010215276921980146,  8.3258017675470701e-05,
      0.0001435305885249716,   -6.4324453459254795e-07, -2.0025255808015299e-05,
      -1.4716484971913753e-07, 2.0769066246093774e-06,
  };
  d4 t = 4. / (4. + x), y = 2. * t - 1., m = alld(poly[13]);
  for (int i = 12; i >= 0; i--)
    m = m * y + poly[i];
  return t * m;
}

/* H(x) = exp(-power) * mantissa, the mantissa a normal number. */
INLINE d4 tail(d4 x, d4 *power) {
  const double norm = 0.39894228040143267794; /* 1/sqrt(2 pi) */
  l4 right = x > 0.;
  d4 size = pickd(right, x, -x), square = 0.5 * x * x;
  d4 m = norm * mills(size);
  d4 small = exponential(-pickd(square < 690., square, alld(690))) * m;
  *power = pickd(right, square, alld(0));
  return pickd(right, m, 1. - small);
}

INLINE void gaussian4(double s, double edge, bperc_i_row_sums row,
                      const double *p, double *h_hat, double *log_z) {
  d4 x, v, inverse, m0, m1, k0, k1, h;
  memcpy(&x, p, sizeof x);
  v = mostd(row.v - x * (1. - x), alld(1e-12));
  inverse = inverse_root(v);
  d4 x0 = s * (edge - row.a + x) * inverse;
  m0 = tail(x0, &k0);
  m1 = tail(x0 - s * inverse, &k1);
  h = (k0 - k1) + logarithm(m1 / m0);
  h = pickd(h > 50., alld(50), pickd(h < -50., alld(-50), h));
  memcpy(h_hat, &h, sizeof h);
  if (log_z) {
    d4 y = 1. - x, e = exponential(-pickd(h < 0., -h, alld(0)));
    d4 back = exponential(-pickd(h > 0., h, alld(0)));
    /* log(1-p + p e^h), with e^h kept at or below one */
    y = pickd(h > 0., h + logarithm(y * back + x), logarithm(y + x * e));
    memcpy(log_z, &y, sizeof y);
  }
}

static void gaussian(double s, double edge, bperc_i_row_sums row,
                     const double *p, size_t count, double *h_hat,
                     double *log_z) {
  for (size_t k = 0; k < count; k += 4)
    gaussian4(s, edge, row, p + k, h_hat + k, log_z ? log_z + k : NULL);
}

const bperc_i_bp_kernels KERNEL_TABLE = {
    .read_list = read_list,
    .read_mask = read_mask,
    .write_list = write_list,
    .write_mask = write_mask,
    .apply_list = apply_list,
    .apply_mask = apply_mask,
    .sum = sum,
    .gaussian = gaussian,
};
