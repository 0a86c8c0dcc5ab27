/* The words and symbols of the paper for what plans, claims and rules write:
 * `f_in`, `alpha >= 0.2`, `full:parisi_x`, `fin=0.3`, `-0.0052 +- 0.0006`.
 *
 * words.tsv has them: kind, name, HTML. Kinds: `symbol` in prose, wherever it
 * stands; `key` of tables, before '=' and after "against"; `column`, a result
 * of a measurement (docs/measurements.md); `plot`, a key in gnuplot's markup.
 */
#include "lab/page/html.h"

#include "base/number.h"
#include "lab/page/words_table.h"
#include "lab/plan/plan.h"

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
static void put_estimate(bperc_i_text *t, double value, double error) {
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

/* A number, or a word as it is. */
static void put_word_or_number(bperc_i_text *t, const char *text,
                               size_t length) {
  if (number_length(text, length) == length)
    put_number(t, text, length);
  else
    bperc_i_html_escape(t, text, length);
}

/* ---- text */

typedef struct {
  bperc_i_text *t;
  const bperc_i_figure *f; /* NULL in prose */
  const char *text;
  size_t length, at;
  char *table;      /* the last one named, BPERC_I_TABLE bytes */
  char chosen[256]; /* "\tfin=0.3\t" of the label that is being read */
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

static void put_plain(reader *r, const char *text, size_t length) {
  bperc_i_html_escape(r->t, text, length);
}

/* A name that nobody has a word for: underscores become blanks. */
static void put_name(reader *r, const char *name, size_t length) {
  for (size_t k = 0; k < length; k++)
    put_plain(r, name[k] == '_' ? " " : name + k, 1);
}

/* The text of a table; NULL: there is none of this name. */
static const char *find_sheet(const bperc_i_figure *f, const char *name,
                              size_t length) {
  for (size_t k = 0; k < f->sheet_count; k++)
    if (strlen(f->sheets[k].name) == length &&
        memcmp(f->sheets[k].name, name, length) == 0)
      return f->sheets[k].text;
  return NULL;
}

/* "table:column" */
static void put_column(reader *r, size_t colon, size_t end) {
  const char *name = r->text + r->at, *column = r->text + colon + 1;
  size_t length = colon - r->at, rest = end - colon - 1;
  const char *label;
  snprintf(r->table, BPERC_I_TABLE, "%.*s", (int)length, name);
  label = bperc_i_table_label(r->f, r->table);
  if (!bperc_i_word(r->t, "column", column, rest) &&
      !bperc_i_word(r->t, "symbol", column, rest))
    put_name(r, column, rest);
  bperc_i_text_add(r->t, " (");
  bperc_i_words(r->t, label, strlen(label));
  bperc_i_text_add(r->t, ")");
  r->at = end;
}

/* ---- position k of a vector: what it stands for is in the table */

/* Whether the row has the keys chosen so far and this position. */
static int row_fits(const reader *r, const char *head, const char *row,
                    size_t last, const char *position, size_t size) {
  for (size_t k = 0; k <= last; k++) {
    size_t n, v;
    const char *name = bperc_i_line_field(head, k, &n),
               *value = bperc_i_line_field(row, k, &v);
    char wanted[160], any[80];
    snprintf(any, sizeof any, "\t%.*s=", (int)n, name);
    snprintf(wanted, sizeof wanted, "\t%.*s=%.*s\t", (int)n, name, (int)v,
             value);
    if (k == last ? v != size || memcmp(value, position, size)
                  : strstr(r->chosen, any) && !strstr(r->chosen, wanted))
      return 0;
  }
  return 1;
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

/* "k=9" as "D = 0.012", from the column behind k. 0 when it cannot be told. */
static int put_position(reader *r, const char *position, size_t size) {
  const char *text = r->f ? find_sheet(r->f, r->table, strlen(r->table)) : NULL,
             *name, *row;
  size_t length, before = r->t->length;
  long count;
  if (!text || (count = keys_before_k(text)) < 0)
    return 0;
  name = bperc_i_line_field(text, (size_t)count + 1, &length);
  if (!bperc_i_word(r->t, "key", name, length))
    return 0;
  row = bperc_i_next_line(text);
  while (*row && !row_fits(r, text, row, (size_t)count, position, size))
    row = bperc_i_next_line(row);
  if (!*row) {
    r->t->length = before;
    return 0;
  }
  name = bperc_i_line_field(row, (size_t)count + 1, &length);
  bperc_i_text_format(r->t, " = %.4g", bperc_i_strtod(name, NULL));
  return 1;
}

/* "key=value", not followed by blanks; a comma between several. */
static void put_key(reader *r, size_t equals) {
  const char *name = r->text + r->at;
  size_t length = equals - r->at, end = equals + 1, used = strlen(r->chosen);
  while (end < r->length && !strchr(" ,;:)", r->text[end]))
    end++;
  snprintf(r->chosen + used, sizeof r->chosen - used, "%s%.*s\t",
           used ? "" : "\t", (int)(end - r->at), name);
  if (!(length == 1 && *name == 'k' &&
        put_position(r, r->text + equals + 1, end - equals - 1))) {
    if (length == 1 && *name == 'k')
      bperc_i_text_add(r->t, "position");
    else if (!bperc_i_word(r->t, "key", name, length))
      put_name(r, name, length);
    bperc_i_text_add(r->t, " = ");
    put_word_or_number(r->t, r->text + equals + 1, end - equals - 1);
  }
  r->at = end;
  if (r->at + 1 < r->length && r->text[r->at] == ' ' &&
      name_end(r, r->at + 1) < r->length &&
      r->text[name_end(r, r->at + 1)] == '=')
    bperc_i_text_add(r->t, ",");
}

/* What stands just before the place that is read. */
static int comes_after(const reader *r, const char *what) {
  size_t size = strlen(what);
  return r->at >= size && memcmp(r->text + r->at - size, what, size) == 0;
}

static void put_identifier(reader *r) {
  size_t end = name_end(r, r->at), length = end - r->at;
  const char *name = r->text + r->at;
  char next = end < r->length ? r->text[end] : 0;
  int is_key = comes_after(r, "against ") || (next && strchr("<>!", next));
  if (r->f && next == ':' && end + 1 < r->length && is_name(r->text[end + 1]) &&
      find_sheet(r->f, name, length)) {
    put_column(r, end, name_end(r, end + 1));
    return;
  }
  if (r->f && next == '=') {
    put_key(r, end);
    return;
  }
  if (length == 1 && *name == 'x' && next == '*' &&
      !(end + 1 < r->length && r->text[end + 1] == '*')) {
    bperc_i_word(r->t, "column", "parisi_x", 8);
    end++;
  } else if (!(r->f && comes_after(r, "slope of ") &&
               bperc_i_word(r->t, "column", name, length)) &&
             !(r->f && is_key && bperc_i_word(r->t, "key", name, length)) &&
             !bperc_i_word(r->t, "symbol", name, length))
    put_plain(r, name, length);
  r->at = end;
}

/* A number, with its error when "+- error" follows. */
static void put_value(reader *r, size_t length) {
  const char *text = r->text + r->at;
  size_t error;
  r->at += length;
  if (follows(r, " +- ") &&
      (error = number_length(r->text + r->at + 4, r->length - r->at - 4))) {
    put_estimate(r->t, bperc_i_strtod(text, NULL),
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
      put_value(r, number);
    else if (isalpha((unsigned char)c))
      put_identifier(r);
    else if (!put_sign(r)) {
      if (strchr(",;", c))
        r->chosen[0] = 0;
      put_plain(r, &c, 1);
      r->at++;
    }
  }
}

void bperc_i_words(bperc_i_text *t, const char *text, size_t length) {
  reader r = {.t = t, .text = text, .length = length};
  read_all(&r);
}

void bperc_i_words_measured(bperc_i_text *t, const bperc_i_figure *f,
                            char table[BPERC_I_TABLE], const char *text,
                            size_t length) {
  reader r = {.t = t, .f = f, .text = text, .length = length, .table = table};
  read_all(&r);
}
