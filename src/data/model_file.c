/* Model files: what `fit` writes and `predict` reads.
 *
 *   bperc model 1
 *   source "train.csv"
 *   weights 01
 *   threshold 12.5
 *   kappa 0
 *   ties zero
 *   complement no
 *   label "class"
 *   zero "B" "B"                label 0 as printed, then the values that mean
 *   one "M" "M"                 it; no value for 0: all others mean it
 *   column bit "smoker"         0 or 1 as it is
 *   column above "age" 41.5 60  one input per number: value above it
 *   column is "colour" "blue" "red"
 *   bits 0110...                one per input, complements behind
 *   end
 *
 * Version 2 adds missing values, links and more than two classes:
 * docs/formats.md. A model of an instance file has a line `inputs N` instead of
 * `label` and `column`. Every line is checked; lines may come in any order
 * between the first and `end`, and lines that start with # do not count. */
#include "bperc/data.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/number.h"
#include "data/encoding.h"
#include "io/pack.h"
#include "io/recognise.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing */

static void put_text(FILE *out, const char *text) {
  fputs(" \"", out);
  for (; *text; text++)
    if (*text == '\n')
      fputs("\\n", out);
    else {
      if (*text == '"' || *text == '\\')
        fputc('\\', out);
      fputc(*text, out);
    }
  fputc('"', out);
}

static void put_rule(FILE *out, const bperc_i_encoding_rule *rule) {
  static const char *const kinds[] = {"bit", "above", "is", "missing"};
  char number[40];
  fprintf(out, "column %s", kinds[rule->kind]);
  put_text(out, rule->name);
  for (size_t k = 0; k < rule->count; k++)
    if (rule->kind == BPERC_I_ABOVE)
      fprintf(out, " %s",
              bperc_i_show_real(rule->cuts[k], number, sizeof number));
    else if (rule->kind == BPERC_I_IS)
      put_text(out, rule->texts[k]);
  fputc('\n', out);
}

static void put_labels(FILE *out, const char *key, const bperc_encoding *e,
                       size_t v) {
  const bperc_i_texts *values = &e->values[v];
  fputs(key, out);
  put_text(out, e->shown[v]);
  for (size_t k = 0; k < values->count; k++)
    put_text(out, values->texts[k]);
  fputc('\n', out);
}

static void put_encoding(FILE *out, const bperc_encoding *e) {
  fprintf(out, "complement %s\n", e->complement ? "yes" : "no");
  if (e->label) {
    fputs("label", out);
    put_text(out, e->label);
    fputc('\n', out);
  } else
    fprintf(out, "inputs %zu\n", e->n);
  if (e->classes == 2) {
    put_labels(out, "zero", e, 0);
    put_labels(out, "one", e, 1);
  }
  for (size_t v = 0; e->classes > 2 && v < e->classes; v++)
    put_labels(out, "class", e, v);
  if (e->label && e->missing.count) {
    fputs("missing", out);
    for (size_t k = 0; k < e->missing.count; k++)
      put_text(out, e->missing.words[k]);
    fputc('\n', out);
  }
  for (size_t k = 0; k < e->count; k++)
    put_rule(out, &e->rules[k]);
}

static void put_real(FILE *out, const char *before, double value) {
  char number[40];
  fprintf(out, "%s%s", before, bperc_i_show_real(value, number, sizeof number));
}

static void put_bits(FILE *out, const bperc_classifier *c,
                     const uint64_t *weights) {
  fputs("bits ", out);
  for (size_t i = 0; i < c->n; i++)
    fputc('0' + bperc_i_bit(weights, i), out);
  fputc('\n', out);
}

static void put_unit(FILE *out, const bperc_classifier *c, size_t k) {
  const bperc_unit *u = &c->units[k];
  fputs("unit ", out);
  for (size_t v = 0; v < c->encoding->classes; v++)
    fputc("-0+"[u->code[v] + 1], out);
  put_real(out, " ", u->threshold);
  put_real(out, " ", u->kappa);
  if (c->linked) {
    put_real(out, " ", u->slope);
    put_real(out, " ", u->offset);
  }
  fputc('\n', out);
  put_bits(out, c, u->weights);
}

/* Version 1 where it can say all, so that older programs read it. */
static int needs_version_2(const bperc_classifier *c) {
  return c->linked || c->encoding->classes > 2 || c->encoding->missing.count;
}

static void put_model(FILE *out, const bperc_classifier *c) {
  double theta = c->model.a > 0 ? (double)c->n / c->model.a : c->model.theta;
  fprintf(out, "%s%d\n", bperc_i_model_first_words, 1 + needs_version_2(c));
  if (c->source) {
    fputs("source", out);
    put_text(out, c->source);
    fputc('\n', out);
  }
  fprintf(out, "weights %s\n", bperc_weights_name(c->model.weights));
  if (!c->unit_count) {
    put_real(out, "threshold ", theta);
    put_real(out, "\nkappa ", c->model.kappa);
    fputc('\n', out);
  }
  fprintf(out, "ties %s\n", bperc_ties_name(c->model.ties));
  put_encoding(out, c->encoding);
  if (!c->unit_count && c->linked) {
    put_real(out, "link ", c->slope);
    put_real(out, " ", c->offset);
    fputc('\n', out);
  }
  if (!c->unit_count)
    put_bits(out, c, c->weights);
  else
    fprintf(out, "scheme %s\n", bperc_scheme_name(c->scheme));
  if (c->unit_count && c->linked) {
    put_real(out, "sharpness ", c->sharpness);
    fputc('\n', out);
  }
  for (size_t k = 0; k < c->unit_count; k++)
    put_unit(out, c, k);
  fputs("end\n", out);
}

bperc_status bperc_classifier_write(const bperc_classifier *c, const char *path,
                                    bperc_error *error) {
  bperc_output file;
  bperc_status status;
  if (strcmp(path, "-") == 0) {
    put_model(stdout, c);
    return BPERC_OK;
  }
  status = bperc_output_open(&file, path, error);
  if (status != BPERC_OK)
    return status;
  put_model(file.stream, c);
  return bperc_output_commit(&file, error);
}

/* ---- reading */

typedef struct {
  bperc_i_lines lines;
  bperc_classifier *c;
  bperc_encoding *e;
  const char *at; /* unread rest of the line */
  size_t rules_room;
  size_t bit_count;
  size_t inputs;
  size_t named; /* `class` lines */
  size_t units_room, code_length, linked_units;
  unsigned seen; /* which keys there were */
} reader;

static bperc_status bad_model(const reader *r, bperc_error *error,
                              const char *what) {
  return bperc_i_lines_bad(&r->lines, error, "%s", what);
}

static bperc_status no_memory_for_model(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for the model");
}

static void skip_model_blanks(reader *r) { r->at += strspn(r->at, " \t"); }

static int at_end(reader *r) {
  skip_model_blanks(r);
  return !*r->at;
}

/* A quoted text, copied; NULL with *status set when there is none. */
static char *take_text(reader *r, bperc_status *status, bperc_error *error) {
  char *text, *to;
  skip_model_blanks(r);
  if (*r->at != '"') {
    *status = bad_model(r, error, "a text in double quotes is due here");
    return NULL;
  }
  text = to = bperc_i_alloc(strlen(r->at), 1);
  if (!text) {
    *status = no_memory_for_model(error);
    return NULL;
  }
  for (r->at++; *r->at && *r->at != '"'; r->at++) {
    if (*r->at == '\\' && r->at[1])
      r->at++;
    *to++ = r->at[-1] == '\\' && *r->at == 'n' ? '\n' : *r->at;
  }
  *to = 0;
  if (*r->at == '"') {
    r->at++;
    return text;
  }
  bperc_i_free(text);
  *status = bad_model(r, error, "a quote opens here and is never closed");
  return NULL;
}

static bperc_status take_number(reader *r, double *value, bperc_error *error) {
  char *end;
  skip_model_blanks(r);
  *value = bperc_i_strtod(r->at, &end);
  if (end == r->at || (*end && *end != ' ' && *end != '\t') ||
      !isfinite(*value))
    return bad_model(r, error, "a number is due here");
  r->at = end;
  return BPERC_OK;
}

/* Which of some words, ended by NULL, stands next. */
static bperc_status take_model_word(reader *r, const char *const *words,
                                    int *which, bperc_error *error) {
  size_t length;
  skip_model_blanks(r);
  length = strcspn(r->at, " \t");
  for (*which = 0; words[*which]; ++*which)
    if (strlen(words[*which]) == length &&
        strncmp(words[*which], r->at, length) == 0) {
      r->at += length;
      return BPERC_OK;
    }
  return bperc_i_lines_bad(&r->lines, error, "'%.30s' is not known here",
                           r->at);
}

static bperc_status read_model_source(reader *r, bperc_error *error) {
  bperc_status status = BPERC_OK;
  r->c->source = take_text(r, &status, error);
  return status;
}

static bperc_status read_weight_kind(reader *r, bperc_error *error) {
  static const char *const words[] = {"01", "pm", NULL};
  int which;
  bperc_status status = take_model_word(r, words, &which, error);
  r->c->model.weights = (bperc_weight_kind)which;
  return status;
}

static bperc_status read_threshold(reader *r, bperc_error *error) {
  return take_number(r, &r->c->model.theta, error);
}

static bperc_status read_kappa(reader *r, bperc_error *error) {
  bperc_status status = take_number(r, &r->c->model.kappa, error);
  if (status == BPERC_OK && r->c->model.kappa < 0)
    return bad_model(r, error, "kappa must not be negative");
  return status;
}

static bperc_status read_ties(reader *r, bperc_error *error) {
  static const char *const words[] = {"zero", "strict", "either", NULL};
  int which;
  bperc_status status = take_model_word(r, words, &which, error);
  r->c->model.ties = (bperc_ties)which;
  return status;
}

static bperc_status read_complement(reader *r, bperc_error *error) {
  static const char *const words[] = {"no", "yes", NULL};
  return take_model_word(r, words, &r->e->complement, error);
}

static bperc_status read_label_name(reader *r, bperc_error *error) {
  bperc_status status = BPERC_OK;
  r->e->label = take_text(r, &status, error);
  return status;
}

static bperc_status read_label_values(reader *r, size_t v, bperc_error *error) {
  bperc_status status = BPERC_OK;
  r->e->shown[v] = take_text(r, &status, error);
  while (status == BPERC_OK && !at_end(r)) {
    char *text = take_text(r, &status, error);
    if (text && !bperc_i_texts_add(&r->e->values[v], text))
      status = no_memory_for_model(error);
    bperc_i_free(text);
  }
  return status;
}

static bperc_status read_one_of_two(reader *r, size_t v, bperc_error *error) {
  if (!r->e->classes && !bperc_i_encoding_classes(r->e, 2))
    return no_memory_for_model(error);
  if (r->named)
    return bad_model(r, error, "'class' lines do not go with 'zero' and 'one'");
  return read_label_values(r, v, error);
}

static bperc_status read_zero(reader *r, bperc_error *error) {
  return read_one_of_two(r, 0, error);
}

static bperc_status read_one(reader *r, bperc_error *error) {
  bperc_status status = read_one_of_two(r, 1, error);
  if (status == BPERC_OK && !r->e->values[1].count)
    return bad_model(r, error, "a text as printed and the values that mean it");
  return status;
}

enum { MOST_CLASSES = 255, MOST_UNITS = MOST_CLASSES * (MOST_CLASSES - 1) / 2 };

static bperc_status read_class(reader *r, bperc_error *error) {
  bperc_status status;
  if (r->e->classes && !r->named)
    return bad_model(r, error, "'class' lines do not go with 'zero' and 'one'");
  if (r->named == MOST_CLASSES)
    return bad_model(r, error, "a model has at most 255 classes");
  if (!r->e->classes && !bperc_i_encoding_classes(r->e, MOST_CLASSES))
    return no_memory_for_model(error);
  r->e->classes = MOST_CLASSES;
  status = read_label_values(r, r->named++, error);
  if (status == BPERC_OK && !r->e->values[r->named - 1].count)
    return bad_model(r, error, "a text as printed and the values that mean it");
  return status;
}

static bperc_status read_missing(reader *r, bperc_error *error) {
  bperc_status status = BPERC_OK;
  while (status == BPERC_OK && !at_end(r)) {
    char *text = take_text(r, &status, error);
    if (text && !bperc_i_missing_words_add(&r->e->missing, text))
      status = no_memory_for_model(error);
    bperc_i_free(text);
  }
  return status;
}

static bperc_status read_link(reader *r, bperc_error *error) {
  bperc_status status = take_number(r, &r->c->slope, error);
  r->c->linked = 1;
  return status == BPERC_OK ? take_number(r, &r->c->offset, error) : status;
}

static bperc_status read_sharpness(reader *r, bperc_error *error) {
  bperc_status status = take_number(r, &r->c->sharpness, error);
  if (status == BPERC_OK && !(r->c->sharpness > 0))
    return bad_model(r, error, "sharpness must be above 0");
  return status;
}

static bperc_status read_scheme(reader *r, bperc_error *error) {
  static const char *const words[] = {"two", "rest", "pairs", "bits", NULL};
  int which;
  bperc_status status = take_model_word(r, words, &which, error);
  r->c->scheme = (bperc_scheme)which;
  return status;
}

static bperc_unit *add_unit(reader *r) {
  bperc_classifier *c = r->c;
  if (c->unit_count == r->units_room) {
    size_t old = c->unit_count * sizeof *c->units;
    size_t room = 2 * c->unit_count + 8;
    bperc_unit *units = bperc_i_realloc(c->units, old, room * sizeof *c->units);
    if (!units)
      return NULL;
    c->units = units;
    r->units_room = room;
  }
  c->units[c->unit_count] = (bperc_unit){.slope = 1};
  c->units[c->unit_count].code = bperc_i_calloc(MOST_CLASSES, 1);
  return c->units[c->unit_count].code ? &c->units[c->unit_count++] : NULL;
}

/* One mark per class. */
static bperc_status read_code(reader *r, bperc_unit *u, bperc_error *error) {
  static const char marks[] = "-0+";
  size_t count;
  skip_model_blanks(r);
  count = strcspn(r->at, " \t");
  if (count != strspn(r->at, marks) || count > MOST_CLASSES)
    return bad_model(r, error, "a mark +, - or 0 for each class is due here");
  for (size_t v = 0; v < count; v++)
    u->code[v] = (int8_t)(strchr(marks, r->at[v]) - marks - 1);
  r->at += count;
  if (r->code_length && r->code_length != count)
    return bad_model(r, error, "another number of marks than before");
  r->code_length = count;
  return BPERC_OK;
}

static bperc_status read_unit(reader *r, bperc_error *error) {
  bperc_unit *u;
  bperc_status status;
  if (r->c->unit_count == MOST_UNITS)
    return bad_model(r, error, "too many units");
  if (r->c->unit_count && !r->c->units[r->c->unit_count - 1].weights)
    return bad_model(r, error, "the unit before has no 'bits'");
  u = add_unit(r);
  if (!u)
    return no_memory_for_model(error);
  status = read_code(r, u, error);
  if (status == BPERC_OK)
    status = take_number(r, &u->threshold, error);
  if (status == BPERC_OK)
    status = take_number(r, &u->kappa, error);
  if (status != BPERC_OK || at_end(r))
    return status;
  r->linked_units++;
  status = take_number(r, &u->slope, error);
  return status == BPERC_OK ? take_number(r, &u->offset, error) : status;
}

static bperc_status read_inputs(reader *r, bperc_error *error) {
  double value;
  bperc_status status = take_number(r, &value, error);
  if (status == BPERC_OK &&
      !(value >= 1 && value <= (double)BPERC_MOST_WEIGHTS &&
        value == floor(value)))
    return bad_model(r, error, "a whole number from 1 to 2^32 is due here");
  if (status == BPERC_OK)
    r->inputs = (size_t)value;
  return status;
}

static bperc_status read_cuts(reader *r, bperc_i_encoding_rule *rule,
                              bperc_error *error) {
  bperc_status status = BPERC_OK;
  rule->cuts = bperc_i_alloc(strlen(r->at) / 2 + 1, sizeof *rule->cuts);
  if (!rule->cuts)
    return no_memory_for_model(error);
  while (status == BPERC_OK && !at_end(r)) {
    status = take_number(r, &rule->cuts[rule->count], error);
    if (status == BPERC_OK && rule->count &&
        !(rule->cuts[rule->count] > rule->cuts[rule->count - 1]))
      status = bad_model(r, error, "the numbers of a column must rise");
    rule->count += status == BPERC_OK;
  }
  return status;
}

static bperc_status read_texts(reader *r, bperc_i_encoding_rule *rule,
                               bperc_error *error) {
  bperc_status status = BPERC_OK;
  while (status == BPERC_OK && !at_end(r)) {
    bperc_i_texts list = {rule->texts, rule->count};
    char *text = take_text(r, &status, error);
    if (text && !bperc_i_texts_add(&list, text))
      status = no_memory_for_model(error);
    rule->texts = list.texts;
    rule->count = list.count;
    bperc_i_free(text);
  }
  return status;
}

static bperc_i_encoding_rule *add_rule(reader *r) {
  bperc_encoding *e = r->e;
  if (e->count == r->rules_room) {
    size_t old = e->count * sizeof *e->rules, room = 2 * e->count + 8;
    bperc_i_encoding_rule *rules =
        bperc_i_realloc(e->rules, old, room * sizeof *e->rules);
    if (!rules)
      return NULL;
    e->rules = rules;
    r->rules_room = room;
  }
  memset(&e->rules[e->count], 0, sizeof *e->rules);
  return &e->rules[e->count++];
}

static bperc_status read_column(reader *r, bperc_error *error) {
  static const char *const words[] = {"bit", "above", "is", "missing", NULL};
  bperc_i_encoding_rule *rule;
  int kind;
  bperc_status status = take_model_word(r, words, &kind, error);
  if (status != BPERC_OK)
    return status;
  rule = add_rule(r);
  if (!rule)
    return no_memory_for_model(error);
  rule->kind = (bperc_i_encoding_rule_kind)kind;
  rule->name = take_text(r, &status, error);
  if (status != BPERC_OK)
    return status;
  if (rule->kind == BPERC_I_ABOVE)
    return read_cuts(r, rule, error);
  if (rule->kind == BPERC_I_IS)
    return read_texts(r, rule, error);
  rule->count = 1;
  return BPERC_OK;
}

/* Of the unit before, or of the one perceptron of two classes. */
static bperc_status read_model_bits(reader *r, bperc_error *error) {
  bperc_classifier *c = r->c;
  uint64_t **to =
      c->unit_count ? &c->units[c->unit_count - 1].weights : &c->weights;
  size_t good, count;
  skip_model_blanks(r);
  count = strcspn(r->at, " \t");
  if (*to)
    return bad_model(r, error, "'bits' stands here twice");
  if (r->bit_count && r->bit_count != count)
    return bperc_i_lines_bad(&r->lines, error,
                             "%zu bits, and %zu in the unit before", count,
                             r->bit_count);
  r->bit_count = count;
  *to = bperc_i_calloc(bperc_i_words(count) + 1, sizeof(uint64_t));
  if (!*to)
    return no_memory_for_model(error);
  good = bperc_i_pack(r->at, count, '0', *to, 0);
  if (good < count)
    return bperc_i_lines_bad(&r->lines, error, "bit %zu is not 0 or 1", good);
  r->at += count;
  return BPERC_OK;
}

static const struct {
  const char *name;
  bperc_status (*read)(reader *r, bperc_error *error);
  int often, must;
} keys[] = {
    {"source", read_model_source, 0, 0},
    {"weights", read_weight_kind, 0, 1},
    {"threshold", read_threshold, 0, 0},
    {"kappa", read_kappa, 0, 0},
    {"ties", read_ties, 0, 1},
    {"complement", read_complement, 0, 1},
    {"label", read_label_name, 0, 0},
    {"zero", read_zero, 0, 0},
    {"one", read_one, 0, 0},
    {"class", read_class, 1, 0},
    {"missing", read_missing, 0, 0},
    {"link", read_link, 0, 0},
    {"scheme", read_scheme, 0, 0},
    {"sharpness", read_sharpness, 0, 0},
    {"unit", read_unit, 1, 0},
    {"inputs", read_inputs, 0, 0},
    {"column", read_column, 1, 0},
    {"bits", read_model_bits, 1, 1},
};
enum { KEYS = sizeof keys / sizeof *keys };
_Static_assert(KEYS <= 32, "`seen` has a bit for each");

static bperc_status read_line(reader *r, bperc_error *error) {
  size_t length = strcspn(r->lines.text, " \t");
  for (unsigned k = 0; k < KEYS; k++)
    if (strlen(keys[k].name) == length &&
        strncmp(keys[k].name, r->lines.text, length) == 0) {
      bperc_status status;
      if (!keys[k].often && r->seen >> k & 1)
        return bperc_i_lines_bad(&r->lines, error, "'%s' stands here twice",
                                 keys[k].name);
      r->seen |= 1u << k;
      r->at = r->lines.text + length;
      status = keys[k].read(r, error);
      if (status == BPERC_OK && !at_end(r))
        return bperc_i_lines_bad(&r->lines, error, "'%.20s' is too much here",
                                 r->at);
      return status;
    }
  return bperc_i_lines_bad(&r->lines, error, "'%.30s' is no key of a model",
                           r->lines.text);
}

static bperc_status read_lines(reader *r, bperc_error *error) {
  int more;
  bperc_status status = bperc_i_lines_next(&r->lines, &more, error);
  if (status == BPERC_OK && (!more || !bperc_i_is_model(r->lines.text)))
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: this is no model file: its first line is not "
                           "'%s1' or '%s2'",
                           r->lines.path, bperc_i_model_first_words,
                           bperc_i_model_first_words);
  while (status == BPERC_OK) {
    status = bperc_i_lines_next(&r->lines, &more, error);
    if (status == BPERC_OK && !more)
      return bad_model(r, error,
                       "the file ends without 'end': it has been cut off");
    if (status == BPERC_OK && strcmp(r->lines.text, "end") == 0)
      break;
    if (status == BPERC_OK)
      status = read_line(r, error);
  }
  if (status == BPERC_OK)
    status = bperc_i_lines_next(&r->lines, &more, error);
  if (status == BPERC_OK && more)
    return bad_model(r, error, "more text behind 'end'");
  return status;
}

static int was_seen(const reader *r, const char *name) {
  for (unsigned k = 0; k < KEYS; k++)
    if (strcmp(keys[k].name, name) == 0)
      return r->seen >> k & 1;
  return 0;
}

static bperc_status lacks_line(const reader *r, const char *name,
                               bperc_error *error) {
  return bperc_i_lines_bad(&r->lines, error, "there is no line '%s'", name);
}

/* Two classes with one perceptron, or more with units. */
static bperc_status check_units(reader *r, bperc_error *error) {
  bperc_classifier *c = r->c;
  static const char *const of_two[] = {"threshold", "zero", "one"};
  if (r->named)
    r->e->classes = r->named;
  if (!r->named) {
    for (size_t k = 0; k < 3; k++)
      if (!was_seen(r, of_two[k]))
        return lacks_line(r, of_two[k], error);
    return c->unit_count || was_seen(r, "scheme") || was_seen(r, "sharpness")
               ? bad_model(r, error, "units are for more than two classes")
               : BPERC_OK;
  }
  if (r->named < 3 || r->code_length != r->named || c->weights ||
      was_seen(r, "link") || c->scheme == BPERC_SCHEME_TWO ||
      !c->units[c->unit_count - 1].weights)
    return bad_model(r, error,
                     "three or more 'class' lines want 'scheme' and units with "
                     "a mark for each class and 'bits'");
  if (r->linked_units && r->linked_units != c->unit_count)
    return bad_model(r, error, "some units have a link and some have none");
  c->linked = r->linked_units > 0;
  return BPERC_OK;
}

/* What only the whole file can say. */
static bperc_status check_model(reader *r, bperc_error *error) {
  size_t n;
  bperc_status status;
  for (unsigned k = 0; k < KEYS; k++)
    if (keys[k].must && !(r->seen >> k & 1))
      return lacks_line(r, keys[k].name, error);
  if ((r->e->label != NULL) == (r->inputs > 0) ||
      (r->e->label != NULL) != (r->e->count > 0))
    return bad_model(
        r, error, "a model has either 'label' and 'column' lines or 'inputs'");
  status = check_units(r, error);
  if (status != BPERC_OK)
    return status;
  bperc_i_encoding_count(r->e);
  if (r->inputs)
    r->e->n = r->inputs;
  n = bperc_encoding_inputs(r->e);
  if (n != r->bit_count)
    return bperc_i_lines_bad(&r->lines, error, "%zu bits for %zu inputs",
                             r->bit_count, n);
  r->c->n = n;
  return BPERC_OK;
}

/* Reads on from open lines and closes them. */
static bperc_status read_model_lines(const bperc_i_lines *lines,
                                     bperc_classifier **out,
                                     bperc_error *error) {
  reader r = {.lines = *lines,
              .c = bperc_i_calloc(1, sizeof *r.c),
              .e = bperc_i_encoding_new(0)};
  bperc_status status = BPERC_OK;
  *out = NULL;
  if (r.c) {
    r.c->encoding = r.e;
    r.c->sharpness = r.c->slope = 1;
  } else
    bperc_encoding_free(r.e);
  if (!r.c || !r.e)
    status = no_memory_for_model(error);
  if (status == BPERC_OK)
    status = read_lines(&r, error);
  if (status == BPERC_OK)
    status = check_model(&r, error);
  bperc_i_lines_close(&r.lines);
  if (status == BPERC_OK)
    *out = r.c;
  else
    bperc_classifier_free(r.c);
  return status;
}

bperc_status bperc_classifier_from(bperc_file *file, bperc_classifier **out,
                                   bperc_error *error) {
  bperc_i_lines lines = file->lines;
  memset(&file->lines, 0, sizeof file->lines);
  return read_model_lines(&lines, out, error);
}

bperc_status bperc_classifier_read(const char *path, bperc_classifier **out,
                                   bperc_error *error) {
  bperc_i_lines lines;
  bperc_status status = bperc_i_lines_open(&lines, path, error);
  *out = NULL;
  return status == BPERC_OK ? read_model_lines(&lines, out, error) : status;
}
