/* Products with a matrix of bits, split over
 * threads: rows by blocks of rows, columns by blocks of words. */
#include "kernels/matvec.h"

#include "base/parallel.h"

#include <string.h>

/* A block is a whole number of the kernels' tiles. */
enum { BLOCK_ROWS = 512, BLOCK_WORDS = 32 };
/* Bits below which starting a thread costs more than it saves. */
#define FEWEST_BITS 40000000.

typedef struct {
  const bperc_i_matvec_kernels *kernels;
  const bperc_i_bit_matrix *x;
  const int32_t *value;
  int64_t *out;
} job;

static unsigned worth(const bperc_i_bit_matrix *x, unsigned threads) {
  double bits = 64. * (double)x->words * (double)x->count;
  return bits < FEWEST_BITS ? 1 : threads;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void row_block(void *context, size_t task, unsigned worker) {
  const job *j = context;
  size_t from = task * BLOCK_ROWS;
  (void)worker;
  j->kernels->rows(j->x, j->value, from, least(from + BLOCK_ROWS, j->x->count),
                   j->out);
}

static void column_block(void *context, size_t task, unsigned worker) {
  const job *j = context;
  size_t from = task * BLOCK_WORDS;
  (void)worker;
  j->kernels->columns(j->x, j->value, from,
                      least(from + BLOCK_WORDS, j->x->words), j->out);
}

void bperc_i_matvec_rows(const bperc_i_bit_matrix *x, const int32_t *value,
                         unsigned threads, int64_t *out) {
  job j = {bperc_i_matvec_kernels_get(), x, value, out};
  memset(out, 0, x->count * sizeof *out);
  threads = worth(x, threads);
  if (threads == 1)
    j.kernels->rows(x, value, 0, x->count, out);
  else
    bperc_i_parallel_for((x->count + BLOCK_ROWS - 1) / BLOCK_ROWS, threads,
                         row_block, &j);
}

void bperc_i_matvec_columns(const bperc_i_bit_matrix *x, const int32_t *value,
                            unsigned threads, int64_t *out) {
  job j = {bperc_i_matvec_kernels_get(), x, value, out};
  memset(out, 0, x->words * 64 * sizeof *out);
  bperc_i_parallel_for((x->words + BLOCK_WORDS - 1) / BLOCK_WORDS,
                       worth(x, threads), column_block, &j);
}
