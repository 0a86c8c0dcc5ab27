/* bperc-hdf5, reading: what a dataset is, attributes, all values of a dataset.
 *
 * Values go in blocks of a bounded size, chunk by chunk where the file has
 * chunks, so that no chunk is unpacked twice. */
#include "io/hdf5_program/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_CHUNK = 1 << 28 };
/* Memory that opening any file needs. */
enum { MODEST = 8 << 20 };

/* ---- opening */

/* A regular file that can be opened; its size. */
static bool check_file(bperc_i_server *s) {
  struct stat info;
  int file = open(s->bytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC), reason = errno;
  bool regular = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  char text[BPERC_I_H5_TEXT];
  if (file >= 0)
    close(file);
  if (regular) {
    s->file_size = (uint64_t)info.st_size;
    return true;
  }
  snprintf(text, sizeof text, "the HDF5 file cannot be opened: %s",
           file >= 0 ? "it is no regular file" : strerror(reason));
  if (file < 0 && (reason == EMFILE || reason == ENFILE || reason == ENOMEM))
    bperc_i_serve_fail_system(s, text);
  else
    bperc_i_serve_fail(s, text);
  return false;
}

/* Whether the host's own limit on memory, and not that of this program, may be
 * why something failed. */
static bool lacks_memory(void) {
  void *block = mmap(NULL, MODEST, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block != MAP_FAILED)
    munmap(block, MODEST);
  return block == MAP_FAILED;
}

/* An HDF5 file can name others: external storage, external and virtual links,
 * filters to load. No descriptor is left for them, nor for a FIFO to wait on.
 */
static bool open_nothing_more(void) {
  int next = dup(STDIN_FILENO);
  struct rlimit none = {(rlim_t)next, (rlim_t)next};
  if (next < 0)
    return errno == EMFILE;
  close(next);
  return setrlimit(RLIMIT_NOFILE, &none) == 0;
}

void bperc_i_serve_open(bperc_i_server *s) {
  bperc_i_h5_message done = {.kind = BPERC_I_H5_DONE};
  bperc_i_serve_expect_progress();
  if (!check_file(s))
    return;
  s->file = H5Fopen(s->bytes, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (s->file < 0 && lacks_memory())
    bperc_i_serve_fail_system(s, "no memory for the HDF5 library");
  else if (s->file < 0)
    bperc_i_serve_fail(s, "the HDF5 file is damaged or truncated");
  else if (!open_nothing_more())
    bperc_i_serve_fail_system(s, "the HDF5 file cannot be read safely");
  else
    bperc_i_serve_answer(s, &done, NULL, 0);
}

/* ---- what a dataset is */

/* Dimensions of at most rank 2; the rank, -1 when it has none. */
static int get_dims(hid_t set, hsize_t *dims) {
  hid_t space = H5Dget_space(set);
  int rank = space < 0 || H5Sget_simple_extent_type(space) != H5S_SIMPLE
                 ? -1
                 : H5Sget_simple_extent_ndims(space);
  dims[0] = 0;
  dims[1] = 1;
  if (rank >= 1 && rank <= 2 &&
      H5Sget_simple_extent_dims(space, dims, NULL) != rank)
    rank = -1;
  if (space >= 0)
    H5Sclose(space);
  return rank;
}

/* Whole numbers; booleans are bytes with names. */
static void look_at_type(hid_t set, bperc_i_h5_info *info) {
  hid_t type = H5Dget_type(set);
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  info->bytes = type < 0 ? 0 : (uint32_t)H5Tget_size(type);
  info->whole = class == H5T_INTEGER || (class == H5T_ENUM && info->bytes == 1);
  info->is_signed = class == H5T_INTEGER && H5Tget_sign(type) != H5T_SGN_NONE;
}

/* The chunks; without any, the whole dataset. false: an unknown layout. */
static bool get_chunk(hid_t set, int rank, const hsize_t *dims, hsize_t *chunk,
                      bool *chunked) {
  hid_t plist = H5Dget_create_plist(set);
  H5D_layout_t layout = plist < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(plist);
  memcpy(chunk, dims, 2 * sizeof *chunk);
  *chunked = layout == H5D_CHUNKED;
  if (!*chunked)
    return layout == H5D_CONTIGUOUS || layout == H5D_COMPACT;
  chunk[1] = 1;
  return H5Pget_chunk(plist, rank, chunk) == rank && chunk[0] && chunk[1] &&
         chunk[0] <= LARGEST_CHUNK / chunk[1];
}

static bool leads_out(const bperc_i_server *s, const char *name) {
  H5L_info_t link;
  return H5Lget_info(s->file, name, &link, H5P_DEFAULT) >= 0 &&
         link.type == H5L_TYPE_EXTERNAL;
}

/* Values in files beside this one. */
static bool stored_elsewhere(hid_t set) {
  hid_t plist = H5Dget_create_plist(set);
  bool outside = plist >= 0 && (H5Pget_layout(plist) == H5D_VIRTUAL ||
                                H5Pget_external_count(plist) > 0);
  if (plist >= 0)
    H5Pclose(plist);
  return outside;
}

void bperc_i_serve_look(bperc_i_server *s, const bperc_i_h5_message *m) {
  bperc_i_h5_message done = {.kind = BPERC_I_H5_DONE};
  bperc_i_h5_info info = {.state = BPERC_I_H5_MISSING,
                          .file_size = s->file_size};
  H5O_info_t object;
  hid_t set = H5I_INVALID_HID;
  hsize_t dims[2], chunk[2];
  bool chunked;
  int rank;
  bperc_i_serve_expect_progress();
  if (H5Lexists(s->file, m->name, H5P_DEFAULT) > 0) {
    info.state =
        leads_out(s, m->name) ? BPERC_I_H5_ELSEWHERE : BPERC_I_H5_NO_SET;
    if (info.state == BPERC_I_H5_NO_SET &&
        H5Oget_info_by_name(s->file, m->name, &object, H5P_DEFAULT) >= 0 &&
        object.type == H5O_TYPE_DATASET) {
      set = H5Dopen2(s->file, m->name, H5P_DEFAULT);
      info.state = set < 0                 ? BPERC_I_H5_BROKEN
                   : stored_elsewhere(set) ? BPERC_I_H5_ELSEWHERE
                                           : BPERC_I_H5_GOOD;
    }
  }
  if (set >= 0) {
    rank = get_dims(set, dims);
    info.rank = rank < 0 ? 0 : (uint32_t)rank;
    info.dims[0] = dims[0];
    info.dims[1] = dims[1];
    look_at_type(set, &info);
    info.readable =
        rank >= 1 && rank <= 2 && get_chunk(set, rank, dims, chunk, &chunked);
    info.stored = H5Dget_storage_size(set);
    H5Dclose(set);
  }
  bperc_i_serve_answer(s, &done, &info, sizeof info);
}

/* ---- attributes */

static bool is_scalar(hid_t attribute) {
  hid_t space = H5Aget_space(attribute);
  return space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
}

/* A short text of fixed or variable length. */
static bool read_attribute_word(hid_t attribute, hid_t type, char *word,
                                size_t room) {
  size_t size;
  char *text = NULL;
  if (H5Tis_variable_str(type) > 0) {
    if (H5Aread(attribute, type, &text) < 0 || !text)
      return false;
    bool fits = (size_t)snprintf(word, room, "%s", text) < room;
    H5free_memory(text);
    return fits;
  }
  size = H5Tget_size(type);
  if (size == 0 || size >= room || H5Aread(attribute, type, word) < 0)
    return false;
  word[size] = 0;
  return true;
}

static void read_attribute(hid_t attribute, bperc_i_h5_attribute *out) {
  hid_t type = H5Aget_type(attribute);
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  out->kind = BPERC_I_H5_OTHER;
  if (!is_scalar(attribute))
    return;
  if (class == H5T_STRING &&
      read_attribute_word(attribute, type, out->text, sizeof out->text))
    out->kind = BPERC_I_H5_STRING;
  if ((class == H5T_INTEGER || class == H5T_FLOAT) &&
      H5Aread(attribute, H5T_NATIVE_DOUBLE, &out->real) >= 0 &&
      H5Aread(attribute, H5T_NATIVE_UINT64, &out->count) >= 0)
    out->kind = BPERC_I_H5_NUMBER;
}

void bperc_i_serve_ask(bperc_i_server *s, const bperc_i_h5_message *m) {
  bperc_i_h5_message done = {.kind = BPERC_I_H5_DONE};
  bperc_i_h5_attribute out = {.kind = BPERC_I_H5_ABSENT};
  hid_t holder = H5Oopen(s->file, m->at, H5P_DEFAULT), attribute;
  bperc_i_serve_expect_progress();
  if (holder >= 0 && H5Aexists(holder, m->name) > 0) {
    attribute = H5Aopen(holder, m->name, H5P_DEFAULT);
    out.kind = BPERC_I_H5_OTHER;
    if (attribute >= 0)
      read_attribute(attribute, &out);
  }
  bperc_i_serve_answer(s, &done, &out, sizeof out);
}

/* ---- values */

typedef struct {
  const char *name;
  hid_t set, type;
  int rank;
  size_t value; /* bytes of one in memory */
  hsize_t dims[2];
  hsize_t chunk[2]; /* whole chunks that are read together */
  hsize_t block[2]; /* of one message: at most a chunk */
} reading;

static hsize_t lesser_size(hsize_t a, hsize_t b) { return a < b ? a : b; }

/* Clipped, so that a wrong value cannot turn into a good one. */
static hid_t memory_type(hid_t set, uint32_t type) {
  hid_t disk = H5Dget_type(set);
  return disk >= 0 && H5Tget_class(disk) == H5T_ENUM ? disk
                                                     : bperc_i_serve_type(type);
}

/* Small chunks are read many at a time. */
static void join_chunks(reading *r, hsize_t values) {
  for (int k = 1; k >= 0; k--) {
    hsize_t times = values / (r->chunk[0] * r->chunk[1]);
    hsize_t most = (r->dims[k] + r->chunk[k] - 1) / r->chunk[k];
    if (times > 1 && most > 1)
      r->chunk[k] *= lesser_size(times, most);
  }
}

/* A chunk larger than the cache of the library would be unpacked for each of
 * its blocks: a cache that holds one. */
static hid_t open_with_cache(const bperc_i_server *s, const char *name,
                             size_t bytes) {
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  if (bytes > BPERC_I_H5_BLOCK)
    H5Pset_chunk_cache(access, 3, bytes, 1);
  return H5Dopen2(s->file, name, access);
}

static bool prepare_read(bperc_i_server *s, const bperc_i_h5_message *m,
                         reading *r) {
  hid_t set = H5Dopen2(s->file, m->name, H5P_DEFAULT), disk;
  hsize_t values = BPERC_I_H5_BLOCK / bperc_i_h5_bytes(m->type);
  bool chunked;
  r->name = m->name;
  r->value = bperc_i_h5_bytes(m->type);
  r->rank = set < 0 ? -1 : get_dims(set, r->dims);
  if (r->rank < 1 || r->rank > 2 ||
      !get_chunk(set, r->rank, r->dims, r->chunk, &chunked))
    return false;
  disk = H5Dget_type(set);
  r->set = chunked ? open_with_cache(s, m->name,
                                     (size_t)(r->chunk[0] * r->chunk[1]) *
                                         H5Tget_size(disk))
                   : set;
  r->type = r->set < 0 ? r->set : memory_type(r->set, m->type);
  if (r->type < 0 || H5Tget_size(r->type) != r->value)
    return false;
  if (chunked)
    join_chunks(r, values);
  r->block[1] = lesser_size(r->chunk[1], values);
  r->block[0] = r->block[1] ? lesser_size(r->chunk[0], values / r->block[1])
                            : r->chunk[0];
  return true;
}

/* One message with a rectangle; what the file does not hold is 0. */
static bool send_block(bperc_i_server *s, const reading *r,
                       bperc_i_h5_message *m) {
  hsize_t start[2] = {m->start[0], m->start[1]};
  hsize_t count[2] = {m->count[0], m->count[1]};
  size_t size = (size_t)(count[0] * count[1]) * r->value;
  hid_t disk = H5Dget_space(r->set);
  hid_t memory = H5Screate_simple(r->rank, count, NULL);
  memset(s->bytes, 0, size);
  bool good =
      H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count, NULL) >=
          0 &&
      H5Dread(r->set, r->type, memory, disk, H5P_DEFAULT, s->bytes) >= 0;
  H5Sclose(disk);
  H5Sclose(memory);
  if (good)
    bperc_i_serve_answer(s, m, s->bytes, size);
  bperc_i_serve_expect_progress();
  return good;
}

/* One chunk, block by block. */
static bool send_chunk(bperc_i_server *s, const reading *r,
                       const hsize_t *from) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_VALUES};
  hsize_t end[2] = {lesser_size(r->dims[0], from[0] + r->chunk[0]),
                    lesser_size(r->dims[1], from[1] + r->chunk[1])};
  bool good = true;
  for (m.start[0] = from[0]; m.start[0] < end[0]; m.start[0] += r->block[0])
    for (m.start[1] = from[1]; m.start[1] < end[1] && good;
         m.start[1] += r->block[1]) {
      m.count[0] = lesser_size(r->block[0], end[0] - m.start[0]);
      m.count[1] = lesser_size(r->block[1], end[1] - m.start[1]);
      good = send_block(s, r, &m);
    }
  return good;
}

void bperc_i_serve_read(bperc_i_server *s, const bperc_i_h5_message *m) {
  bperc_i_h5_message done = {.kind = BPERC_I_H5_DONE};
  reading r = {0};
  hsize_t at[2];
  bperc_i_serve_expect_progress();
  bool good = prepare_read(s, m, &r) && !stored_elsewhere(r.set);
  for (at[0] = 0; good && r.chunk[0] && at[0] < r.dims[0]; at[0] += r.chunk[0])
    for (at[1] = 0; good && r.chunk[1] && at[1] < r.dims[1];
         at[1] += r.chunk[1])
      good = send_chunk(s, &r, at);
  if (good) {
    bperc_i_serve_answer(s, &done, NULL, 0);
  } else {
    char text[BPERC_I_H5_TEXT];
    snprintf(text, sizeof text, "%s cannot be read: the file is damaged",
             m->name);
    bperc_i_serve_fail(s, text);
  }
}
