/* The scratch file of targets that need one: for programs of their own. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];
static int descriptor = -1;

static void forget(void) { unlink(path); }

static void make(const char *folder) {
  snprintf(path, sizeof path, "%s/bperc-fuzz-XXXXXX", folder);
  descriptor = mkstemp(path);
}

const char *fuzz_disk_file(const uint8_t *data, size_t size) {
  if (descriptor < 0) {
    make("/dev/shm");
    if (descriptor < 0)
      make("/tmp");
    atexit(forget);
  }
  if (descriptor < 0 || ftruncate(descriptor, 0) != 0 ||
      (size && pwrite(descriptor, data, size, 0) != (ssize_t)size)) {
    perror(path);
    exit(2);
  }
  return path;
}
