/* Lists of solutions in HDF5 files. */
#include "base/alloc.h"
#include "base/child.h"
#include "bperc/io.h"
#include "exact/list.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLAB = 1 << 16 }; /* solutions written or read at a time */

typedef struct {
  hid_t file;
  bool bad;
} store;

static void put_attribute(store *f, const char *name, uint64_t value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t at =
      H5Acreate2(f->file, name, H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  f->bad |= at < 0 || H5Awrite(at, H5T_NATIVE_UINT64, &value) < 0;
  H5Aclose(at);
  H5Sclose(space);
}

static uint64_t get_attribute(store *f, const char *name) {
  uint64_t value = 0;
  hid_t at = H5Aopen(f->file, name, H5P_DEFAULT);
  f->bad |= at < 0 || H5Aread(at, H5T_NATIVE_UINT64, &value) < 0;
  if (at >= 0)
    H5Aclose(at);
  return value;
}

static void put_vector(store *f, const char *name, hid_t type, size_t count,
                       const void *values) {
  hsize_t size = count;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                         H5P_DEFAULT);
  f->bad |=
      set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
  H5Dclose(set);
  H5Sclose(space);
}

/* Column j is bit j % 8 of byte j / 8: the low bytes of a word. */
static void pack_rows(const bperc_solutions *s, size_t from, size_t count,
                      size_t width, uint8_t *rows) {
  for (size_t k = 0; k < count; k++)
    for (size_t b = 0; b < width; b++)
      rows[k * width + b] =
          (uint8_t)(s->bits[(from + k) * s->words + b / 8] >> (b % 8 * 8));
}

static void unpack_rows(bperc_solutions *s, size_t from, size_t count,
                        size_t width, const uint8_t *rows) {
  for (size_t k = 0; k < count; k++)
    for (size_t b = 0; b < width; b++)
      s->bits[(from + k) * s->words + b / 8] |= (uint64_t)rows[k * width + b]
                                                << (b % 8 * 8);
}

/* Walks over /solutions slab by slab: writing takes from s, reading adds. */
static void walk_rows(store *f, hid_t set, bperc_solutions *s, bool writing) {
  size_t width = (s->columns + 7) / 8;
  uint8_t *rows = bperc_i_alloc(SLAB, width + 1);
  hid_t space = H5Dget_space(set);
  f->bad |= !rows || space < 0;
  for (size_t from = 0; from < s->count && !f->bad && width; from += SLAB) {
    f->bad |= bperc_cancelled() != 0;
    size_t part = s->count - from < SLAB ? s->count - from : SLAB;
    hsize_t start[2] = {from, 0}, size[2] = {part, width};
    hid_t memory = H5Screate_simple(2, size, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
    if (writing) {
      pack_rows(s, from, part, width, rows);
      f->bad |=
          H5Dwrite(set, H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, rows) < 0;
    } else {
      bperc_i_child_expect_progress();
      f->bad |=
          H5Dread(set, H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, rows) < 0;
      if (!f->bad)
        unpack_rows(s, from, part, width, rows);
    }
    H5Sclose(memory);
  }
  H5Sclose(space);
  bperc_i_free(rows);
}

static void put_rows(store *f, const bperc_solutions *s) {
  hsize_t size[2] = {s->count, (s->columns + 7) / 8};
  hid_t space = H5Screate_simple(2, size, NULL);
  hid_t set = H5Dcreate2(f->file, "solutions", H5T_STD_U8LE, space, H5P_DEFAULT,
                         H5P_DEFAULT, H5P_DEFAULT);
  f->bad |= set < 0;
  if (!f->bad)
    walk_rows(f, set, (bperc_solutions *)s, true);
  H5Dclose(set);
  H5Sclose(space);
}

static void put_list(store *f, const bperc_solutions *s,
                     const struct bperc_clusters *clusters) {
  put_attribute(f, "n", s->n);
  put_attribute(f, "count", s->count);
  put_attribute(f, "complete", s->complete);
  put_vector(f, "columns", H5T_NATIVE_UINT32, s->columns, s->column);
  put_vector(f, "fixed", H5T_NATIVE_INT8, s->n, s->fixed);
  put_rows(f, s);
  if (clusters && !f->bad)
    put_vector(f, "clusters", H5T_NATIVE_UINT32, clusters->solutions,
               clusters->of);
}

bperc_status bperc_solutions_write(const bperc_solutions *s,
                                   const struct bperc_clusters *clusters,
                                   const char *path, bperc_error *error) {
  bperc_output out;
  bperc_status status = bperc_output_open(&out, path, error);
  if (status != BPERC_OK)
    return status;
  if (!out.temporary) { /* a device, say */
    bperc_output_abandon(&out);
    return bperc_error_set(error, BPERC_E_IO, "%s: a list needs a regular file",
                           path);
  }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  errno = 0;
  store f = {H5Fcreate(out.temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
             false};
  f.bad = f.file < 0;
  if (!f.bad) {
    put_list(&f, s, clusters);
    f.bad |= H5Fclose(f.file) < 0;
  }
  int reason = errno;
  if (!f.bad)
    return bperc_output_commit(&out, error);
  bperc_output_abandon(&out);
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED,
                           "%s: interrupted, nothing was written", path);
  return bperc_error_set(error, BPERC_E_IO, "%s: cannot be written%s%s", path,
                         reason ? ": " : "", reason ? strerror(reason) : "");
}

static bperc_status get_list(store *f, bperc_solutions **out,
                             bperc_error *error) {
  bperc_status status = BPERC_E_MEMORY;
  size_t n = get_attribute(f, "n"), count = get_attribute(f, "count");
  bool complete = get_attribute(f, "complete");
  hid_t set = H5Dopen2(f->file, "fixed", H5P_DEFAULT);
  hsize_t size[2] = {0, 0};
  hid_t space = set >= 0 ? H5Dget_space(set) : -1;
  f->bad |= space < 0 || H5Sget_simple_extent_ndims(space) != 1 ||
            H5Sget_simple_extent_dims(space, size, NULL) != 1 || size[0] != n;
  if (space >= 0)
    H5Sclose(space);
  /* HDF5 leaves what a file does not hold as it is */
  int8_t *fixed = f->bad ? NULL : bperc_i_calloc(n + 1, 1);
  if (fixed)
    f->bad |=
        H5Dread(set, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, fixed) < 0;
  if (set >= 0)
    H5Dclose(set);
  if (fixed && !f->bad)
    status = bperc_i_list_new(n, fixed, out);
  bperc_i_free(fixed);
  set = f->bad ? -1 : H5Dopen2(f->file, "solutions", H5P_DEFAULT);
  f->bad |= set < 0;
  if (status == BPERC_OK && !f->bad) {
    space = H5Dget_space(set);
    f->bad |= H5Sget_simple_extent_ndims(space) != 2 ||
              H5Sget_simple_extent_dims(space, size, NULL) != 2 ||
              size[0] != count || size[1] != ((*out)->columns + 7) / 8 ||
              (*out)->columns > 128 ||
              H5Dget_storage_size(set) < size[0] * size[1];
    H5Sclose(space);
  }
  if (status == BPERC_OK && !f->bad) {
    (*out)->bits = bperc_i_calloc(count * (*out)->words + 1, 8);
    (*out)->count = (*out)->bits ? count : 0;
    (*out)->complete = complete;
    status = (*out)->bits ? BPERC_OK : BPERC_E_MEMORY;
    walk_rows(f, set, *out, false);
  }
  if (set >= 0)
    H5Dclose(set);
  if (f->bad)
    return bperc_error_set(error, BPERC_E_FORMAT, "not a list of solutions");
  return status == BPERC_OK
             ? BPERC_OK
             : bperc_error_set(error, status, "%s", bperc_status_name(status));
}

/* ---- reading: HDF5 in a child process, as for instances */

/* What the child sends first; then fixed and, if good, the bits. */
typedef struct {
  int good;
  size_t n, count;
  bool complete;
  char text[200];
} message;

static void send_list(void *path, int pipe) {
  bperc_solutions *s = NULL;
  bperc_error error = {BPERC_OK, ""};
  message m = {0};
  bperc_i_child_be_silent();
  bperc_i_child_expect_progress();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  store f = {H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), false};
  if (f.file < 0)
    snprintf(m.text, sizeof m.text, "cannot be read as HDF5");
  else if (get_list(&f, &s, &error) != BPERC_OK)
    snprintf(m.text, sizeof m.text, "%.190s", error.text);
  else
    m = (message){1, s->n, s->count, s->complete, ""};
  bperc_i_child_put(pipe, &m, sizeof m);
  bperc_i_child_expect_progress();
  if (m.good) {
    bperc_i_child_put(pipe, s->fixed, s->n);
    bperc_i_child_put(pipe, s->bits, s->count * s->words * sizeof *s->bits);
  }
  _exit(0);
}

/* A file holds at least a byte per weight, and per eight weights of every
 * solution: nothing larger is believed. */
static bperc_status take_list(const bperc_i_child *child, size_t file_size,
                              message *m, bperc_solutions **out) {
  int8_t *fixed;
  bperc_status status = bperc_i_child_get(child, m, sizeof *m);
  m->text[sizeof m->text - 1] = 0;
  if (status != BPERC_OK || !m->good || m->n > file_size ||
      m->count > file_size)
    return status == BPERC_OK ? BPERC_E_FORMAT : status;
  fixed = bperc_i_alloc(m->n + 1, 1);
  status = fixed ? bperc_i_child_get(child, fixed, m->n) : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = bperc_i_list_new(m->n, fixed, out);
  bperc_i_free(fixed);
  if (status != BPERC_OK)
    return status;
  (*out)->bits = bperc_i_calloc(m->count * (*out)->words + 1, 8);
  if (!(*out)->bits)
    return BPERC_E_MEMORY;
  (*out)->count = m->count;
  (*out)->complete = m->complete;
  return bperc_i_child_get(child, (*out)->bits, m->count * (*out)->words * 8);
}

bperc_status bperc_solutions_read(const char *path, bperc_solutions **out,
                                  bperc_error *error) {
  bperc_i_child child;
  message m = {0};
  struct stat info;
  bperc_status status;
  const char *wrong;
  *out = NULL;
  if (stat(path, &info) != 0 ||
      !bperc_i_child_start(&child, send_list, (void *)path))
    return bperc_error_set(error, BPERC_E_IO, "%s: %s", path, strerror(errno));
  status = take_list(&child, (size_t)info.st_size, &m, out);
  bperc_i_child_end(&child);
  wrong = status == BPERC_OK         ? bperc_solutions_check(*out, NULL)
          : m.text[0]                ? m.text
          : status == BPERC_E_FORMAT ? "the HDF5 library fails on it"
                                     : bperc_status_name(status);
  if (!wrong)
    return BPERC_OK;
  bperc_solutions_free(*out);
  *out = NULL;
  return bperc_error_set(error, status == BPERC_OK ? BPERC_E_FORMAT : status,
                         "%s: %s", path, wrong);
}
