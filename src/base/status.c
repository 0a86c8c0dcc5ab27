/* Status names, error sentences and the cancel flag. */
#include "bperc/status.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

static volatile sig_atomic_t cancel_flag;

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
  }
  return "unknown status";
}

bperc_status bperc_error_set(bperc_error *error, bperc_status status,
                             const char *format, ...) {
  va_list args;
  if (error) {
    error->status = status;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
  }
  return status;
}

void bperc_cancel(void) { cancel_flag = 1; }
int bperc_cancelled(void) { return cancel_flag != 0; }
void bperc_cancel_reset(void) { cancel_flag = 0; }
