/* Counting by merging equal states: one array over all combinations of slacks
 * and needs, one sweep per weight. A weight at 1 leads to a smaller state (or
 * to the same one), so that a sweep in ascending order works in place. */
#include "base/alloc.h"
#include "exact/search.h"

enum { FEW_WEIGHTS = 40, MOST_STATES = 1 << 20 };

static size_t states_of(const bperc_i_residual *r) {
  size_t total = 1;
  for (size_t mu = 0; mu < r->m && total <= MOST_STATES; mu++)
    total *= (size_t)r->bound[mu] + 1;
  return total;
}

bool bperc_i_states_fit(const bperc_i_residual *r) {
  return bperc_i_word_popcount(r->open) >= FEW_WEIGHTS &&
         states_of(r) <= MOST_STATES;
}

/* The state after column j is set to 1; SIZE_MAX when that is not allowed. */
static size_t after_one(const bperc_i_residual *r, size_t j, size_t state) {
  size_t stride = 1, next = state, rest = state;
  for (size_t mu = 0; mu < r->m; mu++) {
    size_t radix = (size_t)r->bound[mu] + 1, digit = rest % radix;
    rest /= radix;
    if (r->mask[mu] >> j & 1) {
      if (digit > 0)
        next -= stride;
      else if (!r->label[mu])
        return SIZE_MAX;
    }
    stride *= radix;
  }
  return next;
}

/* Whether no label-1 pattern needs more. */
static bool content(const bperc_i_residual *r, size_t state) {
  bool all = true;
  for (size_t mu = 0; mu < r->m; mu++) {
    size_t radix = (size_t)r->bound[mu] + 1;
    all = all && (!r->label[mu] || state % radix == 0);
    state /= radix;
  }
  return all;
}

bperc_status bperc_i_states_count(const bperc_i_residual *r,
                                  bperc_i_word *count) {
  size_t total = states_of(r);
  bperc_i_word *ways = bperc_i_calloc(total, sizeof *ways);
  bperc_i_word bound = 0;
  if (!ways)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < r->m; mu++)
    bound |= r->mask[mu];
  ways[total - 1] = 1;
  for (size_t j = 0; j < r->columns; j++)
    for (size_t state = 0; state < total && (bound >> j & 1); state++) {
      size_t next = ways[state] ? after_one(r, j, state) : SIZE_MAX;
      if (next != SIZE_MAX)
        ways[next] += ways[state];
    }
  *count = 0;
  for (size_t state = 0; state < total; state++)
    if (content(r, state))
      *count += ways[state];
  bperc_i_free(ways);
  return BPERC_OK;
}
