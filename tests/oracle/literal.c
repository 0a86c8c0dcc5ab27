/* The definitions as literal loops: literal.h. */
#include "literal.h"

#include <math.h>
#include <stdlib.h>

int literal_input(const bperc_instance *in, size_t mu, size_t i) {
  size_t at = mu * in->words + i / 64;
  int plus = (int)(in->patterns[at] >> i % 64 & 1);
  if (in->inputs == BPERC_INPUTS_01)
    return plus;
  if (in->inputs == BPERC_INPUTS_SIGNED && !(in->support[at] >> i % 64 & 1))
    return 0;
  return plus ? 1 : -1;
}

double literal_sum(const bperc_instance *in, size_t mu, uint32_t w) {
  double sum = 0;
  for (size_t i = 0; i < in->n; i++) {
    int bit = (int)(w >> i & 1);
    sum += literal_input(in, mu, i) *
           (in->weights == BPERC_WEIGHTS_PM ? 2 * bit - 1 : bit);
  }
  return sum;
}

bool literal_satisfied(const bperc_instance *in, size_t mu, uint32_t w) {
  double sum = literal_sum(in, mu, w);
  double theta = in->a > 0 ? (double)in->n / in->a : in->theta;
  double level = theta + (in->labels[mu] ? in->kappa : -in->kappa);
  bool tie = fabs(sum - level) < 1e-9;
  if (tie && in->ties == BPERC_TIES_STRICT)
    return false;
  if (tie && in->ties == BPERC_TIES_EITHER)
    return true;
  if (in->labels[mu])
    return !tie && sum > level;
  return tie || sum < level;
}

size_t literal_solutions(const bperc_instance *in, const int8_t *fixed,
                         uint32_t **out) {
  size_t count = 0;
  *out = malloc(((size_t)1 << in->n) * sizeof **out);
  for (uint32_t w = 0; w < 1u << in->n; w++) {
    bool good = true;
    for (size_t i = 0; i < in->n && good; i++)
      good = !fixed || fixed[i] < 0 || fixed[i] == (int)(w >> i & 1);
    for (size_t mu = 0; mu < in->m && good; mu++)
      good = literal_satisfied(in, mu, w);
    if (good)
      (*out)[count++] = w;
  }
  return count;
}

void literal_clusters(const uint32_t *list, size_t count, uint32_t *of) {
  bool changed = true;
  for (size_t k = 0; k < count; k++)
    of[k] = (uint32_t)k;
  while (changed) {
    changed = false;
    for (size_t k = 0; k < count; k++)
      for (size_t l = 0; l < count; l++)
        if (__builtin_popcount(list[k] ^ list[l]) == 1 && of[l] < of[k]) {
          of[k] = of[l];
          changed = true;
        }
  }
}

static double covariance(const uint32_t *list, size_t count, size_t i,
                         size_t j) {
  double both = 0, first = 0, second = 0;
  for (size_t k = 0; k < count; k++) {
    both += (list[k] >> i & 1) * (list[k] >> j & 1);
    first += list[k] >> i & 1;
    second += list[k] >> j & 1;
  }
  double all = (double)count;
  return both / all - first / all * (second / all);
}

literal_geometry literal_measure(const uint32_t *list, const uint32_t *of,
                                 size_t count, size_t n, uint32_t unfixed) {
  double same = 0, diff = 0, q_same = 0, q_diff = 0, c = 0, c2 = 0, pairs = 0;
  double width = __builtin_popcount(unfixed);
  for (size_t k = 0; k < count; k++)
    for (size_t l = 0; l < count; l++) {
      double q = __builtin_popcount(list[k] & list[l] & unfixed);
      same += of[k] == of[l];
      diff += of[k] != of[l];
      *(of[k] == of[l] ? &q_same : &q_diff) += q;
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (i != j && (unfixed >> i & 1) && (unfixed >> j & 1)) {
        double x = covariance(list, count, i, j);
        c += x;
        c2 += x * x;
        pairs += 1;
      }
  return (literal_geometry){diff / (same + diff), q_same / same / width,
                            q_diff / diff / width, c / pairs, c2 / pairs};
}

size_t literal_near(const uint32_t *list, size_t count, uint32_t w, int d) {
  size_t near = 0;
  for (size_t k = 0; k < count; k++)
    near += __builtin_popcount(list[k] ^ w) == d;
  return near;
}
