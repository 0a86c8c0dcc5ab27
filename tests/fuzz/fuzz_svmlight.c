/* svmlight files, with the threshold that they need. */
#include "instance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bperc_read_options options = {
      .given = BPERC_GIVEN_THRESHOLD, .threshold = 2.5, .most_bytes = 1 << 22};
  fuzz_instance(data, size, &options);
  options.n = 9;
  fuzz_instance(data, size, &options);
  return 0;
}
