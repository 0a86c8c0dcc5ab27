/* Users' own tables: CSV and TSV, svmlight with values, NumPy arrays.
 *
 * A table becomes an instance through an encoding, which says for every column
 * how its values turn into inputs 0/1. It is learnt from the training rows and
 * applied unchanged to later rows: quantiles of test data are never looked at.
 * Files in the formats of bperc/io.h are read as they are.
 */
#ifndef BPERC_DATA_H
#define BPERC_DATA_H

#include "bperc/io.h"

BPERC_C_BEGIN

typedef struct bperc_encoding bperc_encoding;

/* NULL and 0 mean the default. */
typedef struct {
  const char *label;    /* column by name or by number from 1; default: the
                           one called "label", else the first */
  const char *positive; /* label values that count as 1, separated by commas;
                           the others count as 0. Default: of two values the
                           larger number, or the second in order */
  const char *binarise; /* of numbers: "median" (default), "mean", a number,
                           or "levels=K": a thermometer of K quantiles */
  const char *drop;     /* columns that are not used, separated by commas */
  int complement;       /* adds the negation of every input as an input */
} bperc_data_options;

/* Reads a table or an instance file, the one way of all commands, and learns
 * the encoding (encoding NULL: it is not wanted). read says what stands instead
 * of the file's model; a table has none, so A or the threshold must be given.
 * Options other than complement are refused for instance files. Release both
 * results. */
BPERC_API bperc_status bperc_data_read(const char *path,
                                       const bperc_data_options *options,
                                       const bperc_read_options *read,
                                       bperc_encoding **encoding,
                                       bperc_instance **out,
                                       bperc_error *error);
/* Reads another file with an encoding that is known. *labelled is 0 when the
 * file has no labels; then all labels are 0. Instance files without labels are
 * rows of inputs alone, with or without a header, or pairs index:1. */
BPERC_API bperc_status bperc_data_encode(const char *path,
                                         const bperc_encoding *encoding,
                                         const bperc_model *model,
                                         int *labelled, bperc_instance **out,
                                         bperc_error *error);
BPERC_API void bperc_encoding_free(bperc_encoding *encoding); /* NULL is fine */

/* Inputs that the encoding makes, complements included. */
BPERC_API size_t bperc_encoding_inputs(const bperc_encoding *encoding);
/* Label 0 or 1 as the training file wrote it. */
BPERC_API const char *bperc_encoding_label(const bperc_encoding *encoding,
                                           int label);

/* Weights and everything that is needed to use them on new rows. */
typedef struct {
  bperc_encoding *encoding;
  bperc_model model;
  size_t n;          /* inputs, complements included */
  uint64_t *weights; /* bit vector of n bits */
  char *source;      /* where it came from, one line; may be NULL */
} bperc_classifier;

/* A model file: plain text, docs/formats.md. Appears when complete; "-" is
 * standard output. */
BPERC_API bperc_status bperc_classifier_write(const bperc_classifier *c,
                                              const char *path,
                                              bperc_error *error);
BPERC_API bperc_status bperc_classifier_read(const char *path,
                                             bperc_classifier **out,
                                             bperc_error *error);
/* The same from an open file of this kind (bperc/io.h); close it too. */
BPERC_API bperc_status bperc_classifier_from(bperc_file *file,
                                             bperc_classifier **out,
                                             bperc_error *error);
BPERC_API void bperc_classifier_free(bperc_classifier *c); /* NULL is fine */

BPERC_C_END

#endif
