/* Model files: what is read makes sense and can be written. */
#include "bperc/data.h"
#include "fuzz.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_classifier *c;
  bperc_status status =
      bperc_classifier_read(fuzz_file(data, size), &c, &error);
  assert((status == BPERC_OK) == (c != NULL));
  assert(status == BPERC_OK || error.text[0]);
  if (!c)
    return 0;
  assert(c->n == bperc_encoding_inputs(c->encoding));
  status = bperc_classifier_write(c, "/dev/null", &error);
  assert(status == BPERC_OK);
  bperc_classifier_free(c);
  return 0;
}
