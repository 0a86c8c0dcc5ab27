/* HDF5 instances: /patterns M x N and /labels M of whole numbers 0 and 1,
 * attribute A of the file (or of /patterns).
 *
 * Patterns are read in blocks of at most BLOCK bytes, chunk by chunk where the
 * file has chunks, so that no chunk is unpacked twice and memory stays close
 * to the packed size.
 */
#include "model/formats.h"

#include "base/alloc.h"
#include "model/pack.h"

#include <hdf5.h>
#include <math.h>
#include <sys/stat.h>

enum { BLOCK = 1 << 20, LARGEST_CHUNK = 1 << 30 };

typedef struct {
  const char *name; /* of the file, for messages */
  bperc_error *error;
  hid_t file, set, type; /* open dataset and its type in memory */
  hsize_t dims[2];
  hsize_t block[2]; /* of a row block: at most a chunk, at most BLOCK bytes */
  hsize_t chunk[2]; /* whole chunks that are read together */
  size_t cache;     /* bytes of one chunk of the file; 0 without chunks */
  unsigned char *bytes; /* room for BLOCK */
  off_t size;
} reader;

static bperc_status bad(const reader *r, const char *what) {
  return bperc_error_set(r->error, BPERC_E_FORMAT, "%s: %s", r->name, what);
}

static bperc_status bad_set(const reader *r, const char *set,
                            const char *what) {
  return bperc_error_set(r->error, BPERC_E_FORMAT, "%s: /%s %s", r->name, set,
                         what);
}

static void close_set(reader *r) {
  if (r->type >= 0)
    H5Tclose(r->type);
  if (r->set >= 0)
    H5Dclose(r->set);
  r->type = r->set = H5I_INVALID_HID;
}

/* The type to read into: a byte that clips what does not fit, so that a wrong
 * value cannot turn into a good one. Booleans are bytes with names. */
static hid_t byte_type(hid_t set) {
  hid_t type = H5Dget_type(set), found = H5I_INVALID_HID;
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  if (class == H5T_INTEGER)
    found = H5Tcopy(H5Tget_sign(type) == H5T_SGN_NONE ? H5T_NATIVE_UINT8
                                                      : H5T_NATIVE_INT8);
  else if (class == H5T_ENUM && H5Tget_size(type) == 1)
    found = H5Tcopy(type);
  if (type >= 0)
    H5Tclose(type);
  return found;
}

static int get_dims(hid_t set, int rank, hsize_t *dims) {
  hid_t space = H5Dget_space(set);
  int good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
             H5Sget_simple_extent_ndims(space) == rank &&
             H5Sget_simple_extent_dims(space, dims, NULL) == rank;
  if (space >= 0)
    H5Sclose(space);
  return good;
}

/* Opens a dataset of whole numbers with this rank. */
static bperc_status open_set(reader *r, const char *set, int rank,
                             hsize_t *dims) {
  H5O_info_t info;
  if (H5Lexists(r->file, set, H5P_DEFAULT) <= 0)
    return bad_set(r, set, "is missing");
  if (H5Oget_info_by_name(r->file, set, &info, H5P_DEFAULT) < 0 ||
      info.type != H5O_TYPE_DATASET)
    return bad_set(r, set, "is not a dataset");
  r->set = H5Dopen2(r->file, set, H5P_DEFAULT);
  if (r->set < 0)
    return bad_set(r, set, "cannot be opened: the file is damaged");
  if (!get_dims(r->set, rank, dims))
    return bad_set(r, set,
                   rank == 2 ? "must have two dimensions, M x N"
                             : "must have one dimension, M");
  r->type = byte_type(r->set);
  if (r->type < 0)
    return bad_set(r, set, "must hold whole numbers (uint8)");
  return BPERC_OK;
}

static int is_number(hid_t attribute) {
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  int good = (class == H5T_INTEGER || class == H5T_FLOAT) && space >= 0 &&
             H5Sget_simple_extent_npoints(space) == 1;
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  return good;
}

/* The attribute A of the file, or else of /patterns. */
static bperc_status read_a(reader *r, double *a) {
  hid_t holder = H5Aexists(r->file, "A") > 0 ? r->file : r->set, attribute;
  int good;
  if (H5Aexists(holder, "A") <= 0)
    return bad(r, "the attribute A is missing");
  attribute = H5Aopen(holder, "A", H5P_DEFAULT);
  if (attribute < 0)
    return bad(r, "the attribute A cannot be opened");
  good = is_number(attribute) && H5Aread(attribute, H5T_NATIVE_DOUBLE, a) >= 0;
  H5Aclose(attribute);
  if (!good)
    return bad(r, "the attribute A must be one number");
  if (!(*a > 0) || !isfinite(*a) || !((double)r->dims[1] / *a < 1e15))
    return bad(r, "the attribute A must be positive with N/A below 1e15");
  return BPERC_OK;
}

/* Small chunks are read many at a time. */
static void join_chunks(reader *r) {
  for (int k = 1; k >= 0; k--) {
    hsize_t times = BLOCK / (r->chunk[0] * r->chunk[1]);
    hsize_t most = (r->dims[k] + r->chunk[k] - 1) / r->chunk[k];
    if (times > 1 && most > 1)
      r->chunk[k] *= times < most ? times : most;
  }
}

/* Chunks of the open dataset, and that the file can hold what it promises:
 * data that is not packed takes its full size. */
static bperc_status plan_blocks(reader *r) {
  hid_t plist = H5Dget_create_plist(r->set);
  H5D_layout_t layout = plist < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(plist);
  hsize_t stored = H5Dget_storage_size(r->set);
  int good = layout == H5D_CONTIGUOUS || layout == H5D_COMPACT;
  r->chunk[0] = r->dims[0];
  r->chunk[1] = r->dims[1];
  if (layout == H5D_CHUNKED)
    good = H5Pget_chunk(plist, 2, r->chunk) == 2;
  if (plist >= 0)
    H5Pclose(plist);
  if (!good || !r->chunk[0] != !r->dims[0] || !r->chunk[1])
    return bad_set(r, "patterns", "has a layout that cannot be read");
  if (layout == H5D_CHUNKED && r->chunk[0] > LARGEST_CHUNK / r->chunk[1])
    return bad_set(r, "patterns", "has chunks of more than 1 GiB");
  if (r->dims[0] && (stored == 0 || stored > (hsize_t)r->size))
    return bad_set(r, "patterns", "is not all there: the file is truncated");
  if (r->dims[0] && layout == H5D_CHUNKED) {
    r->cache = (size_t)(r->chunk[0] * r->chunk[1]);
    join_chunks(r);
  }
  r->block[1] = r->chunk[1] < BLOCK ? r->chunk[1] : BLOCK;
  r->block[0] = BLOCK / r->block[1];
  if (r->block[0] > r->chunk[0])
    r->block[0] = r->chunk[0];
  return BPERC_OK;
}

/* A chunk larger than the cache of the library would be unpacked for each of
 * its blocks: reopen the dataset with a cache that holds one. */
static bperc_status fit_cache(reader *r) {
  hid_t access;
  if (r->cache <= BLOCK)
    return BPERC_OK;
  access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, 3, r->cache, 1);
  H5Dclose(r->set);
  r->set = H5Dopen2(r->file, "patterns", access);
  H5Pclose(access);
  return r->set < 0 ? bad_set(r, "patterns", "cannot be opened") : BPERC_OK;
}

static int read_slab(reader *r, int rank, const hsize_t *start,
                     const hsize_t *count) {
  hid_t disk = H5Dget_space(r->set);
  hid_t memory = H5Screate_simple(rank, count, NULL);
  int good = disk >= 0 && memory >= 0 &&
             H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count,
                                 NULL) >= 0 &&
             H5Dread(r->set, r->type, memory, disk, H5P_DEFAULT, r->bytes) >= 0;
  if (disk >= 0)
    H5Sclose(disk);
  if (memory >= 0)
    H5Sclose(memory);
  return good;
}

static hsize_t least(hsize_t a, hsize_t b) { return a < b ? a : b; }

static bperc_status read_block(reader *r, bperc_instance *in,
                               const hsize_t *start, const hsize_t *count) {
  if (bperc_cancelled())
    return bperc_error_set(r->error, BPERC_E_INTERRUPTED, "interrupted");
  if (!read_slab(r, 2, start, count))
    return bad_set(r, "patterns", "cannot be read: the file is damaged");
  for (hsize_t k = 0; k < count[0]; k++) {
    size_t mu = (size_t)(start[0] + k);
    size_t good = bperc_i_pack(r->bytes + k * count[1], (size_t)count[1], 0,
                               in->patterns + mu * in->words, (size_t)start[1]);
    if (good < count[1])
      return bperc_error_set(r->error, BPERC_E_FORMAT,
                             "%s: /patterns[%zu, %zu] is not 0 or 1", r->name,
                             mu, (size_t)start[1] + good);
  }
  return BPERC_OK;
}

/* One chunk, block by block. */
static bperc_status read_chunk(reader *r, bperc_instance *in,
                               const hsize_t *from) {
  hsize_t end[2] = {least(r->dims[0], from[0] + r->chunk[0]),
                    least(r->dims[1], from[1] + r->chunk[1])};
  hsize_t at[2], count[2];
  bperc_status status = BPERC_OK;
  for (at[0] = from[0]; at[0] < end[0] && status == BPERC_OK;
       at[0] += r->block[0])
    for (at[1] = from[1]; at[1] < end[1] && status == BPERC_OK;
         at[1] += r->block[1]) {
      count[0] = least(r->block[0], end[0] - at[0]);
      count[1] = least(r->block[1], end[1] - at[1]);
      status = read_block(r, in, at, count);
    }
  return status;
}

static bperc_status read_patterns(reader *r, bperc_instance *in) {
  hsize_t at[2];
  bperc_status status = fit_cache(r);
  for (at[0] = 0; at[0] < r->dims[0] && status == BPERC_OK;
       at[0] += r->chunk[0])
    for (at[1] = 0; at[1] < r->dims[1] && status == BPERC_OK;
         at[1] += r->chunk[1])
      status = read_chunk(r, in, at);
  return status;
}

static bperc_status read_labels(reader *r, bperc_instance *in) {
  hsize_t m = 0, count;
  bperc_status status = open_set(r, "labels", 1, &m);
  if (status != BPERC_OK)
    return status;
  if (m != in->m)
    return bperc_error_set(r->error, BPERC_E_FORMAT,
                           "%s: %zu labels for %zu patterns", r->name,
                           (size_t)m, in->m);
  for (hsize_t at = 0; at < m; at += count) {
    count = least(BLOCK, m - at);
    if (!read_slab(r, 1, &at, &count))
      return bad_set(r, "labels", "cannot be read: the file is damaged");
    for (hsize_t k = 0; k < count; k++) {
      if (r->bytes[k] > 1)
        return bperc_error_set(r->error, BPERC_E_FORMAT,
                               "%s: /labels[%zu] is not 0 or 1", r->name,
                               (size_t)(at + k));
      in->labels[at + k] = r->bytes[k];
    }
  }
  return BPERC_OK;
}

static bperc_status read_all(reader *r, const bperc_read_options *options,
                             bperc_instance **out) {
  double a = 0;
  bperc_status status = open_set(r, "patterns", 2, r->dims);
  if (status != BPERC_OK)
    return status;
  if (r->dims[1] < 1 || r->dims[1] > BPERC_MOST_WEIGHTS ||
      r->dims[0] > BPERC_MOST_PATTERNS)
    return bad_set(r, "patterns", "must be M x N, N from 1, both to 2^32");
  status = read_a(r, &a);
  if (status == BPERC_OK)
    status = plan_blocks(r);
  if (status == BPERC_OK)
    status =
        bperc_i_read_agrees(r->name, (size_t)r->dims[1], a, options, r->error);
  if (status == BPERC_OK)
    status = bperc_i_read_new(r->name, (size_t)r->dims[1], (size_t)r->dims[0],
                              a, options, out, r->error);
  if (status == BPERC_OK)
    status = read_patterns(r, *out);
  close_set(r);
  if (status == BPERC_OK)
    status = read_labels(r, *out);
  return status;
}

static bperc_status read_file(const char *file, reader *r,
                              const bperc_read_options *options,
                              bperc_instance **out) {
  struct stat info;
  bperc_status status;
  r->file = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (r->file < 0)
    return bad(r, "the HDF5 file is damaged or truncated");
  r->size = stat(file, &info) == 0 ? info.st_size : 0;
  status = read_all(r, options, out);
  close_set(r);
  H5Fclose(r->file);
  return status;
}

bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  reader r = {.name = name,
              .error = error,
              .set = H5I_INVALID_HID,
              .type = H5I_INVALID_HID};
  H5E_auto2_t report;
  void *context;
  bperc_status status;
  r.bytes = bperc_i_alloc(BLOCK, 1);
  if (!r.bytes)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", name);
  /* The library must stay silent: the sentence is ours. */
  H5Eget_auto2(H5E_DEFAULT, &report, &context);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  status = read_file(file, &r, options, out);
  H5Eset_auto2(H5E_DEFAULT, report, context);
  bperc_i_free(r.bytes);
  return status;
}
