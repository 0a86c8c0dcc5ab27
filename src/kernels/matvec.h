/* Products of a matrix of bits with vectors of whole numbers.
 *
 * rows:     out[mu] += sum_i x[mu][i] value[i]
 * columns:  out[i]  += sum_mu x[mu][i] value[mu]
 *
 * Values are whole numbers of at most BPERC_I_MATVEC_LARGEST in size, so sums
 * are exact in any order: every instruction set and every number of threads
 * gives the same result. The matrix is read as it lies, row by row; there is
 * no transposed copy. */
#ifndef BPERC_KERNELS_MATVEC_H
#define BPERC_KERNELS_MATVEC_H

#include "base/threads.h"
#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* The sum of four values fits in 16 bits with its sign: two bytes. */
#define BPERC_I_MATVEC_LARGEST ((1 << 13) - 1)

typedef struct {
  const uint64_t *bits; /* count * words */
  size_t count, words;
} bperc_i_bit_matrix;

typedef struct {
  /* Of the words `from` to `to - 1` alone; value[64 words], out[count]. */
  void (*rows)(const bperc_i_bit_matrix *x, const int32_t *value, size_t from,
               size_t to, int64_t *out);
  /* Columns of these words; value[count], out[64 words]. */
  void (*columns)(const bperc_i_bit_matrix *x, const int32_t *value,
                  size_t from, size_t to, int64_t *out);
} bperc_i_matvec_kernels;

/* bperc_i_matvec_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_matvec_kernels)

/* Words that the kernels do together: a cache line of a row. */
enum { BPERC_I_MATVEC_STRIP = 8 };

/* Some rows of a matrix. */
static inline bperc_i_bit_matrix
bperc_i_matvec_some(const bperc_i_bit_matrix *x, size_t from, size_t to) {
  return (bperc_i_bit_matrix){x->bits + from * x->words, to - from, x->words};
}

/* Whole products by a pool (NULL: the caller); out is overwritten. */
void bperc_i_matvec_rows(const bperc_i_bit_matrix *x, const int32_t *value,
                         bperc_i_thread_pool *pool, int64_t *out);
void bperc_i_matvec_columns(const bperc_i_bit_matrix *x, const int32_t *value,
                            bperc_i_thread_pool *pool, int64_t *out);

#endif
