/* Reading claims: sections into typed claims. */
#include "lab/verdict/claim.h"

#include "base/number.h"
#include "bperc/options.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"text",  "expected", "source", "quote",
                                   "place", "why",      "rate",   "test"};
static const char *const source_words[] = {"paper", "ours"};
enum { KEYS = sizeof keys / sizeof *keys };

int bperc_i_comes_from(const char *table, const char *name) {
  size_t length = strlen(name);
  return strncmp(table, name, length) == 0 &&
         (table[length] == 0 || table[length] == '.');
}

/* ---- tables that a plan has */

static bperc_status check_table(const bperc_experiment *x,
                                const bperc_i_ini *ini, const bperc_i_test *t,
                                const char *table, bperc_error *error) {
  const char *words[64];
  size_t count = 0;
  for (size_t k = 1; k < x->plan.count; k++) {
    const bperc_i_section *s = &x->plan.sections[k];
    if (strcmp(s->kind, "block") && strcmp(s->kind, "derive"))
      continue;
    if (bperc_i_comes_from(table, s->name))
      return BPERC_OK;
    if (count < 64)
      words[count++] = s->name;
  }
  return bperc_i_ini_unknown(ini, t->line, "the plan makes no table", table,
                             words, count, error);
}

static bperc_status check_tables(const bperc_experiment *x,
                                 const bperc_i_ini *ini, const bperc_i_test *t,
                                 bperc_error *error) {
  const bperc_i_table_source *sources[4];
  size_t count = bperc_i_test_sources(t, sources);
  bperc_status status = BPERC_OK;
  for (size_t k = 0; k < count && status == BPERC_OK; k++)
    status = check_table(x, ini, t, sources[k]->table, error);
  return status;
}

/* ---- one claim */

static bperc_status read_key(const bperc_i_ini *ini, const bperc_i_entry *e,
                             bperc_i_claim *c, bperc_error *error) {
  char *end;
  if (strcmp(e->key, "text") == 0)
    c->text = e->value;
  else if (strcmp(e->key, "expected") == 0)
    c->expected = e->value;
  else if (strcmp(e->key, "quote") == 0)
    c->quote = e->value;
  else if (strcmp(e->key, "place") == 0)
    c->place = e->value;
  else if (strcmp(e->key, "why") == 0)
    c->why = e->value;
  else if (strcmp(e->key, "line") == 0) /* of claims of bperc 0.2: not used */
    return BPERC_OK;
  else if (strcmp(e->key, "source") == 0) {
    if (bperc_i_word_find(e->value, source_words, 2) < 0)
      return bperc_i_ini_unknown(ini, e->line, "source is paper or ours, not",
                                 e->value, source_words, 2, error);
    c->source = strcmp(e->value, "paper") == 0 ? BPERC_PAPER : BPERC_OURS;
  } else if (strcmp(e->key, "rate") == 0) {
    c->rate = bperc_i_strtod(e->value, &end);
    if (*end || !(c->rate >= 1e-6 && c->rate <= 0.2))
      return bperc_i_ini_bad(ini, e->line, error,
                             "rate: '%.40s' is not a number from 1e-6 to 0.2",
                             e->value);
  } else
    return bperc_i_ini_unknown(ini, e->line, "a claim has no", e->key, keys,
                               KEYS, error);
  return BPERC_OK;
}

static bperc_status read_claim(const bperc_experiment *x,
                               const bperc_i_ini *ini, const bperc_i_section *s,
                               bperc_i_claim *c, bperc_error *error) {
  bperc_status status = BPERC_OK;
  *c = (bperc_i_claim){.id = s->name,
                       .source = BPERC_OURS,
                       .quote = "",
                       .place = "",
                       .why = "",
                       .rate = 0.01};
  if (strcmp(s->kind, "claim") || !*s->name)
    return bperc_i_ini_bad(ini, s->line, error,
                           "a file of claims has sections [claim ID]");
  c->tests = bperc_calloc(s->count, sizeof *c->tests);
  if (!c->tests)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
  for (size_t k = 0; k < s->count && status == BPERC_OK; k++) {
    const bperc_i_entry *e = &s->entries[k];
    if (strcmp(e->key, "test")) {
      status = read_key(ini, e, c, error);
      continue;
    }
    status = bperc_i_test_parse(ini, e, &c->tests[c->count], error);
    if (status == BPERC_OK)
      status = check_tables(x, ini, &c->tests[c->count++], error);
  }
  if (status == BPERC_OK && (!c->count || !c->text || !c->expected))
    status = bperc_i_ini_bad(ini, s->line, error,
                             "a claim needs text, expected and a test");
  if (status == BPERC_OK && c->source == BPERC_PAPER &&
      !(*c->quote && *c->place))
    status = bperc_i_ini_bad(ini, s->line, error,
                             "a claim of the paper needs quote and place, its "
                             "words and where they stand");
  return status;
}

/* ---- the list */

void bperc_i_claim_clear(bperc_i_claim *c) {
  for (size_t k = 0; k < c->count; k++)
    bperc_free(c->tests[k].words);
  bperc_free(c->tests);
}

void bperc_i_claims_clear(bperc_i_claim_list *list) {
  for (size_t k = 0; k < list->count; k++)
    bperc_i_claim_clear(&list->claims[k]);
  bperc_free(list->claims);
  bperc_i_ini_clear(&list->ini);
  *list = (bperc_i_claim_list){0};
}

bperc_status bperc_i_claims_parse(const bperc_experiment *x, const char *path,
                                  const char *text, size_t size,
                                  bperc_i_claim_list *out, bperc_error *error) {
  bperc_i_ini *ini = &out->ini;
  bperc_status status;
  *out = (bperc_i_claim_list){0};
  status = bperc_i_ini_parse(path, text, size, ini, error);
  if (status != BPERC_OK)
    return status;
  out->claims = bperc_calloc(ini->count, sizeof *out->claims);
  if (!out->claims)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
  else if (ini->sections[0].count)
    status = bperc_i_ini_bad(ini, ini->sections[0].entries[0].line, error,
                             "a file of claims starts with [claim ID]");
  for (size_t k = 1; k < ini->count && status == BPERC_OK; k++)
    status = read_claim(x, ini, &ini->sections[k], &out->claims[out->count++],
                        error);
  if (status != BPERC_OK)
    bperc_i_claims_clear(out);
  return status;
}
