/* HDF5 instances, the parent's side: starts the child that reads the file,
 * and checks and packs what it sends. Nothing the child does - a crash, a
 * hang, wrong numbers - harms the parent. */
#include "model/formats.h"

#include "base/alloc.h"
#include "base/child.h"
#include "model/hdf5_wire.h"
#include "model/pack.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  bperc_error *error;
  bperc_i_child child;
  const bperc_read_options *options;
  bperc_instance *in;
  int is_signed;   /* bytes of patterns may be -1 */
  uint64_t values; /* patterns and labels received */
  unsigned char *bytes;
} receiver;

static bperc_status bad(const receiver *r, const char *what) {
  return bperc_error_set(r->error, BPERC_E_FORMAT, "%s: %s", r->name, what);
}

/* Exactly size bytes from the child. */
static bperc_status get(const receiver *r, void *data, size_t size) {
  bperc_status status = bperc_i_child_get(&r->child, data, size);
  if (status == BPERC_E_INTERRUPTED)
    return bperc_error_set(r->error, status, "interrupted");
  return status == BPERC_OK
             ? status
             : bad(r, "the HDF5 file is damaged: the HDF5 library fails on it");
}

static bperc_status take_shape(receiver *r, const bperc_i_wire *m) {
  size_t rows = (size_t)m->count[0], n = (size_t)m->count[1];
  bperc_model model = {.a = m->a,
                       .theta = m->threshold,
                       .kappa = m->kappa,
                       .weights = m->pm ? BPERC_WEIGHTS_PM : BPERC_WEIGHTS_01};
  bperc_status status;
  if (r->in || n < 1 || n > BPERC_MOST_WEIGHTS || rows > BPERC_MOST_PATTERNS)
    return bad(r, "the HDF5 file is damaged");
  if (m->a != 0 &&
      (!(m->a > 0) || !isfinite(m->a) || !((double)n / m->a < 1e15)))
    return bad(r, "the attribute A must be positive with N/A below 1e15");
  r->is_signed = m->is_signed != 0;
  status = bperc_i_read_agrees(r->name, n, r->options, r->error);
  if (status == BPERC_OK)
    status = bperc_i_read_new(r->name, n, rows, &model, r->options, &r->in,
                              r->error);
  return status;
}

/* Whether start .. start+count-1 lies within 0 .. most-1. */
static int inside(uint64_t start, uint64_t count, uint64_t most) {
  return count <= BPERC_I_WIRE_BLOCK && start <= most && count <= most - start;
}

/* Bytes -1, 0, 1 of one row; returns how many were good. */
static size_t pack_signs(const bperc_instance *in, size_t mu, size_t at,
                         const unsigned char *bytes, size_t count) {
  size_t k = 0;
  for (; k < count; k++) {
    size_t to = mu * in->words + (at + k) / 64;
    uint64_t one = (uint64_t)1 << ((at + k) % 64);
    if (bytes[k] > 1 && bytes[k] != 0xff)
      break;
    if (bytes[k] == 1)
      in->patterns[to] |= one;
    if (bytes[k])
      in->support[to] |= one;
  }
  return k;
}

/* A piece of row mu; the first -1 makes the instance a signed one. */
static bperc_status take_row(receiver *r, size_t mu, size_t at,
                             const unsigned char *bytes, size_t count) {
  bperc_instance *in = r->in;
  bperc_status status = BPERC_OK;
  size_t good = 0;
  if (!in->support)
    good = bperc_i_pack(bytes, count, 0, in->patterns + mu * in->words, at);
  if (!in->support && good < count && r->is_signed && bytes[good] == 0xff)
    status = bperc_i_read_signed(r->name, in, r->error);
  if (status == BPERC_OK && in->support)
    good += pack_signs(in, mu, at + good, bytes + good, count - good);
  if (status == BPERC_OK && good < count)
    return bperc_error_set(r->error, BPERC_E_FORMAT,
                           "%s: /patterns[%zu, %zu] is not %s", r->name, mu,
                           at + good, r->is_signed ? "-1, 0 or 1" : "0 or 1");
  return status;
}

static bperc_status take_patterns(receiver *r, const bperc_i_wire *m) {
  size_t rows = (size_t)m->count[0], columns = (size_t)m->count[1];
  bperc_status status;
  if (!r->in || !inside(m->start[0], m->count[0], r->in->m) ||
      !inside(m->start[1], m->count[1], r->in->n) ||
      rows * columns > BPERC_I_WIRE_BLOCK)
    return bad(r, "the HDF5 file is damaged");
  status = get(r, r->bytes, rows * columns);
  for (size_t k = 0; k < rows && status == BPERC_OK; k++)
    status = take_row(r, (size_t)m->start[0] + k, (size_t)m->start[1],
                      r->bytes + k * columns, columns);
  r->values += rows * columns;
  return status;
}

static bperc_status take_labels(receiver *r, const bperc_i_wire *m) {
  size_t at = (size_t)m->start[0], count = (size_t)m->count[0];
  bperc_status status;
  if (!r->in || !inside(m->start[0], m->count[0], r->in->m))
    return bad(r, "the HDF5 file is damaged");
  status = get(r, r->bytes, count);
  for (size_t k = 0; k < count && status == BPERC_OK; k++) {
    if (r->bytes[k] > 1)
      return bperc_error_set(r->error, BPERC_E_FORMAT,
                             "%s: /labels[%zu] is not 0 or 1", r->name, at + k);
    r->in->labels[at + k] = r->bytes[k];
  }
  r->values += count;
  return status;
}

static bperc_status take_all(receiver *r) {
  for (;;) {
    bperc_i_wire m;
    bperc_status status = get(r, &m, sizeof m);
    if (status == BPERC_OK)
      switch (m.kind) {
      case BPERC_I_WIRE_SHAPE:
        status = take_shape(r, &m);
        break;
      case BPERC_I_WIRE_PATTERNS:
        status = take_patterns(r, &m);
        break;
      case BPERC_I_WIRE_LABELS:
        status = take_labels(r, &m);
        break;
      case BPERC_I_WIRE_END:
        return r->in && r->values == (uint64_t)r->in->m * (r->in->n + 1)
                   ? BPERC_OK
                   : bad(r, "the HDF5 file is damaged");
      default:
        m.text[sizeof m.text - 1] = 0;
        status = bad(r, m.text);
      }
    if (status != BPERC_OK)
      return status;
  }
}

static void send(void *file, int pipe) { bperc_i_hdf5_send(file, pipe); }

bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  receiver r = {.name = name, .error = error, .options = options};
  bperc_status status;
  r.bytes = bperc_i_alloc(BPERC_I_WIRE_BLOCK, 1);
  if (!r.bytes)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", name);
  if (bperc_i_child_start(&r.child, send, (void *)file)) {
    status = take_all(&r);
    bperc_i_child_end(&r.child);
  } else {
    status = bperc_error_set(error, BPERC_E_IO, "%s: no process to read it: %s",
                             name, strerror(errno));
  }
  bperc_i_free(r.bytes);
  *out = r.in;
  return status;
}
