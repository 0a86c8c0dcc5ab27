/* Files that appear under their name only when complete. */
#include "bperc/io.h"

#include "base/alloc.h"
#include "model/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bperc_status failed(const char *path, bperc_error *error) {
  return bperc_error_set(error, BPERC_E_IO, "%s: cannot be written: %s", path,
                         strerror(errno));
}

static void release(bperc_output *out) {
  bperc_i_free(out->path);
  bperc_i_free(out->temporary);
  memset(out, 0, sizeof *out);
}

/* Where the file really lies: the end of a chain of symbolic links. */
static char *real_place(const char *path) {
  char *real = realpath(path, NULL);
  char *copy = bperc_i_strdup(real ? real : path);
  free(real);
  return copy;
}

int bperc_i_output_special(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

bperc_status bperc_output_open(bperc_output *out, const char *path,
                               bperc_error *error) {
  size_t room;
  memset(out, 0, sizeof *out);
  out->path = real_place(path);
  if (!out->path)
    goto memory;
  if (!bperc_i_output_special(out->path)) {
    room = strlen(out->path) + 32;
    out->temporary = bperc_i_alloc(room, 1);
    if (!out->temporary)
      goto memory;
    snprintf(out->temporary, room, "%s.%ld.part", out->path, (long)getpid());
  }
  out->stream = fopen(out->temporary ? out->temporary : out->path, "wb");
  if (out->stream)
    return BPERC_OK;
  release(out);
  return failed(path, error);
memory:
  release(out);
  return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", path);
}

bperc_status bperc_output_commit(bperc_output *out, bperc_error *error) {
  bperc_status status = BPERC_OK;
  int bad = ferror(out->stream) != 0;
  errno = bad ? EIO : 0;
  bad = fclose(out->stream) != 0 || bad;
  if (!bad && out->temporary)
    bad = rename(out->temporary, out->path) != 0;
  if (bad) {
    status = failed(out->path, error);
    if (out->temporary)
      remove(out->temporary);
  }
  release(out);
  return status;
}

void bperc_output_abandon(bperc_output *out) {
  fclose(out->stream);
  if (out->temporary)
    remove(out->temporary);
  release(out);
}
