/* Rules over two selections, matched row by row: order, overlap. */
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  bperc_i_selection a, b;
  size_t key_a[32], key_b[32], keys; /* that both have and must agree in */
} pairing;

static int open_side(bperc_i_judgement *j, const bperc_i_source *s,
                     bperc_i_selection *out) {
  return bperc_i_select(j->tables, s->table, s->column, &s->where, out,
                        j->wrong, sizeof j->wrong) == BPERC_OK;
}

/* Whether the side itself holds this key to one value. */
static int fixes(const bperc_i_source *s, const char *key) {
  for (size_t k = s->common; k < s->where.count; k++)
    if (!strcmp(s->where.conditions[k].name, key) &&
        !strcmp(s->where.conditions[k].op, "="))
      return 1;
  return 0;
}

static int is_matched(const bperc_i_test *t, const char *key) {
  if (fixes(&t->a, key) || fixes(&t->b, key))
    return 0; /* held to different values on the two sides */
  for (size_t k = 0; k < t->match.count; k++)
    if (!strcmp(t->match.names[k], key))
      return 1;
  return !t->match.given;
}

static int pairing_open(bperc_i_judgement *j, pairing *p) {
  memset(p, 0, sizeof *p);
  if (!open_side(j, &j->test->a, &p->a))
    return 0;
  if (!open_side(j, &j->test->b, &p->b)) {
    bperc_i_selection_clear(&p->a);
    return 0;
  }
  for (size_t k = 0; k < p->a.table->key_count && p->keys < 32; k++) {
    long other = bperc_i_table_key(p->b.table, p->a.table->keys[k]);
    if (other < 0 || !is_matched(j->test, p->a.table->keys[k]))
      continue;
    p->key_a[p->keys] = k;
    p->key_b[p->keys++] = (size_t)other;
  }
  return 1;
}

static void pairing_clear(pairing *p) {
  bperc_i_selection_clear(&p->a);
  bperc_i_selection_clear(&p->b);
}

/* The row of b that fits row k of a; -1 when there is none. */
static long partner(const pairing *p, size_t k) {
  for (size_t r = 0; r < p->b.count; r++) {
    size_t q = 0;
    while (q < p->keys &&
           !strcmp(p->a.table->rows[p->a.rows[k]].texts[p->key_a[q]],
                   p->b.table->rows[p->b.rows[r]].texts[p->key_b[q]]))
      q++;
    if (q == p->keys)
      return (long)r;
  }
  return -1;
}

static int usable(const pairing *p, size_t k, long other) {
  return other >= 0 && isfinite(p->a.cells[k]->mean) &&
         isfinite(p->b.cells[other]->mean);
}

/* "table:column (n=30)": one side and what it alone is held to. */
static void say_side(bperc_i_judgement *j, const bperc_i_source *s,
                     const char *after) {
  bperc_i_text_format(j->measured, "%s:%s", s->table, s->column);
  for (size_t k = s->common; k < s->where.count; k++)
    bperc_i_text_format(j->measured, "%s%s%s%s", k == s->common ? " (" : ",",
                        s->where.conditions[k].name, s->where.conditions[k].op,
                        s->where.conditions[k].text);
  bperc_i_text_format(j->measured, "%s%s",
                      s->common < s->where.count ? ")" : "", after);
}

static void say_pair(bperc_i_judgement *j, const pairing *p, size_t k,
                     bperc_i_estimate e, const char *intro) {
  char label[200];
  bperc_i_row_label(p->a.table, p->a.rows[k], p->key_a, p->keys, label,
                    sizeof label);
  bperc_i_text_add(j->measured, intro);
  bperc_i_say_estimate(j->measured, e);
  bperc_i_text_format(j->measured, " at %s", *label ? label : "the one point");
}

/* high - low must be positive at every matched row; all rows together decide
 * with need=pooled. */
void bperc_i_rule_order(bperc_i_judgement *j) {
  bperc_i_tally tally = {0};
  bperc_i_estimate least = {INFINITY, 0, 0}, e;
  size_t least_at = 0, matched = 0;
  pairing p;
  if (!pairing_open(j, &p))
    return;
  for (size_t k = 0; k < p.a.count; k++)
    matched += usable(&p, k, partner(&p, k));
  for (size_t k = 0; k < p.a.count; k++) {
    long other = partner(&p, k);
    if (!usable(&p, k, other))
      continue;
    e = bperc_i_difference(p.a.cells[k], p.b.cells[other], 1);
    bperc_i_tally_add(&tally, e, matched);
    if (bperc_i_evidence(e) < bperc_i_evidence(least) ||
        !isfinite(least.value)) {
      least = e;
      least_at = k;
    }
  }
  if (matched) {
    say_side(j, &j->test->b, " above ");
    say_side(j, &j->test->a, "");
    bperc_i_text_format(j->measured, " at %zu of %zu points", tally.clear,
                        matched);
    say_pair(j, &p, least_at, least, ", least ");
  } else
    snprintf(j->wrong, sizeof j->wrong, "no points in common");
  j->verdict = bperc_i_tally_finish(&tally, j->test->pooled);
  pairing_clear(&p);
}

/* ---- overlap: |a - b| within the tolerance at a fraction of the points */

void bperc_i_rule_overlap(bperc_i_judgement *j) {
  double tolerance = j->test->tolerance;
  double fraction = j->test->fraction;
  size_t count[BPERC_I_VERDICTS] = {0}, total = 0, worst_at = 0;
  bperc_i_estimate worst = {0, 0, 0}, e;
  pairing p;
  if (!pairing_open(j, &p))
    return;
  for (size_t k = 0; k < p.a.count; k++) {
    long other = partner(&p, k);
    if (!usable(&p, k, other))
      continue;
    e = bperc_i_difference(p.a.cells[k], p.b.cells[other], 1);
    count[bperc_i_within(e, tolerance)]++;
    if (total++ == 0 || fabs(e.value) > fabs(worst.value)) {
      worst = e;
      worst_at = k;
    }
  }
  if (total) {
    say_side(j, &j->test->a, " and ");
    say_side(j, &j->test->b, "");
    bperc_i_text_format(
        j->measured, " within %.4g at %zu, apart at %zu of %zu points",
        tolerance, count[BPERC_HOLDS], count[BPERC_FAILS], total);
    say_pair(j, &p, worst_at, worst, ", largest difference ");
  } else
    snprintf(j->wrong, sizeof j->wrong, "no points in common");
  if ((double)count[BPERC_HOLDS] >= fraction * (double)total && total)
    j->verdict = BPERC_HOLDS;
  else if ((double)(total - count[BPERC_FAILS]) < fraction * (double)total)
    j->verdict = BPERC_FAILS;
  pairing_clear(&p);
}
