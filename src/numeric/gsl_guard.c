#include "numeric/gsl_guard.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long inside; /* calls that have begun */
static gsl_error_handler_t *hosts;

static void let_return(const char *reason, const char *file, int line,
                       int error) {
  (void)reason, (void)file, (void)line, (void)error;
}

void bperc_i_gsl_begin(void) {
  pthread_mutex_lock(&lock);
  if (inside++ == 0)
    hosts = gsl_set_error_handler(let_return);
  pthread_mutex_unlock(&lock);
}

/* A handler that the host has set meanwhile stays. */
void bperc_i_gsl_end(void) {
  pthread_mutex_lock(&lock);
  assert(inside > 0);
  if (--inside == 0) {
    gsl_error_handler_t *now = gsl_set_error_handler(hosts);
    if (now != let_return)
      gsl_set_error_handler(now);
  }
  pthread_mutex_unlock(&lock);
}
