/* HDF5 instances, the child's side: /patterns M x N and /labels M of whole
 * numbers, attributes A, threshold, kappa, weights of the file (or of
 * /patterns), sent down a pipe.
 *
 * Patterns go in blocks of a bounded size, chunk by chunk where the file has
 * chunks, so that no chunk is unpacked twice. The process ends here, on
 * success as on failure: nothing needs closing.
 */
#include "model/hdf5_wire.h"

#include "base/child.h"
#include "bperc/instance.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_CHUNK = 1 << 28 };

typedef struct {
  int pipe;
  hid_t file, set, type; /* the open dataset and its type in memory */
  uint64_t size;         /* of the file */
  hsize_t dims[2];
  hsize_t chunk[2]; /* whole chunks that are read together */
  hsize_t block[2]; /* of one message: at most a chunk */
  size_t cache;     /* bytes of one chunk of the file; 0 without chunks */
  unsigned char bytes[BPERC_I_WIRE_BLOCK];
} sender;

static void put(const sender *s, const void *data, size_t size) {
  bperc_i_child_put(s->pipe, data, size);
}

static _Noreturn void fail(const sender *s, const char *set, const char *what) {
  bperc_i_wire message = {.kind = BPERC_I_WIRE_FAILED};
  snprintf(message.text, sizeof message.text, "%s%s", set, what);
  put(s, &message, sizeof message);
  _exit(0);
}

/* The type to read into: a byte that clips what does not fit, so that a wrong
 * value cannot turn into a good one. Booleans are bytes with names. */
static hid_t byte_type(hid_t set) {
  hid_t type = H5Dget_type(set);
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  if (class == H5T_INTEGER)
    return H5Tget_sign(type) == H5T_SGN_NONE ? H5T_NATIVE_UINT8
                                             : H5T_NATIVE_INT8;
  return class == H5T_ENUM && H5Tget_size(type) == 1 ? type : H5I_INVALID_HID;
}

static int get_dims(hid_t set, int rank, hsize_t *dims) {
  hid_t space = H5Dget_space(set);
  return space >= 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
         H5Sget_simple_extent_ndims(space) == rank &&
         H5Sget_simple_extent_dims(space, dims, NULL) == rank;
}

static void open_set(sender *s, const char *set, int rank, hsize_t *dims) {
  H5O_info_t info;
  if (H5Lexists(s->file, set, H5P_DEFAULT) <= 0)
    fail(s, set, " is missing");
  if (H5Oget_info_by_name(s->file, set, &info, H5P_DEFAULT) < 0 ||
      info.type != H5O_TYPE_DATASET)
    fail(s, set, " is not a dataset");
  s->set = H5Dopen2(s->file, set, H5P_DEFAULT);
  if (s->set < 0)
    fail(s, set, " cannot be opened: the file is damaged");
  if (!get_dims(s->set, rank, dims))
    fail(s, set,
         rank == 2 ? " must have two dimensions, M x N"
                   : " must have one dimension, M");
  s->type = byte_type(s->set);
  if (s->type < 0)
    fail(s, set, " must hold whole numbers (uint8 or int8)");
}

/* An attribute of the file, or else of /patterns; invalid when there is none.
 */
static hid_t open_attribute(const sender *s, const char *name) {
  hid_t holder = H5Aexists(s->file, name) > 0 ? s->file : s->set;
  return H5Aexists(holder, name) > 0 ? H5Aopen(holder, name, H5P_DEFAULT)
                                     : H5I_INVALID_HID;
}

static int is_scalar(hid_t attribute) {
  hid_t space = H5Aget_space(attribute);
  return space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
}

/* One number; false when there is no such attribute. */
static int read_number(const sender *s, const char *name, double *out) {
  hid_t attribute = open_attribute(s, name), type;
  H5T_class_t class;
  char what[80];
  if (attribute < 0)
    return 0;
  type = H5Aget_type(attribute);
  class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  snprintf(what, sizeof what, "the attribute %s must be one number", name);
  if ((class != H5T_INTEGER && class != H5T_FLOAT) || !is_scalar(attribute) ||
      H5Aread(attribute, H5T_NATIVE_DOUBLE, out) < 0)
    fail(s, "", what);
  return 1;
}

/* A short text of fixed or variable length. */
static int read_word(hid_t attribute, char *word, size_t room) {
  hid_t type = H5Aget_type(attribute);
  size_t size;
  char *text = NULL;
  if (type < 0 || H5Tget_class(type) != H5T_STRING || !is_scalar(attribute))
    return 0;
  if (H5Tis_variable_str(type) > 0) {
    if (H5Aread(attribute, type, &text) < 0 || !text)
      return 0;
    snprintf(word, room, "%s", text);
    return 1;
  }
  size = H5Tget_size(type);
  if (size == 0 || size >= room || H5Aread(attribute, type, word) < 0)
    return 0;
  word[size] = 0;
  return 1;
}

static void read_model(const sender *s, bperc_i_wire *m) {
  hid_t weights = open_attribute(s, "weights");
  char word[16] = "01";
  int direct = read_number(s, "threshold", &m->threshold);
  int has_a = read_number(s, "A", &m->a);
  if (!has_a && !direct)
    fail(s, "", "the attribute A is missing");
  if (direct && has_a && m->a != 0)
    fail(s, "", "with an attribute threshold the attribute A must be 0");
  if (!direct && m->a == 0)
    fail(s, "", "the attribute A must be positive with N/A below 1e15");
  read_number(s, "kappa", &m->kappa);
  if (weights >= 0 && !read_word(weights, word, sizeof word))
    word[0] = 0;
  m->pm = strcmp(word, "pm") == 0;
  if (!m->pm && strcmp(word, "01") != 0)
    fail(s, "", "the attribute weights must be the text 01 or pm");
}

/* Small chunks are read many at a time. */
static void join_chunks(sender *s) {
  for (int k = 1; k >= 0; k--) {
    hsize_t times = BPERC_I_WIRE_BLOCK / (s->chunk[0] * s->chunk[1]);
    hsize_t most = (s->dims[k] + s->chunk[k] - 1) / s->chunk[k];
    if (times > 1 && most > 1)
      s->chunk[k] *= times < most ? times : most;
  }
}

/* The chunks of /patterns, and that the file can hold what it promises: data
 * that is not packed takes its full size. */
static void look_at_layout(sender *s) {
  hid_t plist = H5Dget_create_plist(s->set);
  H5D_layout_t layout = plist < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(plist);
  hsize_t stored = H5Dget_storage_size(s->set);
  int good = layout == H5D_CONTIGUOUS || layout == H5D_COMPACT;
  memcpy(s->chunk, s->dims, sizeof s->chunk);
  if (layout == H5D_CHUNKED)
    good = H5Pget_chunk(plist, 2, s->chunk) == 2 && s->chunk[0] && s->chunk[1];
  if (!good)
    fail(s, "patterns", " has a layout that cannot be read");
  if (stored == 0 || stored > s->size)
    fail(s, "patterns", " is not all there: the file is truncated");
  if (layout != H5D_CHUNKED)
    return;
  if (s->chunk[0] > LARGEST_CHUNK / s->chunk[1])
    fail(s, "patterns", " has chunks of more than 256 MiB");
  s->cache = (size_t)(s->chunk[0] * s->chunk[1]);
  join_chunks(s);
}

/* A chunk larger than the cache of the library would be unpacked for each of
 * its blocks: reopen the dataset with a cache that holds one. */
static void fit_cache(sender *s) {
  hid_t access;
  if (s->cache <= BPERC_I_WIRE_BLOCK)
    return;
  access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, 3, s->cache, 1);
  H5Dclose(s->set);
  s->set = H5Dopen2(s->file, "patterns", access);
  if (s->set < 0)
    fail(s, "patterns", " cannot be opened: the file is damaged");
}

/* One message with a rectangle of a dataset. */
static void send_block(sender *s, const char *set, int rank,
                       bperc_i_wire message) {
  hsize_t start[2] = {message.start[0], message.start[1]};
  hsize_t count[2] = {message.count[0], message.count[1]};
  hid_t disk = H5Dget_space(s->set);
  hid_t memory = H5Screate_simple(rank, count, NULL);
  if (H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
      H5Dread(s->set, s->type, memory, disk, H5P_DEFAULT, s->bytes) < 0)
    fail(s, set, " cannot be read: the file is damaged");
  H5Sclose(disk);
  H5Sclose(memory);
  put(s, &message, sizeof message);
  put(s, s->bytes, (size_t)(count[0] * (rank == 2 ? count[1] : 1)));
  bperc_i_child_expect_progress();
}

static hsize_t least(hsize_t a, hsize_t b) { return a < b ? a : b; }

/* One chunk, block by block. */
static void send_chunk(sender *s, const hsize_t *from) {
  bperc_i_wire m = {.kind = BPERC_I_WIRE_PATTERNS};
  hsize_t end[2] = {least(s->dims[0], from[0] + s->chunk[0]),
                    least(s->dims[1], from[1] + s->chunk[1])};
  for (m.start[0] = from[0]; m.start[0] < end[0]; m.start[0] += s->block[0])
    for (m.start[1] = from[1]; m.start[1] < end[1]; m.start[1] += s->block[1]) {
      m.count[0] = least(s->block[0], end[0] - m.start[0]);
      m.count[1] = least(s->block[1], end[1] - m.start[1]);
      send_block(s, "patterns", 2, m);
    }
}

static void send_patterns(sender *s) {
  hsize_t at[2];
  look_at_layout(s);
  fit_cache(s);
  s->block[1] = least(s->chunk[1], BPERC_I_WIRE_BLOCK);
  s->block[0] = least(s->chunk[0], BPERC_I_WIRE_BLOCK / s->block[1]);
  for (at[0] = 0; at[0] < s->dims[0]; at[0] += s->chunk[0])
    for (at[1] = 0; at[1] < s->dims[1]; at[1] += s->chunk[1])
      send_chunk(s, at);
}

static void send_labels(sender *s) {
  bperc_i_wire m = {.kind = BPERC_I_WIRE_LABELS};
  hsize_t count = 0;
  open_set(s, "labels", 1, &count);
  if (count != s->dims[0])
    fail(s, "labels", " must have one value for each of the patterns");
  for (; m.start[0] < count; m.start[0] += m.count[0]) {
    m.count[0] = least(BPERC_I_WIRE_BLOCK, count - m.start[0]);
    send_block(s, "labels", 1, m);
  }
}

static void send_shape(sender *s) {
  bperc_i_wire m = {.kind = BPERC_I_WIRE_SHAPE};
  open_set(s, "patterns", 2, s->dims);
  if (s->dims[1] < 1 || s->dims[1] > BPERC_MOST_WEIGHTS ||
      s->dims[0] > BPERC_MOST_PATTERNS)
    fail(s, "patterns", " must be M x N, N from 1, both to 2^32");
  m.count[0] = s->dims[0];
  m.count[1] = s->dims[1];
  m.is_signed = s->type == H5T_NATIVE_INT8;
  read_model(s, &m);
  put(s, &m, sizeof m);
}

void bperc_i_hdf5_send(const char *file, int pipe) {
  static sender s; /* the process has one thread and one file */
  bperc_i_wire end = {.kind = BPERC_I_WIRE_END};
  struct stat info;
  bperc_i_child_be_silent();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  bperc_i_child_expect_progress();
  s.pipe = pipe;
  s.size = stat(file, &info) == 0 ? (uint64_t)info.st_size : 0;
  s.file = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (s.file < 0)
    fail(&s, "", "the HDF5 file is damaged or truncated");
  send_shape(&s);
  if (s.dims[0])
    send_patterns(&s);
  send_labels(&s);
  put(&s, &end, sizeof end);
  _exit(0);
}
