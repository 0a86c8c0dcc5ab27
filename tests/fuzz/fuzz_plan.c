/* Plans of experiments. A plan of a few lines may ask for 200000 points, all
 * made alike: an allocation that fails ends such a reading early. With 1500
 * instead of 320, a tenth of the inputs took most of the time. */
#include "base/alloc.h"
#include "bperc/lab/verdict.h"
#include "fuzz.h"

#include <assert.h>

enum { MOST_ALLOCATIONS = 320 };

static void run(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_experiment *x;
  bperc_judge *j = NULL;
  bperc_status status;
  if (!fuzz_is_faulty())
    bperc_i_alloc_fail_after(MOST_ALLOCATIONS);
  status = bperc_experiment_read(fuzz_file(data, size), &x, &error);
  fuzz_check_answer(status, x, &error);
  if (x) {
    /* what a plan computes from its tables is checked with the claims */
    status = bperc_judge_parse(x, "fuzz", NULL, 0, &j, &error);
    fuzz_check_answer(status, j, &error);
  }
  bperc_judge_free(j);
  bperc_experiment_free(x);
  if (!fuzz_is_faulty())
    bperc_i_alloc_fail_after(-1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
