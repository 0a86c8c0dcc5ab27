/* HDF5 instances: /bits M x ceil(N/8) and the attribute N, or /patterns M x N
 * of whole numbers; /labels M; attributes A, threshold, kappa, weights of the
 * file (or of /patterns). Whatever the program that reads the file says is
 * checked here. */
#include "io/formats.h"

#include "base/bits.h"
#include "io/hdf5_file.h"
#include "io/pack.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  const bperc_read_options *options;
  bperc_i_h5 *file;
  bperc_instance *in;
  int packed;    /* /bits, not /patterns */
  int is_signed; /* bytes of patterns may be -1 */
  int inputs;    /* bperc_inputs of packed patterns */
} reader;

static bperc_status bad_dataset(bperc_error *error, const char *set,
                                const char *what) {
  return bperc_error_set(error, BPERC_E_FORMAT, "%s%s", set, what);
}

/* ---- what the file says about itself */

/* No compression makes values that much smaller. */
#define LARGEST_RATIO 65536

static bool is_bomb(const bperc_i_h5_info *info) {
  double columns = info->rank == 2 ? (double)info->dims[1] : 1;
  return (double)info->dims[0] * columns * info->bytes >
         LARGEST_RATIO * (double)(info->stored + 1);
}

/* A dataset of whole numbers, all there. */
static bperc_status look_at_dataset(reader *r, const char *set, unsigned rank,
                                    bperc_i_h5_info *info, bperc_error *error) {
  bperc_status status = bperc_i_h5_look(r->file, set, info, error);
  if (status != BPERC_OK)
    return status;
  if (info->state == BPERC_I_H5_MISSING)
    return bad_dataset(error, set, " is missing");
  if (info->state == BPERC_I_H5_NO_SET)
    return bad_dataset(error, set, " is not a dataset");
  if (info->state == BPERC_I_H5_ELSEWHERE)
    return bad_dataset(error, set,
                       " lies in another file, and other files are not read");
  if (info->state != BPERC_I_H5_GOOD)
    return bad_dataset(error, set, " cannot be opened: the file is damaged");
  if (info->rank != rank)
    return bad_dataset(error, set,
                       rank == 2 ? " must have two dimensions, M x N"
                                 : " must have one dimension, M");
  if (!info->whole)
    return bad_dataset(error, set, " must hold whole numbers (uint8 or int8)");
  if (is_bomb(info))
    return bad_dataset(
        error, set, " says that it has far more values than the file can hold");
  if (!info->readable)
    return bad_dataset(
        error, set,
        " has a layout that cannot be read, or chunks of more than 256 "
        "MiB");
  return BPERC_OK;
}

/* An attribute of the file, or else of /patterns. */
static bperc_status ask(reader *r, const char *name, bperc_i_h5_attribute *out,
                        bperc_error *error) {
  bperc_status status = bperc_i_h5_ask(r->file, "/", name, out, error);
  if (status == BPERC_OK && out->kind == BPERC_I_H5_ABSENT)
    status = bperc_i_h5_ask(r->file, r->packed ? "bits" : "patterns", name, out,
                            error);
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

/* A text that is one of the words (its index), or 0 without the attribute. */
static bperc_status ask_word(reader *r, const char *name,
                             const char *const *words, const char *what,
                             int *value, bperc_error *error) {
  bperc_i_h5_attribute found;
  bperc_status status = ask(r, name, &found, error);
  *value = 0;
  if (status != BPERC_OK || found.kind == BPERC_I_H5_ABSENT)
    return status;
  for (int k = 0; words[k] && found.kind == BPERC_I_H5_STRING; k++)
    if (strcmp(found.text, words[k]) == 0) {
      *value = k;
      return BPERC_OK;
    }
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "the attribute %s must be the text %s", name, what);
}

static bperc_status ask_weights(reader *r, bperc_model *model,
                                bperc_error *error) {
  static const char *const words[] = {"01", "pm", NULL};
  int pm;
  bperc_status status = ask_word(r, "weights", words, "01 or pm", &pm, error);
  model->weights = pm ? BPERC_WEIGHTS_PM : BPERC_WEIGHTS_01;
  return status;
}

static bperc_status ask_model(reader *r, size_t n, bperc_model *model,
                              bperc_error *error) {
  int direct = 0, has_a = 0, has_kappa, has_band;
  bperc_status status =
      ask_number(r, "threshold", &model->theta, &direct, error);
  if (status == BPERC_OK)
    status = ask_number(r, "A", &model->a, &has_a, error);
  if (status == BPERC_OK)
    status = ask_number(r, "kappa", &model->kappa, &has_kappa, error);
  if (status == BPERC_OK)
    status = ask_number(r, "band", &model->band, &has_band, error);
  if (status == BPERC_OK)
    status = ask_weights(r, model, error);
  if (status != BPERC_OK)
    return status;
  if (!has_a && !direct)
    return bad_dataset(error, "", "the attribute A is missing");
  if (direct && has_a && model->a != 0)
    return bad_dataset(error, "",
                       "with an attribute threshold the attribute A must be 0");
  if (!direct && (!(model->a > 0) || !isfinite(model->a) ||
                  !((double)n / model->a < 1e15)))
    return bad_dataset(error, "",
                       "the attribute A must be positive with N/A below 1e15");
  return BPERC_OK;
}

/* ---- values */

/* Bytes -1, 0, 1 of one row; returns how many were good. */
static size_t pack_hdf5_signs(const bperc_instance *in, size_t mu, size_t at,
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
    good += pack_hdf5_signs(in, mu, at + good, bytes + good, count - good);
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

/* ---- packed: bit j of a pattern is bit j % 8 of byte j / 8 */

typedef struct {
  const reader *r;
  const char *name;
  uint64_t *rows; /* where they go */
  uint8_t rest;   /* bits of the last byte that are beyond N */
} unpacking;

static void put_bytes(uint64_t *row, size_t at, const uint8_t *bytes,
                      size_t count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy((uint8_t *)row + at, bytes, count);
#else
  for (size_t k = 0; k < count; k++)
    row[(at + k) / 8] |= (uint64_t)bytes[k] << ((at + k) % 8 * 8);
#endif
}

static bperc_status take_packed_bits(void *context, const uint64_t *start,
                                     const uint64_t *count, const void *values,
                                     bperc_error *error) {
  const unpacking *u = context;
  const bperc_instance *in = u->r->in;
  size_t last = (in->n - 1) / 8;
  for (size_t k = 0; k < count[0]; k++) {
    const uint8_t *bytes = (const uint8_t *)values + k * count[1];
    size_t mu = (size_t)start[0] + k, at = (size_t)start[1];
    if (at + count[1] > last && bytes[last - at] & u->rest)
      return bperc_error_set(error, BPERC_E_FORMAT,
                             "/%s[%zu, %zu] has a bit beyond N = %zu", u->name,
                             mu, last, in->n);
    put_bytes(u->rows + mu * in->words, at, bytes, (size_t)count[1]);
  }
  return BPERC_OK;
}

/* One dataset of packed rows, all there. */
static bperc_status read_packed(reader *r, const char *name,
                                const bperc_i_h5_info *info, uint64_t *rows,
                                bperc_error *error) {
  size_t n = r->in->n;
  unpacking u = {r, name, rows, n % 8 ? (uint8_t)(0xff << n % 8) : (uint8_t)0};
  if (info->stored == 0 || info->stored > info->file_size)
    return bad_dataset(error, name, " is not all there: the file is truncated");
  return bperc_i_h5_read(r->file, name, info, BPERC_I_H5_U8, take_packed_bits,
                         &u, error);
}

/* Which inputs are not 0, for signed ones; a bit 1 needs an input. */
static bperc_status read_support(reader *r, bperc_error *error) {
  bperc_instance *in = r->in;
  bperc_i_h5_info info;
  bperc_status status = look_at_dataset(r, "support", 2, &info, error);
  if (status != BPERC_OK)
    return status;
  if (info.dims[0] != in->m || info.dims[1] != (in->n + 7) / 8 ||
      info.bytes != 1)
    return bad_dataset(error, "support", " must be bytes like bits");
  status = bperc_i_read_signed("support", in, error);
  if (status != BPERC_OK || !in->m)
    return status;
  memset(in->support, 0, in->m * in->words * sizeof *in->support);
  status = read_packed(r, "support", &info, in->support, error);
  for (size_t k = 0; k < in->m * in->words && status == BPERC_OK; k++)
    if (in->patterns[k] & ~in->support[k])
      return bperc_error_set(error, BPERC_E_FORMAT,
                             "bits has a 1 in pattern %zu where support has a "
                             "0",
                             k / in->words);
  return status;
}

/* All inputs are -1 or 1. */
static bperc_status fill_support(reader *r, bperc_error *error) {
  bperc_instance *in = r->in;
  uint64_t tail = bperc_i_tail_mask(in->n);
  bperc_status status = bperc_i_read_signed("bits", in, error);
  for (size_t k = 0; k < in->m * in->words && status == BPERC_OK; k++)
    in->support[k] = (k + 1) % in->words ? ~(uint64_t)0 : tail;
  return status;
}

static bperc_status read_packed_bits(reader *r, const bperc_i_h5_info *info,
                                     bperc_error *error) {
  bperc_status status = BPERC_OK;
  if (r->in->m)
    status = read_packed(r, "bits", info, r->in->patterns, error);
  if (status == BPERC_OK && r->inputs == BPERC_INPUTS_SIGNED)
    status = read_support(r, error);
  if (status == BPERC_OK && r->inputs == BPERC_INPUTS_PM)
    status = fill_support(r, error);
  return status;
}

/* ---- together */

/* Data that is not compressed takes its full size in the file. */
static bperc_status read_hdf5_patterns(reader *r, const bperc_i_h5_info *info,
                                       bperc_error *error) {
  if (r->packed)
    return read_packed_bits(r, info, error);
  if (info->dims[0] == 0)
    return BPERC_OK;
  if (info->stored == 0 || info->stored > info->file_size)
    return bad_dataset(error, "patterns",
                       " is not all there: the file is truncated");
  return bperc_i_h5_read(r->file, "patterns", info,
                         r->is_signed ? BPERC_I_H5_I8 : BPERC_I_H5_U8,
                         take_patterns, r, error);
}

static bperc_status read_labels(reader *r, bperc_error *error) {
  bperc_i_h5_info info;
  bperc_status status = look_at_dataset(r, "labels", 1, &info, error);
  if (status != BPERC_OK)
    return status;
  if (info.dims[0] != r->in->m)
    return bad_dataset(error, "labels",
                       " must have one value for each of the patterns");
  return bperc_i_h5_read(r->file, "labels", &info,
                         info.is_signed ? BPERC_I_H5_I8 : BPERC_I_H5_U8,
                         take_labels, r, error);
}

/* The instance with its sizes and model: sentences here name the file. */
static bperc_status make_instance(reader *r, size_t m, size_t n,
                                  const bperc_model *model,
                                  bperc_error *error) {
  bperc_status status = bperc_i_read_agrees(r->name, n, r->options, error);
  return status == BPERC_OK
             ? bperc_i_read_new(r->name, n, m, model, r->options, &r->in, error)
             : status;
}

/* N of packed patterns, which fits the width. */
static bperc_status ask_packed(reader *r, const bperc_i_h5_info *info,
                               double *n, bperc_error *error) {
  static const char *const words[] = {[BPERC_INPUTS_01] = "01",
                                      [BPERC_INPUTS_PM] = "pm",
                                      [BPERC_INPUTS_SIGNED] = "signed",
                                      [BPERC_INPUTS_SIGNED + 1] = NULL};
  int there;
  bperc_status status = ask_number(r, "N", n, &there, error);
  if (status == BPERC_OK)
    status =
        ask_word(r, "inputs", words, "01, pm or signed", &r->inputs, error);
  if (status != BPERC_OK)
    return status;
  if (!there || !(*n >= 1) || *n > (double)BPERC_MOST_WEIGHTS ||
      *n != floor(*n))
    return bad_dataset(error, "",
                       "with bits the attribute N must be a number from 1");
  if (info->bytes != 1 || info->dims[1] != ((uint64_t)*n + 7) / 8)
    return bad_dataset(error, "bits", " must be bytes, M x N/8 rounded up");
  return BPERC_OK;
}

static bperc_status read_hdf5_shape(reader *r, bperc_i_h5_info *info, size_t *n,
                                    bperc_model *model, bperc_error *error) {
  double inputs;
  bperc_status status = bperc_i_h5_look(r->file, "patterns", info, error);
  r->packed = 0;
  if (status == BPERC_OK && info->state == BPERC_I_H5_MISSING) {
    status = bperc_i_h5_look(r->file, "bits", info, error);
    r->packed = info->state != BPERC_I_H5_MISSING;
  }
  if (status == BPERC_OK)
    status =
        look_at_dataset(r, r->packed ? "bits" : "patterns", 2, info, error);
  inputs = status == BPERC_OK ? (double)info->dims[1] : 0;
  if (status == BPERC_OK && r->packed)
    status = ask_packed(r, info, &inputs, error);
  if (status != BPERC_OK)
    return status;
  if (inputs < 1 || inputs > (double)BPERC_MOST_WEIGHTS ||
      info->dims[0] > BPERC_MOST_PATTERNS)
    return bad_dataset(error, "patterns",
                       " must be M x N, N from 1, both to 2^32");
  *n = (size_t)inputs;
  r->is_signed = info->is_signed != 0;
  return ask_model(r, *n, model, error);
}

bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  reader r = {.name = name, .options = options};
  bperc_model model = {.weights = BPERC_WEIGHTS_01};
  bperc_i_h5_info info;
  size_t n = 0;
  bperc_error inner;
  bperc_status status = bperc_i_h5_open(file, &r.file, &inner);
  if (status == BPERC_OK)
    status = read_hdf5_shape(&r, &info, &n, &model, &inner);
  if (status == BPERC_OK) {
    status = make_instance(&r, (size_t)info.dims[0], n, &model, error);
    if (status != BPERC_OK)
      goto done;
    status = read_hdf5_patterns(&r, &info, &inner);
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
