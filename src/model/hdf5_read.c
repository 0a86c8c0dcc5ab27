/* HDF5 instances: /patterns M x N and /labels M of whole numbers, attributes
 * A, threshold, kappa, weights of the file (or of /patterns). Whatever the
 * program that reads the file says is checked here. */
#include "model/formats.h"

#include "hdf5/file.h"
#include "model/pack.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  const bperc_read_options *options;
  bperc_i_h5 *file;
  bperc_instance *in;
  int is_signed; /* bytes of patterns may be -1 */
} reader;

static bperc_status bad(bperc_error *error, const char *set, const char *what) {
  return bperc_error_set(error, BPERC_E_FORMAT, "%s%s", set, what);
}

/* ---- what the file says about itself */

/* A dataset of whole numbers, all there. */
static bperc_status look(reader *r, const char *set, unsigned rank,
                         bperc_i_h5_info *info, bperc_error *error) {
  bperc_status status = bperc_i_h5_look(r->file, set, info, error);
  if (status != BPERC_OK)
    return status;
  if (info->state == BPERC_I_H5_MISSING)
    return bad(error, set, " is missing");
  if (info->state == BPERC_I_H5_NO_SET)
    return bad(error, set, " is not a dataset");
  if (info->state != BPERC_I_H5_GOOD)
    return bad(error, set, " cannot be opened: the file is damaged");
  if (info->rank != rank)
    return bad(error, set,
               rank == 2 ? " must have two dimensions, M x N"
                         : " must have one dimension, M");
  if (!info->whole)
    return bad(error, set, " must hold whole numbers (uint8 or int8)");
  if (!info->readable)
    return bad(error, set,
               " has a layout that cannot be read, or chunks of more than 256 "
               "MiB");
  return BPERC_OK;
}

/* An attribute of the file, or else of /patterns. */
static bperc_status ask(reader *r, const char *name, bperc_i_h5_attribute *out,
                        bperc_error *error) {
  bperc_status status = bperc_i_h5_ask(r->file, "/", name, out, error);
  if (status == BPERC_OK && out->kind == BPERC_I_H5_ABSENT)
    status = bperc_i_h5_ask(r->file, "patterns", name, out, error);
  return status;
}

/* One number; *there is 0 when there is no such attribute. */
static bperc_status ask_number(reader *r, const char *name, double *value,
                               int *there, bperc_error *error) {
  bperc_i_h5_attribute found;
  bperc_status status = ask(r, name, &found, error);
  *there = status == BPERC_OK && found.kind != BPERC_I_H5_ABSENT;
  if (*there && found.kind != BPERC_I_H5_NUMBER)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "the attribute %s must be one number", name);
  if (*there)
    *value = found.real;
  return status;
}

static bperc_status ask_weights(reader *r, bperc_model *model,
                                bperc_error *error) {
  bperc_i_h5_attribute found;
  bperc_status status = ask(r, "weights", &found, error);
  if (status != BPERC_OK || found.kind == BPERC_I_H5_ABSENT)
    return status;
  if (found.kind == BPERC_I_H5_STRING && strcmp(found.text, "pm") == 0)
    model->weights = BPERC_WEIGHTS_PM;
  else if (found.kind != BPERC_I_H5_STRING || strcmp(found.text, "01") != 0)
    return bad(error, "", "the attribute weights must be the text 01 or pm");
  return BPERC_OK;
}

static bperc_status ask_model(reader *r, size_t n, bperc_model *model,
                              bperc_error *error) {
  int direct = 0, has_a = 0, has_kappa;
  bperc_status status =
      ask_number(r, "threshold", &model->theta, &direct, error);
  if (status == BPERC_OK)
    status = ask_number(r, "A", &model->a, &has_a, error);
  if (status == BPERC_OK)
    status = ask_number(r, "kappa", &model->kappa, &has_kappa, error);
  if (status == BPERC_OK)
    status = ask_weights(r, model, error);
  if (status != BPERC_OK)
    return status;
  if (!has_a && !direct)
    return bad(error, "", "the attribute A is missing");
  if (direct && has_a && model->a != 0)
    return bad(error, "",
               "with an attribute threshold the attribute A must be 0");
  if (!direct && (!(model->a > 0) || !isfinite(model->a) ||
                  !((double)n / model->a < 1e15)))
    return bad(error, "",
               "the attribute A must be positive with N/A below 1e15");
  return BPERC_OK;
}

/* ---- values */

/* Bytes -1, 0, 1 of one row; returns how many were good. */
static size_t pack_signs(const bperc_instance *in, size_t mu, size_t at,
                         const unsigned char *bytes, size_t count) {
  size_t k = 0;
  for (; k < count; k++) {
    size_t to = mu * in->words + (at + k) / 64;
    uint64_t one = (uint64_t)1 << ((at + k) % 64);
    if (bytes[k] > 1 && bytes[k] != 0xff)
      break;
    if (bytes[k] == 1)
      in->patterns[to] |= one;
    if (bytes[k])
      in->support[to] |= one;
  }
  return k;
}

/* A piece of row mu; the first -1 makes the instance a signed one. */
static bperc_status take_row(const reader *r, size_t mu, size_t at,
                             const unsigned char *bytes, size_t count,
                             bperc_error *error) {
  bperc_instance *in = r->in;
  bperc_status status = BPERC_OK;
  size_t good = 0;
  if (!in->support)
    good = bperc_i_pack(bytes, count, 0, in->patterns + mu * in->words, at);
  if (!in->support && good < count && r->is_signed && bytes[good] == 0xff)
    status = bperc_i_read_signed("patterns", in, error);
  if (status == BPERC_OK && in->support)
    good += pack_signs(in, mu, at + good, bytes + good, count - good);
  if (status == BPERC_OK && good < count)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "/patterns[%zu, %zu] is not %s", mu, at + good,
                           r->is_signed ? "-1, 0 or 1" : "0 or 1");
  return status;
}

static bperc_status take_patterns(void *context, const uint64_t *start,
                                  const uint64_t *count, const void *values,
                                  bperc_error *error) {
  const unsigned char *bytes = values;
  bperc_status status = BPERC_OK;
  for (size_t k = 0; k < count[0] && status == BPERC_OK; k++)
    status = take_row(context, (size_t)start[0] + k, (size_t)start[1],
                      bytes + k * count[1], (size_t)count[1], error);
  return status;
}

static bperc_status take_labels(void *context, const uint64_t *start,
                                const uint64_t *count, const void *values,
                                bperc_error *error) {
  const reader *r = context;
  const unsigned char *bytes = values;
  for (size_t k = 0; k < count[0]; k++) {
    if (bytes[k] > 1)
      return bperc_error_set(error, BPERC_E_FORMAT,
                             "/labels[%zu] is not 0 or 1",
                             (size_t)start[0] + k);
    r->in->labels[start[0] + k] = bytes[k];
  }
  return BPERC_OK;
}

/* Data that is not packed takes its full size in the file. */
static bperc_status read_patterns(reader *r, const bperc_i_h5_info *info,
                                  bperc_error *error) {
  if (info->dims[0] == 0)
    return BPERC_OK;
  if (info->stored == 0 || info->stored > info->file_size)
    return bad(error, "patterns", " is not all there: the file is truncated");
  return bperc_i_h5_read(r->file, "patterns", info,
                         r->is_signed ? BPERC_I_H5_I8 : BPERC_I_H5_U8,
                         take_patterns, r, error);
}

static bperc_status read_labels(reader *r, bperc_error *error) {
  bperc_i_h5_info info;
  bperc_status status = look(r, "labels", 1, &info, error);
  if (status != BPERC_OK)
    return status;
  if (info.dims[0] != r->in->m)
    return bad(error, "labels",
               " must have one value for each of the patterns");
  return bperc_i_h5_read(r->file, "labels", &info,
                         info.is_signed ? BPERC_I_H5_I8 : BPERC_I_H5_U8,
                         take_labels, r, error);
}

/* The instance with its sizes and model: sentences here name the file. */
static bperc_status make_instance(reader *r, const bperc_i_h5_info *info,
                                  const bperc_model *model,
                                  bperc_error *error) {
  size_t m = (size_t)info->dims[0], n = (size_t)info->dims[1];
  bperc_status status = bperc_i_read_agrees(r->name, n, r->options, error);
  return status == BPERC_OK
             ? bperc_i_read_new(r->name, n, m, model, r->options, &r->in, error)
             : status;
}

static bperc_status read_shape(reader *r, bperc_i_h5_info *info,
                               bperc_model *model, bperc_error *error) {
  bperc_status status = look(r, "patterns", 2, info, error);
  if (status != BPERC_OK)
    return status;
  if (info->dims[1] < 1 || info->dims[1] > BPERC_MOST_WEIGHTS ||
      info->dims[0] > BPERC_MOST_PATTERNS)
    return bad(error, "patterns", " must be M x N, N from 1, both to 2^32");
  r->is_signed = info->is_signed != 0;
  return ask_model(r, (size_t)info->dims[1], model, error);
}

bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  reader r = {.name = name, .options = options};
  bperc_model model = {.weights = BPERC_WEIGHTS_01};
  bperc_i_h5_info info;
  bperc_error inner;
  bperc_status status = bperc_i_h5_open(file, &r.file, &inner);
  if (status == BPERC_OK)
    status = read_shape(&r, &info, &model, &inner);
  if (status == BPERC_OK) {
    status = make_instance(&r, &info, &model, error);
    if (status != BPERC_OK)
      goto done;
    status = read_patterns(&r, &info, &inner);
  }
  if (status == BPERC_OK)
    status = read_labels(&r, &inner);
  if (status != BPERC_OK)
    bperc_error_set(error, status, "%s: %s", name, inner.text);
done:
  bperc_i_h5_free(r.file);
  *out = r.in;
  return status;
}
