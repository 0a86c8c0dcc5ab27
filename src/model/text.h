/* Our text format: `N M A`, then M lines `label bits`. */
#ifndef BPERC_MODEL_TEXT_H
#define BPERC_MODEL_TEXT_H

#include "bperc/io.h"
#include "model/lines.h"

/* Whether a line is a header of three numbers. */
int bperc_i_text_is_header(const char *line);
/* Reads on from the header, which is the current line. */
bperc_status bperc_i_text_read(bperc_i_lines *lines, bperc_ties ties,
                               bperc_instance **out, bperc_error *error);

#endif
