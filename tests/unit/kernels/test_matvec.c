/* Products with a matrix of bits: every instruction set and number of threads
 * against sums bit by bit. */
#include "check.h"
#include "isa.h"

#include "base/bits.h"
#include "bperc/stream.h"
#include "kernels/matvec.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  bperc_i_bit_matrix x;
  uint64_t *bits;
  size_t n;
  int32_t *v, *u;     /* of columns, of rows */
  int64_t *row, *col; /* the plain sums */
  int64_t *out;
} product;

/* Values of both signs, the largest among them. */
static int32_t value(bperc_stream *s) {
  uint64_t u = bperc_stream_u64(s);
  int32_t size = u % 5 ? (int32_t)(u >> 20) & BPERC_I_MATVEC_LARGEST
                       : BPERC_I_MATVEC_LARGEST;
  return u >> 63 ? size : -size;
}

static product make(size_t m, size_t n, double density) {
  product p = {.n = n};
  bperc_stream s = bperc_stream_make(m, BPERC_FOR_TEST, n);
  size_t words = bperc_i_words(n);
  p.bits = calloc(m * words + 1, sizeof *p.bits);
  p.x = (bperc_i_bit_matrix){p.bits, m, words};
  p.v = calloc(words * 64, sizeof *p.v);
  p.u = calloc(m + 1, sizeof *p.u);
  p.row = calloc(m + 1, sizeof *p.row);
  p.col = calloc(words * 64, sizeof *p.col);
  p.out = calloc(m + words * 64, sizeof *p.out);
  for (size_t i = 0; i < n; i++)
    p.v[i] = value(&s);
  for (size_t mu = 0; mu < m; mu++) {
    p.u[mu] = value(&s);
    bperc_stream_bernoulli(&s, density, p.bits + mu * words, n);
    for (size_t i = 0; i < n; i++)
      if (bperc_i_bit(p.bits + mu * words, i)) {
        p.row[mu] += p.v[i];
        p.col[i] += p.u[mu];
      }
  }
  return p;
}

static void check(const product *p, unsigned threads) {
  bperc_i_thread_pool *pool =
      threads > 1 ? bperc_i_thread_pool_new(threads) : NULL;
  bperc_i_matvec_rows(&p->x, p->v, pool, p->out);
  assert_memory_equal(p->out, p->row, p->x.count * sizeof *p->out);
  bperc_i_matvec_columns(&p->x, p->u, pool, p->out);
  assert_memory_equal(p->out, p->col, p->x.words * 64 * sizeof *p->out);
  bperc_i_thread_pool_free(pool);
}

static void clear(product *p) {
  free(p->bits);
  free(p->v);
  free(p->u);
  free(p->row);
  free(p->col);
  free(p->out);
}

static void all_shapes(void **state) {
  static const size_t rows[] = {1, 7, 16, 31, 33, 64, 100, 513, 530};
  static const size_t columns[] = {1,   63,  64,   65,   511,  512,
                                   513, 700, 2048, 2049, 4170, 5000};
  (void)state;
  for (size_t a = 0; a < sizeof rows / sizeof *rows; a++)
    for (size_t b = 0; b < sizeof columns / sizeof *columns; b++) {
      product p = make(rows[a], columns[b], (a + b) % 3 ? 0.5 : 1);
      FOR_EACH_ISA(isa)
      check(&p, 1);
      clear(&p);
    }
}

/* Parts of unequal size, and sums that need more than 32 bits when all values
 * are the largest. */
static void threads_and_overflow(void **state) {
  product p = make(2600, 16400, 0.9);
  (void)state;
  FOR_EACH_ISA(isa) {
    check(&p, 1);
    check(&p, 2);
    check(&p, 5);
  }
  for (size_t i = 0; i < p.n; i++)
    p.v[i] = -BPERC_I_MATVEC_LARGEST;
  FOR_EACH_ISA(isa) {
    bperc_i_matvec_rows(&p.x, p.v, NULL, p.out);
    for (size_t mu = 0; mu < p.x.count; mu += 97) {
      int64_t ones = 0;
      for (size_t w = 0; w < p.x.words; w++)
        ones += __builtin_popcountll(p.bits[mu * p.x.words + w]);
      assert_int_equal(p.out[mu], -ones * BPERC_I_MATVEC_LARGEST);
    }
  }
  clear(&p);
}

static void no_rows(void **state) {
  product p = make(0, 200, 0.5);
  (void)state;
  FOR_EACH_ISA(isa)
  check(&p, 2);
  clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_shapes),
      cmocka_unit_test(threads_and_overflow),
      cmocka_unit_test(no_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
