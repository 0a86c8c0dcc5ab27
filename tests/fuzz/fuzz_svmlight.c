/* svmlight files, with the threshold that they need; without it and without
 * labels. */
#include "instance.h"

static void run(const uint8_t *data, size_t size) {
  int labelled;
  bperc_read_options options = {
      .given = BPERC_GIVEN_THRESHOLD, .threshold = 2.5, .most_bytes = 1 << 22};
  bperc_instance *in = fuzz_instance(data, size, &options);
  if (in && in->m && !fuzz_is_faulty())
    fuzz_round_trip(in, BPERC_FORMAT_SVMLIGHT);
  bperc_instance_free(in);
  options.n = 9;
  options.given = 0;
  options.labelled = &labelled;
  bperc_instance_free(fuzz_instance(data, size, &options));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
