/* A program started from a process that may have many threads and open files:
 * none of its descriptors exists in the new process, not even for the moment
 * before it becomes the program. A file of the host that is locked (HDF5 locks
 * what it opens) would stay locked through such a copy after the host has
 * closed it; posix_spawn and fork make one. */
#ifndef BPERC_HDF5_SPAWN_H
#define BPERC_HDF5_SPAWN_H

#include <sys/types.h>

/* Starts the program `path` without arguments, in a process group of its own.
 * Its standard input is a socket whose other end is *socket; standard output
 * and error lead nowhere. 0 or an errno. */
int bperc_i_spawn(const char *path, pid_t *pid, int *socket);

#endif
