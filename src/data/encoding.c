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
  for (int v = 0; v < 2; v++) {
    bperc_i_free(e->shown[v]);
    bperc_i_texts_clear(&e->values[v]);
  }
  bperc_i_free(e);
}

void bperc_i_encoding_count(bperc_encoding *e) {
  e->n = 0;
  for (size_t k = 0; k < e->count; k++) {
    e->rules[k].first = e->n;
    e->n += e->rules[k].count;
  }
}

size_t bperc_encoding_inputs(const bperc_encoding *e) {
  return e->complement ? 2 * e->n : e->n;
}

const char *bperc_encoding_label(const bperc_encoding *e, int label) {
  return e->shown[label != 0];
}

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

bperc_status bperc_i_matching_make(const bperc_encoding *e,
                                   const bperc_i_records *t,
                                   bperc_i_matching *out, bperc_error *error) {
  int shift = without_label(e, t);
  *out = (bperc_i_matching){.encoding = e, .label = SIZE_MAX};
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

static bperc_status not_usable(const bperc_i_encoding_rule *rule,
                               const bperc_i_io_cell *cell,
                               const bperc_i_records *t, bperc_error *error) {
  char text[64];
  if (bperc_i_cell_missing(cell))
    return bperc_i_source_bad(t, error, "column '%s' has no value", rule->name);
  return bperc_i_source_bad(t, error,
                            "column '%s' is '%s', and the model reads numbers "
                            "there",
                            rule->name,
                            bperc_i_cell_text(cell, text, sizeof text));
}

static int encode_text(const bperc_i_encoding_rule *rule,
                       const bperc_i_io_cell *cell, uint64_t *bits) {
  char text[256];
  bperc_i_cell_text(cell, text, sizeof text);
  for (size_t k = 0; k < rule->count; k++)
    if (strcmp(rule->texts[k], text) == 0)
      bperc_i_bit_set(bits, rule->first + k, 1);
  return !bperc_i_cell_missing(cell); /* an unknown text is no category */
}

static int encode_cell(const bperc_i_encoding_rule *rule,
                       const bperc_i_io_cell *cell, uint64_t *bits) {
  double value;
  if (rule->kind == BPERC_I_IS)
    return encode_text(rule, cell, bits);
  if (!bperc_i_cell_number(cell, &value))
    return 0;
  if (rule->kind == BPERC_I_BIT) {
    /* A column of small counts may have shown 0 and 1 alone in training. */
    bits[rule->first / 64] |= (uint64_t)(value > 0.5) << (rule->first % 64);
    return 1;
  }
  for (size_t k = 0; k < rule->count && value > rule->cuts[k]; k++)
    bperc_i_bit_set(bits, rule->first + k, 1);
  return 1;
}

bperc_status bperc_i_encode_row(const bperc_i_matching *m,
                                const bperc_i_records *t, uint64_t *bits,
                                bperc_error *error) {
  static const bperc_i_io_cell zero = {NULL, 0, 0};
  const bperc_encoding *e = m->encoding;
  for (size_t k = 0; k < e->count; k++) {
    const bperc_i_io_cell *cell =
        m->column[k] == SIZE_MAX ? &zero : &t->cells[m->column[k]];
    assert(e->rules[k].first + e->rules[k].count <= e->n);
    if (!encode_cell(&e->rules[k], cell, bits))
      return not_usable(&e->rules[k], cell, t, error);
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
                                  const bperc_i_records *t, uint8_t *label,
                                  bperc_error *error) {
  const bperc_encoding *e = m->encoding;
  char text[256];
  const bperc_i_io_cell *cell = &t->cells[m->label];
  assert(m->label != SIZE_MAX);
  bperc_i_cell_text(cell, text, sizeof text);
  for (int v = 1; v >= 0; v--)
    for (size_t k = 0; k < e->values[v].count; k++)
      if (bperc_i_same_value(e->values[v].texts[k], text)) {
        *label = (uint8_t)v;
        return BPERC_OK;
      }
  *label = 0;
  if (bperc_i_cell_missing(cell))
    return bperc_i_source_bad(t, error, "the label '%s' has no value",
                              e->label);
  if (e->values[0].count == 0)
    return BPERC_OK;
  return bperc_i_source_bad(t, error, "the label '%s' is neither '%s' nor '%s'",
                            text, e->shown[0], e->shown[1]);
}
