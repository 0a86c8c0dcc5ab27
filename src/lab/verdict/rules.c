/* What the rules of judges share: the count of evidence and the numbers
 * of a verdict. A test is wrong with its claim's rate at most (1 % unless
 * said): where every comparison must be clear each may have all of it, where
 * one of many decides they share it. */
#include "lab/verdict/judge.h"

#include "lab/base/memory.h"

#include <math.h>
#include <string.h>

bperc_i_estimate bperc_i_judged(bperc_i_judgement *j,
                                const bperc_i_estimate *e) {
  j->unknown |= e->method == BPERC_I_UNKNOWN;
  return j->times > 1 ? bperc_i_with_more(*e, j->times) : *e;
}

int bperc_i_evidence_add(bperc_i_judgement *j, bperc_i_evidence *t,
                         const bperc_i_estimate *e, size_t among) {
  bperc_i_estimate judged = bperc_i_judged(j, e);
  int side = bperc_i_is_above(&judged, 0, j->rate)                        ? 1
             : bperc_i_is_below(&judged, 0, j->fail_rate / (double)among) ? -1
                                                                          : 0;
  t->count++;
  t->clear += side > 0;
  t->against += side < 0;
  return side;
}

static bperc_claim_verdict decide_evidence(bperc_i_judgement *j,
                                           const bperc_i_evidence *t,
                                           const bperc_i_estimate *together) {
  bperc_i_estimate all;
  if (t->against)
    return BPERC_FAILS;
  if (t->count == 0)
    return BPERC_UNDECIDED;
  if (!together)
    return t->clear == t->count ? BPERC_HOLDS : BPERC_UNDECIDED;
  all = bperc_i_judged(j, together);
  if (bperc_i_is_below(&all, 0, j->fail_rate / (double)(t->count + 1)))
    return BPERC_FAILS;
  return bperc_i_is_above(&all, 0, j->rate) ? BPERC_HOLDS : BPERC_UNDECIDED;
}

void bperc_i_evidence_finish(bperc_i_judgement *j, const bperc_i_evidence *t,
                             const bperc_i_estimate *together) {
  j->verdict = decide_evidence(j, t, together);
  if (!j->out)
    return;
  j->out->compared = t->count;
  j->out->clear = t->clear;
  j->out->against = t->against;
}

bperc_claim_verdict bperc_i_within(bperc_i_judgement *j,
                                   const bperc_i_estimate *e, double tolerance,
                                   double rate, double fail_rate) {
  bperc_i_estimate judged = bperc_i_judged(j, e);
  if (e->method == BPERC_I_EXACT)
    return fabs(e->value) <= tolerance ? BPERC_HOLDS : BPERC_FAILS;
  if (bperc_i_is_below(&judged, tolerance, rate) &&
      bperc_i_is_above(&judged, -tolerance, rate))
    return BPERC_HOLDS;
  return bperc_i_is_above(&judged, tolerance, fail_rate / 2) ||
                 bperc_i_is_below(&judged, -tolerance, fail_rate / 2)
             ? BPERC_FAILS
             : BPERC_UNDECIDED;
}

/* ---- numbers of a verdict */

static int is_plain_share(const bperc_i_estimate *e) {
  return e->method == BPERC_I_SHARE && e->share[0].rows == 1;
}

bperc_claim_number *bperc_i_number_add(bperc_i_judgement *j,
                                       bperc_number_role role,
                                       bperc_number_kind kind,
                                       const bperc_i_estimate *e) {
  bperc_claim_number *list = NULL, *n = &j->spare;
  if (j->out)
    list =
        bperc_i_lab_grow(j->out->numbers, j->out->number_count, sizeof *list);
  if (list) { /* a lack of memory is counted */
    j->out->numbers = list;
    n = &list[j->out->number_count++];
  }
  *n = (bperc_claim_number){role,          kind,       .estimate = NAN,
                            .error = NAN,  .at = NAN,  .critical = NAN,
                            .chance = NAN, .rate = NAN};
  if (!e)
    return n;
  n->estimate = e->value;
  n->error = e->sem;
  n->instances = e->n;
  if (kind == BPERC_KIND_MEAN && is_plain_share(e)) {
    n->kind = BPERC_KIND_SHARE;
    n->hits = (size_t)round(e->value * (double)e->n);
  }
  return n;
}

/* What stands at position k of a vector: the column behind the keys has it. */
static void place_position(bperc_number_key *key, const bperc_i_table *t,
                           size_t row) {
  if (strcmp(key->name, "k") != 0 || !t->column_count)
    return;
  key->meaning = bperc_strdup(t->columns[0].name);
  key->value = t->columns[0].cells[row].mean;
}

void bperc_i_number_place(bperc_i_judgement *j, bperc_claim_number *n,
                          const bperc_i_table *t, size_t row,
                          const size_t *keys, size_t key_count) {
  if (!j->out || n == &j->spare || !key_count)
    return;
  n->keys = bperc_calloc(key_count, sizeof *n->keys);
  for (size_t k = 0; n->keys && k < key_count; k++) {
    bperc_number_key *key = &n->keys[n->key_count];
    key->name = bperc_strdup(t->keys[keys[k]]);
    key->text = bperc_strdup(t->rows[row].texts[keys[k]]);
    n->key_count++;
    if (key->name && key->text)
      place_position(key, t, row);
  }
}

static bperc_number_method method_of(const bperc_i_estimate *e) {
  static const bperc_number_method methods[] = {
      [BPERC_I_UNKNOWN] = BPERC_METHOD_UNKNOWN,
      [BPERC_I_EXACT] = BPERC_METHOD_EXACT,
      [BPERC_I_STUDENT] = BPERC_METHOD_STUDENT,
      [BPERC_I_SHARE] = BPERC_METHOD_BINOMIAL,
      [BPERC_I_SHARES] = BPERC_METHOD_SHARES,
      [BPERC_I_CHANCES] = BPERC_METHOD_CHANCES,
  };
  return methods[e->method];
}

void bperc_i_number_compare(bperc_claim_number *n, const bperc_i_estimate *e,
                            int sign, double bound, double rate) {
  n->method = method_of(e);
  n->rate = rate;
  n->critical = bound + sign * bperc_i_critical_value(e, rate);
  n->chance = bperc_i_chance(e);
}

void bperc_i_number_within(bperc_claim_number *n, const bperc_i_estimate *e,
                           double tolerance, double rate) {
  n->method = method_of(e);
  n->rate = rate;
  if (e->method == BPERC_I_STUDENT || e->method == BPERC_I_EXACT)
    n->critical = tolerance - bperc_i_critical_value(e, rate);
}
