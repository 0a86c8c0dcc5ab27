/* The loop of the program bperc-hdf5: serve.h. */
#include "io/hdf5_program/serve.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST_SECONDS = 5 }; /* CPU time of one piece of work */

void bperc_i_serve_put(const bperc_i_server *s, const void *data, size_t size) {
  const char *from = data;
  while (size) {
    ssize_t done = send(s->socket, from, size, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      _exit(1);
    from += done;
    size -= (size_t)done;
  }
}

/* All of it; the end of the messages is the end of the process. */
static void get_message(const bperc_i_server *s, void *data, size_t size) {
  char *to = data;
  while (size) {
    ssize_t got = recv(s->socket, to, size, MSG_WAITALL);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      _exit(0);
    to += got;
    size -= (size_t)got;
  }
}

void bperc_i_serve_answer(const bperc_i_server *s, bperc_i_h5_message *m,
                          const void *data, size_t size) {
  m->size = size;
  bperc_i_serve_put(s, m, sizeof *m);
  bperc_i_serve_put(s, data, size);
}

static void send_failure(bperc_i_server *s, uint32_t type, const char *text) {
  bperc_i_h5_message m = {.kind = BPERC_I_H5_FAILED, .type = type};
  size_t size = strlen(text);
  if (s->failed)
    return;
  s->failed = true;
  bperc_i_serve_answer(s, &m, text,
                       size < BPERC_I_H5_TEXT ? size : BPERC_I_H5_TEXT - 1);
}

void bperc_i_serve_fail(bperc_i_server *s, const char *text) {
  send_failure(s, 0, text);
}

void bperc_i_serve_fail_system(bperc_i_server *s, const char *text) {
  send_failure(s, 1, text);
}

void bperc_i_serve_expect_progress(void) {
  const struct itimerval most = {.it_value = {.tv_sec = MOST_SECONDS}};
  setitimer(ITIMER_PROF, &most, NULL);
}

hid_t bperc_i_serve_type(uint32_t type) {
  switch (type) {
  case BPERC_I_H5_I8:
    return H5T_NATIVE_INT8;
  case BPERC_I_H5_U32:
    return H5T_NATIVE_UINT32;
  case BPERC_I_H5_I32:
    return H5T_NATIVE_INT32;
  case BPERC_I_H5_U64:
    return H5T_NATIVE_UINT64;
  case BPERC_I_H5_I64:
    return H5T_NATIVE_INT64;
  case BPERC_I_H5_F32:
    return H5T_NATIVE_FLOAT;
  case BPERC_I_H5_F64:
    return H5T_NATIVE_DOUBLE;
  default:
    return H5T_NATIVE_UINT8;
  }
}

static void handle(bperc_i_server *s, const bperc_i_h5_message *m) {
  switch (m->kind) {
  case BPERC_I_H5_LOOK:
    bperc_i_serve_look(s, m);
    break;
  case BPERC_I_H5_ASK:
    bperc_i_serve_ask(s, m);
    break;
  case BPERC_I_H5_READ:
    bperc_i_serve_read(s, m);
    break;
  case BPERC_I_H5_GROUP:
    bperc_i_serve_group(s, m);
    break;
  case BPERC_I_H5_VALUE:
    bperc_i_serve_value(s, m);
    break;
  case BPERC_I_H5_WORDS:
    bperc_i_serve_words(s, m);
    break;
  case BPERC_I_H5_SET:
    bperc_i_serve_set_new(s, m);
    break;
  case BPERC_I_H5_ROWS:
    bperc_i_serve_rows(s, m);
    break;
  case BPERC_I_H5_CLOSE:
    bperc_i_serve_close(s);
    break;
  default:
    _exit(1);
  }
}

/* The first message opens or creates the file, and gives the version. */
static void begin_serving(bperc_i_server *s, const bperc_i_h5_message *m) {
  s->bytes[m->size] = 0;
  if (m->type != BPERC_I_H5_VERSION)
    bperc_i_serve_fail_system(s,
                              "the program bperc-hdf5 is of another version");
  else if (m->kind == BPERC_I_H5_OPEN)
    bperc_i_serve_open(s);
  else
    bperc_i_serve_create(s);
}

void bperc_i_serve(int socket) {
  static bperc_i_server s; /* the process has one thread and one file */
  s.socket = socket;
  s.file = H5I_INVALID_HID;
  s.failed = false;
  s.count = 0;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (int first = 1;; first = 0) {
    bperc_i_h5_message m;
    get_message(&s, &m, sizeof m);
    m.name[sizeof m.name - 1] = m.at[sizeof m.at - 1] = 0;
    if (m.size > sizeof s.bytes - (size_t)first)
      _exit(1);
    get_message(&s, s.bytes, m.size);
    if (first)
      begin_serving(&s, &m);
    else if (!s.failed)
      handle(&s, &m);
  }
}
