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
  const char *missing;  /* words for a missing value, separated by commas;
                           default: NA, N/A, NaN, ?, null and a point. A cell
                           without text is always missing */
  int complement;       /* adds the negation of every input as an input;
                           BPERC_COMPLEMENT_NUMBERS: to tables that have a
                           column of numbers */
  size_t levels;      /* K of levels=K where binarise is NULL; 0: the median */
  const char *weight; /* column of the weights of the rows, no input */
  int classes; /* a label may have more than two values: a class for each */
} bperc_data_options;

enum { BPERC_COMPLEMENT_NUMBERS = 2 };

/* A text (or, when empty, a missing value) that a column did not have while the
 * encoding was learnt. */
typedef struct {
  char *column, *text;
  size_t count;
} bperc_unseen;

/* What else is known of a file that was read. */
typedef struct {
  bperc_encoding *encoding; /* that was learnt; NULL where one was given */
  int labelled;             /* 0: the file has no labels, all are 0 */
  uint16_t *classes;        /* m, the class of every row; NULL without labels */
  double *weights;          /* m, of the column asked for; else NULL */
  bperc_unseen *unseen;     /* at most 1000 different ones */
  size_t unseen_count, unseen_cells;
} bperc_data_facts;
BPERC_API void bperc_data_facts_clear(bperc_data_facts *facts);

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
/* The same, and what else is known; facts are cleared by the caller, after a
 * failure too. With more than two classes label 0 is class 0, and label 1 any
 * other. */
BPERC_API bperc_status bperc_data_read_facts(const char *path,
                                             const bperc_data_options *options,
                                             const bperc_read_options *read,
                                             bperc_instance **out,
                                             bperc_data_facts *facts,
                                             bperc_error *error);
/* Reads another file with an encoding that is known. *labelled is 0 when the
 * file has no labels; then all labels are 0. Instance files without labels are
 * rows of inputs alone, with or without a header, or pairs index:1. */
BPERC_API bperc_status bperc_data_encode(const char *path,
                                         const bperc_encoding *encoding,
                                         const bperc_model *model,
                                         int *labelled, bperc_instance **out,
                                         bperc_error *error);
/* The same, with a count of what training has not seen: such a text is taken
 * as a missing value. */
BPERC_API bperc_status bperc_data_encode_facts(
    const char *path, const bperc_encoding *encoding, const bperc_model *model,
    bperc_instance **out, bperc_data_facts *facts, bperc_error *error);
BPERC_API void bperc_encoding_free(bperc_encoding *encoding); /* NULL is fine */

/* Inputs that the encoding makes, complements included. */
BPERC_API size_t bperc_encoding_inputs(const bperc_encoding *encoding);
/* Whether the second half of them are the negations of the first. */
BPERC_API int bperc_encoding_complements(const bperc_encoding *encoding);
/* What an input says, such as "age > 42.5" or "employment = none": cut to
 * `size`, with its full length as the result. */
BPERC_API size_t bperc_encoding_input_name(const bperc_encoding *encoding,
                                           size_t input, char *out,
                                           size_t size);
/* Two, or the number of classes. */
BPERC_API size_t bperc_encoding_classes(const bperc_encoding *encoding);
/* A label (a class) as the training file wrote it. */
BPERC_API const char *bperc_encoding_label(const bperc_encoding *encoding,
                                           int label);

/* One perceptron of a model: output 1 where the sum is above the threshold. */
typedef struct {
  uint64_t *weights; /* bit vector of n bits */
  double threshold, kappa;
  double slope, offset; /* the chance of output 1 is
                           1 / (1 + exp(-offset - slope (sum - threshold))) */
  int8_t *code; /* per class: 1 or -1, the output that it wants; 0: none. NULL
                   of two classes: class 1 wants output 1 */
} bperc_unit;

/* Which outputs the classes want. */
typedef enum {
  BPERC_SCHEME_TWO,   /* two classes, one perceptron */
  BPERC_SCHEME_REST,  /* one class against the rest */
  BPERC_SCHEME_PAIRS, /* one class against one other */
  BPERC_SCHEME_BITS,  /* an error-correcting code of bits */
} bperc_scheme;
BPERC_API const char *bperc_scheme_name(bperc_scheme scheme);

/* Weights and everything that is needed to use them on new rows. */
typedef struct {
  bperc_encoding *encoding;
  bperc_model model;
  size_t n;             /* inputs, complements included */
  uint64_t *weights;    /* of two classes: bit vector of n bits */
  char *source;         /* where it came from, one line; may be NULL */
  int linked;           /* whether there are slopes and offsets */
  double slope, offset; /* of two classes */
  bperc_scheme scheme;
  bperc_unit *units; /* of more than two classes, else NULL */
  size_t unit_count;
  double sharpness; /* of the classes' probabilities, see
                       bperc_classifier_decide */
} bperc_classifier;

/* What an exporter needs besides bperc_encoding_input_name. Two classes have
 * one unit, whose code is NULL. */
BPERC_API size_t bperc_classifier_classes(const bperc_classifier *c);
BPERC_API size_t bperc_classifier_units(const bperc_classifier *c);
BPERC_API bperc_unit bperc_classifier_unit(const bperc_classifier *c,
                                           size_t unit);
/* The class of every pattern of an instance that the model's encoding made. A
 * class's score is the sum over the units that want something of it of the
 * logarithm of the chance of what it wants; the largest score wins, the first
 * of equal ones. Without links slope is 1 and offset 0. Probabilities are
 * proportional to exp(sharpness * score). Of two classes the score is sum minus
 * threshold, and class 1 is where it is above 0. NULL: not wanted; scores are m
 * (two classes) or m x classes, probabilities m x classes. */
BPERC_API bperc_status bperc_classifier_decide(const bperc_classifier *c,
                                               const bperc_instance *in,
                                               uint16_t *classes,
                                               double *scores,
                                               double *probabilities);

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
