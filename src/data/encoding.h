/* How the columns of a table become inputs: learnt from the training rows,
 * kept in the model file, applied to every later table by column name. */
#ifndef BPERC_DATA_ENCODING_H
#define BPERC_DATA_ENCODING_H

#include "bperc/data.h"
#include "io/records.h"

typedef enum {
  BPERC_I_BIT,     /* 0 or 1 in training: one input, 1 above one half */
  BPERC_I_ABOVE,   /* a number: input k is 1 when it is above cuts[k] */
  BPERC_I_IS,      /* a text: input k is 1 when it equals texts[k] */
  BPERC_I_MISSING, /* one input: the column has no value here */
} bperc_i_encoding_rule_kind;

typedef struct {
  char *name; /* of the column */
  bperc_i_encoding_rule_kind kind;
  size_t count; /* inputs */
  double *cuts; /* rising */
  char **texts;
  size_t first;    /* its first input */
  int saw_missing; /* the next rule is its missing value */
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
  size_t classes; /* two or more */
  char **shown;   /* of each class: the label as it is printed */
  bperc_i_texts *values; /* of each class: label values that mean it; none for
                            class 0 of two: every other one means it */
  bperc_i_missing_words missing;
};

bperc_encoding *bperc_i_encoding_new(size_t rules);
/* Makes this many classes of one that has none; 0: no memory. */
int bperc_i_encoding_classes(bperc_encoding *e, size_t classes);
/* Numbers the inputs once all rules are there. */
void bperc_i_encoding_count(bperc_encoding *e);
int bperc_i_texts_add(bperc_i_texts *list, const char *text);
void bperc_i_texts_clear(bperc_i_texts *list);
/* Equal as text or as numbers (1 and 1.0). */
int bperc_i_same_value(const char *a, const char *b);

/* A column by name, else by number from 1; SIZE_MAX: there is none. */
size_t bperc_i_column_called(const bperc_i_records *t, const char *name);
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
  size_t weight;  /* the same of the rows' weights */
} bperc_i_matching;

bperc_status bperc_i_matching_make(const bperc_encoding *e,
                                   const bperc_i_records *table,
                                   bperc_i_matching *out, bperc_error *error);
/* The inputs of the current row into `bits`, which is zero. What training has
 * not seen is noted in `facts` (NULL: nobody asks) and taken as missing. */
bperc_status bperc_i_encode_row(const bperc_i_matching *m,
                                const bperc_i_records *table, uint64_t *bits,
                                bperc_data_facts *facts, bperc_error *error);
/* The class of the current row. */
bperc_status bperc_i_encode_label(const bperc_i_matching *m,
                                  const bperc_i_records *table, uint16_t *label,
                                  bperc_error *error);
/* Sets bit n + i where bit i is 0, for i < n. */
void bperc_i_complement(uint64_t *bits, size_t n);

#endif
