/* Numbers in the C locale. */
#include "base/number.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_locale(void) {
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Up to 15 digits and a small power of ten need one exact operation: the
 * quotient of two doubles that are themselves exact is rounded once. *end
 * stays NULL when the number is not of that kind. */
static double quick(const char *text, char **end) {
  static const double tens[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char *at = text + (*text == '-');
  long long digits = 0;
  int count = 0, behind = 0;
  for (; *at >= '0' && *at <= '9' && count < 16; at++, count++)
    digits = 10 * digits + (*at - '0');
  if (*at == '.')
    for (at++; *at >= '0' && *at <= '9' && count < 16; at++, count++, behind++)
      digits = 10 * digits + (*at - '0');
  *end = NULL;
  if (count == 0 || count > 15 || *at == 'e' || *at == 'E' || *at == 'x' ||
      *at == 'X' || *at == '.')
    return 0;
  *end = (char *)at;
  return (*text == '-' ? -1. : 1.) * ((double)digits / tens[behind]);
}

double bperc_i_strtod(const char *text, char **end) {
  char *stop;
  double value = quick(text, &stop);
  if (!stop) {
    pthread_once(&once, make_locale);
    value = c_locale ? strtod_l(text, &stop, c_locale) : strtod(text, &stop);
  }
  if (end)
    *end = stop;
  return value;
}

const char *bperc_i_show_real(double value, char *buffer, size_t size) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, size, "%.*g", digits, value);
    for (char *p = buffer; *p; p++)
      if (*p == ',') /* the host's decimal mark */
        *p = '.';
    if (bperc_i_strtod(buffer, NULL) == value)
      break;
  }
  return buffer;
}
