/* Body of the kernels of belief propagation, compiled once per instruction set
 * with KERNEL_TABLE naming the table that it fills. Vectors of 32 bytes; where
 * the registers are shorter the compiler splits them, lane by lane the same
 * operations in the same order. */
#include "kernels/bp.h"

#include <math.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors never cross a call */
#endif

typedef float f8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));
typedef uint32_t ui8 __attribute__((vector_size(32)));
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

/* One instruction that compilers do not find in the general form. */
#ifdef __AVX__
INLINE f8 least(f8 x, f8 y) { return __builtin_ia32_minps256(x, y); }
INLINE f8 most(f8 x, f8 y) { return __builtin_ia32_maxps256(x, y); }
#else
INLINE f8 least(f8 x, f8 y) { return pick(x < y, x, y); }
INLINE f8 most(f8 x, f8 y) { return pick(x > y, x, y); }
#endif

/* A polynomial, in halves that do not wait for each other: even and odd
 * powers. The degree is a constant wherever this is used. */
INLINE f8 polynomial(const float *c, int degree, f8 x) {
  f8 square = x * x;
  int even = degree & ~1, odd = (degree - 1) | 1;
  f8 y = all(c[even]), z = all(c[odd]);
  for (int i = even - 2; i >= 0; i -= 2)
    y = y * square + c[i];
  for (int i = odd - 2; i >= 1; i -= 2)
    z = z * square + c[i];
  return y + z * x;
}

/* 2^y for |y| < 126: 2^k and a polynomial on |r| <= 1/2, relative error
 * 3.5e-6, or 1e-7 when precise. Adding 1.5 * 2^23 + 127 rounds to an integer
 * and leaves the bits of the exponent of 2^k at the low end. */
INLINE f8 power_of_two(f8 y, int precise) {
  static const float poly[2][6] = {
      {1, 0.693121045f, 0.24022349f, 0.0559219758f, 0.00966636852f, 0},
      {1.00000008f, 0.693147188f, 0.240221075f, 0.0555035711f, 0.00967603192f,
       0.00133908634f},
  };
  const f8 magic = all(12582912.f + 127.f);
  f8 shifted = y + magic, r = y - (shifted - magic);
  f8 e = polynomial(poly[precise], 4 + precise, r);
  return e * (f8)((i8)shifted << 23);
}

/* 1 / (1 + exp(-h)) */
INLINE f8 sigmoid(f8 h) {
  f8 y = most(all(-115), least(all(115), h * -1.44269504f));
  return 1.f / (1.f + power_of_two(y, 0));
}

/* Lane masks of bits 8j to 8j + 7. */
INLINE i8 lanes(uint32_t bits, int j) {
  const i8 bit = (i8){1, 2, 4, 8, 16, 32, 64, 128} << 8 * j;
  i8 x = {(int)bits, (int)bits, (int)bits, (int)bits,
          (int)bits, (int)bits, (int)bits, (int)bits};
  return (x & bit) == bit;
}

/* Bits k to k + 31 of a mask, k a multiple of 32. */
INLINE uint32_t half_word(const uint64_t *mask, size_t k) {
  return (uint32_t)(mask[k / 64] >> k % 64);
}

INLINE f8 keep(i8 where, f8 x) { return (f8)(where & (i8)x); }

/* The lanes first to first + 3 in double precision. */
INLINE d4 wide(f8 x, int first) {
  return (d4){(double)x[first], (double)x[first + 1], (double)x[first + 2],
              (double)x[first + 3]};
}

INLINE double total(f8 x) {
  d4 sum = wide(x, 0) + wide(x, 4);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* u such that g - u is within the bound. */
INLINE f8 bounded(f8 g, f8 u, float bound) {
  f8 h = g - u, cut = most(all(-bound), least(all(bound), h));
  return pick(h == cut, u, g - cut);
}

/* Single precision sums are emptied into double ones after so many numbers. */
enum { CHUNK = 512 };

/* Eight edges: u within the bound if there is one (cut), and p. */
INLINE f8 read_eight(f8 field, float *u, int cut, float bound) {
  f8 edge = load(u);
  if (cut) {
    edge = bounded(field, edge, bound);
    store(u, edge);
  }
  return sigmoid(field - edge);
}

INLINE f8 gathered(const float *g, const uint32_t *list) {
  return (f8){g[list[0]], g[list[1]], g[list[2]], g[list[3]],
              g[list[4]], g[list[5]], g[list[6]], g[list[7]]};
}

INLINE bperc_i_row_sums list_sums(const float *g, const uint32_t *list,
                                  float *u, size_t padded, int cut, float bound,
                                  float *p) {
  bperc_i_row_sums row = {0, 0};
  for (size_t from = 0; from < padded; from += CHUNK) {
    size_t end = from + CHUNK < padded ? from + CHUNK : padded;
    f8 a = all(0), square = all(0);
    for (size_t k = from; k < end; k += 8) {
      f8 x = read_eight(gathered(g, list + k), u + k, cut, bound);
      store(p + k, x);
      a += x;
      square += x * x;
    }
    row.a += total(a);
    row.v -= total(square);
  }
  row.v += row.a;
  return row;
}

INLINE bperc_i_row_sums mask_sums(const float *g, const uint64_t *mask,
                                  float *u, size_t width, int cut, float bound,
                                  float *p) {
  bperc_i_row_sums row = {0, 0};
  for (size_t from = 0; from < width; from += CHUNK) {
    size_t end = from + CHUNK < width ? from + CHUNK : width;
    f8 a = all(0), square = all(0);
    for (size_t k = from; k < end; k += 32) {
      uint32_t bits = half_word(mask, k);
      f8 x[4];
      for (int j = 0; j < 4; j++)
        x[j] = read_eight(load(g + k + 8 * j), u + k + 8 * j, cut, bound);
      for (int j = 0; j < 4; j++) {
        x[j] = keep(lanes(bits, j), x[j]);
        store(p + k + 8 * j, x[j]);
        a += x[j];
        square += x[j] * x[j];
      }
    }
    row.a += total(a);
    row.v -= total(square);
  }
  row.v += row.a;
  return row;
}

static bperc_i_row_sums read_list(const float *g, const uint32_t *list,
                                  float *u, size_t degree, float bound,
                                  float *p) {
  size_t padded = (degree + 7) / 8 * 8;
  bperc_i_row_sums row = bound > 0 ? list_sums(g, list, u, padded, 1, bound, p)
                                   : list_sums(g, list, u, padded, 0, 0, p);
  if (!(bound > 0))
    return row;
  for (size_t k = degree; k < padded; k++) { /* the bound lifts the padding */
    row.a -= (double)p[k];
    row.v -= (double)(p[k] - p[k] * p[k]);
    p[k] = 0;
  }
  return row;
}

static bperc_i_row_sums read_mask(const float *g, const uint64_t *mask,
                                  float *u, size_t width, float bound,
                                  float *p) {
  return bound > 0 ? mask_sums(g, mask, u, width, 1, bound, p)
                   : mask_sums(g, mask, u, width, 0, 0, p);
}

INLINE f8 evaluate(const bperc_i_poly *poly, int degree, f8 p) {
  return polynomial(poly->c, degree, p - 0.5f);
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
                       float *u, size_t width, float f, float *sums) {
  for (size_t k = 0; k < width; k += 8) {
    f8 x = load(p + k);
    update_mask(evaluate(poly, degree, x), x > 0.f, u + k, f, sums + k);
  }
}

static void write_mask(const bperc_i_poly *poly, const float *p, float *u,
                       size_t width, float f, float *sums) {
  if (poly->degree <= 3)
    mask_write(poly, 3, p, u, width, f, sums);
  else if (poly->degree <= 5)
    mask_write(poly, 5, p, u, width, f, sums);
  else
    mask_write(poly, 7, p, u, width, f, sums);
}

static void apply_mask(const float *h_hat, const uint64_t *mask, float *u,
                       size_t width, float f, float *sums) {
  for (size_t k = 0; k < width; k += 8) {
    i8 where = lanes(half_word(mask, k / 32 * 32) >> k % 32, 0);
    update_mask(load(h_hat + k), where, u + k, f, sums + k);
  }
}

static void doubt(const float *g, size_t count, float *pq) {
  for (size_t k = 0; k < count; k += 8) {
    f8 p = sigmoid(load(g + k));
    store(pq + k, p - p * p);
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

INLINE d4 loadd(const double *p) {
  d4 x;
  memcpy(&x, p, sizeof x);
  return x;
}

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

/* ---- the polynomial of a factor, single precision */

/* log x: as logarithm, shorter series. */
INLINE f8 short_logarithm(f8 x) {
  static const float series[] = {1, 1.f / 3, 1.f / 5, 1.f / 7, 1.f / 9};
  const i8 half = (i8)all(0.70710678f), exponent = ~(i8)all(0) << 23;
  i8 shift = ((i8)x - half) & exponent;
  f8 m = (f8)((i8)x - shift), s = (m - 1.f) / (m + 1.f), z = s * s;
  f8 k = (f8)((shift >> 23) + (i8)all(12582912.f)) - 12582912.f;
  return k * 0.69314718f + 2.f * s * polynomial(series, 4, z);
}

/* Three Newton steps reach single precision. */
INLINE f8 short_inverse_root(f8 x) {
  f8 y = (f8)(0x5f375a86 - (i8)((ui8)x >> 1)), half = 0.5f * x;
  for (int k = 0; k < 3; k++)
    y = y * (1.5f - half * y * y);
  return y;
}

/* As mills, of degree 9: relative error 9e-8. */
INLINE f8 short_mills(f8 x) {
  static const float poly[] = {
      0.473304764f,    0.380942699f,    0.242602488f,    0.116886699f,
      0.0378471501f,   0.00471324794f,  -0.00217838309f, -0.000987456178f,
      8.10519031e-05f, 0.000101904663f,
  };
  f8 t = 4.f / (4.f + x);
  return t * polynomial(poly, 9, 2.f * t - 1.f);
}

/* H(x) exp(x^2/2) for x > 0, H(x) otherwise. */
INLINE f8 short_tail(f8 x) {
  f8 square = least(all(160), x * x),
     m = 0.39894228f * short_mills(most(x, -x));
  f8 small = power_of_two(square * (0.5f * -1.44269504f), 1) * m;
  return pick(x > 0.f, m, 1.f - small);
}

/* h_hat at the nodes. */
INLINE f8 short_gaussian(float s, float behind, float v, f8 p) {
  f8 inverse = short_inverse_root(most(v - p * (1.f - p), all(1e-12f)));
  f8 x0 = (behind + s * p) * inverse, x1 = (behind + s * (p - 1.f)) * inverse;
  f8 gap = 0.5f * s * inverse * (x0 + x1); /* (x0^2 - x1^2) / 2 */
  f8 only0 = keep(x0 > 0.f, 0.5f * x0 * x0);
  f8 only1 = keep(x1 > 0.f, 0.5f * x1 * x1);
  f8 h = pick((x0 > 0.f) & (x1 > 0.f), gap, only0 - only1) +
         short_logarithm(short_tail(x1) / short_tail(x0));
  return most(all(-50), least(all(50), h));
}

/* The polynomial of a Chebyshev series, its negligible terms left out. */
INLINE double set_powers(d4 low, d4 high, bperc_i_poly *poly) {
  const double c[BPERC_I_NODES] = {low[0],  low[1],  low[2],  low[3],
                                   high[0], high[1], high[2], high[3]};
  d4 power[2] = {alld(0), alld(0)};
  int degree = BPERC_I_NODES - 1;
  while (degree > 3 &&
         fabs(c[degree]) + fabs(c[degree - 1]) < BPERC_I_NEGLIGIBLE)
    degree -= 2;
  for (int k = 0; k <= degree; k++) {
    power[0] += c[k] * loadd(&bperc_i_bp_chebyshev.power[k][0]);
    power[1] += c[k] * loadd(&bperc_i_bp_chebyshev.power[k][4]);
  }
  for (int i = 0; i < BPERC_I_NODES; i++)
    poly->c[i] = (float)power[i / 4][i % 4];
  poly->degree = degree;
  return fabs(c[BPERC_I_NODES - 1]);
}

static double fit_values(const double *values, bperc_i_poly *poly) {
  d4 low = alld(0), high = alld(0);
  for (int j = 0; j < BPERC_I_NODES; j++) {
    low += values[j] * loadd(&bperc_i_bp_chebyshev.cosine[j][0]);
    high += values[j] * loadd(&bperc_i_bp_chebyshev.cosine[j][4]);
  }
  return set_powers(low, high, poly);
}

static double fit_gaussian(double s, double edge, bperc_i_row_sums row,
                           bperc_i_poly *poly) {
  const double *node = bperc_i_bp_chebyshev.node;
  double values[BPERC_I_NODES];
  f8 p, h;
  for (int j = 0; j < BPERC_I_NODES; j++)
    p[j] = (float)node[j];
  h = short_gaussian((float)s, (float)(s * (edge - row.a)), (float)row.v, p);
  for (int j = 0; j < BPERC_I_NODES; j++)
    values[j] = (double)h[j];
  return fit_values(values, poly);
}

const bperc_i_bp_kernels KERNEL_TABLE = {
    .read_list = read_list,
    .read_mask = read_mask,
    .write_list = write_list,
    .write_mask = write_mask,
    .apply_list = apply_list,
    .apply_mask = apply_mask,
    .doubt = doubt,
    .sum = sum,
    .gaussian = gaussian,
    .fit_values = fit_values,
    .fit_gaussian = fit_gaussian,
};
