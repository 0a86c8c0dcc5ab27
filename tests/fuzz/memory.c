/* Files in memory for fuzz targets. The linker replaces these functions of the
 * C library and of our own (-Wl,--wrap, meson.build): a path of ours is a
 * stream over the bytes of the input, all others are as before. */
#include "fuzz.h"

#include "base/alloc.h"
#include "base/cancel.h"
#include "bperc/io.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char plain_path[] = "fuzz-input", csv_path[] = "fuzz-input.csv",
                  claims_path[] = FUZZ_FOLDER "/claims";

/* The input, and how it behaves. */
static struct {
  const uint8_t *data;
  size_t size;
  bool is_pipe;
  long reads_left; /* until one fails; negative: none does */
} input = {NULL, 0, false, -1};

/* ---- streams: bytes that are read, or that grow while they are written */

typedef struct {
  const uint8_t *data;
  uint8_t *own; /* of a stream that is written */
  size_t size, room, at;
} stream;

static ssize_t stream_read(void *cookie, char *to, size_t count) {
  stream *s = cookie;
  size_t left = s->at < s->size ? s->size - s->at : 0;
  if (input.reads_left >= 0 && input.reads_left-- == 0) {
    errno = EIO;
    return -1;
  }
  if (count > left)
    count = left;
  if (count)
    memcpy(to, s->data + s->at, count);
  s->at += count;
  return (ssize_t)count;
}

static ssize_t stream_write(void *cookie, const char *from, size_t count) {
  stream *s = cookie;
  if (s->at + count > s->room) {
    s->room = 2 * (s->at + count);
    s->data = s->own = realloc(s->own, s->room);
    assert(s->own);
  }
  memcpy(s->own + s->at, from, count);
  s->at += count;
  if (s->at > s->size)
    s->size = s->at;
  return (ssize_t)count;
}

static int stream_seek(void *cookie, off64_t *to, int whence) {
  stream *s = cookie;
  off64_t from = whence == SEEK_SET   ? 0
                 : whence == SEEK_CUR ? (off64_t)s->at
                                      : (off64_t)s->size;
  if (from + *to < 0)
    return -1;
  *to += from;
  s->at = (size_t)*to;
  return 0;
}

static int stream_close(void *cookie) {
  stream *s = cookie;
  free(s->own);
  free(s);
  return 0;
}

static FILE *stream_open(const char *mode, const uint8_t *data, size_t size) {
  stream *s = calloc(1, sizeof *s);
  assert(s);
  s->data = data;
  s->size = size;
  FILE *file = fopencookie(s, mode,
                           (cookie_io_functions_t){stream_read, stream_write,
                                                   stream_seek, stream_close});
  assert(file);
  return file;
}

/* ---- instead of the C library's */

static bool is_ours(const char *path) {
  return strcmp(path, plain_path) == 0 || strcmp(path, csv_path) == 0 ||
         strcmp(path, claims_path) == 0;
}

static void describe(struct stat *info) {
  memset(info, 0, sizeof *info);
  info->st_mode = input.is_pipe ? S_IFIFO : S_IFREG;
  info->st_size = (off_t)input.size;
}

/* Streams in memory have no descriptor. */
#define WRAPPED(suffix)                                                        \
  FILE *__real_fopen##suffix(const char *path, const char *mode);              \
  FILE *__wrap_fopen##suffix(const char *path, const char *mode);              \
  FILE *__wrap_fopen##suffix(const char *path, const char *mode) {             \
    return is_ours(path) ? stream_open("r", input.data, input.size)            \
                         : __real_fopen##suffix(path, mode);                   \
  }                                                                            \
  int __real_fstat##suffix(int file, struct stat *info);                       \
  int __wrap_fstat##suffix(int file, struct stat *info);                       \
  int __wrap_fstat##suffix(int file, struct stat *info) {                      \
    return file < 0 ? (describe(info), 0) : __real_fstat##suffix(file, info);  \
  }                                                                            \
  int __real_stat##suffix(const char *path, struct stat *info);                \
  int __wrap_stat##suffix(const char *path, struct stat *info);                \
  int __wrap_stat##suffix(const char *path, struct stat *info) {               \
    return is_ours(path) ? (describe(info), 0)                                 \
                         : __real_stat##suffix(path, info);                    \
  }                                                                            \
  FILE *__wrap_tmpfile##suffix(void);                                          \
  FILE *__wrap_tmpfile##suffix(void) { return stream_open("w+", NULL, 0); }
WRAPPED()
#ifdef __GLIBC__
WRAPPED(64)
#endif

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode) {
  return is_ours(path) ? 0 : __real_access(path, mode);
}

/* ---- outputs */

static uint8_t *written;
static size_t written_size;

static void keep_output(const uint8_t *data, size_t size) {
  written = realloc(written, size + 1);
  assert(written);
  if (size)
    memcpy(written, data, size);
  written_size = size;
}

static int output_close(void *cookie) {
  stream *s = cookie;
  keep_output(s->data, s->size);
  return stream_close(s);
}

bperc_status __wrap_bperc_output_open(bperc_output *out, const char *path,
                                      bperc_error *error);
bperc_status __wrap_bperc_output_open(bperc_output *out, const char *path,
                                      bperc_error *error) {
  stream *s = calloc(1, sizeof *s);
  (void)path;
  (void)error;
  assert(s);
  *out = (bperc_output){.stream = fopencookie(s, "w",
                                              (cookie_io_functions_t){
                                                  NULL, stream_write,
                                                  stream_seek, output_close})};
  out->temporary =
      strdup("fuzz-output"); /* for those who write it themselves */
  assert(out->stream && out->temporary);
  return BPERC_OK;
}

bperc_status __wrap_bperc_output_commit(bperc_output *out, bperc_error *error);
bperc_status __wrap_bperc_output_commit(bperc_output *out, bperc_error *error) {
  (void)error;
  fclose(out->stream);
  free(out->temporary);
  return BPERC_OK;
}

void __wrap_bperc_output_abandon(bperc_output *out);
void __wrap_bperc_output_abandon(bperc_output *out) {
  fclose(out->stream);
  free(out->temporary);
}

const uint8_t *fuzz_written(size_t *size) {
  *size = written_size;
  return written;
}

/* ---- for targets */

const char *fuzz_file(const uint8_t *data, size_t size) {
  input.data = data;
  input.size = size;
  return plain_path;
}

const char *fuzz_csv_file(const uint8_t *data, size_t size) {
  fuzz_file(data, size);
  return csv_path;
}

uint64_t fuzz_hash(const uint8_t *data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325 ^ size;
  for (size_t k = 0; k < size && k < 256; k++)
    hash = (hash ^ data[k]) * 0x100000001b3;
  hash ^= hash >> 29;
  return hash * 0x9e3779b97f4a7c15 >> 20;
}

static bool faulty;

int fuzz_is_faulty(void) { return faulty; }

typedef enum {
  NO_MEMORY,
  NO_READ,
  CANCELLED,
  PIPE,
  PIPE_NO_MEMORY,
  FAULTS
} fault;

/* The answers to an input without a fault (or from a pipe): what is accepted
 * then is accepted with one, or refused with the right reason. After that
 * others may follow. */
static struct {
  bperc_status list[16];
  size_t count, at;
  bool recording, lost;
  bperc_status reason; /* of the fault */
} answers;

static void begin_answers(bool recording, bperc_status reason) {
  if (recording)
    answers.count = 0;
  answers.recording = recording;
  answers.reason = reason;
  answers.at = 0;
  answers.lost = false;
}

static void compare_answer(bperc_status status) {
  if (answers.recording && answers.count < 16)
    answers.list[answers.count++] = status;
  if (answers.recording || answers.lost || answers.at == answers.count)
    return;
  bperc_status right = answers.list[answers.at++];
  answers.lost = status != right;
  assert(status == right || status == answers.reason || right != BPERC_OK);
}

/* What run does under the k-th fault of a kind; false: there were fewer. */
static bool run_with(fault kind, long k, const uint8_t *data, size_t size,
                     void (*run)(const uint8_t *data, size_t size)) {
  bool reached, no_memory = kind == NO_MEMORY || kind == PIPE_NO_MEMORY;
  faulty = true;
  begin_answers(kind == PIPE, no_memory         ? BPERC_E_MEMORY
                              : kind == NO_READ ? BPERC_E_IO
                                                : BPERC_E_INTERRUPTED);
  input.is_pipe = kind == PIPE || kind == PIPE_NO_MEMORY;
  input.reads_left = kind == NO_READ ? k : -1;
  bperc_i_alloc_fail_after(no_memory ? k : -1);
  bperc_i_cancel_after(kind == CANCELLED ? k : -1);
  run(data, size);
  reached = no_memory           ? bperc_i_alloc_count() > k
            : kind == NO_READ   ? input.reads_left < 0
            : kind == CANCELLED ? bperc_i_cancel_polls() > k
                                : false;
  bperc_i_alloc_fail_after(-1);
  bperc_i_cancel_after(-1);
  bperc_i_cancel_reset();
  input.reads_left = -1;
  input.is_pipe = faulty = false;
  return reached;
}

static void (*last_run)(const uint8_t *data, size_t size);

int fuzz_run(const uint8_t *data, size_t size,
             void (*run)(const uint8_t *data, size_t size)) {
  uint64_t choice = fuzz_hash(data, size);
  last_run = run;
  begin_answers(true, BPERC_OK);
  run(data, size);
  if (getenv("FUZZ_EVERY_FAULT")) {
    fuzz_every_fault(data, size);
    return 0;
  }
  if (choice % 8)
    return 0;
  choice /= 8;
  fault kind = choice % 8 < FAULTS ? (fault)(choice % 8) : NO_MEMORY;
  if (kind == PIPE_NO_MEMORY)
    run_with(PIPE, 0, data, size, run);
  run_with(kind,
           (long)(choice / 8 %
                  (kind == NO_MEMORY || kind == PIPE_NO_MEMORY ? 40 : 3)),
           data, size, run);
  return 0;
}

enum { MOST_FAULTS = 300 }; /* of one kind, for one input */

void fuzz_every_fault(const uint8_t *data, size_t size) {
  if (!last_run)
    return;
  begin_answers(true, BPERC_OK);
  last_run(data, size);
  for (int kind = 0; kind < FAULTS; kind++)
    for (long k = 0; k < MOST_FAULTS; k++)
      if (!run_with((fault)kind, k, data, size, last_run))
        break;
}

void fuzz_other_answers(void) { answers.lost = true; }

void fuzz_check_answer(bperc_status status, const void *made,
                       const bperc_error *error) {
  compare_answer(status);
  if (status == BPERC_OK) {
    assert(made);
    return;
  }
  assert(!made && error->status == status);
  assert(strlen(error->text) > 8 && !strchr(error->text, '\n'));
}
