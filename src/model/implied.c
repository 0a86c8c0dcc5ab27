/* Unit propagation over patterns: model/implied.h. */
#include "model/implied.h"

#include "base/bits.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
  const bperc_instance *in;
  uint64_t *one, *zero; /* bits known to be 1, to be 0 */
  bool changed;
} knowledge;

/* Inputs +1 and -1 of word k of a pattern. */
typedef struct {
  uint64_t plus, minus;
} literals;

static literals read_literals(const bperc_instance *in, size_t mu, size_t k) {
  literals x = {bperc_instance_pattern(in, mu)[k], 0};
  if (in->inputs == BPERC_INPUTS_01)
    return x;
  x.minus =
      (in->support ? in->support[mu * in->words + k] : ~(uint64_t)0) & ~x.plus;
  if (k + 1 == in->words)
    x.minus &= bperc_i_tail_mask(in->n);
  return x;
}

/* Literals of a pattern that are on, and those not known yet. */
static void count_literals(const knowledge *w, size_t mu, int64_t *on,
                           int64_t *open) {
  *on = *open = 0;
  for (size_t k = 0; k < w->in->words; k++) {
    literals x = read_literals(w->in, mu, k);
    *on += __builtin_popcountll((x.plus & w->one[k]) | (x.minus & w->zero[k]));
    *open +=
        __builtin_popcountll((x.plus | x.minus) & ~w->one[k] & ~w->zero[k]);
  }
}

/* All literals that are not known yet become on, or off. */
static void force_open(knowledge *w, size_t mu, bool on) {
  for (size_t k = 0; k < w->in->words; k++) {
    literals x = read_literals(w->in, mu, k);
    uint64_t open = ~w->one[k] & ~w->zero[k];
    w->one[k] |= open & (on ? x.plus : x.minus);
    w->zero[k] |= open & (on ? x.minus : x.plus);
  }
  w->changed = true;
}

/* Whether the pattern can still hold. */
static bool propagate_pattern(knowledge *w, size_t mu) {
  int64_t on, open, bound = bperc_instance_bound(w->in, mu);
  count_literals(w, mu, &on, &open);
  if (w->in->labels[mu] ? on + open < bound : on > bound)
    return false;
  if (open && w->in->labels[mu] && on + open == bound)
    force_open(w, mu, true);
  if (open && !w->in->labels[mu] && on == bound)
    force_open(w, mu, false);
  return true;
}

size_t bperc_i_implied_violation(const bperc_instance *in, const int8_t *value,
                                 uint64_t *known) {
  knowledge w = {.in = in, .one = known, .zero = known + in->words};
  memset(known, 0, 2 * in->words * sizeof *known);
  for (size_t i = 0; i < in->n; i++)
    if (value[i] >= 0)
      bperc_i_bit_set(value[i] ? w.one : w.zero, i, 1);
  do {
    w.changed = false;
    for (size_t mu = 0; mu < in->m; mu++)
      if (!propagate_pattern(&w, mu))
        return mu;
  } while (w.changed);
  return in->m;
}
