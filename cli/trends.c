/* Statistics of the trends and their verdicts. */
#include "trends.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- averages */

bool trend_init(trend_kind *k, size_t instances) {
  size_t points = k->n + 1;
  k->curve = malloc(instances * points * sizeof *k->curve);
  k->sum = calloc(points, sizeof *k->sum);
  k->count = calloc(points, sizeof *k->count);
  k->row = calloc(points, sizeof *k->row);
  k->shares = calloc(points, sizeof *k->shares);
  k->largest = malloc(instances * sizeof *k->largest);
  return k->curve && k->sum && k->count && k->row && k->shares && k->largest;
}

void trend_clear(trend_kind *k) {
  free(k->curve);
  free(k->sum);
  free(k->count);
  free(k->row);
  free(k->shares);
  free(k->largest);
}

/* Adds what there is. */
static void add_finite(const double *x, double *sum, double *count) {
  for (int which = 0; which < TREND_STORED; which++)
    if (isfinite(x[which])) {
      sum[which] += x[which];
      count[which] += 1;
    }
}

void trend_add(trend_kind *k, const bperc_exact_step *steps) {
  for (size_t f = 0; f <= k->n; f++) {
    const double all[TREND_STORED] = {steps[f].xcorr_mean_square,
                                      steps[f].parisi_x, steps[f].q_same,
                                      steps[f].q_diff, steps[f].k_index};
    add_finite(all, k->row[f], k->shares[f]);
  }
  k->row_largest += log((double)steps[0].largest) / (double)k->n;
  k->row_shares += 1;
}

void trend_end(trend_kind *k) {
  for (size_t f = 0; f <= k->n; f++) {
    double *curve = k->curve[k->used * (k->n + 1) + f];
    for (int which = 0; which < TREND_STORED; which++)
      curve[which] = k->row[f][which] / k->shares[f][which]; /* NAN of none */
    add_finite(curve, k->sum[f], k->count[f]);
  }
  k->largest[k->used++] = k->row_largest / k->row_shares;
  trend_drop(k);
}

void trend_drop(trend_kind *k) {
  memset(k->row, 0, (k->n + 1) * sizeof *k->row);
  memset(k->shares, 0, (k->n + 1) * sizeof *k->shares);
  k->row_largest = k->row_shares = 0;
}

static double stored_average(const trend_kind *k, size_t without, size_t fixed,
                             trend_measure which) {
  double sum = k->sum[fixed][which], count = k->count[fixed][which];
  if (without < k->used) {
    double x = k->curve[without * (k->n + 1) + fixed][which];
    sum -= isfinite(x) ? x : 0;
    count -= isfinite(x);
  }
  return count > 0 ? sum / count : NAN;
}

double trend_average(const trend_kind *k, size_t without, size_t fixed,
                     trend_measure which) {
  if (which < TREND_STORED)
    return stored_average(k, without, fixed, which);
  double gap = stored_average(k, without, fixed, TREND_SAME) -
               stored_average(k, without, fixed, TREND_DIFF);
  if (which == TREND_GAP)
    return gap;
  double x = stored_average(k, without, fixed, TREND_PARISI);
  return x * (1 - x) * gap * gap / 3;
}

/* ---- statistics of three kinds without one instance */

typedef struct {
  const trend_kind *kinds;
  size_t without;
} sample;

typedef struct rule rule;
typedef double statistic(const sample *s, const rule *r, size_t kind);

struct rule {
  const char *claim, *text;
  statistic *of;
  size_t count; /* of statistics: one per kind, or 1 */
  trend_measure which;
  double from, to;  /* window of N_fix / N */
  double direction; /* 1 or -1: the sign that the paper gives it */
};

typedef struct {
  double n, x, y, xx, xy, yy;
} sums;

static void add_point(sums *s, double x, double y) {
  if (!isfinite(x) || !isfinite(y))
    return;
  s->n += 1;
  s->x += x;
  s->y += y;
  s->xx += x * x;
  s->xy += x * y;
  s->yy += y * y;
}

static double covariance(const sums *s) { return s->xy - s->x * s->y / s->n; }
static double spread(double square, double sum, double n) {
  return square - sum * sum / n;
}

/* Least squares; NAN of fewer than two points. */
static double slope(const sums *s) {
  return s->n < 2 ? NAN : covariance(s) / spread(s->xx, s->x, s->n);
}

/* The stages of a window: the bounds are multiples of N/25. */
static size_t stage(double share, size_t n) {
  return (size_t)floor(share * (double)n + 1e-9);
}

static double slope_of(const sample *s, size_t kind, trend_measure which,
                       double from, double to) {
  const trend_kind *k = &s->kinds[kind];
  sums points = {0};
  for (size_t f = stage(from, k->n); f <= stage(to, k->n); f++)
    add_point(&points, (double)f / (double)k->n,
              trend_average(k, s->without, f, which));
  return slope(&points);
}

static double along(const sample *s, const rule *r, size_t kind) {
  return slope_of(s, kind, r->which, r->from, r->to);
}

/* Of the mean over the window, against f_in or alpha, whichever changes. */
static double between(const sample *s, const rule *r, size_t kind) {
  sums points = {0};
  (void)kind;
  for (size_t a = 0; a < 3; a++) {
    const trend_kind *k = &s->kinds[a];
    double sum = 0, count = 0;
    for (size_t f = stage(r->from, k->n); f <= stage(r->to, k->n); f++) {
      double y = trend_average(k, s->without, f, r->which);
      sum += isfinite(y) ? y : 0;
      count += isfinite(y);
    }
    add_point(&points, k->fin + k->alpha, sum / count);
  }
  return slope(&points);
}

/* How far the last k index is within the allowed distance of the largest
 * cluster. */
static double closeness(const sample *s, const rule *r, size_t kind) {
  const double allowed = 0.02;
  const trend_kind *k = &s->kinds[kind];
  double sum = 0, count = 0;
  (void)r;
  for (size_t t = 0; t < k->used; t++)
    if (t != s->without) {
      sum += k->curve[t * (k->n + 1) + k->n][TREND_K] - k->largest[t];
      count += 1;
    }
  return allowed - fabs(sum / count);
}

/* Correlation along N_fix of eq. 9 and what it predicts. */
static double profile(const sample *s, const rule *r, size_t kind) {
  const trend_kind *k = &s->kinds[kind];
  sums points = {0};
  for (size_t f = stage(r->from, k->n); f <= stage(r->to, k->n); f++)
    add_point(&points, trend_average(k, s->without, f, TREND_EQ9),
              trend_average(k, s->without, f, TREND_XCORR2));
  double scale = spread(points.xx, points.x, points.n) *
                 spread(points.yy, points.y, points.n);
  return covariance(&points) / sqrt(scale);
}

/* 1 when eq. 9 and what it predicts go the same way. */
static double same_sign(const sample *s, const rule *r, size_t kind) {
  double a = slope_of(s, kind, TREND_EQ9, r->from, r->to);
  double b = slope_of(s, kind, TREND_XCORR2, r->from, r->to);
  return isfinite(a * b) ? (a * b > 0 ? 1 : -1) : NAN;
}

/* ---- rules: docs/exact.md */

static const rule rules[] = {
    {"F7.1", "slope of x* with N_fix/N", along, 3, TREND_PARISI, 0, 0.8, -1},
    {"F7.2", "slope of k with N_fix/N", along, 3, TREND_K, 0, 1, 1},
    {"F7.2", "0.02 minus distance of k from the largest cluster", closeness, 3,
     TREND_K, 1, 1, 1},
    {"F7.3", "slope of the gap with N_fix/N", along, 3, TREND_GAP, 0, 0.72, 1},
    {"F7.3", "late slope with f_in", between, 1, TREND_GAP, 0.48, 0.72, 1},
    {"F7.4", "correlation of eq. 9 with xcorr^2 along N_fix", profile, 3,
     TREND_EQ9, 0, 0.72, 1},
    {"F7.4", "same sign", same_sign, 3, TREND_EQ9, 0, 0.72, 1},
    {"F9.1", "slope of xcorr^2 with N_fix/N", along, 3, TREND_XCORR2, 0, 0.72,
     1},
    {"F9.1", "slope with alpha", between, 1, TREND_XCORR2, 0, 0.72, 1},
    {"F9.2", "slope of x* with N_fix/N", along, 3, TREND_PARISI, 0, 0.8, -1},
    {"F9.2", "late slope with alpha", between, 1, TREND_PARISI, 0.72, 0.8, 1},
    {"F9.3", "slope of the gap with N_fix/N", along, 3, TREND_GAP, 0, 0.72, 1},
    {"F9.3", "slope with alpha", between, 1, TREND_GAP, 0, 0.72, 1},
    {"F9.4", "correlation of eq. 9 with xcorr^2 along N_fix", profile, 3,
     TREND_EQ9, 0, 0.72, 1},
    {"F9.4", "same sign", same_sign, 3, TREND_EQ9, 0, 0.72, 1},
};

/* ---- errors and verdicts */

/* From values without one instance each: their number, sum and squares. */
static double jackknife(const sums *s) {
  return s->n < 2
             ? NAN
             : sqrt(fmax(0, (s->n - 1) / s->n * spread(s->xx, s->x, s->n)));
}

double trend_error(const trend_kind *k, size_t fixed, trend_measure which) {
  sums values = {0};
  double centre = trend_average(k, SIZE_MAX, fixed, which);
  for (size_t t = 0; t < k->used; t++)
    add_point(&values, trend_average(k, t, fixed, which) - centre, 0);
  return jackknife(&values);
}

/* The error of statistic `kind` of a rule; NAN when it hangs on one
 * instance. */
static double error_of(const trend_kind *kinds, const rule *r, size_t kind,
                       double centre) {
  sums values = {0};
  for (size_t t = 0; t < kinds->used; t++) {
    sample s = {kinds, t};
    double value = r->of(&s, r, kind) - centre;
    if (!isfinite(value))
      return NAN;
    add_point(&values, value, 0);
  }
  return jackknife(&values);
}

/* Signs agree without errors, but differ only beyond them. */
static double sign_error(const trend_kind *kinds, const rule *r, size_t kind,
                         double value) {
  static const trend_measure both[] = {TREND_EQ9, TREND_XCORR2};
  sample all = {kinds, SIZE_MAX};
  for (size_t k = 0; value < 0 && k < 2; k++) {
    rule one = *r;
    one.of = along;
    one.which = both[k];
    double x = along(&all, &one, kind);
    if (!(fabs(x) > 2 * error_of(kinds, &one, kind, x)))
      return NAN;
  }
  return 0;
}

/* 1 holds, -1 fails, 0 undecided. */
static int judge(const trend_kind *kinds, const rule *r, trend_claim *claim) {
  int worst = 1;
  sample all = {kinds, SIZE_MAX};
  trend_test *out = &claim->test[claim->count++];
  *out = (trend_test){.text = r->text, .count = r->count};
  claim->values += r->count;
  for (size_t a = 0; a < r->count; a++) {
    double value = r->of(&all, r, a);
    double error = r->of == same_sign ? sign_error(kinds, r, a, value)
                                      : error_of(kinds, r, a, value);
    double up = r->direction * value;
    int sign = up > 2 * error ? 1 : up < -2 * error ? -1 : 0;
    out->value[a] = value;
    out->error[a] = error;
    claim->as_claimed += up > 0;
    if (worst >= 0)
      worst = sign < 0 ? -1 : sign == 0 ? 0 : worst;
  }
  return worst;
}

void trend_judge(const trend_figure figures[TREND_FIGURES],
                 trend_claim claims[TREND_CLAIMS]) {
  static const char *const verdicts[] = {"fails", "undecided", "holds"};
  size_t used = 0;
  for (size_t k = 0; k < sizeof rules / sizeof *rules;) {
    const rule *first = &rules[k];
    trend_claim *claim = &claims[used++];
    int worst = 1;
    *claim = (trend_claim){.id = first->claim};
    for (; k < sizeof rules / sizeof *rules &&
           strcmp(rules[k].claim, first->claim) == 0;
         k++) {
      int sign = judge(figures[first->claim[1] == '9'].kind, &rules[k], claim);
      if (worst >= 0)
        worst = sign < 0 ? -1 : sign == 0 ? 0 : worst;
    }
    claim->verdict = verdicts[worst + 1];
  }
}
