/* Our text format: `N M A` and words name=value, then M lines `label inputs`,
 * inputs all of 0 1 or all of + - 0. */
#include "io/formats.h"

#include "base/number.h"
#include "io/pack.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int bperc_i_text_is_header(const char *line) {
  char *end;
  const char *at = line;
  for (int k = 0; k < 3; k++) {
    bperc_i_strtod(at, &end);
    if (end == at || (*end && !strchr(" \t", *end)))
      return 0;
    at = end;
  }
  for (at += strspn(at, " \t"); *at; at += strspn(at, " \t")) {
    size_t length = strcspn(at, " \t");
    if (!memchr(at, '=', length))
      return 0;
    at += length;
  }
  return 1;
}

/* A count: digits only, up to the limits of an instance. */
static int read_count(const char **at, unsigned long long most, size_t *out) {
  char *end;
  unsigned long long value;
  *at += strspn(*at, " \t");
  if (**at < '0' || **at > '9')
    return 0;
  errno = 0;
  value = strtoull(*at, &end, 10);
  if (errno || (*end && !strchr(" \t", *end)) || value > most)
    return 0;
  *at = end;
  *out = value;
  return 1;
}

/* The words name=value behind A. */
static bperc_status read_header_words(const bperc_i_lines *lines,
                                      const char *at, bperc_model *model,
                                      int *threshold, bperc_error *error) {
  for (at += strspn(at, " \t"); *at; at += strspn(at, " \t")) {
    char word[80];
    size_t length = strcspn(at, " \t"), name = strcspn(at, "=");
    if (length >= sizeof word)
      return bperc_i_lines_bad(lines, error,
                               "a word of the header is too long");
    memcpy(word, at, length);
    word[length] = 0;
    if (!bperc_i_model_set(model, word, name, word + name + 1, threshold))
      return bperc_i_lines_bad(lines, error,
                               "'%s' is no word of a header: weights=01, "
                               "weights=pm, threshold=T, kappa=K, band=K",
                               word);
    at += length;
  }
  return BPERC_OK;
}

static bperc_status read_text_header(const bperc_i_lines *lines, size_t *n,
                                     size_t *m, bperc_model *model,
                                     bperc_error *error) {
  const char *at = lines->text;
  char *behind;
  int threshold = 0;
  bperc_status status;
  if (!read_count(&at, BPERC_MOST_WEIGHTS, n) || *n == 0)
    return bperc_i_lines_bad(lines, error,
                             "N must be a whole number from 1 to 2^32");
  if (!read_count(&at, BPERC_MOST_PATTERNS, m))
    return bperc_i_lines_bad(lines, error,
                             "M must be a whole number from 0 to 2^32");
  model->a = bperc_i_strtod(at, &behind);
  status = read_header_words(lines, behind, model, &threshold, error);
  if (status != BPERC_OK)
    return status;
  if (threshold && model->a != 0)
    return bperc_i_lines_bad(lines, error,
                             "with threshold=T the third number is 0, not A");
  if (!threshold && (!(model->a > 0) || !isfinite(model->a) ||
                     !((double)*n / model->a < 1e15)))
    return bperc_i_lines_bad(lines, error,
                             "A must be a positive number with N/A below 1e15");
  return BPERC_OK;
}

/* ---- rows */

/* The characters of a file: not known until the first 1, + or -. */
typedef enum { ONLY_ZEROS, ZERO_ONE, SIGNS } alphabet;

/* Characters + - 0 into a row and its support, both zero so far; returns how
 * many were good. */
static size_t pack_text_signs(const char *text, size_t count, uint64_t *plus,
                              uint64_t *support) {
  size_t i = 0;
  for (; i < count; i++) {
    uint64_t one = (uint64_t)1 << (i % 64);
    if (text[i] == '+')
      plus[i / 64] |= one;
    else if (text[i] != '-' && text[i] != '0')
      break;
    if (text[i] != '0')
      support[i / 64] |= one;
  }
  return i;
}

static int any_bit(const uint64_t *row, size_t words) {
  uint64_t some = 0;
  for (size_t k = 0; k < words; k++)
    some |= row[k];
  return some != 0;
}

/* The inputs of a row; *good is how many of `due` characters are right. */
static bperc_status pack_row(const bperc_i_lines *lines, const char *text,
                             size_t due, size_t mu, alphabet *known,
                             bperc_instance *in, size_t *good,
                             bperc_error *error) {
  uint64_t *row = in->patterns + mu * in->words;
  bperc_status status = BPERC_OK;
  if (*known != SIGNS) {
    *good = bperc_i_pack(text, due, '0', row, 0);
    if (*known == ONLY_ZEROS && any_bit(row, in->words))
      *known = ZERO_ONE;
    if (*known == ZERO_ONE || *good == due ||
        (text[*good] != '+' && text[*good] != '-'))
      return BPERC_OK;
    *known = SIGNS;
    status = bperc_i_read_signed(lines->path, in, error);
  }
  if (status == BPERC_OK)
    *good = pack_text_signs(text, due, row, in->support + mu * in->words);
  return status;
}

static bperc_status bad_character(const bperc_i_lines *lines, size_t place,
                                  char c, alphabet known, bperc_error *error) {
  if (known == ZERO_ONE && (c == '+' || c == '-'))
    return bperc_i_lines_bad(lines, error,
                             "character %zu is '%c' in a file of inputs 0 and "
                             "1: inputs are all of 0 1, or all of + - 0",
                             place, c);
  if (known == SIGNS && c == '1')
    return bperc_i_lines_bad(lines, error,
                             "character %zu is '1' in a file of inputs + - 0: "
                             "inputs are all of 0 1, or all of + - 0",
                             place);
  return bperc_i_lines_bad(lines, error, "character %zu is not %s", place,
                           known == SIGNS ? "+, - or 0" : "0 or 1");
}

/* Where the inputs of a row begin, its label in *label; NULL when it has
 * none. */
static const char *behind_row_label(const char *text, uint8_t *label) {
  if ((text[0] != '0' && text[0] != '1') || !text[1] || !strchr(" \t", text[1]))
    return NULL;
  *label = (uint8_t)(text[0] - '0');
  return text + 1 + strspn(text + 1, " \t");
}

static bperc_status read_pattern(const bperc_i_lines *lines, size_t mu,
                                 int labelled, alphabet *known,
                                 bperc_instance *in, bperc_error *error) {
  const char *text = lines->text;
  size_t blanks, due, good, found;
  bperc_status status;
  if (labelled)
    text = behind_row_label(lines->text, &in->labels[mu]);
  if (!text)
    return bperc_i_lines_bad(lines, error,
                             "a pattern line is 'label bits', label 0 or 1");
  blanks = (size_t)(text - lines->text);
  due = lines->length - blanks;
  if (due > in->n)
    due = in->n;
  status = pack_row(lines, text, due, mu, known, in, &good, error);
  if (status != BPERC_OK || (good == in->n && !text[good]))
    return status;
  if (good < in->n && text[good] && !strchr(" \t", text[good]))
    return bad_character(lines, blanks + good + 1, text[good], *known, error);
  found = strcspn(text, " \t");
  if (found == in->n && !text[found + strspn(text + found, " \t")])
    return BPERC_OK;
  if (found == in->n)
    return bperc_i_lines_bad(lines, error, "more text behind the %zu bits",
                             in->n);
  return bperc_i_lines_bad(lines, error, "%zu bits where %zu are due", found,
                           in->n);
}

/* A header can promise more than the file holds. What remains of the file
 * bounds the rows worth allocating: reading them finds the line at fault. For
 * a pipe nothing is known, and the allocation decides. */
static size_t rows_that_fit(const bperc_i_lines *lines, size_t n, size_t m) {
  off_t left = bperc_i_lines_left(lines);
  size_t most;
  if (left < 0)
    return m;
  if (n > (size_t)left)
    return 0;
  most = (size_t)left / (n + 1) + 1; /* with the line end at least */
  return m < most ? m : most;
}

/* labelled: NULL when rows have labels; else the first row says. */
static bperc_status read_text_patterns(bperc_i_lines *lines, size_t m,
                                       int *labelled, bperc_instance *in,
                                       bperc_error *error) {
  alphabet known = ONLY_ZEROS;
  size_t mu = 0;
  int with = 1;
  for (;; mu++) {
    uint8_t label;
    int more;
    bperc_status status = bperc_i_lines_next(lines, &more, error);
    if (status != BPERC_OK)
      return status;
    if (!more)
      break;
    if (bperc_cancelled())
      return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    if (mu >= in->m)
      return bperc_i_lines_bad(lines, error,
                               "more than the %zu patterns of the header", m);
    if (mu == 0 && labelled)
      *labelled = with = behind_row_label(lines->text, &label) != NULL;
    status = read_pattern(lines, mu, with, &known, in, error);
    if (status != BPERC_OK)
      return status;
  }
  if (mu == m)
    return BPERC_OK;
  return bperc_i_lines_bad(lines, error,
                           "%zu patterns where the header says %zu", mu, m);
}

bperc_status bperc_i_text_read(bperc_i_lines *lines,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  size_t n = 0, m = 0, rows;
  bperc_model model = {0};
  bperc_status status = read_text_header(lines, &n, &m, &model, error);
  if (status != BPERC_OK)
    return status;
  rows = rows_that_fit(lines, n, m);
  if (m && !rows)
    return bperc_i_lines_bad(
        lines, error, "the file is too short for %zu patterns of %zu bits", m,
        n);
  status = options->labelled
               ? BPERC_OK
               : bperc_i_read_agrees(lines->path, n, options, error);
  if (status == BPERC_OK)
    status =
        bperc_i_read_new(lines->path, n, rows, &model, options, out, error);
  if (status == BPERC_OK)
    status = read_text_patterns(lines, m, options->labelled, *out, error);
  return status;
}

/* ---- rows of inputs alone */

int bperc_i_text_is_bare(const char *line, size_t n) {
  size_t length = strspn(line, "01+-");
  return length == n && !line[length + strspn(line + length, " \t")];
}

static bperc_status count_bare_rows(bperc_i_lines *lines, size_t *rows,
                                    bperc_error *error) {
  int more = 1;
  bperc_status status = bperc_i_lines_mark(lines, error);
  if (status == BPERC_OK)
    status = bperc_i_lines_back(lines, error);
  for (*rows = 0; status == BPERC_OK && more; *rows += more != 0)
    status = bperc_i_lines_next(lines, &more, error);
  return status == BPERC_OK ? bperc_i_lines_back(lines, error) : status;
}

bperc_status bperc_i_text_read_bare(bperc_i_lines *lines,
                                    const bperc_read_options *options,
                                    bperc_instance **out, bperc_error *error) {
  bperc_model model = {0};
  size_t rows;
  bperc_status status = count_bare_rows(lines, &rows, error);
  if (status == BPERC_OK)
    status = bperc_i_read_new(lines->path, options->n, rows, &model, options,
                              out, error);
  if (status == BPERC_OK)
    status = read_text_patterns(lines, rows, options->labelled, *out, error);
  return status;
}
