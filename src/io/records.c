/* What all tables share: columns, cells as numbers. */
#include "io/records.h"

#include "base/alloc.h"
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bperc_status bperc_i_records_open(bperc_file *file, bperc_i_records *out,
                                  bperc_error *error) {
  bperc_status status = bperc_error_set(error, BPERC_E_ARGUMENT,
                                        "%s: is no table", file->lines.path);
  memset(out, 0, sizeof *out);
  if (file->kind == BPERC_FILE_NPY) { /* a pipe is copied */
    bperc_status copied = bperc_i_lines_mark(&file->lines, error);
    if (copied != BPERC_OK)
      return copied;
  }
  out->lines = file->lines; /* takes the open file over */
  out->path = out->lines.path;
  memset(&file->lines, 0, sizeof file->lines);
  if (file->kind == BPERC_FILE_CSV)
    status = bperc_i_csv_open(out, error);
  else if (file->kind == BPERC_FILE_SVMLIGHT_VALUES)
    status = bperc_i_svmvalues_open(out, error);
  else if (file->kind == BPERC_FILE_NPY)
    status = bperc_i_npy_open(out, error);
  if (status == BPERC_OK)
    status = bperc_i_source_sort(out, error);
  if (status != BPERC_OK)
    bperc_i_source_close(out);
  return status;
}

static int by_name(const void *a, const void *b, void *names) {
  char **all = names;
  return strcmp(all[*(const size_t *)a], all[*(const size_t *)b]);
}

bperc_status bperc_i_source_sort(bperc_i_records *t, bperc_error *error) {
  t->sorted = bperc_i_alloc(t->columns, sizeof *t->sorted);
  if (!t->sorted)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
  for (size_t k = 0; k < t->columns; k++)
    t->sorted[k] = k;
  qsort_r(t->sorted, t->columns, sizeof *t->sorted, by_name, t->names);
  for (size_t k = 1; k < t->columns; k++)
    if (strcmp(t->names[t->sorted[k - 1]], t->names[t->sorted[k]]) == 0)
      return bperc_i_source_bad(t, error, "two columns are called '%.60s'",
                                t->names[t->sorted[k]]);
  return BPERC_OK;
}

size_t bperc_i_source_find(const bperc_i_records *t, const char *name) {
  size_t low = 0, high = t->columns;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(t->names[t->sorted[middle]], name);
    if (order == 0)
      return t->sorted[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return SIZE_MAX;
}

void bperc_i_source_close(bperc_i_records *t) {
  if (t->kind)
    t->kind->close(t);
  for (size_t k = 0; t->names && k < t->columns; k++)
    bperc_i_free(t->names[k]);
  bperc_i_free(t->names);
  bperc_i_free(t->sorted);
  bperc_i_free(t->cells);
  bperc_i_lines_close(&t->lines);
  memset(t, 0, sizeof *t);
}

bperc_status bperc_i_source_columns(bperc_i_records *t, size_t columns,
                                    bperc_error *error) {
  t->columns = columns;
  t->names = bperc_i_calloc(columns, sizeof *t->names);
  t->cells = bperc_i_calloc(columns, sizeof *t->cells);
  if (t->names && t->cells)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory for %zu columns",
                         t->path, columns);
}

bperc_status bperc_i_source_number(bperc_i_records *t, size_t first,
                                   bperc_error *error) {
  char name[32];
  for (size_t k = first; k < t->columns; k++) {
    snprintf(name, sizeof name, "%zu", k - first + 1);
    t->names[k] = bperc_i_strdup(name);
    if (!t->names[k])
      return bperc_error_set(error, BPERC_E_MEMORY,
                             "%s: no memory for %zu columns", t->path,
                             t->columns);
  }
  return BPERC_OK;
}

bperc_status bperc_i_source_bad(const bperc_i_records *t, bperc_error *error,
                                const char *format, ...) {
  char what[384];
  va_list args;
  va_start(args, format);
  bperc_i_vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return bperc_error_set(error, BPERC_E_FORMAT, "%s:%zu: %s", t->path, t->line,
                         what);
}

int bperc_i_cell_number(const bperc_i_io_cell *cell, double *value) {
  char *end;
  if (!cell->text) {
    *value = cell->value;
    return isfinite(cell->value);
  }
  if (cell->length == 1) {
    *value = cell->text[0] - '0';
    return cell->text[0] >= '0' && cell->text[0] <= '9';
  }
  if (!cell->length || cell->text[0] == ' ')
    return 0;
  *value = bperc_i_strtod(cell->text, &end);
  return end == cell->text + cell->length && isfinite(*value) &&
         !memchr(cell->text, 'x', cell->length) &&
         !memchr(cell->text, 'X', cell->length);
}

/* Whether the cell is one of these words, capital letters or not. */
static int is_word(const bperc_i_io_cell *cell, const char *const *words,
                   size_t count) {
  for (size_t k = 0; k < count; k++)
    if (strlen(words[k]) == cell->length &&
        strncasecmp(words[k], cell->text, cell->length) == 0)
      return 1;
  return 0;
}

int bperc_i_cell_infinite(const bperc_i_io_cell *cell) {
  static const char *const words[] = {"inf",      "+inf",      "-inf",
                                      "infinity", "+infinity", "-infinity"};
  return cell->text ? is_word(cell, words, sizeof words / sizeof *words)
                    : isinf(cell->value);
}

/* ---- missing values */

int bperc_i_missing_words_add(bperc_i_missing_words *list, const char *word) {
  size_t old = list->count * sizeof *list->words;
  char *copy = bperc_i_strdup(word);
  char **words = bperc_i_realloc(list->words, old, old + sizeof *list->words);
  if (words)
    list->words = words;
  if (!words || !copy) {
    bperc_i_free(copy);
    return 0;
  }
  list->words[list->count++] = copy;
  list->first[(unsigned char)tolower((unsigned char)*word)] = 1;
  list->first[(unsigned char)toupper((unsigned char)*word)] = 1;
  return 1;
}

int bperc_i_missing_words_make(const char *list, bperc_i_missing_words *out) {
  *out = (bperc_i_missing_words){.count = 0};
  for (const char *at = list ? list : "NA,N/A,NaN,?,null,."; *at;) {
    char word[256];
    size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    if (*word && !bperc_i_missing_words_add(out, word))
      return 0;
    at += length + (at[length] == ',');
  }
  return 1;
}

void bperc_i_missing_words_clear(bperc_i_missing_words *list) {
  for (size_t k = 0; k < list->count; k++)
    bperc_i_free(list->words[k]);
  bperc_i_free(list->words);
  memset(list, 0, sizeof *list);
}

/* A number of an array has no text: a word such as -999 is compared with it. */
static int number_is_missing(double value, const bperc_i_missing_words *words) {
  if (isnan(value))
    return 1;
  for (size_t k = 0; k < words->count; k++) {
    char *end;
    double word = bperc_i_strtod(words->words[k], &end);
    if (end != words->words[k] && !*end && word == value)
      return 1;
  }
  return 0;
}

int bperc_i_cell_missing(const bperc_i_io_cell *cell,
                         const bperc_i_missing_words *words) {
  if (!cell->text)
    return number_is_missing(cell->value, words);
  if (!cell->length)
    return 1;
  return words->first[(unsigned char)cell->text[0]] &&
         is_word(cell, (const char *const *)words->words, words->count);
}

const char *bperc_i_cell_text(const bperc_i_io_cell *cell, char *buffer,
                              size_t size) {
  size_t length = cell->length < size - 1 ? cell->length : size - 1;
  if (!cell->text)
    return bperc_i_show_real(cell->value, buffer, size);
  memcpy(buffer, cell->text, length);
  buffer[length] = 0;
  return buffer;
}
