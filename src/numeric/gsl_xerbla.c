/* In the place of the function of GSL's CBLAS that prints wrong arguments: with
 * stderr in it, Debian's static library cannot be part of a shared object. Our
 * arguments are right; a wrong one is a bug. */
#include <stdlib.h>

void cblas_xerbla(int place, const char *routine, const char *form, ...);

void cblas_xerbla(int place, const char *routine, const char *form, ...) {
  (void)place, (void)routine, (void)form;
  abort();
}
