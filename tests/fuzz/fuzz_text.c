/* Instances as text: with nothing said beside the file, then as patterns to be
 * classified, whose labels may be missing. */
#include "instance.h"

static void run(const uint8_t *data, size_t size) {
  int labelled;
  bperc_read_options options = {.most_bytes = 1 << 22};
  bperc_instance *in = fuzz_instance(data, size, &options);
  if (in && in->inputs != BPERC_INPUTS_SIGNED && !fuzz_is_faulty())
    fuzz_round_trip(in, BPERC_FORMAT_TEXT);
  bperc_instance_free(in);
  options.labelled = &labelled;
  options.n = 5;
  options.given = BPERC_GIVEN_THRESHOLD | BPERC_GIVEN_KAPPA;
  options.threshold = 1.5;
  bperc_instance_free(fuzz_instance(data, size, &options));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
