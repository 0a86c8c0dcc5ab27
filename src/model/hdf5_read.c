/* HDF5 instances, the parent's side: starts the child that reads the file,
 * and checks and packs what it sends. Nothing the child does - a crash, a
 * hang, wrong numbers - harms the parent. */
#include "model/formats.h"

#include "base/alloc.h"
#include "model/hdf5_wire.h"
#include "model/pack.h"

#include <errno.h>

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SILENCE = 60 /* seconds before a child counts as hanging */ };

typedef struct {
  const char *name;
  bperc_error *error;
  int pipe;
  const bperc_read_options *options;
  bperc_instance *in;
  uint64_t values; /* patterns and labels received */
  unsigned char *bytes;
} receiver;

static bperc_status bad(const receiver *r, const char *what) {
  return bperc_error_set(r->error, BPERC_E_FORMAT, "%s: %s", r->name, what);
}

/* Exactly size bytes from the child. */
static bperc_status get(const receiver *r, void *data, size_t size) {
  char *to = data;
  while (size) {
    struct pollfd ready = {.fd = r->pipe, .events = POLLIN};
    int count = poll(&ready, 1, SILENCE * 1000);
    ssize_t got;
    if (bperc_cancelled())
      return bperc_error_set(r->error, BPERC_E_INTERRUPTED, "interrupted");
    if (count < 0 && errno == EINTR)
      continue;
    got = count > 0 ? read(r->pipe, to, size) : 0;
    if (count <= 0 || got <= 0)
      return bad(r, "the HDF5 file is damaged: the HDF5 library fails on it");
    to += got;
    size -= (size_t)got;
  }
  return BPERC_OK;
}

static bperc_status take_shape(receiver *r, const bperc_i_wire *m) {
  size_t rows = (size_t)m->count[0], n = (size_t)m->count[1];
  bperc_status status;
  if (r->in || n < 1 || n > BPERC_MOST_WEIGHTS || rows > BPERC_MOST_PATTERNS)
    return bad(r, "the HDF5 file is damaged");
  if (!(m->a > 0) || !isfinite(m->a) || !((double)n / m->a < 1e15))
    return bad(r, "the attribute A must be positive with N/A below 1e15");
  status = bperc_i_read_agrees(r->name, n, m->a, r->options, r->error);
  if (status == BPERC_OK)
    status =
        bperc_i_read_new(r->name, n, rows, m->a, r->options, &r->in, r->error);
  return status;
}

/* Whether start .. start+count-1 lies within 0 .. most-1. */
static int inside(uint64_t start, uint64_t count, uint64_t most) {
  return count <= BPERC_I_WIRE_BLOCK && start <= most && count <= most - start;
}

static bperc_status take_patterns(receiver *r, const bperc_i_wire *m) {
  size_t rows = (size_t)m->count[0], columns = (size_t)m->count[1];
  bperc_status status;
  if (!r->in || !inside(m->start[0], m->count[0], r->in->m) ||
      !inside(m->start[1], m->count[1], r->in->n) ||
      rows * columns > BPERC_I_WIRE_BLOCK)
    return bad(r, "the HDF5 file is damaged");
  status = get(r, r->bytes, rows * columns);
  for (size_t k = 0; k < rows && status == BPERC_OK; k++) {
    size_t mu = (size_t)m->start[0] + k, at = (size_t)m->start[1];
    size_t good = bperc_i_pack(r->bytes + k * columns, columns, 0,
                               r->in->patterns + mu * r->in->words, at);
    if (good < columns)
      return bperc_error_set(r->error, BPERC_E_FORMAT,
                             "%s: /patterns[%zu, %zu] is not 0 or 1", r->name,
                             mu, at + good);
  }
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

static bperc_status system_failed(const receiver *r) {
  return bperc_error_set(r->error, BPERC_E_IO, "%s: no process to read it: %s",
                         r->name, strerror(errno));
}

/* Starts the child; *pid is its number. */
static bperc_status start(receiver *r, const char *file, pid_t *pid) {
  int ends[2];
  if (pipe(ends) != 0)
    return system_failed(r);

  *pid = fork();
  if (*pid == 0) {
    close(ends[0]);
    bperc_i_hdf5_send(file, ends[1]);
  }
  close(ends[1]);
  r->pipe = ends[0];
  if (*pid > 0)
    return BPERC_OK;
  close(ends[0]);
  return system_failed(r);
}

bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  receiver r = {.name = name, .error = error, .options = options};
  pid_t pid = -1;
  bperc_status status;
  r.bytes = bperc_i_alloc(BPERC_I_WIRE_BLOCK, 1);
  if (!r.bytes)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", name);
  status = start(&r, file, &pid);
  if (status == BPERC_OK) {
    status = take_all(&r);
    close(r.pipe);
    kill(pid, SIGKILL); /* done, useless or stuck: its work ends here */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  bperc_i_free(r.bytes);
  *out = r.in;
  return status;
}
