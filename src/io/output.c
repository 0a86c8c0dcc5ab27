/* Files that appear under their name only when complete. */
#include "bperc/io.h"

#include "base/alloc.h"
#include "io/formats.h"
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bperc_status failed(const char *path, bperc_error *error) {
  return bperc_error_set(error, BPERC_E_IO, "%s: cannot be written: %s", path,
                         strerror(errno));
}

static void release(bperc_output *out) {
  if (out->temporary)
    bperc_i_part_forget(out->temporary);
  bperc_i_free(out->path);
  bperc_i_free(out->temporary);
  memset(out, 0, sizeof *out);
}

/* Where the file really lies: the end of a chain of symbolic links. A link that
 * another user made in a folder open to all is refused (NULL, EPERM): it could
 * lead anywhere. */
static char *real_place(const char *path) {
  char *real, *copy;
  if (bperc_output_is_trap(path)) {
    errno = EPERM;
    return NULL;
  }
  real = realpath(path, NULL);
  copy = bperc_i_strdup(real ? real : path);
  free(real);
  errno = copy ? 0 : ENOMEM;
  return copy;
}

int bperc_i_output_special(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* Devices and pipes are opened as they are; a regular file that took the place
 * of one meanwhile is left alone. */
static int open_special(const char *path) {
  struct stat info;
  int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file < 0 || (fstat(file, &info) == 0 && !S_ISREG(info.st_mode)))
    return file;
  close(file);
  errno = EEXIST;
  return -1;
}

static FILE *open_stream(bperc_output *out) {
  int special = bperc_i_output_special(out->path), reason;
  int file = special ? open_special(out->path)
                     : bperc_i_part_create(out->path, &out->temporary);
  FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
  if (stream || file < 0)
    return stream;
  reason = errno;
  if (out->temporary)
    unlink(out->temporary);
  close(file);
  errno = reason;
  return NULL;
}

bperc_status bperc_output_open(bperc_output *out, const char *path,
                               bperc_error *error) {
  int reason;
  memset(out, 0, sizeof *out);
  out->path = real_place(path);
  out->stream = out->path ? open_stream(out) : NULL;
  if (out->stream)
    return BPERC_OK;
  reason = errno;
  release(out);
  errno = reason;
  if (reason == ENOMEM)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", path);
  return failed(path, error);
}

bperc_status bperc_output_commit(bperc_output *out, bperc_error *error) {
  bperc_status status = BPERC_OK;
  int bad = ferror(out->stream) != 0;
  errno = bad ? EIO : 0;
  bad = fflush(out->stream) != 0 || bad;
  if (!bad && out->temporary)
    bad = !bperc_i_part_finish(fileno(out->stream), out->temporary, out->path);
  if (bad)
    status = failed(out->path, error);
  if (bad && out->temporary)
    unlink(out->temporary);
  if (fclose(out->stream) != 0 && !bad && !out->temporary)
    status = failed(out->path, error);
  release(out);
  return status;
}

void bperc_output_abandon(bperc_output *out) {
  if (out->temporary)
    unlink(out->temporary);
  fclose(out->stream);
  release(out);
}
