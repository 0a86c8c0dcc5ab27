/* What the program bperc-hdf5 says, taken from the input: an instance and a
 * list of solutions read from it. The functions that speak with the program
 * are replaced (-Wl,--wrap): nothing is sent. */
#include "instance.h"

#include "bperc/exact.h"
#include "io/helper.h"

static const uint8_t *said;
static size_t said_left;

bperc_status __wrap_bperc_i_helper_start(bperc_i_helper *helper,
                                         bperc_error *error);
bperc_status __wrap_bperc_i_helper_put(const bperc_i_helper *helper,
                                       const void *data, size_t size);
bperc_status __wrap_bperc_i_helper_get(const bperc_i_helper *helper, void *data,
                                       size_t size);
void __wrap_bperc_i_helper_end(bperc_i_helper *helper);

bperc_status __wrap_bperc_i_helper_start(bperc_i_helper *helper,
                                         bperc_error *error) {
  (void)helper;
  (void)error;
  return BPERC_OK;
}

bperc_status __wrap_bperc_i_helper_put(const bperc_i_helper *helper,
                                       const void *data, size_t size) {
  (void)helper;
  (void)data;
  (void)size;
  return BPERC_OK;
}

bperc_status __wrap_bperc_i_helper_get(const bperc_i_helper *helper, void *data,
                                       size_t size) {
  (void)helper;
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  if (size > said_left)
    return BPERC_E_FORMAT; /* it died */
  if (size)
    memcpy(data, said, size);
  said += size;
  said_left -= size;
  return BPERC_OK;
}

void __wrap_bperc_i_helper_end(bperc_i_helper *helper) { (void)helper; }

static void run(const uint8_t *data, size_t size) {
  const bperc_read_options options = {.most_bytes = 1 << 22};
  static const char signature[512] = "\211HDF\r\n\032\n";
  bperc_error error = {BPERC_OK, ""};
  bperc_solutions *s;
  said = data;
  said_left = size;
  bperc_instance_free(
      fuzz_instance((const uint8_t *)signature, sizeof signature, &options));
  said = data;
  said_left = size;
  bperc_status status = bperc_solutions_read(fuzz_file(NULL, 0), &s, &error);
  fuzz_check_answer(status, s, &error);
  assert(!s || bperc_solutions_check(s, NULL) == NULL);
  bperc_solutions_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
