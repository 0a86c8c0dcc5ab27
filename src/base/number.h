/* Numbers as text in the C locale, whatever the locale of the host program:
 * "1.5" is read as 1.5 where the host writes decimal commas. */
#ifndef BPERC_BASE_NUMBER_H
#define BPERC_BASE_NUMBER_H

#include "bperc/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* As the functions of the C library. All that the library prints with %g and
 * its like goes through these (tools/numbers checks). */
int bperc_i_vsnprintf(char *buffer, size_t size, const char *format,
                      va_list args);
int bperc_i_snprintf(char *buffer, size_t size, const char *format, ...)
    BPERC_PRINTF(3, 4);
int bperc_i_fprintf(FILE *out, const char *format, ...) BPERC_PRINTF(2, 3);
/* As strtod. */
double bperc_i_strtod(const char *text, char **end);
/* The shortest decimal text that reads back as the same double; returns
 * buffer. 32 bytes are always enough. */
const char *bperc_i_show_real(double value, char *buffer, size_t size);

#endif
