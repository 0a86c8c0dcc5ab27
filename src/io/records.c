/* What all tables share: recognising them, columns, cells as numbers. */
#include "io/records.h"

#include "base/alloc.h"
#include "base/number.h"
#include "io/recognise.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int ends_with(const char *path, const char *ending) {
  size_t a = strlen(path), b = strlen(ending);
  return a >= b && strcasecmp(path + a - b, ending) == 0;
}

/* A row whose values are all -1, 0 or 1 belongs to the model's own reader. */
static int has_other_values(const char *line) {
  const char *end = line + strcspn(line, "#"), *at = line;
  while ((at = memchr(at, ':', (size_t)(end - at)))) {
    char *stop;
    double value;
    at++;
    if ((*at == '1' || *at == '0') && at[1] == ' ')
      continue; /* as nearly all are written */
    value = bperc_i_strtod(at, &stop);
    if (stop != at && value != 0 && fabs(value) != 1)
      return 1;
  }
  return 0;
}

static bperc_status look_at_rows(bperc_i_lines *lines,
                                 bperc_i_source_kind *kind,
                                 bperc_error *error) {
  int more = 1;
  bperc_status status = BPERC_OK;
  while (status == BPERC_OK && more) {
    if (has_other_values(lines->text)) {
      *kind = BPERC_I_SOURCE_SVMLIGHT;
      break;
    }
    status = bperc_i_lines_next(lines, &more, error);
  }
  return status;
}

/* By the first line that counts. */
static bperc_status recognise(bperc_i_lines *lines, int values,
                              bperc_i_source_kind *kind, bperc_error *error) {
  int more;
  bperc_status status;
  if (lines->end >= 6 && memcmp(lines->buffer, "\x93NUMPY", 6) == 0) {
    *kind = BPERC_I_SOURCE_NPY;
    return BPERC_OK;
  }
  if (lines->end >= 4 && memcmp(lines->buffer, "\211HDF", 4) == 0)
    return BPERC_OK;
  status = bperc_i_lines_next(lines, &more, error);
  if (status != BPERC_OK && status != BPERC_E_FORMAT)
    return status;
  if (status != BPERC_OK || !more)
    return BPERC_OK; /* no text: the model's reader says what is wrong */
  if (bperc_i_svmlight_is_row(lines->text) ||
      bperc_i_svmlight_is_bare(lines->text)) {
    *kind = values ? BPERC_I_SOURCE_SVMLIGHT : BPERC_I_SOURCE_NONE;
    return values ? BPERC_OK : look_at_rows(lines, kind, error);
  } else if (!bperc_i_text_is_header(lines->text) &&
             strpbrk(lines->text, ",;|\t"))
    *kind = BPERC_I_SOURCE_CSV;
  return BPERC_OK;
}

/* By the first block, which is kept for the reader. */
static bperc_status recognise_pipe(bperc_i_lines *lines, const char *path,
                                   int values, bperc_i_source_kind *kind,
                                   bperc_error *error) {
  bperc_i_lines peek;
  bperc_status status = bperc_i_lines_peek(lines, &peek, error);
  if (status == BPERC_OK) {
    status = recognise(&peek, values, kind, error);
    bperc_i_lines_free_peek(&peek);
  }
  if (status == BPERC_OK && *kind == BPERC_I_SOURCE_NPY)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: NumPy arrays cannot be read from a pipe: "
                             "save it to a file first",
                             lines->path);
  if (status == BPERC_OK)
    return bperc_i_lines_unread(lines, path, error);
  bperc_i_lines_close(lines); /* nobody is going to read it */
  return status;
}

bperc_status bperc_i_source_recognise(const char *path, int values,
                                      bperc_i_source_kind *kind,
                                      bperc_error *error) {
  bperc_i_lines lines;
  bperc_status status;
  *kind = BPERC_I_SOURCE_NONE;
  if (ends_with(path, ".csv") || ends_with(path, ".tsv"))
    *kind = BPERC_I_SOURCE_CSV;
  if (*kind)
    return BPERC_OK;
  status = bperc_i_lines_open(&lines, path, error);
  if (status != BPERC_OK)
    return status;
  if (lines.origin < 0 || strcmp(path, "-") == 0)
    return recognise_pipe(&lines, path, values, kind, error);
  status = recognise(&lines, values, kind, error);
  bperc_i_lines_close(&lines);
  return status;
}
bperc_status bperc_i_source_open(const char *path, bperc_i_source_kind kind,
                                 bperc_i_records *out, bperc_error *error) {
  bperc_status status;
  memset(out, 0, sizeof *out);
  switch (kind) {
  case BPERC_I_SOURCE_CSV:
    status = bperc_i_csv_open(out, path, error);
    break;
  case BPERC_I_SOURCE_SVMLIGHT:
    status = bperc_i_svmvalues_open(out, path, error);
    break;
  case BPERC_I_SOURCE_NPY:
    status = bperc_i_npy_open(out, path, error);
    break;
  default:
    return bperc_error_set(error, BPERC_E_ARGUMENT, "%s: is no table", path);
  }
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

int bperc_i_cell_missing(const bperc_i_io_cell *cell) {
  static const char *const words[] = {"na",   "n/a",  "nan", "?",
                                      "null", "none", "."};
  if (!cell->text)
    return isnan(cell->value);
  if (!cell->length)
    return 1;
  return is_word(cell, words, sizeof words / sizeof *words);
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
