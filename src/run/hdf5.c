/* HDF5 helpers of the trace. */
#include "run/hdf5.h"

#include "base/alloc.h"

enum { CHUNK_BYTES = 1 << 18, MOST_ROWS = 4096 };

static size_t rows_per_chunk(size_t row_bytes) {
  size_t rows = row_bytes ? CHUNK_BYTES / row_bytes : MOST_ROWS;
  return rows < 1 ? 1 : rows > MOST_ROWS ? MOST_ROWS : rows;
}

bool bperc_i_rows_open(bperc_i_rows_file *r, hid_t file, const char *name,
                       hid_t disk, hid_t memory, size_t columns) {
  int rank = columns ? 2 : 1;
  size_t width = columns ? columns : 1, bytes = width * H5Tget_size(memory);
  hsize_t dims[2] = {0, columns}, most[2] = {H5S_UNLIMITED, columns};
  hsize_t chunk[2] = {rows_per_chunk(bytes), width};
  hid_t space = H5Screate_simple(rank, dims, most);
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  *r = (bperc_i_rows_file){
      .type = memory, .row_bytes = bytes, .columns = columns, .room = chunk[0]};
  r->buffer = bperc_i_alloc(r->room, bytes);
  H5Pset_chunk(plist, rank, chunk);
  H5Pset_shuffle(plist);
  H5Pset_deflate(plist, 1);
  r->set = H5Dcreate2(file, name, disk, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  H5Pclose(plist);
  H5Sclose(space);
  return r->set >= 0 && r->buffer;
}

void *bperc_i_rows_next(bperc_i_rows_file *r) {
  return r->buffer + r->used * r->row_bytes;
}

static bool flush(bperc_i_rows_file *r) {
  hsize_t start[2] = {r->rows, 0}, count[2] = {r->used, r->columns};
  hsize_t size[2] = {r->rows + r->used, r->columns};
  hid_t disk, memory;
  bool good;
  if (r->used == 0)
    return true;
  if (H5Dset_extent(r->set, size) < 0)
    return false;
  disk = H5Dget_space(r->set);
  memory = H5Screate_simple(r->columns ? 2 : 1, count, NULL);
  good = H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count, NULL) >=
             0 &&
         H5Dwrite(r->set, r->type, memory, disk, H5P_DEFAULT, r->buffer) >= 0;
  H5Sclose(disk);
  H5Sclose(memory);
  r->rows += r->used;
  r->used = 0;
  return good;
}

bool bperc_i_rows_push(bperc_i_rows_file *r) {
  return ++r->used < r->room || flush(r);
}

bool bperc_i_rows_close(bperc_i_rows_file *r) {
  bool good = true;
  if (r->set > 0) {
    good = !r->buffer || flush(r);
    good = H5Dclose(r->set) >= 0 && good;
  }
  bperc_i_free(r->buffer);
  *r = (bperc_i_rows_file){0};
  return good;
}

bool bperc_i_hdf5_vector(hid_t file, const char *name, hid_t disk, hid_t memory,
                         size_t count, const void *values) {
  hsize_t dims = count;
  hid_t space = H5Screate_simple(1, &dims, NULL);
  hid_t set = H5Dcreate2(file, name, disk, space, H5P_DEFAULT, H5P_DEFAULT,
                         H5P_DEFAULT);
  bool good = set >= 0 &&
              H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  H5Sclose(space);
  return set >= 0 && H5Dclose(set) >= 0 && good;
}

bool bperc_i_hdf5_number(hid_t at, const char *name, hid_t disk, hid_t memory,
                         const void *value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(at, name, disk, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
  H5Sclose(space);
  return attribute >= 0 && H5Aclose(attribute) >= 0 && good;
}

/* Variable length and UTF-8: what h5py reads as str. */
bool bperc_i_hdf5_text(hid_t at, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1);
  bool good = H5Tset_size(type, H5T_VARIABLE) >= 0 &&
              H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
              bperc_i_hdf5_number(at, name, type, type, &text);
  H5Tclose(type);
  return good;
}
