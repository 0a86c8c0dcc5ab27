/* What is left of an instance once some weights are fixed: residual.h. */
#include "exact/search/residual.h"

#include "base/alloc.h"

#include <assert.h>
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
static void weigh(const bperc_instance *inst, const int8_t *value, size_t mu,
                  int64_t *on, int64_t *open) {
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
static void force(const bperc_instance *inst, int8_t *value, size_t mu,
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
static verdict judge(const bperc_instance *inst, const int8_t *value, size_t mu,
                     int64_t *bound) {
  int64_t on, open;
  weigh(inst, value, mu, &on, &open);
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
static void propagate(bperc_i_search_residual *r, const bperc_instance *inst) {
  bool again = true;
  while (again && !r->contradiction) {
    again = false;
    for (size_t mu = 0; mu < inst->m && !r->contradiction; mu++) {
      int64_t bound;
      verdict v = judge(inst, r->value, mu, &bound);
      if (v == FORCED) {
        force(inst, r->value, mu, inst->labels[mu]);
        again = true;
      } else if (v == VIOLATED) {
        r->contradiction = true;
        r->culprit = mu;
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
    r->m += open_verdict(judge(inst, r->value, mu, &bound));
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
    if (!open_verdict(judge(inst, r->value, mu, &bound)))
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
                                  const int8_t *given, bool force,
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
  if (force)
    propagate(r, inst);
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
