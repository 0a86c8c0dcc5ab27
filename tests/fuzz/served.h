/* HDF5 files read by a fork of the fuzz target instead of the program
 * bperc-hdf5: thousands of files in seconds, by the same code. */
#ifndef BPERC_TESTS_FUZZ_SERVED_H
#define BPERC_TESTS_FUZZ_SERVED_H

#include "io/hdf5_program/serve.h"
#include "io/helper.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static inline bool fork_server(bperc_i_helper *helper) {
  int ends[2], nowhere;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  helper->pid = fork();
  if (helper->pid == 0) {
    close(ends[0]);
    nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO); /* what a sanitizer says of a crash */
    bperc_i_serve(ends[1]);
  }
  close(ends[1]);
  helper->socket = ends[0];
  return helper->pid > 0;
}

static inline void serve_here(void) {
  H5open(); /* once here, not in every child */
  bperc_i_helper_replace(fork_server);
}

#endif
