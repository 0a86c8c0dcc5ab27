/* Errors, hidden states and sums from scratch, bit by bit: recount.h. */
#include "solver/solver_recount.h"

#include "base/bits.h"

/* Of large matrices a part is summed again, in turn. */
#define LONG 20000

bool bperc_i_recount_errors(const bperc_instance *in, const uint64_t *weights,
                            size_t errors) {
  int64_t own = (int64_t)bperc_verify(in, weights, NULL).errors;
  if (in->spread)
    in->spread->sum(&own, 1);
  return own == (int64_t)errors;
}

bool bperc_i_recount_integers(const bperc_instance *in, const int32_t *weights,
                              size_t errors) {
  return bperc_verify_integers(in, weights, NULL).errors == errors;
}

/* ---- bit planes */

/* k of |h| = 2 k + 1 */
static uint64_t depth(const bperc_i_counters *h, size_t column) {
  const int sign = bperc_i_bit(bperc_i_plane(h, h->planes - 1), column);
  uint64_t k = 0;
  for (unsigned p = 0; p + 1 < h->planes; p++)
    if (bperc_i_bit(bperc_i_plane(h, p), column) == sign)
      k |= (uint64_t)1 << p;
  return k;
}

bool bperc_i_recount_counters(const bperc_i_counters *h, size_t columns) {
  const uint64_t *sign = bperc_i_plane(h, h->planes - 1);
  if (h->words != bperc_i_words(columns) || h->stride < h->words)
    return false;
  for (size_t j = columns; j < 64 * h->words; j++)
    if (bperc_i_bit(sign, j))
      return false;
  for (size_t j = 0; j < columns; j++)
    if (depth(h, j) > h->limit)
      return false;
  return true;
}

/* ---- hits */

static int64_t hits(const bperc_i_rows *r, size_t mu, const uint64_t *y) {
  const uint64_t *row = r->rows + mu * r->words;
  int64_t sum = 0;
  for (size_t j = 0; j < r->bits; j++) {
    const int x = bperc_i_bit(row, j), w = bperc_i_bit(y, j);
    if (r->kind == BPERC_I_ROWS_01)
      sum += x && w;
    else if (!r->support || bperc_i_bit(r->support + mu * r->words, j))
      sum += x == w;
  }
  return sum;
}

bool bperc_i_recount_part(const bperc_i_rows *part, const uint64_t *own,
                          const bperc_i_rows *all, const uint64_t *weights) {
  for (size_t mu = 0; mu < all->count; mu++)
    if (hits(part, mu, own) - bperc_i_row_bound(part, mu) !=
        hits(all, mu, weights) - bperc_i_row_bound(all, mu))
      return false;
  return true;
}

/* ---- sums */

/* One row or column in so many, so that about LONG bits are looked at. */
static size_t apart(const bperc_i_bit_matrix *x, size_t columns) {
  return 1 + x->count * columns / LONG;
}

bool bperc_i_recount_rows(const bperc_i_bit_matrix *x, const int32_t *whole,
                          size_t columns, const int64_t *sums) {
  const size_t step = apart(x, columns);
  for (size_t mu = (uint32_t)whole[0] % step; mu < x->count; mu += step) {
    int64_t sum = 0;
    for (size_t i = 0; i < columns; i++)
      sum += bperc_i_bit(x->bits + mu * x->words, i) ? whole[i] : 0;
    if (sum != sums[mu])
      return false;
  }
  return true;
}

bool bperc_i_recount_columns(const bperc_i_bit_matrix *x, const int32_t *whole,
                             size_t columns, const int64_t *sums) {
  const size_t step = apart(x, columns);
  for (size_t i = (uint32_t)whole[0] % step; i < columns; i += step) {
    int64_t sum = 0;
    for (size_t mu = 0; mu < x->count; mu++)
      sum += bperc_i_bit(x->bits + mu * x->words, i) ? whole[mu] : 0;
    if (sum != sums[i])
      return false;
  }
  return true;
}
