/* What is left of an instance once some weights are fixed, and its patterns as
 * bounds on losses: residual.h. */
#include "exact/search/residual.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The non-zero inputs among 64 of a pattern. */
static inline uint64_t support_word(const bperc_instance *inst, size_t mu,
                                    size_t k) {
  if (inst->inputs == BPERC_INPUTS_01)
    return bperc_instance_pattern(inst, mu)[k];
  if (inst->inputs == BPERC_INPUTS_SIGNED)
    return inst->support[mu * inst->words + k];
  size_t left = inst->n - 64 * k;
  return left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
}

/* Literals of a pattern that are on, and those that are open. */
static void weigh_literals(const bperc_instance *inst, const int8_t *value,
                           size_t mu, int64_t *on, int64_t *open) {
  const uint64_t *xi = bperc_instance_pattern(inst, mu);
  *on = *open = 0;
  for (size_t k = 0; k < inst->words; k++)
    for (uint64_t x = support_word(inst, mu, k); x; x &= x - 1) {
      size_t i = (size_t)__builtin_ctzll(x);
      int8_t v = value[64 * k + i];
      *on += v == (int8_t)(xi[k] >> i & 1);
      *open += v == BPERC_I_FREE;
    }
}

/* Sets the open literals of a pattern on or off. */
static void force_literals(const bperc_instance *inst, int8_t *value, size_t mu,
                           int on) {
  const uint64_t *xi = bperc_instance_pattern(inst, mu);
  for (size_t k = 0; k < inst->words; k++)
    for (uint64_t x = support_word(inst, mu, k); x; x &= x - 1) {
      size_t i = (size_t)__builtin_ctzll(x);
      int8_t *v = &value[64 * k + i];
      if (*v == BPERC_I_FREE)
        *v = (int8_t)((xi[k] >> i & 1) == (uint64_t)on);
    }
}

typedef enum { LOOSE, BINDING, FORCED, VIOLATED } verdict;

/* bound: how many open literals may (label 0) or must (label 1) be on. */
static verdict verdict_of(const bperc_instance *inst, const int8_t *value,
                          size_t mu, int64_t *bound) {
  int64_t on, open;
  weigh_literals(inst, value, mu, &on, &open);
  *bound = bperc_instance_bound(inst, mu) - on;
  if (inst->labels[mu]) {
    if (*bound <= 0)
      return LOOSE;
    return *bound > open ? VIOLATED : *bound == open ? FORCED : BINDING;
  }
  if (*bound < 0)
    return VIOLATED;
  return *bound >= open ? LOOSE : *bound == 0 ? FORCED : BINDING;
}

/* Whether the search has to look at a pattern. */
static bool open_verdict(verdict v) { return v == BINDING || v == FORCED; }

/* Forces weights until every pattern is loose or binding. */
static void propagate_forced(bperc_i_search_residual *r,
                             const bperc_instance *inst) {
  bool again = true;
  while (again && !r->contradiction) {
    again = false;
    for (size_t mu = 0; mu < inst->m && !r->contradiction; mu++) {
      int64_t bound;
      verdict v = verdict_of(inst, r->value, mu, &bound);
      if (v == FORCED) {
        force_literals(inst, r->value, mu, inst->labels[mu]);
        again = true;
      } else if (v == VIOLATED) {
        r->contradiction = true;
        r->conflicting_pattern = mu;
      }
    }
  }
}

static bperc_status name_columns(bperc_i_search_residual *r,
                                 bperc_error *error) {
  size_t asked = 0, open = 0;
  for (size_t i = 0; i < r->n; i++) {
    asked += r->given[i] == BPERC_I_FREE;
    open += r->value[i] == BPERC_I_FREE;
  }
  const int8_t *from = asked <= BPERC_I_WIDEST ? r->given : r->value;
  r->columns = from == r->given ? asked : open;
  if (r->columns > BPERC_I_WIDEST && r->contradiction)
    r->columns = 0;
  if (r->columns > BPERC_I_WIDEST)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu weights are free, exact search takes at most "
                           "%d: fix more of them",
                           r->columns, BPERC_I_WIDEST);
  r->column = bperc_i_alloc(r->columns + 1, sizeof *r->column);
  if (!r->column)
    return BPERC_E_MEMORY;
  size_t j = 0;
  for (size_t i = 0; i < r->n && j < r->columns; i++) {
    if (from[i] != BPERC_I_FREE)
      continue;
    if (r->value[i] == BPERC_I_FREE)
      r->open |= bperc_i_word_bit(j);
    else if (r->value[i] == 1)
      r->base |= bperc_i_word_bit(j);
    r->column[j++] = (uint32_t)i;
  }
  assert(j == r->columns && !(r->open & r->base));
  return BPERC_OK;
}

static bperc_status keep_binding(bperc_i_search_residual *r,
                                 const bperc_instance *inst) {
  int64_t bound;
  for (size_t mu = 0; mu < inst->m && !r->contradiction; mu++)
    r->m += open_verdict(verdict_of(inst, r->value, mu, &bound));
  r->mask = bperc_i_calloc(r->m + 1, sizeof *r->mask);
  r->sign = bperc_i_calloc(r->m + 1, sizeof *r->sign);
  r->bound = bperc_i_calloc(r->m + 1, sizeof *r->bound);
  r->label = bperc_i_calloc(r->m + 1, sizeof *r->label);
  r->pattern = bperc_i_calloc(r->m + 1, sizeof *r->pattern);
  if (!r->mask || !r->sign || !r->bound || !r->label || !r->pattern)
    return BPERC_E_MEMORY;
  size_t k = 0;
  r->monotone = true;
  for (size_t mu = 0; mu < inst->m && k < r->m; mu++) {
    if (!open_verdict(verdict_of(inst, r->value, mu, &bound)))
      continue;
    const uint64_t *xi = bperc_instance_pattern(inst, mu);
    for (size_t j = 0; j < r->columns; j++) {
      size_t i = r->column[j];
      if (!(r->open >> j & 1) ||
          !(support_word(inst, mu, i / 64) >> (i % 64) & 1))
        continue;
      r->mask[k] |= bperc_i_word_bit(j);
      if (xi[i / 64] >> (i % 64) & 1)
        r->sign[k] |= bperc_i_word_bit(j);
    }
    r->monotone = r->monotone && r->sign[k] == r->mask[k];
    assert(r->mask[k] && !(r->mask[k] & ~r->open));
    assert(bound >= 0 && bound <= bperc_i_word_popcount(r->mask[k]));
    r->bound[k] = (int)bound;
    r->pattern[k] = mu;
    r->label[k++] = inst->labels[mu];
  }
  assert(k == r->m);
  return BPERC_OK;
}

static bperc_status make_residual(bperc_i_search_residual *r,
                                  const bperc_instance *inst,
                                  const int8_t *given, bool force_literals,
                                  bperc_error *error) {
  memset(r, 0, sizeof *r);
  r->n = inst->n;
  bperc_status status = BPERC_E_MEMORY;
  r->given = bperc_i_alloc(inst->n + 1, sizeof *r->given);
  r->value = bperc_i_alloc(inst->n + 1, sizeof *r->value);
  if (!r->given || !r->value)
    goto done;
  for (size_t i = 0; i < inst->n; i++)
    r->value[i] = r->given[i] = given ? given[i] : BPERC_I_FREE;
  if (force_literals)
    propagate_forced(r, inst);
  status = name_columns(r, error);
  if (status == BPERC_OK)
    status = keep_binding(r, inst);
done:
  if (status == BPERC_E_MEMORY)
    bperc_error_set(error, status, "out of memory");
  if (status != BPERC_OK)
    bperc_i_residual_clear(r);
  return status;
}

bperc_status bperc_i_residual_init(bperc_i_search_residual *r,
                                   const bperc_instance *inst,
                                   const int8_t *given, bperc_error *error) {
  return make_residual(r, inst, given, true, error);
}

bperc_status bperc_i_residual_plain(bperc_i_search_residual *r,
                                    const bperc_instance *inst,
                                    const int8_t *given, bperc_error *error) {
  return make_residual(r, inst, given, false, error);
}

void bperc_i_residual_clear(bperc_i_search_residual *r) {
  bperc_i_free(r->given);
  bperc_i_free(r->value);
  bperc_i_free(r->column);
  bperc_i_free(r->mask);
  bperc_i_free(r->sign);
  bperc_i_free(r->bound);
  bperc_i_free(r->label);
  bperc_i_free(r->pattern);
  memset(r, 0, sizeof *r);
}

/* ---- patterns and sums of two as bounds on losses ---- */

enum {
  MAX_PAIRED = 256, /* the tightest patterns, whose pairs are looked at */
  MAX_PAIRS = 1024  /* the tightest pairs, which are used */
};

/* For weights that are fair coins. */
static void weigh_row(bperc_i_search_row *x) {
  double once = bperc_i_word_popcount(x->once);
  double twice = bperc_i_word_popcount(x->twice);
  double deviation = sqrt(once + 4 * twice) / 2;
  x->tightness = ((once + 2 * twice) / 2 - x->slack) / (deviation + 1e-9);
}

/* Label 1 loses literals that are off, label 0 those that are on. */
static bperc_i_search_row pattern_row(const bperc_i_search_residual *r,
                                      size_t mu) {
  int size = bperc_i_word_popcount(r->mask[mu]), bound = r->bound[mu];
  bperc_i_search_row x = {.once = r->mask[mu], .number = mu};
  x.at = r->label[mu] ? ~r->sign[mu] & x.once : r->sign[mu];
  x.slack = r->label[mu] ? size - bound : bound;
  assert(x.slack >= 0 && x.slack < size);
  weigh_row(&x);
  return x;
}

static bperc_i_search_row pair_row(const bperc_i_search_row *a,
                                   const bperc_i_search_row *b) {
  bperc_i_word both = a->once & b->once, apart = a->at ^ b->at;
  bperc_i_search_row x = {.once = a->once ^ b->once, .twice = both & ~apart};
  x.at = (x.once & (a->at | b->at)) | (x.twice & a->at);
  x.slack = a->slack + b->slack - bperc_i_word_popcount(both & apart);
  if (!x.once) { /* twice a pattern */
    x.once = x.twice;
    x.twice = 0;
    x.slack = x.slack < 0 ? -1 : x.slack / 2;
  }
  if (x.slack < 0)
    x.slack = -1; /* the two exclude each other */
  weigh_row(&x);
  return x;
}

static int by_tightness(const void *left, const void *right) {
  const bperc_i_search_row *a = left, *b = right;
  if (a->tightness != b->tightness)
    return a->tightness > b->tightness ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

static bool prunes_ever(const bperc_i_search_row *x) {
  int max =
      bperc_i_word_popcount(x->once) + 2 * bperc_i_word_popcount(x->twice);
  return x->slack < max && x->slack <= BPERC_I_MAX_SLACK;
}

bperc_status bperc_i_rows_make(const bperc_i_search_residual *r,
                               bperc_i_search_row **out, size_t *total) {
  size_t m = r->m, paired = m < MAX_PAIRED ? m : MAX_PAIRED, count = m;
  bperc_i_search_row *rows =
      bperc_i_alloc(m + paired * paired / 2 + 1, sizeof *rows);
  *out = rows;
  *total = 0;
  if (!rows)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < m; mu++)
    rows[mu] = pattern_row(r, mu);
  qsort(rows, m, sizeof *rows, by_tightness);
  for (size_t k = 0; k < paired; k++)
    for (size_t l = 0; l < k; l++) {
      bperc_i_search_row x = pair_row(&rows[k], &rows[l]);
      x.number = count;
      x.first = (uint16_t)l;
      x.second = (uint16_t)k;
      if (prunes_ever(&x))
        rows[count++] = x;
    }
  assert(count <= m + paired * paired / 2);
  qsort(rows + m, count - m, sizeof *rows, by_tightness);
  *total = count < m + MAX_PAIRS ? count : m + MAX_PAIRS;
  return BPERC_OK;
}

/* ---- order of the weights ---- */

typedef struct {
  size_t patterns, column;
} rank;

static int by_patterns(const void *left, const void *right) {
  const rank *a = left, *b = right;
  if (a->patterns != b->patterns)
    return a->patterns > b->patterns ? -1 : 1;
  return a->column < b->column ? -1 : 1;
}

void bperc_i_rows_order(const bperc_i_search_residual *r, bperc_i_word which,
                        bperc_i_word *bit) {
  rank ranks[BPERC_I_WIDEST];
  size_t count = 0;
  for (size_t j = 0; j < r->columns; j++) {
    if (!(which >> j & 1))
      continue;
    ranks[count] = (rank){0, j};
    for (size_t mu = 0; mu < r->m; mu++)
      ranks[count].patterns += (size_t)(r->mask[mu] >> j & 1);
    count++;
  }
  assert(count <= BPERC_I_WIDEST);
  qsort(ranks, count, sizeof *ranks, by_patterns);
  for (size_t l = 0; l < count; l++)
    bit[l] = bperc_i_word_bit(ranks[l].column);
}
