/* Judging: the tests of every claim applied to tables, and what is behind them.
 *
 * A claim fails when one of its tests fails; it is undecided when none fails
 * and one is undecided.
 */
#include "lab/verdict/judge.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/table/derive.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bperc_i_verdict_rule *const rules[] = {
    [BPERC_I_TREND] = bperc_i_rule_trend,
    [BPERC_I_MAXIMUM] = bperc_i_rule_extremum,
    [BPERC_I_MINIMUM] = bperc_i_rule_extremum,
    [BPERC_I_ORDER] = bperc_i_rule_order,
    [BPERC_I_NEAR] = bperc_i_rule_near,
    [BPERC_I_OVERLAP] = bperc_i_rule_overlap,
    [BPERC_I_BELOW] = bperc_i_rule_bound,
    [BPERC_I_ABOVE] = bperc_i_rule_bound,
};

const char *bperc_claim_verdict_name(bperc_claim_verdict verdict) {
  static const char *const names[] = {"holds", "fails", "undecided"};
  return names[verdict];
}

/* ---- reading */

bperc_status bperc_judge_parse(const bperc_experiment *x, const char *path,
                               const char *claims, size_t size,
                               bperc_judge **out, bperc_error *error) {
  bperc_judge *j = bperc_calloc(1, sizeof *j);
  bperc_status status =
      j ? bperc_i_derived_check(&x->plan, error)
        : bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
  *out = NULL;
  if (status == BPERC_OK && claims)
    status = bperc_i_claims_parse(x, path, claims, size, &j->claims, error);
  if (status == BPERC_OK)
    *out = j;
  else
    bperc_judge_free(j);
  return status;
}

bperc_status bperc_judge_read(const bperc_experiment *x, bperc_judge **out,
                              bperc_error *error) {
  char *path = bperc_i_path(x->folder ? x->folder : "", "claims");
  char *claims;
  size_t size;
  bperc_status status;
  *out = NULL;
  if (!path)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
  status = bperc_i_folder_read(x->folder, "claims", &claims, &size, error);
  if (status == BPERC_OK)
    status = bperc_judge_parse(x, path, claims, size, out, error);
  bperc_free(claims);
  bperc_free(path);
  return status;
}

void bperc_judge_free(bperc_judge *j) {
  if (j)
    bperc_i_claims_clear(&j->claims);
  bperc_free(j);
}

static const bperc_i_claim *find_claim(const bperc_judge *j, const char *id) {
  for (size_t k = 0; k < j->claims.count; k++)
    if (strcasecmp(j->claims.claims[k].id, id) == 0)
      return &j->claims.claims[k];
  return NULL;
}

int bperc_claims_mention(const char *folder, const char *id) {
  bperc_i_ini ini = {0};
  size_t size;
  char *text;
  int found = 0;
  bperc_status status =
      bperc_i_folder_read(folder, "claims", &text, &size, NULL);
  if (text)
    status = bperc_i_ini_parse("claims", text, size, &ini, NULL);
  for (size_t k = 1; k < ini.count && !found; k++)
    found = strcasecmp(ini.sections[k].name, id) == 0;
  bperc_i_ini_clear(&ini);
  bperc_free(text);
  return status == BPERC_E_MEMORY ? BPERC_E_MEMORY : found;
}

int bperc_judge_has(const bperc_judge *j, const char *id) {
  return find_claim(j, id) != NULL;
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

/* The verdict with 2^power times the instances, the values being as they are.
 */
static bperc_claim_verdict with_more(const bperc_i_judgement *j, int power) {
  bperc_i_text unread = {0};
  bperc_i_judgement again = *j;
  again.times = ldexp(1, power);
  again.measured = &unread;
  again.verdict = BPERC_UNDECIDED;
  rules[j->test->rule](&again);
  bperc_i_text_clear(&unread);
  return again.wrong[0] ? BPERC_UNDECIDED : again.verdict;
}

/* What would decide a test that is undecided: by bisection, a doubling at a
 * time. */
enum { MOST_DOUBLINGS = 10 };

static void say_what_decides(const bperc_i_judgement *j) {
  int low = 0, high = MOST_DOUBLINGS;
  if (j->unknown) {
    bperc_i_text_add(j->measured, " (too few instances for an estimate)");
  } else if (with_more(j, high) == BPERC_UNDECIDED) {
    bperc_i_text_format(j->measured,
                        " (%d times the instances would not decide it)",
                        1 << MOST_DOUBLINGS);
  } else {
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (with_more(j, middle) == BPERC_UNDECIDED)
        low = middle;
      else
        high = middle;
    }
    bperc_i_text_format(j->measured,
                        " (about %d times the instances would decide it)",
                        1 << high);
  }
}

static bperc_claim_test apply(const bperc_tables *tables,
                              const bperc_i_claim *claim, size_t k) {
  const bperc_i_test *test = &claim->tests[k];
  bperc_i_text measured = {0};
  bperc_i_judgement j = {.tables = tables,
                         .test = test,
                         .rate = claim->rate,
                         .fail_rate = claim->rate / (double)claim->count,
                         .times = 1,
                         .measured = &measured,
                         .verdict = BPERC_UNDECIDED};
  rules[test->rule](&j);
  if (j.wrong[0]) {
    bperc_i_text_format(&measured, "not measured: %s", j.wrong);
    j.verdict = BPERC_UNDECIDED;
  } else if (j.verdict == BPERC_UNDECIDED) {
    say_what_decides(&j);
  }
  return (bperc_claim_test){bperc_i_text_take(&measured), j.verdict};
}

/* All tests in one sentence; what does not hold is marked. */
static char *sum_up(const bperc_claim *c) {
  bperc_i_text t = {0};
  for (size_t k = 0; k < c->test_count; k++) {
    bperc_i_text_format(&t, "%s%s", k ? "; " : "", c->tests[k].measured);
    if (c->tests[k].verdict != BPERC_HOLDS)
      bperc_i_text_format(&t, " [%s]",
                          bperc_claim_verdict_name(c->tests[k].verdict));
  }
  return bperc_i_text_take(&t);
}

static int judge_one(const bperc_i_claim *c, const bperc_tables *tables,
                     bperc_claim *out) {
  out->verdict = BPERC_HOLDS;
  out->tests = bperc_calloc(c->count, sizeof *out->tests);
  for (size_t k = 0; out->tests && k < c->count; k++) {
    out->tests[k] = apply(tables, c, k);
    if (!out->tests[k].measured)
      return 0;
    out->test_count++;
    out->verdict = worse(out->verdict, out->tests[k].verdict);
  }
  out->id = bperc_strdup(c->id);
  out->text = bperc_strdup(c->text);
  out->expected = bperc_strdup(c->expected);
  out->quote = bperc_strdup(c->quote);
  out->line = c->paper_line;
  out->measured = sum_up(out);
  return out->tests && out->id && out->text && out->expected && out->quote &&
         out->measured;
}

bperc_status bperc_judge_claims(const bperc_judge *j,
                                const bperc_tables *tables, bperc_claims *out,
                                bperc_error *error) {
  size_t count = j->claims.count;
  long failures = bperc_alloc_failures();
  int good;
  *out = (bperc_claims){0};
  out->claims = bperc_calloc(count, sizeof *out->claims);
  good = out->claims != NULL;
  for (size_t k = 0; good && k < count; k++) {
    out->count++;
    good = judge_one(&j->claims.claims[k], tables, &out->claims[k]);
  }
  /* an estimate that lacked memory looks like one of too few instances */
  if (good && bperc_alloc_failures() == failures)
    return BPERC_OK;
  bperc_claims_clear(out);
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
}

void bperc_claims_clear(bperc_claims *c) {
  for (size_t k = 0; k < c->count; k++) {
    bperc_claim *one = &c->claims[k];
    for (size_t t = 0; t < one->test_count; t++)
      bperc_free(one->tests[t].measured);
    bperc_free(one->tests);
    bperc_free(one->id);
    bperc_free(one->text);
    bperc_free(one->expected);
    bperc_free(one->quote);
    bperc_free(one->measured);
  }
  bperc_free(c->claims);
  *c = (bperc_claims){0};
}

/* ---- what is behind a claim */

static void list_rows(const bperc_tables *tables, const bperc_i_selection *s,
                      const char *y, FILE *out) {
  const bperc_i_block *block = s->table->block;
  char label[512];
  size_t keys[BPERC_I_KEYS], count = s->table->key_count;
  for (size_t k = 0; k < count; k++)
    keys[k] = k;
  if (!block)
    return;
  for (size_t r = 0; r < s->count; r++) {
    const bperc_i_point *p =
        &block->points[tables->scale].points[s->table->rows[s->rows[r]].point];
    bperc_i_row_label(s->table, s->rows[r], keys, count, label, sizeof label);
    for (size_t k = 0; k < s->cells[r]->n && s->cells[r]->values; k++) {
      bperc_i_identity id =
          bperc_i_point_identity(p, tables->seed, s->cells[r]->instances[k]);
      bperc_i_fprintf(out, "%s\t%s\t%s\t%u\t%llu\t%.9g\t%s\n", s->table->name,
                      label, y, s->cells[r]->instances[k],
                      (unsigned long long)id.seed, s->cells[r]->values[k],
                      id.key);
    }
  }
}

static bperc_status list_test(const bperc_tables *tables,
                              const bperc_i_test *test, FILE *out,
                              bperc_error *error) {
  const bperc_i_table_source *sources[4];
  size_t count = bperc_i_test_sources(test, sources);
  bperc_i_selection s;
  char wrong[200];
  for (size_t k = 0; k < count; k++) {
    const bperc_i_table_source *q = sources[k];
    bperc_status status = bperc_i_select(tables, q->table, q->column, &q->where,
                                         &s, wrong, sizeof wrong);
    if (status == BPERC_E_MEMORY)
      return bperc_error_set(error, status, "no memory for a list");
    if (status != BPERC_OK) /* not measured: nothing is behind it */
      continue;
    list_rows(tables, &s, q->column, out);
    bperc_i_selection_clear(&s);
  }
  return BPERC_OK;
}

bperc_status bperc_judge_list(const bperc_judge *j, const bperc_tables *tables,
                              const char *id, FILE *out, bperc_error *error) {
  const bperc_i_claim *c = find_claim(j, id);
  bperc_status status = BPERC_OK;
  if (!c)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "there is no claim '%s'",
                           id);
  fprintf(out, "table\tpoint\tcolumn\tinstance\tseed\tvalue\tkey\n");
  for (size_t k = 0; k < c->count && status == BPERC_OK; k++)
    status = list_test(tables, &c->tests[k], out, error);
  return status;
}
