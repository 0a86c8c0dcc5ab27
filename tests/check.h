/* What every cmocka test includes: the library's order of headers, and
 * comparisons of doubles (cmocka 1.1.5 compares floats only). */
#ifndef BPERC_TESTS_CHECK_H
#define BPERC_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static inline void check_close(double a, double b, double tolerance,
                               const char *text, const char *file, int line) {
  if (fabs(a - b) <= tolerance || (isnan(a) && isnan(b)))
    return;
  print_error("%s: %.17g and %.17g differ by %g > %g\n", text, a, b,
              fabs(a - b), tolerance);
  _fail(file, line);
}

#define assert_close(a, b, tolerance)                                          \
  check_close(a, b, tolerance, #a " ~ " #b, __FILE__, __LINE__)

#endif
