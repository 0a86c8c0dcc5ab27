/* A user's table of any kind: an encoding is learnt from it, its rows become
 * an instance, and under the encoding they become the same one again. */
#ifndef BPERC_TESTS_FUZZ_TABLE_H
#define BPERC_TESTS_FUZZ_TABLE_H

#include "bperc/data.h"
#include "instance.h"
#include "io/records.h"

/* -Wl,--wrap: a file of a few bytes can name a column of any number. */
bperc_status __real_bperc_i_source_columns(bperc_i_records *t, size_t columns,
                                           bperc_error *error);
bperc_status __wrap_bperc_i_source_columns(bperc_i_records *t, size_t columns,
                                           bperc_error *error);
bperc_status __wrap_bperc_i_source_columns(bperc_i_records *t, size_t columns,
                                           bperc_error *error) {
  if (columns > 2000)
    return bperc_error_set(error, BPERC_E_LIMIT, "too many columns to fuzz");
  return __real_bperc_i_source_columns(t, columns, error);
}

/* What a user may ask for; the bytes choose. */
static const bperc_data_options fuzz_rules[] = {
    {0},
    {.binarise = "levels=3", .complement = 1},
    {.binarise = "mean", .label = "2"},
    {.binarise = "0.5", .positive = "1,yes", .drop = "a,3"},
    {.label = "y", .positive = "b"},
    {.label = "label", .drop = "x"},
    {.binarise = "levels=0", .label = "nobody"},
    {.positive = "1"},
};

enum { FUZZ_ENCODINGS = 3 };

/* The encodings of models: of instances, of a table with names, and of one
 * whose columns are numbered and whose label is the second. */
static inline const bperc_encoding *fuzz_encoding(int which) {
  static const char head[] = "bperc model 1\nweights 01\nthreshold 1.5\n"
                             "ties zero\ncomplement yes\n";
  static const char *const rest[FUZZ_ENCODINGS] = {
      "zero \"0\" \"0\"\none \"1\" \"1\"\ninputs 2\nbits 0101\nend\n",
      ("label \"label\"\nzero \"no\"\none \"1\" \"1\" \"yes\"\n"
       "column above \"a\" 0.5 2\ncolumn is \"x\" \"red\"\n"
       "column bit \"1\"\nbits 00110101\nend\n"),
      ("label \"2\"\nzero \"0\" \"0\"\none \"1\" \"1\"\n"
       "column above \"1\" 0.5 2\ncolumn bit \"3\"\nbits 001101\nend\n")};
  static bperc_classifier *models[FUZZ_ENCODINGS];
  if (!models[which]) {
    char text[400];
    bperc_error error;
    int size = snprintf(text, sizeof text, "%s%s", head, rest[which]);
    if (bperc_classifier_read(fuzz_file((uint8_t *)text, (size_t)size),
                              &models[which], &error))
      assert(!"a model of the target is wrong");
  }
  return models[which]->encoding;
}

/* Before the first input: a model is a file too. */
static inline void fuzz_prepare(void) {
  for (int k = 0; k < FUZZ_ENCODINGS; k++)
    fuzz_encoding(k);
}

/* Rows under an encoding that was learnt elsewhere. */
static inline void fuzz_encode(const char *path, const bperc_encoding *e) {
  bperc_error error = {BPERC_OK, ""};
  const bperc_model model = {.theta = 1.5};
  bperc_instance *in;
  int labelled;
  bperc_status status =
      bperc_data_encode(path, e, &model, &labelled, &in, &error);
  fuzz_check_answer(status, in, &error);
  if (in) {
    fuzz_check_instance(in);
    assert(in->n == bperc_encoding_inputs(e));
  }
  bperc_instance_free(in);
}

static inline void fuzz_table(const char *path, uint64_t choice) {
  const bperc_data_options *rules = &fuzz_rules[choice % 8];
  bperc_read_options read = {
      .given = BPERC_GIVEN_THRESHOLD, .threshold = 1.5, .most_bytes = 1 << 22};
  bperc_error error = {BPERC_OK, ""};
  bperc_encoding *e = NULL;
  bperc_instance *in, *again;
  bperc_model model;
  int labelled;
  if (choice / 8 % 8 == 0)
    read.given = BPERC_GIVEN_A, read.a = 3;
  bperc_status status = bperc_data_read(path, rules, &read, &e, &in, &error);
  fuzz_check_answer(status, in, &error);
  assert((in != NULL) == (e != NULL));
  for (int k = 0; k < FUZZ_ENCODINGS; k++)
    fuzz_encode(path, fuzz_encoding(k));
  if (!in)
    return;
  fuzz_check_instance(in);
  assert(in->n == bperc_encoding_inputs(e));
  assert(bperc_encoding_label(e, 0) && bperc_encoding_label(e, 1));
  model = bperc_instance_model(in);
  status = bperc_data_encode(path, e, &model, &labelled, &again, &error);
  fuzz_check_answer(status, again, &error);
  assert(again || fuzz_is_faulty());
  if (again && labelled)
    fuzz_check_same(in, again);
  bperc_instance_free(again);
  bperc_instance_free(in);
  bperc_encoding_free(e);
}

#endif
