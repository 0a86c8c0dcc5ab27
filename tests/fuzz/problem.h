/* A small problem of any kind from bytes, and other problems made of it whose
 * solutions are known from its own. Bytes that are missing are drawn. */
#ifndef BPERC_TESTS_FUZZ_PROBLEM_H
#define BPERC_TESTS_FUZZ_PROBLEM_H

#include "bperc/instance.h"
#include "fuzz.h"

#include <assert.h>
#include <math.h>

enum { MOST_N = 9, MOST_M = 10 };

typedef struct {
  const uint8_t *data;
  size_t left;
  bperc_stream more;
} source;

static inline unsigned take(source *s) {
  if (!s->left)
    return (unsigned)bperc_stream_below(&s->more, 256);
  s->left--;
  return *s->data++;
}

/* Inputs and label of a pattern as values. */
typedef struct {
  int8_t x[MOST_M + 1][MOST_N], label[MOST_M + 1];
  size_t n, m;
  bperc_model model;
} problem;

static inline int8_t take_input(source *s, bperc_input_kind kind) {
  int b = (int)take(s);
  return (int8_t)(kind == BPERC_INPUTS_01   ? b & 1
                  : kind == BPERC_INPUTS_PM ? (b & 1 ? 1 : -1)
                                            : b % 3 - 1);
}

static inline void take_row(source *s, problem *p, size_t mu) {
  p->label[mu] = (int8_t)(take(s) & 1);
  for (size_t i = 0; i < p->n; i++)
    p->x[mu][i] = take_input(s, p->model.inputs);
}

static inline problem take_problem(source *s) {
  problem p = {.n = 1 + take(s) % MOST_N, .m = take(s) % (MOST_M + 1)};
  unsigned kind = take(s);
  p.model.weights = (bperc_weight_kind)(kind % 2);
  p.model.inputs = (bperc_input_kind)(kind / 2 % 3);
  p.model.ties = (bperc_ties)(kind / 6 % 3);
  p.model.theta = ((int)(take(s) % 25) - 8) / 2.0; /* whole or half */
  if (take(s) % 4 == 0)
    p.model.kappa = take(s) % 4 / 2.0;
  for (size_t mu = 0; mu < p.m; mu++)
    take_row(s, &p, mu);
  return p;
}

static inline bperc_instance *make_instance(const problem *p) {
  bperc_error error;
  bperc_instance *in;
  bperc_bytes bytes = {&p->x[0][0], MOST_N, 1, p->label, 1};
  if (bperc_instance_from_bytes(p->n, p->m, &bytes, &p->model, &in, &error))
    assert(!"a problem that should be good is refused");
  return in;
}

/* Weight i becomes weight to[i]: a permutation. */
static inline problem permuted(const problem *p, source *s, size_t *to) {
  problem q = *p;
  for (size_t i = 0; i < p->n; i++)
    to[i] = i;
  for (size_t i = p->n; i > 1; i--) {
    size_t j = take(s) % i, keep = to[i - 1];
    to[i - 1] = to[j];
    to[j] = keep;
  }
  for (size_t mu = 0; mu < p->m; mu++)
    for (size_t i = 0; i < p->n; i++)
      q.x[mu][to[i]] = p->x[mu][i];
  return q;
}

/* Inputs and weights of some columns change their sign together: no sum
 * changes. For weights -1/+1. */
static inline problem gauged(const problem *p, uint32_t columns) {
  problem q = *p;
  for (size_t mu = 0; mu < p->m; mu++)
    for (size_t i = 0; i < p->n; i++)
      if (columns >> i & 1)
        q.x[mu][i] = (int8_t)-p->x[mu][i];
  return q;
}

/* All inputs, the threshold and what is wanted change their sign: the same
 * solutions, unless a tie counts as output 0. */
static inline problem negated(const problem *p) {
  problem q = gauged(p, ~0u);
  q.model.theta = -p->model.theta;
  for (size_t mu = 0; mu < p->m; mu++)
    q.label[mu] = !p->label[mu];
  return q;
}

/* Whether all patterns have the same number of inputs. */
static inline int same_sizes(const problem *p, int *size) {
  *size = 0;
  for (size_t mu = 0; mu < p->m; mu++) {
    int here = 0;
    for (size_t i = 0; i < p->n; i++)
      here += p->x[mu][i] != 0;
    if (mu && here != *size)
      return 0;
    *size = here;
  }
  return p->m > 0;
}

/* Inputs 0/1, patterns of `size` ones, weights 0/1: with all weights
 * complemented, sums s become size - s. Labels change, the threshold too. */
static inline problem complemented(const problem *p, int size) {
  problem q = *p;
  q.model.theta = size - p->model.theta;
  for (size_t mu = 0; mu < p->m; mu++)
    q.label[mu] = !p->label[mu];
  return q;
}

/* Whether patterns and weights form no loop. */
static inline int is_tree(const problem *p) {
  size_t root[MOST_N + MOST_M + 1];
  for (size_t k = 0; k < p->n + p->m; k++)
    root[k] = k;
  for (size_t mu = 0; mu < p->m; mu++)
    for (size_t i = 0; i < p->n; i++) {
      size_t a = i, b = p->n + mu;
      if (!p->x[mu][i])
        continue;
      while (root[a] != a)
        a = root[a];
      while (root[b] != b)
        b = root[b];
      if (a == b)
        return 0;
      root[a] = b;
    }
  return 1;
}

#endif
