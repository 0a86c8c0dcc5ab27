/* A child process that does what could crash and sends its results down a
 * pipe; whatever happens to it, the parent goes on. */
#ifndef BPERC_BASE_CHILD_H
#define BPERC_BASE_CHILD_H

#include "bperc/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
  int pipe;
  pid_t pid;
} bperc_i_child;

/* Starts a child in which run(context, pipe) sends and does not return. false:
 * the system has no process or pipe to give (errno). */
bool bperc_i_child_start(bperc_i_child *child,
                         void (*run)(void *context, int pipe), void *context);
/* Exactly size bytes from the child. BPERC_E_FORMAT when it died or hangs,
 * BPERC_E_INTERRUPTED when cancelled. */
bperc_status bperc_i_child_get(const bperc_i_child *child, void *data,
                               size_t size);
/* Done, useless or stuck: its work ends here. */
void bperc_i_child_end(bperc_i_child *child);

/* ---- in the child */

/* All bytes down the pipe; ends the process when nobody listens. */
void bperc_i_child_put(int pipe, const void *data, size_t size);
/* Ends the process when the next piece of work takes more CPU time than any
 * honest one. */
void bperc_i_child_expect_progress(void);
/* Whatever a library or a sanitizer says is not for the user's eyes. */
void bperc_i_child_be_silent(void);

#endif
