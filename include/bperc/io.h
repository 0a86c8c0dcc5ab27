/* Files of instances and weights.
 *
 * Readers recognise what they have by content: HDF5 by its signature, our text
 * format by its header of three numbers, svmlight otherwise. Whatever is wrong
 * is answered with one sentence that names file and line.
 */
#ifndef BPERC_IO_H
#define BPERC_IO_H

#include "bperc/instance.h"

/* Zero means "not given". a and threshold are for svmlight files, which have
 * no threshold of their own; n widens them beyond their largest index. */
typedef struct {
  bperc_ties ties;
  double a, threshold;
  size_t n;
} bperc_read_options;

typedef enum {
  BPERC_FORMAT_TEXT,
  BPERC_FORMAT_SVMLIGHT,
  BPERC_FORMAT_HDF5,
  BPERC_FORMAT_OPB,
  BPERC_FORMAT_LP,
} bperc_format;

BPERC_API bperc_status bperc_instance_read(const char *path,
                                           const bperc_read_options *options,
                                           bperc_instance **out,
                                           bperc_error *error);

/* One line of n characters 0/1 (blanks between them are fine); '#' starts a
 * comment line. *out is a bit vector, release with bperc_free. */
BPERC_API bperc_status bperc_weights_read(const char *path, size_t n,
                                          uint64_t **out, bperc_error *error);

/* Releases memory that the library handed out; NULL is fine. */
BPERC_API void bperc_free(void *p);

#endif
