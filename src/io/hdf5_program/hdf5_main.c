/* bperc-hdf5: reads or writes one HDF5 file for the library, which starts it
 * with a socket as standard input. Not for users. */
#include "io/hdf5_program/serve.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* A damaged file can make the HDF5 library ask for anything. A sanitizer takes
 * address space by the terabyte. */
static void limit_memory(void) {
#if !defined(__SANITIZE_ADDRESS__)
  const struct rlimit most = {(rlim_t)1 << 31, (rlim_t)1 << 31};
  setrlimit(RLIMIT_AS, &most);
#endif
}

int main(void) {
  sigset_t none;
  int type;
  socklen_t size = sizeof type;
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    fputs("bperc-hdf5 is started by the bperc library\n", stderr);
    return 2;
  }
  limit_memory();
  sigemptyset(&none); /* whatever the host's thread had blocked or ignored */
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPROF, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes becomes an error */
  H5dont_atexit();
  bperc_i_serve(STDIN_FILENO);
}
