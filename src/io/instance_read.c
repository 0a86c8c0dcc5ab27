/* Reading instance files, and what all readers share. */
#include "io/formats.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/number.h"
#include "base/options.h"
#include "io/recognise.h"
#include "model/bit_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bperc_status bperc_i_read_agrees(const char *where, size_t n,
                                 const bperc_read_options *options,
                                 bperc_error *error) {
  if (!options->n || options->n == n)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s: N is %zu here and %zu was asked for (`n` is for "
                         "svmlight files)",
                         where, n, options->n);
}

/* The file's model with what the caller says instead. */
static bperc_model override(bperc_model model,
                            const bperc_read_options *options) {
  model.ties = options->ties;
  if (options->given & (BPERC_GIVEN_A | BPERC_GIVEN_THRESHOLD)) {
    model.a = options->given & BPERC_GIVEN_A ? options->a : 0;
    model.theta = options->threshold;
  }
  if (options->given & BPERC_GIVEN_KAPPA)
    model.kappa = options->kappa;
  if (options->given & BPERC_GIVEN_BAND)
    model.band = options->band;
  if (options->given & BPERC_GIVEN_WEIGHTS)
    model.weights = options->weights;
  return model;
}

bperc_status bperc_i_read_new(const char *where, size_t n, size_t m,
                              const bperc_model *model,
                              const bperc_read_options *options,
                              bperc_instance **out, bperc_error *error) {
  bperc_error inner;
  bperc_status status;
  bperc_model final = override(*model, options);
  double bytes = (double)m * (double)bperc_i_words(n) * sizeof(uint64_t);
  if (options->most_bytes && bytes > (double)options->most_bytes)
    return bperc_error_set(error, BPERC_E_LIMIT,
                           "%s: %zu patterns of %zu bits need more than the "
                           "%zu bytes allowed",
                           where, m, n, options->most_bytes);
  status = bperc_instance_new(n, m, &final, out, &inner);
  if (status == BPERC_OK)
    return status;
  if (status == BPERC_E_ARGUMENT)
    status = BPERC_E_FORMAT; /* the file's values are out of range */
  return bperc_error_set(error, status, "%s: %s", where, inner.text);
}

bperc_status bperc_i_read_signed(const char *where, bperc_instance *in,
                                 bperc_error *error) {
  size_t bytes = in->words * sizeof *in->support;
  in->support = bperc_i_alloc(in->m, bytes);
  if (!in->support)
    return bperc_error_set(error, BPERC_E_MEMORY,
                           "%s: no memory for %zu signed patterns", where,
                           in->m);
  memcpy(in->support, in->patterns, in->m * bytes);
  in->inputs = BPERC_INPUTS_SIGNED;
  return BPERC_OK;
}

int bperc_i_model_set(bperc_model *model, const char *name, size_t length,
                      const char *value, int *threshold) {
  char *end;
  double number = bperc_i_strtod(value, &end);
  int is_number = end != value && !*end && isfinite(number);
  if (length == 7 && memcmp(name, "weights", 7) == 0) {
    model->weights =
        strcmp(value, "pm") == 0 ? BPERC_WEIGHTS_PM : BPERC_WEIGHTS_01;
    return strcmp(value, bperc_weights_name(model->weights)) == 0;
  }
  if (length == 9 && memcmp(name, "threshold", 9) == 0) {
    model->theta = number;
    *threshold = 1;
    return is_number;
  }
  if (length == 4 && memcmp(name, "band", 4) == 0) {
    model->band = number;
    return is_number && number > 0;
  }
  if (length != 5 || memcmp(name, "kappa", 5) != 0)
    return 0;
  model->kappa = number;
  return is_number;
}

/* Without zeros nobody needs the support. */
static void drop_support(bperc_instance *in) {
  uint64_t tail = bperc_i_tail_mask(in->n);
  for (size_t k = 0; k < in->m * in->words; k++)
    if (in->support[k] != ((k + 1) % in->words ? ~(uint64_t)0 : tail))
      return;
  bperc_i_free(in->support);
  in->support = NULL;
  in->inputs = BPERC_INPUTS_PM;
}

static bperc_status read_hdf5(bperc_file *file,
                              const bperc_read_options *options,
                              bperc_instance **out, bperc_error *error) {
  const char *name;
  bperc_status status = bperc_i_file_name(file, &name, error);
  return status == BPERC_OK
             ? bperc_i_hdf5_read(name, file->lines.path, options, out, error)
             : status;
}

static bperc_status read_by_kind(bperc_file *file,
                                 const bperc_read_options *options,
                                 bperc_instance **out, bperc_error *error) {
  bperc_i_lines *lines = &file->lines;
  bperc_status status;
  int more;
  if (file->kind == BPERC_FILE_HDF5)
    return read_hdf5(file, options, out, error);
  status = bperc_i_lines_next(lines, &more, error);
  if (status != BPERC_OK)
    return status;
  if (!more && !lines->remark[0])
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: there is no instance in it: the file is empty",
                           lines->path);
  switch (file->kind) {
  case BPERC_FILE_TEXT:
    return bperc_i_text_read(lines, options, out, error);
  case BPERC_FILE_BARE:
    return bperc_i_text_read_bare(lines, options, out, error);
  case BPERC_FILE_SVMLIGHT:
  case BPERC_FILE_SVMLIGHT_VALUES: /* says which value is wrong */
    return bperc_i_svmlight_read(lines, options, out, error);
  default:
    return bperc_i_lines_bad(lines, error,
                             "this is neither a header 'N M A' of our text "
                             "format nor a line 'label index:1 ...' of "
                             "svmlight");
  }
}

bperc_status bperc_i_instance_from(bperc_file *file,
                                   const bperc_read_options *options,
                                   bperc_instance **out, bperc_error *error) {
  bperc_status status;
  *out = NULL;
  if (options->labelled)
    *options->labelled = 1;
  if ((options->given & BPERC_GIVEN_A) &&
      (options->given & BPERC_GIVEN_THRESHOLD))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "give A or the threshold, not both");
  status = read_by_kind(file, options, out, error);
  if (status == BPERC_OK && (*out)->support)
    drop_support(*out);
  if (status == BPERC_OK && bperc_i_instance_bounds(*out) != BPERC_OK)
    status = bperc_error_set(error, BPERC_E_MEMORY,
                             "%s: no memory for the bounds of %zu patterns",
                             file->lines.path, (*out)->m);
  if (status == BPERC_OK) {
    bperc_instance_update_bounds(*out);
  } else {
    bperc_instance_free(*out);
    *out = NULL;
  }
  return status;
}

bperc_status bperc_instance_read(const char *path,
                                 const bperc_read_options *given,
                                 bperc_instance **out, bperc_error *error) {
  bperc_read_options options;
  bperc_i_file_hints hints = {0};
  bperc_file file;
  bperc_status status;
  *out = NULL;
  bperc_i_options_plain(sizeof options, given, &options);
  hints.labelled = !options.labelled;
  hints.n = options.n;
  status = bperc_i_file_open(path, &hints, &file, error);
  if (status != BPERC_OK)
    return status;
  status = bperc_i_instance_from(&file, &options, out, error);
  bperc_i_file_close(&file);
  return status;
}
