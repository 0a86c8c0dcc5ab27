/* HDF5 files, read and written by the program bperc-hdf5 (helper.h).
 *
 * Failures stay in the file: after the first one nothing more is done, and
 * close or the next read says what it was. Sentences do not name the file;
 * the caller does.
 */
#ifndef BPERC_HDF5_FILE_H
#define BPERC_HDF5_FILE_H

#include "bperc/status.h"
#include "io/hdf5_wire.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct bperc_i_h5 bperc_i_h5;

/* Frees it, also without a file (NULL) or in the middle of one. */
void bperc_i_h5_free(bperc_i_h5 *file);

/* ---- reading */

/* Opens a file; the path "-" is standard input. */
bperc_status bperc_i_h5_open(const char *path, bperc_i_h5 **out,
                             bperc_error *error);
bperc_status bperc_i_h5_look(bperc_i_h5 *file, const char *name,
                             bperc_i_h5_info *info, bperc_error *error);
/* The attribute `name` of a dataset or group, or of the file (at = "/"). */
bperc_status bperc_i_h5_ask(bperc_i_h5 *file, const char *at, const char *name,
                            bperc_i_h5_attribute *out, bperc_error *error);
/* All values of a dataset of one or two dimensions, clipped to the type, in
 * rectangles start .. start + count - 1 in no certain order, each value once.
 * `take` returns a status, with a sentence in *error when it is not OK. */
typedef bperc_status bperc_i_h5_taker(void *context, const uint64_t *start,
                                      const uint64_t *count, const void *values,
                                      bperc_error *error);
bperc_status bperc_i_h5_read(bperc_i_h5 *file, const char *name,
                             const bperc_i_h5_info *info, bperc_i_h5_type type,
                             bperc_i_h5_taker *take, void *context,
                             bperc_error *error);

/* ---- writing: check close. Cancelling is the caller's to look at: what was
 * begun can be brought to its end. */

bperc_status bperc_i_h5_create(const char *path, bperc_i_h5 **out,
                               bperc_error *error);
void bperc_i_h5_group(bperc_i_h5 *file, const char *name);
/* Attributes of the file (at = "/") or of a group. */
void bperc_i_h5_value(bperc_i_h5 *file, const char *at, const char *name,
                      bperc_i_h5_type type, const void *value);
/* room > 0: a text of that fixed length; 0: of any length, UTF-8. */
void bperc_i_h5_words(bperc_i_h5 *file, const char *at, const char *name,
                      const char *text, size_t room);
/* A dataset of rows x columns (rank 2) or rows. Returns its number, to give
 * rows to. With BPERC_I_H5_GROWS `rows` is not used. */
int bperc_i_h5_set(bperc_i_h5 *file, const char *name, bperc_i_h5_type type,
                   unsigned rank, uint64_t rows, uint64_t columns,
                   unsigned flags);
/* The next `bytes` of values; whole rows. */
void bperc_i_h5_rows(bperc_i_h5 *file, int set, const void *values,
                     size_t bytes);
/* A one-dimensional dataset with its values. */
void bperc_i_h5_vector(bperc_i_h5 *file, const char *name, bperc_i_h5_type type,
                       uint64_t count, const void *values);
/* Whether something has failed that was not known at the last look. */
bool bperc_i_h5_failed(bperc_i_h5 *file);
/* Ends and frees a new file. */
bperc_status bperc_i_h5_close(bperc_i_h5 *file, bperc_error *error);

#endif
