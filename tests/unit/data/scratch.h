/* A scratch file with given text. */
#ifndef BPERC_TESTS_SCRATCH_H
#define BPERC_TESTS_SCRATCH_H

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Path of a new file that ends in `ending`; the caller unlinks it. */
static inline const char *scratch(const char *ending, const void *text,
                                  size_t size) {
  static char path[64];
  int file;
  snprintf(path, sizeof path, "/tmp/bperc-data-XXXXXX%s", ending);
  file = mkstemps(path, (int)strlen(ending));
  assert_true(file >= 0);
  assert_int_equal(write(file, text, size), (ssize_t)size);
  close(file);
  return path;
}

#endif
