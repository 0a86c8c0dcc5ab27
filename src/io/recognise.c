/* What a file is: recognise.h, docs/formats.md. */
#include "io/recognise.h"

#include "base/alloc.h"
#include "base/number.h"
#include "io/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char bperc_i_model_first_words[] = "bperc model ";

int bperc_i_is_model(const char *line) {
  size_t length = sizeof bperc_i_model_first_words - 1;
  return strncmp(line, bperc_i_model_first_words, length) == 0 &&
         (line[length] == '1' || line[length] == '2') && !line[length + 1];
}

static int path_ends_with(const char *path, const char *ending) {
  size_t a = strlen(path), b = strlen(ending);
  return a >= b && strcasecmp(path + a - b, ending) == 0;
}

static int is_npy(const bperc_i_lines *lines) {
  return lines->end >= 6 && memcmp(lines->buffer, "\x93NUMPY", 6) == 0;
}

/* The signature at byte 0, or behind a user block of 512, 1024, ... bytes,
 * within the first block. */
static int is_hdf5(const bperc_i_lines *lines) {
  static const char signature[] = "\211HDF\r\n\032\n";
  for (size_t at = 0; at + 8 <= lines->end; at = at ? 2 * at : 512)
    if (memcmp(lines->buffer + at, signature, 8) == 0)
      return 1;
  return 0;
}

/* ---- rows: the current line is the first one */

enum { LONGEST_LABEL = 2 }; /* "-1" */

static bperc_status first_row_again(bperc_i_lines *lines, bperc_error *error) {
  int more;
  bperc_status status = bperc_i_lines_back(lines, error);
  return status == BPERC_OK ? bperc_i_lines_next(lines, &more, error) : status;
}

/* The next row; BPERC_E_INTERRUPTED where somebody asks for it. */
static bperc_status next_row(bperc_i_lines *lines, int *more,
                             bperc_error *error) {
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  return bperc_i_lines_next(lines, more, error);
}

/* Whether the rows are inputs alone. A first row such as "1" or "-1" may be a
 * pattern of one or two inputs, or the label of a pattern without ones: then
 * all rows say. */
static bperc_status rows_are_bare(bperc_i_lines *lines, size_t n, int *bare,
                                  bperc_error *error) {
  int more = 1;
  bperc_status status;
  *bare = bperc_i_text_is_bare(lines->text, n);
  if (!*bare || n > LONGEST_LABEL)
    return BPERC_OK;
  status = bperc_i_lines_mark(lines, error);
  if (status == BPERC_OK) /* a pipe has been copied: from its start again */
    status = bperc_i_lines_back(lines, error);
  while (status == BPERC_OK && more && *bare) {
    status = next_row(lines, &more, error);
    *bare =
        status == BPERC_OK && (!more || bperc_i_text_is_bare(lines->text, n));
  }
  return status == BPERC_OK ? first_row_again(lines, error) : status;
}

/* Whether a value of the row is none of -1, 0 and 1. */
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

static bperc_status rows_have_other_values(bperc_i_lines *lines, int *other,
                                           bperc_error *error) {
  int more = 1;
  bperc_status status = bperc_i_lines_mark(lines, error);
  if (status == BPERC_OK)
    status = first_row_again(lines, error);
  while (status == BPERC_OK && more) {
    *other = has_other_values(lines->text);
    if (*other)
      break;
    status = next_row(lines, &more, error);
  }
  return status == BPERC_OK ? first_row_again(lines, error) : status;
}

static bperc_status kind_of_svmlight(bperc_i_lines *lines,
                                     const bperc_i_file_hints *hints,
                                     bperc_file_kind *kind,
                                     bperc_error *error) {
  int other = hints->values;
  bperc_status status = BPERC_OK;
  if (hints->tables && !other)
    status = rows_have_other_values(lines, &other, error);
  *kind = other ? BPERC_FILE_SVMLIGHT_VALUES : BPERC_FILE_SVMLIGHT;
  return status;
}

/* ---- by the first line that counts */

static bperc_status kind_of_text(bperc_i_lines *lines,
                                 const bperc_i_file_hints *hints,
                                 bperc_file_kind *kind, bperc_error *error) {
  int bare = 0;
  if (bperc_i_is_model(lines->text))
    *kind = BPERC_FILE_MODEL;
  else if (bperc_i_text_is_header(lines->text))
    *kind = BPERC_FILE_TEXT;
  if (*kind)
    return BPERC_OK;
  if (!hints->labelled && hints->n) {
    bperc_status status = rows_are_bare(lines, hints->n, &bare, error);
    if (status != BPERC_OK)
      return status;
  }
  if (bare)
    *kind = BPERC_FILE_BARE;
  else if (bperc_i_svmlight_is_row(lines->text) ||
           ((!hints->labelled || hints->tables) &&
            bperc_i_svmlight_is_bare(lines->text)))
    return kind_of_svmlight(lines, hints, kind, error);
  else if (hints->tables && strpbrk(lines->text, ",;|\t"))
    *kind = BPERC_FILE_CSV;
  return BPERC_OK;
}

static bperc_status look_at_file(bperc_file *file,
                                 const bperc_i_file_hints *hints,
                                 bperc_error *error) {
  bperc_i_lines *lines = &file->lines;
  bperc_status status;
  int more;
  if (hints->tables && (path_ends_with(file->path, ".csv") ||
                        path_ends_with(file->path, ".tsv")))
    file->kind = BPERC_FILE_CSV;
  else if (hints->tables && is_npy(lines))
    file->kind = BPERC_FILE_NPY;
  else if (is_hdf5(lines))
    file->kind = BPERC_FILE_HDF5;
  if (file->kind)
    return BPERC_OK;
  status = bperc_i_lines_next(lines, &more, error);
  if (status == BPERC_OK && more) {
    status = kind_of_text(lines, hints, &file->kind, error);
    bperc_i_lines_again(lines);
  } else if (status == BPERC_OK && lines->remark[0]) {
    file->kind = BPERC_FILE_SVMLIGHT; /* its first comment: no patterns */
  }
  return status;
}

bperc_status bperc_i_file_open(const char *path,
                               const bperc_i_file_hints *hints, bperc_file *out,
                               bperc_error *error) {
  bperc_status status;
  memset(out, 0, sizeof *out);
  out->path = path;
  status = bperc_i_lines_open(&out->lines, path, error);
  if (status == BPERC_OK)
    status = look_at_file(out, hints, error);
  if (status != BPERC_OK)
    bperc_i_file_close(out);
  return status;
}

void bperc_i_file_close(bperc_file *file) {
  bperc_i_lines_close(&file->lines);
  if (file->name[0])
    unlink(file->name);
  bperc_i_free(file->own);
  memset(file, 0, sizeof *file);
}

bperc_status bperc_i_file_name(bperc_file *file, const char **name,
                               bperc_error *error) {
  int descriptor;
  *name = file->name;
  if (file->lines.origin >= 0)
    *name = file->path;
  if (file->lines.origin >= 0 || file->name[0])
    return BPERC_OK;
  snprintf(file->name, sizeof file->name, "%s/bperc-XXXXXX", P_tmpdir);
  descriptor = mkstemp(file->name);
  if (descriptor < 0)
    file->name[0] = 0;
  return bperc_i_lines_copy(
      &file->lines, descriptor < 0 ? NULL : fdopen(descriptor, "w+b"), error);
}

/* ---- from outside */

bperc_status bperc_file_open(const char *path, bperc_file **out,
                             bperc_error *error) {
  static const bperc_i_file_hints any = {.tables = 1, .labelled = 1};
  bperc_status status = BPERC_E_MEMORY;
  char *own = bperc_i_strdup(path);
  *out = own ? bperc_i_calloc(1, sizeof **out) : NULL;
  if (!*out)
    bperc_error_set(error, status, "%s: no memory", path);
  else
    status = bperc_i_file_open(own, &any, *out, error);
  if (status == BPERC_OK) {
    (*out)->own = own;
    return status;
  }
  bperc_i_free(own);
  bperc_i_free(*out);
  *out = NULL;
  return status;
}

bperc_file_kind bperc_file_is(const bperc_file *file) { return file->kind; }

void bperc_file_close(bperc_file *file) {
  if (file)
    bperc_i_file_close(file);
  bperc_i_free(file);
}

bperc_file_kind bperc_file_recognise(const char *path, bperc_error *error) {
  bperc_file *file;
  bperc_file_kind kind = BPERC_FILE_UNKNOWN;
  if (error)
    *error = (bperc_error){BPERC_OK, ""};
  if (bperc_file_open(path, &file, error) == BPERC_OK) {
    kind = file->kind;
    bperc_file_close(file);
  }
  return kind;
}
