/* Child processes: child.h. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  SILENCE = 60,    /* seconds before a child counts as hanging */
  MOST_SECONDS = 5 /* CPU time of one piece of work */
};

bool bperc_i_child_start(bperc_i_child *child,
                         void (*run)(void *context, int pipe), void *context) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  child->pid = fork();
  if (child->pid == 0) {
    close(ends[0]);
    run(context, ends[1]);
    _exit(1);
  }
  close(ends[1]);
  child->pipe = ends[0];
  if (child->pid > 0)
    return true;
  close(ends[0]);
  return false;
}

bperc_status bperc_i_child_get(const bperc_i_child *child, void *data,
                               size_t size) {
  char *to = data;
  while (size) {
    struct pollfd ready = {.fd = child->pipe, .events = POLLIN};
    int count = poll(&ready, 1, SILENCE * 1000);
    ssize_t got;
    if (bperc_cancelled())
      return BPERC_E_INTERRUPTED;
    if (count < 0 && errno == EINTR)
      continue;
    got = count > 0 ? read(child->pipe, to, size) : 0;
    if (count <= 0 || got <= 0)
      return BPERC_E_FORMAT;
    to += got;
    size -= (size_t)got;
  }
  return BPERC_OK;
}

void bperc_i_child_end(bperc_i_child *child) {
  close(child->pipe);
  kill(child->pid, SIGKILL);
  while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
}

void bperc_i_child_put(int pipe, const void *data, size_t size) {
  const char *from = data;
  while (size) {
    ssize_t done = write(pipe, from, size);
    if (done <= 0)
      _exit(1);
    from += done;
    size -= (size_t)done;
  }
}

void bperc_i_child_expect_progress(void) {
  const struct itimerval most = {.it_value = {.tv_sec = MOST_SECONDS}};
  setitimer(ITIMER_PROF, &most, NULL);
}

void bperc_i_child_be_silent(void) {
  int null = open("/dev/null", O_WRONLY);
  if (null >= 0)
    dup2(null, STDERR_FILENO);
}
