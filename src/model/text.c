/* The text format of instances and the file of weights. */
#include "model/text.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bperc_status bad(const bperc_i_lines *lines, bperc_error *error,
                        const char *what) {
  return bperc_error_set(error, BPERC_E_FORMAT, "%s:%zu: %s", lines->path,
                         lines->number, what);
}

/* A count: digits only, 1.. or 0.. up to the limits of an instance. */
static int read_count(const char **at, unsigned long long most,
                      unsigned long long *out) {
  char *end;
  *at += strspn(*at, " \t");
  if (**at < '0' || **at > '9')
    return 0;
  errno = 0;
  *out = strtoull(*at, &end, 10);
  if (errno || (*end && !strchr(" \t", *end)) || *out > most)
    return 0;
  *at = end;
  return 1;
}

static bperc_status read_header(const bperc_i_lines *lines, size_t *n,
                                size_t *m, double *a, bperc_error *error) {
  const char *at = lines->text;
  unsigned long long count;
  if (!read_count(&at, BPERC_MOST_WEIGHTS, &count) || count == 0)
    return bad(lines, error, "N must be a whole number from 1 to 2^32");
  *n = count;
  if (!read_count(&at, BPERC_MOST_PATTERNS, &count))
    return bad(lines, error, "M must be a whole number from 0 to 2^32");
  *m = count;
  *a = strtod(at, NULL);
  if (!(*a > 0) || !isfinite(*a) || !((double)*n / *a < 1e15))
    return bad(lines, error, "A must be a positive number");
  return BPERC_OK;
}

/* The n characters 0/1 of a text into bits; returns how many were good. */
static size_t read_bits(const char *text, size_t n, uint64_t *bits) {
  size_t i;
  for (i = 0; i < n && (text[i] == '0' || text[i] == '1'); i++)
    bits[i / 64] |= (uint64_t)(text[i] == '1') << (i % 64);
  return i;
}

static bperc_status read_pattern(const bperc_i_lines *lines, size_t mu,
                                 bperc_instance *in, bperc_error *error) {
  const char *text = lines->text;
  size_t blanks, good, found;
  if ((text[0] != '0' && text[0] != '1') || !text[1] || !strchr(" \t", text[1]))
    return bad(lines, error, "a pattern line is 'label bits', label 0 or 1");
  in->labels[mu] = (uint8_t)(text[0] - '0');
  blanks = 1 + strspn(text + 1, " \t");
  text += blanks;
  good = read_bits(text, in->n, in->patterns + mu * in->words);
  found = strcspn(text, " \t");
  if (good < in->n && text[good] && !strchr(" \t", text[good]))
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s:%zu: character %zu is not 0 or 1", lines->path,
                           lines->number, blanks + good + 1);
  if (found != in->n || text[found + strspn(text + found, " \t")])
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s:%zu: %zu bits where %zu are due", lines->path,
                           lines->number, found, in->n);
  return BPERC_OK;
}

/* A header can promise more than the file holds: what remains of the file
 * bounds what is worth allocating. */
static int promises_too_much(const bperc_i_lines *lines, size_t n, size_t m) {
  long here = ftell(lines->file), end;
  if (here < 0 || fseek(lines->file, 0, SEEK_END) != 0)
    return 0; /* a pipe: the allocation decides */
  end = ftell(lines->file);
  if (fseek(lines->file, here, SEEK_SET) != 0 || end < here)
    return 1;
  return (double)m * ((double)n + 2) > (double)(end - here) + 1;
}

bperc_status bperc_i_text_read(bperc_i_lines *lines, bperc_ties ties,
                               bperc_instance **out, bperc_error *error) {
  size_t n = 0, m = 0, mu = 0;
  double a = 0;
  int more = 1;
  bperc_status status = read_header(lines, &n, &m, &a, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  if (promises_too_much(lines, n, m))
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s:%zu: the file is too short for %zu patterns of "
                           "%zu bits",
                           lines->path, lines->number, m, n);
  status = bperc_instance_new(n, m, a, ties, out, error);
  while (status == BPERC_OK) {
    status = bperc_i_lines_next(lines, &more, error);
    if (status != BPERC_OK || !more)
      break;
    status = mu < m ? read_pattern(lines, mu, *out, error)
                    : bad(lines, error, "more patterns than the header says");
    mu++;
  }
  if (status == BPERC_OK && mu < m)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s:%zu: %zu patterns where the header says %zu",
                             lines->path, lines->number, mu, m);
  if (status != BPERC_OK) {
    bperc_instance_free(*out);
    *out = NULL;
  }
  return status;
}

/* ---- weights */

static bperc_status weight_bits(const bperc_i_lines *lines, size_t n,
                                uint64_t *bits, bperc_error *error) {
  size_t count = 0;
  for (const char *p = lines->text; *p; p++) {
    if (*p == ' ' || *p == '\t')
      continue;
    if (*p != '0' && *p != '1')
      return bperc_error_set(error, BPERC_E_FORMAT,
                             "%s:%zu: character %zu is not 0 or 1", lines->path,
                             lines->number, (size_t)(p - lines->text) + 1);
    if (count < n && *p == '1')
      bits[count / 64] |= (uint64_t)1 << (count % 64);
    count++;
  }
  if (count == n)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s:%zu: %zu weights where the instance has %zu",
                         lines->path, lines->number, count, n);
}

bperc_status bperc_weights_read(const char *path, size_t n, uint64_t **out,
                                bperc_error *error) {
  bperc_i_lines lines;
  int more;
  bperc_status status = bperc_i_lines_open(&lines, path, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  status = bperc_i_lines_next(&lines, &more, error);
  if (status == BPERC_OK && !more)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: no line of weights in it", path);
  if (status == BPERC_OK) {
    *out = bperc_i_calloc(bperc_i_words(n), sizeof **out);
    status = *out ? weight_bits(&lines, n, *out, error)
                  : bperc_error_set(error, BPERC_E_MEMORY,
                                    "no memory for %zu weights", n);
  }
  bperc_i_lines_close(&lines);
  if (status != BPERC_OK) {
    bperc_free(*out);
    *out = NULL;
  }
  return status;
}
