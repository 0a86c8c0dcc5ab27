/* Weights as a line of 0/1, for instances of three sizes. */
#include "bperc/io.h"
#include "fuzz.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const size_t sizes[] = {1, 5, 64};
  for (size_t k = 0; k < 3; k++) {
    bperc_error error = {BPERC_OK, ""};
    uint64_t *bits;
    bperc_status status =
        bperc_weights_read(fuzz_file(data, size), sizes[k], &bits, &error);
    assert((status == BPERC_OK) == (bits != NULL));
    assert(status == BPERC_OK || error.text[0]);
    bperc_free(bits);
  }
  return 0;
}
