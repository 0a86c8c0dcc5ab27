/* The plain sweep [BZ app. G]: all 2^columns configurations in the order of a
 * Gray code, one flip and one update of all sums at a time. It shares nothing
 * with the search and is its reference. */
#include "base/alloc.h"
#include "exact/search/search.h"

#include <assert.h>

enum { MAX_COLUMNS = 48, FIRST_ALLOCATED = 1 << 10 };

typedef struct {
  size_t m, columns;
  int32_t *sum, *low, *high; /* per pattern: hits and what they may be */
  int32_t *flip;             /* columns x m: inputs -1, 0, 1 */
  uint32_t *column;
  uint64_t *list;
  size_t allocated;
} sweep;

/* The input itself: -1, 0 or +1. */
static int32_t gray_input(const bperc_instance *in, size_t mu, size_t i) {
  size_t k = mu * in->words + i / 64;
  if (in->inputs == BPERC_INPUTS_SIGNED && !(in->support[k] >> i % 64 & 1))
    return 0;
  if (in->patterns[k] >> i % 64 & 1)
    return 1;
  return in->inputs == BPERC_INPUTS_01 ? 0 : -1;
}

/* Hits when the weights that are not fixed are 0, and what flips change. */
static void sweep_pattern(sweep *g, const bperc_instance *in,
                          const int8_t *fixed, size_t mu) {
  int64_t n = (int64_t)in->n, bound = bperc_instance_bound(in, mu);
  bound = bound > n + 1 ? n + 1 : bound < -1 ? -1 : bound;
  g->low[mu] = in->labels[mu] ? (int32_t)bound : INT32_MIN;
  g->high[mu] = in->labels[mu] ? INT32_MAX : (int32_t)bound;
  for (size_t i = 0; i < in->n; i++) {
    int32_t x = gray_input(in, mu, i), one = fixed && fixed[i] == 1;
    g->sum[mu] += one ? x > 0 : x < 0;
  }
  for (size_t j = 0; j < g->columns; j++)
    g->flip[j * in->m + mu] = gray_input(in, mu, g->column[j]);
}

static bperc_status sweep_init(sweep *g, const bperc_instance *in,
                               const int8_t *fixed, bperc_error *error) {
  g->m = in->m;
  g->column = bperc_i_alloc(in->n + 1, sizeof *g->column);
  if (!g->column)
    return BPERC_E_MEMORY;
  for (size_t i = 0; i < in->n; i++)
    if (!fixed || fixed[i] < 0)
      g->column[g->columns++] = (uint32_t)i;
  if (g->columns > MAX_COLUMNS)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "a sweep over 2^%zu configurations never ends: use "
                           "the search, or fix weights down to %d",
                           g->columns, MAX_COLUMNS);
  g->sum = bperc_i_calloc(in->m + 1, sizeof *g->sum);
  g->low = bperc_i_alloc(in->m + 1, sizeof *g->low);
  g->high = bperc_i_alloc(in->m + 1, sizeof *g->high);
  g->flip = bperc_i_alloc(g->columns * in->m + 1, sizeof *g->flip);
  if (!g->sum || !g->low || !g->high || !g->flip)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < in->m; mu++)
    sweep_pattern(g, in, fixed, mu);
  return BPERC_OK;
}

static void sweep_clear(sweep *g) {
  bperc_i_free(g->column);
  bperc_i_free(g->sum);
  bperc_i_free(g->low);
  bperc_i_free(g->high);
  bperc_i_free(g->flip);
}

static bool sums_hold(const sweep *g) {
  int bad = 0;
  for (size_t mu = 0; mu < g->m; mu++)
    bad |= (g->sum[mu] < g->low[mu]) | (g->sum[mu] > g->high[mu]);
  return !bad;
}

static void flip_column(sweep *g, size_t j, int sign) {
  const int32_t *x = g->flip + j * g->m;
  if (sign > 0)
    for (size_t mu = 0; mu < g->m; mu++)
      g->sum[mu] += x[mu];
  else
    for (size_t mu = 0; mu < g->m; mu++)
      g->sum[mu] -= x[mu];
}

static bool keep_word(sweep *g, size_t count, uint64_t word) {
  assert(count <= g->allocated);
  if (count == g->allocated) {
    size_t allocated = g->allocated ? 2 * g->allocated : FIRST_ALLOCATED;
    uint64_t *list = bperc_i_realloc(g->list, g->allocated * sizeof *list,
                                     allocated * sizeof *list);
    if (!list)
      return false;
    g->list = list;
    g->allocated = allocated;
  }
  g->list[count] = word;
  return true;
}

bperc_status bperc_i_gray(const bperc_instance *in, const int8_t *fixed,
                          uint64_t limit, bool keep, uint64_t *count,
                          uint64_t **list, bperc_error *error) {
  sweep g = {0};
  uint64_t word = 0, found = 0;
  bperc_status status = sweep_init(&g, in, fixed, error);
  uint64_t last = status == BPERC_OK ? UINT64_C(1) << g.columns : 0;
  for (uint64_t t = 1; status == BPERC_OK && found <= limit; t++) {
    if (sums_hold(&g)) {
      if (keep && found < limit && !keep_word(&g, found, word))
        status = BPERC_E_MEMORY;
      found++;
    }
    if (t == last)
      break;
    size_t j = (size_t)__builtin_ctzll(t);
    word ^= UINT64_C(1) << j;
    flip_column(&g, j, word >> j & 1 ? 1 : -1);
    if (t % (1 << 24) == 0 && bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  assert(found <= limit || found == limit + 1);
  *count = found;
  sweep_clear(&g);
  if (status == BPERC_OK && keep)
    *list = g.list;
  else
    bperc_i_free(g.list);
  return status;
}
