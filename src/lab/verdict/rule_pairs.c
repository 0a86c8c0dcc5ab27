/* Rules over two selections, matched row by row: order, overlap. */
#include "lab/verdict/judge.h"

#include "lab/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  bperc_i_selection a, b;
  size_t key_a[BPERC_I_KEYS], key_b[BPERC_I_KEYS];
  size_t keys;         /* that both have and must agree in */
  bperc_i_index index; /* of b by these; borrows from here */
} pairing;

static int open_side(bperc_i_judgement *j, const bperc_i_table_source *s,
                     bperc_i_selection *out) {
  return bperc_i_select(j->tables, s->table, s->column, &s->where, out,
                        j->wrong, sizeof j->wrong) == BPERC_OK;
}

/* Whether the side itself holds this key to one value. */
static int fixes(const bperc_i_table_source *s, const char *key) {
  for (size_t k = s->common; k < s->where.count; k++)
    if (!strcmp(s->where.conditions[k].name, key) &&
        !strcmp(s->where.conditions[k].op, "="))
      return 1;
  return 0;
}

static int is_matched(const bperc_i_test *t, const char *key) {
  if (fixes(&t->a, key) || fixes(&t->b, key) || fixes(&t->c, key) ||
      fixes(&t->d, key))
    return 0; /* held to different values on the two sides */
  for (size_t k = 0; k < t->match.count; k++)
    if (!strcmp(t->match.names[k], key))
      return 1;
  return !t->match.given;
}

/* Keys that rows of both sides must agree in. */
static void match_keys(const bperc_i_judgement *j, pairing *p) {
  p->keys = 0;
  for (size_t k = 0; k < p->a.table->key_count; k++) {
    long other = bperc_i_table_key(p->b.table, p->a.table->keys[k]);
    if (other < 0 || !is_matched(j->test, p->a.table->keys[k]))
      continue;
    p->key_a[p->keys] = k;
    p->key_b[p->keys++] = (size_t)other;
  }
}

/* The first row of b with each combination of keys; 0 when memory lacks. */
static int index_rows(pairing *p) {
  if (!bperc_i_index_open(&p->b, p->key_b, p->keys, &p->index))
    return 0;
  for (size_t r = 0; r < p->b.count; r++) {
    size_t *slot =
        bperc_i_index_slot(&p->index, p->b.table, p->b.rows[r], p->key_b);
    *slot = *slot ? *slot : r + 1;
  }
  return 1;
}

static void pairing_clear(pairing *p) {
  bperc_i_index_clear(&p->index);
  bperc_i_selection_clear(&p->a);
  bperc_i_selection_clear(&p->b);
}

/* The rows of the first source and those of another; 0 with j->wrong. */
static int pairing_open(bperc_i_judgement *j, const bperc_i_table_source *other,
                        pairing *p) {
  *p = (pairing){0};
  if (open_side(j, &j->test->a, &p->a) && open_side(j, other, &p->b)) {
    match_keys(j, p);
    if (index_rows(p))
      return 1;
    snprintf(j->wrong, sizeof j->wrong, "no memory");
  }
  pairing_clear(p);
  return 0;
}

/* The row of b that fits row k of a; -1 when there is none. */
static long partner(const pairing *p, size_t k) {
  return (long)*bperc_i_index_slot(&p->index, p->a.table, p->a.rows[k],
                                   p->key_a) -
         1;
}

static int usable(const pairing *p, size_t k, long other) {
  return other >= 0 && isfinite(p->a.cells[k]->mean) &&
         isfinite(p->b.cells[other]->mean);
}

/* The number of one point that stands for all. */
static bperc_claim_number *add_pair_number(bperc_i_judgement *j,
                                           const pairing *p,
                                           bperc_number_role role, size_t k,
                                           const bperc_i_estimate *e) {
  bperc_claim_number *n = bperc_i_number_add(j, role, BPERC_KIND_DIFFERENCE, e);
  bperc_i_number_place(j, n, p->a.table, p->a.rows[k], p->key_a, p->keys);
  return n;
}

static bperc_i_estimate difference(const bperc_i_judgement *j, const pairing *p,
                                   size_t k, long other) {
  const bperc_i_table_cell *a = p->a.cells[k], *b = p->b.cells[other];
  if (j->test->median)
    return bperc_i_sign_test_pairs(a, b);
  return bperc_i_difference(
      a, b, (p->a.yes_no || a->exact) && (p->b.yes_no || b->exact));
}

/* ---- order */

/* Mean over points of b - a, one number per instance that has all of them. */
static bperc_i_estimate flips_together(const bperc_i_table_cell *const *cells,
                                       const double *w, size_t count) {
  bperc_i_estimate out = bperc_i_unknown;
  uint32_t most = bperc_i_most_instances(cells, count);
  double *v = bperc_alloc(most, sizeof *v), y;
  size_t n = 0;
  for (uint32_t i = 0; v && i < most; i++) {
    size_t k = 0;
    v[n] = 0;
    for (; k < count && bperc_i_cell_value(cells[k], i, &y); k++)
      v[n] += w[k] * y;
    n += k == count;
  }
  if (v && n)
    out = bperc_i_flip_test(v, n);
  bperc_free(v);
  return out;
}

static bperc_i_estimate all_together(const pairing *p, size_t matched) {
  bperc_i_estimate out = bperc_i_unknown;
  const bperc_i_table_cell **cells = bperc_alloc(2 * matched, sizeof *cells);
  double *w = bperc_alloc(2 * matched, sizeof *w);
  size_t n = 0;
  for (size_t k = 0; cells && w && k < p->a.count; k++) {
    long other = partner(p, k);
    if (!usable(p, k, other))
      continue;
    cells[n] = p->a.cells[k];
    w[n++] = -1 / (double)matched;
    cells[n] = p->b.cells[other];
    w[n++] = 1 / (double)matched;
  }
  if (cells && w && n)
    out = p->a.yes_no && p->b.yes_no ? flips_together(cells, w, n)
                                     : bperc_i_contrast(cells, w, n);
  bperc_free(cells);
  bperc_free(w);
  return out;
}

/* How clear a difference is, to find the least clear of them. */
static double clearness(const bperc_i_estimate *e) {
  if (e->method == BPERC_I_CHANCES || e->method == BPERC_I_SHARES)
    return e->value > 0 ? 1 - e->above : e->below - 1;
  return e->sem > 0 ? e->value / e->sem : e->value * 1e9;
}

static size_t count_matched(const pairing *p) {
  size_t matched = 0;
  for (size_t k = 0; k < p->a.count; k++)
    matched += usable(p, k, partner(p, k));
  return matched;
}

/* The least clear point, then all of them as one. */
static void add_order(bperc_i_judgement *j, const pairing *p, size_t matched,
                      size_t at, const bperc_i_estimate *least, int side,
                      const bperc_i_estimate *together) {
  bperc_claim_number *n = add_pair_number(j, p, BPERC_ROLE_LEAST, at, least);
  bperc_i_number_compare(n, least, 1, 0, j->rate);
  n->side = side;
  if (!j->test->pooled || matched < 2)
    return;
  n = bperc_i_number_add(j, BPERC_ROLE_TOGETHER, BPERC_KIND_DIFFERENCE,
                         together);
  bperc_i_number_compare(n, together, 1, 0, j->rate);
}

/* high - low must be positive at every matched row; all rows together decide
 * with need=pooled. */
void bperc_i_rule_order(bperc_i_judgement *j) {
  bperc_i_evidence tally = {0};
  bperc_i_estimate least = bperc_i_unknown, e, together = bperc_i_unknown;
  size_t least_at = 0, matched;
  int side, least_side = 0;
  pairing p;
  if (!pairing_open(j, &j->test->b, &p))
    return;
  matched = count_matched(&p);
  for (size_t k = 0; k < p.a.count; k++) {
    long other = partner(&p, k);
    int first = tally.count == 0;
    if (!usable(&p, k, other))
      continue;
    e = difference(j, &p, k, other);
    side =
        bperc_i_evidence_add(j, &tally, &e, matched + (size_t)j->test->pooled);
    if (first || clearness(&e) < clearness(&least)) {
      least = e;
      least_at = k;
      least_side = side;
    }
  }
  if (j->test->pooled && matched)
    together = all_together(&p, matched);
  if (matched)
    add_order(j, &p, matched, least_at, &least, least_side, &together);
  else
    snprintf(j->wrong, sizeof j->wrong, "no points in common");
  bperc_i_evidence_finish(j, &tally, j->test->pooled ? &together : NULL);
  pairing_clear(&p);
}

/* ---- overlap: |a - b| within the tolerance at a fraction of the points */

/* The cell of b at the row that fits row k of a; NULL when there is none. */
static const bperc_i_table_cell *cell_beside(const pairing *p, size_t k) {
  long row = partner(p, k);
  return row >= 0 ? p->b.cells[row] : NULL;
}

/* |b - a| within a share of d - c: both of share (d - c) +- (b - a) positive.
 * p: a with b, with c and with d. */
static bperc_claim_verdict within_share(bperc_i_judgement *j,
                                        const pairing p[3], size_t k,
                                        double rate, double fail_rate) {
  const bperc_i_table_cell *cells[] = {p->a.cells[k], cell_beside(&p[0], k),
                                       cell_beside(&p[1], k),
                                       cell_beside(&p[2], k)};
  double s = j->test->share, up[] = {1, -1, -s, s}, down[] = {-1, 1, -s, s};
  bperc_i_estimate a, b;
  if (!cells[2] || !cells[3] || p->a.yes_no || p->b.yes_no) {
    snprintf(j->wrong, sizeof j->wrong, "%s",
             cells[2] && cells[3] ? "shares of yes and no are not compared"
                                  : "low or high has no point that fits");
    return BPERC_UNDECIDED;
  }
  a = bperc_i_contrast(cells, up, 4);
  a = bperc_i_judged(j, &a);
  b = bperc_i_contrast(cells, down, 4);
  b = bperc_i_judged(j, &b);
  if (bperc_i_is_above(&a, 0, rate) && bperc_i_is_above(&b, 0, rate))
    return BPERC_HOLDS;
  return bperc_i_is_below(&a, 0, fail_rate / 2) ||
                 bperc_i_is_below(&b, 0, fail_rate / 2)
             ? BPERC_FAILS
             : BPERC_UNDECIDED;
}

/* So many points may be apart: a wrong `holds` takes one wrong point among one
 * more than these, a wrong `fails` one among all. */
static void finish_overlap(bperc_i_judgement *j,
                           const size_t count[BPERC_I_VERDICTS], size_t total,
                           size_t spare) {
  if (total && count[BPERC_HOLDS] + spare >= total)
    j->verdict = BPERC_HOLDS;
  else if (count[BPERC_FAILS] > spare)
    j->verdict = BPERC_FAILS;
  if (!j->out)
    return;
  j->out->compared = total;
  j->out->clear = count[BPERC_HOLDS];
  j->out->against = count[BPERC_FAILS];
}

static void judge_overlap(bperc_i_judgement *j, const pairing p[3]) {
  size_t count[BPERC_I_VERDICTS] = {0}, worst_at = 0, seen = 0;
  size_t total = count_matched(p);
  size_t spare = (size_t)floor((1 - j->test->fraction) * (double)total + 1e-9);
  double rate = j->rate / (double)(spare + 1);
  double fail_rate = j->fail_rate / (double)total;
  bperc_i_estimate worst = bperc_i_unknown, e;
  bperc_claim_verdict v, worst_verdict = BPERC_UNDECIDED;
  bperc_claim_number *n;
  for (size_t k = 0; k < p->a.count; k++) {
    long other = partner(p, k);
    if (!usable(p, k, other))
      continue;
    e = difference(j, p, k, other);
    v = isfinite(j->test->share)
            ? within_share(j, p, k, rate, fail_rate)
            : bperc_i_within(j, &e, j->test->tolerance, rate, fail_rate);
    count[v]++;
    if (seen++ == 0 || fabs(e.value) > fabs(worst.value)) {
      worst = e;
      worst_at = k;
      worst_verdict = v;
    }
  }
  if (!total) {
    snprintf(j->wrong, sizeof j->wrong, "no points in common");
  } else if (!j->wrong[0]) {
    n = add_pair_number(j, p, BPERC_ROLE_LARGEST, worst_at, &worst);
    bperc_i_number_within(
        n, &worst, isfinite(j->test->share) ? NAN : j->test->tolerance, rate);
    n->side = worst_verdict == BPERC_HOLDS   ? 1
              : worst_verdict == BPERC_FAILS ? -1
                                             : 0;
  }
  finish_overlap(j, count, total, spare);
}

void bperc_i_rule_overlap(bperc_i_judgement *j) {
  const bperc_i_table_source *others[] = {&j->test->b, &j->test->c,
                                          &j->test->d};
  size_t wanted = isfinite(j->test->share) ? 3 : 1, opened = 0;
  pairing p[3];
  while (opened < wanted && pairing_open(j, others[opened], &p[opened]))
    opened++;
  if (opened == wanted)
    judge_overlap(j, p);
  while (opened)
    pairing_clear(&p[--opened]);
}
