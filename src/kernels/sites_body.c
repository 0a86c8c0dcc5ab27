/* Body of the kernels of sites, compiled once per instruction set: the same
 * operations lane by lane, in the same order. */
#include "kernels/sites.h"

#include <assert.h>

/* Vectors never cross a call: everything below is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

/* Vectors are as long as the registers: longer ones are split, comparisons into
 * single numbers. Numbers go by four, that is FOUR vectors. Each step of a
 * block of n <= TOGETHER vectors, n a constant, is written for all of them
 * before the next one: chains of operations that do not wait for each other. */
#ifdef __AVX2__
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
enum { FOUR = 4 / LANES, TOGETHER = 4 };
#define EACH(j, n) for (int j = 0; j < (n); j++)

typedef double dv __attribute__((vector_size(8 * LANES)));
typedef int32_t iv __attribute__((vector_size(4 * LANES)));
typedef int64_t lv __attribute__((vector_size(8 * LANES)));

#ifdef __AVX2__
INLINE dv f64_splat(double x) { return (dv){x, x, x, x}; }
#else
INLINE dv f64_splat(double x) { return (dv){x, x}; }
#endif

INLINE dv f64_load(const double *p) { return *(const dv *)p; }

INLINE void f64_store(double *p, dv x) { *(dv *)p = x; }

INLINE dv f64_select(lv where, dv yes, dv no) {
  return (dv)((where & (lv)yes) | (~where & (lv)no));
}

/* exp(y) for -700 < y <= 0, relative error below 1e-11: 2^k and a series. */
INLINE void exponentials(dv *y, int n) {
  static const double series[] = {1. / 362880, 1. / 40320, 1. / 5040, 1. / 720,
                                  1. / 120,    1. / 24,    1. / 6,    0.5,
                                  1.,          1.};
  const dv magic = f64_splat(6755399441055744.); /* 1.5 * 2^52 */
  dv shifted[TOGETHER], k[TOGETHER], e[TOGETHER];
  EACH(j, n) shifted[j] = y[j] * 1.4426950408889634 + magic;
  EACH(j, n) k[j] = shifted[j] - magic;
  EACH(j, n) y[j] = y[j] - k[j] * 0.693147180369123816490;
  EACH(j, n) y[j] = y[j] - k[j] * 1.90821492927058770002e-10;
  EACH(j, n) e[j] = f64_splat(1. / 3628800);
  EACH(i, 10) {
    EACH(j, n) e[j] = e[j] * y[j];
    EACH(j, n) e[j] = e[j] + series[i];
  }
  EACH(j, n) {
    lv scale = ((lv)shifted[j] - (lv)magic + 1023) << 52;
    y[j] = e[j] * (dv)scale;
  }
}

INLINE dv f64_bounded(dv h, double most) {
  h = f64_select(h > most, f64_splat(most), h);
  return f64_select(h < -most, f64_splat(-most), h);
}

INLINE double f64_total(const dv *x) {
  return (x[0][0] + x[0][1]) +
         (x[2 / LANES][2 % LANES] + x[3 / LANES][3 % LANES]);
}

typedef struct {
  dv mean[FOUR], slope[FOUR];
} mean_sums;

INLINE void means_block(const double *h, const double *pull, const double *f,
                        double shift, double most, int n, double *p,
                        mean_sums *sums) {
  dv x[TOGETHER], e[TOGETHER], y[TOGETHER];
  EACH(j, n)
  x[j] = f64_load(h + LANES * j) + shift * f64_load(pull + LANES * j);
  EACH(j, n) x[j] = f64_bounded(x[j], most);
  EACH(j, n) e[j] = f64_select(x[j] > 0, -x[j], x[j]);
  exponentials(e, n);
  EACH(j, n) y[j] = f64_select(x[j] > 0, f64_splat(1), e[j]) / (1 + e[j]);
  EACH(j, n) {
    dv share = f64_load(f + LANES * j) * y[j];
    f64_store(p + LANES * j, y[j]);
    sums->mean[j % FOUR] += share;
    sums->slope[j % FOUR] += share * f64_load(pull + LANES * j) * (1 - y[j]);
  }
}

static void means(const double *h, const double *pull, const double *f,
                  double shift, double most, size_t count, double *p,
                  double *sums) {
  const size_t block = LANES * TOGETHER;
  mean_sums s;
  size_t i = 0;
  assert(count % 4 == 0);
  EACH(j, FOUR) s.mean[j] = s.slope[j] = f64_splat(0);
  for (; i + block <= count; i += block)
    means_block(h + i, pull + i, f + i, shift, most, TOGETHER, p + i, &s);
  for (; i < count; i += 4)
    means_block(h + i, pull + i, f + i, shift, most, FOUR, p + i, &s);
  sums[0] = f64_total(s.mean);
  sums[1] = f64_total(s.slope);
}

static void decide_sites(double *h, const double *pull, const double *q,
                         double shift, double most, int32_t scale, size_t count,
                         const double *p, int32_t *whole, double *sums) {
  dv undecided[FOUR], variance[FOUR], lost[FOUR];
  assert(count % 4 == 0);
  EACH(j, FOUR) undecided[j] = variance[j] = lost[j] = f64_splat(0);
  for (size_t at = 0; at < count; at += 4)
    EACH(j, FOUR) {
      size_t i = at + (size_t)(LANES * j);
      dv exact = f64_load(p + i), y = exact * scale + 0.5;
      y = f64_select(y < scale, y, f64_splat(scale - 1));
      iv w = __builtin_convertvector(y, iv);
      *(iv *)(whole + i) = w;
      y = __builtin_convertvector(w, dv) * (1. / scale);
      lost[j] += f64_load(pull + i) * (exact - y);
      f64_store(h + i, f64_bounded(f64_load(h + i) + shift * f64_load(pull + i),
                                   most));
      y = exact * (1 - exact);
      undecided[j] += y;
      variance[j] += f64_load(q + i) * y;
    }
  sums[0] = f64_total(undecided);
  sums[1] = f64_total(variance);
  sums[2] = f64_total(lost);
}

const bperc_i_site_kernels BPERC_I_FOR_ISA(bperc_i_site_kernels) = {
    .means = means, .decide = decide_sites};
