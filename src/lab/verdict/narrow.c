/* Part of an experiment: some of its claims and the blocks they need. */
#include "lab/verdict/judge.h"

#include "lab/base/memory.h"

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
