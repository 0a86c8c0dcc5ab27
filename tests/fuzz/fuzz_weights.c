/* Weights for instances of three sizes: as a line of 0/1 or -/+, and as whole
 * numbers. Where both readers take a line they agree. */
#include "bperc/io.h"
#include "fuzz.h"

#include <assert.h>
#include <string.h>

/* Written and read again they are the same. */
static void write_again(size_t n, const uint64_t *bits,
                        const int32_t *numbers) {
  static bperc_instance *instances[100];
  bperc_error error;
  uint64_t *same_bits;
  int32_t *same_numbers;
  size_t size;
  const bperc_model model = {.a = 2};
  if (!instances[n] && bperc_instance_new(n, 0, &model, &instances[n], NULL))
    assert(!"no instance for the target");
  assert(bperc_weights_write("out", instances[n], bits, bits ? NULL : numbers,
                             &error) == BPERC_OK);
  const uint8_t *text = fuzz_written(&size);
  assert(bperc_integers_read(fuzz_file(text, size), n, &same_numbers, &error) ==
         BPERC_OK);
  assert(!memcmp(numbers, same_numbers, n * sizeof *numbers));
  if (bits) {
    assert(bperc_weights_read(fuzz_file(text, size), n, &same_bits, &error) ==
           BPERC_OK);
    assert(!memcmp(bits, same_bits, (n + 63) / 64 * sizeof *bits));
    bperc_free(same_bits);
  }
  bperc_free(same_numbers);
}

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
  if (numbers && !fuzz_is_faulty())
    write_again(n, bits, numbers);
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
