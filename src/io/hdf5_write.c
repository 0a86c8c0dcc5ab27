/* Writing an instance as HDF5: /bits and the attributes N and inputs, or
 * /patterns (int8 when signed); /labels, and the attributes A, weights,
 * threshold, kappa. */
#include "io/formats.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "io/hdf5_file.h"

#include <stdbool.h>
#include <string.h>

static void unpack(const bperc_instance *in, size_t mu, unsigned char *bytes) {
  const uint64_t *bits = bperc_instance_pattern(in, mu);
  const uint64_t *support = in->support ? in->support + mu * in->words : NULL;
  int zero = in->inputs == BPERC_INPUTS_01 ? 0 : -1;
  for (size_t i = 0; i < in->n; i++) {
    int x = bperc_i_bit(bits, i) ? 1 : zero;
    bytes[i] = (unsigned char)(support && !bperc_i_bit(support, i) ? 0 : x);
  }
}

/* A row of so many bytes into `bytes`. */
typedef void fill_row(const bperc_instance *in, const uint64_t *rows, size_t mu,
                      size_t width, unsigned char *bytes);

static void fill_bytes(const bperc_instance *in, const uint64_t *rows,
                       size_t mu, size_t width, unsigned char *bytes) {
  (void)rows, (void)width;
  unpack(in, mu, bytes);
}

static void fill_bits(const bperc_instance *in, const uint64_t *rows, size_t mu,
                      size_t width, unsigned char *bytes) {
  const uint64_t *row = rows + mu * in->words;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(bytes, row, width);
#else
  for (size_t k = 0; k < width; k++)
    bytes[k] = (unsigned char)(row[k / 8] >> (k % 8 * 8));
#endif
}

/* A dataset of bytes, many rows at a time; false: no memory. */
static bool write_rows(bperc_i_h5 *file, const bperc_instance *in,
                       const char *name, bperc_i_h5_type type, size_t width,
                       fill_row *fill, const uint64_t *rows) {
  size_t many = width < BPERC_I_H5_BLOCK ? BPERC_I_H5_BLOCK / width : 1;
  unsigned char *bytes = bperc_i_alloc(many, width);
  int set = bperc_i_h5_set(file, name, type, 2, in->m, width, 0);
  for (size_t from = 0; bytes && from < in->m && !bperc_cancelled();
       from += many) {
    size_t count = in->m - from < many ? in->m - from : many;
    for (size_t k = 0; k < count; k++)
      fill(in, rows, from + k, width, bytes + k * width);
    bperc_i_h5_rows(file, set, bytes, count * width);
    if (bperc_i_h5_failed(file))
      break;
  }
  bperc_i_free(bytes);
  return bytes != NULL;
}

static bool write_packed_bits(bperc_i_h5 *file, const bperc_instance *in) {
  static const char *const names[] = {[BPERC_INPUTS_01] = "01",
                                      [BPERC_INPUTS_PM] = "pm",
                                      [BPERC_INPUTS_SIGNED] = "signed"};
  uint64_t n = in->n;
  size_t width = (in->n + 7) / 8;
  bperc_i_h5_value(file, "/", "N", BPERC_I_H5_U64, &n);
  bperc_i_h5_words(file, "/", "inputs", names[in->inputs], 0);
  return write_rows(file, in, "bits", BPERC_I_H5_U8, width, fill_bits,
                    in->patterns) &&
         (!in->support || write_rows(file, in, "support", BPERC_I_H5_U8, width,
                                     fill_bits, in->support));
}

static bool write_patterns(bperc_i_h5 *file, const bperc_instance *in) {
  return write_rows(file, in, "patterns",
                    in->inputs == BPERC_INPUTS_01 ? BPERC_I_H5_U8
                                                  : BPERC_I_H5_I8,
                    in->n, fill_bytes, NULL);
}

/* Only what differs from the paper's model, besides A. */
static void write_model(bperc_i_h5 *file, const bperc_instance *in) {
  bperc_i_h5_value(file, "/", "A", BPERC_I_H5_F64, &in->a);
  if (in->weights == BPERC_WEIGHTS_PM)
    bperc_i_h5_words(file, "/", "weights", bperc_weights_name(in->weights), 3);
  if (in->a == 0)
    bperc_i_h5_value(file, "/", "threshold", BPERC_I_H5_F64, &in->theta);
  if (in->kappa > 0)
    bperc_i_h5_value(file, "/", "kappa", BPERC_I_H5_F64, &in->kappa);
  if (in->band > 0)
    bperc_i_h5_value(file, "/", "band", BPERC_I_H5_F64, &in->band);
}

bperc_status bperc_i_hdf5_write(const bperc_instance *in, int packed,
                                const char *path, const char *name,
                                bperc_error *error) {
  bperc_i_h5 *file;
  bperc_error inner;
  bperc_status status = bperc_i_h5_create(path, &file, &inner);
  if (status == BPERC_OK) {
    write_model(file, in);
    bool whole =
        packed ? write_packed_bits(file, in) : write_patterns(file, in);
    bperc_i_h5_vector(file, "labels", BPERC_I_H5_U8, in->m, in->labels);
    status = bperc_i_h5_close(file, &inner);
    if (status == BPERC_OK && !whole)
      status = bperc_error_set(&inner, BPERC_E_MEMORY, "no memory");
  }
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "%s: %s", name, inner.text);
}
