/* Folders. */
#include "bperc/io.h"

#include "base/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bperc_status bperc_folder_make(const char *path, bperc_error *error) {
  char *copy = bperc_i_strdup(path);
  bperc_status status = BPERC_OK;
  if (!copy)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", path);
  for (char *p = copy; status == BPERC_OK && *p; p++) {
    char keep = p[1];
    if (keep && keep != '/')
      continue;
    p[1] = 0;
    if (mkdir(copy, 0777) != 0 && errno != EEXIST)
      status = bperc_error_set(error, BPERC_E_IO, "%s: cannot be made: %s",
                               path, strerror(errno));
    p[1] = keep;
  }
  bperc_i_free(copy);
  return status;
}
