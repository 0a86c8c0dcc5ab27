/* The words and symbols of the paper for what plans and claims write, `f_in`,
 * `alpha >= 0.2`, and for the columns, keys and numbers of verdicts.
 *
 * words.tsv has them: kind, name, HTML. Kinds: `symbol` in prose, wherever it
 * stands; `key` of tables, before '=' and after "against"; `column`, a result
 * of a measurement (docs/measurements.md); `plot`, a key in gnuplot's markup.
 */
#include "lab/page/html.h"

#include "base/number.h"
#include "lab/page/words_table.h"
#include "lab/plan/plan.h"
#include "lab/table/filter.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bperc_i_word(bperc_i_text *t, const char *kind, const char *name,
                 size_t length) {
  size_t size = strlen(kind);
  for (const char *line = BPERC_I_WORDS; *line;
       line = bperc_i_next_line(line)) {
    const char *known = line + size + 1;
    if (strncmp(line, kind, size) == 0 && line[size] == '\t' &&
        strncmp(known, name, length) == 0 && known[length] == '\t') {
      known += length + 1;
      bperc_i_text_add_bytes(t, known, strcspn(known, "\n"));
      return 1;
    }
  }
  return 0;
}

const char *bperc_i_table_label(const bperc_i_figure *f, const char *name) {
  size_t length = strcspn(name, "."); /* vectors: BLOCK.group */
  for (size_t k = 1; k < f->x->plan.count; k++) {
    const bperc_i_section *s = &f->x->plan.sections[k];
    if ((strcmp(s->kind, "block") == 0 || strcmp(s->kind, "derive") == 0) &&
        strlen(s->name) == length && memcmp(s->name, name, length) == 0)
      return bperc_i_ini_get(s, "label", s->name);
  }
  return name;
}

void bperc_i_words_key(bperc_i_text *t, const char *name) {
  if (!bperc_i_word(t, "key", name, strlen(name)))
    bperc_i_html_escape(t, name, strlen(name));
}

/* ---- numbers */

static void put_fixed(bperc_i_text *t, double value, int decimals) {
  char digits[64];
  bperc_i_snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
  /* no minus before what rounds to zero */
  if (value < 0 && strpbrk(digits, "123456789"))
    bperc_i_text_add(t, "&minus;");
  bperc_i_text_add(t, digits);
}

static void put_power(bperc_i_text *t, int power) {
  bperc_i_text_format(t, "&middot;10<sup>%s%d</sup>",
                      power < 0 ? "&minus;" : "", abs(power));
}

/* Digits down to the second one of the error. */
static void put_with_error(bperc_i_text *t, double value, double error) {
  double large = fmax(fabs(value), error);
  int power = large > 0 ? (int)floor(log10(large)) : 0;
  int is_small = power < -2 || power > 5, decimals;
  double unit = is_small ? pow(10, power) : 1;
  if (error <= 1e-12 * fabs(value))
    error = 0;
  decimals = error > 0 ? 1 - (int)floor(log10(error / unit)) : 3 - power;
  if (is_small && error == 0)
    decimals = 3;
  decimals = decimals < 0 ? 0 : decimals > 8 ? 8 : decimals;
  bperc_i_text_add(t, is_small && error > 0 ? "(" : "");
  put_fixed(t, value / unit, decimals);
  if (error > 0) {
    bperc_i_text_add(t, "&nbsp;&plusmn;&nbsp;");
    put_fixed(t, error / unit, decimals);
  }
  bperc_i_text_add(t, is_small && error > 0 ? ")" : "");
  if (is_small)
    put_power(t, power);
}

/* A number as it was written, with a real minus and a real power of ten. */
static void put_number(bperc_i_text *t, const char *text, size_t length) {
  size_t e = 0;
  if (length && *text == '-') {
    bperc_i_text_add(t, "&minus;");
    text++;
    length--;
  }
  while (e < length && text[e] != 'e' && text[e] != 'E')
    e++;
  bperc_i_html_escape(t, text, e);
  if (e < length)
    put_power(t, atoi(text + e + 1));
}

/* The length of a number at the beginning of text; 0 when there is none. */
static size_t number_length(const char *text, size_t length) {
  size_t k = 0, digits = 0;
  if (k < length && text[k] == '-')
    k++;
  for (; k < length && (isdigit((unsigned char)text[k]) || text[k] == '.'); k++)
    if (text[k] == '.' &&
        !(k + 1 < length && isdigit((unsigned char)text[k + 1])))
      break;
    else
      digits += text[k] != '.';
  if (!digits)
    return 0;
  if (k + 2 < length && text[k] == 'e' && strchr("+-", text[k + 1]) &&
      isdigit((unsigned char)text[k + 2]))
    for (k += 2; k < length && isdigit((unsigned char)text[k]);)
      k++;
  return k;
}

static double two_digits(double x) {
  char digits[32];
  bperc_i_snprintf(digits, sizeof digits, "%.2g", x);
  return bperc_i_strtod(digits, NULL);
}

void bperc_i_words_estimate(bperc_i_text *t, double value, double error) {
  char digits[32];
  if (error > 0) {
    put_with_error(t, value, two_digits(error));
    return;
  }
  bperc_i_snprintf(digits, sizeof digits, "%.4g", value);
  put_number(t, digits, strlen(digits));
}

/* A number, or a word as it is. */
static void put_word_or_number(bperc_i_text *t, const char *text,
                               size_t length) {
  if (number_length(text, length) == length)
    put_number(t, text, length);
  else
    bperc_i_html_escape(t, text, length);
}

/* ---- tables, columns and keys by their names */

/* A name that nobody has a word for: underscores become blanks. */
static void put_name(bperc_i_text *t, const char *name) {
  for (; *name; name++)
    bperc_i_html_escape(t, *name == '_' ? " " : name, 1);
}

void bperc_i_words_column(bperc_i_text *t, const bperc_i_figure *f,
                          const char *table, const char *column) {
  const char *label = bperc_i_table_label(f, table);
  size_t length = strlen(column);
  if (!bperc_i_word(t, "column", column, length) &&
      !bperc_i_word(t, "symbol", column, length))
    put_name(t, column);
  bperc_i_text_add(t, " (");
  bperc_i_html_words(t, label, strlen(label));
  bperc_i_text_add(t, ")");
}

void bperc_i_words_axis(bperc_i_text *t, const char *name) {
  size_t length = strlen(name);
  if (!bperc_i_word(t, "key", name, length) &&
      !bperc_i_word(t, "symbol", name, length))
    bperc_i_html_escape(t, name, length);
}

/* A position in a vector by what stands there, if that has a word. */
static void put_key(bperc_i_text *t, const bperc_number_key *key) {
  if (key->meaning &&
      bperc_i_word(t, "key", key->meaning, strlen(key->meaning))) {
    bperc_i_text_format(t, " = %.4g", key->value);
    return;
  }
  if (strcmp(key->name, "k") == 0)
    bperc_i_text_add(t, "position");
  else if (!bperc_i_word(t, "key", key->name, strlen(key->name)))
    put_name(t, key->name);
  bperc_i_text_add(t, " = ");
  put_word_or_number(t, key->text, strlen(key->text));
}

void bperc_i_words_keys(bperc_i_text *t, const bperc_number_key *keys,
                        size_t count) {
  for (size_t k = 0; k < count; k++) {
    bperc_i_text_add(t, k ? ", " : "");
    put_key(t, &keys[k]);
  }
}

/* How many keys stand before k in a head line; -1 without k. */
static long keys_before_k(const char *head) {
  for (long k = 0;; k++) {
    size_t length;
    const char *name = bperc_i_line_field(head, (size_t)k, &length);
    if (length == 1 && *name == 'k')
      return k;
    if (name[length] != '\t')
      return -1;
  }
}

/* What position `text` of a table stands for, in the column behind k; the
 * length of its name, 0: it cannot be told. */
static size_t find_position(const bperc_i_figure *f, const char *table,
                            const char *text, const char **name,
                            double *value) {
  const char *sheet = bperc_i_figure_table(f, table), *row, *field;
  size_t length, size = strlen(text);
  long place;
  if (!sheet || (place = keys_before_k(sheet)) < 0)
    return 0;
  for (row = bperc_i_next_line(sheet); *row; row = bperc_i_next_line(row)) {
    field = bperc_i_line_field(row, (size_t)place, &length);
    if (length == size && memcmp(field, text, size) == 0)
      break;
  }
  if (!*row)
    return 0;
  field = bperc_i_line_field(row, (size_t)place + 1, &length);
  *value = bperc_i_strtod(field, NULL);
  *name = bperc_i_line_field(sheet, (size_t)place + 1, &length);
  return length;
}

/* "fin = 0.3", "n &ge; 30" */
static void put_condition(bperc_i_text *t, const char *name, const char *op,
                          const char *text) {
  if (!bperc_i_word(t, "key", name, strlen(name)) &&
      !bperc_i_word(t, "symbol", name, strlen(name)))
    put_name(t, name);
  bperc_i_text_add(t, " ");
  bperc_i_html_words(t, op, strlen(op));
  bperc_i_text_add(t, " ");
  put_word_or_number(t, text, strlen(text));
}

void bperc_i_words_where(bperc_i_text *t, const bperc_i_figure *f,
                         const bperc_claim_side *s) {
  bperc_i_filter q = {0};
  const char *name;
  double value;
  size_t length;
  if (bperc_i_filter_parse(s->where, &q)) { /* of a file that others wrote */
    bperc_i_html_escape(t, s->where, strlen(s->where));
    return;
  }
  for (size_t k = 0; k < q.count; k++) {
    bperc_i_text_add(t, k ? ", " : "");
    if (strcmp(q.conditions[k].name, "k") == 0 &&
        strcmp(q.conditions[k].op, "=") == 0 &&
        (length =
             find_position(f, s->table, q.conditions[k].text, &name, &value)) &&
        bperc_i_word(t, "key", name, length))
      bperc_i_text_format(t, " = %.4g", value);
    else
      put_condition(t, q.conditions[k].name, q.conditions[k].op,
                    q.conditions[k].text);
  }
}

/* ---- text */

typedef struct {
  bperc_i_text *t;
  const char *text;
  size_t length, at;
} reader;

static int follows(const reader *r, const char *what) {
  size_t size = strlen(what);
  return r->at + size <= r->length && memcmp(r->text + r->at, what, size) == 0;
}

static int is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Where the name that begins here ends: dots belong to it inside. */
static size_t name_end(const reader *r, size_t k) {
  while (k < r->length &&
         (is_name(r->text[k]) || (r->text[k] == '.' && k + 1 < r->length &&
                                  isalpha((unsigned char)r->text[k + 1]))))
    k++;
  return k;
}

static void put_identifier(reader *r) {
  size_t end = name_end(r, r->at), length = end - r->at;
  const char *name = r->text + r->at;
  char next = end < r->length ? r->text[end] : 0;
  if (length == 1 && *name == 'x' && next == '*' &&
      !(end + 1 < r->length && r->text[end + 1] == '*')) {
    bperc_i_word(r->t, "column", "parisi_x", 8);
    end++;
  } else if (!bperc_i_word(r->t, "symbol", name, length))
    bperc_i_html_escape(r->t, name, length);
  r->at = end;
}

/* A number, with its error when "+- error" follows. */
static void put_number_or_error(reader *r, size_t length) {
  const char *text = r->text + r->at;
  size_t error;
  r->at += length;
  if (follows(r, " +- ") &&
      (error = number_length(r->text + r->at + 4, r->length - r->at - 4))) {
    bperc_i_words_estimate(r->t, bperc_i_strtod(text, NULL),
                           bperc_i_strtod(text + length + 4, NULL));
    r->at += 4 + error;
    return;
  }
  put_number(r->t, text, length);
}

static int put_sign(reader *r) {
  static const char *const signs[][2] = {
      {">=", "&ge;"},     {"<=", "&le;"},       {"!=", "&ne;"},
      {"+-", "&plusmn;"}, {" - ", " &minus; "}, {"->", "&rarr;"}};
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
    if (follows(r, signs[k][0])) {
      bperc_i_text_add(r->t, signs[k][1]);
      r->at += strlen(signs[k][0]);
      return 1;
    }
  return 0;
}

static void read_all(reader *r) {
  while (r->at < r->length) {
    char before = r->at ? r->text[r->at - 1] : ' ', c = r->text[r->at];
    size_t number = is_name(before) || before == '.'
                        ? 0
                        : number_length(r->text + r->at, r->length - r->at);
    if (c == '-' && !strchr(" (:=", before))
      number = 0; /* a hyphen or a range, not a sign */
    if (number)
      put_number_or_error(r, number);
    else if (isalpha((unsigned char)c))
      put_identifier(r);
    else if (!put_sign(r)) {
      bperc_i_html_escape(r->t, &c, 1);
      r->at++;
    }
  }
}

void bperc_i_html_words(bperc_i_text *t, const char *text, size_t length) {
  reader r = {.t = t, .text = text, .length = length};
  read_all(&r);
}
