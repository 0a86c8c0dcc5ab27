/* Whole stores: the bytes are the image of a database in memory, opened for
 * reading, looked through and exported. */
#include "fuzz.h"
#include "lab/store/store_db.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a path opens: the image, an empty store, one that is soon full, one that
 * cannot be written, nothing. */
static const char source[] = "fuzz", empty[] = ":memory:", full[] = "fuzz-full",
                  locked[] = "fuzz-locked", absent[] = "fuzz-absent";

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
  if (strcmp(path, absent) == 0)
    return __real_sqlite3_open_v2("/dev/null/x", out, flags, vfs);
  code = __real_sqlite3_open_v2(
      ":memory:", out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs);
  if (code == SQLITE_OK && strcmp(path, full) == 0)
    code = sqlite3_exec(*out, "PRAGMA max_page_count = 4", NULL, NULL, NULL);
  if (code == SQLITE_OK && strcmp(path, locked) == 0)
    code = sqlite3_exec(*out, "PRAGMA query_only = 1", NULL, NULL, NULL);
  if (code != SQLITE_OK || !image_size || strcmp(path, source) != 0)
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

/* All sound results into a store. */
static void merge(const char *target, size_t sound) {
  bperc_error error = {BPERC_OK, ""};
  bperc_store_summary sum;
  bperc_store *into;
  bperc_status status =
      bperc_store_open(target, BPERC_STORE_WRITE, &into, &error);
  fuzz_check_answer(status, into, &error);
  if (!into)
    return;
  status = bperc_store_merge(into, source, NULL, NULL, &sum, &error);
  assert(status == BPERC_OK || error.text[0]);
  assert(status != BPERC_OK || fuzz_is_faulty() ||
         (sum.tasks == sound && sum.added <= sound));
  if (status == BPERC_OK)
    export_all(into);
  bperc_store_close(into);
}

/* Stores that cannot take results, and a library without memory: all of them
 * refuse with a sentence. */
static void bad_stores(size_t sound) {
  bperc_error error = {BPERC_OK, ""};
  bperc_store *s;
  fuzz_other_answers();
  merge(full, sound);
  merge(locked, sound);
  sqlite3_hard_heap_limit64(sqlite3_memory_used() + 4096 +
                            (sqlite3_int64)(image_size % 40 << 10));
  merge(empty, sound);
  sqlite3_hard_heap_limit64(0);
  bperc_status status = bperc_store_open(absent, BPERC_STORE_READ, &s, &error);
  fuzz_check_answer(status, s, &error);
  assert(!s);
}

static void run(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_store_summary sum;
  bperc_store *s;
  size_t told = 0;
  image = data;
  image_size = size;
  bperc_status status =
      bperc_store_check(source, count_damage, &told, &sum, &error);
  assert(status == BPERC_OK || error.text[0]);
  assert(status != BPERC_OK || told == sum.damaged);
  if (status == BPERC_OK)
    merge(empty, sum.tasks);
  if (fuzz_is_faulty())
    bad_stores(sum.tasks);
  status = bperc_store_open(source, BPERC_STORE_READ, &s, &error);
  fuzz_check_answer(status, s, &error);
  if (s)
    export_all(s);
  bperc_store_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
