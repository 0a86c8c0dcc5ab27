/* Results that a plan measures at great cost and that nothing of it names. */
#include "lab/verdict/judge.h"

#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <ctype.h>
#include <string.h>

/* Whether a text names a result: a column by its name, alone or with an ending
 * ("local3_sem"); ".near" is the table of a group, "bpd.near", or "bpd_near" in
 * a script. */
static int names(const char *text, const char *result) {
  int is_table = *result == '.';
  const char *word = result + is_table;
  for (const char *at = text; (at = strstr(at, word)); at++) {
    char before = at > text ? at[-1] : ' ', after = at[strlen(word)];
    if (!isalnum((unsigned char)after) &&
        (is_table ? before == '.' || before == '_'
                  : !isalnum((unsigned char)before) && before != '_'))
      return 1;
  }
  return 0;
}

/* Whether a section of this kind, or the key of it, does. */
static int ini_names(const bperc_i_ini *ini, const char *kind, const char *key,
                     const char *result) {
  for (size_t k = 0; k < ini->count; k++) {
    const bperc_i_section *s = &ini->sections[k];
    if (strcmp(s->kind, kind) != 0)
      continue;
    if (!key && names(s->name, result))
      return 1;
    for (size_t e = 0; e < s->count; e++)
      if ((!key || strcmp(s->entries[e].key, key) == 0) &&
          names(s->entries[e].value, result))
        return 1;
  }
  return 0;
}

static int is_used(const bperc_judge *j, const bperc_experiment *x,
                   const char *script, const char *result) {
  return names(script, result) || ini_names(&x->plan, "table", NULL, result) ||
         ini_names(&x->plan, "derive", NULL, result) ||
         ini_names(&j->claims.ini, "claim", "test", result);
}

static int is_measured(const bperc_i_block *b, const char *when) {
  for (int s = 0; s < BPERC_I_SCALES; s++)
    for (size_t p = 0; p < b->points[s].count; p++)
      if (bperc_i_counts(b->measurement, b->points[s].points[p].own, when))
        return 1;
  return 0;
}

static int is_wasted(const bperc_judge *j, const bperc_experiment *x,
                     const bperc_i_block *b, const char *script) {
  const bperc_measure_costly *c = &b->measurement->costly;
  int used = !c->results[0] || !is_measured(b, c->when);
  for (int k = 0; !used && c->results[k]; k++)
    used = is_used(j, x, script, c->results[k]);
  return !used;
}

void bperc_judge_unused(const bperc_judge *j, const bperc_experiment *x,
                        bperc_unused_tell *tell, void *context) {
  size_t size;
  char *script = NULL;
  if (!x->is_part)
    bperc_i_folder_read(x->folder, "plot.gp", &script, &size, NULL);
  for (size_t k = 0; script && k < x->block_count; k++) {
    const bperc_i_block *b = &x->blocks[k];
    if (is_wasted(j, x, b, script))
      tell(context, x->plan.path, b->line, b->name, &b->measurement->costly);
  }
  bperc_free(script);
}
