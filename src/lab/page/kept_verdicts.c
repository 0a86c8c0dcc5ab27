/* Verdicts in kept tables: sections of claims, of their tests and of the
 * numbers of these, a line each. An empty field is a number that there is none
 * of. */
#include "lab/page/kept.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing */

static void add_real(bperc_i_text *t, double x) {
  bperc_i_text_add(t, "\t");
  if (!isnan(x))
    bperc_i_text_format(t, "%.9g", x);
}

static void add_claims(bperc_i_text *t, const bperc_claims *claims) {
  bperc_i_text_add(t,
                   "## verdicts\n"
                   "id\tverdict\texpected\ttext\tsource\tplace\tquote\tsaid\n");
  for (size_t k = 0; k < claims->count; k++) {
    const bperc_claim *c = &claims->claims[k];
    bperc_i_text_format(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c->id,
                        bperc_claim_verdict_name(c->verdict), c->expected,
                        c->text, bperc_claim_source_name(c->source), c->place,
                        c->quote, c->said ? c->said : "");
  }
}

static void add_sides(bperc_i_text *t, const bperc_claim_test *q) {
  for (int s = 0; s < 4; s++)
    if (q->sides[s].column)
      bperc_i_text_format(t, "\t%s:%s\t%s", q->sides[s].table,
                          q->sides[s].column, q->sides[s].where);
    else
      bperc_i_text_add(t, "\t\t");
}

static void add_test(bperc_i_text *t, const char *id,
                     const bperc_claim_test *q) {
  bperc_i_text_format(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s", id,
                      bperc_rule_name(q->rule),
                      bperc_claim_verdict_name(q->verdict),
                      q->rule != BPERC_RULE_TREND ? ""
                      : q->direction > 0          ? "up"
                                                  : "down",
                      q->pooled ? "pooled" : "all",
                      q->median ? "median" : "mean", q->x ? q->x : "");
  add_real(t, q->value);
  add_real(t, q->tolerance);
  add_real(t, q->share);
  add_real(t, q->fraction);
  bperc_i_text_format(t, "\t%zu\t%zu\t%zu", q->compared, q->clear, q->against);
  add_real(t, q->times);
  bperc_i_text_format(t, "\t%s", q->not_measured ? q->not_measured : "");
  add_sides(t, q);
  bperc_i_text_add(t, "\n");
}

static void add_number(bperc_i_text *t, const char *id, size_t test,
                       const bperc_claim_number *n) {
  const bperc_number_key *position = NULL;
  bperc_i_text_format(
      t, "%s\t%zu\t%s\t%s\t%s\t", id, test, bperc_number_role_name(n->role),
      bperc_number_kind_name(n->kind), bperc_number_method_name(n->method));
  for (size_t k = 0; k < n->key_count; k++) {
    bperc_i_text_format(t, "%s%s=%s", k ? " " : "", n->keys[k].name,
                        n->keys[k].text);
    if (n->keys[k].meaning)
      position = &n->keys[k];
  }
  bperc_i_text_add(t, "\t");
  if (position)
    bperc_i_text_format(t, "%s=%.9g", position->meaning, position->value);
  add_real(t, n->estimate);
  add_real(t, n->error);
  bperc_i_text_format(t, "\t%zu\t%zu", n->instances, n->hits);
  add_real(t, n->at);
  add_real(t, n->critical);
  add_real(t, n->chance);
  add_real(t, n->rate);
  bperc_i_text_format(t, "\t%d\n", n->side);
}

void bperc_i_kept_verdicts(bperc_i_text *t, const bperc_claims *claims) {
  add_claims(t, claims);
  bperc_i_text_add(
      t, "## tests\nclaim\trule\tverdict\tdirection\tneed\tof\tx\tvalue\t"
         "tolerance\tshare\tfraction\tcompared\tclear\tagainst\t"
         "times_instances\tnot_measured\ta\ta_where\tb\tb_where\tlow\tlow_where"
         "\thigh\thigh_where\n");
  for (size_t k = 0; k < claims->count; k++)
    for (size_t q = 0; q < claims->claims[k].test_count; q++)
      add_test(t, claims->claims[k].id, &claims->claims[k].tests[q]);
  bperc_i_text_add(
      t,
      "## numbers\nclaim\ttest\trole\tkind\tmethod\tpoint\tposition\t"
      "estimate\terror\tinstances\thits\tat\tcritical\tchance\trate\tside\n");
  for (size_t k = 0; k < claims->count; k++)
    for (size_t q = 0; q < claims->claims[k].test_count; q++) {
      const bperc_claim_test *test = &claims->claims[k].tests[q];
      for (size_t n = 0; n < test->number_count; n++)
        add_number(t, claims->claims[k].id, q + 1, &test->numbers[n]);
    }
}

/* ---- reading */

/* Cuts the next field off a line; "" at its end. */
static char *cut_field(char **at) {
  char *start = *at, *tab = start + strcspn(start, "\t");
  *at = *tab ? tab + 1 : tab;
  *tab = 0;
  return start;
}

static double cut_real(char **at) {
  char *text = cut_field(at), *end;
  double x = bperc_i_strtod(text, &end);
  return *text && !*end ? x : NAN;
}

static size_t cut_count(char **at) {
  return (size_t)strtoul(cut_field(at), NULL, 10);
}

/* The place of a word in a list of names; -1: none of them. */
static int find_name(const char *word, const char *(*name)(int), int count) {
  for (int k = 0; k < count; k++)
    if (strcmp(name(k), word) == 0)
      return k;
  return -1;
}

#define NAMER(function, type, of)                                              \
  static const char *function(int k) { return of((type)k); }
NAMER(verdict_of, bperc_claim_verdict, bperc_claim_verdict_name)
NAMER(rule_of, bperc_rule, bperc_rule_name)
NAMER(role_of, bperc_number_role, bperc_number_role_name)
NAMER(kind_of, bperc_number_kind, bperc_number_kind_name)
NAMER(method_of_number, bperc_number_method, bperc_number_method_name)

static int keep_text(char **out, const char *text) {
  return (*out = bperc_strdup(text)) != NULL;
}

bperc_claim *bperc_i_claims_add(bperc_claims *claims) {
  bperc_claim *list =
      bperc_i_lab_grow(claims->claims, claims->count, sizeof *list);
  if (!list)
    return NULL;
  claims->claims = list;
  list[claims->count] = (bperc_claim){0};
  return &list[claims->count++];
}

static bperc_i_kept_result read_kept_claim(bperc_claims *claims, char *line) {
  bperc_claim *c = bperc_i_claims_add(claims);
  const char *said;
  int verdict, kept;
  if (!c || !keep_text(&c->id, cut_field(&line)))
    return BPERC_I_KEPT_NO_MEMORY;
  verdict = find_name(cut_field(&line), verdict_of, BPERC_UNDECIDED + 1);
  c->verdict = verdict < 0 ? BPERC_UNDECIDED : (bperc_claim_verdict)verdict;
  if (!keep_text(&c->expected, cut_field(&line)) ||
      !keep_text(&c->text, cut_field(&line)))
    return BPERC_I_KEPT_NO_MEMORY;
  c->source = strcmp(cut_field(&line), "paper") == 0 ? BPERC_PAPER : BPERC_OURS;
  kept = keep_text(&c->place, cut_field(&line)) &&
         keep_text(&c->quote, cut_field(&line)) && keep_text(&c->why, "");
  if (kept && *(said = cut_field(&line)))
    kept = keep_text(&c->said, said);
  return !kept         ? BPERC_I_KEPT_NO_MEMORY
         : verdict < 0 ? BPERC_I_KEPT_BAD
                       : BPERC_I_KEPT_GOOD;
}

static bperc_claim *find_kept(bperc_claims *claims, const char *id) {
  for (size_t k = 0; k < claims->count; k++)
    if (strcmp(claims->claims[k].id, id) == 0)
      return &claims->claims[k];
  return NULL;
}

static int read_side(bperc_claim_side *s, char **line) {
  char *table = cut_field(line), *where = cut_field(line);
  char *colon = strrchr(table, ':');
  if (!colon)
    return 1;
  *colon = 0;
  return keep_text(&s->table, table) && keep_text(&s->column, colon + 1) &&
         keep_text(&s->where, where);
}

/* What a sentence about the test needs is there. */
static int is_complete(const bperc_claim_test *q) {
  size_t sides = !bperc_i_is_comparison(q) ? 1 : isfinite(q->share) ? 4 : 2;
  for (size_t s = 0; s < sides; s++)
    if (!q->sides[s].column)
      return 0;
  return q->rule != BPERC_RULE_TREND || q->x;
}

static bperc_i_kept_result fill_test(bperc_claim_test *q, char *line) {
  int rule = find_name(cut_field(&line), rule_of, BPERC_RULE_COUNT);
  int verdict = find_name(cut_field(&line), verdict_of, BPERC_UNDECIDED + 1);
  const char *text;
  int kept = 1;
  if (rule < 0 || verdict < 0)
    return BPERC_I_KEPT_BAD;
  q->rule = (bperc_rule)rule;
  q->verdict = (bperc_claim_verdict)verdict;
  q->direction = strcmp(cut_field(&line), "down") ? 1 : -1;
  q->pooled = strcmp(cut_field(&line), "pooled") == 0;
  q->median = strcmp(cut_field(&line), "median") == 0;
  if (*(text = cut_field(&line)))
    kept &= keep_text(&q->x, text);
  q->value = cut_real(&line);
  q->tolerance = cut_real(&line);
  q->share = cut_real(&line);
  q->fraction = cut_real(&line);
  q->compared = cut_count(&line);
  q->clear = cut_count(&line);
  q->against = cut_count(&line);
  q->times = cut_real(&line);
  if (*(text = cut_field(&line)))
    kept &= keep_text(&q->not_measured, text);
  for (int s = 0; s < 4; s++)
    kept &= read_side(&q->sides[s], &line);
  return !kept                               ? BPERC_I_KEPT_NO_MEMORY
         : q->not_measured || is_complete(q) ? BPERC_I_KEPT_GOOD
                                             : BPERC_I_KEPT_BAD;
}

static bperc_i_kept_result read_kept_test(bperc_claims *claims, char *line) {
  bperc_claim *c = find_kept(claims, cut_field(&line));
  bperc_claim_test *list;
  if (!c)
    return BPERC_I_KEPT_BAD;
  list = bperc_i_lab_grow(c->tests, c->test_count, sizeof *list);
  if (!list)
    return BPERC_I_KEPT_NO_MEMORY;
  c->tests = list;
  list[c->test_count] = (bperc_claim_test){0};
  return fill_test(&list[c->test_count++], line);
}

/* "fin=0.3 n=60", and what the position k stands for: "D=0.02". */
static int read_point(bperc_claim_number *n, char *point, char *position) {
  char *equals;
  for (char *end; *point; point = end) {
    bperc_number_key *list =
        bperc_i_lab_grow(n->keys, n->key_count, sizeof *list);
    end = point + strcspn(point, " ");
    end += *end ? (*end = 0, 1) : 0;
    if (!list)
      return 0;
    n->keys = list;
    list[n->key_count] = (bperc_number_key){0};
    equals = point + strcspn(point, "=");
    if (*equals)
      *equals++ = 0;
    if (!keep_text(&list[n->key_count++].name, point) ||
        !keep_text(&list[n->key_count - 1].text, equals))
      return 0;
  }
  equals = strchr(position, '=');
  for (size_t k = 0; equals && k < n->key_count; k++)
    if (strcmp(n->keys[k].name, "k") == 0 && !n->keys[k].meaning) {
      *equals = 0;
      n->keys[k].value = bperc_i_strtod(equals + 1, NULL);
      if (!keep_text(&n->keys[k].meaning, position))
        return 0;
    }
  return 1;
}

static bperc_i_kept_result fill_number(bperc_claim_number *n, char *line) {
  int role = find_name(cut_field(&line), role_of, BPERC_ROLE_COUNT);
  int kind = find_name(cut_field(&line), kind_of, BPERC_KIND_COUNT);
  int method =
      find_name(cut_field(&line), method_of_number, BPERC_METHOD_COUNT);
  char *point = cut_field(&line), *position = cut_field(&line);
  if (role < 0 || kind < 0 || method < 0)
    return BPERC_I_KEPT_BAD;
  n->role = (bperc_number_role)role;
  n->kind = (bperc_number_kind)kind;
  n->method = (bperc_number_method)method;
  n->estimate = cut_real(&line);
  n->error = cut_real(&line);
  n->instances = cut_count(&line);
  n->hits = cut_count(&line);
  n->at = cut_real(&line);
  n->critical = cut_real(&line);
  n->chance = cut_real(&line);
  n->rate = cut_real(&line);
  n->side = atoi(cut_field(&line));
  return read_point(n, point, position) ? BPERC_I_KEPT_GOOD
                                        : BPERC_I_KEPT_NO_MEMORY;
}

static bperc_i_kept_result read_kept_number(bperc_claims *claims, char *line) {
  bperc_claim *c = find_kept(claims, cut_field(&line));
  size_t test = cut_count(&line);
  bperc_claim_test *q;
  bperc_claim_number *list;
  if (!c || test < 1 || test > c->test_count)
    return BPERC_I_KEPT_BAD;
  q = &c->tests[test - 1];
  list = bperc_i_lab_grow(q->numbers, q->number_count, sizeof *list);
  if (!list)
    return BPERC_I_KEPT_NO_MEMORY;
  q->numbers = list;
  list[q->number_count] = (bperc_claim_number){0};
  return fill_number(&list[q->number_count++], line);
}

/* Tables of bperc 0.2 keep a sentence; read for one release more. */
static bperc_i_kept_result read_sentence(bperc_claims *claims, char *line) {
  bperc_claim *c = bperc_i_claims_add(claims);
  int verdict;
  if (!c || !keep_text(&c->id, cut_field(&line)))
    return BPERC_I_KEPT_NO_MEMORY;
  verdict = find_name(cut_field(&line), verdict_of, BPERC_UNDECIDED + 1);
  c->verdict = verdict < 0 ? BPERC_UNDECIDED : (bperc_claim_verdict)verdict;
  if (!keep_text(&c->expected, cut_field(&line)) ||
      !keep_text(&c->said, cut_field(&line)) ||
      !keep_text(&c->text, cut_field(&line)))
    return BPERC_I_KEPT_NO_MEMORY;
  cut_field(&line); /* a line of the paper */
  if (!keep_text(&c->quote, cut_field(&line)) || !keep_text(&c->place, "") ||
      !keep_text(&c->why, ""))
    return BPERC_I_KEPT_NO_MEMORY;
  c->source = *c->quote ? BPERC_PAPER : BPERC_OURS;
  return BPERC_I_KEPT_GOOD;
}

bperc_i_kept_result bperc_i_kept_read(bperc_claims *claims, const char *section,
                                      char *text) {
  static const struct {
    const char *name;
    bperc_i_kept_result (*read)(bperc_claims *claims, char *line);
  } sections[] = {{"verdicts", read_kept_claim},
                  {"tests", read_kept_test},
                  {"numbers", read_kept_number},
                  {"claims", read_sentence}};
  size_t k = 0;
  int is_head = 1;
  while (k < 4 && strcmp(sections[k].name, section))
    k++;
  for (char *next; k < 4 && *text; text = next, is_head = 0) {
    char *end = text + strcspn(text, "\n");
    bperc_i_kept_result result;
    next = *end ? end + 1 : end;
    *end = 0;
    if (is_head)
      continue;
    result = sections[k].read(claims, text);
    if (result != BPERC_I_KEPT_GOOD)
      return result;
  }
  return BPERC_I_KEPT_GOOD;
}
