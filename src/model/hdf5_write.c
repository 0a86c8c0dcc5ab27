/* Writing an instance as HDF5: /patterns (int8 when signed), /labels, and the
 * attributes A, weights, threshold, kappa. */
#include "model/formats.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "hdf5/file.h"

static void unpack(const bperc_instance *in, size_t mu, unsigned char *bytes) {
  const uint64_t *bits = bperc_instance_pattern(in, mu);
  const uint64_t *support = in->support ? in->support + mu * in->words : NULL;
  int zero = in->inputs == BPERC_INPUTS_01 ? 0 : -1;
  for (size_t i = 0; i < in->n; i++) {
    int x = bperc_i_bit(bits, i) ? 1 : zero;
    bytes[i] = (unsigned char)(support && !bperc_i_bit(support, i) ? 0 : x);
  }
}

static void write_patterns(bperc_i_h5 *file, const bperc_instance *in,
                           unsigned char *bytes) {
  int plain = in->inputs == BPERC_INPUTS_01;
  int set =
      bperc_i_h5_set(file, "patterns", plain ? BPERC_I_H5_U8 : BPERC_I_H5_I8, 2,
                     in->m, in->n, 0);
  for (size_t mu = 0; mu < in->m && !bperc_cancelled(); mu++) {
    if (bperc_i_h5_failed(file))
      return;
    unpack(in, mu, bytes);
    bperc_i_h5_rows(file, set, bytes, in->n);
  }
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
}

bperc_status bperc_i_hdf5_write(const bperc_instance *in, const char *path,
                                const char *name, bperc_error *error) {
  bperc_i_h5 *file;
  bperc_error inner;
  bperc_status status;
  unsigned char *bytes = bperc_i_alloc(in->n, 1);
  if (!bytes)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", name);
  status = bperc_i_h5_create(path, &file, &inner);
  if (status == BPERC_OK) {
    write_model(file, in);
    write_patterns(file, in, bytes);
    bperc_i_h5_vector(file, "labels", BPERC_I_H5_U8, in->m, in->labels);
    status = bperc_i_h5_close(file, &inner);
  }
  bperc_i_free(bytes);
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "%s: %s", name, inner.text);
}
