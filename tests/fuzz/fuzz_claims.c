/* Files of claims, beside a plan that is fixed. */
#include "fuzz.h"
#include "toy.h"

static void run(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_judge *j;
  bperc_status status = bperc_judge_parse(fuzz_toy(), "fuzz",
                                          (const char *)data, size, &j, &error);
  fuzz_check_answer(status, j, &error);
  bperc_judge_free(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_toy();
  return fuzz_run(data, size, run);
}
