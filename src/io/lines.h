/* Lines of a text file, one at a time, read in blocks without ever holding
 * the file.
 *
 * Comment lines (#) and blank lines are skipped, a carriage return before the
 * line end and a byte order mark are dropped. A NUL byte is an error: text has
 * none. "-" is standard input; pipes are fine. */
#ifndef BPERC_IO_LINES_H
#define BPERC_IO_LINES_H

#include "bperc/status.h"

#include <stdio.h>
#include <sys/types.h>

typedef struct {
  const char *path; /* as messages name it */
  FILE *file;
  char *text; /* the current line without its end, NUL-terminated */
  size_t length;
  size_t number; /* of the current line, from 1 */
  char *buffer;
  size_t room, start, end; /* unread bytes are buffer[start .. end) */
  char newline;            /* ends a line: '\n', or '\r' where there is none */
  int ended;               /* the file has no more than the buffer holds */
  int again;               /* the current line is also the next one */
  off_t origin;            /* of the first byte read; -1 for a pipe */
  off_t size;              /* of the file; -1 for a pipe */
  off_t total;             /* bytes read so far */
  off_t mark;              /* where bperc_i_lines_back returns to */
  size_t mark_number;
  char remark[200]; /* what follows "# read with " in the first such comment */
} bperc_i_lines;

/* Opens and reads the first block. */
bperc_status bperc_i_lines_open(bperc_i_lines *lines, const char *path,
                                bperc_error *error);
/* The next line is the current one once more. */
void bperc_i_lines_again(bperc_i_lines *lines);
/* The next line that counts; *more is 0 at the end of the file. */
bperc_status bperc_i_lines_next(bperc_i_lines *lines, int *more,
                                bperc_error *error);
/* The next line, comments and blank ones too. */
bperc_status bperc_i_lines_any(bperc_i_lines *lines, int *more,
                               bperc_error *error);
void bperc_i_lines_close(bperc_i_lines *lines); /* a zeroed one is fine */

/* Bytes of the file after the current line; -1 when nobody knows. */
off_t bperc_i_lines_left(const bperc_i_lines *lines);
/* Marks the current line (before the first one: the start) so that
 * bperc_i_lines_back can read it again. A pipe is copied to a temporary file
 * for that. */
bperc_status bperc_i_lines_mark(bperc_i_lines *lines, bperc_error *error);
bperc_status bperc_i_lines_back(bperc_i_lines *lines, bperc_error *error);
/* The rest of a pipe, from the current line on, goes into this file, which
 * stands instead of the pipe. NULL: it could not be opened, errno says why. */
bperc_status bperc_i_lines_copy(bperc_i_lines *lines, FILE *copy,
                                bperc_error *error);

/* "path:line: what", status BPERC_E_FORMAT. */
bperc_status bperc_i_lines_bad(const bperc_i_lines *lines, bperc_error *error,
                               const char *format, ...) BPERC_PRINTF(3, 4);

#endif
