/* Random instances of every kind, small enough for literal loops: weights,
 * inputs, ties, thresholds (often whole, sometimes out of reach), kappa and
 * labels all drawn from one seed. */
#ifndef BPERC_ORACLE_ANY_INSTANCE_H
#define BPERC_ORACLE_ANY_INSTANCE_H

#include "bperc/instance.h"

#include <math.h>
#include <stdlib.h>

static inline void any_row(bperc_instance *in, size_t mu, bperc_stream *s) {
  uint64_t *row = in->patterns + mu * in->words;
  double p = 0.2 + 0.6 * bperc_stream_double(s);
  bperc_stream_bernoulli(s, p, row, in->n);
  in->labels[mu] = (uint8_t)bperc_stream_below(s, 2);
  if (!in->support)
    return;
  bperc_stream_bernoulli(s, p, in->support + mu * in->words, in->n);
  for (size_t k = 0; k < in->words; k++)
    row[k] &= in->support[mu * in->words + k];
}

/* A threshold near the middle of the sums, whole half of the time. */
static inline double any_threshold(size_t n, const bperc_model *model,
                                   bperc_stream *s) {
  double middle =
      model->inputs == BPERC_INPUTS_01 && model->weights == BPERC_WEIGHTS_01
          ? 0.25 * (double)n
          : 0;
  double theta =
      middle + (0.3 * (double)n + 1) * (bperc_stream_double(s) - 0.5);
  return bperc_stream_below(s, 2) ? nearbyint(theta) : theta;
}

/* Kind k = 0 .. 17 of weights, inputs and ties; kappa is 0 two times of
 * three. */
static inline bperc_instance *any_instance(size_t n, size_t m, uint64_t seed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 77);
  bperc_model model = {.weights = (bperc_weight_kind)(seed % 2),
                       .inputs = (bperc_input_kind)(seed / 2 % 3),
                       .ties = (bperc_ties)(seed / 6 % 3)};
  bperc_instance *in;
  model.theta = any_threshold(n, &model, &s);
  if (bperc_stream_below(&s, 3) == 0)
    model.kappa = (double)bperc_stream_below(&s, 4) / 2;
  if (bperc_instance_new(n, m, &model, &in, NULL))
    abort();
  for (size_t mu = 0; mu < m; mu++)
    any_row(in, mu, &s);
  bperc_instance_update_bounds(in);
  return in;
}

#endif
