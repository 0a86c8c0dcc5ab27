/* Extended-CP exactly as [BZ supplement 2] tells it, on integers. Reads the
 * same random stream in the same order as the library. */
#ifndef BPERC_ORACLE_PLAIN_ECP_H
#define BPERC_ORACLE_PLAIN_ECP_H

#include "bperc/ecp.h"

#include <stdlib.h>

typedef struct {
  const bperc_instance *in;
  int k, hold;
  int *h, *w;
  uint32_t *order;
  bperc_stream stream;
} plain_ecp;

static inline int plain_ecp_input(const bperc_instance *in, size_t mu,
                                  size_t i) {
  return (int)(bperc_instance_pattern(in, mu)[i / 64] >> (i % 64) & 1);
}

static inline plain_ecp plain_ecp_new(const bperc_instance *in, int k,
                                      int from_mean, int hold, uint64_t seed) {
  plain_ecp s = {.in = in,
                 .k = k,
                 .hold = hold,
                 .h = malloc(in->n * sizeof(int)),
                 .w = malloc(in->n * sizeof(int)),
                 .order = malloc((in->m + 1) * sizeof(uint32_t)),
                 .stream = bperc_stream_make(seed, BPERC_FOR_ECP, 0)};
  double ones = 0, mean;
  for (size_t mu = 0; mu < in->m; mu++) {
    s.order[mu] = (uint32_t)mu;
    for (size_t i = 0; i < in->n; i++)
      ones += plain_ecp_input(in, mu, i);
  }
  mean = from_mean ? in->theta * (double)in->m / ones : 0;
  for (size_t i = 0; i < in->n; i++) {
    s.h[i] = (int)bperc_stream_below(&s.stream, (uint64_t)(2 * k + 1)) - k;
    s.w[i] = (int)mean + (bperc_stream_double(&s.stream) < mean - (int)mean);
  }
  return s;
}

static inline void plain_ecp_free(plain_ecp *s) {
  free(s->h);
  free(s->w);
  free(s->order);
}

static inline int plain_ecp_violated(const plain_ecp *s, size_t mu) {
  int64_t sum = 0;
  for (size_t i = 0; i < s->in->n; i++)
    sum += plain_ecp_input(s->in, mu, i) * s->w[i];
  return s->in->labels[mu] ? sum < bperc_instance_bound(s->in, mu)
                           : sum > bperc_instance_bound(s->in, mu);
}

static inline void plain_ecp_move(plain_ecp *s, size_t i, int by) {
  s->h[i] += by;
  if (s->h[i] > s->k) {
    s->w[i]++;
    s->h[i] = -s->k;
  } else if (s->h[i] < -s->k && s->w[i] > 0) {
    s->w[i]--;
    s->h[i] = s->k;
  } else if (s->h[i] < -s->k) {
    s->h[i] = s->hold ? -s->k : s->k;
  }
}

/* One sweep; returns how many patterns are violated after it. */
static inline size_t plain_ecp_sweep(plain_ecp *s) {
  size_t errors = 0;
  bperc_stream_shuffle(&s->stream, s->order, s->in->m);
  for (size_t k = 0; k < s->in->m; k++) {
    size_t mu = s->order[k];
    if (!plain_ecp_violated(s, mu))
      continue;
    for (size_t i = 0; i < s->in->n; i++)
      if (plain_ecp_input(s->in, mu, i))
        plain_ecp_move(s, i, 2 * s->in->labels[mu] - 1);
  }
  for (size_t mu = 0; mu < s->in->m; mu++)
    errors += (size_t)plain_ecp_violated(s, mu);
  return errors;
}

#endif
