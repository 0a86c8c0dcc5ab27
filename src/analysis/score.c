/* Predicted against true labels. */
#include "analysis/score.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <math.h>

static void note(bperc_score *s, int label, int output) {
  size_t *cell =
      label ? (output ? &s->tp : &s->fn) : (output ? &s->fp : &s->tn);
  ++*cell;
}

static double share(size_t part, size_t whole) {
  return whole ? (double)part / (double)whole : (double)NAN;
}

void bperc_i_score_finish(bperc_score *s) {
  s->errors = s->fp + s->fn;
  s->accuracy = share(s->tp + s->tn, s->tp + s->tn + s->errors);
  s->balanced_accuracy =
      (share(s->tp, s->tp + s->fn) + share(s->tn, s->tn + s->fp)) / 2;
}

bperc_status bperc_score_make(const bperc_instance *in, const uint64_t *weights,
                              bperc_score *out) {
  int64_t *sums = bperc_i_alloc(in->m, sizeof *sums);
  *out = (bperc_score){0};
  if (!sums)
    return BPERC_E_MEMORY;
  bperc_instance_sums(in, weights, sums);
  for (size_t mu = 0; mu < in->m; mu++)
    note(out, in->labels[mu], (double)sums[mu] > in->theta);
  bperc_i_score_finish(out);
  bperc_i_free(sums);
  return BPERC_OK;
}

bperc_status bperc_score_make_integers(const bperc_instance *in,
                                       const int32_t *weights,
                                       bperc_score *out) {
  *out = (bperc_score){0};
  if (in->inputs != BPERC_INPUTS_01 || in->weights != BPERC_WEIGHTS_01)
    return BPERC_E_ARGUMENT;
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t sum = 0;
    for (size_t i = 0; i < in->n; i++)
      if (bperc_i_bit(bperc_instance_pattern(in, mu), i))
        sum += weights[i];
    note(out, in->labels[mu], (double)sum > in->theta);
  }
  bperc_i_score_finish(out);
  return BPERC_OK;
}
