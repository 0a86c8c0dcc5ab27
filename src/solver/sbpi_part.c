/* Weights that leave SBPI. */
#include "solver/sbpi_part.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* At least one in so many leaves at a time: packing costs some sweeps. */
#define LEAVE 4

int32_t bperc_i_sbpi_hidden(const bperc_i_counters *h, size_t column) {
  int sign = bperc_i_bit(bperc_i_plane(h, h->planes - 1), column);
  int32_t k = 0;
  for (unsigned p = 0; p + 1 < h->planes; p++)
    k |= (bperc_i_bit(bperc_i_plane(h, p), column) ^ !sign) << p;
  return sign ? 2 * k + 1 : -2 * k - 1;
}

/* ---- life */

void bperc_i_sbpi_part_clear(bperc_i_sbpi_part *part) {
  bperc_i_free(part->quiet);
  bperc_i_free(part->site);
  bperc_i_free(part->frozen_at);
  bperc_i_free(part->plan);
  bperc_i_free(part->rows);
  bperc_i_free(part->support);
  bperc_i_free(part->bound);
  *part = (bperc_i_sbpi_part){0};
}

bperc_status bperc_i_sbpi_part_init(bperc_i_sbpi_part *part,
                                    const bperc_i_rows *rows,
                                    const bperc_i_counters *h, double far) {
  const size_t n = rows->bits, packed = bperc_i_words(n - n / LEAVE);
  const double most = 2 * (double)h->limit + 1;
  *part = (bperc_i_sbpi_part){.all = n};
  part->far = (uint64_t)ceil(fmax(far * most - 1, 0) / 2);
  part->quiet = bperc_i_calloc(2 * rows->words, sizeof *part->quiet);
  part->site = bperc_i_alloc(n, sizeof *part->site);
  part->frozen_at = bperc_i_calloc(n, sizeof *part->frozen_at);
  part->plan = bperc_i_alloc(rows->words, sizeof *part->plan);
  part->rows = bperc_i_alloc(rows->count * packed, sizeof *part->rows);
  part->support =
      rows->support ? bperc_i_alloc(rows->count * packed, sizeof *part->support)
                    : NULL;
  part->bound = bperc_i_alloc(rows->count, sizeof *part->bound);
  if (!part->quiet || !part->site || !part->frozen_at || !part->plan ||
      !part->rows || (rows->support && !part->support) || !part->bound) {
    bperc_i_sbpi_part_clear(part);
    return BPERC_E_MEMORY;
  }
  part->weights = part->quiet + rows->words;
  bperc_i_bits_ones(part->quiet, n);
  for (size_t i = 0; i < n; i++)
    part->site[i] = (uint32_t)i;
  return BPERC_OK;
}

/* ---- far from zero */

/* The columns of word w with k >= far: digit by digit from the highest. */
static uint64_t far_away(const bperc_i_counters *h, uint64_t far, size_t w) {
  uint64_t sign = bperc_i_plane(h, h->planes - 1)[w], above = 0,
           equal = ~(uint64_t)0;
  for (unsigned p = h->planes - 1; p-- > 0;) {
    uint64_t digit = ~(bperc_i_plane(h, p)[w] ^ sign);
    if (far >> p & 1) {
      equal &= digit;
    } else {
      above |= equal & digit;
      equal &= ~digit;
    }
  }
  return above | equal;
}

void bperc_i_sbpi_part_watch(bperc_i_sbpi_part *part,
                             const bperc_i_counters *h) {
  for (size_t w = 0; w < h->words; w++)
    part->quiet[w] &= far_away(h, part->far, w);
}

/* ---- packing */

/* Hits of row mu in the quiet columns. */
static int64_t quiet_hits(const bperc_i_sbpi_part *part,
                          const bperc_i_rows *rows, const uint64_t *weights,
                          size_t mu) {
  const uint64_t *row = rows->rows + mu * rows->words;
  int64_t hits = 0;
  for (size_t w = 0; w < rows->words; w++) {
    uint64_t agree = rows->kind == BPERC_I_ROWS_01 ? row[w] & weights[w]
                                                   : ~(row[w] ^ weights[w]);
    if (rows->support)
      agree &= rows->support[mu * rows->words + w];
    hits += __builtin_popcountll(agree & part->quiet[w]);
  }
  return hits;
}

static void squeeze_rows(const bperc_i_sbpi_part *part, const uint64_t *from,
                         uint64_t *to, const bperc_i_rows *rows, size_t words) {
  for (size_t mu = 0; mu < rows->count; mu++)
    bperc_i_squeeze_row(part->plan, rows->words, from + mu * rows->words,
                        to + mu * words);
}

/* Later packings write over the rows of the one before. */
static void pack_rows(bperc_i_sbpi_part *part, bperc_i_rows *rows,
                      const uint64_t *weights, size_t left) {
  const size_t words = bperc_i_words(left);
  for (size_t mu = 0; mu < rows->count; mu++)
    part->bound[mu] =
        bperc_i_row_bound(rows, mu) - quiet_hits(part, rows, weights, mu);
  squeeze_rows(part, rows->rows, part->rows, rows, words);
  if (rows->support)
    squeeze_rows(part, rows->support, part->support, rows, words);
  rows->rows = part->rows;
  rows->support = part->support;
  rows->bound = part->bound;
  rows->words = words;
  rows->bits = left;
}

static void pack_counters(const bperc_i_sbpi_part *part, bperc_i_counters *h,
                          size_t left) {
  for (unsigned p = 0; p < h->planes; p++) {
    bperc_i_squeeze_row(part->plan, h->words, bperc_i_plane(h, p),
                        bperc_i_plane(h, p));
    for (size_t w = bperc_i_words(left); w < h->stride; w++)
      bperc_i_plane(h, p)[w] = 0;
  }
  h->words = bperc_i_words(left);
}

/* The columns that are not quiet stay. */
static void plan_packing(bperc_i_sbpi_part *part, const bperc_i_rows *rows) {
  for (size_t w = 0; w < rows->words; w++) {
    uint64_t used =
        w + 1 < rows->words ? ~(uint64_t)0 : bperc_i_tail_mask(rows->bits);
    uint64_t keep = used & ~part->quiet[w];
    bperc_i_squeeze_plan(&keep, 1, &part->plan[w]);
  }
}

/* Notes which weights leave, and with which hidden states. */
static void freeze_hidden_states(bperc_i_sbpi_part *part,
                                 const bperc_i_counters *h, size_t n) {
  size_t left = 0;
  for (size_t j = 0; j < n; j++) {
    uint32_t i = part->site[j];
    if (bperc_i_bit(part->quiet, j))
      part->frozen_at[i] = bperc_i_sbpi_hidden(h, j);
    else
      part->site[left++] = i;
  }
}

bool bperc_i_sbpi_part_leave(bperc_i_sbpi_part *part, bperc_i_rows *rows,
                             bperc_i_counters *h) {
  const size_t n = rows->bits;
  size_t quiet = 0;
  for (size_t w = 0; w < rows->words; w++)
    quiet += (size_t)__builtin_popcountll(part->quiet[w]);
  assert(quiet <= n && n <= part->all);
  if (quiet * LEAVE >= n && quiet < n) {
    freeze_hidden_states(part, h, n);
    plan_packing(part, rows);
    pack_rows(part, rows, bperc_i_plane(h, h->planes - 1), n - quiet);
    pack_counters(part, h, n - quiet);
  }
  bperc_i_bits_ones(part->quiet, rows->bits);
  return rows->bits < n;
}

void bperc_i_sbpi_part_weights(const bperc_i_sbpi_part *part,
                               const bperc_i_rows *rows,
                               const bperc_i_counters *h) {
  const uint64_t *sign = bperc_i_plane(h, h->planes - 1);
  for (size_t i = 0; i < part->all; i++)
    bperc_i_bit_set(part->weights, i, part->frozen_at[i] > 0);
  for (size_t j = 0; j < rows->bits; j++)
    bperc_i_bit_set(part->weights, part->site[j], bperc_i_bit(sign, j));
}
