/* One result put into a store in memory and taken out again: its key, inputs,
 * message and record are any bytes. First line: key; second: message; up to a
 * form feed: inputs; the rest: the record. */
#include "fuzz.h"
#include "lab/store/store_db.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bperc_store *store;

/* A copy of the text up to the mark; *at moves behind it. */
static char *cut(const uint8_t **at, size_t *left, char mark) {
  const uint8_t *end = *left ? memchr(*at, mark, *left) : NULL;
  size_t length = end ? (size_t)(end - *at) : *left;
  char *text = strndup((const char *)*at, length);
  assert(text);
  *at += length + (end != NULL);
  *left -= length + (end != NULL);
  return text;
}

static void export_all(void) {
  char *text = NULL;
  size_t size;
  bperc_error error = {BPERC_OK, ""};
  FILE *out = open_memstream(&text, &size);
  assert(out);
  bperc_status status = bperc_store_export(store, out, &error);
  assert(status == BPERC_OK || error.text[0]);
  fclose(out);
  free(text);
}

static void put_and_get(const bperc_i_result *r) {
  bperc_error error = {BPERC_OK, ""};
  int found;
  bperc_record *record = NULL, *out = NULL;
  bperc_status status = bperc_i_store_put(store, r, &error);
  if (status == BPERC_OK)
    status = bperc_i_store_commit(store, &error);
  assert(status == BPERC_OK || error.text[0]);
  if (status != BPERC_OK)
    return;
  status = bperc_i_store_get(store, r->key, &out, &found, &error);
  assert(status == BPERC_OK || (error.text[0] && fuzz_is_faulty()));
  if (status == BPERC_OK && r->status == BPERC_OK) {
    int good = bperc_record_unpack(r->bytes, r->size, &record) == BPERC_OK;
    assert(found == good || fuzz_is_faulty());
    assert(!found || out);
  }
  bperc_record_free(record);
  bperc_record_free(out);
  export_all();
}

static void run(const uint8_t *data, size_t size) {
  bperc_i_result r = {.instance = (uint32_t)size, .seconds = 0.25};
  if (size == 0)
    data = (const uint8_t *)"";
  char *key = cut(&data, &size, '\n'), *message = cut(&data, &size, '\n');
  char *inputs = cut(&data, &size, '\f');
  r.key = key;
  r.message = message;
  r.inputs = inputs;
  r.status = message[0] ? BPERC_E_NUMERIC : BPERC_OK;
  r.bytes = r.status == BPERC_OK ? data : NULL;
  r.size = r.status == BPERC_OK ? size : 0;
  put_and_get(&r);
  free(key);
  free(message);
  free(inputs);
  bperc_i_store_execute(store,
                        "DELETE FROM result; DELETE FROM inputs; DELETE FROM "
                        "temp.damaged",
                        NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!store && bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, NULL))
    assert(!"no store in memory");
  return fuzz_run(data, size, run);
}
