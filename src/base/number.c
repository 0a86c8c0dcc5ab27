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

/* This thread's locale is the C locale until `leave_c_locale`. */
static locale_t enter_c_locale(void) {
  pthread_once(&once, make_locale);
  return c_locale ? uselocale(c_locale) : (locale_t)0;
}

static void leave_c_locale(locale_t before) {
  if (before)
    uselocale(before);
}

int bperc_i_vsnprintf(char *buffer, size_t size, const char *format,
                      va_list args) {
  locale_t before = enter_c_locale();
  int length = vsnprintf(buffer, size, format, args);
  leave_c_locale(before);
  return length;
}

int bperc_i_snprintf(char *buffer, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = bperc_i_vsnprintf(buffer, size, format, args);
  va_end(args);
  return length;
}

int bperc_i_fprintf(FILE *out, const char *format, ...) {
  locale_t before = enter_c_locale();
  va_list args;
  va_start(args, format);
  int length = vfprintf(out, format, args);
  va_end(args);
  leave_c_locale(before);
  return length;
}

const char *bperc_i_show_real(double value, char *buffer, size_t size) {
  for (int digits = 15; digits <= 17; digits++) {
    bperc_i_snprintf(buffer, size, "%.*g", digits, value);
    if (bperc_i_strtod(buffer, NULL) == value)
      break;
  }
  return buffer;
}
