/* Packed records, as they come from a store or from another rank: what is
 * accepted packs to the same bytes. */
#include "bperc/measure.h"
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bperc_record *record;
  bperc_status status = bperc_record_unpack(data, size, &record);
  assert((status == BPERC_OK) == (record != NULL));
  if (record) {
    size_t need = bperc_record_pack(record, NULL, 0);
    char *again = malloc(need + 1);
    assert(need == size && again);
    bperc_record_pack(record, again, need);
    assert(memcmp(again, data, size) == 0);
    free(again);
  }
  bperc_record_free(record);
  return 0;
}
