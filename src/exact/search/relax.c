/* Tables of the linear relaxation: relax.h. */
#include "exact/search/relax.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

static bperc_i_word at_positions(bperc_i_word columns, const bperc_i_word *bit,
                                 size_t positions) {
  bperc_i_word found = 0;
  for (size_t l = 0; l < positions; l++)
    if (columns & bit[l])
      found |= bperc_i_word_bit(l);
  return found;
}

static void fill_pattern(bperc_i_relax *q, const bperc_i_search_residual *r,
                         const bperc_i_word *bit, size_t mu) {
  int size = bperc_i_word_popcount(r->mask[mu]), bound = r->bound[mu];
  bperc_i_word literal = at_positions(r->mask[mu], bit, q->positions);
  bperc_i_word on = at_positions(r->sign[mu], bit, q->positions);
  bperc_i_word good = r->label[mu] ? on : literal & ~on;
  assert(bperc_i_word_popcount(literal) == size);
  for (size_t k = 0; k < 2; k++) {
    q->literal[k][mu] = (uint64_t)(literal >> 64 * k);
    q->good[k][mu] = (uint64_t)(good >> 64 * k);
  }
  q->slack[mu] = r->label[mu] ? size - bound : bound;
  for (size_t l = 0; l < q->positions; l++)
    if (literal >> l & 1)
      q->side[mu * BPERC_I_WIDEST + l] = good >> l & 1 ? 1 : -1;
}

bperc_status bperc_i_relax_init(bperc_i_relax *q,
                                const bperc_i_search_residual *r,
                                const bperc_i_word *bit, size_t positions) {
  size_t block = BPERC_I_PRICE_BLOCK;
  memset(q, 0, sizeof *q);
  if (r->m > BPERC_I_PRICED)
    return BPERC_E_ARGUMENT;
  q->positions = positions;
  q->patterns = (r->m + block - 1) / block * block;
  for (size_t k = 0; k < 2; k++) {
    q->literal[k] = bperc_i_calloc(q->patterns + 1, sizeof *q->literal[k]);
    q->good[k] = bperc_i_calloc(q->patterns + 1, sizeof *q->good[k]);
  }
  q->slack = bperc_i_calloc(q->patterns + 1, sizeof *q->slack);
  q->side = bperc_i_calloc(q->patterns * BPERC_I_WIDEST + 1, sizeof *q->side);
  if (!q->literal[0] || !q->literal[1] || !q->good[0] || !q->good[1] ||
      !q->slack || !q->side) {
    bperc_i_relax_clear(q);
    return BPERC_E_MEMORY;
  }
  for (size_t mu = 0; mu < r->m; mu++)
    fill_pattern(q, r, bit, mu);
  return BPERC_OK;
}

void bperc_i_relax_clear(bperc_i_relax *q) {
  for (size_t k = 0; k < 2; k++) {
    bperc_i_free(q->literal[k]);
    bperc_i_free(q->good[k]);
  }
  bperc_i_free(q->slack);
  bperc_i_free(q->side);
  memset(q, 0, sizeof *q);
}

void bperc_i_relax_start(const bperc_i_relax *q, bperc_i_relaxed *node) {
  for (size_t mu = 0; mu < q->patterns; mu++)
    node->price[mu] = q->literal[0][mu] | q->literal[1][mu]
                          ? (int16_t)(BPERC_I_PRICE_SUM / q->patterns)
                          : 0;
}
