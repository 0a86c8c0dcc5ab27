/* Starting a program that inherits nothing: spawn.h.
 *
 * The child of a vfork shares the memory of the host until it becomes the
 * program, the calling thread waits. It also shares the table of descriptors,
 * and leaves it taking along 0 to 2 alone (close_range with UNSHARE). Since no
 * descriptor comes through, it calls back: the host listens on a socket with a
 * name that the kernel has chosen, and takes the call of this process only.
 */
#include "io/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif

enum { STACK = 1 << 16 };

typedef struct {
  const char *path;
  struct sockaddr_un name; /* where the host listens */
  socklen_t length;
  int failure; /* errno of the child, 0 when it became the program */
} call;

/* Kernels before 5.9: a copy, emptied one by one. */
static void close_all(void) {
  if (syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_UNSHARE) == 0)
    return;
  unshare(CLONE_FILES);
  for (long fd = sysconf(_SC_OPEN_MAX); fd >= 3; fd--)
    close((int)fd);
}

/* In the memory of the host: system calls only. */
__attribute__((no_sanitize("address", "undefined"))) static int
child(void *context) {
  call *c = context;
  char *const arguments[] = {(char *)c->path, NULL};
  int line, nowhere;
  close_all();
  setpgid(0, 0);
  line = socket(AF_UNIX, SOCK_STREAM, 0);
  nowhere = open("/dev/null", O_WRONLY);
  if (line >= 0 && nowhere >= 0 &&
      connect(line, (struct sockaddr *)&c->name, c->length) == 0 &&
      dup2(line, 0) == 0 && dup2(nowhere, 1) == 1 && dup2(nowhere, 2) == 2) {
    close(line);
    close(nowhere);
    execve(c->path, arguments, environ);
  }
  c->failure = errno;
  _exit(127);
}

/* No handler of the host may run in the child, which would run it in the
 * host's memory. */
static int start_child(call *c, pid_t *pid) {
  sigset_t all, before;
  void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  int failure = 0;
  if (stack == MAP_FAILED)
    return errno;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  *pid = clone(child, (char *)stack + STACK,
               CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, c);
  if (*pid < 0)
    failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  munmap(stack, STACK);
  return failure ? failure : c->failure;
}

/* A socket with a name of the kernel's choice. */
static int listen_somewhere(call *c) {
  const struct sockaddr_un any = {.sun_family = AF_UNIX};
  int ear = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  c->length = sizeof c->name;
  if (ear >= 0 &&
      bind(ear, (const struct sockaddr *)&any, sizeof any.sun_family) == 0 &&
      getsockname(ear, (struct sockaddr *)&c->name, &c->length) == 0 &&
      listen(ear, 8) == 0)
    return ear;
  if (ear >= 0)
    close(ear);
  return -1;
}

/* The call of the process; it was made before the process became the program.
 * Whoever else calls is not heard. */
static int accept_from(int ear, pid_t pid) {
  for (;;) {
    struct ucred caller = {0};
    socklen_t size = sizeof caller;
    int line = accept4(ear, NULL, NULL, SOCK_CLOEXEC);
    if (line < 0 && errno == EINTR)
      continue;
    if (line < 0)
      return -1;
    if (getsockopt(line, SOL_SOCKET, SO_PEERCRED, &caller, &size) == 0 &&
        caller.pid == pid)
      return line;
    close(line);
  }
}

int bperc_i_spawn(const char *path, pid_t *pid, int *socket) {
  call c = {.path = path};
  int ear = listen_somewhere(&c), failure;
  if (ear < 0)
    return errno;
  failure = start_child(&c, pid);
  *socket = failure ? -1 : accept_from(ear, *pid);
  if (!failure && *socket < 0)
    failure = errno ? errno : ECONNABORTED;
  close(ear);
  return failure;
}
