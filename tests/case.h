/* The instances of tests/cases. */
#ifndef BPERC_TESTS_CASE_H
#define BPERC_TESTS_CASE_H

#include "bperc/io.h"
#include "check.h"

#include <stdlib.h>

static inline bperc_instance *read_case(const char *name) {
  char path[512];
  bperc_read_options options = {0};
  bperc_instance *in;
  snprintf(path, sizeof path, "%s/%s.txt", getenv("CASES"), name);
  assert_int_equal(bperc_instance_read(path, &options, &in, NULL), BPERC_OK);
  return in;
}

#endif
