/* Tables of the search for signed patterns: slack.h. */
#include "exact/slack.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_SLACK = INT8_MAX,
  MOST_PAIRED = 256, /* the tightest patterns, whose pairs are looked at */
  MOST_PAIRS = 1024  /* the tightest pairs, which are used */
};

/* sum over columns of `once` and twice those of `twice` where the weight is
 * as `at` says, at most slack. */
typedef struct {
  bperc_i_word once, twice, at;
  int slack;
  double tightness; /* (mean loss - slack) / its standard deviation */
  size_t number;    /* decides between equals */
} row;

typedef struct {
  const bperc_i_residual *r;
  bperc_i_slack_plan *p;
  row *rows; /* patterns, then pairs */
  size_t count;
} builder;

/* For weights that are fair coins. */
static void weigh_row(row *x) {
  double once = bperc_i_word_popcount(x->once);
  double twice = bperc_i_word_popcount(x->twice);
  double deviation = sqrt(once + 4 * twice) / 2;
  x->tightness = ((once + 2 * twice) / 2 - x->slack) / (deviation + 1e-9);
}

/* A literal is lost where the weight is `at`: label 1 loses those off. */
static row pattern_row(const bperc_i_residual *r, size_t mu) {
  int size = bperc_i_word_popcount(r->mask[mu]), bound = r->bound[mu];
  row x = {.once = r->mask[mu]};
  x.at = r->label[mu] ? ~r->sign[mu] & x.once : r->sign[mu];
  x.slack = r->label[mu] ? size - bound : bound;
  assert(x.slack > 0 && x.slack < size);
  weigh_row(&x);
  return x;
}

static row pair_row(const row *a, const row *b) {
  bperc_i_word both = a->once & b->once, apart = a->at ^ b->at;
  row x = {.once = a->once ^ b->once, .twice = both & ~apart};
  x.at = (x.once & (a->at | b->at)) | (x.twice & a->at);
  x.slack = a->slack + b->slack - bperc_i_word_popcount(both & apart);
  if (!x.once) { /* twice a pattern */
    x.once = x.twice;
    x.twice = 0;
    x.slack = x.slack < 0 ? -1 : x.slack / 2;
  }
  if (x.slack < 0)
    x.slack = -1; /* no solution at all */
  weigh_row(&x);
  return x;
}

static int by_tightness(const void *left, const void *right) {
  const row *a = left, *b = right;
  if (a->tightness != b->tightness)
    return a->tightness > b->tightness ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

static void number_rows(row *rows, size_t count) {
  for (size_t k = 0; k < count; k++)
    rows[k].number = k;
}

static bool useful(const row *x) {
  int most =
      bperc_i_word_popcount(x->once) + 2 * bperc_i_word_popcount(x->twice);
  return x->slack < most && x->slack <= MOST_SLACK;
}

static bperc_status make_rows(builder *b) {
  size_t m = b->r->m, paired = m < MOST_PAIRED ? m : MOST_PAIRED;
  b->rows = bperc_i_alloc(m + paired * paired / 2 + 1, sizeof *b->rows);
  if (!b->rows)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < m; mu++)
    b->rows[mu] = pattern_row(b->r, mu);
  number_rows(b->rows, m);
  qsort(b->rows, m, sizeof *b->rows, by_tightness);
  b->count = m;
  for (size_t k = 0; k < paired; k++)
    for (size_t l = 0; l < k; l++) {
      row x = pair_row(&b->rows[k], &b->rows[l]);
      if (useful(&x))
        b->rows[b->count++] = x;
    }
  number_rows(b->rows + m, b->count - m);
  qsort(b->rows + m, b->count - m, sizeof *b->rows, by_tightness);
  if (b->count > m + MOST_PAIRS)
    b->count = m + MOST_PAIRS;
  return BPERC_OK;
}

/* ---- order of the weights ---- */

typedef struct {
  double score;
  size_t column;
} rank;

static int by_score(const void *left, const void *right) {
  const rank *a = left, *b = right;
  if (a->score != b->score)
    return a->score > b->score ? -1 : 1;
  return a->column < b->column ? -1 : 1;
}

/* Weights in many patterns first. */
static void order_positions(builder *b, bperc_i_word which) {
  rank ranks[BPERC_I_WIDEST];
  size_t k = 0;
  for (size_t j = 0; j < b->r->columns; j++) {
    if (!(which >> j & 1))
      continue;
    ranks[k] = (rank){0, j};
    for (size_t mu = 0; mu < b->r->m; mu++)
      ranks[k].score += (double)(b->rows[mu].once >> j & 1);
    k++;
  }
  qsort(ranks, k, sizeof *ranks, by_score);
  for (size_t l = 0; l < k; l++)
    b->p->bit[l] = bperc_i_word_bit(ranks[l].column);
}

/* ---- tables ---- */

static int loss_of(const row *x, bperc_i_word bit, size_t value) {
  int size = (x->once & bit) ? 1 : (x->twice & bit) ? 2 : 0;
  return ((x->at & bit) != 0) == value ? size : 0;
}

static void fill_losses(builder *b) {
  bperc_i_slack_plan *p = b->p;
  size_t width = p->vectors * BPERC_I_LANES;
  int8_t *start = (int8_t *)p->start, *loss = (int8_t *)p->loss;
  memset(start, MOST_SLACK, width);
  for (size_t k = 0; k < b->count; k++)
    start[k] = (int8_t)b->rows[k].slack;
  memset(loss, 0, 2 * p->head * width);
  for (size_t l = 0; l < p->head; l++)
    for (size_t value = 0; value < 2; value++)
      for (size_t k = 0; k < b->count; k++)
        loss[(2 * l + value) * width + k] =
            (int8_t)loss_of(&b->rows[k], p->bit[l], value);
}

/* own[s]: tails that lose at most s; one more weight at a time. */
static void fill_leaf(builder *b, size_t mu) {
  bperc_i_slack_plan *p = b->p;
  bperc_i_leaf *own = p->leaf + mu * (BPERC_I_TAIL + 1);
  for (size_t s = 0; s <= BPERC_I_TAIL; s++)
    own[s] = (bperc_i_leaf){1, 0, 0, 0};
  for (size_t l = p->head; l < p->positions; l++) {
    size_t zero = (size_t)loss_of(&b->rows[mu], p->bit[l], 0);
    size_t one = (size_t)loss_of(&b->rows[mu], p->bit[l], 1);
    for (size_t s = BPERC_I_TAIL + 1; s-- > 0;) {
      bperc_i_leaf none = {0, 0, 0, 0};
      bperc_i_leaf with = s >= one ? own[s - one] : none;
      own[s] = s >= zero ? own[s - zero] : none;
      bperc_i_leaf_join(&own[s], &with, l - p->head);
    }
  }
}

static bperc_status allocate(builder *b) {
  bperc_i_slack_plan *p = b->p;
  p->vectors = (b->count + BPERC_I_LANES - 1) / BPERC_I_LANES;
  p->start = bperc_i_alloc(p->vectors + 1, sizeof *p->start);
  p->loss = bperc_i_alloc(2 * p->head * p->vectors + 1, sizeof *p->loss);
  p->leaf =
      bperc_i_alloc(p->patterns * (BPERC_I_TAIL + 1) + 1, sizeof *p->leaf);
  return p->start && p->loss && p->leaf ? BPERC_OK : BPERC_E_MEMORY;
}

bperc_status bperc_i_slack_plan_init(bperc_i_slack_plan *p,
                                     const bperc_i_residual *r,
                                     bperc_i_word which) {
  builder b = {.r = r, .p = p};
  memset(p, 0, sizeof *p);
  p->patterns = r->m;
  p->positions = (size_t)bperc_i_word_popcount(which);
  p->head = p->positions > BPERC_I_TAIL ? p->positions - BPERC_I_TAIL : 0;
  p->bit = bperc_i_alloc(p->positions + 1, sizeof *p->bit);
  bperc_status status = p->bit ? make_rows(&b) : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = allocate(&b);
  if (status == BPERC_OK) {
    order_positions(&b, which);
    bperc_i_tail_init(&p->tail, p->bit + p->head, p->positions - p->head);
    fill_losses(&b);
    for (size_t mu = 0; mu < r->m; mu++)
      fill_leaf(&b, mu);
  }
  bperc_i_free(b.rows);
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
