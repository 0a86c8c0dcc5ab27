/* bperc-hdf5, writing: attributes, datasets of a known size, and datasets that
 * grow by rows. The first failure is told at once; what follows is dropped. */
#include "io/hdf5_program/serve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 18, MOST_ROWS = 4096 };

static void check_written(bperc_i_server *s, bool good) {
  if (!good)
    bperc_i_serve_fail(s, errno ? strerror(errno)
                                : "the HDF5 library reports a failure");
}

/* As it lies in the file: little-endian on every machine. */
static hid_t disk_type(uint32_t type) {
  switch (type) {
  case BPERC_I_H5_I8:
    return H5T_STD_I8LE;
  case BPERC_I_H5_U32:
    return H5T_STD_U32LE;
  case BPERC_I_H5_I32:
    return H5T_STD_I32LE;
  case BPERC_I_H5_U64:
    return H5T_STD_U64LE;
  case BPERC_I_H5_I64:
    return H5T_STD_I64LE;
  case BPERC_I_H5_F32:
    return H5T_IEEE_F32LE;
  case BPERC_I_H5_F64:
    return H5T_IEEE_F64LE;
  default:
    return H5T_STD_U8LE;
  }
}

void bperc_i_serve_create(bperc_i_server *s) {
  errno = 0;
  s->file = H5Fcreate(s->bytes, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  check_written(s, s->file >= 0);
}

void bperc_i_serve_group(bperc_i_server *s, const bperc_i_h5_message *m) {
  hid_t group =
      H5Gcreate2(s->file, m->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  check_written(s, group >= 0 && H5Gclose(group) >= 0);
}

/* ---- attributes */

static bool write_attribute(const bperc_i_server *s,
                            const bperc_i_h5_message *m, hid_t disk,
                            hid_t memory, const void *value) {
  hid_t holder = H5Oopen(s->file, m->at, H5P_DEFAULT);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute =
      H5Acreate2(holder, m->name, disk, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
  good = attribute >= 0 && H5Aclose(attribute) >= 0 && good;
  H5Sclose(space);
  return holder >= 0 && H5Oclose(holder) >= 0 && good;
}

void bperc_i_serve_value(bperc_i_server *s, const bperc_i_h5_message *m) {
  check_written(s, write_attribute(s, m, disk_type(m->type),
                                   bperc_i_serve_type(m->type), s->bytes));
}

/* Variable length and UTF-8 is what h5py reads as str. */
void bperc_i_serve_words(bperc_i_server *s, const bperc_i_h5_message *m) {
  hid_t type = H5Tcopy(H5T_C_S1);
  const char *text = s->bytes;
  char room[BPERC_I_H5_TEXT] = "";
  bool fixed = m->count[0] > 0;
  bool good = m->size < sizeof room && m->count[0] < sizeof room;
  if (good)
    memcpy(room, s->bytes, m->size);
  text = room;
  good = good &&
         H5Tset_size(type, fixed ? (size_t)m->count[0] : H5T_VARIABLE) >= 0 &&
         (fixed || H5Tset_cset(type, H5T_CSET_UTF8) >= 0) &&
         write_attribute(s, m, type, type, fixed ? (const void *)room : &text);
  H5Tclose(type);
  check_written(s, good);
}

/* ---- datasets */

static hsize_t rows_per_chunk(size_t row_bytes) {
  size_t rows = row_bytes ? CHUNK_BYTES / row_bytes : MOST_ROWS;
  return rows < 1 ? 1 : rows > MOST_ROWS ? MOST_ROWS : rows;
}

static bool set_chunks(bperc_i_serve_set *d, hid_t plist, unsigned flags) {
  size_t row = (size_t)d->dims[1] * d->value;
  hsize_t chunk[2] = {rows_per_chunk(row), d->dims[1] ? d->dims[1] : 1};
  d->room = (size_t)chunk[0] * row;
  d->buffer = malloc(d->room + 1);
  return d->buffer && H5Pset_chunk(plist, d->rank, chunk) >= 0 &&
         (!(flags & BPERC_I_H5_DEFLATE) ||
          (H5Pset_shuffle(plist) >= 0 && H5Pset_deflate(plist, 1) >= 0));
}

void bperc_i_serve_set_new(bperc_i_server *s, const bperc_i_h5_message *m) {
  bperc_i_serve_set *d = &s->sets[s->count];
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space;
  hsize_t most[2];
  bool good = s->count < BPERC_I_SERVE_SETS;
  if (!good) {
    check_written(s, false);
    return;
  }
  *d = (bperc_i_serve_set){.type = bperc_i_serve_type(m->type),
                           .rank = m->rank == 2 ? 2 : 1,
                           .grows = m->flags & BPERC_I_H5_GROWS,
                           .value = (size_t)bperc_i_h5_bytes(m->type)};
  d->dims[0] = d->grows ? 0 : m->count[0];
  d->dims[1] = d->rank == 2 ? m->count[1] : 1;
  most[0] = d->grows ? H5S_UNLIMITED : d->dims[0];
  most[1] = d->dims[1];
  good = H5Pset_obj_track_times(plist, false) >= 0 && /* same run, same bytes */
         (!d->grows || set_chunks(d, plist, m->flags));
  space = H5Screate_simple(d->rank, d->dims, most);
  d->set = H5Dcreate2(s->file, m->name, disk_type(m->type), space, H5P_DEFAULT,
                      plist, H5P_DEFAULT);
  H5Sclose(space);
  H5Pclose(plist);
  s->count++;
  check_written(s, good && d->set >= 0);
}

/* A rectangle of the dataset. */
static bool write_slab(const bperc_i_serve_set *d, const hsize_t *start,
                       const hsize_t *count, const char *from) {
  hid_t disk = H5Dget_space(d->set);
  hid_t memory = H5Screate_simple(d->rank, count, NULL);
  bool good = H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count,
                                  NULL) >= 0 &&
              H5Dwrite(d->set, d->type, memory, disk, H5P_DEFAULT, from) >= 0;
  H5Sclose(disk);
  H5Sclose(memory);
  return good;
}

/* The next values in the order of rows: the rest of a row, whole rows, the
 * start of a row. */
static bool write_values(bperc_i_serve_set *d, const char *from,
                         uint64_t values) {
  uint64_t width = d->dims[1];
  bool good = true;
  while (values && width && good) {
    uint64_t row = d->done / width, column = d->done % width;
    uint64_t rows = column || values < width ? 1 : values / width;
    hsize_t start[2] = {row, column}, count[2] = {rows, width - column};
    if (count[1] > values)
      count[1] = values;
    good = row + rows <= d->dims[0] && write_slab(d, start, count, from);
    from += rows * count[1] * d->value;
    values -= rows * count[1];
    d->done += rows * count[1];
  }
  return good;
}

/* The buffer's whole rows at the end of a dataset that grows. */
static bool write_buffer(bperc_i_serve_set *d) {
  uint64_t values = d->used / d->value;
  d->used = 0;
  if (!values)
    return true;
  d->dims[0] = (d->done + values) / d->dims[1];
  return H5Dset_extent(d->set, d->dims) >= 0 &&
         write_values(d, d->buffer, values);
}

void bperc_i_serve_rows(bperc_i_server *s, const bperc_i_h5_message *m) {
  uint64_t index = m->start[0];
  bperc_i_serve_set *d = &s->sets[index < BPERC_I_SERVE_SETS ? index : 0];
  const char *from = s->bytes;
  bool good = index < (uint64_t)s->count && m->size % d->value == 0;
  errno = 0;
  if (good && !d->grows)
    good = write_values(d, from, m->size / d->value);
  else
    for (size_t left = (size_t)m->size; good && left;) {
      size_t part = d->room - d->used < left ? d->room - d->used : left;
      memcpy(d->buffer + d->used, from, part);
      d->used += part;
      from += part;
      left -= part;
      good = part && (d->used < d->room || write_buffer(d));
    }
  check_written(s, good);
}

void bperc_i_serve_close(bperc_i_server *s) {
  bperc_i_h5_message done = {.kind = BPERC_I_H5_DONE};
  bool good = true;
  errno = 0;
  for (int k = 0; k < s->count; k++) {
    bperc_i_serve_set *d = &s->sets[k];
    good = good && (!d->grows || write_buffer(d));
    good = H5Dclose(d->set) >= 0 && good;
  }
  good = H5Fclose(s->file) >= 0 && good;
  check_written(s, good);
  if (!s->failed)
    bperc_i_serve_answer(s, &done, NULL, 0);
}
