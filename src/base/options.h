/* What callers pass as options: the one place where NULL becomes the defaults.
 */
#ifndef BPERC_BASE_OPTIONS_H
#define BPERC_BASE_OPTIONS_H

#include "bperc/options.h"

#include <string.h>

/* Checks every field of options; the sentence of a failure starts with the name
 * of the field. */
bperc_status bperc_i_options_check(bperc_option_table table,
                                   const void *options, bperc_error *error);
/* Copies the caller's struct of so many bytes, range checked; NULL stands for
 * the defaults of the table. */
bperc_status bperc_i_options_take(bperc_option_table table, size_t size,
                                  const void *given, void *out,
                                  bperc_error *error);
/* The same for a struct without a table, whose default is all zero. */
static inline void bperc_i_options_plain(size_t size, const void *given,
                                         void *out) {
  if (given)
    memcpy(out, given, size);
  else
    memset(out, 0, size);
}

#endif
