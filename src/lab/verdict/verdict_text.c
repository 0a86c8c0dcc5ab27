/* The sentence over a verdict: terminal, `measured` of JSON, and, with other
 * writers of the pieces, the page.
 *
 *   slope of c:y against x: fin=0.1: 0.5 +- 0.1, fin=0.3: ... (to be up)
 *   subject                 piece                piece         condition
 */
#include "lab/verdict/verdict.h"

#include "base/number.h"
#include "lab/base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers in words */

static void write_format(const bperc_i_writer *w, const char *format, ...)
    BPERC_PRINTF(2, 3);
static void write_format(const bperc_i_writer *w, const char *format, ...) {
  char words[200];
  va_list list;
  va_start(list, format);
  bperc_i_vsnprintf(words, sizeof words, format, list);
  va_end(list);
  w->words(w, words);
}

static void write_estimate(const bperc_i_writer *w,
                           const bperc_claim_number *n) {
  switch (n->kind) {
  case BPERC_KIND_MEAN:
  case BPERC_KIND_SLOPE:
  case BPERC_KIND_DIFFERENCE:
    w->value(w, n->estimate, n->error);
    break;
  case BPERC_KIND_SHARE:
    w->value(w, n->estimate, NAN);
    write_format(w, " (%zu of %zu)", n->hits, n->instances);
    break;
  case BPERC_KIND_MEDIAN:
    w->words(w, "median ");
    w->value(w, n->estimate, NAN);
    if (n->instances)
      write_format(w, " of %zu", n->instances);
    break;
  case BPERC_KIND_FEW_POINTS:
    w->words(w, "too few points");
    break;
  case BPERC_KIND_SINGLE_VALUE:
    w->words(w, "a point has a single value");
    break;
  case BPERC_KIND_EMPTY:
  case BPERC_KIND_COUNT:
    break;
  }
}

/* ---- the subject */

int bperc_i_is_comparison(const bperc_claim_test *t) {
  return t->rule == BPERC_RULE_ORDER || t->rule == BPERC_RULE_OVERLAP;
}

static void write_order(const bperc_i_writer *w, const bperc_claim_test *t) {
  w->side(w, &t->sides[1]);
  w->words(w, " above ");
  w->side(w, &t->sides[0]);
  write_format(w, " at %zu of %zu points", t->clear, t->compared);
}

static void write_overlap(const bperc_i_writer *w, const bperc_claim_test *t) {
  w->side(w, &t->sides[0]);
  w->words(w, " and ");
  w->side(w, &t->sides[1]);
  w->words(w, " within ");
  w->value(w, isfinite(t->share) ? t->share : t->tolerance, NAN);
  if (isfinite(t->share)) {
    w->words(w, " of ");
    w->side(w, &t->sides[3]);
    w->words(w, " less ");
    w->side(w, &t->sides[2]);
  }
  write_format(w, " at %zu, apart at %zu of %zu points", t->clear, t->against,
               t->compared);
}

/* The number that stands for all points of a comparison. */
static void write_extreme(const bperc_i_writer *w,
                          const bperc_claim_number *n) {
  w->words(w,
           n->role == BPERC_ROLE_LEAST ? ", least " : ", largest difference ");
  write_estimate(w, n);
  w->words(w, " at ");
  if (n->key_count)
    w->keys(w, n);
  else
    w->words(w, "the one point");
}

void bperc_i_write_subject(const bperc_i_writer *w, const bperc_claim_test *t) {
  if (t->rule == BPERC_RULE_ORDER)
    write_order(w, t);
  else if (t->rule == BPERC_RULE_OVERLAP)
    write_overlap(w, t);
  else if (t->rule == BPERC_RULE_TREND) {
    w->words(w, "slope of ");
    w->side(w, &t->sides[0]);
    w->words(w, " against ");
    w->axis(w, t->x);
  } else {
    if (t->rule == BPERC_RULE_MAXIMUM || t->rule == BPERC_RULE_MINIMUM)
      write_format(w, "%s of ", bperc_rule_name(t->rule));
    w->side(w, &t->sides[0]);
  }
  if (bperc_i_is_comparison(t) && t->number_count)
    write_extreme(w, &t->numbers[0]);
}

int bperc_i_write_condition(const bperc_i_writer *w,
                            const bperc_claim_test *t) {
  switch (t->rule) {
  case BPERC_RULE_TREND:
    w->words(w, t->direction > 0 ? "up" : "down");
    return 1;
  case BPERC_RULE_NEAR:
    write_format(w, "%.6g within %.3g", t->value, t->tolerance);
    return 1;
  case BPERC_RULE_BELOW:
  case BPERC_RULE_ABOVE:
    write_format(w, "%s %.6g", bperc_rule_name(t->rule), t->value);
    return 1;
  default:
    return 0;
  }
}

/* ---- the numbers */

size_t bperc_i_piece_end(const bperc_claim_test *t, size_t first) {
  size_t end = first + 1;
  assert(first < t->number_count);
  if (t->numbers[first].role == BPERC_ROLE_TOP)
    while (end < t->number_count && (t->numbers[end].role == BPERC_ROLE_FIRST ||
                                     t->numbers[end].role == BPERC_ROLE_LAST))
      end++;
  return end;
}

void bperc_i_write_piece(const bperc_i_writer *w, const bperc_claim_test *t,
                         size_t first, size_t end) {
  const bperc_claim_number *n = &t->numbers[first];
  if (n->role == BPERC_ROLE_TOGETHER)
    w->words(w, "together: ");
  else if (n->key_count) {
    w->keys(w, n);
    w->words(w, ": ");
  }
  write_estimate(w, n);
  if (n->role != BPERC_ROLE_TOP)
    return;
  w->words(w, " at ");
  w->value(w, n->at, NAN);
  for (size_t k = first + 1; k < end; k++) {
    w->words(w, k == first + 1 ? " (ends " : " and ");
    write_estimate(w, &t->numbers[k]);
  }
  w->words(w, end > first + 1 ? ")" : "");
}

/* ---- what would decide it */

int bperc_i_write_advice(bperc_i_text *out, const bperc_claim_test *t) {
  if (t->verdict != BPERC_UNDECIDED || t->times == 0)
    return 0;
  if (isnan(t->times))
    bperc_i_text_add(out, "too few instances for an estimate");
  else if (isinf(t->times))
    bperc_i_text_add(out, "1024 times the instances would not decide it");
  else
    bperc_i_text_format(out, "about %.0f times the instances would decide it",
                        t->times);
  return 1;
}

/* ---- plain text */

static void plain_words(const bperc_i_writer *w, const char *text) {
  bperc_i_text_add(w->t, text);
}

static void plain_side(const bperc_i_writer *w, const bperc_claim_side *s) {
  bperc_i_text_format(w->t, "%s:%s", s->table, s->column);
  if (*s->where)
    bperc_i_text_format(w->t, " (%s)", s->where);
}

static void plain_value(const bperc_i_writer *w, double value, double error) {
  bperc_i_text_format(w->t, "%.4g", value);
  if (error > 0)
    bperc_i_text_format(w->t, " +- %.2g", error);
}

static void plain_keys(const bperc_i_writer *w, const bperc_claim_number *n) {
  for (size_t k = 0; k < n->key_count; k++)
    bperc_i_text_format(w->t, "%s%s=%s", k ? " " : "", n->keys[k].name,
                        n->keys[k].text);
}

static void write_test(const bperc_i_writer *w, const bperc_claim_test *t) {
  bperc_i_writer condition = *w;
  bperc_i_text words = {0}, advice = {0};
  if (t->not_measured) {
    bperc_i_text_format(w->t, "not measured: %s", t->not_measured);
    return;
  }
  bperc_i_write_subject(w, t);
  for (size_t k = bperc_i_is_comparison(t) ? 1 : 0, end; k < t->number_count;
       k = end) {
    end = bperc_i_piece_end(t, k);
    w->words(w, k ? ", " : ": ");
    bperc_i_write_piece(w, t, k, end);
  }
  condition.t = &words;
  if (bperc_i_write_condition(&condition, t))
    bperc_i_text_format(w->t, " (to be %s)", words.failed ? "" : words.text);
  if (bperc_i_write_advice(&advice, t))
    bperc_i_text_format(w->t, " (%s)", advice.failed ? "" : advice.text);
  w->t->failed |= words.failed | advice.failed;
  bperc_i_text_clear(&words);
  bperc_i_text_clear(&advice);
}

char *bperc_claim_measured(const bperc_claim *c) {
  bperc_i_text t = {0};
  bperc_i_writer w = {&t,          plain_words, plain_side, plain_words,
                      plain_value, plain_keys,  NULL};
  if (!c->test_count)
    bperc_i_text_add(&t, c->said ? c->said : "");
  for (size_t k = 0; k < c->test_count; k++) {
    bperc_i_text_add(&t, k ? "; " : "");
    write_test(&w, &c->tests[k]);
    if (c->tests[k].verdict != BPERC_HOLDS)
      bperc_i_text_format(&t, " [%s]",
                          bperc_claim_verdict_name(c->tests[k].verdict));
  }
  return bperc_i_text_take(&t);
}
