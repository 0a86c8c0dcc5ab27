/* svmlight text: `label index:value ...`, indices from 1, in rising order,
 * values 0 and 1, or -1, 0 and 1: signed inputs.
 *
 * The file says neither N nor M, so it is read twice: once to check it and to
 * count, once to fill patterns of exactly the right size.
 */
#include "io/formats.h"

#include "base/bits.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* What the first reading finds. */
typedef struct {
  size_t rows, largest;
  int negative; /* a value is -1 */
} extent;

/* Where a row goes; all NULL on the first reading. */
typedef struct {
  uint64_t *bits, *support;
  uint8_t *label;
} target;

static const char *behind_blanks(const char *p) {
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}

static int ends_word(char c) { return !c || c == ' ' || c == '\t' || c == '#'; }

/* 0/1 or -1/+1; returns -1 when it is none of these. */
static int read_svmlight_label(const char **at) {
  char *end;
  double value = bperc_i_strtod(*at, &end);
  if (end == *at || !ends_word(*end))
    return -1;
  *at = end;
  return value == 1 ? 1 : value == 0 || value == -1 ? 0 : -1;
}

int bperc_i_svmlight_is_row(const char *line) {
  const char *p = behind_blanks(line);
  char *end;
  bperc_i_strtod(p, &end);
  if (end == p || !ends_word(*end))
    return 0;
  p = behind_blanks(end);
  return !*p || *p == '#' || strchr(p, ':') != NULL;
}

int bperc_i_svmlight_is_bare(const char *line) {
  const char *p = behind_blanks(line);
  size_t digits = strspn(p, "0123456789");
  return digits && p[digits] == ':';
}

/* The digits of an index; 0 when there is none or it is out of range. */
static size_t read_index(const char **at) {
  size_t index = 0;
  const char *p = *at;
  while (*p >= '0' && *p <= '9' && index <= BPERC_MOST_WEIGHTS)
    index = 10 * index + (size_t)(*p++ - '0');
  *at = p;
  return *p == ':' && index <= BPERC_MOST_WEIGHTS ? index : 0;
}

/* -1, 0 or 1 however it is written; 2 for anything else. */
static int read_pair_value(const char **at) {
  char *end;
  double value;
  if ((**at == '0' || **at == '1') && ends_word((*at)[1]))
    return *(*at)++ - '0';
  value = bperc_i_strtod(*at, &end);
  if (end == *at || !ends_word(*end) ||
      (value != 0 && value != 1 && value != -1))
    return 2;
  *at = end;
  return (int)value;
}

static void put_pair(const target *to, size_t i, int value) {
  if (to->bits)
    to->bits[i / 64] |= (uint64_t)(value > 0) << (i % 64);
  if (to->support)
    to->support[i / 64] |= (uint64_t)(value != 0) << (i % 64);
}

/* Pairs "index:1" with one blank between them, up to the first that is written
 * otherwise or not in order: nearly all of a large file. Returns where it
 * stopped, at the start of a pair or at the end of the line. */
static const char *plain_pairs(const char *p, size_t n, size_t *last,
                               const target *to) {
  size_t most = n ? n : BPERC_MOST_WEIGHTS, before = *last;
  uint64_t *bits = to->bits, *support = to->support;
  for (;;) {
    const char *start = p;
    size_t index = 0;
    unsigned digit;
    while ((digit = (unsigned)*p - '0') < 10 && p - start < 10) {
      index = 10 * index + digit;
      p++;
    }
    if (p[0] != ':' || p[1] != '1' || index <= before || index > most ||
        (p[2] != ' ' && p[2]))
      return *last = before, start;
    before = index--;
    if (bits)
      bits[index / 64] |= UINT64_C(1) << (index % 64);
    if (support)
      support[index / 64] |= UINT64_C(1) << (index % 64);
    p += 2;
    if (!*p)
      return *last = before, p;
    p++;
  }
}

/* One pair behind *at. */
static bperc_status read_pair(const bperc_i_lines *lines, const char **at,
                              size_t *last, size_t n, const target *to,
                              extent *found, bperc_error *error) {
  size_t place = (size_t)(*at - lines->text) + 1, index = read_index(at);
  int value;
  if (!index)
    return bperc_i_lines_bad(lines, error,
                             "at character %zu there is no 'index:value' with "
                             "an index from 1 to 2^32",
                             place);
  if (n && index > n)
    return bperc_i_lines_bad(lines, error, "index %zu is beyond N = %zu", index,
                             n);
  if (index == *last)
    return bperc_i_lines_bad(lines, error, "index %zu comes twice", index);
  if (index < *last)
    return bperc_i_lines_bad(lines, error,
                             "index %zu behind index %zu: indices must rise",
                             index, *last);
  ++*at;
  value = read_pair_value(at);
  if (value > 1)
    return bperc_i_lines_bad(
        lines, error, "the value of index %zu is not 0 or 1, or -1", index);
  found->negative |= value < 0;
  put_pair(to, index - 1, value);
  *last = index;
  return BPERC_OK;
}

static bperc_status read_row(const bperc_i_lines *lines, size_t n, int labelled,
                             const target *to, extent *found,
                             bperc_error *error) {
  const char *at = behind_blanks(lines->text);
  size_t last = 0;
  int value = labelled ? read_svmlight_label(&at) : 0;
  if (value < 0)
    return bperc_i_lines_bad(lines, error,
                             "the label must be 0 or 1, or -1 or +1");
  if (to->label)
    *to->label = (uint8_t)value;
  for (at = behind_blanks(at); *at && *at != '#'; at = behind_blanks(at)) {
    bperc_status status = BPERC_OK;
    const char *next = plain_pairs(at, n, &last, to);
    if (next == at)
      status = read_pair(lines, &at, &last, n, to, found, error);
    else
      at = next;
    if (status != BPERC_OK)
      return status;
  }
  if (last > found->largest)
    found->largest = last;
  return BPERC_OK;
}

/* All rows from the mark; fills `in` unless it is NULL. */
static bperc_status read_svmlight_rows(bperc_i_lines *lines, size_t n,
                                       int labelled, bperc_instance *in,
                                       extent *found, bperc_error *error) {
  bperc_status status = bperc_i_lines_back(lines, error);
  *found = (extent){0, 0, 0};
  while (status == BPERC_OK) {
    int more;
    target to = {0};
    size_t mu = found->rows;
    status = bperc_i_lines_next(lines, &more, error);
    if (status != BPERC_OK || !more)
      break;
    if (bperc_cancelled())
      return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    if (mu >= (in ? in->m : BPERC_MOST_PATTERNS))
      return bperc_i_lines_bad(lines, error, "one pattern too many");
    if (in)
      to = (target){in->patterns + mu * in->words,
                    in->support ? in->support + mu * in->words : NULL,
                    in->labels + mu};
    status = read_row(lines, n, labelled, &to, found, error);
    found->rows++;
  }
  return status;
}

/* The comment of our own files, "--n 25 --a 12" and so on; what it does not
 * say stays. */
static void read_remark(const char *at, size_t *n, bperc_model *model,
                        int *threshold) {
  char name[16], value[64];
  int used;
  while (sscanf(at, " --%15[a-z] %63s%n", name, value, &used) == 2) {
    char *end;
    double number = bperc_i_strtod(value, &end);
    if (strcmp(name, "n") == 0 && number >= 1 && number <= BPERC_MOST_WEIGHTS)
      *n = (size_t)number;
    else if (strcmp(name, "a") == 0 && number > 0)
      model->a = number;
    else
      bperc_i_model_set(model, name, strlen(name), value, threshold);
    at += used;
  }
}

/* N and the model from comment and caller; neither may be missing. */
static bperc_status settle_model(const bperc_i_lines *lines, size_t largest,
                                 const bperc_read_options *options, size_t *n,
                                 bperc_model *model, bperc_error *error) {
  int threshold = 0;
  *n = 0;
  read_remark(lines->remark, n, model, &threshold);
  if (threshold)
    model->a = 0;
  if (options->n || *n < largest)
    *n = options->n ? options->n : largest;
  if (*n == 0)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: no index in the whole file: give `n`",
                           lines->path);
  if (!(options->given & (BPERC_GIVEN_A | BPERC_GIVEN_THRESHOLD)) &&
      !threshold && !(model->a > 0))
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: this is an svmlight file, which has no "
                           "threshold of its own: give `a` or `threshold`",
                           lines->path);
  return BPERC_OK;
}

bperc_status bperc_i_svmlight_read(bperc_i_lines *lines,
                                   const bperc_read_options *options,
                                   bperc_instance **out, bperc_error *error) {
  extent first, second;
  bperc_model model = {0};
  size_t n;
  int labelled = !options->labelled || !bperc_i_svmlight_is_bare(lines->text);
  bperc_status status = bperc_i_lines_mark(lines, error);
  if (options->labelled)
    *options->labelled = labelled;
  if (status == BPERC_OK)
    status =
        read_svmlight_rows(lines, options->n, labelled, NULL, &first, error);
  if (status == BPERC_OK)
    status = settle_model(lines, first.largest, options, &n, &model, error);
  if (status == BPERC_OK)
    status = bperc_i_read_new(lines->path, n, first.rows, &model, options, out,
                              error);
  if (status == BPERC_OK && first.negative)
    status = bperc_i_read_signed(lines->path, *out, error);
  if (status == BPERC_OK)
    status = read_svmlight_rows(lines, n, labelled, *out, &second, error);
  if (status == BPERC_OK &&
      (second.rows != first.rows || second.negative != first.negative))
    status = bperc_error_set(error, BPERC_E_IO, "%s: changed while it was read",
                             lines->path);
  return status;
}
