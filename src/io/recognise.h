/* One look at a file says what it is, and what was opened for that is read on:
 * no file is opened twice, and a pipe is copied only where a reader needs a
 * second pass. */
#ifndef BPERC_IO_RECOGNISE_H
#define BPERC_IO_RECOGNISE_H

#include "bperc/io.h"
#include "io/lines.h"

/* What the caller knows. */
typedef struct {
  int tables;   /* tables are read too; else the formats of instances alone */
  int values;   /* svmlight is a table whatever its values are */
  int labelled; /* 1: rows have labels; 0: rows of inputs alone are read too */
  size_t n;     /* length of such rows; 0: not known, there are none */
} bperc_i_file_hints;

/* An open file, before its first line that counts. */
struct bperc_file {
  bperc_i_lines lines;
  const char *path; /* as it was given; borrowed */
  char *own;        /* such a path, where nobody else keeps it */
  char name[40];    /* of the copy of a pipe */
  bperc_file_kind kind;
};

/* A model file begins with a line of these words and its version, 1 or 2. */
extern const char bperc_i_model_first_words[];
int bperc_i_is_model(const char *line);

/* Fails where the file cannot be opened or its text cannot be read. One that is
 * none of the kinds is opened too: its reader says what is wrong. A failure
 * leaves nothing to close. */
bperc_status bperc_i_file_open(const char *path,
                               const bperc_i_file_hints *hints, bperc_file *out,
                               bperc_error *error);
void bperc_i_file_close(bperc_file *file); /* a zeroed one is fine */

/* What another program can open: the path, or the name of a copy of a pipe, of
 * which no line was read. The copy goes when the file is closed. */
bperc_status bperc_i_file_name(bperc_file *file, const char **name,
                               bperc_error *error);

/* An instance; not of a table. */
bperc_status bperc_i_instance_from(bperc_file *file,
                                   const bperc_read_options *options,
                                   bperc_instance **out, bperc_error *error);

#endif
