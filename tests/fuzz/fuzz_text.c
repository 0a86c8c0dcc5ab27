/* Instances as text, with nothing said beside the file. */
#include "instance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const bperc_read_options options = {.most_bytes = 1 << 22};
  fuzz_instance(data, size, &options);
  return 0;
}
