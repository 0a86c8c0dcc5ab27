/* Claims: reading them, applying their tests, listing what is behind them.
 *
 *   [claim F2.2]
 *   text = A_opt falls with f_in
 *   expected = decreases
 *   test = trend table=optimum y=a x=fin direction=down
 *
 * A claim may have several tests: it fails when one fails, it is undecided
 * when none fails and one is undecided.
 */
#include "judge/judge.h"

#include "base/alloc.h"
#include "judge/derive.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct {
  const char *name;
  bperc_i_rule *rule;
  const char *needed[4]; /* arguments, ended by NULL */
} rule_entry;

static const rule_entry rule_list[] = {
    {"trend", bperc_i_rule_trend, {"table", "y", "x", "direction"}},
    {"maximum", bperc_i_rule_extremum, {"table", "y", "x", NULL}},
    {"minimum", bperc_i_rule_extremum, {"table", "y", "x", NULL}},
    {"order", bperc_i_rule_order, {"low", "high", NULL}},
    {"near", bperc_i_rule_near, {"table", "y", "value", "tolerance"}},
    {"overlap", bperc_i_rule_overlap, {"a", "b", "tolerance", NULL}},
    {"below", bperc_i_rule_bound, {"table", "y", "value", NULL}},
    {"above", bperc_i_rule_bound, {"table", "y", "value", NULL}},
};
enum { RULES = sizeof rule_list / sizeof *rule_list };

static const char *const known_arguments[] = {
    "table",      "y",       "x",         "by",       "where",
    "direction",  "need",    "low",       "high",     "low_where",
    "high_where", "value",   "tolerance", "a",        "b",
    "a_where",    "b_where", "match",     "fraction", "of"};

const char *bperc_claim_verdict_name(bperc_claim_verdict verdict) {
  static const char *const names[] = {"holds", "fails", "undecided"};
  return names[verdict];
}

/* ---- checking */

static const rule_entry *find_rule(const char *name) {
  for (size_t k = 0; k < RULES; k++)
    if (strcmp(rule_list[k].name, name) == 0)
      return &rule_list[k];
  return NULL;
}

static bperc_status check_test(const bperc_i_ini *claims,
                               const bperc_i_entry *e, bperc_error *error) {
  bperc_i_arguments a;
  const char *wrong = bperc_i_arguments_parse(e->value, &a);
  const rule_entry *rule = wrong ? NULL : find_rule(a.word[0]);
  if (wrong)
    return bperc_i_ini_bad(claims, e->line, error, "%s", wrong);
  if (!rule)
    return bperc_i_ini_bad(claims, e->line, error,
                           "there is no rule '%s': use trend, maximum, "
                           "minimum, order, near, overlap, below or above",
                           a.word[0]);
  for (size_t k = 1; k < a.count; k++) {
    size_t q = 0, count = sizeof known_arguments / sizeof *known_arguments;
    while (q < count && strcmp(known_arguments[q], a.word[k]))
      q++;
    if (q == count)
      return bperc_i_ini_bad(claims, e->line, error,
                             "rule '%s' has no argument '%s'", rule->name,
                             a.word[k]);
  }
  for (size_t k = 0; k < 4 && rule->needed[k]; k++)
    if (!bperc_i_arguments_get(&a, rule->needed[k], NULL))
      return bperc_i_ini_bad(claims, e->line, error,
                             "rule '%s' needs the argument '%s'", rule->name,
                             rule->needed[k]);
  return BPERC_OK;
}

static bperc_status check_claim(const bperc_i_ini *claims,
                                const bperc_i_section *s, bperc_error *error) {
  bperc_status status = BPERC_OK;
  size_t tests = 0;
  if (strcmp(s->kind, "claim") || !*s->name)
    return bperc_i_ini_bad(claims, s->line, error,
                           "a file of claims has sections [claim ID]");
  for (size_t k = 0; k < s->count && status == BPERC_OK; k++) {
    const char *key = s->entries[k].key;
    if (strcmp(key, "test") == 0) {
      tests++;
      status = check_test(claims, &s->entries[k], error);
    } else if (strcmp(key, "text") && strcmp(key, "expected"))
      status = bperc_i_ini_bad(claims, s->entries[k].line, error,
                               "a claim has text, expected and test, not "
                               "'%.60s'",
                               key);
  }
  if (status == BPERC_OK && (!tests || !bperc_i_ini_get(s, "text", NULL) ||
                             !bperc_i_ini_get(s, "expected", NULL)))
    status = bperc_i_ini_bad(claims, s->line, error,
                             "a claim needs text, expected and a test");
  return status;
}

static bperc_status check_claims(const bperc_i_ini *claims,
                                 bperc_error *error) {
  bperc_status status = BPERC_OK;
  if (claims->sections[0].count)
    return bperc_i_ini_bad(claims, claims->sections[0].entries[0].line, error,
                           "a file of claims starts with [claim ID]");
  for (size_t k = 1; k < claims->count && status == BPERC_OK; k++)
    status = check_claim(claims, &claims->sections[k], error);
  return status;
}

/* ---- reading */

bperc_status bperc_judge_parse(const bperc_experiment *x, const char *path,
                               const char *claims, size_t size,
                               bperc_judge **out, bperc_error *error) {
  bperc_judge *j = bperc_i_calloc(1, sizeof *j);
  bperc_status status =
      j ? bperc_i_derived_check(&x->plan, error)
        : bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
  *out = NULL;
  if (status == BPERC_OK && claims)
    status = bperc_i_ini_parse(path, claims, size, &j->claims, error);
  if (status == BPERC_OK && claims)
    status = check_claims(&j->claims, error);
  if (status == BPERC_OK)
    *out = j;
  else
    bperc_judge_free(j);
  return status;
}

bperc_status bperc_judge_read(const bperc_experiment *x, bperc_judge **out,
                              bperc_error *error) {
  bperc_i_text path = {0};
  char *claims = NULL;
  size_t size = 0;
  bperc_status status = BPERC_OK;
  *out = NULL;
  bperc_i_text_format(&path, "%s/claims", x->folder ? x->folder : "");
  if (path.failed)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
  if (x->folder && access(path.text, F_OK) == 0)
    status = bperc_i_file_read(path.text, &claims, &size, error);
  if (status == BPERC_OK)
    status = bperc_judge_parse(x, path.text, claims, size, out, error);
  bperc_i_free(claims);
  bperc_i_text_clear(&path);
  return status;
}

void bperc_judge_free(bperc_judge *j) {
  if (j)
    bperc_i_ini_clear(&j->claims);
  bperc_i_free(j);
}

int bperc_judge_has(const bperc_judge *j, const char *id) {
  for (size_t k = 1; k < j->claims.count; k++)
    if (strcasecmp(j->claims.sections[k].name, id) == 0)
      return 1;
  return 0;
}

bperc_status bperc_judge_tables(const bperc_experiment *x, bperc_store *store,
                                bperc_scale scale, uint64_t seed,
                                bperc_tables **out, bperc_error *error) {
  bperc_status status = bperc_tables_collect(x, store, scale, seed, out, error);
  if (status == BPERC_OK)
    status = bperc_i_tables_derive(*out, error);
  if (status != BPERC_OK) {
    bperc_tables_free(*out);
    *out = NULL;
  }
  return status;
}

/* ---- judging */

static bperc_claim_verdict worse(bperc_claim_verdict a, bperc_claim_verdict b) {
  static const int rank[] = {0, 2, 1}; /* holds, fails, undecided */
  return rank[a] >= rank[b] ? a : b;
}

static void apply(const bperc_tables *tables, const char *text,
                  bperc_i_text *measured, bperc_claim_verdict *verdict) {
  bperc_i_arguments a;
  bperc_i_judgement j = {
      .tables = tables, .arguments = &a, .measured = measured};
  if (measured->length)
    bperc_i_text_add(measured, "; ");
  bperc_i_arguments_parse(text, &a);
  j.verdict = BPERC_UNDECIDED;
  find_rule(a.word[0])->rule(&j);
  if (j.wrong[0]) {
    bperc_i_text_format(measured, "not measured: %s", j.wrong);
    j.verdict = BPERC_UNDECIDED;
  }
  if (j.verdict != BPERC_HOLDS)
    bperc_i_text_format(measured, " [%s]", bperc_claim_verdict_name(j.verdict));
  *verdict = worse(*verdict, j.verdict);
}

static int judge_one(const bperc_i_section *s, const bperc_tables *tables,
                     bperc_claim *out) {
  bperc_i_text measured = {0};
  out->verdict = BPERC_HOLDS;
  for (size_t k = 0; k < s->count; k++)
    if (strcmp(s->entries[k].key, "test") == 0)
      apply(tables, s->entries[k].value, &measured, &out->verdict);
  out->id = bperc_i_strdup(s->name);
  out->text = bperc_i_strdup(bperc_i_ini_get(s, "text", ""));
  out->expected = bperc_i_strdup(bperc_i_ini_get(s, "expected", ""));
  out->measured = bperc_i_text_take(&measured);
  return out->id && out->text && out->expected && out->measured;
}

bperc_status bperc_judge_claims(const bperc_judge *j,
                                const bperc_tables *tables, bperc_claims *out,
                                bperc_error *error) {
  size_t count = j->claims.count ? j->claims.count - 1 : 0;
  *out = (bperc_claims){0};
  out->claims = bperc_i_calloc(count, sizeof *out->claims);
  for (size_t k = 0; out->claims && k < count; k++) {
    out->count++;
    if (!judge_one(&j->claims.sections[k + 1], tables, &out->claims[k])) {
      bperc_claims_clear(out);
      break;
    }
  }
  return out->claims
             ? BPERC_OK
             : bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
}

void bperc_claims_clear(bperc_claims *c) {
  for (size_t k = 0; k < c->count; k++) {
    bperc_i_free(c->claims[k].id);
    bperc_i_free(c->claims[k].text);
    bperc_i_free(c->claims[k].expected);
    bperc_i_free(c->claims[k].measured);
  }
  bperc_i_free(c->claims);
  *c = (bperc_claims){0};
}

/* ---- what is behind a claim */

static void list_rows(const bperc_tables *tables, const bperc_i_selection *s,
                      const char *y, FILE *out) {
  const bperc_i_block *block = s->table->block;
  bperc_i_points points;
  char label[512];
  size_t keys[64], count = s->table->key_count;
  for (size_t k = 0; k < count && k < 64; k++)
    keys[k] = k;
  if (!block || bperc_i_points_expand(tables->x, block, tables->scale, &points,
                                      NULL) != BPERC_OK)
    return;
  for (size_t r = 0; r < s->count; r++) {
    const bperc_i_point *p = &points.points[s->table->rows[s->rows[r]].point];
    bperc_i_row_label(s->table, s->rows[r], keys, count, label, sizeof label);
    for (size_t k = 0; k < s->cells[r]->n && s->cells[r]->values; k++) {
      bperc_i_identity id =
          bperc_i_point_identity(p, tables->seed, s->cells[r]->instances[k]);
      fprintf(out, "%s\t%s\t%s\t%u\t%llu\t%.9g\t%s\n", s->table->name, label, y,
              s->cells[r]->instances[k], (unsigned long long)id.seed,
              s->cells[r]->values[k], id.key);
    }
  }
  bperc_i_points_clear(&points);
}

static void list_test(const bperc_tables *tables, const char *test, FILE *out) {
  static const char *const sources[] = {"low", "high", "a", "b"};
  bperc_i_arguments a;
  bperc_i_selection s;
  char table[256], y[256], wrong[200];
  bperc_i_arguments_parse(test, &a);
  for (size_t k = 0; k < 4; k++) {
    const char *source = bperc_i_arguments_get(&a, sources[k], NULL);
    if (!source || !bperc_i_source_split(source, table, y, sizeof table) ||
        bperc_i_select(tables, table, y, bperc_i_arguments_get(&a, "where", ""),
                       &s, wrong, sizeof wrong) != BPERC_OK)
      continue;
    list_rows(tables, &s, y, out);
    bperc_i_selection_clear(&s);
  }
  if (bperc_i_select(tables, bperc_i_arguments_get(&a, "table", ""),
                     bperc_i_arguments_get(&a, "y", ""),
                     bperc_i_arguments_get(&a, "where", ""), &s, wrong,
                     sizeof wrong) == BPERC_OK) {
    list_rows(tables, &s, bperc_i_arguments_get(&a, "y", ""), out);
    bperc_i_selection_clear(&s);
  }
}

bperc_status bperc_judge_list(const bperc_judge *j, const bperc_tables *tables,
                              const char *id, FILE *out, bperc_error *error) {
  for (size_t k = 1; k < j->claims.count; k++) {
    const bperc_i_section *s = &j->claims.sections[k];
    if (strcasecmp(s->name, id))
      continue;
    fprintf(out, "table\tpoint\tcolumn\tinstance\tseed\tvalue\tkey\n");
    for (size_t e = 0; e < s->count; e++)
      if (strcmp(s->entries[e].key, "test") == 0)
        list_test(tables, s->entries[e].value, out);
    return BPERC_OK;
  }
  return bperc_error_set(error, BPERC_E_ARGUMENT, "there is no claim '%s'", id);
}
