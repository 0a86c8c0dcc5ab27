/* svmlight files with any values: tables. Whatever else a file can be comes
 * this way too. */
#include "table.h"

static void run(const uint8_t *data, size_t size) {
  fuzz_table(fuzz_file(data, size), fuzz_hash(data, size) >> 9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_prepare();
  return fuzz_run(data, size, run);
}
