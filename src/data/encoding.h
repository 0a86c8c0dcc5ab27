/* How the columns of a table become inputs: learnt from the training rows,
 * kept in the model file, applied to every later table by column name. */
#ifndef BPERC_DATA_ENCODING_H
#define BPERC_DATA_ENCODING_H

#include "bperc/data.h"
#include "io/records.h"

typedef enum {
  BPERC_I_BIT,   /* 0 or 1 in training: one input, 1 above one half */
  BPERC_I_ABOVE, /* a number: input k is 1 when it is above cuts[k] */
  BPERC_I_IS,    /* a text: input k is 1 when it equals texts[k] */
} bperc_i_encoding_rule_kind;

typedef struct {
  char *name; /* of the column */
  bperc_i_encoding_rule_kind kind;
  size_t count; /* inputs */
  double *cuts; /* rising */
  char **texts;
  size_t first; /* its first input */
} bperc_i_encoding_rule;

typedef struct {
  char **texts;
  size_t count;
} bperc_i_texts;

struct bperc_encoding {
  bperc_i_encoding_rule *rules;
  size_t count;   /* rules; 0: the inputs are those of an instance file */
  size_t n;       /* inputs before complements */
  int complement; /* input n + i is the negation of input i */
  char *label;    /* name of the label column; NULL without rules */
  char *shown[2]; /* label 0 and 1 as they are printed */
  bperc_i_texts values[2]; /* label values that mean 0 and 1; no value for 0:
                              every other one means 0 */
};

bperc_encoding *bperc_i_encoding_new(size_t rules);
/* Numbers the inputs once all rules are there. */
void bperc_i_encoding_count(bperc_encoding *e);
int bperc_i_texts_add(bperc_i_texts *list, const char *text);
void bperc_i_texts_clear(bperc_i_texts *list);
/* Equal as text or as numbers (1 and 1.0). */
int bperc_i_same_value(const char *a, const char *b);

/* Learns from all rows of an open table, which is left at its start; *rows is
 * how many there are. */
bperc_status bperc_i_encoding_learn(bperc_i_records *table,
                                    const bperc_data_options *options,
                                    size_t *rows, bperc_encoding **out,
                                    bperc_error *error);

/* A table's columns matched with the rules: which column each rule reads. */
typedef struct {
  const bperc_encoding *encoding;
  size_t *column; /* per rule */
  size_t label;   /* column, or SIZE_MAX when the table has none */
} bperc_i_matching;

bperc_status bperc_i_matching_make(const bperc_encoding *e,
                                   const bperc_i_records *table,
                                   bperc_i_matching *out, bperc_error *error);
/* The inputs of the current row into `bits`, which is zero. */
bperc_status bperc_i_encode_row(const bperc_i_matching *m,
                                const bperc_i_records *table, uint64_t *bits,
                                bperc_error *error);
/* The label of the current row. */
bperc_status bperc_i_encode_label(const bperc_i_matching *m,
                                  const bperc_i_records *table, uint8_t *label,
                                  bperc_error *error);
/* Sets bit n + i where bit i is 0, for i < n. */
void bperc_i_complement(uint64_t *bits, size_t n);

#endif
