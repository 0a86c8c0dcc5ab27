/* Judging: the tests of every claim applied to tables, and what is behind them.
 *
 * A claim fails when one of its tests fails; it is undecided when none fails
 * and one is undecided.
 */
#include "lab/verdict/judge.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"
#include "lab/table/derive.h"
#include "lab/verdict/verdict.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static bperc_i_verdict_rule *const rules[] = {
    [BPERC_RULE_TREND] = bperc_i_rule_trend,
    [BPERC_RULE_MAXIMUM] = bperc_i_rule_extremum,
    [BPERC_RULE_MINIMUM] = bperc_i_rule_extremum,
    [BPERC_RULE_ORDER] = bperc_i_rule_order,
    [BPERC_RULE_NEAR] = bperc_i_rule_near,
    [BPERC_RULE_OVERLAP] = bperc_i_rule_overlap,
    [BPERC_RULE_BELOW] = bperc_i_rule_bound,
    [BPERC_RULE_ABOVE] = bperc_i_rule_bound,
};

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

void bperc_judge_looks(bperc_judge *judge, unsigned looks) {
  assert(looks > 0);
  for (size_t k = 0; k < judge->claims.count; k++)
    judge->claims.claims[k].rate /= looks;
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

/* The verdict with 2^power times the instances, the values being as they are.
 */
static bperc_claim_verdict judge_with_more(const bperc_i_judgement *j,
                                           int power) {
  bperc_i_judgement again = *j;
  again.times = ldexp(1, power);
  again.out = NULL;
  again.verdict = BPERC_UNDECIDED;
  rules[j->test->rule](&again);
  return again.wrong[0] ? BPERC_UNDECIDED : again.verdict;
}

/* What would decide a test that is undecided: by bisection, a doubling at a
 * time. */
enum { MOST_DOUBLINGS = 10 };

static double times_to_decide(const bperc_i_judgement *j) {
  int low = 0, high = MOST_DOUBLINGS;
  if (j->unknown)
    return NAN;
  if (judge_with_more(j, high) == BPERC_UNDECIDED)
    return INFINITY;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (judge_with_more(j, middle) == BPERC_UNDECIDED)
      low = middle;
    else
      high = middle;
  }
  return ldexp(1, high);
}

/* What the side alone is held to: "n=30,fin>0.2". */
static char *own_conditions(const bperc_i_table_source *s) {
  bperc_i_text t = {0};
  for (size_t k = s->common; k < s->where.count; k++)
    bperc_i_text_format(&t, "%s%s%s%s", k == s->common ? "" : ",",
                        s->where.conditions[k].name, s->where.conditions[k].op,
                        s->where.conditions[k].text);
  return bperc_i_text_take(&t);
}

static void describe_side(const bperc_i_table_source *s,
                          bperc_claim_side *out) {
  if (!s->table)
    return;
  out->table = bperc_strdup(s->table);
  out->column = bperc_strdup(s->column);
  out->where = own_conditions(s);
}

/* What the test asks for. A lack of memory is counted. */
static bperc_claim_test describe_test(const bperc_i_test *t) {
  bperc_claim_test out = {.rule = t->rule,
                          .direction = t->sign,
                          .pooled = t->pooled,
                          .median = t->median,
                          .value = t->value,
                          .tolerance = t->tolerance,
                          .share = t->share,
                          .fraction = NAN};
  const bperc_i_table_source *sources[] = {&t->a, &t->b, &t->c, &t->d};
  if (t->rule == BPERC_RULE_OVERLAP)
    out.fraction = t->fraction;
  for (size_t k = 0; k < 4; k++)
    describe_side(sources[k], &out.sides[k]);
  out.x = t->x ? bperc_strdup(t->x) : NULL;
  return out;
}

static bperc_claim_test apply_test(const bperc_tables *tables,
                                   const bperc_i_claim *claim, size_t k) {
  const bperc_i_test *test = &claim->tests[k];
  bperc_claim_test out = describe_test(test);
  bperc_i_judgement j = {.tables = tables,
                         .test = test,
                         .rate = claim->rate,
                         .fail_rate = claim->rate / (double)claim->count,
                         .times = 1,
                         .out = &out,
                         .verdict = BPERC_UNDECIDED};
  rules[test->rule](&j);
  if (j.wrong[0]) {
    out.not_measured = bperc_strdup(j.wrong);
    j.verdict = BPERC_UNDECIDED;
  } else if (j.verdict == BPERC_UNDECIDED) {
    out.times = times_to_decide(&j);
  }
  out.verdict = j.verdict;
  return out;
}

static int judge_one(const bperc_i_claim *c, const bperc_tables *tables,
                     bperc_claim *out) {
  out->verdict = BPERC_HOLDS;
  out->tests = bperc_calloc(c->count, sizeof *out->tests);
  for (size_t k = 0; out->tests && k < c->count; k++) {
    out->tests[k] = apply_test(tables, c, k);
    out->test_count++;
    out->verdict = bperc_i_verdict_worse(out->verdict, out->tests[k].verdict);
  }
  out->id = bperc_strdup(c->id);
  out->text = bperc_strdup(c->text);
  out->expected = bperc_strdup(c->expected);
  out->quote = bperc_strdup(c->quote);
  out->source = c->source;
  out->place = bperc_strdup(c->place);
  out->why = bperc_strdup(c->why);
  return out->tests && out->id && out->text && out->expected && out->quote &&
         out->place && out->why;
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
