/* Lists of solutions in HDF5 files. */
#include "base/alloc.h"
#include "bperc/io.h"
#include "exact/space/space.h"
#include "io/hdf5_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { SLAB = 1 << 16 }; /* solutions written at a time */

/* Column j is bit j % 8 of byte j / 8: the low bytes of a word. */
static void pack_solutions(const bperc_solutions *s, size_t from, size_t count,
                           size_t width, uint8_t *rows) {
  for (size_t k = 0; k < count; k++)
    for (size_t b = 0; b < width; b++)
      rows[k * width + b] =
          (uint8_t)(s->bits[(from + k) * s->words + b / 8] >> (b % 8 * 8));
}

/* Bytes first .. first + width - 1 of rows. */
static void unpack_rows(bperc_solutions *s, size_t from, size_t count,
                        size_t first, size_t width, const uint8_t *rows) {
  for (size_t k = 0; k < count; k++)
    for (size_t b = 0; b < width; b++)
      s->bits[(from + k) * s->words + (first + b) / 8] |=
          (uint64_t)rows[k * width + b] << ((first + b) % 8 * 8);
}

/* ---- writing */

static bool put_rows(bperc_i_h5 *file, const bperc_solutions *s) {
  size_t width = (s->columns + 7) / 8;
  uint8_t *rows = bperc_i_alloc(SLAB, width + 1);
  int set =
      bperc_i_h5_set(file, "solutions", BPERC_I_H5_U8, 2, s->count, width, 0);
  bool good = rows != NULL;
  for (size_t from = 0; good && width && from < s->count; from += SLAB) {
    size_t part = s->count - from < SLAB ? s->count - from : SLAB;
    pack_solutions(s, from, part, width, rows);
    bperc_i_h5_rows(file, set, rows, part * width);
    good = !bperc_i_h5_failed(file) && !bperc_cancelled();
  }
  bperc_i_free(rows);
  return good;
}

static bool put_list(bperc_i_h5 *file, const bperc_solutions *s,
                     const struct bperc_clusters *clusters) {
  uint64_t n = s->n, count = s->count, complete = s->complete;
  bperc_i_h5_value(file, "/", "n", BPERC_I_H5_U64, &n);
  bperc_i_h5_value(file, "/", "count", BPERC_I_H5_U64, &count);
  bperc_i_h5_value(file, "/", "complete", BPERC_I_H5_U64, &complete);
  bperc_i_h5_vector(file, "columns", BPERC_I_H5_U32, s->columns, s->column);
  bperc_i_h5_vector(file, "fixed", BPERC_I_H5_I8, s->n, s->fixed);
  if (!put_rows(file, s))
    return false;
  if (clusters)
    bperc_i_h5_vector(file, "clusters", BPERC_I_H5_U32, clusters->solutions,
                      clusters->of);
  return true;
}

/* Into the place where the output grows. */
static bperc_status write_solutions(const bperc_solutions *s,
                                    const struct bperc_clusters *clusters,
                                    const char *place, bperc_error *error) {
  bperc_i_h5 *file;
  bperc_status status = bperc_i_h5_create(place, &file, error);
  bool whole = status == BPERC_OK && put_list(file, s, clusters);
  if (status == BPERC_OK)
    status = bperc_i_h5_close(file, error);
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED,
                           "interrupted, nothing was written");
  if (status == BPERC_OK && !whole)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  return status;
}

bperc_status bperc_solutions_write(const bperc_solutions *s,
                                   const struct bperc_clusters *clusters,
                                   const char *path, bperc_error *error) {
  bperc_output out;
  bperc_error inner;
  bperc_status status = bperc_output_open(&out, path, error);
  if (status != BPERC_OK)
    return status;
  if (!out.temporary) /* a device, say */
    status = bperc_error_set(&inner, BPERC_E_IO, "a list needs a regular file");
  else
    status = write_solutions(s, clusters, out.temporary, &inner);
  if (status == BPERC_OK)
    return bperc_output_commit(&out, error);
  bperc_output_abandon(&out);
  return bperc_error_set(error, status, "%s: %s", path, inner.text);
}

/* ---- reading */

static bperc_status no_list(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_FORMAT, "not a list of solutions");
}

static bperc_status get_number(bperc_i_h5 *file, const char *name,
                               uint64_t *value, bperc_error *error) {
  bperc_i_h5_attribute found;
  bperc_status status = bperc_i_h5_ask(file, "/", name, &found, error);
  *value = found.count;
  return status == BPERC_OK && found.kind != BPERC_I_H5_NUMBER ? no_list(error)
                                                               : status;
}

/* A dataset of bytes with these dimensions, all of it in the file. */
static bperc_status check_image(bperc_i_h5 *file, const char *name,
                                unsigned rank, uint64_t rows, uint64_t columns,
                                bperc_i_h5_info *info, bperc_error *error) {
  bperc_status status = bperc_i_h5_look(file, name, info, error);
  if (status != BPERC_OK)
    return status;
  return info->state == BPERC_I_H5_GOOD && info->readable && info->whole &&
                 info->rank == rank && info->dims[0] == rows &&
                 (rank == 1 || info->dims[1] == columns)
             ? BPERC_OK
             : no_list(error);
}

static bperc_status take_fixed(void *context, const uint64_t *start,
                               const uint64_t *count, const void *values,
                               bperc_error *error) {
  (void)error;
  memcpy((int8_t *)context + start[0], values, count[0]);
  return BPERC_OK;
}

/* Rectangles may be parts of rows. */
static bperc_status take_solutions(void *context, const uint64_t *start,
                                   const uint64_t *count, const void *values,
                                   bperc_error *error) {
  bperc_solutions *s = context;
  (void)error;
  unpack_rows(s, (size_t)start[0], (size_t)count[0], (size_t)start[1],
              (size_t)count[1], values);
  return BPERC_OK;
}

/* Which weights are fixed; *out becomes a list without solutions. A file holds
 * at least a byte per weight: nothing larger is believed. */
static bperc_status get_fixed(bperc_i_h5 *file, size_t n, bperc_solutions **out,
                              bperc_error *error) {
  bperc_i_h5_info info;
  int8_t *fixed;
  bperc_status status = check_image(file, "fixed", 1, n, 1, &info, error);
  if (status != BPERC_OK)
    return status;
  if (n > info.file_size)
    return no_list(error);
  fixed = bperc_i_calloc(n + 1, 1);
  if (!fixed)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  status = bperc_i_h5_read(file, "fixed", &info, BPERC_I_H5_I8, take_fixed,
                           fixed, error);
  if (status == BPERC_OK) {
    status = bperc_i_list_new(n, fixed, out);
    if (status != BPERC_OK)
      bperc_error_set(error, status, "%s", bperc_status_name(status));
  }
  bperc_i_free(fixed);
  return status;
}

static bperc_status get_solutions(bperc_i_h5 *file, size_t count,
                                  bperc_solutions *s, bperc_error *error) {
  bperc_i_h5_info info;
  size_t width = (s->columns + 7) / 8;
  bperc_status status =
      check_image(file, "solutions", 2, count, width, &info, error);
  if (status != BPERC_OK)
    return status;
  if (s->columns > 128 || (width && count > info.stored / width) ||
      count > info.file_size)
    return no_list(error);
  s->bits = bperc_i_calloc(count * s->words + 1, 8);
  if (!s->bits)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  s->count = count;
  return count && width
             ? bperc_i_h5_read(file, "solutions", &info, BPERC_I_H5_U8,
                               take_solutions, s, error)
             : BPERC_OK;
}

static bperc_status get_list(bperc_i_h5 *file, bperc_solutions **out,
                             bperc_error *error) {
  uint64_t n, count, complete;
  bperc_status status = get_number(file, "n", &n, error);
  if (status == BPERC_OK)
    status = get_number(file, "count", &count, error);
  if (status == BPERC_OK)
    status = get_number(file, "complete", &complete, error);
  if (status == BPERC_OK)
    status = get_fixed(file, (size_t)n, out, error);
  if (status == BPERC_OK)
    status = get_solutions(file, (size_t)count, *out, error);
  if (status != BPERC_OK)
    return status;
  (*out)->complete = complete != 0;
  const char *wrong = bperc_solutions_check(*out, NULL);
  return wrong ? bperc_error_set(error, BPERC_E_FORMAT, "%s", wrong) : BPERC_OK;
}

bperc_status bperc_solutions_read(const char *path, bperc_solutions **out,
                                  bperc_error *error) {
  bperc_i_h5 *file = NULL;
  bperc_error inner;
  struct stat info;
  bperc_status status;
  *out = NULL;
  if (stat(path, &info) != 0)
    return bperc_error_set(error, BPERC_E_IO, "%s: %s", path, strerror(errno));
  status = bperc_i_h5_open(path, &file, &inner);
  if (status == BPERC_OK)
    status = get_list(file, out, &inner);
  bperc_i_h5_free(file);
  if (status == BPERC_OK)
    return BPERC_OK;
  bperc_solutions_free(*out);
  *out = NULL;
  return bperc_error_set(error, status, "%s: %s", path, inner.text);
}
