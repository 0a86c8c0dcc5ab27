/* Records: what a measurement measured, in memory and as bytes.
 *
 * Bytes: "BPR1", number of items (u32), then per item: length of the name
 * (u8), the name, 1 for a vector (u8), count (u32), values (u64 each, the bits
 * of the double). All little-endian.
 */
#include "bperc/lab/measure.h"

#include "lab/base/memory.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { NAME_MOST = 63 };

typedef struct {
  char name[NAME_MOST + 1];
  int is_vector;
  size_t count;
  double *values;
} item;

struct bperc_record {
  item *items;
  size_t count;
  bperc_status status;
};

bperc_status bperc_record_new(bperc_record **out) {
  *out = bperc_calloc(1, sizeof **out);
  return *out ? BPERC_OK : BPERC_E_MEMORY;
}

void bperc_record_free(bperc_record *r) {
  if (!r)
    return;
  for (size_t k = 0; k < r->count; k++)
    bperc_free(r->items[k].values);
  bperc_free(r->items);
  bperc_free(r);
}

static int good_name(const char *name, size_t length) {
  size_t slashes = 0;
  if (length == 0 || length > NAME_MOST || name[0] == '/' ||
      name[length - 1] == '/')
    return 0;
  for (size_t k = 0; k < length; k++) {
    slashes += name[k] == '/';
    if (!isalnum((unsigned char)name[k]) && name[k] != '_' && name[k] != '/')
      return 0;
  }
  return slashes <= 1;
}

static item *add_item(bperc_record *r, const char *name, size_t length,
                      size_t count) {
  item *items, *it;
  if (r->status != BPERC_OK)
    return NULL;
  r->status = BPERC_E_MEMORY;
  items = bperc_i_lab_grow(r->items, r->count, sizeof *items);
  if (!items)
    return NULL;
  r->items = items;
  it = &items[r->count];
  *it = (item){.count = count};
  it->values = bperc_alloc(count, sizeof(double));
  if (!it->values)
    return NULL;
  memcpy(it->name, name, length);
  r->count++;
  r->status = BPERC_OK;
  return it;
}

static void put_item(bperc_record *r, const char *name, const double *values,
                     size_t count, int is_vector) {
  item *it;
  assert(good_name(name, strlen(name)));
  it = add_item(r, name, strlen(name), count);
  if (!it)
    return;
  it->is_vector = is_vector;
  if (count)
    memcpy(it->values, values, count * sizeof *values);
}

void bperc_record_scalar(bperc_record *r, const char *name, double value) {
  put_item(r, name, &value, 1, 0);
}

void bperc_record_vector(bperc_record *r, const char *name,
                         const double *values, size_t count) {
  put_item(r, name, values, count, 1);
}

bperc_status bperc_record_status(const bperc_record *r) { return r->status; }
size_t bperc_record_count(const bperc_record *r) { return r->count; }

const char *bperc_record_name(const bperc_record *r, size_t k) {
  return r->items[k].name;
}

const double *bperc_record_values(const bperc_record *r, size_t k,
                                  size_t *count, int *is_vector) {
  *count = r->items[k].count;
  *is_vector = r->items[k].is_vector;
  return r->items[k].values;
}

/* ---- bytes */

typedef struct {
  unsigned char *bytes;
  size_t room, used;
} writer;

static void put_word(writer *w, uint64_t value, size_t bytes) {
  for (size_t k = 0; k < bytes; k++, w->used++)
    if (w->used < w->room)
      w->bytes[w->used] = (unsigned char)(value >> (8 * k));
}

size_t bperc_record_pack(const bperc_record *r, void *bytes, size_t room) {
  writer w = {bytes, room, 0};
  for (const char *p = "BPR1"; *p; p++)
    put_word(&w, (unsigned char)*p, 1);
  put_word(&w, r->count, 4);
  for (size_t k = 0; k < r->count; k++) {
    const item *it = &r->items[k];
    size_t length = strlen(it->name);
    put_word(&w, length, 1);
    for (size_t c = 0; c < length; c++)
      put_word(&w, (unsigned char)it->name[c], 1);
    put_word(&w, (uint64_t)it->is_vector, 1);
    put_word(&w, it->count, 4);
    for (size_t v = 0; v < it->count; v++) {
      uint64_t bits;
      memcpy(&bits, &it->values[v], sizeof bits);
      put_word(&w, bits, 8);
    }
  }
  return w.used;
}

typedef struct {
  const unsigned char *bytes;
  size_t size, used;
  int bad;
} reader;

static uint64_t get_word(reader *r, size_t bytes) {
  uint64_t value = 0;
  if (r->size - r->used < bytes) {
    r->bad = 1;
    return 0;
  }
  for (size_t k = 0; k < bytes; k++)
    value |= (uint64_t)r->bytes[r->used++] << (8 * k);
  return value;
}

static void get_item(reader *in, bperc_record *r) {
  size_t length = get_word(in, 1), count;
  const char *name = (const char *)in->bytes + in->used;
  uint64_t is_vector;
  item *it;
  if (in->bad || in->size - in->used < length || !good_name(name, length)) {
    in->bad = 1;
    return;
  }
  in->used += length;
  is_vector = get_word(in, 1);
  count = get_word(in, 4);
  in->bad |= is_vector > 1 || (!is_vector && count != 1) ||
             (in->size - in->used) / 8 < count;
  if (in->bad || !(it = add_item(r, name, length, count)))
    return;
  it->is_vector = (int)is_vector;
  for (size_t v = 0; v < count; v++) {
    uint64_t bits = get_word(in, 8);
    memcpy(&it->values[v], &bits, sizeof bits);
  }
}

bperc_status bperc_record_unpack(const void *bytes, size_t size,
                                 bperc_record **out) {
  reader in = {bytes, size, 0, 0};
  size_t count;
  bperc_status status = bperc_record_new(out);
  if (status != BPERC_OK)
    return status;
  in.bad = size < 8 || memcmp(bytes, "BPR1", 4) != 0;
  in.used = in.bad ? 0 : 4;
  count = in.bad ? 0 : get_word(&in, 4);
  for (size_t k = 0; k < count && !in.bad && (*out)->status == BPERC_OK; k++)
    get_item(&in, *out);
  status = (*out)->status;
  if (status == BPERC_OK && (in.bad || in.used != size))
    status = BPERC_E_FORMAT;
  if (status != BPERC_OK) {
    bperc_record_free(*out);
    *out = NULL;
  }
  return status;
}
