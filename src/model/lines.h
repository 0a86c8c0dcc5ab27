/* Lines of a text file, one at a time, without ever holding the file.
 *
 * Comment lines (#) and empty lines are skipped, a carriage return before the
 * line end is dropped. A NUL byte is an error: text has none. */
#ifndef BPERC_MODEL_LINES_H
#define BPERC_MODEL_LINES_H

#include "bperc/status.h"

#include <stdio.h>

typedef struct {
  const char *path;
  FILE *file;
  char *text; /* the current line without its end */
  size_t length, room;
  size_t number; /* of the current line, from 1 */
} bperc_i_lines;

bperc_status bperc_i_lines_open(bperc_i_lines *lines, const char *path,
                                bperc_error *error);
/* The next line that counts; *more is 0 at the end of the file. */
bperc_status bperc_i_lines_next(bperc_i_lines *lines, int *more,
                                bperc_error *error);
void bperc_i_lines_close(bperc_i_lines *lines);

#endif
