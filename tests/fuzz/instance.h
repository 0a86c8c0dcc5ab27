/* An instance read from anything, by the reader that recognises it. */
#ifndef BPERC_TESTS_FUZZ_INSTANCE_H
#define BPERC_TESTS_FUZZ_INSTANCE_H

#include "bperc/io.h"
#include "fuzz.h"

#include <assert.h>
#include <string.h>

/* What was accepted must be sound, what was refused must say why. */
static inline void fuzz_instance(const uint8_t *data, size_t size,
                                 const bperc_read_options *options) {
  bperc_error error = {BPERC_OK, ""};
  bperc_instance *in;
  bperc_status status =
      bperc_instance_read(fuzz_file(data, size), options, &in, &error);
  if (status != BPERC_OK) {
    assert(in == NULL && error.status == status);
    assert(strlen(error.text) > 10 && !strchr(error.text, '\n'));
    return;
  }
  assert(in->n > 0);
  for (size_t mu = 0; mu < in->m; mu++) {
    const uint64_t *row = bperc_instance_pattern(in, mu);
    assert(in->labels[mu] <= 1);
    assert(in->n % 64 == 0 || row[in->words - 1] >> (in->n % 64) == 0);
  }
  bperc_instance_free(in);
}

#endif
