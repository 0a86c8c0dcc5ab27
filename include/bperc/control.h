/* Control of long calls: cancelling, a deadline, progress.
 *
 * A control belongs to the calls that a thread makes while it is in use, and
 * to the threads that these calls start. Two threads of a host program with
 * two controls do not disturb each other:
 *
 *   bperc_control control = {.deadline = bperc_control_in(5)};
 *   const bperc_control *before = bperc_control_use(&control);
 *   status = bperc_run(...);
 *   bperc_control_use(before);
 *
 * A call that was cancelled, or whose deadline has passed, returns
 * BPERC_E_INTERRUPTED. bperc_cancel() of bperc/status.h is for programs: it
 * ends the calls of all threads.
 */
#ifndef BPERC_CONTROL_H
#define BPERC_CONTROL_H

#include "bperc/status.h"

#include <stddef.h>

BPERC_C_BEGIN

typedef struct {
  /* Any thread or signal handler may set it to anything but 0; NULL: never. */
  const volatile int *cancel;
  /* On the clock of bperc_control_in; 0: none. */
  double deadline;
  /* Called now and then from any thread that works for the call; a non-zero
   * answer cancels. NULL: none. */
  int (*poll)(void *context);
  void *context;
} bperc_control;

/* The deadline `seconds` from now. */
BPERC_API double bperc_control_in(double seconds);
/* Uses the control (NULL: none) for the calls of this thread from now on.
 * Borrows it until another one is used; returns the one before. */
BPERC_API const bperc_control *bperc_control_use(const bperc_control *control);
/* The control in use by this thread, or NULL. */
BPERC_API const bperc_control *bperc_control_current(void);
/* How many threads a loop over so many tasks uses when `asked` are wanted; 0:
 * all cores. */
BPERC_API unsigned bperc_threads(size_t tasks, unsigned asked);

BPERC_C_END

#endif
