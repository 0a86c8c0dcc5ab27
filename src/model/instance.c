/* Instances: construction, thresholds and tie rules, random generation. */
#include "bperc/instance.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <math.h>
#include <string.h>

const char *bperc_ties_name(bperc_ties ties) {
  static const char *const names[] = {"zero", "strict", "either"};
  return names[ties];
}

/* n/a, snapped to an integer when rounding is all that separates them: with
 * a = 0.1 the quotient must still be a tie. */
static double threshold(size_t n, double a) {
  double theta = (double)n / a, whole = nearbyint(theta);
  return fabs(theta - whole) <= 1e-9 * whole ? whole : theta;
}

/* [BZ section 2] and the tie rules, docs/choices.md 1. */
void bperc_instance_set_ties(bperc_instance *in, bperc_ties ties) {
  double low = floor(in->theta);
  int whole = low == in->theta;
  in->ties = ties;
  in->cap = (int64_t)low - (whole && ties == BPERC_TIES_STRICT);
  in->need = (int64_t)low + !(whole && ties == BPERC_TIES_EITHER);
}

static bperc_status check_sizes(size_t n, size_t m, double a,
                                bperc_error *error) {
  if (n < 1 || n > BPERC_MOST_WEIGHTS)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "N = %zu is not in the range 1 to %zu", n,
                           BPERC_MOST_WEIGHTS);
  if (m > BPERC_MOST_PATTERNS)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "M = %zu is above %zu", m,
                           BPERC_MOST_PATTERNS);
  if (!(a > 0) || !isfinite(a) || !((double)n / a < 1e15))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "A = %g must be positive with N/A below 1e15", a);
  return BPERC_OK;
}

bperc_status bperc_instance_new(size_t n, size_t m, double a, bperc_ties ties,
                                bperc_instance **out, bperc_error *error) {
  bperc_instance *in;
  *out = NULL;
  if (check_sizes(n, m, a, error) != BPERC_OK)
    return BPERC_E_ARGUMENT;
  in = bperc_i_calloc(1, sizeof *in);
  if (!in)
    goto memory;
  in->n = n;
  in->m = m;
  in->a = a;
  in->theta = threshold(n, a);
  in->words = bperc_i_words(n);
  in->patterns = bperc_i_calloc(m, in->words * sizeof *in->patterns);
  in->labels = bperc_i_calloc(m, sizeof *in->labels);
  if (!in->patterns || !in->labels)
    goto memory;
  bperc_instance_set_ties(in, ties);
  *out = in;
  return BPERC_OK;
memory:
  bperc_instance_free(in);
  return bperc_error_set(error, BPERC_E_MEMORY,
                         "no memory for %zu patterns of %zu bits", m, n);
}

void bperc_instance_free(bperc_instance *in) {
  if (!in)
    return;
  bperc_i_free(in->patterns);
  bperc_i_free(in->labels);
  bperc_i_free(in);
}

bperc_status bperc_instance_generate(size_t n, size_t m, double fin, double a,
                                     bperc_ties ties, uint64_t seed,
                                     bperc_instance **out, bperc_error *error) {
  bperc_status status;
  *out = NULL;
  if (!(fin >= 0 && fin <= 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "f_in = %g is not in the range 0 to 1", fin);
  status = bperc_instance_new(n, m, a, ties, out, error);
  if (status != BPERC_OK)
    return status;
  for (size_t mu = 0; mu < m; mu++) {
    bperc_stream bits = bperc_stream_make(seed, BPERC_FOR_PATTERNS, mu);
    bperc_stream label = bperc_stream_make(seed, BPERC_FOR_LABELS, mu);
    bperc_stream_bernoulli(&bits, fin, (*out)->patterns + mu * (*out)->words,
                           n);
    (*out)->labels[mu] = (uint8_t)(bperc_stream_u64(&label) >> 63);
  }
  return BPERC_OK;
}

static void copy_patterns(const bperc_instance *from, size_t first,
                          size_t count, bperc_instance *to, size_t at) {
  if (count == 0)
    return;
  memcpy(to->patterns + at * to->words, from->patterns + first * from->words,
         count * from->words * sizeof(uint64_t));
  memcpy(to->labels + at, from->labels + first, count);
}

bperc_status bperc_instance_without(const bperc_instance *in, size_t first,
                                    size_t count, bperc_instance **out,
                                    bperc_error *error) {
  *out = NULL;
  if (first > in->m || count > in->m - first)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu patterns from %zu on left out of an instance "
                           "of %zu",
                           count, first, in->m);
  bperc_status status =
      bperc_instance_new(in->n, in->m - count, in->a, in->ties, out, error);
  if (status != BPERC_OK)
    return status;
  copy_patterns(in, 0, first, *out, 0);
  copy_patterns(in, first + count, in->m - first - count, *out, first);
  return BPERC_OK;
}

bperc_status bperc_instance_prefix(const bperc_instance *in, size_t m,
                                   bperc_instance **out, bperc_error *error) {
  *out = NULL;
  if (m > in->m)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%zu patterns asked of an instance of %zu", m,
                           in->m);
  return bperc_instance_without(in, m, in->m - m, out, error);
}

bperc_status bperc_instance_thin(const bperc_instance *in, double keep,
                                 uint64_t seed, bperc_instance **out,
                                 bperc_error *error) {
  *out = NULL;
  if (!(keep >= 0 && keep <= 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "keep = %g is not in the range 0 to 1", keep);
  bperc_status status = bperc_instance_prefix(in, in->m, out, error);
  if (status != BPERC_OK)
    return status;
  for (size_t mu = 0; mu < in->m; mu++) {
    bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_THINNING, mu);
    uint64_t *bits = (*out)->patterns + mu * in->words;
    bperc_stream_bernoulli(&stream, keep, bits, in->n);
    for (size_t k = 0; k < in->words; k++)
      bits[k] &= in->patterns[mu * in->words + k];
  }
  return BPERC_OK;
}
