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
 * A model of an instance file has a line `inputs N` instead of `label` and
 * `column`. Every line is checked; lines may come in any order between the
 * first and `end`, and lines that start with # do not count. */
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

void bperc_classifier_free(bperc_classifier *c) {
  if (!c)
    return;
  bperc_encoding_free(c->encoding);
  bperc_i_free(c->weights);
  bperc_i_free(c->source);
  bperc_i_free(c);
}

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
  static const char *const kinds[] = {"bit", "above", "is"};
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

static void put_labels(FILE *out, const bperc_encoding *e, int v) {
  const bperc_i_texts *values = &e->values[v];
  fputs(v ? "one" : "zero", out);
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
  put_labels(out, e, 0);
  put_labels(out, e, 1);
  for (size_t k = 0; k < e->count; k++)
    put_rule(out, &e->rules[k]);
}

static void put_model(FILE *out, const bperc_classifier *c) {
  char number[40];
  double theta = c->model.a > 0 ? (double)c->n / c->model.a : c->model.theta;
  fprintf(out, "%s\n", bperc_i_model_first_line);
  if (c->source) {
    fputs("source", out);
    put_text(out, c->source);
    fputc('\n', out);
  }
  fprintf(out, "weights %s\n", bperc_weights_name(c->model.weights));
  fprintf(out, "threshold %s\n",
          bperc_i_show_real(theta, number, sizeof number));
  fprintf(out, "kappa %s\n",
          bperc_i_show_real(c->model.kappa, number, sizeof number));
  fprintf(out, "ties %s\n", bperc_ties_name(c->model.ties));
  put_encoding(out, c->encoding);
  fputs("bits ", out);
  for (size_t i = 0; i < c->n; i++)
    fputc('0' + bperc_i_bit(c->weights, i), out);
  fputs("\nend\n", out);
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

static bperc_status read_label_values(reader *r, int v, bperc_error *error) {
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

static bperc_status read_zero(reader *r, bperc_error *error) {
  return read_label_values(r, 0, error);
}

static bperc_status read_one(reader *r, bperc_error *error) {
  bperc_status status = read_label_values(r, 1, error);
  if (status == BPERC_OK && !r->e->values[1].count)
    return bad_model(r, error, "a text as printed and the values that mean it");
  return status;
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
  static const char *const words[] = {"bit", "above", "is", NULL};
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

static bperc_status read_model_bits(reader *r, bperc_error *error) {
  size_t good;
  skip_model_blanks(r);
  r->bit_count = strcspn(r->at, " \t");
  r->c->weights =
      bperc_i_calloc(bperc_i_words(r->bit_count) + 1, sizeof(uint64_t));
  if (!r->c->weights)
    return no_memory_for_model(error);
  good = bperc_i_pack(r->at, r->bit_count, '0', r->c->weights, 0);
  if (good < r->bit_count)
    return bperc_i_lines_bad(&r->lines, error, "bit %zu is not 0 or 1", good);
  r->at += r->bit_count;
  return BPERC_OK;
}

static const struct {
  const char *name;
  bperc_status (*read)(reader *r, bperc_error *error);
  int often, must;
} keys[] = {
    {"source", read_model_source, 0, 0},
    {"weights", read_weight_kind, 0, 1},
    {"threshold", read_threshold, 0, 1},
    {"kappa", read_kappa, 0, 0},
    {"ties", read_ties, 0, 1},
    {"complement", read_complement, 0, 1},
    {"label", read_label_name, 0, 0},
    {"zero", read_zero, 0, 1},
    {"one", read_one, 0, 1},
    {"inputs", read_inputs, 0, 0},
    {"column", read_column, 1, 0},
    {"bits", read_model_bits, 0, 1},
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
  if (status == BPERC_OK &&
      (!more || strcmp(r->lines.text, bperc_i_model_first_line) != 0))
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: this is no model file: its first line is not "
                           "'%s'",
                           r->lines.path, bperc_i_model_first_line);
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

/* What only the whole file can say. */
static bperc_status check_model(reader *r, bperc_error *error) {
  size_t n;
  for (unsigned k = 0; k < KEYS; k++)
    if (keys[k].must && !(r->seen >> k & 1))
      return bperc_i_lines_bad(&r->lines, error, "there is no line '%s'",
                               keys[k].name);
  if ((r->e->label != NULL) == (r->inputs > 0) ||
      (r->e->label != NULL) != (r->e->count > 0))
    return bad_model(
        r, error, "a model has either 'label' and 'column' lines or 'inputs'");
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
  if (r.c)
    r.c->encoding = r.e;
  else
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
