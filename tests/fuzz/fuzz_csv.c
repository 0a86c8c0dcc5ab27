/* Tables of any kind: CSV by force, then as recognised by content. */
#include "bperc/data.h"
#include "fuzz.h"

#include "base/alloc.h"
#include "data/encoding.h"

#include <assert.h>
#include <stdlib.h>

static void read_as(const char *path, bperc_i_source_kind kind) {
  static const bperc_data_options how = {.binarise = "levels=3",
                                         .complement = 1};
  bperc_error error = {BPERC_OK, ""};
  bperc_i_source source;
  bperc_encoding *e = NULL;
  size_t rows;
  if (bperc_i_source_open(path, kind, &source, &error) != BPERC_OK) {
    assert(error.text[0]);
    return;
  }
  if (source.columns < 100000) {
    bperc_status status =
        bperc_i_encoding_learn(&source, &how, &rows, &e, &error);
    assert((status == BPERC_OK) == (e != NULL));
    assert(status == BPERC_OK || error.text[0]);
    assert(status != BPERC_OK || bperc_encoding_inputs(e) > 0);
  }
  bperc_encoding_free(e);
  bperc_i_source_close(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = fuzz_file(data, size);
  bperc_i_source_kind kind;
  read_as(path, BPERC_I_SOURCE_CSV);
  if (bperc_i_source_recognise(path, 0, &kind, NULL) == BPERC_OK && kind)
    read_as(path, kind);
  return 0;
}
