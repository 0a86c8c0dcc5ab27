/* Bit kernels of every instruction set against sums bit by bit. */
#include "check.h"

#include "base/bits.h"
#include "bperc/stream.h"
#include "kernels/bit_kernels.h"
#include "kernels/isa.h"

#include <stdlib.h>
#include <string.h>

/* Every family that this processor runs. */
static size_t families(const bperc_i_bit_kernels **out) {
  size_t count = 0;
  for (int isa = 0; isa < BPERC_ISA_COUNT; isa++)
    if (bperc_i_isa_available((bperc_i_isa)isa))
      out[count++] = BPERC_I_TABLES(bperc_i_bit_kernels)[isa];
  return count;
}

static void counts(void **state) {
  enum { MOST = 300 };
  const bperc_i_bit_kernels *family[4];
  size_t count = families(family);
  uint64_t x[MOST], y[MOST];
  bperc_stream s = bperc_stream_make(31, BPERC_FOR_TEST, 0);
  (void)state;
  for (size_t words = 0; words < MOST; words++) {
    uint64_t expected = 0;
    bperc_stream_bernoulli(&s, words % 3 ? 0.7 : 1, x, words * 64);
    bperc_stream_bernoulli(&s, words % 5 ? 0.4 : 1, y, words * 64);
    for (size_t i = 0; i < words * 64; i++)
      expected += (uint64_t)(bperc_i_bit(x, i) && bperc_i_bit(y, i));
    for (size_t k = 0; k < count; k++)
      assert_int_equal(family[k]->and_popcount(x, y, words), expected);
  }
}

static void violated_rows(void **state) {
  enum { M = 40, WORDS = 11 };
  const bperc_i_bit_kernels *family[4];
  size_t count = families(family), expected = 0;
  uint64_t rows[M * WORDS], weights[WORDS];
  uint8_t labels[M];
  int64_t bound[M];
  bperc_i_rows r = {.rows = rows,
                    .labels = labels,
                    .bound = bound,
                    .count = M,
                    .words = WORDS,
                    .bits = WORDS * 64};
  bperc_stream s = bperc_stream_make(32, BPERC_FOR_TEST, 0);
  (void)state;
  bperc_stream_bernoulli(&s, 0.5, rows, M * WORDS * 64);
  bperc_stream_bernoulli(&s, 0.3, weights, WORDS * 64);
  for (size_t mu = 0; mu < M; mu++) {
    int sum = 0;
    labels[mu] = mu % 3 == 0;
    for (size_t i = 0; i < WORDS * 64; i++)
      sum += bperc_i_bit(rows + mu * WORDS, i) && bperc_i_bit(weights, i);
    bound[mu] = (labels[mu] ? 107 : 101) + (int64_t)mu % 5;
    expected += labels[mu] ? sum < bound[mu] : sum > bound[mu];
  }
  assert_in_range(expected, 5, M - 5);
  for (size_t k = 0; k < count; k++)
    assert_int_equal(family[k]->violated(&r, weights), expected);
}

/* ---- counters against integers */

typedef struct {
  bperc_i_counters c;
  int *h, bound;
  size_t n;
} pair;

static void pair_init(pair *p, size_t n, uint64_t limit) {
  p->n = n;
  p->bound = 2 * (int)limit + 1;
  p->c.words = bperc_i_words(n);
  p->c.stride = (p->c.words + 3) / 4 * 4;
  p->c.limit = limit;
  p->c.planes = 1;
  while (limit >> (p->c.planes - 1))
    p->c.planes++;
  p->c.plane = calloc(p->c.planes * p->c.stride, sizeof(uint64_t));
  p->h = calloc(n, sizeof *p->h);
  for (size_t i = 0; i < n; i++) { /* h = -1: all digits NOT 0 */
    p->h[i] = -1;
    for (unsigned k = 0; k + 1 < p->c.planes; k++)
      bperc_i_bit_set(p->c.plane + k * p->c.stride, i, 1);
  }
}

static int counter(const pair *p, size_t i) {
  unsigned top = p->c.planes - 1;
  int sign = bperc_i_bit(p->c.plane + top * p->c.stride, i), k = 0;
  for (unsigned d = 0; d < top; d++)
    k |= (bperc_i_bit(p->c.plane + d * p->c.stride, i) ^ !sign) << d;
  return sign ? 2 * k + 1 : -2 * k - 1;
}

static void move(pair *p, const uint64_t *mask, int by, int only_negative) {
  for (size_t i = 0; i < p->n; i++)
    if (bperc_i_bit(mask, i) && abs(p->h[i] + by) <= p->bound &&
        !(only_negative && p->h[i] > 0))
      p->h[i] += by;
}

static void walk_counters(const bperc_i_bit_kernels *k, size_t n,
                          uint64_t limit) {
  uint64_t mask[40];
  pair p;
  bperc_stream s = bperc_stream_make(limit, BPERC_FOR_TEST, n);
  pair_init(&p, n, limit);
  for (int t = 0; t < 400; t++) {
    /* Long drifts, so that both bounds are reached. */
    double up = t / 100 % 2 ? 0.15 : 0.85, u = bperc_stream_double(&s);
    bperc_stream_bernoulli(&s, t % 7 ? 0.6 : 1, mask, n);
    if (t % 11 == 0) {
      k->deepen(&p.c, mask);
      move(&p, mask, -2, 1);
    } else {
      (u < up ? k->up : k->down)(&p.c, mask);
      move(&p, mask, u < up ? 2 : -2, 0);
    }
    for (size_t i = 0; i < n; i++)
      assert_int_equal(counter(&p, i), p.h[i]);
  }
  for (unsigned d = 0; d < p.c.planes; d++)
    for (size_t i = n; i < p.c.stride * 64; i++)
      assert_int_equal(bperc_i_bit(p.c.plane + d * p.c.stride, i), 0);
  free(p.c.plane);
  free(p.h);
}

static void counters(void **state) {
  static const size_t sizes[] = {1, 25, 64, 255, 480, 517, 1024};
  static const uint64_t limits[] = {0, 1, 2, 5, 10, 15, 16, 47, 100, 300};
  const bperc_i_bit_kernels *family[4];
  size_t count = families(family);
  (void)state;
  for (size_t f = 0; f < count; f++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
        walk_counters(family[f], sizes[k], limits[l]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts),
      cmocka_unit_test(violated_rows),
      cmocka_unit_test(counters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
