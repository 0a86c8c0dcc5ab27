/* The plain verifier: sums word by word, deliberately without kernels, so that
 * it can judge every solver. Also the contradictions that need no search. */
#include "bperc/instance.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hits of one word of a pattern, by their definition. Bits of padding are
 * 0 in `where`. */
static int64_t word_hits(const bperc_instance *in, size_t mu, size_t k,
                         uint64_t weights) {
  uint64_t plus = in->patterns[mu * in->words + k];
  uint64_t where = ~(uint64_t)0;
  if (in->inputs == BPERC_INPUTS_01)
    return __builtin_popcountll(plus & weights);
  if (in->support)
    where = in->support[mu * in->words + k];
  else if (64 * (k + 1) > in->n)
    where >>= 64 * (k + 1) - in->n;
  return __builtin_popcountll(where & ((plus & weights) | (~plus & ~weights)));
}

/* How far the hits may move before the pattern is violated, below 0 when it
 * is. */
static int64_t band_margin(const bperc_instance *in, size_t mu, int64_t hits) {
  int64_t below, above;
  if (!in->upper)
    return in->labels[mu] ? hits - bperc_instance_bound(in, mu)
                          : bperc_instance_bound(in, mu) - hits;
  below = hits - in->bound[mu];
  above = in->upper[mu] - hits;
  if (in->labels[mu])
    return below < above ? below : above;
  return (below < above ? -below : -above) - 1;
}

static void judge(const bperc_instance *in, size_t mu, int64_t sum,
                  size_t *violated, bperc_verdict *verdict) {
  int64_t margin = band_margin(in, mu, sum);
  if (margin < verdict->min_margin || mu == 0)
    verdict->min_margin = margin;
  if (margin >= 0)
    return;
  if (violated)
    violated[verdict->errors] = mu;
  verdict->errors++;
}

bperc_verdict bperc_verify(const bperc_instance *in, const uint64_t *weights,
                           size_t *violated) {
  bperc_verdict verdict = {0, 0};
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t sum = 0;
    for (size_t k = 0; k < in->words; k++)
      sum += word_hits(in, mu, k, weights[k]);
    judge(in, mu, sum, violated, &verdict);
  }
  return verdict;
}

/* Weights under the inputs 1 and under the inputs -1 of a pattern: their sums
 * and numbers. */
typedef struct {
  int64_t plus, minus, pluses, minuses;
} parts;

static int64_t sum_under(uint64_t bits, const int32_t *weights) {
  int64_t sum = 0;
  for (; bits; bits &= bits - 1)
    sum += weights[__builtin_ctzll(bits)];
  return sum;
}

static parts integer_parts(const bperc_instance *in, size_t mu,
                           const int32_t *weights) {
  parts p = {0};
  for (size_t k = 0; k < in->words; k++) {
    uint64_t plus = in->patterns[mu * in->words + k], where = ~(uint64_t)0;
    if (in->support)
      where = in->support[mu * in->words + k];
    else if (64 * (k + 1) > in->n)
      where >>= 64 * (k + 1) - in->n;
    p.plus += sum_under(plus, weights + 64 * k);
    p.pluses += __builtin_popcountll(plus);
    if (in->inputs == BPERC_INPUTS_01)
      continue;
    p.minus += sum_under(where & ~plus, weights + 64 * k);
    p.minuses += __builtin_popcountll(where & ~plus);
  }
  return p;
}

bperc_verdict bperc_verify_integers(const bperc_instance *in,
                                    const int32_t *weights, size_t *violated) {
  bperc_verdict verdict = {0, 0};
  for (size_t mu = 0; mu < in->m; mu++) {
    parts p = integer_parts(in, mu, weights);
    judge(in, mu, p.plus + p.minuses - p.minus, violated, &verdict);
  }
  return verdict;
}

void bperc_sums_integers(const bperc_instance *in, const int32_t *weights,
                         int64_t *sums) {
  for (size_t mu = 0; mu < in->m; mu++) {
    parts p = integer_parts(in, mu, weights);
    sums[mu] = p.plus - p.minus;
    if (in->weights == BPERC_WEIGHTS_PM) /* 2 w - 1 */
      sums[mu] = 2 * sums[mu] - (p.pluses - p.minuses);
  }
}

/* ---- contradictions */

typedef struct {
  const uint64_t *bits, *support;
  size_t words, mu;
  int64_t bound;
  uint8_t label;
} row;

static int compare_bits(const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t k = 0; k < words; k++)
    if (a[k] != b[k])
      return a[k] < b[k] ? -1 : 1;
  return 0;
}

static int compare_inputs(const row *a, const row *b) {
  int order = compare_bits(a->bits, b->bits, a->words);
  if (order == 0 && a->support)
    order = compare_bits(a->support, b->support, a->words);
  return order;
}

static int compare_rows(const void *left, const void *right) {
  const row *a = left, *b = right;
  int order = compare_inputs(a, b);
  return order ? order : a->mu < b->mu ? -1 : a->mu > b->mu;
}

static void note(bperc_contradiction *out, size_t room, size_t *count,
                 bperc_contradiction entry) {
  if (*count < room)
    out[*count] = entry;
  ++*count;
}

/* Whether no number of hits from 0 to the degree satisfies a pattern. */
static bool out_of_reach(const bperc_instance *in, size_t mu) {
  int64_t degree = (int64_t)bperc_instance_degree(in, mu);
  int64_t low = bperc_instance_low(in, mu), high = bperc_instance_high(in, mu);
  if (in->upper && !in->labels[mu])
    return low <= 0 && high >= degree;
  return low > degree || high < 0 || low > high;
}

static void alone(const bperc_instance *in, size_t mu, bperc_contradiction *out,
                  size_t room, size_t *count) {
  bperc_contradiction entry = {mu, mu, ""};
  int64_t degree = (int64_t)bperc_instance_degree(in, mu);
  int plain = in->inputs == BPERC_INPUTS_01 && in->weights == BPERC_WEIGHTS_01;
  if (!out_of_reach(in, mu))
    return;
  if (in->upper)
    snprintf(entry.text, sizeof entry.text,
             "pattern %zu has label %d, and no sum of its %lld inputs is %s "
             "the band",
             mu, in->labels[mu], (long long)degree,
             in->labels[mu] ? "inside" : "outside of");
  else if (in->labels[mu] && plain)
    snprintf(entry.text, sizeof entry.text,
             "pattern %zu has label 1 but only %lld ones, and needs %lld", mu,
             (long long)degree, (long long)bperc_instance_bound(in, mu));
  else if (in->labels[mu])
    snprintf(entry.text, sizeof entry.text,
             "pattern %zu has label 1, and no sum of its %lld inputs is above "
             "the threshold",
             mu, (long long)degree);
  else
    snprintf(entry.text, sizeof entry.text,
             "pattern %zu has label 0, and no sum is below the threshold", mu);
  note(out, room, count, entry);
}

/* Rows in order of their inputs. Equal inputs with both labels contradict each
 * other when label 1 wants more hits than label 0 allows. */
static void both_labels(const row *rows, size_t m, bperc_contradiction *out,
                        size_t room, size_t *count) {
  for (size_t k = 0, first = 0; k < m; k++) {
    const row *a = &rows[first], *b = &rows[k];
    bperc_contradiction entry;
    if (compare_inputs(a, b) != 0)
      first = k;
    a = &rows[first];
    if (a->label == b->label ||
        (a->label ? a->bound <= b->bound : b->bound <= a->bound))
      continue;
    entry = (bperc_contradiction){a->mu, b->mu, ""};
    snprintf(entry.text, sizeof entry.text,
             "patterns %zu and %zu are the same input with different labels",
             a->mu, b->mu);
    note(out, room, count, entry);
  }
}

bperc_status bperc_instance_contradictions(const bperc_instance *in,
                                           bperc_contradiction *out,
                                           size_t room, size_t *count) {
  row *rows = bperc_i_alloc(in->m, sizeof *rows);
  *count = 0;
  if (!rows)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < in->m; mu++) {
    rows[mu] = (row){
        .bits = bperc_instance_pattern(in, mu),
        .support = in->support ? in->support + mu * in->words : NULL,
        .words = in->words,
        .mu = mu,
        .bound = in->upper ? in->labels[mu] : bperc_instance_bound(in, mu),
        .label = in->labels[mu]};
    alone(in, mu, out, room, count);
  }
  if (in->m) {
    qsort(rows, in->m, sizeof *rows, compare_rows);
    both_labels(rows, in->m, out, room, count);
  }
  bperc_i_free(rows);
  return BPERC_OK;
}

int bperc_instance_infeasible(const bperc_instance *in, size_t from,
                              int unbounded) {
  for (size_t mu = from; mu < in->m; mu++) {
    int64_t bound = bperc_instance_bound(in, mu);
    if (in->upper) {
      if (out_of_reach(in, mu))
        return true;
      continue;
    }
    if (in->labels[mu] && bound > 0 && unbounded)
      bound = 1;
    if (in->labels[mu] ? bound > (int64_t)bperc_instance_degree(in, mu)
                       : bound < 0)
      return true;
  }
  return false;
}
