/* Body of the kernels of sites, compiled once per instruction set: the same
 * operations lane by lane, in the same order. */
#include "kernels/sites.h"

#include <assert.h>

/* Vectors never cross a call: everything below is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

typedef double d4 __attribute__((vector_size(32)));
typedef int64_t l4 __attribute__((vector_size(32)));
typedef int32_t i4 __attribute__((vector_size(16)));

INLINE d4 all(double x) { return (d4){x, x, x, x}; }

INLINE d4 load(const double *p) { return *(const d4 *)p; }

INLINE d4 pick(l4 where, d4 yes, d4 no) {
  return (d4)((where & (l4)yes) | (~where & (l4)no));
}

/* exp(y) for -700 < y <= 0, relative error below 1e-11: 2^k and a series. */
INLINE d4 exponential(d4 y) {
  const d4 magic = all(6755399441055744.); /* 1.5 * 2^52 */
  d4 shifted = y * 1.4426950408889634 + magic, k = shifted - magic;
  d4 r = (y - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  d4 e = all(1. / 3628800);
  l4 scale = ((l4)shifted - (l4)magic + 1023) << 52;
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

INLINE d4 bounded(d4 h, double most) {
  h = pick(h > most, all(most), h);
  return pick(h < -most, all(-most), h);
}

INLINE double total(d4 x) { return (x[0] + x[1]) + (x[2] + x[3]); }

static void means(const double *h, const double *pull, const double *f,
                  double shift, double most, size_t count, double *p,
                  double *sums) {
  d4 mean = all(0), slope = all(0);
  assert(count % 4 == 0);
  for (size_t i = 0; i < count; i += 4) {
    d4 by = load(pull + i), x = bounded(load(h + i) + shift * by, most);
    d4 e = exponential(pick(x > 0, -x, x));
    d4 y = pick(x > 0, all(1), e) / (1 + e), share = load(f + i) * y;
    *(d4 *)(p + i) = y;
    mean += share;
    slope += share * by * (1 - y);
  }
  sums[0] = total(mean);
  sums[1] = total(slope);
}

static void decide(double *h, const double *pull, const double *q, double shift,
                   double most, int32_t scale, size_t count, double *p,
                   int32_t *whole, double *sums) {
  d4 undecided = all(0), variance = all(0);
  assert(count % 4 == 0);
  for (size_t i = 0; i < count; i += 4) {
    d4 y = load(p + i) * scale + 0.5;
    y = pick(y < scale, y, all(scale - 1));
    i4 w = __builtin_convertvector(y, i4);
    *(i4 *)(whole + i) = w;
    y = __builtin_convertvector(w, d4) * (1. / scale);
    *(d4 *)(h + i) = bounded(load(h + i) + shift * load(pull + i), most);
    *(d4 *)(p + i) = y;
    y = y * (1 - y);
    undecided += y;
    variance += load(q + i) * y;
  }
  sums[0] = total(undecided);
  sums[1] = total(variance);
}

const bperc_i_site_kernels BPERC_I_FOR_ISA(bperc_i_site_kernels) = {
    .means = means, .decide = decide};
