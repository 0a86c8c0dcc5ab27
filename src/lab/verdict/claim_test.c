/* Reading one test of a claim: "rule key=value key=value".
 *
 * A table of keys says which rule takes which argument and of which type; a
 * wrong key, word or number is refused with the nearest right one.
 */
#include "lab/verdict/claim.h"

#include "base/number.h"
#include "bperc/options.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define RULE_WORD(name, word) #word,
static const char *const rule_words[] = {BPERC_RULES(RULE_WORD)};
#define RULE(kind) (1u << BPERC_RULE_##kind)
enum {
  PEAK = RULE(MAXIMUM) | RULE(MINIMUM),
  BOUND = RULE(BELOW) | RULE(ABOVE),
  LEVEL = BOUND | RULE(NEAR),
  SERIES = RULE(TREND) | PEAK | LEVEL,
  PAIRS = RULE(ORDER) | RULE(OVERLAP),
  NEARNESS = RULE(NEAR) | RULE(OVERLAP),
};

typedef enum {
  NAME,   /* const char * */
  SOURCE, /* bperc_i_table_source, "table:column" */
  NAMES,  /* bperc_i_names */
  WHERE,  /* bperc_i_filter */
  NUMBER, /* double, at least `low` */
  WORD,   /* int: which of two words, first is 0 */
} argument_type;

typedef struct {
  const char *key;
  unsigned rules, needed; /* that know it; that cannot do without */
  argument_type type;
  size_t offset;
  double low;           /* of a number */
  const char *words[2]; /* of a word */
} argument;

#define AT(field) offsetof(bperc_i_test, field)
#define WORDS(key, rules, needed, field, first, second)                        \
  {                                                                            \
    key, rules, needed, WORD, AT(field), 0, { first, second }                  \
  }

static const argument arguments[] = {
    {.key = "table", SERIES, SERIES, NAME, AT(a.table)},
    {.key = "y", SERIES, SERIES, NAME, AT(a.column)},
    {.key = "x", RULE(TREND) | PEAK, RULE(TREND) | PEAK, NAME, AT(x)},
    {.key = "by", SERIES, 0, NAMES, AT(by)},
    WORDS("direction", RULE(TREND), RULE(TREND), sign, "down", "up"),
    WORDS("need", RULE(TREND) | RULE(ORDER) | BOUND, 0, pooled, "all",
          "pooled"),
    WORDS("of", BOUND | RULE(ORDER), 0, median, "mean", "median"),
    {.key = "value", LEVEL, LEVEL, NUMBER, AT(value), -INFINITY},
    {.key = "tolerance", NEARNESS, RULE(NEAR), NUMBER, AT(tolerance), 0},
    {.key = "share", RULE(OVERLAP), 0, NUMBER, AT(share), 0},
    {.key = "fraction", RULE(OVERLAP), 0, NUMBER, AT(fraction), 0},
    {.key = "low", RULE(ORDER), RULE(ORDER), SOURCE, AT(a)},
    {.key = "high", RULE(ORDER), RULE(ORDER), SOURCE, AT(b)},
    {.key = "low_where", RULE(ORDER), 0, WHERE, AT(a.where)},
    {.key = "high_where", RULE(ORDER), 0, WHERE, AT(b.where)},
    {.key = "a", RULE(OVERLAP), RULE(OVERLAP), SOURCE, AT(a)},
    {.key = "b", RULE(OVERLAP), RULE(OVERLAP), SOURCE, AT(b)},
    {.key = "a_where", RULE(OVERLAP), 0, WHERE, AT(a.where)},
    {.key = "b_where", RULE(OVERLAP), 0, WHERE, AT(b.where)},
    {.key = "low", RULE(OVERLAP), 0, SOURCE, AT(c)},
    {.key = "high", RULE(OVERLAP), 0, SOURCE, AT(d)},
    {.key = "low_where", RULE(OVERLAP), 0, WHERE, AT(c.where)},
    {.key = "high_where", RULE(OVERLAP), 0, WHERE, AT(d.where)},
    {.key = "match", PAIRS, 0, NAMES, AT(match)},
    {.key = "where", SERIES | PAIRS, 0, WHERE, 0},
};
enum { ARGUMENTS = sizeof arguments / sizeof *arguments };
_Static_assert(ARGUMENTS <= 32, "`seen` has a bit for each");

/* What a test is read with. */
typedef struct {
  const bperc_i_ini *ini;
  const bperc_i_entry *entry;
  bperc_i_test *test;
  bperc_i_filter common; /* where= */
  unsigned seen;         /* bit k: arguments[k] was given */
  bperc_error *error;
} reader;

#define REFUSE(r, ...)                                                         \
  bperc_i_ini_bad((r)->ini, (r)->entry->line, (r)->error, __VA_ARGS__)

/* ---- values by type */

static bperc_status read_choice(reader *r, const argument *a, const char *text,
                                int *out) {
  char what[80];
  *out = bperc_i_word_find(text, a->words, 2);
  if (*out >= 0)
    return BPERC_OK;
  snprintf(what, sizeof what, "%s is %s or %s, not", a->key, a->words[0],
           a->words[1]);
  return bperc_i_ini_unknown(r->ini, r->entry->line, what, text, a->words, 2,
                             r->error);
}

static bperc_status read_test_number(reader *r, const argument *a,
                                     const char *text, double *out) {
  char *end;
  *out = bperc_i_strtod(text, &end);
  if (end == text || *end || !isfinite(*out))
    return REFUSE(r, "%s: '%.60s' is not a number", a->key, text);
  if (*out < a->low)
    return REFUSE(r, "%s is at least %g, not %.60s", a->key, a->low, text);
  return BPERC_OK;
}

/* Cuts "table:column" in place. */
static bperc_status read_side_name(reader *r, const argument *a, char *text,
                                   bperc_i_table_source *out) {
  char *colon = strrchr(text, ':');
  if (!colon || colon == text || !colon[1])
    return REFUSE(r, "%s is table:column, not '%.60s'", a->key, text);
  *colon = 0;
  out->table = text;
  out->column = colon + 1;
  return BPERC_OK;
}

static bperc_status read_names(reader *r, const argument *a, char *text,
                               bperc_i_names *out) {
  out->given = 1;
  for (char *end; *text; text = end) {
    end = text + strcspn(text, ",");
    if (*end)
      *end++ = 0;
    if (!*text || out->count == BPERC_I_NAMES)
      return REFUSE(r, "%s is a list of at most %d names, 'n,fin'", a->key,
                    BPERC_I_NAMES);
    out->names[out->count++] = text;
  }
  return BPERC_OK;
}

static bperc_status read_argument_value(reader *r, const argument *a,
                                        char *text) {
  char *place = (char *)r->test + a->offset;
  const char *wrong;
  if (!*text && a->type != NAMES)
    return REFUSE(r, "%s has no value", a->key);
  switch (a->type) {
  case NAME:
    *(const char **)place = text;
    return BPERC_OK;
  case SOURCE:
    return read_side_name(r, a, text, (bperc_i_table_source *)place);
  case NAMES:
    return read_names(r, a, text, (bperc_i_names *)place);
  case NUMBER:
    return read_test_number(r, a, text, (double *)place);
  case WORD:
    return read_choice(r, a, text, (int *)place);
  case WHERE:
    break;
  }
  wrong = bperc_i_filter_parse(text, a->offset ? (bperc_i_filter *)place
                                               : &r->common);
  return wrong ? REFUSE(r, "%s: %s", a->key, wrong) : BPERC_OK;
}

/* ---- arguments */

static bperc_status unknown_key(reader *r, const char *key) {
  const char *words[ARGUMENTS];
  char what[80];
  size_t count = 0;
  for (size_t k = 0; k < ARGUMENTS; k++)
    if (arguments[k].rules >> r->test->rule & 1)
      words[count++] = arguments[k].key;
  snprintf(what, sizeof what, "rule '%s' has no argument", r->test->name);
  return bperc_i_ini_unknown(r->ini, r->entry->line, what, key, words, count,
                             r->error);
}

static bperc_status read_argument(reader *r, char *word) {
  char *equals = strchr(word, '=');
  size_t k = 0;
  if (!equals)
    return REFUSE(r, "'%.60s' is not key=value", word);
  *equals = 0;
  while (k < ARGUMENTS && (strcmp(arguments[k].key, word) ||
                           !(arguments[k].rules >> r->test->rule & 1)))
    k++;
  if (k == ARGUMENTS)
    return unknown_key(r, word);
  if (r->seen >> k & 1)
    return REFUSE(r, "%s is given twice", word);
  r->seen |= 1u << k;
  return read_argument_value(r, &arguments[k], equals + 1);
}

static bperc_status find_rule(reader *r, const char *word) {
  int rule = bperc_i_word_find(word, rule_words, BPERC_RULE_COUNT);
  if (rule < 0)
    return bperc_i_ini_unknown(r->ini, r->entry->line, "there is no rule", word,
                               rule_words, BPERC_RULE_COUNT, r->error);
  r->test->rule = (bperc_rule)rule;
  r->test->name = rule_words[rule];
  return BPERC_OK;
}

/* ---- the whole */

/* The conditions of the test before those of the side. */
static int join_conditions(const bperc_i_filter *common,
                           bperc_i_table_source *s) {
  bperc_i_filter own = s->where;
  if (common->count + own.count > BPERC_I_CONDITIONS)
    return 0;
  s->where = *common;
  s->common = common->count;
  for (size_t k = 0; k < own.count; k++)
    s->where.conditions[s->where.count++] = own.conditions[k];
  return 1;
}

static bperc_status check_test(reader *r) {
  bperc_i_test *t = r->test;
  int with_share = isfinite(t->share);
  for (size_t k = 0; k < ARGUMENTS; k++)
    if (arguments[k].needed >> t->rule & 1 && !(r->seen >> k & 1))
      return REFUSE(r, "rule '%s' needs the argument '%s'", t->name,
                    arguments[k].key);
  if (t->rule == BPERC_RULE_OVERLAP &&
      with_share == (int)isfinite(t->tolerance))
    return REFUSE(r, "overlap needs a tolerance or a share, not both");
  if (with_share != (t->c.table && t->d.table) ||
      with_share != (t->c.table || t->d.table))
    return REFUSE(r, "a share is that of a difference: share=, low= and high= "
                     "belong together");
  if (isfinite(t->fraction) && !(t->fraction > 0 && t->fraction <= 1))
    return REFUSE(r, "fraction is above 0 and at most 1");
  if (t->median && t->pooled)
    return REFUSE(r, "need=pooled takes means, not of=median");
  if (!join_conditions(&r->common, &t->a) ||
      !join_conditions(&r->common, &t->b) ||
      !join_conditions(&r->common, &t->c) ||
      !join_conditions(&r->common, &t->d))
    return REFUSE(r, "more than %d conditions", BPERC_I_CONDITIONS);
  if (!isfinite(t->fraction))
    t->fraction = 1;
  t->sign = t->sign ? 1 : -1;
  return BPERC_OK;
}

bperc_status bperc_i_test_parse(const bperc_i_ini *ini, const bperc_i_entry *e,
                                bperc_i_test *out, bperc_error *error) {
  reader r = {.ini = ini, .entry = e, .test = out, .error = error};
  bperc_status status = BPERC_OK;
  char *at, *word;
  *out = (bperc_i_test){.line = e->line,
                        .value = NAN,
                        .tolerance = NAN,
                        .fraction = NAN,
                        .share = NAN};
  out->words = bperc_strdup(e->value);
  if (!out->words)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for claims");
  word = strtok_r(out->words, " \t", &at);
  status = word ? find_rule(&r, word) : REFUSE(&r, "a rule is missing");
  while (status == BPERC_OK && (word = strtok_r(NULL, " \t", &at)))
    status = read_argument(&r, word);
  if (status == BPERC_OK)
    status = check_test(&r);
  if (status != BPERC_OK) {
    bperc_free(out->words);
    *out = (bperc_i_test){0};
  }
  return status;
}

size_t bperc_i_test_sources(const bperc_i_test *t,
                            const bperc_i_table_source *out[4]) {
  const bperc_i_table_source *all[] = {&t->a, &t->b, &t->c, &t->d};
  size_t count = 0;
  for (size_t k = 0; k < 4; k++)
    if (all[k]->table)
      out[count++] = all[k];
  return count;
}
