/* The plain verifier: sums bit by bit, deliberately without kernels, so that
 * it can judge every solver. Also the contradictions that need no search. */
#include "bperc/instance.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool input(const bperc_instance *in, size_t mu, size_t i) {
  return in->patterns[mu * in->words + i / 64] >> (i % 64) & 1;
}

static void judge(const bperc_instance *in, size_t mu, int64_t sum,
                  size_t *violated, bperc_verdict *verdict) {
  int64_t margin = in->labels[mu] ? sum - in->need : in->cap - sum;
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
    for (size_t i = 0; i < in->n; i++)
      sum += input(in, mu, i) && (weights[i / 64] >> (i % 64) & 1);
    judge(in, mu, sum, violated, &verdict);
  }
  return verdict;
}

bperc_verdict bperc_verify_integers(const bperc_instance *in,
                                    const int32_t *weights, size_t *violated) {
  bperc_verdict verdict = {0, 0};
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t sum = 0;
    for (size_t i = 0; i < in->n; i++)
      sum += input(in, mu, i) ? weights[i] : 0;
    judge(in, mu, sum, violated, &verdict);
  }
  return verdict;
}

typedef struct {
  const uint64_t *bits;
  size_t words, mu;
  uint8_t label;
} row;

static int compare_rows(const void *left, const void *right) {
  const row *a = left, *b = right;
  for (size_t k = 0; k < a->words; k++)
    if (a->bits[k] != b->bits[k])
      return a->bits[k] < b->bits[k] ? -1 : 1;
  return a->mu < b->mu ? -1 : a->mu > b->mu;
}

static void note(bperc_contradiction *out, size_t room, size_t *count,
                 bperc_contradiction entry) {
  if (*count < room)
    out[*count] = entry;
  ++*count;
}

static void too_few_ones(const bperc_instance *in, size_t mu,
                         bperc_contradiction *out, size_t room, size_t *count) {
  bperc_contradiction entry = {mu, mu, ""};
  int64_t ones = 0;
  for (size_t i = 0; i < in->n; i++)
    ones += input(in, mu, i);
  if (in->labels[mu] ? ones >= in->need : in->cap >= 0)
    return;
  if (in->labels[mu])
    snprintf(entry.text, sizeof entry.text,
             "pattern %zu has label 1 but only %lld ones, and needs %lld", mu,
             (long long)ones, (long long)in->need);
  else
    snprintf(entry.text, sizeof entry.text,
             "pattern %zu has label 0, and no sum is below the threshold", mu);
  note(out, room, count, entry);
}

static void both_labels(const row *rows, size_t m, bperc_contradiction *out,
                        size_t room, size_t *count) {
  for (size_t k = 0, first = 0; k < m; k++) {
    bperc_contradiction entry;
    if (memcmp(rows[k].bits, rows[first].bits, rows[k].words * 8) != 0)
      first = k;
    if (rows[k].label == rows[first].label)
      continue;
    entry = (bperc_contradiction){rows[first].mu, rows[k].mu, ""};
    snprintf(entry.text, sizeof entry.text,
             "patterns %zu and %zu are the same input with different labels",
             rows[first].mu, rows[k].mu);
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
    rows[mu] =
        (row){bperc_instance_pattern(in, mu), in->words, mu, in->labels[mu]};
    too_few_ones(in, mu, out, room, count);
  }
  /* Inputs that are equal contradict each other only when need > cap. */
  if (in->m && in->need > in->cap) {
    qsort(rows, in->m, sizeof *rows, compare_rows);
    both_labels(rows, in->m, out, room, count);
  }
  bperc_i_free(rows);
  return BPERC_OK;
}
