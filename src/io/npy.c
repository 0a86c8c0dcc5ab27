/* NumPy arrays saved by numpy.save: two dimensions, C order, booleans, whole
 * or floating-point numbers. Columns are called by their position from 1. */
#include "io/records.h"

#include "base/alloc.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  FILE *file; /* borrowed from the table's lines */
  char type;  /* b, i, u, f */
  size_t width, rows;
  int swap; /* bytes stand in the other order */
  off_t data;
  unsigned char *row;
} array;

enum {
  LONGEST_HEADER = 1 << 16,
  MOST_EMPTY = 1 << 20 /* columns of an array without rows */
};

static bperc_status bad_array(const bperc_i_records *t, bperc_error *error,
                              const char *what) {
  return bperc_error_set(error, BPERC_E_FORMAT, "%s: %s", t->path, what);
}

/* What a read that came back short means. */
static bperc_status cut_off(const bperc_i_records *t, const char *what,
                            bperc_error *error) {
  const array *a = t->array;
  if (ferror(a->file))
    return bperc_error_set(error, BPERC_E_IO, "%s: %s", t->path,
                           strerror(errno));
  return bad_array(t, error, what);
}

static uint64_t bytes_of(const unsigned char *from, size_t width, int swap) {
  uint64_t value = 0;
  for (size_t k = 0; k < width; k++)
    value |= (uint64_t)from[swap ? width - 1 - k : k] << (8 * k);
  return value;
}

static double element(const array *a, const unsigned char *from) {
  uint64_t raw = bytes_of(from, a->width, a->swap);
  uint32_t half = (uint32_t)raw;
  double wide;
  float narrow;
  if (a->type == 'f' && a->width == 8)
    return memcpy(&wide, &raw, 8), wide;
  if (a->type == 'f')
    return memcpy(&narrow, &half, 4), (double)narrow;
  if (a->type == 'i' && a->width < 8 && raw >> (8 * a->width - 1))
    return -(double)(((uint64_t)1 << (8 * a->width)) - raw);
  return a->type == 'i' ? (double)(int64_t)raw : (double)raw;
}

static bperc_status npy_next(bperc_i_records *t, int *more,
                             bperc_error *error) {
  array *a = t->array;
  *more = 0;
  if (t->row == a->rows)
    return BPERC_OK;
  if (fread(a->row, a->width, t->columns, a->file) != t->columns) {
    char what[80];
    snprintf(what, sizeof what, "the file ends in row %zu of %zu", t->row + 1,
             a->rows);
    return cut_off(t, what, error);
  }
  for (size_t k = 0; k < t->columns; k++)
    t->cells[k].value = element(a, a->row + k * a->width);
  t->line = ++t->row;
  *more = 1;
  return BPERC_OK;
}

static bperc_status npy_rewind(bperc_i_records *t, bperc_error *error) {
  array *a = t->array;
  t->row = 0;
  if (fseeko(a->file, a->data, SEEK_SET) != 0)
    return bperc_error_set(error, BPERC_E_IO, "%s: %s", t->path,
                           strerror(errno));
  return BPERC_OK;
}

static void npy_close(bperc_i_records *t) {
  array *a = t->array;
  if (a)
    bperc_i_free(a->row);
  bperc_i_free(a);
}

static const bperc_i_source_class npy = {npy_next, npy_rewind, npy_close};

/* "'key': " of the header's dictionary; what follows, or NULL. */
static const char *value_of_key(const char *header, const char *key) {
  const char *at;
  assert(header);
  at = strstr(header, key);
  if (!at)
    return NULL;
  at += strlen(key);
  return at + strspn(at, ": ");
}

static bperc_status read_type(const bperc_i_records *t, const char *header,
                              bperc_error *error) {
  array *a = t->array;
  const char *at = value_of_key(header, "'descr'");
  if (!at || at[0] != '\'' || !strchr("<>|=", at[1]) || !at[1] || !at[2])
    return bad_array(t, error,
                     "an array of records: save plain numbers instead");
  a->type = at[2];
  a->width = strtoul(at + 3, NULL, 10);
  a->swap = at[1] == '>';
  if (!((strchr("biu", a->type) &&
         (a->width == 1 || a->width == 2 || a->width == 4 || a->width == 8)) ||
        (a->type == 'f' && (a->width == 4 || a->width == 8))))
    return bad_array(
        t, error,
        "the array must hold booleans, whole numbers, or floating-point "
        "numbers of 4 or 8 bytes");
  at = value_of_key(header, "'fortran_order'");
  if (!at || at[0] != 'F')
    return bad_array(t, error,
                     "the array is saved column by column: save "
                     "numpy.ascontiguousarray of it");
  return BPERC_OK;
}

static bperc_status read_array_shape(bperc_i_records *t, const char *header,
                                     size_t *columns, bperc_error *error) {
  array *a = t->array;
  const char *at = value_of_key(header, "'shape'");
  char *end = NULL;
  unsigned long long rows = 0, count = 0;
  errno = 0;
  if (at && *at == '(')
    rows = strtoull(at + 1, &end, 10);
  if (end && *end == ',')
    count = strtoull(end + 1, &end, 10);
  if (!end || *end != ')' || errno || count == 0 || count > (1u << 28) ||
      rows >> 32)
    return bad_array(t, error,
                     "the array must have two dimensions, rows x columns");
  a->rows = rows;
  *columns = count;
  return BPERC_OK;
}

/* A header can promise more than the file holds: nothing is allocated for
 * that. */
static bperc_status fits(const bperc_i_records *t, size_t columns,
                         bperc_error *error) {
  const array *a = t->array;
  off_t end = fseeko(a->file, 0, SEEK_END) == 0 ? ftello(a->file) : -1;
  assert(a->width > 0 && columns > 0);
  if (end >= 0 && (uint64_t)(end - a->data) / a->width / columns < a->rows)
    return bad_array(t, error, "the file is shorter than its header says");
  if (!a->rows && columns > MOST_EMPTY)
    return bad_array(t, error, "the array has no rows");
  return fseeko(a->file, a->data, SEEK_SET) == 0
             ? BPERC_OK
             : bperc_error_set(error, BPERC_E_IO, "%s: %s", t->path,
                               strerror(errno));
}

/* The dictionary behind the magic number; the caller frees it. */
static bperc_status read_array_header(bperc_i_records *t, char **out,
                                      bperc_error *error) {
  array *a = t->array;
  unsigned char start[12];
  size_t length = 0, size = 10;
  *out = NULL;
  if (fread(start, 1, 10, a->file) != 10)
    return cut_off(t, "the file ends in its header", error);
  if (start[6] >= 2 && fread(start + 10, 1, 2, a->file) == 2)
    size = 12;
  length = (size_t)bytes_of(start + 8, size - 8, 0);
  if (start[6] < 1 || start[6] > 3 || length > LONGEST_HEADER)
    return bad_array(t, error, "not a NumPy file of version 1 to 3");
  *out = bperc_i_alloc(length + 1, 1);
  if (!*out)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
  if (fread(*out, 1, length, a->file) != length)
    return cut_off(t, "the file ends in its header", error);
  (*out)[length] = 0;
  a->data = ftello(a->file);
  return BPERC_OK;
}

bperc_status bperc_i_npy_open(bperc_i_records *t, bperc_error *error) {
  array *a = bperc_i_calloc(1, sizeof *a);
  char *header = NULL;
  size_t columns = 0;
  bperc_status status;
  t->array = a;
  t->kind = &npy;
  t->by_position = 1;
  if (!a)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
  a->file = t->lines.file;
  if (fseeko(a->file, t->lines.origin, SEEK_SET) != 0)
    return bperc_error_set(error, BPERC_E_IO, "%s: %s", t->path,
                           strerror(errno));
  status = read_array_header(t, &header, error);
  if (status == BPERC_OK)
    status = read_type(t, header, error);
  if (status == BPERC_OK)
    status = read_array_shape(t, header, &columns, error);
  bperc_i_free(header);
  if (status == BPERC_OK)
    status = fits(t, columns, error);
  if (status == BPERC_OK)
    status = bperc_i_source_columns(t, columns, error);
  if (status == BPERC_OK)
    status = bperc_i_source_number(t, 0, error);
  if (status != BPERC_OK)
    return status;
  a->row = bperc_i_alloc(columns, a->width);
  return a->row
             ? BPERC_OK
             : bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
}
