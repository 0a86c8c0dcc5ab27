/* Marginals and correlations of a list [BZ eqs. 6-8].
 *
 * Blocks of solutions are transposed, so that a column is a bit vector; the
 * number of solutions with both of two weights set is an AND and a popcount.
 */
#include "exact/space/space.h"

#include "base/alloc.h"
#include "kernels/bit_kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- counts by column ---- */

#define BIT(x, j) ((uint64_t)((x) >> (j)&1) << (8 * (j)))
#define ONE(x)                                                                 \
  (BIT(x, 0) | BIT(x, 1) | BIT(x, 2) | BIT(x, 3) | BIT(x, 4) | BIT(x, 5) |     \
   BIT(x, 6) | BIT(x, 7))
#define FOUR(x) ONE(x), ONE(x + 1), ONE(x + 2), ONE(x + 3)
#define SIXTEEN(x) FOUR(x), FOUR(x + 4), FOUR(x + 8), FOUR(x + 12)
#define SIXTY_FOUR(x)                                                          \
  SIXTEEN(x), SIXTEEN(x + 16), SIXTEEN(x + 32), SIXTEEN(x + 48)

/* Bit j of the index becomes byte j. */
static const uint64_t spread[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64),
                                     SIXTY_FOUR(128), SIXTY_FOUR(192)};

void bperc_i_column_counts_init(bperc_i_column_counts *t, size_t columns) {
  memset(t, 0, sizeof *t);
  t->columns = columns;
  t->bytes = (columns + 7) / 8;
}

/* *sum and two words more: the sum bit stays, the carry is returned. */
static inline uint64_t full_adder(uint64_t *sum, uint64_t x, uint64_t y) {
  uint64_t half = *sum ^ x, carry = (*sum & x) | (half & y);
  *sum = half ^ y;
  return carry;
}

/* Eight words of one half; the columns that reached another eight. */
static inline uint64_t add_group(bperc_i_column_counts *t, size_t half) {
  const uint64_t *w = t->waiting[half];
  uint64_t ones = t->ones[half], twos = t->twos[half], fours = t->fours[half];
  uint64_t a = full_adder(&ones, w[0], w[1]), b = full_adder(&ones, w[2], w[3]);
  uint64_t c = full_adder(&ones, w[4], w[5]), d = full_adder(&ones, w[6], w[7]);
  uint64_t e = full_adder(&twos, a, b), f = full_adder(&twos, c, d);
  uint64_t eights = full_adder(&fours, e, f);
  t->ones[half] = ones;
  t->twos[half] = twos;
  t->fours[half] = fours;
  return eights;
}

/* The bytes' eights into the totals. */
static void empty_bytes(bperc_i_column_counts *t) {
  for (size_t j = 0; j < t->columns; j++)
    t->total[j] += 8 * (t->sum[j / 8] >> (j % 8 * 8) & 0xff);
  memset(t->sum, 0, sizeof t->sum);
  t->groups = 0;
}

void bperc_i_column_counts_group(bperc_i_column_counts *t) {
  for (size_t b = 0; b < t->bytes; b += 8) {
    uint64_t eights = add_group(t, b / 8);
    for (size_t k = b; k < b + 8 && k < t->bytes; k++, eights >>= 8)
      t->sum[k] += spread[(uint8_t)eights];
  }
  t->filled = 0;
  if (++t->groups == 255)
    empty_bytes(t);
}

void bperc_i_column_counts_flush(bperc_i_column_counts *t) {
  for (size_t half = 0; half < 2; half++)
    for (size_t k = t->filled; k < BPERC_I_COUNTED_TOGETHER; k++)
      t->waiting[half][k] = 0;
  bperc_i_column_counts_group(t);
  empty_bytes(t);
  for (size_t j = 0; j < t->columns; j++)
    t->total[j] += (t->ones[j / 64] >> j % 64 & 1) +
                   2 * (t->twos[j / 64] >> j % 64 & 1) +
                   4 * (t->fours[j / 64] >> j % 64 & 1);
  memset(t->ones, 0, sizeof t->ones);
  memset(t->twos, 0, sizeof t->twos);
  memset(t->fours, 0, sizeof t->fours);
}

/* ---- moments ---- */

enum { BLOCK_WORDS = 16, BLOCK = 64 * BLOCK_WORDS };

typedef uint64_t block_columns[128][BLOCK_WORDS];

void bperc_solutions_ones(const bperc_solutions *s, uint64_t *ones) {
  bperc_i_column_counts tally;
  bperc_i_column_counts_init(&tally, s->columns);
  for (size_t k = 0; k < s->count && bperc_i_list_go_on(k); k++)
    bperc_i_column_counts_add(&tally, bperc_i_list_word(s, k));
  bperc_i_column_counts_flush(&tally);
  memcpy(ones, tally.total, s->columns * sizeof *ones);
}

/* Bit i of word k and bit k of word i change places. */
static void transpose_64(uint64_t a[64]) {
  uint64_t mask = UINT64_C(0x00000000ffffffff);
  for (unsigned j = 32; j > 0; j >>= 1, mask ^= mask << j)
    for (unsigned k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      uint64_t t = ((a[k] >> j) ^ a[k | j]) & mask;
      a[k] ^= t << j;
      a[k | j] ^= t;
    }
}

/* Columns of the (at most BLOCK) solutions from `from` on; zeros follow. */
static void load_block(const bperc_solutions *s, size_t from,
                       block_columns columns) {
  uint64_t square[64];
  for (size_t part = 0; part < BLOCK_WORDS; part++)
    for (size_t half = 0; half < s->words; half++) {
      size_t first = from + 64 * part;
      size_t have = first < s->count ? s->count - first : 0;
      memset(square, 0, sizeof square);
      for (size_t k = 0; k < have && k < 64; k++)
        square[k] = s->bits[(first + k) * s->words + half];
      transpose_64(square);
      for (size_t j = 0; j < 64 && 64 * half + j < s->columns; j++)
        columns[64 * half + j][part] = square[j];
    }
}

/* n_ij: solutions with w_i = w_j = 1, columns x columns, symmetric. */
static bperc_status count_pairs(const bperc_solutions *s, uint64_t *pairs) {
  const bperc_i_bit_kernels *bits = bperc_i_bit_kernels_get();
  size_t n = s->columns;
  assert(n <= sizeof(block_columns) / sizeof(uint64_t[BLOCK_WORDS]));
  block_columns *columns = bperc_i_alloc(1, sizeof *columns);
  if (!columns)
    return BPERC_E_MEMORY;
  memset(pairs, 0, n * n * sizeof *pairs);
  for (size_t from = 0; from < s->count && !bperc_cancelled(); from += BLOCK) {
    load_block(s, from, *columns);
    for (size_t i = 0; i < n; i++)
      for (size_t j = i; j < n; j++)
        pairs[i * n + j] +=
            bits->and_popcount((*columns)[i], (*columns)[j], BLOCK_WORDS);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      pairs[i * n + j] = pairs[j * n + i];
  bperc_i_free(columns);
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}

static double covariance(const uint64_t *pairs, size_t n, double all, size_t i,
                         size_t j) {
  return (double)pairs[i * n + j] / all -
         (double)pairs[i * n + i] / all * ((double)pairs[j * n + j] / all);
}

/* Means over ordered pairs of different live columns. */
static void correlate_columns(const bperc_solutions *s, const uint64_t *pairs,
                              bperc_moments *out) {
  bperc_i_word live = bperc_i_list_live(s);
  double sum = 0, square = 0, u = (double)s->unfixed;
  for (size_t i = 0; i < s->columns; i++)
    for (size_t j = 0; j < i; j++)
      if ((live >> i & 1) && (live >> j & 1)) {
        double c = covariance(pairs, s->columns, (double)s->count, i, j);
        sum += c;
        square += c * c;
      }
  if (s->unfixed >= 2 && s->count > 0) {
    out->xcorr_mean = 2 * sum / (u * (u - 1));
    out->xcorr_mean_square = 2 * square / (u * (u - 1));
  }
}

bperc_status bperc_solutions_moments(const bperc_solutions *s,
                                     bperc_moments *out, double *marginals,
                                     double *correlations) {
  size_t n = s->columns;
  double all = s->count ? (double)s->count : NAN;
  uint64_t *pairs = bperc_i_alloc(n * n + 1, sizeof *pairs);
  *out = (bperc_moments){NAN, NAN, NAN, NAN};
  bperc_status status = pairs ? count_pairs(s, pairs) : BPERC_E_MEMORY;
  if (status != BPERC_OK)
    goto done;
  out->log_count = log((double)s->count);
  if (s->count > 0 && s->unfixed > 0)
    out->entropy = out->log_count / (double)s->unfixed;
  correlate_columns(s, pairs, out);
  for (size_t i = 0; i < n; i++)
    assert(pairs[i * n + i] <= s->count);
  for (size_t i = 0; marginals && i < n; i++)
    marginals[i] = (double)pairs[i * n + i] / all;
  for (size_t i = 0; correlations && i < n; i++)
    for (size_t j = 0; j < n; j++)
      correlations[i * n + j] = covariance(pairs, n, all, i, j);
done:
  bperc_i_free(pairs);
  return status;
}
