/* Standard output and error of the program's code, kept in memory. */
#ifndef BPERC_TESTS_FUZZ_SINK_H
#define BPERC_TESTS_FUZZ_SINK_H

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { SINK_ROOM = 4096 };

/* The first bytes that were printed, and how many there were in all. */
typedef struct {
  char text[SINK_ROOM];
  size_t size;
  FILE *stream, *before;
} sink;

static ssize_t sink_write(void *cookie, const char *bytes, size_t count) {
  sink *s = cookie;
  if (s->size < SINK_ROOM - 1) {
    size_t room = SINK_ROOM - 1 - s->size, part = count < room ? count : room;
    memcpy(s->text + s->size, bytes, part);
    s->text[s->size + part] = 0;
  }
  s->size += count;
  return (ssize_t)count;
}

/* `standard` is stdout or stderr; glibc lets one assign it. */
static inline void sink_begin(sink *s, FILE **standard) {
  if (!s->stream) {
    s->stream =
        fopencookie(s, "w", (cookie_io_functions_t){.write = sink_write});
    assert(s->stream);
  }
  s->size = 0;
  s->text[0] = 0;
  s->before = *standard;
  *standard = s->stream;
}

static inline void sink_end(sink *s, FILE **standard) {
  fflush(s->stream);
  *standard = s->before;
}

#endif
