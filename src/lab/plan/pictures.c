/* What pictures need: lines `picture = TABLE[:COLUMN ...]` before the first
 * block. `*` in a name of a table stands for any letters. */
#include "lab/plan/plan.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static int is_picture(const bperc_i_entry *e) {
  return strcmp(e->key, "picture") == 0;
}

/* Whether a list of words, divided by blanks, has this one. */
static int has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  while (*list) {
    size_t own;
    list += strspn(list, " ");
    own = strcspn(list, " ");
    if (own == length && memcmp(list, word, length) == 0)
      return 1;
    list += own;
  }
  return 0;
}

/* The name of the table, cut off; the columns, NULL: all. */
static const char *cut_table(const char *value, char *table, size_t size) {
  size_t length = strcspn(value, ":");
  size_t end = length;
  while (end && value[end - 1] == ' ')
    end--;
  if (end >= size)
    end = size - 1;
  memcpy(table, value, end);
  table[end] = 0;
  return value[length] ? value + length + 1 : NULL;
}

int bperc_i_plan_has_pictures(const bperc_experiment *x) {
  const bperc_i_section *top = &x->plan.sections[0];
  for (size_t k = 0; k < top->count; k++)
    if (is_picture(&top->entries[k]))
      return 1;
  return 0;
}

int bperc_i_plan_draws(const bperc_experiment *x, const char *table,
                       const char *column) {
  const bperc_i_section *top = &x->plan.sections[0];
  char pattern[200];
  for (size_t k = 0; k < top->count; k++) {
    const char *columns;
    if (!is_picture(&top->entries[k]))
      continue;
    columns = cut_table(top->entries[k].value, pattern, sizeof pattern);
    if (fnmatch(pattern, table, 0) == 0 &&
        (!column || !columns || has_word(columns, column)))
      return 1;
  }
  return 0;
}

int bperc_i_plan_draws_result(const bperc_experiment *x, const char *block,
                              const char *column) {
  const bperc_i_section *top = &x->plan.sections[0];
  char pattern[200];
  for (size_t k = 0; k < top->count; k++) {
    const char *columns;
    if (!is_picture(&top->entries[k]))
      continue;
    columns = cut_table(top->entries[k].value, pattern, sizeof pattern);
    pattern[strcspn(pattern, ".")] = 0;
    if (fnmatch(pattern, block, 0) == 0 &&
        (!columns || has_word(columns, column)))
      return 1;
  }
  return 0;
}

/* ---- checking */

static size_t name_tables(const bperc_experiment *x, const char *words[64]) {
  size_t count = 0;
  for (size_t k = 1; k < x->plan.count && count < 64; k++) {
    const bperc_i_section *s = &x->plan.sections[k];
    if (strcmp(s->kind, "block") == 0 || strcmp(s->kind, "derive") == 0)
      words[count++] = s->name;
  }
  return count;
}

/* A block or derived table, or a pattern that one of them fits. */
static int is_made(const char *pattern, const char *const *words,
                   size_t count) {
  char start[200];
  snprintf(start, sizeof start, "%.*s", (int)strcspn(pattern, "."), pattern);
  for (size_t k = 0; k < count; k++)
    if (fnmatch(start, words[k], 0) == 0)
      return 1;
  return 0;
}

bperc_status bperc_i_pictures_check(const bperc_experiment *x,
                                    bperc_error *error) {
  const bperc_i_section *top = &x->plan.sections[0];
  const char *words[64];
  size_t count = name_tables(x, words);
  char table[200];
  for (size_t k = 0; k < top->count; k++) {
    const bperc_i_entry *e = &top->entries[k];
    if (!is_picture(e))
      continue;
    cut_table(e->value, table, sizeof table);
    if (!is_made(table, words, count))
      return bperc_i_ini_unknown(&x->plan, e->line,
                                 "picture: the plan makes no table", table,
                                 words, count, error);
  }
  return BPERC_OK;
}
