/* Starting the program bperc-hdf5 and speaking with it: helper.h. */
#include "io/helper.h"

#include "io/spawn.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "bperc-hdf5"

enum {
  SILENCE_MS = 60000, /* before it counts as hanging */
  ENDING_MS = 2000,
  SLICE_MS = 50 /* how often cancelling is looked at */
};

static bool (*replacement)(bperc_i_helper *helper);

void bperc_i_helper_replace(bool (*start)(bperc_i_helper *helper)) {
  replacement = start;
}

/* ---- where it is */

/* Root's, our own, or of the one who owns this library: a program that a
 * stranger has put into a shared folder is not run. */
static bool is_trusted(const char *path, uid_t owner) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
         access(path, X_OK) == 0 &&
         (info.st_uid == 0 || info.st_uid == geteuid() || info.st_uid == owner);
}

/* Beside the object that holds this code (a Python module), in its folder for
 * programs (an installed library), from bin to that folder (an installed
 * program), one up (the folder of the build). */
static bool find_beside(char *path, size_t room) {
  static const char *const places[] = {"", "bperc/",
                                       "../" BPERC_LIBDIR "/bperc/", "../"};
  Dl_info here;
  struct stat object;
  const char *slash;
  if (!dladdr((void *)(intptr_t)bperc_i_helper_replace, &here) ||
      !here.dli_fname)
    return false;
  /* a program is known by the name it was called with */
  const char *file =
      access(here.dli_fname, F_OK) == 0 && strchr(here.dli_fname, '/')
          ? here.dli_fname
          : "/proc/self/exe";
  char real[PATH_MAX];
  if (!realpath(file, real) || stat(real, &object) != 0 ||
      !(slash = strrchr(real, '/')))
    return false;
  bool found = false;
  for (size_t k = 0; k < sizeof places / sizeof *places && !found; k++) {
    int used = snprintf(path, room, "%.*s%s" PROGRAM, (int)(slash + 1 - real),
                        real, places[k]);
    found = used > 0 && (size_t)used < room && is_trusted(path, object.st_uid);
  }
  return found;
}

static bool find_program(char *path, size_t room) {
  const char *told = getenv("BPERC_HDF5");
  if (told && *told)
    return (size_t)snprintf(path, room, "%s", told) < room &&
           access(path, X_OK) == 0;
  if (find_beside(path, room))
    return true;
  snprintf(path, room, "%s/bperc/" PROGRAM, BPERC_FULL_LIBDIR);
  return is_trusted(path, 0);
}

/* ---- starting */

bperc_status bperc_i_helper_start(bperc_i_helper *helper, bperc_error *error) {
  char path[4096];
  int bad;
  if (replacement)
    return replacement(helper) ? BPERC_OK : BPERC_E_IO;
  if (!find_program(path, sizeof path))
    return bperc_error_set(error, BPERC_E_SYSTEM,
                           "HDF5 files need the program " PROGRAM
                           ", which is not installed (it is built with "
                           "-Dhdf5=enabled; BPERC_HDF5 says where it is)");
  bad = bperc_i_spawn(path, &helper->pid, &helper->socket);
  if (!bad)
    return BPERC_OK;
  while (helper->pid > 0 && waitpid(helper->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  return bperc_error_set(error, bad == ENOMEM ? BPERC_E_MEMORY : BPERC_E_SYSTEM,
                         "%s cannot be started: %s", path, strerror(bad));
}

/* ---- speaking */

/* Until the socket is ready for it. */
static bperc_status wait_for_helper(const bperc_i_helper *helper, short what) {
  for (int waited = 0; waited < SILENCE_MS; waited += SLICE_MS) {
    struct pollfd ready = {.fd = helper->socket, .events = what};
    int count = poll(&ready, 1, SLICE_MS);
    if (!helper->to_the_end && bperc_cancelled())
      return BPERC_E_INTERRUPTED;
    if (count > 0)
      return BPERC_OK;
    if (count < 0 && errno != EINTR)
      break;
  }
  return BPERC_E_FORMAT;
}

/* No signal when it is gone: this may be a host that does not expect one. */
bperc_status bperc_i_helper_put(const bperc_i_helper *helper, const void *data,
                                size_t size) {
  const char *from = data;
  bperc_status status = BPERC_OK;
  while (size && status == BPERC_OK) {
    ssize_t done =
        send(helper->socket, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done > 0) {
      from += done;
      size -= (size_t)done;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      status = wait_for_helper(helper, POLLOUT);
    } else if (errno != EINTR) {
      status = BPERC_E_FORMAT;
    }
  }
  return status;
}

bperc_status bperc_i_helper_get(const bperc_i_helper *helper, void *data,
                                size_t size) {
  char *to = data;
  while (size) {
    bperc_status status = wait_for_helper(helper, POLLIN);
    ssize_t got;
    if (status != BPERC_OK)
      return status;
    got = recv(helper->socket, to, size, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
      return BPERC_E_FORMAT;
    if (got > 0) {
      to += got;
      size -= (size_t)got;
    }
  }
  return BPERC_OK;
}

bool bperc_i_helper_has_news(const bperc_i_helper *helper) {
  struct pollfd ready = {.fd = helper->socket, .events = POLLIN};
  return poll(&ready, 1, 0) > 0;
}

bool bperc_i_helper_has_crashed(const bperc_i_helper *helper) {
  siginfo_t end = {0};
  for (int waited = 0; waited < ENDING_MS && helper->pid > 0; waited++) {
    if (waitid(P_PID, (id_t)helper->pid, &end, WEXITED | WNOWAIT | WNOHANG) ||
        end.si_pid)
      break;
    poll(NULL, 0, 1);
  }
  return end.si_code != CLD_EXITED;
}

void bperc_i_helper_end(bperc_i_helper *helper) {
  close(helper->socket);
  if (helper->pid <= 0)
    return;
  kill(helper->pid, SIGKILL);
  while (waitpid(helper->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
}
