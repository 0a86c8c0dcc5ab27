/* Weights for instances of three sizes: as a line of 0/1 or -/+, and as whole
 * numbers. Where both readers take a line they agree. */
#include "bperc/io.h"
#include "fuzz.h"

#include <assert.h>

static void read_both(const char *path, size_t n) {
  bperc_error error = {BPERC_OK, ""};
  uint64_t *bits;
  int32_t *numbers;
  bperc_status status = bperc_weights_read(path, n, &bits, &error);
  fuzz_check_answer(status, bits, &error);
  status = bperc_integers_read(path, n, &numbers, &error);
  fuzz_check_answer(status, numbers, &error);
  assert(numbers || !bits || fuzz_is_faulty());
  for (size_t i = 0; numbers && i < n; i++) {
    assert(numbers[i] >= 0);
    assert(!bits || numbers[i] == (int32_t)(bits[i / 64] >> (i % 64) & 1));
  }
  bperc_free(bits);
  bperc_free(numbers);
}

static void run(const uint8_t *data, size_t size) {
  read_both(fuzz_file(data, size), 1);
  read_both(fuzz_file(data, size), 5);
  read_both(fuzz_file(data, size), 66);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
