/* Numbers as text in the C locale, whatever the locale of the host program:
 * "1.5" is read as 1.5 where the host writes decimal commas. */
#ifndef BPERC_BASE_NUMBER_H
#define BPERC_BASE_NUMBER_H

#include <stddef.h>

/* As strtod. */
double bperc_i_strtod(const char *text, char **end);
/* The shortest decimal text that reads back as the same double; returns
 * buffer. 32 bytes are always enough. */
const char *bperc_i_show_real(double value, char *buffer, size_t size);

#endif
