/* SBPI exactly as [BZ Appendix A] tells it: an integer per hidden state and per
 * input, sums term by term; for weights -1/+1 the margin rule is for both
 * labels. Reads the same random stream in the same order as
 * the library, so that hidden states can be compared one by one. */
#ifndef BPERC_ORACLE_PLAIN_SBPI_H
#define BPERC_ORACLE_PLAIN_SBPI_H

#include "bperc/sbpi.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  int n, m, bound;
  int margin; /* as in bperc_sbpi_options */
  int drawn;  /* every presentation draws its pattern */
  int pm;     /* weights are -1 and +1 */
  double p_s, theta;
  int *h, *xi, *label;  /* n, m * n, m */
  double *least, *most; /* m: the sums that a pattern allows */
  uint32_t *order;
  bperc_stream stream;
  int freeze, sweeps;     /* window of --freeze, 0: none; sweeps done */
  double freeze_at;       /* share of the bound */
  int *frozen, *restless; /* n: has left; came near zero in this window */
} plain_sbpi;

static inline int plain_sbpi_input(const bperc_instance *in, size_t mu,
                                   size_t i) {
  size_t at = mu * in->words + i / 64;
  int plus = (int)(in->patterns[at] >> i % 64 & 1);
  int zero = in->support && !(in->support[at] >> i % 64 & 1);
  return plus || zero || in->inputs == BPERC_INPUTS_01 ? plus : -1;
}

/* The sums that label, threshold, kappa and ties allow. */
static inline void plain_sbpi_range(const bperc_instance *in, size_t mu,
                                    double *least, double *most) {
  double level = in->theta + (in->labels[mu] ? in->kappa : -in->kappa);
  int whole = floor(level) == level;
  *least = -INFINITY;
  *most = INFINITY;
  if (in->labels[mu])
    *least = floor(level) + !(whole && in->ties == BPERC_TIES_EITHER);
  else
    *most = floor(level) - (whole && in->ties == BPERC_TIES_STRICT);
}

static inline plain_sbpi plain_sbpi_new(const bperc_instance *in, int margin,
                                        double p_s, uint64_t seed) {
  int paper = in->weights == BPERC_WEIGHTS_01 && in->inputs == BPERC_INPUTS_01;
  int k = (int)nearbyint((paper ? 21 : 63) * sqrt((double)in->n / 480));
  plain_sbpi s = {.n = (int)in->n,
                  .m = (int)in->m,
                  .bound = k % 2 ? k : k - 1,
                  .margin = margin,
                  .p_s = p_s,
                  .theta = in->theta,
                  .h = malloc(in->n * sizeof(int)),
                  .frozen = calloc(in->n, sizeof(int)),
                  .restless = calloc(in->n, sizeof(int)),
                  .xi = malloc((in->m * in->n + 1) * sizeof(int)),
                  .label = malloc((in->m + 1) * sizeof(int)),
                  .least = malloc((in->m + 1) * sizeof(double)),
                  .most = malloc((in->m + 1) * sizeof(double)),
                  .pm = in->weights == BPERC_WEIGHTS_PM,
                  .order = malloc((in->m + 1) * sizeof(uint32_t)),
                  .stream = bperc_stream_make(seed, BPERC_FOR_SBPI, 0)};
  uint64_t *bits = malloc(in->words * sizeof *bits);
  for (size_t mu = 0; mu < in->m; mu++) {
    s.order[mu] = (uint32_t)mu;
    s.label[mu] = in->labels[mu];
    for (size_t i = 0; i < in->n; i++)
      s.xi[mu * in->n + i] = plain_sbpi_input(in, mu, i);
    plain_sbpi_range(in, mu, &s.least[mu], &s.most[mu]);
  }
  bperc_stream_bernoulli(&s.stream, 0.5, bits, in->n);
  for (size_t i = 0; i < in->n; i++)
    s.h[i] = bits[i / 64] >> (i % 64) & 1 ? 1 : -1;
  free(bits);
  return s;
}

static inline void plain_sbpi_free(plain_sbpi *s) {
  free(s->h);
  free(s->frozen);
  free(s->restless);
  free(s->xi);
  free(s->label);
  free(s->least);
  free(s->most);
  free(s->order);
}

static inline int plain_sbpi_sum(const plain_sbpi *s, int mu) {
  const int *xi = s->xi + (size_t)mu * (size_t)s->n;
  int sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += xi[i] * (s->h[i] > 0);
  if (s->pm)
    for (int i = 0; i < s->n; i++)
      sum -= xi[i] * (s->h[i] < 0);
  return sum;
}

static inline int plain_sbpi_holds(const plain_sbpi *s, int mu, int sum) {
  return sum >= s->least[mu] && sum <= s->most[mu];
}

/* One weight turned the wrong way would break it. */
static inline int plain_sbpi_marginal(const plain_sbpi *s, int mu, int sum) {
  int step = s->pm ? 2 : 1;
  if (s->margin == BPERC_SBPI_INSIDE && !s->label[mu])
    return 0 < s->theta - sum && s->theta - sum <= 1;
  if (s->label[mu])
    return s->pm && sum - step < s->least[mu];
  return sum + step > s->most[mu];
}

/* h_i <- h_i + 2 direction xi_i, within the bounds; `deepen`: only away from
 * zero. */
static inline void plain_sbpi_move(plain_sbpi *s, int mu, int direction,
                                   int deepen) {
  const int *xi = s->xi + (size_t)mu * (size_t)s->n;
  for (int i = 0; i < s->n; i++) {
    int moved = s->h[i] + 2 * direction * xi[i];
    if (!s->frozen[i] && abs(moved) <= s->bound &&
        !(deepen && abs(moved) < abs(s->h[i])) &&
        !(deepen && moved == -s->h[i]))
      s->h[i] = moved;
  }
}

static inline void plain_sbpi_present(plain_sbpi *s, int mu) {
  int sum = plain_sbpi_sum(s, mu);
  if (!plain_sbpi_holds(s, mu, sum))
    plain_sbpi_move(s, mu, 2 * s->label[mu] - 1, 0);
  else if (plain_sbpi_marginal(s, mu, sum) && s->margin != BPERC_SBPI_OFF &&
           bperc_stream_double(&s->stream) < s->p_s)
    plain_sbpi_move(s, mu, 2 * s->label[mu] - 1,
                    s->margin != BPERC_SBPI_PRINTED);
}

/* At the end of a window weights leave that were beyond freeze_at times the
 * bound after each of its sweeps, if they are a quarter of those left. */
static inline void plain_sbpi_freeze(plain_sbpi *s) {
  int quiet = 0, left = 0;
  for (int i = 0; i < s->n; i++) {
    s->restless[i] |= abs(s->h[i]) < s->freeze_at * s->bound;
    left += !s->frozen[i];
    quiet += !s->frozen[i] && !s->restless[i];
  }
  if (++s->sweeps % s->freeze)
    return;
  for (int i = 0; i < s->n; i++) {
    if (quiet < left && quiet >= left / 4.0)
      s->frozen[i] |= !s->restless[i];
    s->restless[i] = 0;
  }
}

/* One sweep; returns how many patterns are violated after it. */
static inline int plain_sbpi_sweep(plain_sbpi *s) {
  int errors = 0;
  if (!s->drawn)
    bperc_stream_shuffle(&s->stream, s->order, (size_t)s->m);
  for (int k = 0; k < s->m; k++) {
    int any = s->drawn ? (int)bperc_stream_below(&s->stream, (uint64_t)s->m)
                       : (int)s->order[k];
    plain_sbpi_present(s, any);
  }
  if (s->freeze)
    plain_sbpi_freeze(s);
  for (int mu = 0; mu < s->m; mu++)
    errors += !plain_sbpi_holds(s, mu, plain_sbpi_sum(s, mu));
  return errors;
}

#endif
