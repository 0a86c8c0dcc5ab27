/* What is left of an instance once some weights are fixed: residual.h. */
#include "exact/residual.h"

#include "base/alloc.h"
#include "model/hits.h"

#include <string.h>

/* Ones already fixed in a pattern, and weights of it still free. */
static void weigh(const bperc_instance *inst, const int8_t *value, size_t mu,
                  int64_t *ones, int64_t *open) {
  const uint64_t *xi = bperc_instance_pattern(inst, mu);
  *ones = *open = 0;
  for (size_t k = 0; k < inst->words; k++)
    for (uint64_t x = xi[k]; x; x &= x - 1) {
      int8_t v = value[64 * k + (size_t)__builtin_ctzll(x)];
      *ones += v == 1;
      *open += v == BPERC_I_FREE;
    }
}

static void force(const bperc_instance *inst, int8_t *value, size_t mu,
                  int8_t to) {
  const uint64_t *xi = bperc_instance_pattern(inst, mu);
  for (size_t k = 0; k < inst->words; k++)
    for (uint64_t x = xi[k]; x; x &= x - 1) {
      int8_t *v = &value[64 * k + (size_t)__builtin_ctzll(x)];
      if (*v == BPERC_I_FREE)
        *v = to;
    }
}

typedef enum { LOOSE, BINDING, FORCED, VIOLATED } verdict;

/* bound: how many of the open weights may (label 0) or must (label 1) be 1. */
static verdict judge(const bperc_instance *inst, const int8_t *value, size_t mu,
                     int64_t *bound) {
  int64_t ones, open;
  weigh(inst, value, mu, &ones, &open);
  if (inst->labels[mu]) {
    *bound = inst->bound[mu] - ones;
    if (*bound <= 0)
      return LOOSE;
    return *bound > open ? VIOLATED : *bound == open ? FORCED : BINDING;
  }
  *bound = inst->bound[mu] - ones;
  if (*bound < 0)
    return VIOLATED;
  return *bound >= open ? LOOSE : *bound == 0 ? FORCED : BINDING;
}

/* Forces weights until every pattern is loose or binding; counts the latter. */
static void propagate(bperc_i_residual *r, const bperc_instance *inst) {
  bool again = true;
  while (again && !r->contradiction) {
    again = false;
    r->m = 0;
    for (size_t mu = 0; mu < inst->m && !r->contradiction; mu++) {
      int64_t bound;
      verdict v = judge(inst, r->value, mu, &bound);
      r->m += v == BINDING;
      if (v == FORCED) {
        force(inst, r->value, mu, (int8_t)inst->labels[mu]);
        again = true;
      } else if (v == VIOLATED) {
        r->contradiction = true;
        r->culprit = mu;
      }
    }
  }
  if (r->contradiction)
    r->m = 0;
}

static bperc_status name_columns(bperc_i_residual *r, bperc_error *error) {
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
  return BPERC_OK;
}

static bperc_status keep_binding(bperc_i_residual *r,
                                 const bperc_instance *inst) {
  r->mask = bperc_i_calloc(r->m + 1, sizeof *r->mask);
  r->bound = bperc_i_calloc(r->m + 1, sizeof *r->bound);
  r->label = bperc_i_calloc(r->m + 1, sizeof *r->label);
  if (!r->mask || !r->bound || !r->label)
    return BPERC_E_MEMORY;
  size_t k = 0;
  for (size_t mu = 0; mu < inst->m && k < r->m; mu++) {
    int64_t bound;
    if (judge(inst, r->value, mu, &bound) != BINDING)
      continue;
    const uint64_t *xi = bperc_instance_pattern(inst, mu);
    for (size_t j = 0; j < r->columns; j++) {
      size_t i = r->column[j];
      if ((r->open >> j & 1) && (xi[i / 64] >> (i % 64) & 1))
        r->mask[k] |= bperc_i_word_bit(j);
    }
    r->bound[k] = (int)bound;
    r->label[k++] = inst->labels[mu];
  }
  return BPERC_OK;
}

bperc_status bperc_i_residual_init(bperc_i_residual *r,
                                   const bperc_instance *inst,
                                   const int8_t *given, bperc_error *error) {
  memset(r, 0, sizeof *r);
  r->n = inst->n;
  bperc_status status = bperc_i_only_01_inputs(inst, "exact search", error);
  if (status != BPERC_OK)
    return status;
  status = BPERC_E_MEMORY;
  r->given = bperc_i_alloc(inst->n + 1, sizeof *r->given);
  r->value = bperc_i_alloc(inst->n + 1, sizeof *r->value);
  if (!r->given || !r->value)
    goto done;
  for (size_t i = 0; i < inst->n; i++)
    r->value[i] = r->given[i] = given ? given[i] : BPERC_I_FREE;
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

void bperc_i_residual_clear(bperc_i_residual *r) {
  bperc_i_free(r->given);
  bperc_i_free(r->value);
  bperc_i_free(r->column);
  bperc_i_free(r->mask);
  bperc_i_free(r->bound);
  bperc_i_free(r->label);
  memset(r, 0, sizeof *r);
}
