/* The least number of violated patterns: least.h. */
#include "exact/search/least.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "base/options.h"
#include "exact/search/residual.h"
#include "exact/search/tables.h"
#include "model/bit_rows.h"

#include <string.h>

enum {
  PLANES = 64, /* binary digits of a cost */
  RESTARTS = 4,
  FLIPS = 40, /* of the local search, per weight */
  PAUSE = 1 << 12
};

typedef struct {
  bperc_i_word word;
  uint64_t floor; /* no descendant costs less */
  uint64_t level;
  bperc_i_lanes slack[];
} node;

struct bperc_i_least {
  const bperc_instance *in;
  bperc_i_search_residual r;
  bperc_i_search_row *rows;
  size_t patterns, count;   /* rows: patterns, then pairs */
  size_t vectors, pairs_at; /* lanes; pairs start at this vector */
  size_t positions, head;   /* of the search */
  bperc_i_word bit[BPERC_I_WIDEST];
  bperc_i_lanes *loss; /* [2 * head][vectors] */
  bperc_i_leaf *leaf;  /* [patterns][BPERC_I_TAIL + 1] */
  bperc_i_search_tail tail;
  uint64_t *cost;      /* of the patterns in rows */
  uint64_t fixed_cost; /* cost of patterns that nothing satisfies */
  uint64_t *excluded;  /* scratch: patterns of the matching */
  char *stack;
  size_t node_size, height;
  uint64_t best, root_floor, nodes;
  bool found;
  uint64_t *weights;
};

/* ---- costs of configurations ---- */

/* Literals of pattern k lost beyond its slack; not positive: satisfied. */
static int excess(const bperc_i_least *l, size_t k, bperc_i_word word) {
  const bperc_i_search_row *x = &l->rows[k];
  return bperc_i_word_popcount(x->once & ~(word ^ x->at)) - x->slack;
}

static uint64_t cost_of_word(const bperc_i_least *l, bperc_i_word word) {
  uint64_t cost = l->fixed_cost;
  for (size_t k = 0; k < l->patterns; k++)
    cost += excess(l, k, word) > 0 ? l->cost[k] : 0;
  return cost;
}

static void keep_cheapest(bperc_i_least *l, bperc_i_word word, uint64_t cost) {
  assert(cost < l->best);
  BPERC_I_CHECK(cost == cost_of_word(l, word));
  l->best = cost;
  l->found = true;
  for (size_t i = 0; i < l->in->n; i++)
    bperc_i_bit_set(l->weights, i, l->r.given[i] == 1);
  for (size_t j = 0; j < l->r.columns; j++)
    bperc_i_bit_set(l->weights, l->r.column[j], (int)(word >> j & 1));
}

/* ---- local search for a first answer ---- */

/* Cost, then how far patterns are violated. */
static double penalty(const bperc_i_least *l, bperc_i_word word,
                      uint64_t *cost) {
  double far = 0;
  *cost = l->fixed_cost;
  for (size_t k = 0; k < l->patterns; k++) {
    int e = excess(l, k, word);
    *cost += e > 0 ? l->cost[k] : 0;
    far += e > 0 ? e : 0;
  }
  return (double)*cost + far / (1 + far);
}

/* A violated pattern drawn at random; SIZE_MAX when there is none. */
static size_t draw_violated_row(const bperc_i_least *l, bperc_i_word word,
                                bperc_stream *s) {
  size_t chosen = SIZE_MAX, seen = 0;
  for (size_t k = 0; k < l->patterns; k++)
    if (excess(l, k, word) > 0 && bperc_stream_below(s, ++seen) == 0)
      chosen = k;
  return chosen;
}

/* Flips the lost literal of pattern k that helps most, or a random one. */
static bperc_i_word mend(const bperc_i_least *l, size_t k, bperc_i_word word,
                         bperc_stream *s) {
  bperc_i_word lost = l->rows[k].once & ~(word ^ l->rows[k].at), best = word;
  bool random = bperc_stream_below(s, 8) == 0;
  size_t pick = bperc_stream_below(s, (size_t)bperc_i_word_popcount(lost));
  double min = 0;
  for (bperc_i_word rest = lost; rest; rest &= rest - 1, pick--) {
    bperc_i_word next = word ^ (rest & -rest);
    uint64_t cost;
    double p = random ? (pick == 0 ? -1 : 1) : penalty(l, next, &cost);
    if (best == word || p < min) {
      best = next;
      min = p;
    }
  }
  return best;
}

static void search_locally(bperc_i_least *l) {
  size_t flips = FLIPS * l->positions;
  for (uint64_t start = 0; start < RESTARTS && !bperc_cancelled(); start++) {
    bperc_stream s = bperc_stream_make(1, BPERC_FOR_LEAST_ERRORS, start);
    bperc_i_word word = 0;
    uint64_t cost;
    for (size_t k = 0; k < l->positions; k++)
      if (bperc_stream_below(&s, 2))
        word |= l->bit[k];
    for (size_t t = 0; t <= flips; t++) {
      penalty(l, word, &cost);
      if (cost < l->best)
        keep_cheapest(l, word, cost);
      size_t k = draw_violated_row(l, word, &s);
      if (k == SIZE_MAX)
        return;
      word = mend(l, k, word, &s);
    }
  }
}

/* ---- bounds ---- */

static inline uint32_t negative_lanes(const bperc_i_lanes *x) {
  uint32_t mask = 0;
  const int8_t *lane = (const int8_t *)x;
#if defined(__SSE2__)
  typedef char half __attribute__((vector_size(16)));
  half low, high;
  memcpy(&low, lane, 16);
  memcpy(&high, lane + 16, 16);
  mask = (uint32_t)__builtin_ia32_pmovmskb128(low) |
         (uint32_t)__builtin_ia32_pmovmskb128(high) << 16;
#else
  for (size_t k = 0; k < BPERC_I_LANES; k++)
    mask |= (uint32_t)(lane[k] < 0) << k;
#endif
  return mask;
}

/* Cost of the violated patterns, which are marked. */
static uint64_t cost_of_violated(const bperc_i_least *l,
                                 const bperc_i_lanes *slack) {
  uint64_t sum = l->fixed_cost;
  memset(l->excluded, 0, (l->patterns / 64 + 1) * sizeof *l->excluded);
  for (size_t v = 0; v < l->pairs_at; v++) {
    uint32_t mask = negative_lanes(&slack[v]);
    l->excluded[v / 2] |= (uint64_t)mask << (v % 2 * 32);
    for (; mask; mask &= mask - 1)
      sum += l->cost[v * BPERC_I_LANES + (size_t)__builtin_ctz(mask)];
  }
  return sum;
}

/* Adds the pairs that exclude each other and have no pattern in common. */
static uint64_t floor_of(const bperc_i_least *l, const bperc_i_lanes *slack) {
  uint64_t sum = cost_of_violated(l, slack);
  for (size_t v = l->pairs_at; v < l->vectors && sum < l->best; v++)
    for (uint32_t mask = negative_lanes(&slack[v]); mask; mask &= mask - 1) {
      size_t lane = (v - l->pairs_at) * BPERC_I_LANES;
      const bperc_i_search_row *x =
          &l->rows[l->patterns + lane + (size_t)__builtin_ctz(mask)];
      if (bperc_i_bit(l->excluded, x->first) ||
          bperc_i_bit(l->excluded, x->second))
        continue;
      bperc_i_bit_set(l->excluded, x->first, 1);
      bperc_i_bit_set(l->excluded, x->second, 1);
      uint64_t a = l->cost[x->first], b = l->cost[x->second];
      sum += a < b ? a : b;
    }
  return sum;
}

/* ---- the tail ---- */

/* Adds cost to the numbers, one per configuration, where the bits are set;
 * what leaves the planes is marked in over. */
static void add_cost(bperc_i_leaf *plane, size_t planes, uint64_t cost,
                     const bperc_i_leaf *where, bperc_i_leaf *over) {
  for (size_t b = 0; cost >> b; b++) {
    bperc_i_leaf carry = *where;
    if (!(cost >> b & 1))
      continue;
    for (size_t k = b; k < planes; k++) {
      bperc_i_leaf both = plane[k] & carry;
      plane[k] ^= carry;
      carry = both;
    }
    *over |= carry;
  }
}

static bool any_tail_bit(const bperc_i_leaf *x) {
  return ((*x)[0] | (*x)[1] | (*x)[2] | (*x)[3]) != 0;
}

/* The smallest of the numbers, and where it is. */
static uint64_t smallest(const bperc_i_leaf *plane, size_t planes,
                         bperc_i_leaf *where) {
  uint64_t value = 0;
  for (size_t k = planes; k-- > 0;) {
    bperc_i_leaf zero = *where & ~plane[k];
    if (any_tail_bit(&zero))
      *where = zero;
    else
      value |= UINT64_C(1) << k;
  }
  return value;
}

static void visit_leaf(bperc_i_least *l, const node *x) {
  uint64_t budget =
      l->best - l->fixed_cost; /* costs from this on are of no use */
  size_t planes = 64 - (size_t)__builtin_clzll(budget);
  bperc_i_leaf plane[PLANES], over = {0}, valid = l->tail.valid;
  const int8_t *slack = (const int8_t *)x->slack;
  assert(budget > 0 && planes <= PLANES);
  memset(plane, 0, planes * sizeof *plane);
  for (size_t mu = 0; mu < l->patterns; mu++) {
    size_t s = slack[mu] < BPERC_I_TAIL ? (size_t)slack[mu] : BPERC_I_TAIL;
    bperc_i_leaf bad = valid;
    if (slack[mu] >= 0)
      bad = valid & ~l->leaf[mu * (BPERC_I_TAIL + 1) + s];
    add_cost(plane, planes, l->cost[mu], &bad, &over);
  }
  bperc_i_leaf where = valid & ~over;
  uint64_t value =
      any_tail_bit(&where) ? smallest(plane, planes, &where) : budget;
  if (value >= budget)
    return;
  size_t j = 0;
  while (!where[j])
    j++;
  size_t t = 64 * j + (size_t)__builtin_ctzll(where[j]);
  keep_cheapest(l, x->word | l->tail.word[t], l->fixed_cost + value);
}

/* ---- the search ---- */

static node *least_node_at(const bperc_i_least *l, size_t k) {
  return (node *)(l->stack + k * l->node_size);
}

static void set_next_weight(const bperc_i_least *l, const node *from,
                            size_t value, node *to) {
  const bperc_i_lanes *loss = l->loss + (2 * from->level + value) * l->vectors;
  const bperc_i_lanes min = (bperc_i_lanes){0} - 1;
  for (size_t v = 0; v < l->vectors; v++) {
    bperc_i_lanes rest = from->slack[v] - loss[v];
    bperc_i_lanes low = (bperc_i_lanes)(rest < min);
    to->slack[v] = (rest & ~low) | (min & low);
  }
  to->word = from->word | (value ? l->bit[from->level] : 0);
  to->level = from->level + 1;
  to->floor = floor_of(l, to->slack);
}

static void swap_nodes(const bperc_i_least *l, node *a, node *b) {
  node *spare = least_node_at(l, l->positions + 2);
  memcpy(spare, a, l->node_size);
  memcpy(a, b, l->node_size);
  memcpy(b, spare, l->node_size);
}

/* Replaces the node on top by its children, the more promising uppermost. */
static void branch_least(bperc_i_least *l) {
  node *top = least_node_at(l, l->height - 1),
       *above = least_node_at(l, l->height);
  node *third = least_node_at(l, l->height + 1);
  set_next_weight(l, top, 0, above);
  set_next_weight(l, top, 1, third);
  if (above->floor < third->floor)
    swap_nodes(l, above, third);
  l->height--;
  for (node *x = above; x <= third; x = (node *)((char *)x + l->node_size))
    if (x->floor < l->best)
      memcpy(least_node_at(l, l->height++), x, l->node_size);
}

bool bperc_i_least_run(bperc_i_least *l, uint64_t nodes) {
  assert(l);
  for (uint64_t k = 0; k < nodes && l->height > 0; k++) {
    node *top = least_node_at(l, l->height - 1);
    assert(l->height <= l->positions + 1);
    l->nodes++;
    if (k % PAUSE == PAUSE - 1 && bperc_cancelled())
      return false;
    if (top->floor >= l->best) {
      l->height--;
    } else if (top->level < l->head) {
      branch_least(l);
    } else {
      visit_leaf(l, top);
      l->height--;
    }
  }
  return l->height == 0;
}

/* ---- making ---- */

static void set_costs(bperc_i_least *l, const uint32_t *cost) {
  uint64_t open = 0;
  for (size_t k = 0; k < l->patterns; k++) {
    l->cost[k] = cost ? cost[l->r.pattern[l->rows[k].number]] : 1;
    open += l->cost[k];
  }
  /* Patterns that are left out are satisfied or violated by any weights. */
  uint64_t *any_weights = l->weights;
  for (size_t i = 0; i < l->in->n; i++)
    bperc_i_bit_set(any_weights, i, l->r.given[i] == 1);
  for (size_t mu = 0, k = 0; mu < l->in->m; mu++) {
    if (k < l->patterns && l->r.pattern[k] == mu) {
      k++;
      continue;
    }
    int64_t hits = bperc_instance_hits(l->in, mu, any_weights);
    bool good = l->in->labels[mu] ? hits >= bperc_instance_bound(l->in, mu)
                                  : hits <= bperc_instance_bound(l->in, mu);
    l->fixed_cost += good ? 0 : cost ? cost[mu] : 1;
  }
  uint64_t all = l->fixed_cost + open + 1; /* weights of any cost are welcome */
  l->best = l->best < all ? l->best : all;
}

static bperc_status allocate_least(bperc_i_least *l) {
  size_t lanes = BPERC_I_LANES;
  l->pairs_at = (l->patterns + lanes - 1) / lanes;
  l->vectors = l->pairs_at + (l->count - l->patterns + lanes - 1) / lanes;
  l->node_size = sizeof(node) + l->vectors * sizeof(bperc_i_lanes);
  l->stack = bperc_i_alloc(l->positions + 4, l->node_size);
  l->loss = bperc_i_calloc(2 * l->head * l->vectors + 1, sizeof *l->loss);
  l->leaf =
      bperc_i_alloc(l->patterns * (BPERC_I_TAIL + 1) + 1, sizeof *l->leaf);
  l->cost = bperc_i_alloc(l->patterns + 1, sizeof *l->cost);
  l->excluded = bperc_i_alloc(l->pairs_at + 2, sizeof *l->excluded);
  bool all = l->stack && l->loss && l->leaf && l->cost && l->excluded;
  return all ? BPERC_OK : BPERC_E_MEMORY;
}

static void fill_least_tables(bperc_i_least *l) {
  size_t width = l->vectors * BPERC_I_LANES, pairs = l->pairs_at;
  for (size_t k = 0; k < 2 * l->head; k++) {
    int8_t *loss = (int8_t *)l->loss + k * width;
    bperc_i_rows_losses(l->rows, l->patterns, l->bit[k / 2], k % 2, loss);
    bperc_i_rows_losses(l->rows + l->patterns, l->count - l->patterns,
                        l->bit[k / 2], k % 2, loss + pairs * BPERC_I_LANES);
  }
  for (size_t mu = 0; mu < l->patterns; mu++)
    bperc_i_row_leaf(&l->rows[mu], l->bit + l->head, l->positions - l->head,
                     l->leaf + mu * (BPERC_I_TAIL + 1));
}

static void place_root(bperc_i_least *l) {
  node *root = least_node_at(l, 0);
  int8_t *slack = (int8_t *)root->slack;
  memset(slack, BPERC_I_MAX_SLACK, l->vectors * BPERC_I_LANES);
  for (size_t k = 0; k < l->count; k++)
    slack[k < l->patterns ? k : k - l->patterns + l->pairs_at * BPERC_I_LANES] =
        (int8_t)l->rows[k].slack;
  root->word = 0;
  root->level = 0;
  uint64_t best = l->best;
  l->best = UINT64_MAX; /* the whole sum */
  root->floor = l->root_floor = floor_of(l, root->slack);
  l->best = best;
  l->height = 1;
}

bperc_status bperc_i_least_new(const bperc_instance *in, const int8_t *fixed,
                               const uint32_t *cost, uint64_t known,
                               bperc_i_least **out, bperc_error *error) {
  bperc_i_least *l = bperc_i_calloc(1, sizeof *l);
  *out = NULL;
  if (!l)
    return bperc_error_set(error, BPERC_E_MEMORY, "out of memory");
  l->in = in;
  l->best = known;
  bperc_status status = bperc_i_residual_plain(&l->r, in, fixed, error);
  if (status != BPERC_OK)
    goto done;
  l->positions = (size_t)bperc_i_word_popcount(l->r.open);
  l->head = l->positions > BPERC_I_TAIL ? l->positions - BPERC_I_TAIL : 0;
  l->patterns = l->r.m;
  l->weights = bperc_i_calloc(bperc_i_words(in->n) + 1, sizeof *l->weights);
  status = l->weights ? bperc_i_rows_make(&l->r, &l->rows, &l->count)
                      : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = allocate_least(l);
  if (status != BPERC_OK)
    goto done;
  bperc_i_rows_order(&l->r, l->r.open, l->bit);
  bperc_i_tail_init(&l->tail, l->bit + l->head, l->positions - l->head);
  set_costs(l, cost);
  fill_least_tables(l);
  place_root(l);
  search_locally(l);
done:
  if (status == BPERC_E_MEMORY)
    bperc_error_set(error, status, "not enough memory for the search");
  if (status == BPERC_OK)
    *out = l;
  else
    bperc_i_least_free(l);
  return status;
}

bperc_least_errors bperc_i_least_look(const bperc_i_least *l) {
  bool proven = l->height == 0;
  uint64_t floor = proven || l->root_floor > l->best ? l->best : l->root_floor;
  return (bperc_least_errors){.cost = l->best,
                              .floor = floor,
                              .found = l->found,
                              .proven = proven,
                              .nodes = l->nodes};
}

const uint64_t *bperc_i_least_weights(const bperc_i_least *l) {
  return l->found ? l->weights : NULL;
}

void bperc_i_least_free(bperc_i_least *l) {
  if (!l)
    return;
  bperc_i_residual_clear(&l->r);
  bperc_i_free(l->rows);
  bperc_i_free(l->stack);
  bperc_i_free(l->loss);
  bperc_i_free(l->leaf);
  bperc_i_free(l->cost);
  bperc_i_free(l->excluded);
  bperc_i_free(l->weights);
  bperc_i_free(l);
}

/* ---- in one call ---- */

bperc_status bperc_exact_least_errors(const bperc_instance *in,
                                      const bperc_least_options *asked,
                                      uint64_t *weights,
                                      bperc_least_errors *out,
                                      bperc_error *error) {
  bperc_least_options how;
  bperc_i_least *l;
  bperc_i_options_plain(sizeof how, asked, &how);
  uint64_t below = how.below ? how.below : UINT64_MAX;
  *out = (bperc_least_errors){.cost = below};
  bperc_status status = bperc_i_one_sided(&in, "the exact search", error);
  if (status == BPERC_OK && how.cost)
    status = bperc_i_no_band(in, "the least cost", error);
  if (status != BPERC_OK)
    return status;
  status = bperc_i_least_new(in, how.fixed, how.cost, below, &l, error);
  if (status != BPERC_OK)
    return status;
  bperc_i_least_run(l, how.max_nodes ? how.max_nodes : UINT64_MAX);
  *out = bperc_i_least_look(l);
  if (weights && out->found)
    memcpy(weights, bperc_i_least_weights(l),
           bperc_i_words(in->n) * sizeof *weights);
  bperc_i_least_free(l);
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED,
                           "interrupted: nothing is kept");
  return BPERC_OK;
}
