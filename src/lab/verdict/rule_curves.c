/* Rules over the series of one table: trend, maximum and minimum, near a value,
 * below or above it. */
#include "lab/table/curves.h"

#include "lab/base/memory.h"
#include "lab/verdict/judge.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of the current series. */
static bperc_claim_number *add_series(bperc_i_judgement *j,
                                      const bperc_i_curves *c,
                                      bperc_number_role role,
                                      bperc_number_kind kind,
                                      const bperc_i_estimate *e) {
  bperc_claim_number *n = bperc_i_number_add(j, role, kind, e);
  if (c->loaded)
    bperc_i_number_place(j, n, c->selection.table, c->row, c->keys,
                         c->key_count);
  return n;
}

/* What table, y, x, by and where say; 0 with j->wrong on failure. */
static int open_curves(bperc_i_judgement *j, bperc_i_curves *c) {
  if (bperc_i_curves_open(j->tables, &j->test->a, j->test->x, &j->test->by, c,
                          j->wrong, sizeof j->wrong) != BPERC_OK)
    return 0;
  if (c->groups)
    return 1;
  snprintf(j->wrong, sizeof j->wrong, "no rows of table '%s' are selected",
           j->test->a.table);
  bperc_i_curves_clear(c);
  return 0;
}

static bperc_i_estimate oriented(const bperc_i_estimate *e, int sign) {
  return sign > 0 ? *e : bperc_i_negative(*e);
}

/* Of series judged one by one: how many have each verdict. */
static void finish_series(bperc_i_judgement *j,
                          const size_t count[BPERC_I_VERDICTS]) {
  bperc_i_evidence t = {count[BPERC_HOLDS] + count[BPERC_FAILS] +
                            count[BPERC_UNDECIDED],
                        count[BPERC_HOLDS], count[BPERC_FAILS]};
  bperc_i_evidence_finish(j, &t, NULL);
}

/* ---- trend */

static bperc_i_estimate slope_of(const bperc_i_curves *c) {
  return c->selection.yes_no
             ? bperc_i_exchange_test(c->xs, c->cells, 1, c->count)
             : bperc_i_slope(c->xs, c->cells, c->count);
}

/* All points of all series, copied out of the curves; series of yes and no keep
 * the places that all have. */
typedef struct {
  const bperc_i_table_cell **cells; /* series by series */
  bperc_i_table_cell *own;          /* pools among them */
  double *xs, *w;
  size_t count, room, series, first;
} gathered;

static void clear_gathered(gathered *all) {
  for (size_t k = 0; all->own && k < all->count; k++)
    bperc_i_cell_clear(&all->own[k]);
  bperc_free(all->own);
  bperc_free(all->cells);
  bperc_free(all->xs);
  bperc_free(all->w);
}

static int open_gathered(gathered *all, size_t room) {
  *all = (gathered){.room = room};
  all->cells = bperc_alloc(room, sizeof *all->cells);
  all->own = bperc_calloc(room, sizeof *all->own);
  all->xs = bperc_alloc(room, sizeof *all->xs);
  all->w = bperc_alloc(room, sizeof *all->w);
  return all->cells && all->own && all->xs && all->w;
}

/* Takes the current series, its pools included; one without a slope is left. */
static void gather_series(gathered *all, bperc_i_curves *c) {
  assert(all->count + c->count <= all->room);
  if (!bperc_i_slope_weights(c->xs, c->count, all->w + all->count))
    return;
  for (size_t k = 0; k < c->count; k++) {
    size_t at = all->count++;
    all->cells[at] = c->cells[k];
    if (c->cells[k] == &c->places[k].own) {
      all->own[at] = c->places[k].own;
      c->places[k].own = (bperc_i_table_cell){0};
      all->cells[at] = &all->own[at];
    }
    all->xs[at] = c->xs[k];
  }
  if (all->series++ == 0)
    all->first = all->count;
}

/* Whether all series have the points of the first. */
static int same_grid(const gathered *all) {
  if (!all->series || all->count != all->series * all->first)
    return 0;
  for (size_t k = all->first; k < all->count; k++)
    if (all->xs[k] != all->xs[k % all->first])
      return 0;
  return 1;
}

/* The mean over series of their slopes. */
static bperc_i_estimate mean_slope(const gathered *all, int yes_no) {
  if (yes_no)
    return same_grid(all) ? bperc_i_exchange_test(all->xs, all->cells,
                                                  all->series, all->first)
                          : bperc_i_unknown;
  for (size_t k = 0; k < all->count; k++)
    all->w[k] /= (double)all->series;
  return all->series ? bperc_i_contrast(all->cells, all->w, all->count)
                     : bperc_i_unknown;
}

/* The slope of the current series. */
static bperc_i_estimate add_slope(bperc_i_judgement *j, const bperc_i_curves *c,
                                  bperc_claim_number **n) {
  bperc_i_estimate slope = slope_of(c);
  *n = add_series(j, c, BPERC_ROLE_SERIES,
                  isfinite(slope.value) ? BPERC_KIND_SLOPE
                  : c->count < 2        ? BPERC_KIND_FEW_POINTS
                                        : BPERC_KIND_SINGLE_VALUE,
                  isfinite(slope.value) ? &slope : NULL);
  return oriented(&slope, j->test->sign);
}

/* The mean slope of all series, to be judged as one. */
static bperc_i_estimate add_mean_slope(bperc_i_judgement *j,
                                       const gathered *all,
                                       const bperc_i_curves *c) {
  bperc_i_estimate e = mean_slope(all, c->selection.yes_no);
  bperc_i_estimate up = oriented(&e, j->test->sign);
  bperc_claim_number *n;
  if (c->groups < 2 || !isfinite(e.value))
    return up;
  n = bperc_i_number_add(j, BPERC_ROLE_TOGETHER, BPERC_KIND_SLOPE, &e);
  bperc_i_number_compare(n, &up, j->test->sign, 0, j->rate);
  return up;
}

void bperc_i_rule_trend(bperc_i_judgement *j) {
  bperc_i_evidence tally = {0};
  bperc_i_estimate slope, together = bperc_i_unknown;
  bperc_claim_number *n;
  bperc_i_curves c;
  gathered all;
  if (!open_curves(j, &c))
    return;
  if (!open_gathered(&all, c.selection.count)) {
    snprintf(j->wrong, sizeof j->wrong, "no memory");
    c.groups = 0;
  }
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(&c, g);
    slope = add_slope(j, &c, &n);
    bperc_i_number_compare(n, &slope, j->test->sign, 0, j->rate);
    n->side = bperc_i_evidence_add(j, &tally, &slope,
                                   c.groups + (size_t)j->test->pooled);
    if (j->test->pooled)
      gather_series(&all, &c);
  }
  if (j->test->pooled)
    together = add_mean_slope(j, &all, &c);
  bperc_i_evidence_finish(j, &tally, j->test->pooled ? &together : NULL);
  clear_gathered(&all);
  bperc_i_curves_clear(&c);
}

/* ---- one maximum, one minimum */

/* high - low of two places, the other way round for a minimum. */
static bperc_i_estimate step_up(bperc_i_judgement *j, const bperc_i_curves *c,
                                size_t low, size_t high, int sign) {
  bperc_i_estimate e =
      bperc_i_difference(c->cells[low], c->cells[high], c->selection.yes_no);
  e = bperc_i_judged(j, &e);
  return oriented(&e, sign);
}

/* Against a peak at top: a clear fall before it or rise after it. */
static int has_reversal(bperc_i_judgement *j, const bperc_i_curves *c,
                        size_t top, int sign, double rate) {
  for (size_t a = 0; a < c->count; a++)
    for (size_t b = a + 1; b < c->count; b++) {
      bperc_i_estimate e;
      if (a < top && b > top)
        continue;
      e = b <= top ? step_up(j, c, b, a, sign) : step_up(j, c, a, b, sign);
      if (bperc_i_is_above(&e, 0, rate))
        return 1;
    }
  return 0;
}

/* Holds when an inner place is clearly above both ends and nothing speaks
 * against a peak there; fails when something speaks against a peak at every
 * inner place. Candidates share the rate of the former, pairs of the latter. */
static bperc_claim_verdict peak_verdict(bperc_i_judgement *j,
                                        const bperc_i_curves *c, size_t groups,
                                        int sign) {
  size_t last = c->count - 1, inner = c->count - 2, reversed = 0, clear = 0;
  double pairs = (double)(c->count * last) / 2;
  for (size_t top = 1; top < last; top++) {
    bperc_i_estimate left = step_up(j, c, 0, top, sign);
    bperc_i_estimate right = step_up(j, c, last, top, sign);
    int against =
        has_reversal(j, c, top, sign, j->fail_rate / pairs / (double)groups);
    reversed += against != 0;
    clear += !against && bperc_i_is_above(&left, 0, j->rate / (double)inner) &&
             bperc_i_is_above(&right, 0, j->rate / (double)inner);
  }
  return reversed == inner ? BPERC_FAILS
         : clear           ? BPERC_HOLDS
                           : BPERC_UNDECIDED;
}

static bperc_claim_number *add_place(bperc_i_judgement *j,
                                     const bperc_i_curves *c,
                                     bperc_number_role role, size_t at) {
  bperc_i_estimate e =
      bperc_i_level(c->cells[at], c->selection.yes_no, c->places[at].rows);
  bperc_claim_number *n = add_series(j, c, role, BPERC_KIND_MEAN, &e);
  n->at = c->xs[at];
  return n;
}

static int side_of(bperc_claim_verdict v) {
  return v == BPERC_HOLDS ? 1 : v == BPERC_FAILS ? -1 : 0;
}

static bperc_claim_verdict judge_peak(bperc_i_judgement *j,
                                      const bperc_i_curves *c, int sign) {
  bperc_claim_verdict v;
  bperc_claim_number *n;
  size_t top = 0, last = c->count - 1;
  if (c->count < 3) {
    add_series(j, c, BPERC_ROLE_SERIES, BPERC_KIND_FEW_POINTS, NULL);
    return BPERC_UNDECIDED;
  }
  for (size_t k = 1; k < c->count; k++)
    if (sign * c->cells[k]->mean > sign * c->cells[top]->mean)
      top = k;
  v = peak_verdict(j, c, c->groups, sign);
  n = add_place(j, c, BPERC_ROLE_TOP, top);
  n->rate = j->rate / (double)(c->count - 2);
  n->side = side_of(v);
  add_place(j, c, BPERC_ROLE_FIRST, 0);
  add_place(j, c, BPERC_ROLE_LAST, last);
  return v;
}

void bperc_i_rule_extremum(bperc_i_judgement *j) {
  int sign = j->test->rule == BPERC_RULE_MINIMUM ? -1 : 1;
  size_t count[BPERC_I_VERDICTS] = {0};
  bperc_i_curves c;
  if (!open_curves(j, &c))
    return;
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(&c, g);
    count[judge_peak(j, &c, sign)]++;
  }
  finish_series(j, count);
  bperc_i_curves_clear(&c);
}

/* ---- near a value, below or above a value: the mean of the selected rows of
 * every series */

/* What a cell is less the value. */
static bperc_i_estimate beyond_level(const bperc_i_judgement *j,
                                     bperc_i_estimate e) {
  e.value -= j->test->value;
  e.share[1].mean = j->test->value;
  return e;
}

/* Adds the current series; what it is less the value. */
static bperc_i_estimate add_level(bperc_i_judgement *j, const bperc_i_curves *c,
                                  bperc_claim_number **n) {
  bperc_i_estimate e = bperc_i_unknown;
  if (c->count != 1) {
    *n = add_series(j, c, BPERC_ROLE_SERIES, BPERC_KIND_EMPTY, NULL);
    return e;
  }
  if (j->test->median) {
    e = bperc_i_sign_test(c->cells[0], j->test->value);
    *n = add_series(j, c, BPERC_ROLE_SERIES, BPERC_KIND_MEDIAN, &e);
    (*n)->estimate = c->cells[0]->median;
    (*n)->instances = c->cells[0]->n;
    return e;
  }
  e = bperc_i_level(c->cells[0], c->selection.yes_no, c->places[0].rows);
  *n = add_series(j, c, BPERC_ROLE_SERIES, BPERC_KIND_MEAN, &e);
  return beyond_level(j, e);
}

void bperc_i_rule_near(bperc_i_judgement *j) {
  size_t count[BPERC_I_VERDICTS] = {0};
  bperc_claim_number *n;
  bperc_claim_verdict v;
  bperc_i_curves c;
  if (!open_curves(j, &c))
    return;
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_estimate e;
    bperc_i_curves_load(&c, g);
    e = add_level(j, &c, &n);
    v = bperc_i_within(j, &e, j->test->tolerance, j->rate,
                       j->fail_rate / (double)c.groups);
    bperc_i_number_within(n, &e, j->test->tolerance, j->rate);
    n->side = side_of(v);
    count[v]++;
  }
  finish_series(j, count);
  bperc_i_curves_clear(&c);
}

/* The mean over all selected rows: as one series. */
static bperc_i_estimate add_level_together(bperc_i_judgement *j,
                                           const bperc_i_curves *c, int sign) {
  bperc_i_estimate e = bperc_i_unknown;
  bperc_claim_number *n;
  bperc_i_table_cell pool;
  if (!bperc_i_pool(c->selection.cells, c->selection.count, &pool))
    return e;
  e = bperc_i_level(&pool, c->selection.yes_no, c->selection.count);
  n = bperc_i_number_add(j, BPERC_ROLE_TOGETHER, BPERC_KIND_MEAN, &e);
  e = beyond_level(j, e);
  e = oriented(&e, sign);
  bperc_i_number_compare(n, &e, sign, j->test->value, j->rate);
  bperc_i_cell_clear(&pool);
  return e;
}

void bperc_i_rule_bound(bperc_i_judgement *j) {
  int sign = j->test->rule == BPERC_RULE_BELOW ? -1 : 1;
  bperc_i_evidence tally = {0};
  bperc_i_estimate e, together = bperc_i_unknown;
  bperc_claim_number *n;
  bperc_i_curves c;
  if (!open_curves(j, &c))
    return;
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(&c, g);
    e = add_level(j, &c, &n);
    e = oriented(&e, sign);
    bperc_i_number_compare(n, &e, sign, j->test->value, j->rate);
    n->side =
        bperc_i_evidence_add(j, &tally, &e, c.groups + (size_t)j->test->pooled);
  }
  if (j->test->pooled && c.selection.count)
    together = add_level_together(j, &c, sign);
  bperc_i_evidence_finish(j, &tally, j->test->pooled ? &together : NULL);
  bperc_i_curves_clear(&c);
}
