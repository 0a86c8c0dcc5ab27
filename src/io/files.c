/* Folders. */
#include "bperc/io.h"

#include "base/alloc.h"

#include "io/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Whether a folder may be written to by everybody. */
static int is_open_to_all(const char *folder) {
  struct stat info;
  return stat(folder, &info) == 0 && (info.st_mode & S_IWOTH);
}

/* Whether `path`, which exists, is a link that somebody else made in a folder
 * that is open to all. `path` is unchanged at the end. */
static int is_trap(char *path) {
  char *slash = strrchr(path, '/');
  int trap;
  if (!bperc_output_is_trap(path))
    return 0;
  if (!slash)
    return is_open_to_all(".");
  *slash = 0;
  trap = is_open_to_all(slash == path ? "/" : path);
  *slash = '/';
  return trap;
}

/* One folder; 0 with errno when there is none that may be used. */
static int make(char *path) {
  if (mkdir(path, 0777) == 0) {
    bperc_i_part_sync_folder(path);
    return 1;
  }
  if (errno != EEXIST)
    return 0;
  errno = EPERM;
  return !is_trap(path);
}

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
    if (!make(copy))
      status = bperc_error_set(error, BPERC_E_IO, "%s: cannot be made: %s",
                               path, strerror(errno));
    p[1] = keep;
  }
  bperc_i_free(copy);
  return status;
}
