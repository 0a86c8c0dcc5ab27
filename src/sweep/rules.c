/* The rules of the judges. Every comparison is one-sided at 1 %; a rule that
 * looks at many points shares this chance among them before it says `fails`.
 */
#include "sweep/judge.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *argument(const bperc_i_judgement *j, const char *key,
                            const char *fallback) {
  return bperc_i_arguments_get(j->arguments, key, fallback);
}

static int pooled(const bperc_i_judgement *j) {
  return strcmp(argument(j, "need", "all"), "pooled") == 0;
}

/* ---- curves: selected cells cut into series, ordered along x */

typedef struct {
  double x;
  const bperc_i_cell *cell;
  bperc_i_cell own; /* when several rows share an x: their pool */
} place;

typedef struct {
  bperc_i_selection selection;
  size_t keys[32], key_count; /* of the series */
  size_t *group;
  size_t groups;
  place *places; /* of the current series */
  const bperc_i_cell **cells;
  double *xs;
  size_t count;
  char label[160];
} curves;

static void curves_clear(curves *c) {
  for (size_t k = 0; c->places && k < c->selection.count; k++)
    bperc_i_cell_clear(&c->places[k].own);
  bperc_i_selection_clear(&c->selection);
  bperc_i_free(c->group);
  bperc_i_free(c->places);
  bperc_i_free(c->cells);
  bperc_i_free(c->xs);
}

/* Keys of the series: those named in by=, else all but x and k. */
static void series_keys(const bperc_i_judgement *j, curves *c) {
  const bperc_i_table *t = c->selection.table;
  const char *by = argument(j, "by", NULL);
  char name[64];
  if (!by) {
    c->key_count = bperc_i_other_keys(t, argument(j, "x", ""), c->keys, 32);
    return;
  }
  while (*by) {
    size_t length = strcspn(by, ",");
    long key;
    snprintf(name, sizeof name, "%.*s", (int)length, by);
    key = bperc_i_table_key(t, name);
    if (key >= 0 && c->key_count < 32)
      c->keys[c->key_count++] = (size_t)key;
    by += length + (by[length] == ',');
  }
}

static int curves_open(bperc_i_judgement *j, curves *c) {
  const char *x = argument(j, "x", "");
  size_t n;
  memset(c, 0, sizeof *c);
  if (bperc_i_select(j->tables, argument(j, "table", ""), argument(j, "y", ""),
                     argument(j, "where", ""), &c->selection, j->wrong,
                     sizeof j->wrong) != BPERC_OK)
    return 0;
  if (*x && bperc_i_table_key(c->selection.table, x) < 0 &&
      bperc_i_table_column(c->selection.table, x) < 0) {
    snprintf(j->wrong, sizeof j->wrong, "table '%s' has no column '%s'",
             c->selection.table->name, x);
    curves_clear(c);
    return 0;
  }
  n = c->selection.count;
  c->group = bperc_i_alloc(n, sizeof *c->group);
  c->places = bperc_i_calloc(n, sizeof *c->places);
  c->cells = bperc_i_alloc(n, sizeof *c->cells);
  c->xs = bperc_i_alloc(n, sizeof *c->xs);
  if (!c->group || !c->places || !c->cells || !c->xs) {
    snprintf(j->wrong, sizeof j->wrong, "no memory");
    curves_clear(c);
    return 0;
  }
  series_keys(j, c);
  c->groups =
      bperc_i_group_rows(&c->selection, c->keys, c->key_count, c->group);
  return 1;
}

static int by_x(const void *a, const void *b) {
  const place *p = a, *q = b;
  return p->x < q->x ? -1 : p->x > q->x;
}

static void forget_pools(curves *c) {
  for (size_t k = 0; k < c->selection.count; k++)
    bperc_i_cell_clear(&c->places[k].own);
}

/* Rows with the same x become one cell, instance by instance. */
static size_t unite(place *p, size_t count, const bperc_i_cell **scratch) {
  size_t kept = 0;
  for (size_t k = 0; k < count;) {
    size_t same = 1;
    scratch[0] = p[k].cell;
    while (k + same < count && p[k + same].x == p[k].x) {
      scratch[same] = p[k + same].cell;
      same++;
    }
    p[kept].x = p[k].x;
    p[kept].cell = p[k].cell;
    if (same > 1) {
      bperc_i_pool(scratch, same, &p[kept].own);
      p[kept].cell = NULL;
    }
    kept++;
    k += same;
  }
  return kept;
}

/* Loads series g: c->xs and c->cells in the order of x; all rows are one
 * place when there is no x. */
static void curves_load(const bperc_i_judgement *j, curves *c, size_t g) {
  const bperc_i_selection *s = &c->selection;
  const char *x = argument(j, "x", "");
  forget_pools(c);
  c->count = 0;
  c->label[0] = 0;
  for (size_t k = 0; k < s->count; k++) {
    double at = *x ? bperc_i_table_number(s->table, x, s->rows[k]) : 0;
    if (c->group[k] != g || !isfinite(at) || !isfinite(s->cells[k]->mean))
      continue;
    if (c->count == 0)
      bperc_i_row_label(s->table, s->rows[k], c->keys, c->key_count, c->label,
                        sizeof c->label);
    c->places[c->count].x = at;
    c->places[c->count++].cell = s->cells[k];
  }
  qsort(c->places, c->count, sizeof *c->places, by_x);
  c->count = unite(c->places, c->count, c->cells);
  for (size_t k = 0; k < c->count; k++) {
    c->xs[k] = c->places[k].x;
    c->cells[k] = c->places[k].cell ? c->places[k].cell : &c->places[k].own;
  }
}

/* The one place of a series without x; NAN when it is empty. */
static bperc_i_estimate whole(const curves *c) {
  const bperc_i_estimate none = {NAN, NAN, 0};
  return c->count == 1 ? bperc_i_cell_estimate(c->cells[0]) : none;
}

static void say_estimate(bperc_i_text *t, bperc_i_estimate e) {
  if (e.sem > 0)
    bperc_i_text_format(t, "%.4g +- %.2g", e.value, e.sem);
  else
    bperc_i_text_format(t, "%.4g", e.value);
}

static void say_series(const bperc_i_judgement *j, const char *label,
                       size_t g) {
  bperc_i_text_format(j->measured, "%s%s%s", g ? ", " : "", label,
                      *label ? ": " : "");
}

/* ---- trend */

static bperc_i_estimate flip(bperc_i_estimate e, double sign) {
  e.value *= sign;
  return e;
}

/* Without errors a trend must be monotonic. */
static bperc_i_estimate exact_trend(const curves *c, bperc_i_estimate slope) {
  int up = 0, down = 0;
  if (slope.sem != 0)
    return slope;
  for (size_t k = 1; k < c->count; k++) {
    up += c->cells[k]->mean > c->cells[k - 1]->mean;
    down += c->cells[k]->mean < c->cells[k - 1]->mean;
  }
  if (up && down)
    slope.value = 0;
  return slope;
}

void bperc_i_rule_trend(bperc_i_judgement *j) {
  double sign = strcmp(argument(j, "direction", "up"), "down") ? 1 : -1;
  const char *x = argument(j, "x", "");
  bperc_i_tally tally = {0};
  curves c;
  if (!curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured,
                      "slope of %s against %s: ", argument(j, "y", ""), x);
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_estimate slope;
    curves_load(j, &c, g);
    slope = bperc_i_slope(c.xs, c.cells, c.count);
    say_series(j, c.label, g);
    if (c.count < 2 || !isfinite(slope.value)) {
      bperc_i_text_add(j->measured, "too few points");
      tally.count++;
      continue;
    }
    say_estimate(j->measured, slope);
    slope = exact_trend(&c, slope);
    bperc_i_tally_add(&tally, flip(slope, sign), c.groups);
  }
  j->verdict = bperc_i_tally_finish(&tally, pooled(j));
  curves_clear(&c);
}

/* ---- one maximum, one minimum */

/* Against one peak: a significant fall before the top or rise after it. */
static int has_reversal(const curves *c, size_t top, double sign) {
  size_t pairs = c->count * (c->count - 1) / 2 + 1;
  double limit = bperc_i_z_of(BPERC_I_SIGNIFICANCE / (double)pairs);
  for (size_t a = 0; a < c->count; a++)
    for (size_t b = a + 1; b < c->count; b++) {
      double side = b <= top ? -sign : sign;
      bperc_i_estimate e;
      if (a < top && b > top)
        continue;
      e = flip(bperc_i_difference(c->cells[a], c->cells[b], 1), side);
      if (bperc_i_evidence(e) >= limit)
        return 1;
    }
  return 0;
}

static bperc_claim_verdict peak_verdict(const curves *c, size_t top,
                                        double sign) {
  double limit = bperc_i_z_of(BPERC_I_SIGNIFICANCE);
  size_t last = c->count - 1, far;
  bperc_i_estimate left, right;
  if (has_reversal(c, top, sign))
    return BPERC_FAILS;
  if (top == 0 || top == last) { /* an end is the top: clearly so? */
    far = top == 0 ? 1 : last - 1;
    left = flip(bperc_i_difference(c->cells[far], c->cells[top], 1), sign);
    return bperc_i_evidence(left) >= limit ? BPERC_FAILS : BPERC_UNDECIDED;
  }
  left = flip(bperc_i_difference(c->cells[0], c->cells[top], 1), sign);
  right = flip(bperc_i_difference(c->cells[last], c->cells[top], 1), sign);
  return bperc_i_evidence(left) >= limit && bperc_i_evidence(right) >= limit
             ? BPERC_HOLDS
             : BPERC_UNDECIDED;
}

static bperc_claim_verdict judge_peak(bperc_i_judgement *j, const curves *c,
                                      double sign) {
  size_t top = 0;
  if (c->count < 3) {
    bperc_i_text_add(j->measured, "too few points");
    return BPERC_UNDECIDED;
  }
  for (size_t k = 1; k < c->count; k++)
    if (sign * c->cells[k]->mean > sign * c->cells[top]->mean)
      top = k;
  say_estimate(j->measured, bperc_i_cell_estimate(c->cells[top]));
  bperc_i_text_format(j->measured, " at %.4g (ends ", c->xs[top]);
  say_estimate(j->measured, bperc_i_cell_estimate(c->cells[0]));
  bperc_i_text_add(j->measured, " and ");
  say_estimate(j->measured, bperc_i_cell_estimate(c->cells[c->count - 1]));
  bperc_i_text_add(j->measured, ")");
  return peak_verdict(c, top, sign);
}

void bperc_i_rule_extremum(bperc_i_judgement *j) {
  const char *rule = j->arguments->word[0];
  double sign = strcmp(rule, "minimum") ? 1 : -1;
  size_t fails = 0, open = 0;
  curves c;
  if (!curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured, "%s of %s:%s: ", rule,
                      argument(j, "table", ""), argument(j, "y", ""));
  for (size_t g = 0; g < c.groups; g++) {
    bperc_claim_verdict v;
    curves_load(j, &c, g);
    say_series(j, c.label, g);
    v = judge_peak(j, &c, sign);
    fails += v == BPERC_FAILS;
    open += v == BPERC_UNDECIDED;
  }
  j->verdict = fails               ? BPERC_FAILS
               : open || !c.groups ? BPERC_UNDECIDED
                                   : BPERC_HOLDS;
  curves_clear(&c);
}

/* ---- two selections, matched row by row */

typedef struct {
  bperc_i_selection a, b;
  size_t key_a[32], key_b[32], keys; /* that both have and must agree in */
} pairing;

static int open_side(bperc_i_judgement *j, const char *side,
                     bperc_i_selection *out) {
  char table[256], name[32], where[600];
  const char *text = argument(j, side, ""), *colon = strrchr(text, ':');
  const char *common = argument(j, "where", ""), *own;
  snprintf(name, sizeof name, "%s_where", side);
  own = argument(j, name, "");
  snprintf(where, sizeof where, "%s%s%s", common, *common && *own ? "," : "",
           own);
  if (!colon) {
    snprintf(j->wrong, sizeof j->wrong, "%s is table:column", side);
    return 0;
  }
  snprintf(table, sizeof table, "%.*s", (int)(colon - text), text);
  return bperc_i_select(j->tables, table, colon + 1, where, out, j->wrong,
                        sizeof j->wrong) == BPERC_OK;
}

static int is_matched(const bperc_i_judgement *j, const char *key) {
  const char *match = argument(j, "match", NULL);
  size_t length = strlen(key);
  bperc_i_filter own;
  char name[32];
  for (int side = 0; side < 4; side++) {
    static const char *const sides[] = {"low", "high", "a", "b"};
    snprintf(name, sizeof name, "%s_where", sides[side]);
    if (!bperc_i_filter_parse(argument(j, name, ""), &own) &&
        bperc_i_filter_fixes(&own, key))
      return 0; /* held to different values on the two sides */
  }
  for (const char *at = match; match && at; at = strchr(at, ',')) {
    at += *at == ',';
    if (!strncmp(at, key, length) && (!at[length] || at[length] == ','))
      return 1;
  }
  return !match;
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

static void say_pair(bperc_i_judgement *j, const pairing *p, size_t k,
                     bperc_i_estimate e, const char *intro) {
  char label[200];
  bperc_i_row_label(p->a.table, p->a.rows[k], p->key_a, p->keys, label,
                    sizeof label);
  bperc_i_text_add(j->measured, intro);
  say_estimate(j->measured, e);
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
    bperc_i_text_format(j->measured, "%s above %s at %zu of %zu points",
                        argument(j, "high", ""), argument(j, "low", ""),
                        tally.clear, matched);
    say_pair(j, &p, least_at, least, ", least ");
  } else
    snprintf(j->wrong, sizeof j->wrong, "no points in common");
  j->verdict = bperc_i_tally_finish(&tally, pooled(j));
  pairing_clear(&p);
}

/* ---- overlap: |a - b| within the tolerance at a fraction of the points */

static bperc_claim_verdict within(bperc_i_estimate e, double tolerance) {
  double margin = bperc_i_z_of(BPERC_I_SIGNIFICANCE) * e.sem;
  double off = fabs(e.value);
  if (!isfinite(off) || !(e.sem >= 0))
    return BPERC_UNDECIDED;
  if (off + margin <= tolerance)
    return BPERC_HOLDS;
  return off - margin > tolerance ? BPERC_FAILS : BPERC_UNDECIDED;
}

void bperc_i_rule_overlap(bperc_i_judgement *j) {
  double tolerance = strtod(argument(j, "tolerance", "0"), NULL);
  double fraction = strtod(argument(j, "fraction", "1"), NULL);
  size_t count[3] = {0}, total = 0, worst_at = 0;
  bperc_i_estimate worst = {0, 0, 0}, e;
  pairing p;
  if (!pairing_open(j, "a", "b", &p))
    return;
  for (size_t k = 0; k < p.a.count; k++) {
    long other = partner(&p, k);
    if (!usable(&p, k, other))
      continue;
    e = bperc_i_difference(p.a.cells[k], p.b.cells[other], 1);
    count[within(e, tolerance)]++;
    if (total++ == 0 || fabs(e.value) > fabs(worst.value)) {
      worst = e;
      worst_at = k;
    }
  }
  if (total) {
    bperc_i_text_format(
        j->measured, "%s and %s within %.4g at %zu, apart at %zu of %zu points",
        argument(j, "a", ""), argument(j, "b", ""), tolerance,
        count[BPERC_HOLDS], count[BPERC_FAILS], total);
    say_pair(j, &p, worst_at, worst, ", largest difference ");
  } else
    snprintf(j->wrong, sizeof j->wrong, "no points in common");
  if ((double)count[BPERC_HOLDS] >= fraction * (double)total && total)
    j->verdict = BPERC_HOLDS;
  else if ((double)(total - count[BPERC_FAILS]) < fraction * (double)total)
    j->verdict = BPERC_FAILS;
  pairing_clear(&p);
}

/* ---- near a value, below or above a value: the mean of the selected rows of
 * every series */

void bperc_i_rule_near(bperc_i_judgement *j) {
  double value = strtod(argument(j, "value", "0"), NULL);
  double tolerance = strtod(argument(j, "tolerance", "0"), NULL);
  size_t fails = 0, open = 0;
  curves c;
  if (!curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured, "%s:%s: ", argument(j, "table", ""),
                      argument(j, "y", ""));
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_estimate e;
    bperc_claim_verdict v;
    curves_load(j, &c, g);
    e = whole(&c);
    say_series(j, c.label, g);
    say_estimate(j->measured, e);
    e.value -= value;
    v = within(e, tolerance);
    fails += v == BPERC_FAILS;
    open += v == BPERC_UNDECIDED;
  }
  bperc_i_text_format(j->measured, " (to be %.6g within %.3g)", value,
                      tolerance);
  j->verdict = fails               ? BPERC_FAILS
               : open || !c.groups ? BPERC_UNDECIDED
                                   : BPERC_HOLDS;
  curves_clear(&c);
}

/* The mean of a series against the value, or with of=median the evidence of the
 * sign test as an estimate whose error is one. */
static bperc_i_estimate beyond(const bperc_i_judgement *j, const curves *c,
                               double value, double sign) {
  bperc_i_estimate e = whole(c);
  if (strcmp(argument(j, "of", "mean"), "median") == 0 && c->count == 1) {
    double z = bperc_i_sign_test(c->cells[0], value);
    bperc_i_text_format(j->measured, "median %.4g of %zu", c->cells[0]->median,
                        c->cells[0]->n);
    return (bperc_i_estimate){sign * z, 1, isfinite(z) ? INFINITY : 0};
  }
  say_estimate(j->measured, e);
  e.value -= value;
  return flip(e, sign);
}

void bperc_i_rule_bound(bperc_i_judgement *j) {
  double sign = strcmp(j->arguments->word[0], "below") ? 1 : -1;
  double value = strtod(argument(j, "value", "0"), NULL);
  bperc_i_tally tally = {0};
  curves c;
  if (!curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured, "%s:%s: ", argument(j, "table", ""),
                      argument(j, "y", ""));
  for (size_t g = 0; g < c.groups; g++) {
    curves_load(j, &c, g);
    say_series(j, c.label, g);
    bperc_i_tally_add(&tally, beyond(j, &c, value, sign), c.groups);
  }
  bperc_i_text_format(j->measured, " (to be %s %.6g)", j->arguments->word[0],
                      value);
  j->verdict = bperc_i_tally_finish(&tally, pooled(j));
  curves_clear(&c);
}
