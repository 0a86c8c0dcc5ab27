/* SBPI exactly as [BZ Appendix A] tells it: an integer per hidden state and per
 * input, sums term by term. Reads the same random stream in the same order as
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
  double p_s;
  int *h, *xi, *label; /* n, m * n, m */
  int64_t *last;       /* m: bounds of the instance */
  uint32_t *order;
  bperc_stream stream;
} plain_sbpi;

static inline plain_sbpi plain_sbpi_new(const bperc_instance *in, int margin,
                                        double p_s, uint64_t seed) {
  int k = (int)nearbyint(21 * sqrt((double)in->n / 480));
  plain_sbpi s = {.n = (int)in->n,
                  .m = (int)in->m,
                  .bound = k % 2 ? k : k - 1,
                  .margin = margin,
                  .p_s = p_s,
                  .h = malloc(in->n * sizeof(int)),
                  .xi = malloc((in->m * in->n + 1) * sizeof(int)),
                  .label = malloc((in->m + 1) * sizeof(int)),
                  .last = in->bound,
                  .order = malloc((in->m + 1) * sizeof(uint32_t)),
                  .stream = bperc_stream_make(seed, BPERC_FOR_SBPI, 0)};
  uint64_t *bits = malloc(in->words * sizeof *bits);
  for (size_t mu = 0; mu < in->m; mu++) {
    s.order[mu] = (uint32_t)mu;
    s.label[mu] = in->labels[mu];
    for (size_t i = 0; i < in->n; i++)
      s.xi[mu * in->n + i] =
          (int)(bperc_instance_pattern(in, mu)[i / 64] >> (i % 64) & 1);
  }
  bperc_stream_bernoulli(&s.stream, 0.5, bits, in->n);
  for (size_t i = 0; i < in->n; i++)
    s.h[i] = bits[i / 64] >> (i % 64) & 1 ? 1 : -1;
  free(bits);
  return s;
}

static inline void plain_sbpi_free(plain_sbpi *s) {
  free(s->h);
  free(s->xi);
  free(s->label);
  free(s->order);
}

static inline int plain_sbpi_sum(const plain_sbpi *s, int mu) {
  const int *xi = s->xi + (size_t)mu * (size_t)s->n;
  int sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += xi[i] * (s->h[i] > 0);
  return sum;
}

static inline int plain_sbpi_holds(const plain_sbpi *s, int mu, int sum) {
  return s->label[mu] ? sum >= s->last[mu] : sum <= s->last[mu];
}

/* h_i <- h_i + 2 direction xi_i, within the bounds. */
static inline void plain_sbpi_move(plain_sbpi *s, int mu, int direction,
                                   int only_negative) {
  const int *xi = s->xi + (size_t)mu * (size_t)s->n;
  for (int i = 0; i < s->n; i++) {
    int moved = s->h[i] + 2 * direction * xi[i];
    if (abs(moved) <= s->bound && !(only_negative && s->h[i] > 0))
      s->h[i] = moved;
  }
}

static inline void plain_sbpi_present(plain_sbpi *s, int mu) {
  int sum = plain_sbpi_sum(s, mu);
  if (!plain_sbpi_holds(s, mu, sum))
    plain_sbpi_move(s, mu, 2 * s->label[mu] - 1, 0);
  else if (s->label[mu] == 0 && sum == s->last[mu] &&
           s->margin != BPERC_SBPI_OFF &&
           bperc_stream_double(&s->stream) < s->p_s)
    plain_sbpi_move(s, mu, -1, s->margin == BPERC_SBPI_DEEPEN);
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
  for (int mu = 0; mu < s->m; mu++)
    errors += !plain_sbpi_holds(s, mu, plain_sbpi_sum(s, mu));
  return errors;
}

#endif
