/* The readers and writers behind bperc_instance_read and _write. */
#ifndef BPERC_MODEL_FORMATS_H
#define BPERC_MODEL_FORMATS_H

#include "bperc/io.h"
#include "model/lines.h"

/* Whether a line is a header of three numbers. */
int bperc_i_text_is_header(const char *line);
/* Whether a line could be svmlight: a label, then index:value pairs. */
int bperc_i_svmlight_is_row(const char *line);

/* Both read on from the current line, which is the first that counts. */
bperc_status bperc_i_text_read(bperc_i_lines *lines,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error);
bperc_status bperc_i_svmlight_read(bperc_i_lines *lines,
                                   const bperc_read_options *options,
                                   bperc_instance **out, bperc_error *error);
/* Opens `file`; messages call it `name`. */
bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error);

/* What all readers do once they know n, m and A: the sizes against what the
 * caller said and allows, then a zeroed instance. `where` starts messages. */
bperc_status bperc_i_read_new(const char *where, size_t n, size_t m, double a,
                              const bperc_read_options *options,
                              bperc_instance **out, bperc_error *error);
/* The same for files with an A of their own: what the caller says about n, A
 * and the threshold must agree with the file. */
bperc_status bperc_i_read_agrees(const char *where, size_t n, double a,
                                 const bperc_read_options *options,
                                 bperc_error *error);

/* Writes into a stream; the caller looks at ferror. */
void bperc_i_text_write(const bperc_instance *in, FILE *out);
void bperc_i_svmlight_write(const bperc_instance *in, FILE *out);
void bperc_i_opb_write(const bperc_instance *in, FILE *out);
void bperc_i_lp_write(const bperc_instance *in, FILE *out);
/* Writes the file `path`; messages call it `name`. */
bperc_status bperc_i_hdf5_write(const bperc_instance *in, const char *path,
                                const char *name, bperc_error *error);

/* Whether a path is there and no regular file: renaming a finished file over a
 * device would replace it. */
int bperc_i_output_special(const char *path);

#endif
