/* What the page does without: HDF5, and qsort_r. */
#include "absent.h"

#include "io/formats.h"

#include <stdlib.h>

bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  (void)file, (void)options, (void)out;
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s: HDF5 files are not read in the browser", name);
}

static bperc_web_compare *compare;
static void *compared;

static int both(const void *a, const void *b) {
  return compare(a, b, compared);
}

/* There is one thread, and no comparison sorts. */
void qsort_r(void *items, size_t count, size_t size, bperc_web_compare *order,
             void *context) {
  compare = order;
  compared = context;
  qsort(items, count, size, both);
}
