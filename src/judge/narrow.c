/* Part of an experiment: some of its claims and the blocks they need. */
#include "judge/judge.h"

#include "base/alloc.h"

#include <string.h>
#include <strings.h>

/* "b.order:delta" and "b.order" come from block b. */
static int comes_from(const char *table, const char *name) {
  size_t length = table ? strlen(name) : 0;
  return table && strncmp(table, name, length) == 0 &&
         strchr(".:", table[length]); /* or the end */
}

static int test_needs(const char *test, const char *name) {
  static const char *const sources[] = {"table", "low", "high", "a", "b"};
  bperc_i_arguments a;
  if (bperc_i_arguments_parse(test, &a))
    return 0;
  for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
    if (comes_from(bperc_i_arguments_get(&a, sources[k], NULL), name))
      return 1;
  return 0;
}

static int claims_need(const bperc_i_ini *claims, const char *name) {
  for (size_t k = 1; k < claims->count; k++)
    for (size_t e = 0; e < claims->sections[k].count; e++)
      if (strcmp(claims->sections[k].entries[e].key, "test") == 0 &&
          test_needs(claims->sections[k].entries[e].value, name))
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
        comes_from(bperc_i_ini_get(s, "from", NULL), name) &&
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

static void keep_claims(bperc_i_ini *claims, const char *const *ids,
                        size_t count) {
  size_t kept = 1;
  for (size_t k = 1; k < claims->count; k++)
    if (is_one_of(claims->sections[k].name, ids, count))
      claims->sections[kept++] = claims->sections[k];
    else
      bperc_i_free(claims->sections[k].entries);
  claims->count = kept;
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
      bperc_i_free(s->entries);
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
