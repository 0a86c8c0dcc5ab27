/* Body of the kernels of belief propagation, compiled once per instruction set.
 * Vectors are as long as the registers; lane by lane the same operations in the
 * same order, and sums by eight numbers whatever the vectors. */
#include "kernels/bp_kernels.h"

#include <math.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors never cross a call */
#endif

#define INLINE static inline __attribute__((always_inline))

#include "kernels/vector.h"

/* ---- single precision */

/* A polynomial, in halves that do not wait for each other: even and odd
 * powers. The degree is a constant, too. */
INLINE void polynomials(const float *c, int degree, fv *x, int n) {
  fv square[TOGETHER], y[TOGETHER], z[TOGETHER];
  int even = degree & ~1, odd = (degree - 1) | 1;
  EACH(j, n) square[j] = x[j] * x[j];
  EACH(j, n) y[j] = f32_splat(c[even]);
  EACH(j, n) z[j] = f32_splat(c[odd]);
  for (int i = even - 2; i >= 0; i -= 2) {
    EACH(j, n) y[j] = y[j] * square[j];
    EACH(j, n) y[j] = y[j] + c[i];
  }
  for (int i = odd - 2; i >= 1; i -= 2) {
    EACH(j, n) z[j] = z[j] * square[j];
    EACH(j, n) z[j] = z[j] + c[i];
  }
  EACH(j, n) z[j] = z[j] * x[j];
  EACH(j, n) x[j] = y[j] + z[j];
}

INLINE fv f32_polynomial(const float *c, int degree, fv x) {
  polynomials(c, degree, &x, 1);
  return x;
}

/* 2^y for |y| < 126: 2^k and a polynomial on |r| <= 1/2, relative error
 * 3.5e-6, or 1e-7 when precise. Adding 1.5 * 2^23 + 127 rounds to an integer
 * and leaves the bits of the exponent of 2^k at the low end. */
INLINE void powers_of_two(fv *y, int n, int precise) {
  static const float poly[2][6] = {
      {1, 0.693121045f, 0.24022349f, 0.0559219758f, 0.00966636852f, 0},
      {1.00000008f, 0.693147188f, 0.240221075f, 0.0555035711f, 0.00967603192f,
       0.00133908634f},
  };
  const fv magic = f32_splat(12582912.f + 127.f);
  fv shifted[TOGETHER];
  EACH(j, n) shifted[j] = y[j] + magic;
  EACH(j, n) y[j] = y[j] - (shifted[j] - magic);
  polynomials(poly[precise], 4 + precise, y, n);
  EACH(j, n) y[j] = y[j] * (fv)((iv)shifted[j] << 23);
}

INLINE fv power_of_two(fv y, int precise) {
  powers_of_two(&y, 1, precise);
  return y;
}

/* 1 / (1 + exp(-h)) */
INLINE void sigmoids(fv *h, int n) {
  EACH(j, n) h[j] = h[j] * -1.44269504f;
  EACH(j, n) h[j] = f32_max(f32_splat(-115), f32_min(f32_splat(115), h[j]));
  powers_of_two(h, n, 0);
  EACH(j, n) h[j] = 1.f + h[j];
  EACH(j, n) h[j] = 1.f / h[j];
}

/* Bits k to k + 31 of a mask, k a multiple of 32. */
INLINE uint32_t half_word(const uint64_t *mask, size_t k) {
  return (uint32_t)(mask[k / 64] >> k % 64);
}

/* u such that g - u is within the bound. */
INLINE fv f32_bounded(fv g, fv u, float bound) {
  fv h = g - u, cut = f32_max(f32_splat(-bound), f32_min(f32_splat(bound), h));
  return f32_select(h == cut, u, g - cut);
}

#include "kernels/bp_pack_body.h"

/* Single precision sums are emptied into double ones after so many numbers. */
enum { CHUNK = 512 };

/* Blocks of fields become p; u within the bound if there is one (cut). */
INLINE void read_field_block(fv *field, float *u, int n, int cut, float bound) {
  EACH(j, n) {
    fv edge = f32_load(u + LANES * j);
    if (cut) {
      edge = f32_bounded(field[j], edge, bound);
      f32_store(u + LANES * j, edge);
    }
    field[j] -= edge;
  }
  sigmoids(field, n);
}

/* p of a block, and what it adds to the sums of p and of its square. */
INLINE void keep_block(const fv *x, int n, float *p, fv *a, fv *square) {
  fv y[TOGETHER];
  EACH(j, n) f32_store(p + LANES * j, x[j]);
  EACH(j, n) y[j] = x[j] * x[j];
  EACH(j, n) a[j % EIGHT] += x[j];
  EACH(j, n) square[j % EIGHT] += y[j];
}

/* Edges one after another, from a block of fields in p or, if there is a list,
 * in g. */
INLINE void edge_block(const float *g, const uint32_t *list, float *u, int n,
                       int cut, float bound, float *p, fv *a, fv *square) {
  fv x[TOGETHER];
  EACH(j, n)
  x[j] = list ? gathered(g, list + LANES * j) : f32_load(p + LANES * j);
  read_field_block(x, u, n, cut, bound);
  keep_block(x, n, p, a, square);
}

INLINE bperc_i_row_sums edge_sums(const float *g, const uint32_t *list,
                                  float *u, size_t padded, int cut, float bound,
                                  float *p) {
  const size_t block = LANES * TOGETHER;
  bperc_i_row_sums row = {0, 0};
  for (size_t from = 0; from < padded; from += CHUNK) {
    size_t end = from + CHUNK < padded ? from + CHUNK : padded, k = from;
    fv a[EIGHT] = {f32_splat(0)}, square[EIGHT] = {f32_splat(0)};
    for (; k + block <= end; k += block)
      edge_block(g, list ? list + k : NULL, u + k, TOGETHER, cut, bound, p + k,
                 a, square);
    for (; k < end; k += 8)
      edge_block(g, list ? list + k : NULL, u + k, EIGHT, cut, bound, p + k, a,
                 square);
    row.a += f32_total(a);
    row.v -= f32_total(square);
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
    fv a[EIGHT] = {f32_splat(0)}, square[EIGHT] = {f32_splat(0)};
    for (size_t k = from; k < end; k += LANES * TOGETHER) {
      uint32_t bits = half_word(mask, k / 32 * 32) >> k % 32;
      fv x[TOGETHER];
      EACH(j, TOGETHER) x[j] = f32_load(g + k + LANES * j);
      read_field_block(x, u + k, TOGETHER, cut, bound);
      EACH(j, TOGETHER) x[j] = f32_keep(f32_lanes(bits, j), x[j]);
      keep_block(x, TOGETHER, p + k, a, square);
    }
    row.a += f32_total(a);
    row.v -= f32_total(square);
  }
  row.v += row.a;
  return row;
}

INLINE bperc_i_row_sums read_edges(const float *g, const uint32_t *list,
                                   float *u, size_t degree, float bound,
                                   float *p) {
  size_t padded = (degree + 7) / 8 * 8;
  bperc_i_row_sums row = bound > 0 ? edge_sums(g, list, u, padded, 1, bound, p)
                                   : edge_sums(g, list, u, padded, 0, 0, p);
  if (!(bound > 0))
    return row;
  for (size_t k = degree; k < padded; k++) { /* the bound lifts the padding */
    row.a -= (double)p[k];
    row.v -= (double)(p[k] - p[k] * p[k]);
    p[k] = 0;
  }
  return row;
}

static bperc_i_row_sums read_list(const float *g, const uint32_t *list,
                                  float *u, size_t degree, float bound,
                                  float *p) {
  return read_edges(g, list, u, degree, bound, p);
}

static bperc_i_row_sums read_packed_row(const float *g, const uint64_t *mask,
                                        float *u, size_t width, size_t degree,
                                        float bound, float *p) {
  pack_masked_row(g, mask, width, p);
  for (size_t k = degree; k % 8; k++)
    p[k] = BPERC_I_NO_EDGE;
  return read_edges(NULL, NULL, u, degree, bound, p);
}

static bperc_i_row_sums read_mask(const float *g, const uint64_t *mask,
                                  float *u, size_t width, float bound,
                                  float *p) {
  return bound > 0 ? mask_sums(g, mask, u, width, 1, bound, p)
                   : mask_sums(g, mask, u, width, 0, 0, p);
}

INLINE fv f32_evaluate(const bperc_i_poly *poly, int degree, fv p) {
  return f32_polynomial(poly->c, degree, p - 0.5f);
}

/* A block of the messages u of the row that follows, as far ahead as this row
 * is long: by the time they are needed they are near. */
INLINE void fetch_ahead(const float *u, size_t numbers) {
  const char *ahead = (const char *)((uintptr_t)u + numbers * sizeof *u);
  EACH(line, LANES * TOGETHER / 16) __builtin_prefetch(ahead + 64 * line, 1, 2);
}

/* A block of edges: damped update of u, h_hat in place of p. */
INLINE void write_block(const bperc_i_poly *poly, int degree, float *p,
                        float *u, int n, float f) {
  fv x[TOGETHER], edge[TOGETHER], step[TOGETHER];
  EACH(j, n) x[j] = f32_load(p + LANES * j) - 0.5f;
  polynomials(poly->c, degree, x, n);
  EACH(j, n) edge[j] = f32_load(u + LANES * j);
  EACH(j, n) f32_store(p + LANES * j, x[j]);
  EACH(j, n) step[j] = f * (x[j] - edge[j]);
  EACH(j, n) f32_store(u + LANES * j, edge[j] + step[j]);
}

INLINE void scatter_list(const float *h_hat, const uint32_t *list, int count,
                         float *sums) {
  EACH(j, count) sums[list[j]] += h_hat[j];
}

/* Edges one after another; what is left to do without a list is expand(). */
INLINE void write_degree(const bperc_i_poly *poly, int degree, float *p,
                         const uint32_t *list, float *u, size_t padded, float f,
                         float *sums) {
  const size_t block = LANES * TOGETHER;
  size_t k = 0;
  for (; k + block <= padded; k += block) {
    fetch_ahead(u + k, padded);
    write_block(poly, degree, p + k, u + k, TOGETHER, f);
    if (list)
      scatter_list(p + k, list + k, block, sums);
  }
  for (; k < padded; k += 8) {
    write_block(poly, degree, p + k, u + k, EIGHT, f);
    if (list)
      scatter_list(p + k, list + k, 8, sums);
  }
}

INLINE void write_edges(const bperc_i_poly *poly, float *p,
                        const uint32_t *list, float *u, size_t padded, float f,
                        float *sums) {
  if (poly->degree <= 3)
    write_degree(poly, 3, p, list, u, padded, f, sums);
  else if (poly->degree <= 5)
    write_degree(poly, 5, p, list, u, padded, f, sums);
  else
    write_degree(poly, 7, p, list, u, padded, f, sums);
}

static void write_row_list(const bperc_i_poly *poly, float *p,
                           const uint32_t *list, float *u, size_t padded,
                           float f, float *sums) {
  write_edges(poly, p, list, u, padded, f, sums);
}

static void write_packed(const bperc_i_poly *poly, float *p,
                         const uint64_t *mask, float *u, size_t width,
                         size_t padded, float f, float *sums) {
  write_edges(poly, p, NULL, u, padded, f, NULL);
  expand_row(p, mask, width, sums);
}

/* Edges with h_hat given. */
INLINE void apply_edges(const float *h_hat, float *u, size_t count, float f) {
  for (size_t k = 0; k < count; k += LANES) {
    fv edge = f32_load(u + k);
    f32_store(u + k, edge + f * (f32_load(h_hat + k) - edge));
  }
}

static void apply_list(const float *h_hat, const uint32_t *list, float *u,
                       size_t padded, float f, float *sums) {
  for (size_t k = 0; k < padded; k += 8) {
    apply_edges(h_hat + k, u + k, 8, f);
    scatter_list(h_hat + k, list + k, 8, sums);
  }
}

static void apply_packed(const float *h_hat, const uint64_t *mask, float *u,
                         size_t width, size_t padded, float f, float *sums) {
  apply_edges(h_hat, u, padded, f);
  expand_row(h_hat, mask, width, sums);
}

/* Columns of a mask row. */
INLINE void update_mask(fv h_hat, iv where, float *u, float f, float *sums) {
  fv edge = f32_load(u);
  f32_store(u, edge + f * (h_hat - edge));
  f32_store(sums, f32_load(sums) + f32_keep(where, h_hat));
}

/* An edge has p > 0, the other columns p = 0: no need to look at the mask. */
INLINE void mask_write(const bperc_i_poly *poly, int degree, const float *p,
                       float *u, size_t width, float f, float *sums) {
  for (size_t k = 0; k < width; k += LANES) {
    fv x = f32_load(p + k);
    update_mask(f32_evaluate(poly, degree, x), x > 0.f, u + k, f, sums + k);
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
  for (size_t k = 0; k < width; k += LANES) {
    iv where = f32_lanes(half_word(mask, k / 32 * 32) >> k % 32, 0);
    update_mask(f32_load(h_hat + k), where, u + k, f, sums + k);
  }
}

static void variance(const float *g, size_t count, float *pq) {
  for (size_t k = 0; k < count; k += LANES) {
    fv p = f32_load(g + k);
    sigmoids(&p, 1);
    f32_store(pq + k, p - p * p);
  }
}

static double sum_poly(const bperc_i_poly *poly, const float *p, size_t count) {
  double result = 0;
  for (size_t from = 0; from < count; from += CHUNK) {
    size_t end = from + CHUNK < count ? from + CHUNK : count;
    fv part[EIGHT] = {f32_splat(0)};
    for (size_t k = from; k < end; k += 8)
      EACH(j, EIGHT) {
        fv x = f32_load(p + k + LANES * j);
        part[j] += f32_evaluate(poly, BPERC_I_NODES - 1, x);
      }
    result += f32_total(part);
  }
  return result;
}

#include "kernels/bp_gauss_body.h"

#include "kernels/bp_exact_body.h"

const bperc_i_bp_kernels BPERC_I_FOR_ISA(bperc_i_bp_kernels) = {
    .pack_density = PACK_DENSITY,
    .read_list = read_list,
    .read_mask = read_mask,
    .read_packed = read_packed_row,
    .write_list = write_row_list,
    .write_packed = write_packed,
    .write_mask = write_mask,
    .apply_list = apply_list,
    .apply_mask = apply_mask,
    .apply_packed = apply_packed,
    .variance = variance,
    .sum = sum_poly,
    .gaussian = gaussian,
    .fit_values = fit_values,
    .fit_gaussian = fit_gaussian,
    .exact = exact,
};
