/* Lists of solutions in HDF5 files. */
#include "bperc/exact.h"
#include "fuzz.h"
#include "served.h"

#include <assert.h>
#include <string.h>

/* What was accepted must be sound, what was refused must say why. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_solutions *s;
  bperc_status status;
  serve_here();
  status = bperc_solutions_read(fuzz_disk_file(data, size), &s, &error);
  if (status != BPERC_OK) {
    assert(s == NULL && error.status == status);
    assert(strlen(error.text) > 10 && !strchr(error.text, '\n'));
    return 0;
  }
  assert(s->columns <= s->n && s->columns <= 128);
  assert(bperc_solutions_check(s, NULL) == NULL);
  for (size_t i = 0; i < s->n; i++)
    assert(s->fixed[i] >= -1 && s->fixed[i] <= 1);
  bperc_solutions_free(s);
  return 0;
}
