/* Kernels of belief propagation: rows of single precision messages, the
 * Gaussian factor at many points at once, the exact factor.
 *
 * A row is a list (column numbers, padded to whole vectors with a column whose
 * field is far below zero), or packed: the same numbers in the same order, the
 * columns a bit mask (the width a multiple of 64); both give the same bits. Or
 * it is all columns with a bit mask (the width a multiple of 32). For one
 * factor h_hat is a smooth function of the single number p = P(w_i = 1), so a
 * polynomial serves all its edges. */
#ifndef BPERC_KERNELS_BP_H
#define BPERC_KERNELS_BP_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

enum { BPERC_I_NODES = 8 }; /* Chebyshev nodes: a polynomial of degree 7 */

/* The field of padding: p is almost 0. */
#define BPERC_I_NO_EDGE (-100.f)

/* A polynomial in p - 1/2, of degree 3, 5 or 7. */
typedef struct {
  float c[BPERC_I_NODES];
  int degree;
} bperc_i_poly;

/* Sums over a row: of p and of p(1-p). */
typedef struct {
  double a, v;
} bperc_i_row_sums;

/* What an exact factor asks of the number of ones, or of zeros, among its
 * weights: at most `bound`, or at least. */
typedef struct {
  int zeros, at_least;
  size_t bound;
} bperc_i_capped;

/* Numbers of the table that the exact kernel needs. */
static inline size_t bperc_i_exact_table(size_t count, size_t bound) {
  return count * (bound + 1) + (size_t)5 * 8 * (bound + 7);
}

typedef struct {
  /* Part of the literals with an edge from which packed rows are faster than
   * lists; more than 1: never. */
  double pack_density;
  /* p[k] = sigmoid(g - u), with |g - u| <= bound (0: none; u follows). Packed
   * rows: p, and h_hat below, have room for eight numbers beyond the degree. */
  bperc_i_row_sums (*read_list)(const float *g, const uint32_t *list, float *u,
                                size_t degree, float bound, float *p);
  bperc_i_row_sums (*read_mask)(const float *g, const uint64_t *mask, float *u,
                                size_t width, float bound, float *p);
  bperc_i_row_sums (*read_packed)(const float *g, const uint64_t *mask,
                                  float *u, size_t width, size_t degree,
                                  float bound, float *p);
  /* h_hat = polynomial; u += f (h_hat - u); sums += h_hat. Lists and packed
   * rows: h_hat in place of p. */
  void (*write_list)(const bperc_i_poly *poly, float *p, const uint32_t *list,
                     float *u, size_t padded, float f, float *sums);
  void (*write_mask)(const bperc_i_poly *poly, const float *p, float *u,
                     size_t width, float f, float *sums);
  void (*write_packed)(const bperc_i_poly *poly, float *p, const uint64_t *mask,
                       float *u, size_t width, size_t padded, float f,
                       float *sums);
  /* The same with h_hat given. */
  void (*apply_list)(const float *h_hat, const uint32_t *list, float *u,
                     size_t padded, float f, float *sums);
  void (*apply_mask)(const float *h_hat, const uint64_t *mask, float *u,
                     size_t width, float f, float *sums);
  void (*apply_packed)(const float *h_hat, const uint64_t *mask, float *u,
                       size_t width, size_t padded, float f, float *sums);
  /* pq[k] = p (1 - p) at the fields g; room for whole vectors. */
  void (*variance)(const float *g, size_t count, float *pq);
  /* Sum of a polynomial over a row's numbers, padding included. */
  double (*sum)(const bperc_i_poly *poly, const float *p, size_t count);
  /* h_hat of the Gaussian factor [BZ eq. 21] at p[k], and (log_z not NULL)
   * log(1 - p + p exp h_hat); count is a multiple of 4. s is +1 for label 1
   * and -1 for label 0. */
  void (*gaussian)(double s, double edge, bperc_i_row_sums row, const double *p,
                   size_t count, double *h_hat, double *log_z);
  /* The polynomial through values at the nodes. Returns the size of the last
   * Chebyshev coefficient: how well it fits. */
  double (*fit_values)(const double *values, bperc_i_poly *poly);
  /* The polynomial of h_hat, the factor in single precision. */
  double (*fit_gaussian)(double s, double edge, bperc_i_row_sums row,
                         bperc_i_poly *poly);
  /* h_hat of the exact factor at p[k], which may be the same place; 0 where p
   * is 0: no edge. count is a multiple of 8, way->bound at least 1. bethe (NULL
   * is fine): log Z of the factor less log(1 - p + p exp h_hat) of its edges.
   * Returns 0, and leaves nothing of use, when numbers fall below the range of
   * single precision. */
  int (*exact)(const bperc_i_capped *way, const float *p, size_t count,
               float *table, float *h_hat, double *bethe);
} bperc_i_bp_kernels;

/* bperc_i_bp_kernels_get(): the table for the instruction set in force. */
BPERC_I_DECLARE(bperc_i_bp_kernels)
const bperc_i_bp_kernels *bperc_i_bp_kernels_get(void);

/* Chebyshev interpolation on [0, 1], filled when the family is asked for. */
typedef struct {
  double node[BPERC_I_NODES];
  double cosine[BPERC_I_NODES][BPERC_I_NODES]; /* node j, coefficient k */
  double power[BPERC_I_NODES][BPERC_I_NODES];  /* coefficient k, power i */
} bperc_i_chebyshev;
extern bperc_i_chebyshev bperc_i_bp_chebyshev;

/* Where eight columns go, by the byte of their mask, filled likewise: the
 * column of each packed edge; the packed edge of each column, -1 for none. */
typedef struct {
  int8_t pack[256][8], expand[256][8];
} bperc_i_places;
extern bperc_i_places bperc_i_bp_places;

/* Terms that add up to less than this are left out. */
#define BPERC_I_NEGLIGIBLE 3e-7

#endif
