/* Files of weights: a line of 0/1 or -/+ characters, or of whole numbers. */
#include "bperc/io.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "io/recognise.h"

#include <string.h>

/* The line of weights. */
static bperc_status weights_line(bperc_i_lines *lines, bperc_error *error) {
  int more;
  bperc_status status = bperc_i_lines_next(lines, &more, error);
  if (status == BPERC_OK && !more)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: no line of weights in it", lines->path);
  return status;
}

/* Nothing that counts may follow the line of weights. */
static bperc_status end_of_weights(bperc_i_lines *lines, bperc_error *error) {
  int more;
  bperc_status status = bperc_i_lines_next(lines, &more, error);
  if (status == BPERC_OK && more)
    status = bperc_i_lines_bad(lines, error, "a second line of weights");
  return status;
}

static bperc_status wrong_count(const bperc_i_lines *lines, size_t count,
                                size_t n, bperc_error *error) {
  return bperc_i_lines_bad(lines, error,
                           "%zu weights where the instance has %zu", count, n);
}

static bperc_status no_memory_for_weights(size_t n, bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for %zu weights", n);
}

/* Characters 0 and 1, or - and +; not both. */
static bperc_status take_weight_bits(const bperc_i_lines *lines, size_t n,
                                     uint64_t *bits, bperc_error *error) {
  const char *first = lines->text + strspn(lines->text, " \t");
  const char *marks = *first == '+' || *first == '-' ? "-+" : "01";
  size_t count = 0;
  for (const char *p = lines->text; *p; p++) {
    if (*p == ' ' || *p == '\t')
      continue;
    if (*p != marks[0] && *p != marks[1])
      return bperc_i_lines_bad(lines, error, "character %zu is not %c or %c",
                               (size_t)(p - lines->text) + 1, marks[0],
                               marks[1]);
    if (count < n && *p == marks[1])
      bits[count / 64] |= (uint64_t)1 << (count % 64);
    count++;
  }
  return count == n ? BPERC_OK : wrong_count(lines, count, n, error);
}

static bperc_status read_weight_bits(bperc_i_lines *lines, size_t n,
                                     uint64_t **out, bperc_error *error) {
  bperc_status status;
  *out = bperc_i_calloc(bperc_i_words(n), sizeof **out);
  if (!*out)
    return no_memory_for_weights(n, error);
  status = take_weight_bits(lines, n, *out, error);
  if (status == BPERC_OK)
    status = end_of_weights(lines, error);
  return status;
}

bperc_status bperc_weights_read(const char *path, size_t n, uint64_t **out,
                                bperc_error *error) {
  bperc_i_lines lines;
  bperc_status status = bperc_i_lines_open(&lines, path, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  status = weights_line(&lines, error);
  if (status == BPERC_OK)
    status = read_weight_bits(&lines, n, out, error);
  bperc_i_lines_close(&lines);
  if (status != BPERC_OK) {
    bperc_free(*out);
    *out = NULL;
  }
  return status;
}

/* ---- whole numbers */

/* The words of a line, up to one more than n. */
static size_t count_words(const char *text, size_t n) {
  size_t words = 0;
  while (words <= n && *(text += strspn(text, " \t"))) {
    text += strcspn(text, " \t");
    words++;
  }
  return words;
}

static bperc_status take_integers(const bperc_i_lines *lines, size_t n,
                                  int32_t *out, bperc_error *error) {
  const char *p = lines->text;
  for (size_t i = 0; i < n; i++) {
    int64_t value = 0;
    const char *first = p += strspn(p, " \t");
    while (*p >= '0' && *p <= '9' && value <= INT32_MAX)
      value = 10 * value + (*p++ - '0');
    if (p == first || (*p && !strchr(" \t", *p)) || value > INT32_MAX)
      return bperc_i_lines_bad(lines, error,
                               "weight %zu, at character %zu, is not a whole "
                               "number from 0 to 2^31 - 1",
                               i, (size_t)(first - lines->text) + 1);
    out[i] = (int32_t)value;
  }
  return BPERC_OK;
}

/* A line of characters as numbers 0 and 1. */
static bperc_status widen_bits(bperc_i_lines *lines, size_t n, int32_t *out,
                               bperc_error *error) {
  uint64_t *bits = NULL;
  bperc_status status = read_weight_bits(lines, n, &bits, error);
  for (size_t i = 0; status == BPERC_OK && i < n; i++)
    out[i] = bperc_i_bit(bits, i);
  bperc_i_free(bits);
  return status;
}

static bperc_status read_weight_integers(bperc_i_lines *lines, size_t n,
                                         int32_t **out, bperc_error *error) {
  size_t words = count_words(lines->text, n);
  bperc_status status;
  *out = bperc_i_calloc(n, sizeof **out);
  if (!*out)
    return no_memory_for_weights(n, error);
  if (lines->text[strspn(lines->text, "+- \t")] == 0 ||
      (words != n && lines->text[strspn(lines->text, "01 \t")] == 0))
    return widen_bits(lines, n, *out, error);
  if (words != n && words > 1)
    return words > n ? bperc_i_lines_bad(lines, error,
                                         "more than the %zu weights of the "
                                         "instance",
                                         n)
                     : wrong_count(lines, words, n, error);
  if (words != n)
    return widen_bits(lines, n, *out, error);
  status = take_integers(lines, n, *out, error);
  if (status == BPERC_OK)
    status = end_of_weights(lines, error);
  return status;
}

static bperc_status integers_of_lines(bperc_i_lines *lines, size_t n,
                                      int32_t **out, bperc_error *error) {
  bperc_status status = weights_line(lines, error);
  *out = NULL;
  if (status == BPERC_OK)
    status = read_weight_integers(lines, n, out, error);
  if (status != BPERC_OK) {
    bperc_free(*out);
    *out = NULL;
  }
  return status;
}

bperc_status bperc_integers_read(const char *path, size_t n, int32_t **out,
                                 bperc_error *error) {
  bperc_i_lines lines;
  bperc_status status = bperc_i_lines_open(&lines, path, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  status = integers_of_lines(&lines, n, out, error);
  bperc_i_lines_close(&lines);
  return status;
}

bperc_status bperc_integers_from(bperc_file *file, size_t n, int32_t **out,
                                 bperc_error *error) {
  return integers_of_lines(&file->lines, n, out, error);
}

/* ---- writing */

void bperc_weights_print(const bperc_instance *in, const uint64_t *bits,
                         const int32_t *integers, FILE *out) {
  for (size_t i = 0; i < in->n; i++)
    if (integers)
      fprintf(out, i ? " %d" : "%d", integers[i]);
    else
      putc_unlocked('0' + (int)bperc_i_bit(bits, i), out);
  putc_unlocked('\n', out);
}

bperc_status bperc_weights_write(const char *path, const bperc_instance *in,
                                 const uint64_t *bits, const int32_t *integers,
                                 bperc_error *error) {
  bperc_output out;
  bperc_status status = bperc_output_open(&out, path, error);
  if (status != BPERC_OK)
    return status;
  bperc_weights_print(in, bits, integers, out.stream);
  return bperc_output_commit(&out, error);
}
