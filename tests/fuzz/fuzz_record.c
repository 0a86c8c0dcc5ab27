/* Packed records, as they come from a store or from another rank: what is
 * accepted packs to the same bytes. */
#include "bperc/lab/measure.h"
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void run(const uint8_t *data, size_t size) {
  bperc_record *record;
  bperc_status status = bperc_record_unpack(data, size, &record);
  assert((status == BPERC_OK) == (record != NULL));
  if (!record)
    return;
  size_t need = bperc_record_pack(record, NULL, 0);
  char *again = malloc(need + 1);
  assert(need == size && again);
  bperc_record_pack(record, again, need);
  assert(memcmp(again, data, size) == 0);
  bperc_record *copy = NULL;
  if (bperc_record_new(&copy) != BPERC_OK)
    assert(fuzz_is_faulty());
  for (size_t k = 0; k < bperc_record_count(record); k++) {
    size_t count;
    int is_vector;
    const double *values = bperc_record_values(record, k, &count, &is_vector);
    assert(values && (is_vector || count == 1));
    assert(bperc_record_name(record, k)[0]);
    if (copy && is_vector)
      bperc_record_vector(copy, bperc_record_name(record, k), values, count);
    else if (copy)
      bperc_record_scalar(copy, bperc_record_name(record, k), values[0]);
  }
  if (copy && bperc_record_status(copy) == BPERC_OK) {
    assert(bperc_record_pack(copy, again, need) == need);
    assert(memcmp(again, data, size) == 0);
  } else
    assert(fuzz_is_faulty());
  bperc_record_free(copy);
  free(again);
  bperc_record_free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
