/* Growing text, whole files, hashes. */
#include "lab/base/text.h"

#include "base/number.h"
#include "bperc/io.h"
#include "lab/base/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int grow(bperc_i_text *t, size_t more) {
  size_t room = t->room ? t->room : 256;
  char *text;
  if (t->failed)
    return 0;
  while (room < t->length + more + 1)
    room *= 2;
  if (room == t->room)
    return 1;
  text = bperc_i_lab_realloc(t->text, t->length, room);
  if (!text) {
    t->failed = 1;
    return 0;
  }
  t->text = text;
  t->room = room;
  return 1;
}

void bperc_i_text_add_bytes(bperc_i_text *t, const void *bytes, size_t count) {
  if (!grow(t, count))
    return;
  memcpy(t->text + t->length, bytes, count);
  t->length += count;
  t->text[t->length] = 0;
}

void bperc_i_text_add(bperc_i_text *t, const char *text) {
  bperc_i_text_add_bytes(t, text, strlen(text));
}

/* Printed at once where there is room, as there mostly is. */
void bperc_i_text_format(bperc_i_text *t, const char *format, ...) {
  va_list args, again;
  size_t room = t->failed ? 0 : t->room - t->length;
  int need;
  va_start(args, format);
  va_copy(again, args);
  need =
      bperc_i_vsnprintf(room ? t->text + t->length : NULL, room, format, args);
  if (need >= 0 && (size_t)need >= room && grow(t, (size_t)need))
    bperc_i_vsnprintf(t->text + t->length, (size_t)need + 1, format, again);
  if (need >= 0 && !t->failed)
    t->length += (size_t)need;
  else if (room)
    t->text[t->length] = 0;
  va_end(again);
  va_end(args);
}

static ssize_t add_written(void *cookie, const char *bytes, size_t count) {
  bperc_i_text *t = cookie;
  bperc_i_text_add_bytes(t, bytes, count);
  return t->failed ? 0 : (ssize_t)count;
}

FILE *bperc_i_text_stream(bperc_i_text *t) {
  return fopencookie(t, "w", (cookie_io_functions_t){.write = add_written});
}

void bperc_i_text_clear(bperc_i_text *t) {
  bperc_free(t->text);
  *t = (bperc_i_text){0};
}

char *bperc_i_text_take(bperc_i_text *t) {
  char *text;
  bperc_i_text_add(t, "");
  if (t->failed)
    bperc_i_text_clear(t);
  text = t->text;
  *t = (bperc_i_text){0};
  return text;
}

/* ---- files */

/* A device that never ends is not read to the end. */
enum { MOST_BYTES = 256 << 20 };

static bperc_status cannot(const char *path, const char *verb,
                           bperc_error *error) {
  return bperc_error_set(error, errno == ENOMEM ? BPERC_E_MEMORY : BPERC_E_IO,
                         "%s: cannot be %s: %s", path, verb, strerror(errno));
}

bperc_status bperc_i_file_read(const char *path, char **out, size_t *size,
                               bperc_error *error) {
  bperc_i_text text = {0};
  char buffer[16384];
  size_t got;
  struct stat info;
  FILE *file = fopen(path, "rb");
  *out = NULL;
  *size = 0;
  if (!file)
    return cannot(path, "read", error);
  if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
    fclose(file);
    return bperc_error_set(error, BPERC_E_IO, "%s: is a folder", path);
  }
  while (text.length <= MOST_BYTES && !bperc_cancelled() &&
         (got = fread(buffer, 1, sizeof buffer, file)) > 0)
    bperc_i_text_add_bytes(&text, buffer, got);
  int broken = ferror(file), reason = errno;
  fclose(file);
  if (broken || text.length > MOST_BYTES || bperc_cancelled()) {
    int large = text.length > MOST_BYTES;
    bperc_i_text_clear(&text);
    errno = reason;
    return bperc_cancelled()
               ? bperc_error_set(error, BPERC_E_INTERRUPTED,
                                 "%s: interrupted while it was read", path)
           : large
               ? bperc_error_set(error, BPERC_E_FORMAT,
                                 "%s: more than %d MB, too long for a plan, "
                                 "claims or tables",
                                 path, MOST_BYTES >> 20)
               : cannot(path, "read", error);
  }
  *size = text.length;
  *out = bperc_i_text_take(&text);
  if (!*out)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory for it", path);
  return BPERC_OK;
}

bperc_status bperc_i_file_write(const char *path, const void *bytes,
                                size_t size, bperc_error *error) {
  bperc_output out;
  bperc_status status = bperc_output_open(&out, path, error);
  if (status != BPERC_OK)
    return status;
  if (size && fwrite(bytes, 1, size, out.stream) != size) {
    int why = errno; /* the stream only remembers that, not why */
    bperc_output_abandon(&out);
    errno = why;
    return cannot(path, "written", error);
  }
  return bperc_output_commit(&out, error);
}

/* ---- files of a folder */

char *bperc_i_path(const char *folder, const char *name) {
  bperc_i_text path = {0};
  bperc_i_text_format(&path, "%s/%s", folder, name);
  return bperc_i_text_take(&path);
}

bperc_status bperc_i_folder_read(const char *folder, const char *name,
                                 char **out, size_t *size, bperc_error *error) {
  char *path = bperc_i_path(folder ? folder : "", name);
  bperc_status status = BPERC_OK;
  *out = NULL;
  *size = 0;
  if (!path)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for %s", name);
  else if (folder && access(path, F_OK) == 0)
    status = bperc_i_file_read(path, out, size, error);
  bperc_free(path);
  return status;
}

bperc_status bperc_i_folder_write(const char *folder, const char *name,
                                  const char *end, const char *text,
                                  bperc_error *error) {
  bperc_i_text path = {0};
  bperc_status status;
  bperc_i_text_format(&path, "%s/%s%s", folder, name, end);
  status = path.failed || !text
               ? bperc_error_set(error, BPERC_E_MEMORY, "no memory for %s%s",
                                 name, end)
               : bperc_i_file_write(path.text, text, strlen(text), error);
  bperc_i_text_clear(&path);
  return status;
}

/* ---- hashes */

__extension__ typedef unsigned __int128 u128;

bperc_i_hash bperc_i_hash_start(void) {
  return (bperc_i_hash){0x6c62272e07bb0142, 0x62b821756295c58d};
}

void bperc_i_hash_add(bperc_i_hash *hash, const void *bytes, size_t size) {
  const u128 prime = ((u128)0x0000000001000000 << 64) | 0x000000000000013b;
  const unsigned char *p = bytes;
  u128 h = (u128)hash->high << 64 | hash->low;
  for (size_t k = 0; k < size; k++)
    h = (h ^ p[k]) * prime;
  *hash = (bperc_i_hash){(uint64_t)(h >> 64), (uint64_t)h};
}

void bperc_i_hash_digits(bperc_i_hash h, char digits[33]) {
  snprintf(digits, 33, "%016llx%016llx", (unsigned long long)h.high,
           (unsigned long long)h.low);
}

static bperc_i_hash hash(const char *text) {
  bperc_i_hash h = bperc_i_hash_start();
  bperc_i_hash_add(&h, text, strlen(text));
  return h;
}

void bperc_i_hash_text(const char *text, char digits[33]) {
  bperc_i_hash_digits(hash(text), digits);
}

uint64_t bperc_i_hash_word(const char *text) {
  bperc_i_hash h = hash(text);
  return h.high ^ h.low;
}
