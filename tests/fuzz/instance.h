/* An instance read from anything, by the reader that recognises it. */
#ifndef BPERC_TESTS_FUZZ_INSTANCE_H
#define BPERC_TESTS_FUZZ_INSTANCE_H

#include "bperc/io.h"
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* No bit beyond n, labels 0 or 1. */
static inline void fuzz_check_instance(const bperc_instance *in) {
  assert(in->n > 0);
  for (size_t mu = 0; mu < in->m; mu++) {
    const uint64_t *row = bperc_instance_pattern(in, mu);
    assert(in->labels[mu] <= 1);
    assert(in->n % 64 == 0 || row[in->words - 1] >> (in->n % 64) == 0);
  }
}

static inline void fuzz_check_same(const bperc_instance *a,
                                   const bperc_instance *b) {
  size_t bytes = a->m * a->words * sizeof *a->patterns;
  assert(a->n == b->n && a->m == b->m && a->inputs == b->inputs);
  assert(a->weights == b->weights && a->theta == b->theta);
  assert(a->kappa == b->kappa && a->ties == b->ties);
  assert(!a->m || (!memcmp(a->patterns, b->patterns, bytes) &&
                   !memcmp(a->labels, b->labels, a->m)));
  assert(!a->support == !b->support);
  assert(!a->support || !memcmp(a->support, b->support, bytes));
}

/* Written and read again it is the same. */
static inline void fuzz_round_trip(const bperc_instance *in,
                                   bperc_format format) {
  bperc_error error = {BPERC_OK, ""};
  bperc_read_options options = {.ties = in->ties};
  bperc_instance *again;
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assert(stream);
  assert(bperc_instance_print(in, format, stream, &error) == BPERC_OK);
  fclose(stream);
  assert(bperc_instance_read(fuzz_file((uint8_t *)text, size), &options, &again,
                             &error) == BPERC_OK);
  fuzz_check_same(in, again);
  bperc_instance_free(again);
  free(text);
}

/* What was accepted must be sound, what was refused must say why. The caller
 * releases it. */
static inline bperc_instance *
fuzz_instance_at(const char *path, const bperc_read_options *options) {
  bperc_error error = {BPERC_OK, ""};
  bperc_instance *in;
  bperc_status status = bperc_instance_read(path, options, &in, &error);
  fuzz_check_answer(status, in, &error);
  if (in)
    fuzz_check_instance(in);
  return in;
}

static inline bperc_instance *fuzz_instance(const uint8_t *data, size_t size,
                                            const bperc_read_options *options) {
  return fuzz_instance_at(fuzz_file(data, size), options);
}

#endif
