/* Rules over the series of one table: trend, maximum and minimum, near a value,
 * below or above it. */
#include "lab/table/curves.h"

#include "lab/base/memory.h"
#include "lab/verdict/judge.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void say_series(const bperc_i_judgement *j, const char *label,
                       size_t g) {
  bperc_i_text_format(j->measured, "%s%s%s", g ? ", " : "", label,
                      *label ? ": " : "");
}

static void say_source(const bperc_i_judgement *j, const char *after) {
  bperc_i_text_format(j->measured, "%s:%s%s", j->test->a.table,
                      j->test->a.column, after);
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
static bperc_claim_verdict all_hold(const size_t count[BPERC_I_VERDICTS]) {
  if (count[BPERC_FAILS])
    return BPERC_FAILS;
  return count[BPERC_UNDECIDED] || !count[BPERC_HOLDS] ? BPERC_UNDECIDED
                                                       : BPERC_HOLDS;
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
static void gather(gathered *all, bperc_i_curves *c) {
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

void bperc_i_rule_trend(bperc_i_judgement *j) {
  bperc_i_evidence tally = {0};
  bperc_i_estimate slope, together;
  bperc_i_curves c;
  gathered all;
  if (!open_curves(j, &c))
    return;
  if (!open_gathered(&all, c.selection.count)) {
    snprintf(j->wrong, sizeof j->wrong, "no memory");
    c.groups = 0;
  }
  bperc_i_text_add(j->measured, "slope of ");
  say_source(j, " against ");
  bperc_i_text_format(j->measured, "%s: ", j->test->x);
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(&c, g);
    slope = slope_of(&c);
    say_series(j, c.label, g);
    if (isfinite(slope.value))
      bperc_i_say_estimate(j->measured, &slope);
    else
      bperc_i_text_add(j->measured, c.count < 2 ? "too few points"
                                                : "a point has a single value");
    slope = oriented(&slope, j->test->sign);
    bperc_i_tally_add(j, &tally, &slope, c.groups + (size_t)j->test->pooled);
    if (j->test->pooled)
      gather(&all, &c);
  }
  together = mean_slope(&all, c.selection.yes_no);
  if (j->test->pooled && c.groups > 1 && isfinite(together.value)) {
    bperc_i_text_add(j->measured, ", together: ");
    bperc_i_say_estimate(j->measured, &together);
  }
  together = oriented(&together, j->test->sign);
  bperc_i_text_add(j->measured,
                   j->test->sign > 0 ? " (to be up)" : " (to be down)");
  j->verdict =
      bperc_i_tally_finish(j, &tally, j->test->pooled ? &together : NULL);
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

static bperc_claim_verdict judge_peak(bperc_i_judgement *j,
                                      const bperc_i_curves *c, int sign) {
  size_t top = 0, last = c->count - 1;
  const char *intro[] = {" at ", " (ends ", " and "};
  if (c->count < 3) {
    bperc_i_text_add(j->measured, "too few points");
    return BPERC_UNDECIDED;
  }
  for (size_t k = 1; k < c->count; k++)
    if (sign * c->cells[k]->mean > sign * c->cells[top]->mean)
      top = k;
  for (int k = 0; k < 3; k++) {
    size_t at = k == 0 ? top : k == 1 ? 0 : last;
    bperc_i_estimate e =
        bperc_i_level(c->cells[at], c->selection.yes_no, c->places[at].rows);
    if (k)
      bperc_i_text_add(j->measured, intro[k]);
    bperc_i_say_estimate(j->measured, &e);
    if (k == 0)
      bperc_i_text_format(j->measured, " at %.4g", c->xs[top]);
  }
  bperc_i_text_add(j->measured, ")");
  return peak_verdict(j, c, c->groups, sign);
}

void bperc_i_rule_extremum(bperc_i_judgement *j) {
  int sign = j->test->rule == BPERC_I_MINIMUM ? -1 : 1;
  size_t count[BPERC_I_VERDICTS] = {0};
  bperc_i_curves c;
  if (!open_curves(j, &c))
    return;
  bperc_i_text_format(j->measured, "%s of ", j->test->name);
  say_source(j, ": ");
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(&c, g);
    say_series(j, c.label, g);
    count[judge_peak(j, &c, sign)]++;
  }
  j->verdict = all_hold(count);
  bperc_i_curves_clear(&c);
}

/* ---- near a value, below or above a value: the mean of the selected rows of
 * every series */

/* The series less the value; NAN when it is empty. */
static bperc_i_estimate beyond(const bperc_i_judgement *j,
                               const bperc_i_curves *c) {
  bperc_i_estimate e;
  if (c->count != 1)
    return bperc_i_unknown;
  if (j->test->median) {
    bperc_i_text_format(j->measured, "median %.4g of %zu", c->cells[0]->median,
                        c->cells[0]->n);
    return bperc_i_sign_test(c->cells[0], j->test->value);
  }
  e = bperc_i_level(c->cells[0], c->selection.yes_no, c->places[0].rows);
  bperc_i_say_estimate(j->measured, &e);
  e.value -= j->test->value;
  e.share[1].mean = j->test->value;
  return e;
}

void bperc_i_rule_near(bperc_i_judgement *j) {
  size_t count[BPERC_I_VERDICTS] = {0};
  bperc_i_curves c;
  if (!open_curves(j, &c))
    return;
  say_source(j, ": ");
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_estimate e;
    bperc_i_curves_load(&c, g);
    say_series(j, c.label, g);
    e = beyond(j, &c);
    count[bperc_i_within(j, &e, j->test->tolerance, j->rate,
                         j->fail_rate / (double)c.groups)]++;
  }
  bperc_i_text_format(j->measured, " (to be %.6g within %.3g)", j->test->value,
                      j->test->tolerance);
  j->verdict = all_hold(count);
  bperc_i_curves_clear(&c);
}

/* The mean over all selected rows: as one series. */
static bperc_i_estimate beyond_together(bperc_i_judgement *j,
                                        const bperc_i_curves *c) {
  bperc_i_estimate e = bperc_i_unknown;
  bperc_i_table_cell pool;
  if (!bperc_i_pool(c->selection.cells, c->selection.count, &pool))
    return e;
  e = bperc_i_level(&pool, c->selection.yes_no, c->selection.count);
  bperc_i_text_add(j->measured, ", together: ");
  bperc_i_say_estimate(j->measured, &e);
  e.value -= j->test->value;
  e.share[1].mean = j->test->value;
  bperc_i_cell_clear(&pool);
  return e;
}

void bperc_i_rule_bound(bperc_i_judgement *j) {
  int sign = j->test->rule == BPERC_I_BELOW ? -1 : 1;
  bperc_i_evidence tally = {0};
  bperc_i_estimate e, together = {.method = BPERC_I_UNKNOWN};
  bperc_i_curves c;
  if (!open_curves(j, &c))
    return;
  say_source(j, ": ");
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(&c, g);
    say_series(j, c.label, g);
    e = beyond(j, &c);
    e = oriented(&e, sign);
    bperc_i_tally_add(j, &tally, &e, c.groups + (size_t)j->test->pooled);
  }
  if (j->test->pooled && c.selection.count) {
    together = beyond_together(j, &c);
    together = oriented(&together, sign);
  }
  bperc_i_text_format(j->measured, " (to be %s %.6g)", j->test->name,
                      j->test->value);
  j->verdict =
      bperc_i_tally_finish(j, &tally, j->test->pooled ? &together : NULL);
  bperc_i_curves_clear(&c);
}
