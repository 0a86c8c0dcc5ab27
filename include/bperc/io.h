/* Files of instances and weights.
 *
 * Readers recognise what they have by content: HDF5 by its signature, our text
 * format by its header of three numbers, svmlight otherwise; "-" is standard
 * input. Whatever is wrong is answered with one sentence that names file and
 * line. Files that are written appear under their name only when complete.
 * docs/formats.md describes every format.
 */
#ifndef BPERC_IO_H
#define BPERC_IO_H

#include "bperc/instance.h"

#include <stdio.h>

BPERC_C_BEGIN

/* What a file is. */
typedef enum {
  BPERC_FILE_UNKNOWN,         /* none of these: weights, for one */
  BPERC_FILE_TEXT,            /* an instance in our text format */
  BPERC_FILE_BARE,            /* its rows alone */
  BPERC_FILE_SVMLIGHT,        /* values -1, 0, 1: an instance */
  BPERC_FILE_SVMLIGHT_VALUES, /* other values too: a table */
  BPERC_FILE_CSV,             /* or TSV; whatever is called .csv or .tsv */
  BPERC_FILE_NPY,
  BPERC_FILE_HDF5,  /* by its signature in the first 256 KiB */
  BPERC_FILE_MODEL, /* of fit: bperc/data.h */
} bperc_file_kind;

/* An open file whose kind is known and of which nothing has been read: a pipe
 * or standard input can be looked at and then read. */
typedef struct bperc_file bperc_file;
BPERC_API bperc_status bperc_file_open(const char *path, bperc_file **out,
                                       bperc_error *error);
BPERC_API bperc_file_kind bperc_file_is(const bperc_file *file);
BPERC_API void bperc_file_close(bperc_file *file); /* NULL is fine */
/* Opens, looks, closes: what it takes from a pipe is lost. BPERC_FILE_UNKNOWN
 * with error->status where the file cannot be read. */
BPERC_API bperc_file_kind bperc_file_recognise(const char *path,
                                               bperc_error *error);

/* What the caller wants instead of what a file says. */
typedef enum {
  BPERC_GIVEN_A = 1,
  BPERC_GIVEN_THRESHOLD = 2, /* one of the two */
  BPERC_GIVEN_KAPPA = 4,
  BPERC_GIVEN_WEIGHTS = 8,
  BPERC_GIVEN_BAND = 16,
} bperc_given;

/* svmlight files of others have no threshold of their own: it must be given. */
typedef struct {
  bperc_ties ties;
  unsigned given; /* bits of bperc_given: which of these count */
  double a, threshold, kappa, band;
  bperc_weight_kind weights;
  size_t n;          /* width of an svmlight file; 0: its largest index */
  size_t most_bytes; /* refuse packed patterns larger than this; 0: no limit */
  int *labelled; /* NULL: rows must have labels. Else rows without are read too:
                    0 afterwards, and all labels are 0. Rows of inputs without
                    a header must then be n long */
} bperc_read_options;

typedef enum {
  BPERC_FORMAT_TEXT,
  BPERC_FORMAT_SVMLIGHT,
  BPERC_FORMAT_HDF5, /* a byte for each input */
  BPERC_FORMAT_OPB,
  BPERC_FORMAT_LP,
  BPERC_FORMAT_HDF5_BITS, /* patterns packed as bits */
  BPERC_FORMAT_OPB_SOFT,  /* the fewest errors as an objective: x(n+1+mu) = 1
                             leaves pattern mu out */
} bperc_format;

/* options may be NULL. On failure *out is NULL. */
BPERC_API bperc_status bperc_instance_read(const char *path,
                                           const bperc_read_options *options,
                                           bperc_instance **out,
                                           bperc_error *error);

/* OPB and LP state the constraints on the bits of the weights: bit i is the
 * variable x(i+1), also for weights -1/+1. */
BPERC_API bperc_status bperc_instance_write(const bperc_instance *in,
                                            bperc_format format,
                                            const char *path,
                                            bperc_error *error);
/* The same into a stream that stays open; not for HDF5. */
BPERC_API bperc_status bperc_instance_print(const bperc_instance *in,
                                            bperc_format format, FILE *stream,
                                            bperc_error *error);

/* One line of n characters 0/1, or +/- for 1 and 0 (blanks between them are
 * fine); '#' starts a comment line. *out is a bit vector, release with
 * bperc_free. */
BPERC_API bperc_status bperc_weights_read(const char *path, size_t n,
                                          uint64_t **out, bperc_error *error);
/* Such a line, or n whole numbers 0 .. 2^31 - 1 separated by blanks: the
 * unbounded model. Exactly n words are n numbers. Release with bperc_free. */
BPERC_API bperc_status bperc_integers_read(const char *path, size_t n,
                                           int32_t **out, bperc_error *error);
/* The same from an open file; close it too. */
BPERC_API bperc_status bperc_integers_from(bperc_file *file, size_t n,
                                           int32_t **out, bperc_error *error);
/* Writes such a line: bits, or integers of the unbounded model; the other one
 * is NULL. The file appears when complete. BPERC_E_IO, BPERC_E_MEMORY. */
BPERC_API bperc_status bperc_weights_write(const char *path,
                                           const bperc_instance *in,
                                           const uint64_t *bits,
                                           const int32_t *integers,
                                           bperc_error *error);
/* The same into a stream that stays open; the caller looks at ferror(stream).
 */
BPERC_API void bperc_weights_print(const bperc_instance *in,
                                   const uint64_t *bits,
                                   const int32_t *integers, FILE *stream);

/* A file that appears under its name only when complete: written beside it and
 * renamed. Devices and pipes are written directly; a symbolic link stays one,
 * unless another user made it: that is refused.
 */
typedef struct {
  FILE *stream;    /* write here */
  char *path;      /* where it goes in the end */
  char *temporary; /* where it is until then; NULL when written directly */
} bperc_output;

/* Opens it; BPERC_E_IO and a sentence where that is not possible. Commit or
 * abandon it. */
BPERC_API bperc_status bperc_output_open(bperc_output *out, const char *path,
                                         bperc_error *error);
/* Closes and renames; on failure nothing is left behind. */
BPERC_API bperc_status bperc_output_commit(bperc_output *out,
                                           bperc_error *error);
BPERC_API void bperc_output_abandon(bperc_output *out); /* after open only */
/* Removes the unfinished files of this process that are open for writing, for a
 * signal handler that ends it: system calls only. */
BPERC_API void bperc_output_remove_unfinished(void);

/* Makes a folder and its parents; one that exists is fine. */
BPERC_API bperc_status bperc_folder_make(const char *path, bperc_error *error);

/* Whether `path` is a symbolic link that another user (not root) made: it could
 * lead anywhere, and nothing is written through it. */
BPERC_API int bperc_output_is_trap(const char *path);

BPERC_C_END

#endif
