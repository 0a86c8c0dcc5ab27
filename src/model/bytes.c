/* Instances and weights from and to arrays of bytes: what other languages
 * have. */
#include "bperc/instance.h"

#include "base/bits.h"

/* Which inputs an array has. */
typedef struct {
  int minus, zero; /* one of them is -1, 0 */
} found;

static bperc_status look(const bperc_bytes *x, size_t n, size_t m, found *out,
                         bperc_error *error) {
  for (size_t mu = 0; mu < m; mu++)
    for (size_t i = 0; i < n; i++) {
      int8_t value = x->values[(ptrdiff_t)mu * x->row + (ptrdiff_t)i * x->step];
      if (value < -1 || value > 1)
        return bperc_error_set(error, BPERC_E_ARGUMENT,
                               "input %zu of pattern %zu is %d, not -1, 0 or 1",
                               i, mu, value);
      out->minus |= value < 0;
      out->zero |= value == 0;
    }
  return BPERC_OK;
}

static void fill(const bperc_bytes *x, bperc_instance *in) {
  for (size_t mu = 0; mu < in->m; mu++)
    for (size_t i = 0; i < in->n; i++) {
      int8_t value = x->values[(ptrdiff_t)mu * x->row + (ptrdiff_t)i * x->step];
      if (value > 0)
        bperc_i_bit_set(in->patterns + mu * in->words, i, 1);
      if (value && in->support)
        bperc_i_bit_set(in->support + mu * in->words, i, 1);
    }
}

static bperc_status fill_labels(const int8_t *labels, ptrdiff_t step,
                                bperc_instance *in, bperc_error *error) {
  for (size_t mu = 0; mu < in->m; mu++) {
    int8_t label = labels[(ptrdiff_t)mu * step];
    if (label < -1 || label > 1)
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "label %zu is %d, not 0 or 1, or -1 or 1", mu,
                             label);
    in->labels[mu] = label > 0;
  }
  return BPERC_OK;
}

bperc_status bperc_instance_from_bytes(size_t n, size_t m, bperc_bytes inputs,
                                       const int8_t *labels,
                                       ptrdiff_t label_step,
                                       const bperc_model *model,
                                       bperc_instance **out,
                                       bperc_error *error) {
  bperc_model kind = *model;
  found f = {0, 0};
  bperc_status status = look(&inputs, n, m, &f, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  kind.inputs = !f.minus ? BPERC_INPUTS_01
                : f.zero ? BPERC_INPUTS_SIGNED
                         : BPERC_INPUTS_PM;
  status = bperc_instance_make(n, m, &kind, out, error);
  if (status == BPERC_OK) {
    fill(&inputs, *out);
    if (labels)
      status = fill_labels(labels, label_step, *out, error);
    bperc_instance_settle(*out);
  }
  if (status != BPERC_OK) {
    bperc_instance_free(*out);
    *out = NULL;
  }
  return status;
}

void bperc_bits_pack(const int8_t *values, size_t n, uint64_t *bits) {
  for (size_t k = 0; k < bperc_i_words(n); k++)
    bits[k] = 0;
  for (size_t i = 0; i < n; i++)
    if (values[i] > 0)
      bperc_i_bit_set(bits, i, 1);
}

void bperc_bits_unpack(const uint64_t *bits, size_t n, int8_t *values) {
  for (size_t i = 0; i < n; i++)
    values[i] = (int8_t)bperc_i_bit(bits, i);
}
