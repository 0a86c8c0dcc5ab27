/* Instances and weights from and to arrays of bytes: what other languages
 * have. */
#include "bperc/instance.h"

#include "base/bits.h"

#include <string.h>

/* Which inputs an array has. */
typedef struct {
  int minus, zero; /* one of them is -1, 0 */
} found;

static int8_t value_at(const bperc_bytes *x, size_t mu, size_t i) {
  return x->values[(ptrdiff_t)mu * x->row + (ptrdiff_t)i * x->step];
}

/* Whether all of a row are -1, 0 or 1; a loop that compilers turn into vectors
 * where the values follow each other. */
static int classify_row(const int8_t *values, ptrdiff_t step, size_t n,
                        found *out) {
  uint8_t minus = 0, zero = 0, wrong = 0;
  if (step == 1)
    for (size_t i = 0; i < n; i++) {
      uint8_t above = (uint8_t)(values[i] + 1);
      wrong |= above > 2;
      minus |= above == 0;
      zero |= above == 1;
    }
  else
    for (size_t i = 0; i < n; i++) {
      uint8_t above = (uint8_t)(values[(ptrdiff_t)i * step] + 1);
      wrong |= above > 2;
      minus |= above == 0;
      zero |= above == 1;
    }
  out->minus |= minus;
  out->zero |= zero;
  return !wrong;
}

static bperc_status classify_bytes(const bperc_bytes *x, size_t n, size_t m,
                                   found *out, bperc_error *error) {
  for (size_t mu = 0; mu < m; mu++) {
    if (classify_row(x->values + (ptrdiff_t)mu * x->row, x->step, n, out))
      continue;
    size_t i = 0;
    while (value_at(x, mu, i) >= -1 && value_at(x, mu, i) <= 1)
      i++;
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "input %zu of pattern %zu is %d, not -1, 0 or 1", i,
                           mu, value_at(x, mu, i));
  }
  return BPERC_OK;
}

/* The lowest bits of the eight bytes of a word, as one byte. The partial
 * products of the factor do not overlap. */
static uint64_t gather_bits(uint64_t bytes) {
  return (bytes & 0x0101010101010101u) * 0x0102040810204080u >> 56;
}

static uint64_t eight(const int8_t *values) {
  uint64_t bytes;
  memcpy(&bytes, values, sizeof bytes);
  return bytes;
}

/* 64 values -1, 0, 1 that follow each other: where they are 1. */
static uint64_t pack_plus(const int8_t *values) {
  uint64_t word = 0;
  for (int k = 0; k < 64; k += 8) {
    uint64_t bytes = eight(values + k);
    word |= gather_bits(bytes & ~(bytes >> 1)) << k;
  }
  return word;
}

/* The same: where they are not 0. */
static uint64_t pack_support(const int8_t *values) {
  uint64_t word = 0;
  for (int k = 0; k < 64; k += 8)
    word |= gather_bits(eight(values + k)) << k;
  return word;
}

static void fill_row(const bperc_bytes *x, size_t mu, bperc_instance *in) {
  const int8_t *values = x->values + (ptrdiff_t)mu * x->row;
  for (size_t k = 0; k < in->words; k++) {
    size_t count = in->n - 64 * k < 64 ? in->n - 64 * k : 64;
    int8_t some[64] = {0};
    const int8_t *from = some;
    if (x->step == 1 && count == 64)
      from = values + 64 * k;
    else
      for (size_t j = 0; j < count; j++)
        some[j] = value_at(x, mu, 64 * k + j);
    in->patterns[mu * in->words + k] = pack_plus(from);
    if (in->support)
      in->support[mu * in->words + k] = pack_support(from);
  }
}

static void pack_patterns(const bperc_bytes *x, bperc_instance *in) {
  for (size_t mu = 0; mu < in->m; mu++)
    fill_row(x, mu, in);
}

static bperc_status fill_labels(const bperc_bytes *x, bperc_instance *in,
                                bperc_error *error) {
  ptrdiff_t step = x->label_step ? x->label_step : 1;
  for (size_t mu = 0; x->labels && mu < in->m; mu++) {
    int8_t label = x->labels[(ptrdiff_t)mu * step];
    if (label < -1 || label > 1)
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "label %zu is %d, not 0 or 1, or -1 or 1", mu,
                             label);
    in->labels[mu] = label > 0;
  }
  return BPERC_OK;
}

bperc_status bperc_instance_from_bytes(size_t n, size_t m,
                                       const bperc_bytes *bytes,
                                       const bperc_model *model,
                                       bperc_instance **out,
                                       bperc_error *error) {
  bperc_model kind = *model;
  found f = {0, 0};
  bperc_status status = classify_bytes(bytes, n, m, &f, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  kind.inputs = !f.minus ? BPERC_INPUTS_01
                : f.zero ? BPERC_INPUTS_SIGNED
                         : BPERC_INPUTS_PM;
  status = bperc_instance_new(n, m, &kind, out, error);
  if (status == BPERC_OK) {
    pack_patterns(bytes, *out);
    status = fill_labels(bytes, *out, error);
    bperc_instance_update_bounds(*out);
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
