/* The readers and writers behind bperc_instance_read and _write. */
#ifndef BPERC_IO_FORMATS_H
#define BPERC_IO_FORMATS_H

#include "bperc/io.h"
#include "io/lines.h"

/* Whether a line is a header: three numbers, then words name=value. */
int bperc_i_text_is_header(const char *line);
/* Whether a line is n inputs and nothing else. */
int bperc_i_text_is_bare(const char *line, size_t n);
/* Whether a line could be svmlight: a label, then index:value pairs. */
int bperc_i_svmlight_is_row(const char *line);
/* Whether it begins with a pair: a row without a label. */
int bperc_i_svmlight_is_bare(const char *line);

/* Both read on from the current line, which is the first that counts. */
bperc_status bperc_i_text_read(bperc_i_lines *lines,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error);
bperc_status bperc_i_svmlight_read(bperc_i_lines *lines,
                                   const bperc_read_options *options,
                                   bperc_instance **out, bperc_error *error);
/* Rows of inputs alone, without a header. */
bperc_status bperc_i_text_read_bare(bperc_i_lines *lines,
                                    const bperc_read_options *options,
                                    bperc_instance **out, bperc_error *error);
/* Opens `file`; messages call it `name`. */
bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error);

/* What all readers do once they know n, m and the file's model: what the caller
 * says instead, the sizes against what he allows, then a zeroed instance with
 * 0/1 inputs. `where` starts messages. */
bperc_status bperc_i_read_new(const char *where, size_t n, size_t m,
                              const bperc_model *model,
                              const bperc_read_options *options,
                              bperc_instance **out, bperc_error *error);
/* Files with an N of their own: the caller's must agree. */
bperc_status bperc_i_read_agrees(const char *where, size_t n,
                                 const bperc_read_options *options,
                                 bperc_error *error);
/* The first input -1 was met: support becomes what is 1 so far. */
bperc_status bperc_i_read_signed(const char *where, bperc_instance *in,
                                 bperc_error *error);

/* "weights=pm" and the like into *model, told by name and value; *threshold
 * becomes 1 when that is what was set. 0: no such name or value. */
int bperc_i_model_set(bperc_model *model, const char *name, size_t length,
                      const char *value, int *threshold);

/* Writes into a stream; the caller looks at ferror. */
void bperc_i_text_write(const bperc_instance *in, FILE *out);
void bperc_i_svmlight_write(const bperc_instance *in, FILE *out);
void bperc_i_opb_write(const bperc_instance *in, FILE *out);
void bperc_i_opb_soft_write(const bperc_instance *in, FILE *out);
void bperc_i_lp_write(const bperc_instance *in, FILE *out);
/* Writes the file `path`, patterns as bits or as bytes; messages call it
 * `name`. */
bperc_status bperc_i_hdf5_write(const bperc_instance *in, int packed,
                                const char *path, const char *name,
                                bperc_error *error);

/* Whether a path is there and no regular file: renaming a finished file over a
 * device would replace it. */
int bperc_i_output_special(const char *path);

/* A name and a number that reads back as it is, in any locale. */
void bperc_i_put_real(FILE *out, const char *name, double value);

#endif
