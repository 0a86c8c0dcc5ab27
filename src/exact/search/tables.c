/* Tables of the search: tables.h. Most are small dynamic programmes that walk
 * the positions backwards. */
#include "exact/search/tables.h"

#include "base/alloc.h"
#include "exact/search/residual.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the last weights ---- */

void bperc_i_leaf_join(bperc_i_leaf *to, const bperc_i_leaf *from,
                       size_t digit) {
  assert(digit < BPERC_I_TAIL);
  if (digit < 6)
    (*to)[0] |= (*from)[0] << (1u << digit);
  else if (digit == 6)
    (*to)[1] |= (*from)[0];
  else {
    (*to)[2] |= (*from)[0];
    (*to)[3] |= (*from)[1];
  }
}

void bperc_i_tail_init(bperc_i_search_tail *t, const bperc_i_word *bit,
                       size_t count) {
  assert(count <= BPERC_I_TAIL);
  t->valid = (bperc_i_leaf){1, 0, 0, 0};
  t->word[0] = 0;
  for (size_t digit = 0; digit < count; digit++) {
    size_t half = (size_t)1 << digit;
    bperc_i_leaf from = t->valid;
    bperc_i_leaf_join(&t->valid, &from, digit);
    for (size_t k = 0; k < half; k++)
      t->word[half + k] = t->word[k] | bit[digit];
  }
}

/* ---- patterns with one sign ---- */

enum { MAX_STATES = 1 << 16 };
/* Groups of three want (cap + 1)^3 states each: above this many bytes of
 * gains, smaller groups prune nearly as well and stay in the cache. */
static const size_t gain_budget = (size_t)48 << 20;

/* A label-0 pattern inside its group: index = sum of slack * stride. */
typedef struct {
  size_t pattern, group, stride;
} member;

/* What is needed while building and not afterwards. */
typedef struct {
  const bperc_i_search_residual *r;
  bperc_i_plan *p;
  size_t zeros, ones; /* patterns of each label */
  size_t *one;        /* label-1 patterns */
  member *zero;
} builder;

/* ---- order of the weights ---- */

typedef struct {
  size_t zeros, ones, column;
} rank;

/* Weights in many patterns first, label 0 counting a little more: measured at
 * N = 50 and 60, a third fewer nodes than by label-0 patterns alone. */
static int by_rank(const void *left, const void *right) {
  const rank *a = left, *b = right;
  size_t x = 3 * a->zeros + 2 * a->ones, y = 3 * b->zeros + 2 * b->ones;
  if (x != y)
    return x < y ? 1 : -1;
  return a->column < b->column ? -1 : 1;
}

static void order_positions(builder *b, bperc_i_word which) {
  rank ranks[BPERC_I_WIDEST];
  size_t k = 0;
  for (size_t j = 0; j < b->r->columns; j++) {
    if (!(which >> j & 1))
      continue;
    ranks[k] = (rank){0, 0, j};
    for (size_t mu = 0; mu < b->r->m; mu++)
      if (b->r->mask[mu] >> j & 1)
        *(b->r->label[mu] ? &ranks[k].ones : &ranks[k].zeros) += 1;
    k++;
  }
  assert(k == b->p->positions);
  qsort(ranks, k, sizeof *ranks, by_rank);
  for (size_t i = 0; i < k; i++)
    b->p->bit[i] = bperc_i_word_bit(ranks[i].column);
}

/* ---- groups of label-0 patterns ---- */

static size_t pattern_states(const builder *b, size_t k) {
  return (size_t)b->r->bound[b->zero[k].pattern] + 1;
}

/* Cuts the label-0 patterns into groups of at most `most`; returns how many
 * states these have together. */
static size_t cut_groups(builder *b, size_t max) {
  bperc_i_plan *p = b->p;
  size_t total = 0, size = 0;
  p->groups = 0;
  for (size_t k = 0; k < b->zeros; k++) {
    size_t own = pattern_states(b, k);
    bool fits = p->groups > 0 && size < max &&
                p->states[p->groups - 1] * own <= MAX_STATES;
    if (!fits) {
      p->groups++;
      p->states[p->groups - 1] = 1;
      size = 0;
    }
    b->zero[k].group = p->groups - 1;
    b->zero[k].stride = p->states[p->groups - 1];
    p->states[p->groups - 1] *= own;
    assert(p->states[p->groups - 1] <= MAX_STATES);
    size++;
  }
  if (p->groups == 0) /* one group without patterns: gains by position alone */
    p->states[p->groups++] = 1;
  for (size_t g = 0; g < p->groups; g++) {
    p->offset[g] = total;
    total += p->states[g];
  }
  return total;
}

static void choose_groups(builder *b) {
  bperc_i_plan *p = b->p;
  size_t line = (p->head + 1) * p->need_words * sizeof(uint64_t);
  for (size_t max = 3; max >= 1; max--) {
    p->total_states = cut_groups(b, max);
    if (p->total_states * line <= gain_budget)
      break;
  }
  p->index_words = (p->groups + BPERC_I_PER_WORD - 1) / BPERC_I_PER_WORD;
}

/* ---- packing ---- */

static void choose_fields(builder *b) {
  bperc_i_plan *p = b->p;
  int max = 0;
  for (size_t k = 0; k < b->ones; k++)
    if (b->r->bound[b->one[k]] > max)
      max = b->r->bound[b->one[k]];
  p->field = max <= 7 ? 4 : 8;
  p->low = ~UINT64_C(0) / ((UINT64_C(1) << p->field) - 1);
  p->guard = p->low << (p->field - 1);
  size_t per_word = 64 / p->field;
  p->need_words = b->ones ? (b->ones + per_word - 1) / per_word : 1;
  p->need_bytes = (b->ones * p->field + 7) / 8;
}

static void put_field(const bperc_i_plan *p, uint64_t *words, size_t k,
                      uint64_t x) {
  size_t per_word = 64 / p->field;
  assert(x >> (p->field - 1) == 0); /* the guard bit stays free */
  words[k / per_word] |= x << (k % per_word * p->field);
}

static void put_index(uint64_t *words, size_t g, uint64_t x) {
  assert(x < MAX_STATES);
  words[g / BPERC_I_PER_WORD] |= x << (g % BPERC_I_PER_WORD * 16);
}

static void pack_columns(builder *b) {
  bperc_i_plan *p = b->p;
  for (size_t l = 0; l < p->positions; l++) {
    for (size_t k = 0; k < b->zeros; k++)
      if (b->r->mask[b->zero[k].pattern] & p->bit[l])
        p->delta[l * p->index_words + b->zero[k].group / BPERC_I_PER_WORD] +=
            (uint64_t)b->zero[k].stride
            << (b->zero[k].group % BPERC_I_PER_WORD * 16);
    for (size_t k = 0; k < b->ones; k++)
      if (b->r->mask[b->one[k]] & p->bit[l])
        put_field(p, p->column + l * p->need_words, k, 1);
  }
  for (size_t g = 0; g < p->groups; g++)
    put_index(p->start, g, p->states[g] - 1);
  for (size_t k = 0; k < b->ones; k++)
    put_field(p, p->start + p->index_words, k,
              (uint64_t)b->r->bound[b->one[k]]);
}

/* ---- which positions a state leaves no room for ---- */

static void fill_blocked(builder *b) {
  bperc_i_plan *p = b->p;
  for (size_t k = 0; k < b->zeros; k++) {
    bperc_i_word mask = 0;
    const member *z = &b->zero[k];
    for (size_t l = 0; l < p->positions; l++)
      if (b->r->mask[z->pattern] & p->bit[l])
        mask |= bperc_i_word_bit(l);
    bperc_i_word *blocked = p->blocked + p->offset[z->group];
    size_t own = pattern_states(b, k), period = z->stride * own;
    for (size_t s = 0; s < p->states[z->group]; s += period)
      for (size_t t = 0; t < z->stride; t++)
        blocked[s + t] |= mask;
  }
}

static inline size_t group_delta(const bperc_i_plan *p, size_t l, size_t g) {
  return p->delta[l * p->index_words + g / BPERC_I_PER_WORD] >>
             (g % BPERC_I_PER_WORD * 16) &
         0xffff;
}

/* ---- gains ---- */

static inline uint64_t fieldwise_max(const bperc_i_plan *p, uint64_t x,
                                     uint64_t y) {
  uint64_t above = ((x | p->guard) - y) & p->guard; /* x >= y */
  uint64_t pick = above - (above >> (p->field - 1));
  return (x & pick) | (y & ~pick);
}

/* One more where column is set, stopping at the largest value. */
static inline uint64_t fieldwise_add(const bperc_i_plan *p, uint64_t x,
                                     uint64_t column) {
  uint64_t full = (x + p->low) >> (p->field - 1) & p->low;
  return x + (column & ~full);
}

/* gain from position l on, given the one from l + 1 on; in place, downwards:
 * a state only looks at smaller ones. */
static void step_gain(const bperc_i_plan *p, size_t l, uint64_t *gain) {
  const uint64_t *column = p->column + l * p->need_words;
  size_t nw = p->need_words;
  for (size_t g = 0; g < p->groups; g++) {
    size_t delta = group_delta(p, l, g);
    uint64_t *own = gain + p->offset[g] * nw;
    const bperc_i_word *blocked = p->blocked + p->offset[g];
    for (size_t s = p->states[g]; s-- > 0;) {
      if (blocked[s] >> l & 1)
        continue;
      for (size_t k = 0; k < nw; k++) {
        uint64_t with = fieldwise_add(p, own[(s - delta) * nw + k], column[k]);
        own[s * nw + k] = fieldwise_max(p, own[s * nw + k], with);
      }
    }
  }
}

static void fill_gain(bperc_i_plan *p) {
  size_t line = p->total_states * p->need_words;
  uint64_t *last = p->gain + p->head * line;
  memset(last, 0, line * sizeof *last);
  for (size_t l = p->positions; l-- > p->head;)
    step_gain(p, l, last);
  for (size_t l = p->head; l-- > 0;) {
    memcpy(p->gain + l * line, p->gain + (l + 1) * line, line * sizeof *last);
    step_gain(p, l, p->gain + l * line);
  }
}

/* ---- truth tables of the tail ---- */

static void fill_leaf_slack(bperc_i_plan *p) {
  for (size_t s = 0; s < p->total_states; s++)
    p->leaf_slack[s] = (bperc_i_leaf){1, 0, 0, 0};
  for (size_t l = p->head; l < p->positions; l++)
    for (size_t g = 0; g < p->groups; g++) {
      size_t delta = group_delta(p, l, g);
      bperc_i_leaf *own = p->leaf_slack + p->offset[g];
      const bperc_i_word *blocked = p->blocked + p->offset[g];
      for (size_t s = p->states[g]; s-- > 0;)
        if (!(blocked[s] >> l & 1)) {
          bperc_i_leaf from = own[s - delta];
          bperc_i_leaf_join(&own[s], &from, l - p->head);
        }
    }
}

/* table[x]: tails that give the pattern at least x. */
static void need_tables(const builder *b, size_t pattern, bperc_i_leaf *table) {
  const bperc_i_plan *p = b->p;
  size_t bound = (size_t)b->r->bound[pattern];
  for (size_t x = 0; x <= bound; x++)
    table[x] = (bperc_i_leaf){x == 0, 0, 0, 0};
  for (size_t l = p->head; l < p->positions; l++) {
    size_t has = (b->r->mask[pattern] & p->bit[l]) != 0;
    for (size_t x = bound + 1; x-- > 0;) {
      bperc_i_leaf from = table[x > has ? x - has : 0];
      bperc_i_leaf_join(&table[x], &from, l - p->head);
    }
  }
}

static void fill_leaf_need(builder *b) {
  bperc_i_plan *p = b->p;
  bperc_i_leaf low[BPERC_I_WIDEST], high[BPERC_I_WIDEST];
  size_t step = 8 / p->field;
  for (size_t byte = 0; byte < p->need_bytes; byte++) {
    bperc_i_leaf *table = p->leaf_need + byte * BPERC_I_LEAF;
    size_t k = byte * step, first = (size_t)b->r->bound[b->one[k]], second = 0;
    need_tables(b, b->one[k], low);
    high[0] = p->tail.valid;
    if (step == 2 && k + 1 < b->ones) {
      second = (size_t)b->r->bound[b->one[k + 1]];
      need_tables(b, b->one[k + 1], high);
    }
    for (size_t y = 0; y <= second; y++)
      for (size_t x = 0; x <= first; x++)
        table[y << 4 | x] = low[x] & high[y];
  }
}

/* ---- together ---- */

static void sort_labels(builder *b) {
  for (size_t mu = 0; mu < b->r->m; mu++)
    if (b->r->label[mu])
      b->one[b->ones++] = mu;
    else
      b->zero[b->zeros++].pattern = mu;
}

static bperc_status allocate_tables(bperc_i_plan *p) {
  size_t line = p->total_states * p->need_words;
  p->gain = bperc_i_alloc((p->head + 1) * line, sizeof *p->gain);
  p->blocked = bperc_i_calloc(p->total_states, sizeof *p->blocked);
  p->leaf_slack = bperc_i_alloc(p->total_states, sizeof *p->leaf_slack);
  p->leaf_need =
      bperc_i_alloc(p->need_bytes * BPERC_I_LEAF + 1, sizeof *p->leaf_need);
  p->delta =
      bperc_i_calloc(p->positions * p->index_words + 1, sizeof *p->delta);
  p->column =
      bperc_i_calloc(p->positions * p->need_words + 1, sizeof *p->column);
  p->start = bperc_i_calloc(p->index_words + p->need_words, sizeof *p->start);
  bool all = p->gain && p->blocked && p->leaf_slack && p->leaf_need &&
             p->delta && p->column && p->start;
  return all ? BPERC_OK : BPERC_E_MEMORY;
}

bperc_status bperc_i_plan_init(bperc_i_plan *p,
                               const bperc_i_search_residual *r,
                               bperc_i_word which) {
  memset(p, 0, sizeof *p);
  bperc_status status = BPERC_E_MEMORY;
  builder b = {.r = r, .p = p};
  p->positions = (size_t)bperc_i_word_popcount(which);
  p->head = p->positions > BPERC_I_TAIL ? p->positions - BPERC_I_TAIL : 0;
  b.one = bperc_i_alloc(r->m + 1, sizeof *b.one);
  b.zero = bperc_i_calloc(r->m + 1, sizeof *b.zero);
  p->states = bperc_i_alloc(r->m + 1, sizeof *p->states);
  p->offset = bperc_i_alloc(r->m + 1, sizeof *p->offset);
  p->bit = bperc_i_alloc(p->positions + 1, sizeof *p->bit);
  if (!b.one || !b.zero || !p->states || !p->offset || !p->bit)
    goto done;
  sort_labels(&b);
  order_positions(&b, which);
  choose_fields(&b);
  choose_groups(&b);
  status = allocate_tables(p);
  if (status != BPERC_OK)
    goto done;
  pack_columns(&b);
  fill_blocked(&b);
  fill_gain(p);
  bperc_i_tail_init(&p->tail, p->bit + p->head, p->positions - p->head);
  fill_leaf_slack(p);
  fill_leaf_need(&b);
done:
  bperc_i_free(b.one);
  bperc_i_free(b.zero);
  if (status != BPERC_OK)
    bperc_i_plan_clear(p);
  return status;
}

void bperc_i_plan_clear(bperc_i_plan *p) {
  bperc_i_free(p->states);
  bperc_i_free(p->offset);
  bperc_i_free(p->bit);
  bperc_i_free(p->gain);
  bperc_i_free(p->blocked);
  bperc_i_free(p->leaf_slack);
  bperc_i_free(p->leaf_need);
  bperc_i_free(p->delta);
  bperc_i_free(p->column);
  bperc_i_free(p->start);
  memset(p, 0, sizeof *p);
}

/* ---- signed patterns ---- */

static size_t loss_of(const bperc_i_search_row *x, bperc_i_word bit,
                      size_t value) {
  size_t size = (x->once & bit) ? 1 : (x->twice & bit) ? 2 : 0;
  return ((x->at & bit) != 0) == value ? size : 0;
}

void bperc_i_rows_losses(const bperc_i_search_row *rows, size_t count,
                         bperc_i_word bit, size_t value, int8_t *loss) {
  for (size_t k = 0; k < count; k++)
    loss[k] = (int8_t)loss_of(&rows[k], bit, value);
}

/* One more weight at a time. */
void bperc_i_row_leaf(const bperc_i_search_row *x, const bperc_i_word *bit,
                      size_t count, bperc_i_leaf out[BPERC_I_TAIL + 1]) {
  for (size_t s = 0; s <= BPERC_I_TAIL; s++)
    out[s] = (bperc_i_leaf){1, 0, 0, 0};
  for (size_t digit = 0; digit < count; digit++) {
    size_t zero = loss_of(x, bit[digit], 0), one = loss_of(x, bit[digit], 1);
    for (size_t s = BPERC_I_TAIL + 1; s-- > 0;) {
      bperc_i_leaf none = {0, 0, 0, 0};
      bperc_i_leaf with = s >= one ? out[s - one] : none;
      out[s] = s >= zero ? out[s - zero] : none;
      bperc_i_leaf_join(&out[s], &with, digit);
    }
  }
}

static void fill_slack_tables(bperc_i_slack_plan *p,
                              const bperc_i_search_row *rows, size_t count) {
  size_t width = p->vectors * BPERC_I_LANES;
  int8_t *start = (int8_t *)p->start, *loss = (int8_t *)p->loss;
  memset(start, BPERC_I_MAX_SLACK, width);
  memset(loss, 0, 2 * p->head * width);
  for (size_t k = 0; k < count; k++)
    start[k] = (int8_t)rows[k].slack;
  for (size_t l = 0; l < 2 * p->head; l++)
    bperc_i_rows_losses(rows, count, p->bit[l / 2], l % 2, loss + l * width);
  for (size_t mu = 0; mu < p->patterns; mu++)
    bperc_i_row_leaf(&rows[mu], p->bit + p->head, p->positions - p->head,
                     p->leaf + mu * (BPERC_I_TAIL + 1));
}

static bperc_status allocate_slacks(bperc_i_slack_plan *p, size_t rows) {
  p->vectors = (rows + BPERC_I_LANES - 1) / BPERC_I_LANES;
  p->start = bperc_i_alloc(p->vectors + 1, sizeof *p->start);
  p->loss = bperc_i_alloc(2 * p->head * p->vectors + 1, sizeof *p->loss);
  p->leaf =
      bperc_i_alloc(p->patterns * (BPERC_I_TAIL + 1) + 1, sizeof *p->leaf);
  return p->start && p->loss && p->leaf ? BPERC_OK : BPERC_E_MEMORY;
}

bperc_status bperc_i_slack_plan_init(bperc_i_slack_plan *p,
                                     const bperc_i_search_residual *r,
                                     bperc_i_word which) {
  bperc_i_search_row *rows = NULL;
  size_t count;
  memset(p, 0, sizeof *p);
  p->patterns = r->m;
  p->positions = (size_t)bperc_i_word_popcount(which);
  p->head = p->positions > BPERC_I_TAIL ? p->positions - BPERC_I_TAIL : 0;
  p->bit = bperc_i_alloc(p->positions + 1, sizeof *p->bit);
  bperc_status status =
      p->bit ? bperc_i_rows_make(r, &rows, &count) : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = allocate_slacks(p, count);
  if (status == BPERC_OK) {
    bperc_i_rows_order(r, which, p->bit);
    bperc_i_tail_init(&p->tail, p->bit + p->head, p->positions - p->head);
    fill_slack_tables(p, rows, count);
  }
  bperc_i_free(rows);
  if (status != BPERC_OK)
    bperc_i_slack_plan_clear(p);
  return status;
}

void bperc_i_slack_plan_clear(bperc_i_slack_plan *p) {
  bperc_i_free(p->bit);
  bperc_i_free(p->start);
  bperc_i_free(p->loss);
  bperc_i_free(p->leaf);
  memset(p, 0, sizeof *p);
}
