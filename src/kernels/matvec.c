/* Products with a matrix of bits, split over threads: rows by rows, columns by
 * words. */
#include "kernels/matvec.h"

#include <string.h>

/* Rows that a kernel does together. */
enum { ROWS = 16 };

typedef struct {
  const bperc_i_matvec_kernels *kernels;
  const bperc_i_bit_matrix *x;
  const int32_t *value;
  int64_t *out;
  size_t parts;
} job;

static void some_rows(void *context, size_t task, unsigned worker) {
  const job *j = context;
  bperc_i_span s = bperc_i_part(j->x->count, ROWS, task, j->parts);
  bperc_i_bit_matrix some = bperc_i_matvec_some(j->x, s.from, s.to);
  (void)worker;
  j->kernels->rows(&some, j->value, 0, some.words, j->out + s.from);
}

static void some_columns(void *context, size_t task, unsigned worker) {
  const job *j = context;
  bperc_i_span s =
      bperc_i_part(j->x->words, BPERC_I_MATVEC_STRIP, task, j->parts);
  (void)worker;
  j->kernels->columns(j->x, j->value, s.from, s.to, j->out);
}

void bperc_i_matvec_rows(const bperc_i_bit_matrix *x, const int32_t *value,
                         bperc_i_thread_pool *pool, int64_t *out) {
  job j = {bperc_i_matvec_kernels_get(), x, value, out,
           bperc_i_thread_pool_size(pool)};
  memset(out, 0, x->count * sizeof *out);
  bperc_i_thread_pool_run(pool, j.parts, (unsigned)j.parts, some_rows, &j);
}

void bperc_i_matvec_columns(const bperc_i_bit_matrix *x, const int32_t *value,
                            bperc_i_thread_pool *pool, int64_t *out) {
  job j = {bperc_i_matvec_kernels_get(), x, value, out,
           bperc_i_thread_pool_size(pool)};
  memset(out, 0, x->words * 64 * sizeof *out);
  bperc_i_thread_pool_run(pool, j.parts, (unsigned)j.parts, some_columns, &j);
}
