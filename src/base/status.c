/* Status names, error sentences and the cancel flag. */
#include "bperc/status.h"

#include "base/cancel.h"
#include "base/number.h"
#include "bperc/control.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t cancel_flag, cancel_seen;
static atomic_long cancel_after = -1; /* negative: polls are not counted */
static atomic_long polls;
static _Thread_local const bperc_control *control;

const char *bperc_status_name(bperc_status status) {
  switch (status) {
  case BPERC_OK:
    return "ok";
  case BPERC_E_ARGUMENT:
    return "bad argument";
  case BPERC_E_MEMORY:
    return "out of memory";
  case BPERC_E_IO:
    return "input/output error";
  case BPERC_E_FORMAT:
    return "bad file format";
  case BPERC_E_LIMIT:
    return "limit reached";
  case BPERC_E_NUMERIC:
    return "no numerical solution";
  case BPERC_E_INTERRUPTED:
    return "interrupted";
  case BPERC_E_SYSTEM:
    return "the system failed";
  }
  return "unknown status";
}

/* One line that can be printed, whatever of a user's file is quoted in it. */
static void clean(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 127)
      *text = '?';
}

bperc_status bperc_error_set(bperc_error *error, bperc_status status,
                             const char *format, ...) {
  va_list args;
  if (error) {
    error->status = status;
    va_start(args, format);
    bperc_i_vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    clean(error->text);
  }
  return status;
}

void bperc_cancel(void) { cancel_flag = 1; }
void bperc_i_cancel_reset(void) { cancel_flag = cancel_seen = 0; }
int bperc_cancel_seen(void) { return cancel_seen != 0; }

double bperc_control_in(double seconds) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec + seconds;
}

const bperc_control *bperc_control_use(const bperc_control *next) {
  const bperc_control *before = control;
  control = next;
  return before;
}

const bperc_control *bperc_control_current(void) { return control; }

static int control_says_stop(const bperc_control *c) {
  if (c->cancel && __atomic_load_n(c->cancel, __ATOMIC_RELAXED))
    return 1;
  if (c->deadline > 0 && bperc_control_in(0) >= c->deadline)
    return 1;
  return c->poll && c->poll(c->context);
}

int bperc_cancelled(void) {
  long k = atomic_load_explicit(&cancel_after, memory_order_relaxed);
  if (k >= 0 && atomic_fetch_add(&polls, 1) == k)
    bperc_cancel();
  if (cancel_flag == 0 && !(control && control_says_stop(control)))
    return 0;
  cancel_seen = 1;
  return 1;
}

void bperc_i_cancel_after(long k) {
  atomic_store(&polls, 0);
  atomic_store(&cancel_after, k);
}

long bperc_i_cancel_polls(void) { return atomic_load(&polls); }
