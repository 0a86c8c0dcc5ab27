/* HDF5 files by way of the program bperc-hdf5: file.h. */
#include "io/hdf5_file.h"

#include "base/alloc.h"
#include "io/helper.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct bperc_i_h5 {
  bperc_i_helper helper;
  int sets;
  bperc_status status; /* the first failure */
  bool unheard;        /* nobody has looked for an answer since a flush */
  size_t used;         /* of out: what is to be said */
  char out[BPERC_I_H5_BLOCK];
  char in[BPERC_I_H5_BLOCK];
};

/* ---- messages */

static void flush(bperc_i_h5 *f) {
  if (f->status == BPERC_OK && f->used)
    f->status = bperc_i_helper_put(&f->helper, f->out, f->used);
  f->used = 0;
  f->unheard = true;
}

/* Small pieces go together, large ones at once. */
static void put_bytes(bperc_i_h5 *f, const void *data, size_t size) {
  if (f->used + size > sizeof f->out)
    flush(f);
  if (size > sizeof f->out / 2) {
    flush(f);
    if (f->status == BPERC_OK)
      f->status = bperc_i_helper_put(&f->helper, data, size);
    return;
  }
  assert(f->used + size <= sizeof f->out);
  memcpy(f->out + f->used, data, size);
  f->used += size;
}

static void say(bperc_i_h5 *f, bperc_i_h5_message *m, const char *name,
                const void *data, size_t size) {
  snprintf(m->name, sizeof m->name, "%s", name);
  m->size = size;
  put_bytes(f, m, sizeof *m);
  if (size)
    put_bytes(f, data, size);
}

static void get_bytes(bperc_i_h5 *f, void *data, size_t size) {
  if (f->status == BPERC_OK)
    f->status = bperc_i_helper_get(&f->helper, data, size);
}

static bperc_status sentence(bperc_status status, bperc_error *error) {
  if (status == BPERC_E_INTERRUPTED)
    return bperc_error_set(error, status, "interrupted");
  if (status == BPERC_E_MEMORY)
    return bperc_error_set(error, status, "no memory");
  return bperc_error_set(error, status,
                         "the HDF5 file is damaged: the HDF5 library fails on "
                         "it");
}

/* The next answer, which is `m`; a failure becomes a sentence. */
static bperc_status answer(bperc_i_h5 *f, bperc_i_h5_message *m,
                           bperc_error *error) {
  flush(f);
  get_bytes(f, m, sizeof *m);
  if (f->status == BPERC_OK && m->kind == BPERC_I_H5_FAILED) {
    char text[BPERC_I_H5_TEXT] = "";
    if (m->size < sizeof text)
      get_bytes(f, text, m->size);
    if (f->status == BPERC_OK) {
      f->status = m->type == 1 ? BPERC_E_SYSTEM : BPERC_E_FORMAT;
      return bperc_error_set(error, f->status, "%s",
                             text[0] ? text : "the HDF5 file is damaged");
    }
  }
  return f->status == BPERC_OK ? BPERC_OK : sentence(f->status, error);
}

/* A request whose answer is DONE with exactly `size` bytes. */
static bperc_status request(bperc_i_h5 *f, bperc_i_h5_message *m,
                            const char *name, void *to, size_t size,
                            bperc_error *error) {
  bperc_status status;
  say(f, m, name, NULL, 0);
  status = answer(f, m, error);
  if (status != BPERC_OK)
    return status;
  if (m->kind != BPERC_I_H5_DONE || m->size != size)
    f->status = BPERC_E_FORMAT;
  get_bytes(f, to, size);
  return f->status == BPERC_OK ? BPERC_OK : sentence(f->status, error);
}

/* ---- life */

static bperc_status begin_exchange(bperc_i_h5_kind kind, const char *path,
                                   bperc_i_h5 **out, bperc_error *error) {
  bperc_i_h5_message m = {.kind = kind, .type = BPERC_I_H5_VERSION};
  bperc_i_h5 *f = bperc_i_alloc(1, sizeof *f);
  bperc_status status;
  *out = NULL;
  if (!f)
    return sentence(BPERC_E_MEMORY, error);
  f->sets = 0;
  f->used = 0;
  f->status = BPERC_OK;
  f->unheard = false;
  f->helper = (bperc_i_helper){.to_the_end = kind == BPERC_I_H5_CREATE};
  status = bperc_i_helper_start(&f->helper, error);
  if (status != BPERC_OK) {
    bperc_i_free(f);
    return status;
  }
  say(f, &m, "", path, strlen(path));
  *out = f;
  return BPERC_OK;
}

void bperc_i_h5_free(bperc_i_h5 *f) {
  if (f)
    bperc_i_helper_end(&f->helper);
  bperc_i_free(f);
}

/* ---- reading */

/* A program that ends without a word before it has looked at the file is not
 * ours, or lacks what it needs to start. */
static bperc_status first_answer(bperc_i_h5 *f, bperc_i_h5_message *m,
                                 bperc_error *error) {
  bperc_status status;
  bool told;
  m->kind = BPERC_I_H5_OPEN;
  status = answer(f, m, error);
  told = m->kind != BPERC_I_H5_OPEN;
  if (status == BPERC_E_FORMAT && !told &&
      !bperc_i_helper_has_crashed(&f->helper))
    return bperc_error_set(error, f->status = BPERC_E_SYSTEM,
                           "the program bperc-hdf5 does not start (memory or "
                           "descriptors lacking?), or is another program");
  return status;
}

bperc_status bperc_i_h5_open(const char *path, bperc_i_h5 **out,
                             bperc_error *error) {
  bperc_i_h5_message m;
  char standard[32];
  bperc_status status;
  /* for the program, whose own input is something else */
  snprintf(standard, sizeof standard, "/proc/%ld/fd/0", (long)getpid());
  status = begin_exchange(BPERC_I_H5_OPEN,
                          strcmp(path, "-") == 0 ? standard : path, out, error);
  if (status == BPERC_OK)
    status = first_answer(*out, &m, error);
  if (status == BPERC_OK)
    return BPERC_OK;
  bperc_i_h5_free(*out);
  *out = NULL;
  return status;
}

bperc_status bperc_i_h5_look(bperc_i_h5 *f, const char *name,
                             bperc_i_h5_info *info, bperc_error *error) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_LOOK};
  return request(f, &m, name, info, sizeof *info, error);
}

bperc_status bperc_i_h5_ask(bperc_i_h5 *f, const char *at, const char *name,
                            bperc_i_h5_attribute *out, bperc_error *error) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_ASK};
  bperc_status status;
  snprintf(m.at, sizeof m.at, "%s", at);
  status = request(f, &m, name, out, sizeof *out, error);
  out->text[sizeof out->text - 1] = 0;
  return status;
}

/* Whether start .. start + count - 1 lies within 0 .. most - 1. */
static bool inside(uint64_t start, uint64_t count, uint64_t most) {
  return count && start <= most && count <= most - start;
}

/* One rectangle: within the dataset, not larger than a block. */
static bperc_status take_values(bperc_i_h5 *f, const bperc_i_h5_message *m,
                                const bperc_i_h5_info *info, uint64_t bytes,
                                bperc_i_h5_taker *take, void *context,
                                uint64_t *left, bperc_error *error) {
  uint64_t columns = info->rank == 2 ? info->dims[1] : 1;
  if (m->kind != BPERC_I_H5_VALUES ||
      !inside(m->start[0], m->count[0], info->dims[0]) ||
      !inside(m->start[1], m->count[1], columns) ||
      m->count[0] > BPERC_I_H5_BLOCK || m->count[1] > BPERC_I_H5_BLOCK ||
      m->count[0] * m->count[1] > BPERC_I_H5_BLOCK / bytes ||
      m->size != m->count[0] * m->count[1] * bytes ||
      m->count[0] * m->count[1] > *left)
    f->status = BPERC_E_FORMAT;
  get_bytes(f, f->in, m->size);
  if (f->status != BPERC_OK)
    return sentence(f->status, error);
  *left -= m->count[0] * m->count[1];
  return take(context, m->start, m->count, f->in, error);
}

bperc_status bperc_i_h5_read(bperc_i_h5 *f, const char *name,
                             const bperc_i_h5_info *info, bperc_i_h5_type type,
                             bperc_i_h5_taker *take, void *context,
                             bperc_error *error) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_READ, .type = type};
  uint64_t bytes = bperc_i_h5_bytes(type);
  uint64_t left = info->dims[0] * (info->rank == 2 ? info->dims[1] : 1);
  bperc_status status;
  assert(info->rank == 1 || info->rank == 2);
  say(f, &m, name, NULL, 0);
  for (;;) {
    status = answer(f, &m, error);
    if (status != BPERC_OK)
      return status;
    if (m.kind == BPERC_I_H5_DONE)
      return left == 0 ? BPERC_OK : sentence(BPERC_E_FORMAT, error);
    status = take_values(f, &m, info, bytes, take, context, &left, error);
    if (status != BPERC_OK)
      return status;
  }
}

/* ---- writing */

bperc_status bperc_i_h5_create(const char *path, bperc_i_h5 **out,
                               bperc_error *error) {
  return begin_exchange(BPERC_I_H5_CREATE, path, out, error);
}

void bperc_i_h5_group(bperc_i_h5 *f, const char *name) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_GROUP};
  say(f, &m, name, NULL, 0);
}

void bperc_i_h5_value(bperc_i_h5 *f, const char *at, const char *name,
                      bperc_i_h5_type type, const void *value) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_VALUE, .type = type};
  snprintf(m.at, sizeof m.at, "%s", at);
  say(f, &m, name, value, bperc_i_h5_bytes(type));
}

void bperc_i_h5_words(bperc_i_h5 *f, const char *at, const char *name,
                      const char *text, size_t room) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_WORDS, .count = {room}};
  size_t size = strlen(text);
  snprintf(m.at, sizeof m.at, "%s", at);
  say(f, &m, name, text, size < BPERC_I_H5_TEXT ? size : BPERC_I_H5_TEXT - 1);
}

int bperc_i_h5_set(bperc_i_h5 *f, const char *name, bperc_i_h5_type type,
                   unsigned rank, uint64_t rows, uint64_t columns,
                   unsigned flags) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_SET,
                          .type = type,
                          .rank = rank,
                          .flags = flags,
                          .count = {rows, columns}};
  say(f, &m, name, NULL, 0);
  return f->sets++;
}

void bperc_i_h5_rows(bperc_i_h5 *f, int set, const void *values, size_t bytes) {
  const char *from = values;
  assert(set >= 0 && set < f->sets);
  while (bytes && f->status == BPERC_OK) {
    bperc_i_h5_message m = {.kind = BPERC_I_H5_ROWS, .start = {(uint64_t)set}};
    size_t part = bytes < BPERC_I_H5_BLOCK ? bytes : BPERC_I_H5_BLOCK;
    say(f, &m, "", from, part);
    from += part;
    bytes -= part;
  }
}

void bperc_i_h5_vector(bperc_i_h5 *f, const char *name, bperc_i_h5_type type,
                       uint64_t count, const void *values) {
  int set = bperc_i_h5_set(f, name, type, 1, count, 0, 0);
  bperc_i_h5_rows(f, set, values, count * bperc_i_h5_bytes(type));
}

bool bperc_i_h5_failed(bperc_i_h5 *f) {
  bool look = f->unheard;
  f->unheard = false;
  return f->status != BPERC_OK || (look && bperc_i_helper_has_news(&f->helper));
}

bperc_status bperc_i_h5_close(bperc_i_h5 *f, bperc_error *error) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_CLOSE};
  bperc_error inner = {BPERC_OK, ""};
  bperc_status status;
  say(f, &m, "", NULL, 0);
  status = answer(f, &m, &inner);
  bperc_i_h5_free(f);
  if (status == BPERC_OK || status == BPERC_E_INTERRUPTED)
    return status == BPERC_OK ? status : sentence(status, error);
  return bperc_error_set(error, BPERC_E_IO, "cannot be written%s%s",
                         m.kind == BPERC_I_H5_FAILED ? ": " : "",
                         m.kind == BPERC_I_H5_FAILED ? inner.text : "");
}
