/* Whole stores: the bytes are the image of a database in memory, opened for
 * reading, looked through and exported. */
#include "fuzz.h"
#include "sweep/store_db.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *image;
static size_t image_size;

/* -Wl,--wrap: the file is the image. */
int __real_sqlite3_open_v2(const char *path, sqlite3 **out, int flags,
                           const char *vfs);
int __wrap_sqlite3_open_v2(const char *path, sqlite3 **out, int flags,
                           const char *vfs);
int __wrap_sqlite3_open_v2(const char *path, sqlite3 **out, int flags,
                           const char *vfs) {
  unsigned char *copy;
  int code;
  (void)flags;
  code = __real_sqlite3_open_v2(
      ":memory:", out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs);
  if (code != SQLITE_OK || !image_size || strcmp(path, ":memory:") == 0)
    return code;
  copy = sqlite3_malloc64(image_size);
  assert(copy);
  memcpy(copy, image, image_size);
  /* a damaged schema is met later, by the statements of the store */
  sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  return sqlite3_deserialize(
      *out, "main", copy, (sqlite3_int64)image_size, (sqlite3_int64)image_size,
      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
}

static void count_damage(void *context, const char *key,
                         const char *measurement) {
  size_t *count = context;
  ++*count;
  assert(key && measurement && !strchr(key, '\n'));
}

static void export_all(bperc_store *s) {
  char *text = NULL, first[33];
  size_t size;
  bperc_error error = {BPERC_OK, ""};
  FILE *out = open_memstream(&text, &size);
  assert(out);
  bperc_status status = bperc_store_export(s, out, &error);
  assert(status == BPERC_OK || error.text[0]);
  fclose(out);
  free(text);
  bperc_store_damaged(s, first);
}

/* All sound results into an empty store. */
static void merge(size_t sound) {
  bperc_error error = {BPERC_OK, ""};
  bperc_store_summary sum;
  bperc_store *into;
  bperc_status status =
      bperc_store_open(":memory:", BPERC_STORE_WRITE, &into, &error);
  fuzz_check_answer(status, into, &error);
  if (!into)
    return;
  status = bperc_store_merge(into, "fuzz", NULL, NULL, &sum, &error);
  assert(status == BPERC_OK || error.text[0]);
  assert(status != BPERC_OK || fuzz_is_faulty() ||
         (sum.tasks == sound && sum.added <= sound));
  if (status == BPERC_OK)
    export_all(into);
  bperc_store_close(into);
}

static void run(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_store_summary sum;
  bperc_store *s;
  size_t told = 0;
  image = data;
  image_size = size;
  bperc_status status =
      bperc_store_check("fuzz", count_damage, &told, &sum, &error);
  assert(status == BPERC_OK || error.text[0]);
  assert(status != BPERC_OK || told == sum.damaged);
  if (status == BPERC_OK)
    merge(sum.tasks);
  status = bperc_store_open("fuzz", BPERC_STORE_READ, &s, &error);
  fuzz_check_answer(status, s, &error);
  if (s)
    export_all(s);
  bperc_store_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
