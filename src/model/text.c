/* Our text format: `N M A`, then M lines `label bits`. */
#include "model/formats.h"

#include "model/pack.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int bperc_i_text_is_header(const char *line) {
  char *end;
  const char *at = line;
  for (int k = 0; k < 3; k++) {
    strtod(at, &end);
    if (end == at || (*end && !strchr(" \t", *end)))
      return 0;
    at = end;
  }
  return at[strspn(at, " \t")] == 0;
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

static bperc_status read_header(const bperc_i_lines *lines, size_t *n,
                                size_t *m, double *a, bperc_error *error) {
  const char *at = lines->text;
  if (!read_count(&at, BPERC_MOST_WEIGHTS, n) || *n == 0)
    return bperc_i_lines_bad(lines, error,
                             "N must be a whole number from 1 to 2^32");
  if (!read_count(&at, BPERC_MOST_PATTERNS, m))
    return bperc_i_lines_bad(lines, error,
                             "M must be a whole number from 0 to 2^32");
  *a = strtod(at, NULL);
  if (!(*a > 0) || !isfinite(*a) || !((double)*n / *a < 1e15))
    return bperc_i_lines_bad(lines, error,
                             "A must be a positive number with N/A below 1e15");
  return BPERC_OK;
}

static bperc_status read_pattern(const bperc_i_lines *lines, size_t mu,
                                 bperc_instance *in, bperc_error *error) {
  const char *text = lines->text;
  size_t blanks, due, good, found;
  if ((text[0] != '0' && text[0] != '1') || !text[1] || !strchr(" \t", text[1]))
    return bperc_i_lines_bad(lines, error,
                             "a pattern line is 'label bits', label 0 or 1");
  in->labels[mu] = (uint8_t)(text[0] - '0');
  blanks = 1 + strspn(text + 1, " \t");
  due = lines->length - blanks;
  if (due > in->n)
    due = in->n;
  text += blanks;
  good = bperc_i_pack(text, due, '0', in->patterns + mu * in->words, 0);
  if (good == in->n && !text[good])
    return BPERC_OK;
  if (good < in->n && text[good] && !strchr(" \t", text[good]))
    return bperc_i_lines_bad(lines, error, "character %zu is not 0 or 1",
                             blanks + good + 1);
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
  most = (size_t)left / (n + 3) + 1; /* label, blank, line end */
  return m < most ? m : most;
}

static bperc_status read_patterns(bperc_i_lines *lines, size_t m,
                                  bperc_instance *in, bperc_error *error) {
  size_t mu = 0;
  for (;; mu++) {
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
    status = read_pattern(lines, mu, in, error);
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
  double a = 0;
  bperc_status status = read_header(lines, &n, &m, &a, error);
  if (status != BPERC_OK)
    return status;
  rows = rows_that_fit(lines, n, m);
  if (m && !rows)
    return bperc_i_lines_bad(
        lines, error, "the file is too short for %zu patterns of %zu bits", m,
        n);
  status = bperc_i_read_agrees(lines->path, n, a, options, error);
  if (status == BPERC_OK)
    status = bperc_i_read_new(lines->path, n, rows, a, options, out, error);
  if (status == BPERC_OK)
    status = read_patterns(lines, m, *out, error);
  return status;
}
