/* Applying an encoding: columns by name, cells to bits, labels to 0 and 1. */
#include "data/encoding.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/number.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bperc_encoding *bperc_i_encoding_new(size_t rules) {
  bperc_encoding *e = bperc_i_calloc(1, sizeof *e);
  if (!e)
    return NULL;
  e->rules = bperc_i_calloc(rules, sizeof *e->rules);
  if (!e->rules) {
    bperc_encoding_free(e);
    return NULL;
  }
  e->count = rules;
  return e;
}

void bperc_i_texts_clear(bperc_i_texts *list) {
  for (size_t k = 0; k < list->count; k++)
    bperc_i_free(list->texts[k]);
  bperc_i_free(list->texts);
  *list = (bperc_i_texts){NULL, 0};
}

int bperc_i_texts_add(bperc_i_texts *list, const char *text) {
  size_t old = list->count * sizeof *list->texts;
  char **texts = list->texts, *copy = bperc_i_strdup(text);
  if ((list->count & (list->count - 1)) == 0) /* a power of two: full */
    texts = bperc_i_realloc(list->texts, old,
                            (list->count ? 2 * old : sizeof *texts));
  if (texts)
    list->texts = texts;
  if (!texts || !copy) {
    bperc_i_free(copy);
    return 0;
  }
  list->texts[list->count++] = copy;
  return 1;
}

void bperc_encoding_free(bperc_encoding *e) {
  if (!e)
    return;
  for (size_t k = 0; k < e->count; k++) {
    bperc_i_texts texts = {e->rules[k].texts, e->rules[k].count};
    if (texts.texts)
      bperc_i_texts_clear(&texts);
    bperc_i_free(e->rules[k].name);
    bperc_i_free(e->rules[k].cuts);
  }
  bperc_i_free(e->rules);
  bperc_i_free(e->label);
  for (size_t v = 0; v < e->classes; v++) {
    bperc_i_free(e->shown[v]);
    bperc_i_texts_clear(&e->values[v]);
  }
  bperc_i_free(e->shown);
  bperc_i_free(e->values);
  bperc_i_missing_words_clear(&e->missing);
  bperc_i_free(e);
}

int bperc_i_encoding_classes(bperc_encoding *e, size_t classes) {
  e->shown = bperc_i_calloc(classes, sizeof *e->shown);
  e->values = bperc_i_calloc(classes, sizeof *e->values);
  if (!e->shown || !e->values)
    return 0;
  e->classes = classes;
  return 1;
}

void bperc_i_encoding_count(bperc_encoding *e) {
  e->n = 0;
  for (size_t k = 0; k < e->count; k++) {
    e->rules[k].first = e->n;
    e->rules[k].saw_missing =
        k + 1 < e->count && e->rules[k + 1].kind == BPERC_I_MISSING &&
        e->rules[k + 1].count > 0 &&
        strcmp(e->rules[k].name, e->rules[k + 1].name) == 0;
    e->n += e->rules[k].count;
  }
}

size_t bperc_encoding_inputs(const bperc_encoding *e) {
  return e->complement ? 2 * e->n : e->n;
}

int bperc_encoding_complements(const bperc_encoding *e) {
  return e->complement;
}

const char *bperc_encoding_label(const bperc_encoding *e, int label) {
  assert(label >= 0 && (size_t)label < e->classes);
  return e->shown[label];
}

size_t bperc_encoding_classes(const bperc_encoding *e) { return e->classes; }

int bperc_i_same_value(const char *a, const char *b) {
  char *end_a, *end_b;
  double x, y;
  if (strcmp(a, b) == 0)
    return 1;
  x = bperc_i_strtod(a, &end_a);
  y = bperc_i_strtod(b, &end_b);
  return end_a != a && !*end_a && end_b != b && !*end_b && x == y;
}

/* ---- columns by name */

/* An array without its label column has one column fewer: positions behind
 * the label move down. */
static size_t shifted(const bperc_encoding *e, const bperc_i_records *t,
                      const char *name) {
  size_t label = strtoul(e->label, NULL, 10), at = strtoul(name, NULL, 10);
  size_t k = at > label ? at - 2 : at - 1;
  return k < t->columns ? k : SIZE_MAX;
}

static int without_label(const bperc_encoding *e, const bperc_i_records *t) {
  size_t widest = strtoul(e->label, NULL, 10);
  for (size_t k = 0; k < e->count; k++) {
    size_t at = strtoul(e->rules[k].name, NULL, 10);
    widest = at > widest ? at : widest;
  }
  return t->by_position && t->columns + 1 == widest;
}

/* The columns of an array are known by position alone: where the model's label
 * has a name (svmlight), an array may not have more columns than the inputs
 * need. */
static bperc_status check_positions(const bperc_encoding *e,
                                    const bperc_i_records *t,
                                    bperc_error *error) {
  char *end;
  size_t widest = 0;
  strtoul(e->label, &end, 10);
  for (size_t k = 0; k < e->count; k++) {
    size_t at = strtoul(e->rules[k].name, NULL, 10);
    widest = at > widest ? at : widest;
  }
  if (!t->by_position || (end != e->label && !*end) || !widest ||
      t->columns <= widest)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s: the array has %zu columns and the model reads "
                         "%zu, without the label: nothing says which column is "
                         "the label, so leave it out",
                         t->path, t->columns, widest);
}

bperc_status bperc_i_matching_make(const bperc_encoding *e,
                                   const bperc_i_records *t,
                                   bperc_i_matching *out, bperc_error *error) {
  int shift = without_label(e, t);
  bperc_status status = check_positions(e, t, error);
  *out =
      (bperc_i_matching){.encoding = e, .label = SIZE_MAX, .weight = SIZE_MAX};
  if (status != BPERC_OK)
    return status;
  out->column = bperc_i_alloc(e->count, sizeof *out->column);
  if (!out->column)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
  if (!shift && !t->unlabelled)
    out->label = bperc_i_source_find(t, e->label);
  for (size_t k = 0; k < e->count; k++) {
    const char *name = e->rules[k].name;
    size_t at = shift ? shifted(e, t, name) : bperc_i_source_find(t, name);
    out->column[k] = at;
    /* svmlight leaves out zeros: a column beyond its width is zero. */
    if (at == SIZE_MAX && !t->labels_first)
      return bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: the model reads a column '%s', which is not "
                             "in this file",
                             t->path, name);
  }
  return BPERC_OK;
}

/* ---- one row */

static bperc_status not_a_number(const bperc_i_encoding_rule *rule,
                                 const bperc_i_io_cell *cell,
                                 const bperc_i_records *t, bperc_error *error) {
  char text[64];
  return bperc_i_source_bad(t, error,
                            "column '%s' is '%s', and the model reads numbers "
                            "there",
                            rule->name,
                            bperc_i_cell_text(cell, text, sizeof text));
}

enum { MOST_UNSEEN = 1000 }; /* different ones that are named */

static bperc_status note_unseen(const bperc_i_encoding_rule *rule,
                                const char *text, const bperc_i_records *t,
                                bperc_data_facts *facts, bperc_error *error) {
  bperc_unseen *list;
  facts->unseen_cells++;
  for (size_t k = 0; k < facts->unseen_count; k++)
    if (strcmp(facts->unseen[k].column, rule->name) == 0 &&
        strcmp(facts->unseen[k].text, text) == 0)
      return facts->unseen[k].count++, BPERC_OK;
  if (facts->unseen_count == MOST_UNSEEN)
    return BPERC_OK;
  list = bperc_i_realloc(facts->unseen, facts->unseen_count * sizeof *list,
                         (facts->unseen_count + 1) * sizeof *list);
  if (list) {
    facts->unseen = list;
    list += facts->unseen_count;
    *list = (bperc_unseen){bperc_i_strdup(rule->name), bperc_i_strdup(text), 1};
    facts->unseen_count++;
  }
  return list && list->column && list->text
             ? BPERC_OK
             : bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
}

/* Whether training saw the text. */
static int encode_text(const bperc_i_encoding_rule *rule,
                       const bperc_i_io_cell *cell, uint64_t *bits) {
  char text[256];
  bperc_i_cell_text(cell, text, sizeof text);
  for (size_t k = 0; k < rule->count; k++)
    if (strcmp(rule->texts[k], text) == 0) {
      bperc_i_bit_set(bits, rule->first + k, 1);
      return 1;
    }
  return 0;
}

static void encode_number(const bperc_i_encoding_rule *rule, double value,
                          uint64_t *bits) {
  if (rule->kind == BPERC_I_BIT)
    /* A column of small counts may have shown 0 and 1 alone in training. */
    bits[rule->first / 64] |= (uint64_t)(value > 0.5) << (rule->first % 64);
  else
    for (size_t k = 0; k < rule->count && value > rule->cuts[k]; k++)
      bperc_i_bit_set(bits, rule->first + k, 1);
}

/* A column without a value, or with a text that training has not seen: all its
 * inputs are 0 but the one that says so. */
static bperc_status encode_missing(const bperc_i_encoding_rule *rule,
                                   const bperc_i_io_cell *cell,
                                   const bperc_i_records *t, int empty,
                                   uint64_t *bits, bperc_data_facts *facts,
                                   bperc_error *error) {
  char text[256] = "";
  if (rule->saw_missing)
    bperc_i_bit_set(bits, rule->first + rule->count, 1);
  if (!facts || (empty && rule->saw_missing) || !rule->count)
    return BPERC_OK;
  if (!empty)
    bperc_i_cell_text(cell, text, sizeof text);
  return note_unseen(rule, text, t, facts, error);
}

static bperc_status encode_cell(const bperc_encoding *e, size_t k,
                                const bperc_i_io_cell *cell,
                                const bperc_i_records *t, uint64_t *bits,
                                bperc_data_facts *facts, bperc_error *error) {
  const bperc_i_encoding_rule *rule = &e->rules[k];
  double value;
  int empty = bperc_i_cell_missing(cell, &e->missing);
  assert(rule->first + rule->count <= e->n);
  if (empty)
    return encode_missing(rule, cell, t, 1, bits, facts, error);
  if (rule->kind == BPERC_I_IS)
    return encode_text(rule, cell, bits)
               ? BPERC_OK
               : encode_missing(rule, cell, t, 0, bits, facts, error);
  if (!bperc_i_cell_number(cell, &value))
    return not_a_number(rule, cell, t, error);
  encode_number(rule, value, bits);
  return BPERC_OK;
}

bperc_status bperc_i_encode_row(const bperc_i_matching *m,
                                const bperc_i_records *t, uint64_t *bits,
                                bperc_data_facts *facts, bperc_error *error) {
  static const bperc_i_io_cell zero = {NULL, 0, 0};
  const bperc_encoding *e = m->encoding;
  for (size_t k = 0; k < e->count; k++) {
    const bperc_i_io_cell *cell =
        m->column[k] == SIZE_MAX ? &zero : &t->cells[m->column[k]];
    bperc_status status;
    if (e->rules[k].kind == BPERC_I_MISSING)
      continue; /* set by the rule before */
    status = encode_cell(e, k, cell, t, bits, facts, error);
    if (status != BPERC_OK)
      return status;
  }
  if (e->complement)
    bperc_i_complement(bits, e->n);
  return BPERC_OK;
}

void bperc_i_complement(uint64_t *bits, size_t n) {
  for (size_t i = 0; i < n; i++)
    bperc_i_bit_set(bits, n + i, !bperc_i_bit(bits, i));
}

bperc_status bperc_i_encode_label(const bperc_i_matching *m,
                                  const bperc_i_records *t, uint16_t *label,
                                  bperc_error *error) {
  const bperc_encoding *e = m->encoding;
  char text[256];
  const bperc_i_io_cell *cell = &t->cells[m->label];
  assert(m->label != SIZE_MAX);
  bperc_i_cell_text(cell, text, sizeof text);
  for (size_t v = e->classes; v-- > 0;)
    for (size_t k = 0; k < e->values[v].count; k++)
      if (bperc_i_same_value(e->values[v].texts[k], text)) {
        *label = (uint16_t)v;
        return BPERC_OK;
      }
  *label = 0;
  if (bperc_i_cell_missing(cell, &e->missing))
    return bperc_i_source_bad(t, error, "the label '%s' has no value",
                              e->label);
  if (e->values[0].count == 0)
    return BPERC_OK;
  if (e->classes > 2)
    return bperc_i_source_bad(t, error,
                              "the label '%s' is none of the model's %zu "
                              "classes",
                              text, e->classes);
  return bperc_i_source_bad(t, error, "the label '%s' is neither '%s' nor '%s'",
                            text, e->shown[0], e->shown[1]);
}

/* ---- names of inputs */

static void name_of_rule(const bperc_i_encoding_rule *rule, size_t k,
                         int inverted, char *out, size_t size) {
  char number[40];
  if (rule->kind == BPERC_I_ABOVE)
    snprintf(out, size, "%s %s %s", rule->name, inverted ? "<=" : ">",
             bperc_i_show_real(rule->cuts[k], number, sizeof number));
  else if (rule->kind == BPERC_I_IS)
    snprintf(out, size, "%s %s %s", rule->name, inverted ? "!=" : "=",
             rule->texts[k]);
  else if (rule->kind == BPERC_I_MISSING)
    snprintf(out, size, "%s is %s", rule->name, inverted ? "known" : "missing");
  else
    snprintf(out, size, "%s%s", inverted ? "not " : "", rule->name);
}

size_t bperc_encoding_input_name(const bperc_encoding *e, size_t input,
                                 char *out, size_t size) {
  int inverted = e->complement && input >= e->n;
  size_t at = inverted ? input - e->n : input;
  char name[1024];
  assert(input < bperc_encoding_inputs(e));
  snprintf(name, sizeof name, "%sinput %zu", inverted ? "not " : "", at);
  for (size_t k = 0; k < e->count; k++)
    if (at >= e->rules[k].first && at < e->rules[k].first + e->rules[k].count)
      name_of_rule(&e->rules[k], at - e->rules[k].first, inverted, name,
                   sizeof name);
  if (size)
    snprintf(out, size, "%s", name);
  return strlen(name);
}
