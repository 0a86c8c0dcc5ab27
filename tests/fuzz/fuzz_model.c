/* Model files: what is read makes sense, and written it is the same. */
#include "bperc/data.h"
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bperc_classifier *read_model(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_classifier *c;
  bperc_status status =
      bperc_classifier_read(fuzz_file(data, size), &c, &error);
  fuzz_check_answer(status, c, &error);
  assert(!c || c->n == bperc_encoding_inputs(c->encoding));
  return c;
}

/* A copy of what a model is written as. */
static uint8_t *write_model(const bperc_classifier *c, size_t *size) {
  bperc_error error;
  const uint8_t *text;
  uint8_t *copy;
  assert(bperc_classifier_write(c, "out", &error) == BPERC_OK);
  text = fuzz_written(size);
  copy = malloc(*size);
  assert(copy);
  return memcpy(copy, text, *size);
}

static void run(const uint8_t *data, size_t size) {
  bperc_classifier *c = read_model(data, size), *again;
  uint8_t *first, *second;
  size_t first_size, second_size;
  if (!c)
    return;
  assert(fuzz_is_faulty() ||
         bperc_file_recognise(fuzz_file(data, size), NULL) == BPERC_FILE_MODEL);
  first = write_model(c, &first_size);
  again = read_model(first, first_size);
  assert(again || fuzz_is_faulty());
  if (again) {
    second = write_model(again, &second_size);
    assert(first_size == second_size && !memcmp(first, second, first_size));
    free(second);
  }
  free(first);
  bperc_classifier_free(again);
  bperc_classifier_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
