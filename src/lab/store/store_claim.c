/* Claims: who runs which task, so that processes on one store share the work.
 *
 * A claim is a row: the key of a task and a number, the owner. Every process
 * locks the byte with its number in the file STORE-owners for as long as it
 * lives; a claim counts while that byte is locked. The system releases locks
 * of a killed process, so nothing expires by time. The last process to leave
 * removes the file.
 */
#include "lab/store/store_db.h"

#include "bperc/stream.h"
#include "lab/base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Locks of an open file where there are such, so that two stores of one
 * process count as two. */
#ifdef F_OFD_SETLK
enum { SET = F_OFD_SETLK, SET_WAIT = F_OFD_SETLKW, GET = F_OFD_GETLK };
#else
enum { SET = F_SETLK, SET_WAIT = F_SETLKW, GET = F_GETLK };
#endif

static struct flock region(sqlite3_int64 from, sqlite3_int64 length) {
  return (struct flock){.l_type = F_WRLCK,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)from,
                        .l_len = (off_t)length};
}

/* Without an allocation: it is needed to leave, too. */
static int owners_path(const bperc_store *s, char path[PATH_MAX]) {
  return snprintf(path, PATH_MAX, "%s-owners", s->path) < PATH_MAX;
}

/* Whether the file that is open still has its name. */
static int is_in_place(int file, const char *path) {
  struct stat here, there;
  return fstat(file, &here) == 0 && stat(path, &there) == 0 &&
         here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

/* A number that nobody else has: 40 bits of clock and process. */
static sqlite3_int64 draw_number(uint64_t attempt) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  uint64_t seed = bperc_stream_seed((uint64_t)t.tv_nsec ^ (uint64_t)t.tv_sec,
                                    BPERC_FOR_TASK, (uint64_t)getpid());
  return 1 + (sqlite3_int64)((seed + attempt) % ((uint64_t)1 << 40));
}

/* Locks a byte in the file under its name; one that is being removed by the
 * last process to leave is opened again. */
static int lock_byte(bperc_store *s, const char *path) {
  for (uint64_t attempt = 0; attempt < 1000; attempt++) {
    s->owners = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (s->owners < 0)
      return 0;
    s->me = draw_number(attempt);
    struct flock mine = region(s->me, 1), all = region(0, 0);
    if (fcntl(s->owners, GET, &all) == 0 && all.l_type != F_UNLCK &&
        all.l_start == s->me)
      errno = EAGAIN; /* taken: another number */
    else if (fcntl(s->owners, SET_WAIT, &mine) == 0 &&
             is_in_place(s->owners, path))
      return 1;
    int why = errno;
    close(s->owners);
    s->owners = -1;
    errno = why;
    if (why != EAGAIN && why != ENOENT && why != EINTR && why != 0)
      return 0;
  }
  return 0;
}

bperc_status bperc_i_store_share(bperc_store *s, bperc_error *error) {
  bperc_status status = bperc_i_store_number(s, "SELECT max(rowid) FROM result",
                                             NULL, &s->newest, error);
  char path[PATH_MAX];
  if (status != BPERC_OK || strcmp(s->path, ":memory:") == 0 ||
      s->owners >= 0 || !bperc_i_store_writable(s))
    return status;
  errno = owners_path(s, path) ? 0 : ENAMETOOLONG;
  if (errno || !lock_byte(s, path))
    status = bperc_error_set(error, BPERC_E_IO, "%s: cannot be locked: %s",
                             path, strerror(errno));
  return status;
}

/* Closes the file and, when nobody else has it locked, removes it. */
static void leave(int file, const char *path) {
  struct flock all = region(0, 0);
  if (fcntl(file, SET, &all) == 0 && is_in_place(file, path))
    unlink(path);
  close(file);
}

void bperc_i_store_unshare(bperc_store *s) {
  char path[PATH_MAX];
  if (s->owners < 0)
    return;
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(s->db, "DELETE FROM claim WHERE owner = ?1", -1, &q,
                         NULL) == SQLITE_OK) {
    sqlite3_bind_int64(q, 1, s->me);
    sqlite3_step(q); /* if it fails: they lose their lock */
  }
  sqlite3_finalize(q);
  owners_path(s, path);
  leave(s->owners, path);
  s->owners = -1;
}

void bperc_i_store_tidy(bperc_store *s) {
  char path[PATH_MAX];
  int file = -1;
  if (s->owners < 0 && bperc_i_store_writable(s) && owners_path(s, path))
    file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0)
    leave(file, path);
}

static int is_alive(const bperc_store *s, sqlite3_int64 owner) {
  struct flock theirs = region(owner, 1);
  return fcntl(s->owners, GET, &theirs) == 0 && theirs.l_type != F_UNLCK;
}

/* ---- taking tasks, between begin and end */

bperc_status bperc_i_store_take_begin(bperc_store *s, bperc_error *error) {
  return bperc_i_store_execute(s, "BEGIN IMMEDIATE", error);
}

bperc_status bperc_i_store_take_end(bperc_store *s, bperc_status status,
                                    bperc_error *error) {
  if (status == BPERC_OK)
    status = bperc_i_store_write(s, error);
  if (status == BPERC_OK)
    status = bperc_i_store_execute(s, "COMMIT", error);
  if (status != BPERC_OK)
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  bperc_i_store_drop_batch(s);
  return status;
}

/* A failure is run again when asked, unless another process just did. */
static bperc_status is_settled(bperc_store *s, const char *key, int retry,
                               bperc_i_taken *out, bperc_error *error) {
  int found;
  sqlite3_int64 row = 0;
  bperc_status status = bperc_i_store_has(s, key, &found, error);
  if (status == BPERC_OK && found < 0 && retry)
    status = bperc_i_store_number(s, "SELECT rowid FROM result WHERE key = ?1",
                                  key, &row, error);
  *out = found > 0                                  ? BPERC_I_FOUND
         : found < 0 && (!retry || row > s->newest) ? BPERC_I_FOUND_FAILED
                                                    : BPERC_I_TAKEN;
  return status;
}

bperc_status bperc_i_store_take(bperc_store *s, const char *key, int retry,
                                bperc_i_taken *out, bperc_error *error) {
  bperc_status status = is_settled(s, key, retry, out, error);
  int code;
  if (status != BPERC_OK || *out != BPERC_I_TAKEN || s->owners < 0)
    return status;
  sqlite3_reset(s->claimed);
  sqlite3_bind_text(s->claimed, 1, key, -1, SQLITE_STATIC);
  code = sqlite3_step(s->claimed);
  if (code == SQLITE_ROW) {
    sqlite3_int64 owner = sqlite3_column_int64(s->claimed, 0);
    if (owner != s->me && is_alive(s, owner))
      *out = BPERC_I_ELSEWHERE;
  }
  sqlite3_reset(s->claimed);
  if ((code != SQLITE_ROW && code != SQLITE_DONE) || *out == BPERC_I_ELSEWHERE)
    return code == SQLITE_ROW ? BPERC_OK : bperc_i_store_fail(s, error);
  sqlite3_reset(s->claim);
  sqlite3_bind_text(s->claim, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_int64(s->claim, 2, s->me);
  code = sqlite3_step(s->claim);
  sqlite3_reset(s->claim);
  return code == SQLITE_DONE ? BPERC_OK : bperc_i_store_fail(s, error);
}
