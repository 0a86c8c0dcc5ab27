/* Rules over the series of one table: trend, maximum and minimum, near a value,
 * below or above it. */
#include "judge/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The one place of a series without x; NAN when it is empty. */
static bperc_i_estimate whole(const bperc_i_curves *c) {
  const bperc_i_estimate none = {NAN, NAN, 0};
  return c->count == 1 ? bperc_i_cell_estimate(c->cells[0]) : none;
}

static void say_series(const bperc_i_judgement *j, const char *label,
                       size_t g) {
  bperc_i_text_format(j->measured, "%s%s%s", g ? ", " : "", label,
                      *label ? ": " : "");
}

static bperc_i_estimate flip(bperc_i_estimate e, double sign) {
  e.value *= sign;
  return e;
}

/* Of series judged one by one: how many have each verdict. */
static bperc_claim_verdict all_hold(const size_t count[BPERC_I_VERDICTS]) {
  if (count[BPERC_FAILS])
    return BPERC_FAILS;
  return count[BPERC_UNDECIDED] || !count[BPERC_HOLDS] ? BPERC_UNDECIDED
                                                       : BPERC_HOLDS;
}

/* ---- trend */

/* Without errors a trend must be monotonic. */
static bperc_i_estimate exact_trend(const bperc_i_curves *c,
                                    bperc_i_estimate slope) {
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
  double sign = j->test->sign;
  bperc_i_tally tally = {0};
  bperc_i_curves c;
  if (!bperc_i_curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured,
                      "slope of %s:%s against %s: ", j->test->a.table,
                      j->test->a.column, j->test->x);
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_estimate slope;
    bperc_i_curves_load(j, &c, g);
    slope = bperc_i_slope(c.xs, c.cells, c.count);
    say_series(j, c.label, g);
    if (c.count < 2 || !isfinite(slope.value)) {
      bperc_i_text_add(j->measured, "too few points");
      tally.count++;
      continue;
    }
    bperc_i_say_estimate(j->measured, slope);
    slope = exact_trend(&c, slope);
    bperc_i_tally_add(&tally, flip(slope, sign), c.groups);
  }
  bperc_i_text_add(j->measured, sign > 0 ? " (to be up)" : " (to be down)");
  j->verdict = bperc_i_tally_finish(&tally, j->test->pooled);
  bperc_i_curves_clear(&c);
}

/* ---- one maximum, one minimum */

/* Against one peak: a significant fall before the top or rise after it. */
static int has_reversal(const bperc_i_curves *c, size_t top, double sign) {
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

static bperc_claim_verdict peak_verdict(const bperc_i_curves *c, size_t top,
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

static bperc_claim_verdict judge_peak(bperc_i_judgement *j,
                                      const bperc_i_curves *c, double sign) {
  size_t top = 0;
  if (c->count < 3) {
    bperc_i_text_add(j->measured, "too few points");
    return BPERC_UNDECIDED;
  }
  for (size_t k = 1; k < c->count; k++)
    if (sign * c->cells[k]->mean > sign * c->cells[top]->mean)
      top = k;
  bperc_i_say_estimate(j->measured, bperc_i_cell_estimate(c->cells[top]));
  bperc_i_text_format(j->measured, " at %.4g (ends ", c->xs[top]);
  bperc_i_say_estimate(j->measured, bperc_i_cell_estimate(c->cells[0]));
  bperc_i_text_add(j->measured, " and ");
  bperc_i_say_estimate(j->measured,
                       bperc_i_cell_estimate(c->cells[c->count - 1]));
  bperc_i_text_add(j->measured, ")");
  return peak_verdict(c, top, sign);
}

void bperc_i_rule_extremum(bperc_i_judgement *j) {
  double sign = j->test->rule == BPERC_I_MINIMUM ? -1 : 1;
  size_t count[BPERC_I_VERDICTS] = {0};
  bperc_i_curves c;
  if (!bperc_i_curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured, "%s of %s:%s: ", j->test->name,
                      j->test->a.table, j->test->a.column);
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(j, &c, g);
    say_series(j, c.label, g);
    count[judge_peak(j, &c, sign)]++;
  }
  j->verdict = all_hold(count);
  bperc_i_curves_clear(&c);
}

/* ---- near a value, below or above a value: the mean of the selected rows of
 * every series */

void bperc_i_rule_near(bperc_i_judgement *j) {
  double value = j->test->value;
  double tolerance = j->test->tolerance;
  size_t count[BPERC_I_VERDICTS] = {0};
  bperc_i_curves c;
  if (!bperc_i_curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured, "%s:%s: ", j->test->a.table,
                      j->test->a.column);
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_estimate e;
    bperc_i_curves_load(j, &c, g);
    e = whole(&c);
    say_series(j, c.label, g);
    bperc_i_say_estimate(j->measured, e);
    e.value -= value;
    count[bperc_i_within(e, tolerance)]++;
  }
  bperc_i_text_format(j->measured, " (to be %.6g within %.3g)", value,
                      tolerance);
  j->verdict = all_hold(count);
  bperc_i_curves_clear(&c);
}

/* The mean of a series against the value, or with of=median the evidence of the
 * sign test as an estimate whose error is one. */
static bperc_i_estimate beyond(const bperc_i_judgement *j,
                               const bperc_i_curves *c, double value,
                               double sign) {
  bperc_i_estimate e = whole(c);
  if (j->test->median && c->count == 1) {
    double z = bperc_i_sign_test(c->cells[0], value);
    bperc_i_text_format(j->measured, "median %.4g of %zu", c->cells[0]->median,
                        c->cells[0]->n);
    return (bperc_i_estimate){sign * z, 1, isfinite(z) ? INFINITY : 0};
  }
  bperc_i_say_estimate(j->measured, e);
  e.value -= value;
  return flip(e, sign);
}

void bperc_i_rule_bound(bperc_i_judgement *j) {
  double sign = j->test->rule == BPERC_I_BELOW ? -1 : 1;
  double value = j->test->value;
  bperc_i_tally tally = {0};
  bperc_i_curves c;
  if (!bperc_i_curves_open(j, &c))
    return;
  bperc_i_text_format(j->measured, "%s:%s: ", j->test->a.table,
                      j->test->a.column);
  for (size_t g = 0; g < c.groups; g++) {
    bperc_i_curves_load(j, &c, g);
    say_series(j, c.label, g);
    bperc_i_tally_add(&tally, beyond(j, &c, value, sign), c.groups);
  }
  bperc_i_text_format(j->measured, " (to be %s %.6g)", j->test->name, value);
  j->verdict = bperc_i_tally_finish(&tally, j->test->pooled);
  bperc_i_curves_clear(&c);
}
