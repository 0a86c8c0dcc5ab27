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

static int open_side(bperc_i_judgement *j, const char *side,
                     bperc_i_selection *out) {
  char table[256], y[256], name[32], where[600];
  const char *common = bperc_i_argument(j, "where", ""), *own;
  snprintf(name, sizeof name, "%s_where", side);
  own = bperc_i_argument(j, name, "");
  snprintf(where, sizeof where, "%s%s%s", common, *common && *own ? "," : "",
           own);
  if (!bperc_i_source_split(bperc_i_argument(j, side, ""), table, y,
                            sizeof table)) {
    snprintf(j->wrong, sizeof j->wrong, "%s is table:column", side);
    return 0;
  }
  return bperc_i_select(j->tables, table, y, where, out, j->wrong,
                        sizeof j->wrong) == BPERC_OK;
}

static int is_matched(const bperc_i_judgement *j, const char *key) {
  const char *match = bperc_i_argument(j, "match", NULL);
  bperc_i_filter own;
  char name[32];
  for (int side = 0; side < 4; side++) {
    static const char *const sides[] = {"low", "high", "a", "b"};
    snprintf(name, sizeof name, "%s_where", sides[side]);
    if (!bperc_i_filter_parse(bperc_i_argument(j, name, ""), &own) &&
        bperc_i_filter_fixes(&own, key))
      return 0; /* held to different values on the two sides */
  }
  return !match || bperc_i_listed(match, key);
}

static int pairing_open(bperc_i_judgement *j, const char *a, const char *b,
                        pairing *p) {
  memset(p, 0, sizeof *p);
  if (!open_side(j, a, &p->a))
    return 0;
  if (!open_side(j, b, &p->b)) {
    bperc_i_selection_clear(&p->a);
    return 0;
  }
  for (size_t k = 0; k < p->a.table->key_count && p->keys < 32; k++) {
    long other = bperc_i_table_key(p->b.table, p->a.table->keys[k]);
    if (other < 0 || !is_matched(j, p->a.table->keys[k]))
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

/* "table:column (n=30)": one side and what it is held to. */
static void say_side(bperc_i_judgement *j, const char *side,
                     const char *after) {
  char name[32];
  const char *own;
  snprintf(name, sizeof name, "%s_where", side);
  own = bperc_i_argument(j, name, "");
  bperc_i_text_format(j->measured, *own ? "%s (%s)%s" : "%s%s%s",
                      bperc_i_argument(j, side, ""), own, after);
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
  if (!pairing_open(j, "low", "high", &p))
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
    say_side(j, "high", " above ");
    say_side(j, "low", "");
    bperc_i_text_format(j->measured, " at %zu of %zu points", tally.clear,
                        matched);
    say_pair(j, &p, least_at, least, ", least ");
  } else
    snprintf(j->wrong, sizeof j->wrong, "no points in common");
  j->verdict = bperc_i_tally_finish(&tally, bperc_i_pooled(j));
  pairing_clear(&p);
}

/* ---- overlap: |a - b| within the tolerance at a fraction of the points */

void bperc_i_rule_overlap(bperc_i_judgement *j) {
  double tolerance = strtod(bperc_i_argument(j, "tolerance", "0"), NULL);
  double fraction = strtod(bperc_i_argument(j, "fraction", "1"), NULL);
  size_t count[BPERC_I_VERDICTS] = {0}, total = 0, worst_at = 0;
  bperc_i_estimate worst = {0, 0, 0}, e;
  pairing p;
  if (!pairing_open(j, "a", "b", &p))
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
    say_side(j, "a", " and ");
    say_side(j, "b", "");
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
