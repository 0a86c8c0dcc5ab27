/* What claims need of an experiment: the blocks of some of them, and the costly
 * results that neither they, nor formulas, nor pictures look at. */
#include "lab/verdict/judge.h"

#include "lab/base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int test_needs(const bperc_i_test *t, const char *name) {
  const bperc_i_table_source *sources[4];
  size_t count = bperc_i_test_sources(t, sources);
  for (size_t k = 0; k < count; k++)
    if (bperc_i_comes_from(sources[k]->table, name))
      return 1;
  return 0;
}

static int claims_need(const bperc_i_claim_list *list, const char *name) {
  for (size_t k = 0; k < list->count; k++)
    for (size_t t = 0; t < list->claims[k].count; t++)
      if (test_needs(&list->claims[k].tests[t], name))
        return 1;
  return 0;
}

/* By a claim, or by a table derived in section `next` or later: tables are
 * derived in the order of the plan. */
static int needed(const bperc_judge *j, const bperc_experiment *x,
                  const char *name, size_t next) {
  if (claims_need(&j->claims, name))
    return 1;
  for (size_t k = next; k < x->plan.count; k++) {
    const bperc_i_section *s = &x->plan.sections[k];
    if (strcmp(s->kind, "derive") == 0 &&
        bperc_i_comes_from(bperc_i_ini_get(s, "from", ""), name) &&
        needed(j, x, s->name, k + 1))
      return 1;
  }
  return 0;
}

/* ---- leaving out */

static int is_one_of(const char *id, const char *const *ids, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (strcasecmp(id, ids[k]) == 0)
      return 1;
  return 0;
}

static void keep_claims(bperc_i_claim_list *list, const char *const *ids,
                        size_t count) {
  size_t kept = 0;
  for (size_t k = 0; k < list->count; k++)
    if (is_one_of(list->claims[k].id, ids, count))
      list->claims[kept++] = list->claims[k];
    else
      bperc_i_claim_clear(&list->claims[k]);
  list->count = kept;
}

static void keep_blocks(const bperc_judge *j, bperc_experiment *x) {
  size_t kept = 0;
  for (size_t k = 0; k < x->block_count; k++)
    if (needed(j, x, x->blocks[k].name, 1))
      x->blocks[kept++] = x->blocks[k];
    else
      bperc_i_block_clear(&x->blocks[k]);
  x->block_count = kept;
}

/* Formulas of tables that are left out do no harm. */
static void keep_derived(const bperc_judge *j, bperc_experiment *x) {
  size_t kept = 1;
  for (size_t k = 1; k < x->plan.count; k++) {
    bperc_i_section *s = &x->plan.sections[k];
    if (strcmp(s->kind, "derive") || needed(j, x, s->name, k + 1))
      x->plan.sections[kept++] = *s;
    else
      bperc_free(s->entries);
  }
  x->plan.count = kept;
}

void bperc_judge_narrow(bperc_judge *j, bperc_experiment *x,
                        const char *const *ids, size_t count) {
  size_t all = j->claims.count;
  if (!all)
    return;
  keep_claims(&j->claims, ids, count);
  x->is_part = j->claims.count < all;
  if (!x->is_part)
    return;
  keep_derived(j, x);
  keep_blocks(j, x);
}

/* ---- costly results that nothing looks at */

/* Whether a formula or a list of names has this column, alone or with an
 * ending: "local3_sem". */
static int has_name(const char *text, const char *name) {
  size_t size = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at++) {
    char before = at > text ? at[-1] : ' ', after = at[size];
    if (!isalnum((unsigned char)after) && !isalnum((unsigned char)before) &&
        before != '_')
      return 1;
  }
  return 0;
}

static int has_condition(const bperc_i_filter *f, const char *name) {
  for (size_t k = 0; k < f->count; k++)
    if (strcmp(f->conditions[k].name, name) == 0)
      return 1;
  return 0;
}

/* Whether a test looks at a column of block b, or (".near") at that table. */
static int is_result_tested(const bperc_judge *j, const char *block,
                            const char *result) {
  for (size_t k = 0; k < j->claims.count; k++)
    for (size_t q = 0; q < j->claims.claims[k].count; q++) {
      const bperc_i_table_source *sources[4];
      const bperc_i_test *t = &j->claims.claims[k].tests[q];
      size_t count = bperc_i_test_sources(t, sources);
      for (size_t s = 0; s < count; s++)
        if (bperc_i_comes_from(sources[s]->table, block) &&
            (*result == '.'
                 ? strcmp(sources[s]->table + strlen(block), result) == 0
                 : strcmp(sources[s]->column, result) == 0 ||
                       has_condition(&sources[s]->where, result) ||
                       (t->x && strcmp(t->x, result) == 0)))
          return 1;
    }
  return 0;
}

/* Whether a formula, or a table derived from this one, needs it. */
static int is_computed_with(const bperc_experiment *x, const char *block,
                            const char *result) {
  for (size_t k = 1; k < x->plan.count; k++) {
    const bperc_i_section *s = &x->plan.sections[k];
    const char *from = strcmp(s->kind, "derive") == 0
                           ? bperc_i_ini_get(s, "from", "")
                       : strcmp(s->kind, "table") == 0 ? s->name
                                                       : "";
    if (!bperc_i_comes_from(from, block))
      continue;
    if (*result == '.' && strcmp(from + strlen(block), result) == 0)
      return 1;
    for (size_t e = 0; *result != '.' && e < s->count; e++)
      if (has_name(s->entries[e].value, result))
        return 1;
  }
  return 0;
}

static int is_looked_at(const bperc_judge *j, const bperc_experiment *x,
                        const bperc_i_block *b, const char *result) {
  char table[100];
  if (is_result_tested(j, b->name, result) ||
      is_computed_with(x, b->name, result))
    return 1;
  if (*result != '.')
    return bperc_i_plan_draws_result(x, b->name, result);
  snprintf(table, sizeof table, "%s%s", b->name, result);
  return bperc_i_plan_draws(x, table, NULL);
}

static int is_measured(const bperc_i_block *b, const char *when) {
  for (int s = 0; s < BPERC_I_SCALES; s++)
    for (size_t p = 0; p < b->points[s].count; p++)
      if (bperc_i_counts(b->measurement, b->points[s].points[p].own, when))
        return 1;
  return 0;
}

void bperc_judge_unused(const bperc_judge *j, const bperc_experiment *x,
                        bperc_unused_tell *tell, void *context) {
  int known = bperc_i_plan_has_pictures(x) && !x->is_part;
  for (size_t k = 0; known && k < x->block_count; k++) {
    const bperc_i_block *b = &x->blocks[k];
    const bperc_measure_costly *c = &b->measurement->costly;
    int used = !c->results[0] || !is_measured(b, c->when);
    for (int r = 0; !used && c->results[r]; r++)
      used = is_looked_at(j, x, b, c->results[r]);
    if (!used)
      tell(context, x->plan.path, b->line, b->name, c);
  }
}
