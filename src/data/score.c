/* Predicted against true labels. */
#include "data/score.h"

#include "base/alloc.h"

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

bperc_score bperc_score_of_sums(const bperc_instance *in, const int64_t *sums) {
  bperc_score out = {0};
  for (size_t mu = 0; mu < in->m; mu++)
    note(&out, in->labels[mu], bperc_instance_says(in, sums[mu]));
  bperc_i_score_finish(&out);
  return out;
}

bperc_status bperc_score_make(const bperc_instance *in, const uint64_t *weights,
                              bperc_score *out) {
  int64_t *sums = bperc_i_alloc(in->m, sizeof *sums);
  *out = (bperc_score){0};
  if (!sums)
    return BPERC_E_MEMORY;
  bperc_instance_sums(in, weights, sums);
  *out = bperc_score_of_sums(in, sums);
  bperc_i_free(sums);
  return BPERC_OK;
}
