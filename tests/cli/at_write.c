/* Preloaded into the program under test: a signal to itself at the k-th write,
 * so that a test meets a chosen moment instead of racing for it.
 *
 *     AT_WRITE=k SIGNAL=9 LD_PRELOAD=at_write.so bperc sweep ...
 *
 * Counted are the calls by which the store and the outputs change on disk. */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static void count(void) {
  const char *at = getenv("AT_WRITE"), *number = getenv("SIGNAL");
  if (at && number && atomic_fetch_add(&calls, 1) + 1 == atol(at))
    kill(getpid(), atoi(number));
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* pwrite64 by name, as everywhere with 64-bit offsets. */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  count();
  return REAL(pwrite)(fd, bytes, size, at);
}

int fdatasync(int fd) {
  count();
  return REAL(fdatasync)(fd);
}

int unlink(const char *path) {
  count();
  return REAL(unlink)(path);
}

int rename(const char *from, const char *to) {
  count();
  return REAL(rename)(from, to);
}

int fsync(int fd) {
  count();
  return REAL(fsync)(fd);
}
