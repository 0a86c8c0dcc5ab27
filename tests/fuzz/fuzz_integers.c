/* Weights as whole numbers or 0/1, for instances of three sizes. */
#include "bperc/io.h"
#include "fuzz.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const size_t sizes[] = {1, 5, 64};
  for (size_t k = 0; k < 3; k++) {
    bperc_error error = {BPERC_OK, ""};
    int32_t *weights;
    bperc_status status =
        bperc_integers_read(fuzz_file(data, size), sizes[k], &weights, &error);
    assert((status == BPERC_OK) == (weights != NULL));
    assert(status == BPERC_OK || error.text[0]);
    for (size_t i = 0; weights && i < sizes[k]; i++)
      assert(weights[i] >= 0);
    bperc_free(weights);
  }
  return 0;
}
