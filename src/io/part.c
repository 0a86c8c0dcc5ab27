/* The unfinished file beside an output: part.h.
 *
 * The lock is one of the open file description (F_OFD_SETLK): it ends with its
 * process, however that ends, is not lost when another descriptor of the file
 * is closed, and does not meet the locks of HDF5, which are of another kind. */
#include "io/output.h"

#include "bperc/io.h"

#include "base/alloc.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 16, ATTEMPTS = 100 };
#define ENDING ".part"

static int try_lock(int file) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(file, F_OFD_SETLK, &whole) == 0;
}

/* A file system without locks: parts are then written all the same, and a left
 * one is not told from one in use. */
static int cannot_lock(int reason) {
  return reason == ENOLCK || reason == ENOTSUP || reason == EINVAL;
}

static int draw_name(const char *path, char *name, size_t room) {
  uint64_t number;
  if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
    return 0;
  snprintf(name, room, "%s.%0*llx" ENDING, path, DIGITS,
           (unsigned long long)number);
  return 1;
}

/* 1: ours. 0: somebody removed or locked it first, take another name. */
static int hold(int file) {
  struct stat info;
  if (!try_lock(file) && !cannot_lock(errno))
    return 0;
  return fstat(file, &info) == 0 && info.st_nlink > 0;
}

static int create(const char *path, char *name, size_t room) {
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    int file;
    if (!draw_name(path, name, room))
      return -1;
    file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0 && hold(file))
      return file;
    if (file >= 0) {
      unlink(name);
      close(file);
    } else if (errno != EEXIST) {
      return -1;
    }
  }
  errno = EEXIST;
  return -1;
}

/* ---- parts in use, for a process that ends early */

/* More at once are not removed then; the next writer of the path does. */
enum { MOST_PARTS = 16 };
static _Atomic(const char *) parts_in_use[MOST_PARTS];

static void remember_part(const char *name) {
  for (int k = 0; k < MOST_PARTS; k++) {
    const char *none = NULL;
    if (atomic_compare_exchange_strong(&parts_in_use[k], &none, name))
      return;
  }
}

void bperc_i_part_forget(const char *name) {
  for (int k = 0; k < MOST_PARTS; k++) {
    const char *there = name;
    if (atomic_compare_exchange_strong(&parts_in_use[k], &there, NULL))
      return;
  }
}

void bperc_output_remove_unfinished(void) {
  for (int k = 0; k < MOST_PARTS; k++) {
    const char *name = atomic_exchange(&parts_in_use[k], NULL);
    if (name)
      unlink(name);
  }
}

int bperc_i_part_create(const char *path, char **name) {
  size_t room = strlen(path) + DIGITS + sizeof ENDING + 2;
  int file, reason;
  *name = bperc_i_alloc(room, 1);
  if (!*name) {
    errno = ENOMEM;
    return -1;
  }
  bperc_i_part_sweep(path);
  file = create(path, *name, room);
  if (file >= 0) {
    remember_part(*name);
    return file;
  }
  reason = errno;
  bperc_i_free(*name);
  *name = NULL;
  errno = reason;
  return -1;
}

/* Opens the folder of a path; -1 on failure. */
static int open_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char folder[PATH_MAX] = ".";
  if (slash && slash - path >= PATH_MAX - 1)
    return -1;
  if (slash)
    snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
  return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Some file systems cannot synchronise a folder; that is no failure. */
void bperc_i_part_sync_folder(const char *path) {
  int file = open_folder(path);
  if (file >= 0) {
    fsync(file);
    close(file);
  }
}

int bperc_i_part_finish(int file, const char *name, const char *path) {
  assert(file >= 0);
  if (fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP)
    return 0;
  if (rename(name, path) != 0)
    return 0;
  bperc_i_part_sync_folder(path);
  return 1;
}

int bperc_output_is_trap(const char *path) {
  struct stat link;
  return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) &&
         link.st_uid != geteuid() && link.st_uid != 0;
}

/* ---- what killed writers left */

/* "BASE.XXXXXXXXXXXXXXXX.part"? */
static int is_part(const char *entry, const char *base) {
  size_t length = strlen(base);
  if (strncmp(entry, base, length) != 0 || entry[length] != '.')
    return 0;
  entry += length + 1;
  return strspn(entry, "0123456789abcdef") == DIGITS &&
         strcmp(entry + DIGITS, ENDING) == 0;
}

static void remove_if_left(int folder, const char *entry) {
  struct stat info;
  int file = openat(folder, entry,
                    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0)
    return;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && try_lock(file))
    unlinkat(folder, entry, 0);
  close(file);
}

void bperc_i_part_sweep(const char *path) {
  const char *slash = strrchr(path, '/');
  int folder = open_folder(path);
  DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
  struct dirent *entry;
  if (!list && folder >= 0)
    close(folder);
  while (list && (entry = readdir(list)))
    if (is_part(entry->d_name, slash ? slash + 1 : path))
      remove_if_left(dirfd(list), entry->d_name);
  if (list)
    closedir(list);
}
