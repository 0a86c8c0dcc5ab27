/* The equations of docs/frontier.md, in their order. */
#include "solver/amp_iteration.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "numeric/gauss.h"
#include "solver/recount.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* What rounding a weight to 0 or 1 leaves undecided. */
#define UNDECIDED_LEAST 0.2
#define FIELD_MOST 60.0
/* Column means so far above their sampling noise are a mode of their own. */
#define PIN_ABOVE 10.0
#define PIN_WITHIN 1e-7
#define UNIT_P 0x1p-21

/* ---- products with the inputs x = 0, 1 or -1, 0, 1 */

static int64_t total(const int32_t *whole, size_t count) {
  int64_t sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += whole[k];
  return sum;
}

/* Sums over inputs +1 become sums over +1 minus sums over -1. */
static void with_signs(bperc_i_amp *s, size_t count, int64_t all) {
  for (size_t k = 0; k < count; k++)
    s->sums[k] = 2 * s->sums[k] - (s->other ? s->other[k] : all);
}

/* sums[mu] = sum_i x_i whole[i] */
static void row_sums(bperc_i_amp *s) {
  memset(s->whole + s->n, 0, (s->x.words * 64 - s->n) * sizeof *s->whole);
  bperc_i_matvec_rows(&s->x, s->whole, s->threads, s->sums);
  BPERC_I_CHECK(bperc_i_recount_rows(&s->x, s->whole, s->n, s->sums));
  if (s->other)
    bperc_i_matvec_rows(&s->support, s->whole, s->threads, s->other);
  BPERC_I_CHECK(!s->other ||
                bperc_i_recount_rows(&s->support, s->whole, s->n, s->other));
  if (s->in->inputs != BPERC_INPUTS_01)
    with_signs(s, s->in->m, total(s->whole, s->n));
}

/* sums[i] = sum_mu x_i whole[mu] */
static void column_sums(bperc_i_amp *s) {
  bperc_i_matvec_columns(&s->x, s->whole, s->threads, s->sums);
  BPERC_I_CHECK(bperc_i_recount_columns(&s->x, s->whole, s->n, s->sums));
  if (s->other)
    bperc_i_matvec_columns(&s->support, s->whole, s->threads, s->other);
  BPERC_I_CHECK(!s->other ||
                bperc_i_recount_columns(&s->support, s->whole, s->n, s->other));
  if (s->in->inputs != BPERC_INPUTS_01)
    with_signs(s, s->n, total(s->whole, s->in->m));
}

/* ---- life */

/* Mean f and mean square q of every column, from sums over all patterns. */
static void column_moments(bperc_i_amp *s) {
  const double m = (double)s->in->m;
  for (size_t mu = 0; mu < s->in->m; mu++)
    s->whole[mu] = 1;
  column_sums(s);
  for (size_t i = 0; i < s->n; i++) {
    s->f[i] = m > 0 ? (double)s->sums[i] / m : 0;
    s->q[i] = s->in->inputs == BPERC_INPUTS_01 ? s->f[i]
              : s->other                       ? (double)s->other[i] / m
                                               : 1;
  }
}

/* Labels that are not balanced want the mean sum away from the threshold: at
 * variance q K of the sums of K weights, so that the right share of them lies
 * above it. Balanced within three standard errors counts as balanced. */
static void shift_target(bperc_i_amp *s, double f, double q, double low,
                         double high) {
  const double m = (double)s->in->m;
  double ones = 0, share, spread, target;
  for (size_t mu = 0; mu < s->in->m; mu++)
    ones += s->in->labels[mu];
  share = fmin(fmax(ones / m, 0.5 / m), 1 - 0.5 / m);
  if (fabs(share - 0.5) <= 1.5 / sqrt(m))
    return;
  target = s->target;
  for (int k = 0; k < 20; k++) { /* K itself depends on the target */
    spread = sqrt(q * fabs(target) / f);
    target = s->target + spread * gsl_cdf_ugaussian_Pinv(share);
  }
  if (target > low && target < high)
    s->target = target;
}

/* Means and variances of the columns; means that are not worth pinning count
 * as 0, and what they would take from the mean square stays. */
static void describe_columns(bperc_i_amp *s) {
  const double n = (double)s->n, m = (double)s->in->m;
  double square = 0, variance = 0, low = 0, high = 0;
  column_moments(s);
  for (size_t i = 0; i < s->n; i++) {
    square += s->f[i] * s->f[i] / n;
    variance += (s->q[i] - s->f[i] * s->f[i]) / n;
    *(s->f[i] > 0 ? &high : &low) += s->f[i];
  }
  s->pinned =
      square * m > PIN_ABOVE * variance && s->target > low && s->target < high;
  if (s->pinned)
    shift_target(s, sqrt(square), variance, low, high);
  for (size_t i = 0; i < s->n; i++) {
    s->f[i] = s->pinned ? s->f[i] : 0;
    s->q[i] -= s->f[i] * s->f[i];
    s->pull[i] = s->pinned ? s->f[i] / sqrt(square) : 0;
    s->q_mean += s->q[i] / n;
  }
}

static int64_t minus_ones(const bperc_instance *in, size_t mu) {
  const uint64_t *bits = bperc_instance_pattern(in, mu);
  int64_t plus = 0;
  if (in->inputs == BPERC_INPUTS_01)
    return 0;
  for (size_t k = 0; k < in->words; k++)
    plus += __builtin_popcountll(bits[k]);
  return (int64_t)bperc_instance_degree(in, mu) - plus;
}

/* Half-way between allowed and forbidden sums. Bounds out of reach are
 * contradictions; they must not move the mean of the others. */
static void set_thresholds(bperc_i_amp *s) {
  const bperc_instance *in = s->in;
  double n = (double)in->n;
  s->target = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    double t = (double)(bperc_instance_bound(in, mu) - minus_ones(in, mu)) -
               (in->labels[mu] ? 0.5 : -0.5);
    s->t[mu] = t > n ? n : t < -n ? -n : t;
    s->target += s->t[mu] / (double)in->m;
  }
}

bperc_status bperc_i_amp_init(bperc_i_amp *s, const bperc_instance *in,
                              unsigned threads) {
  const size_t m = in->m, n = (in->n + 3) / 4 * 4, wide = in->words * 64;
  const size_t most = wide > m ? wide : m;
  *s = (bperc_i_amp){.in = in,
                     .threads = threads,
                     .n = in->n,
                     .padded = n,
                     .sites = bperc_i_site_kernels_get(),
                     .x = {in->patterns, m, in->words},
                     .support = {in->support, m, in->words}};
  s->f = bperc_i_calloc(5 * n + 3 * m, sizeof *s->f);
  s->whole = bperc_i_calloc(most, sizeof *s->whole);
  s->sums = bperc_i_calloc(most, sizeof *s->sums);
  s->other = in->support ? bperc_i_calloc(most, sizeof *s->other) : NULL;
  if (!s->f || !s->whole || !s->sums || (in->support && !s->other)) {
    bperc_i_amp_clear(s);
    return BPERC_E_MEMORY;
  }
  s->q = s->f + n;
  s->pull = s->q + n;
  s->h = s->pull + n;
  s->p = s->h + n;
  s->t = s->p + n;
  s->margin = s->t + m;
  s->g = s->margin + m;
  set_thresholds(s);
  describe_columns(s);
  bperc_i_amp_start(s);
  return BPERC_OK;
}

void bperc_i_amp_clear(bperc_i_amp *s) {
  bperc_i_free(s->f);
  bperc_i_free(s->whole);
  bperc_i_free(s->sums);
  bperc_i_free(s->other);
  bperc_i_free(s->site);
  bperc_i_free(s->own);
  bperc_i_free(s->plan);
  *s = (bperc_i_amp){0};
}

/* ---- weights that leave the computation */

bperc_status bperc_i_amp_part_init(bperc_i_amp *part, const bperc_i_amp *full,
                                   size_t most) {
  const size_t m = full->in->m, n = (most + 3) / 4 * 4;
  const size_t words = (most + 63) / 64, wide = words * 64;
  const size_t room = wide > m ? wide : m;
  *part = *full;
  part->whole = bperc_i_calloc(room, sizeof *part->whole);
  part->sums = bperc_i_calloc(room, sizeof *part->sums);
  part->other = full->other ? bperc_i_calloc(room, sizeof *part->other) : NULL;
  part->f = bperc_i_calloc(5 * n + m, sizeof *part->f);
  part->site = bperc_i_calloc(n, sizeof *part->site);
  part->plan = bperc_i_alloc(full->x.words, sizeof *part->plan);
  part->own =
      bperc_i_calloc(m, (full->other ? 2 : 1) * words * sizeof *part->own);
  if (!part->whole || !part->sums || (full->other && !part->other) ||
      !part->f || !part->site || !part->plan || !part->own) {
    bperc_i_amp_clear(part);
    return BPERC_E_MEMORY;
  }
  part->q = part->f + n;
  part->pull = part->q + n;
  part->h = part->pull + n;
  part->p = part->h + n;
  part->t = part->p + n;
  return BPERC_OK;
}

/* The columns of the part side by side. */
static void gather(const bperc_i_amp *part, const bperc_i_bit_matrix *from,
                   uint64_t *to) {
  for (size_t mu = 0; mu < from->count; mu++)
    bperc_i_squeeze_row(part->plan, from->words, from->bits + mu * from->words,
                        to + mu * part->x.words);
}

/* What the others contribute stays as it is: to sums, means, variances. */
static void take_rest(bperc_i_amp *part, bperc_i_amp *full,
                      const uint8_t *out) {
  part->target = full->target;
  part->rest_undecided = part->rest_variance = 0;
  for (size_t i = 0; i < full->n; i++) {
    double p = full->p[i];
    full->whole[i] = out[i] ? (int32_t)(p / UNIT_P) : 0;
    if (!out[i])
      continue;
    part->target -= full->f[i] * p;
    part->rest_undecided += p * (1 - p);
    part->rest_variance += full->q[i] * p * (1 - p);
  }
  row_sums(full);
  for (size_t mu = 0; mu < full->in->m; mu++)
    part->t[mu] = full->t[mu] - (double)full->sums[mu] * UNIT_P;
}

/* Where every pattern stands with the means of all weights: the part and what
 * it leaves out must add up to the whole. */
static bool part_right(bperc_i_amp *part, bperc_i_amp *full) {
  const double unit = UNIT_P, few = 2 * unit * (double)full->n;
  for (size_t j = 0; j < part->n; j++)
    part->whole[j] = (int32_t)(part->p[j] / UNIT_P);
  row_sums(part);
  for (size_t i = 0; i < full->n; i++)
    full->whole[i] = (int32_t)(full->p[i] / UNIT_P);
  row_sums(full);
  for (size_t mu = 0; mu < full->in->m; mu++)
    if (fabs((double)part->sums[mu] * unit - part->t[mu] -
             ((double)full->sums[mu] * unit - full->t[mu])) > few)
      return false;
  return true;
}

void bperc_i_amp_part_take(bperc_i_amp *part, bperc_i_amp *full,
                           const uint8_t *out) {
  size_t n = 0;
  for (size_t k = 0; k < full->x.words; k++) {
    uint64_t keep = 0;
    for (size_t i = k * 64; i < full->n && i < k * 64 + 64; i++) {
      keep |= (uint64_t)!out[i] << i % 64;
      if (!out[i])
        part->site[n++] = (uint32_t)i;
    }
    bperc_i_squeeze_plan(&keep, 1, &part->plan[k]);
  }
  memset(part->f, 0, (size_t)(part->t - part->f) * sizeof *part->f);
  part->n = n;
  part->padded = (n + 3) / 4 * 4;
  part->shift = full->shift;
  part->rho = full->rho;
  assert(n <= full->n);
  for (size_t j = 0; j < n; j++) {
    size_t i = part->site[j];
    part->f[j] = full->f[i];
    part->q[j] = full->q[i];
    part->pull[j] = full->pull[i];
    part->h[j] = full->h[i];
    part->p[j] = full->p[i];
  }
  take_rest(part, full, out);
  part->x = (bperc_i_bit_matrix){part->own, full->in->m, (n + 63) / 64};
  gather(part, &full->x, part->own);
  if (full->other) {
    uint64_t *support = part->own + full->in->m * part->x.words;
    part->support = (bperc_i_bit_matrix){support, full->in->m, part->x.words};
    gather(part, &full->support, support);
  }
  BPERC_I_CHECK(part_right(part, full));
}

void bperc_i_amp_part_give(const bperc_i_amp *part, bperc_i_amp *full) {
  for (size_t j = 0; j < part->n; j++) {
    full->h[part->site[j]] = part->h[j];
    full->p[part->site[j]] = part->p[j];
  }
  full->shift = part->shift;
  full->undecided = part->undecided;
}

/* ---- fields to probabilities */

static double mean_sum(const bperc_i_amp *s, double shift, double *slope) {
  return s->sites->mean_sum(s->h, s->pull, s->f, shift, FIELD_MOST, s->padded,
                            s->p, slope);
}

/* Leaves the p_i at which the mean sum is the target, and returns the shift:
 * Newton inside a bracket. */
static double find_shift(const bperc_i_amp *s) {
  double low = -INFINITY, high = INFINITY, shift = s->shift, width = 1;
  for (int k = 0;; k++) {
    double slope, miss = mean_sum(s, shift, &slope) - s->target, next;
    if (!s->pinned || fabs(miss) <= PIN_WITHIN * fabs(s->target) || k == 100)
      return shift;
    *(miss > 0 ? &high : &low) = shift;
    next = shift - miss / slope;
    if (!(next > low && next < high)) /* also when the slope vanished */
      next = isinf(low)    ? shift - (width *= 2)
             : isinf(high) ? shift + (width *= 2)
                           : (low + high) / 2;
    else if (fabs(next - shift) > 4)
      next = shift + copysign(4, next - shift);
    shift = next;
  }
}

/* p_i from h_i, rounded to whole units; h_i gets its share of the shift. */
static void settle(bperc_i_amp *s) {
  s->shift = find_shift(s);
  s->undecided = UNDECIDED_LEAST + s->rest_undecided;
  for (size_t i = 0; i < s->n; i++) {
    double h = s->h[i] + s->shift * s->pull[i];
    int32_t p = (int32_t)(s->p[i] * (1 / UNIT_P) + 0.5);
    p = p > BPERC_I_MATVEC_LARGEST ? BPERC_I_MATVEC_LARGEST : p;
    s->h[i] = h > FIELD_MOST ? FIELD_MOST : h < -FIELD_MOST ? -FIELD_MOST : h;
    s->p[i] = p * UNIT_P;
    s->undecided += s->p[i] * (1 - s->p[i]);
    BPERC_I_CHECK(s->p[i] >= 0 && s->p[i] <= 1);
    BPERC_I_CHECK(fabs(s->h[i]) <= FIELD_MOST || isnan(s->h[i]));
  }
}

void bperc_i_amp_start(bperc_i_amp *s) {
  memset(s->h, 0, s->n * sizeof *s->h);
  memset(s->g, 0, s->in->m * sizeof *s->g);
  s->shift = 0;
  settle(s);
}

void bperc_i_amp_start_at(bperc_i_amp *s, const uint64_t *weights,
                          double field) {
  for (size_t i = 0; i < s->n; i++)
    s->h[i] = bperc_bit_get(weights, i) ? field : -field;
  memset(s->g, 0, s->in->m * sizeof *s->g);
  s->shift = 0;
  settle(s);
}

/* ---- one iteration */

/* V = sum_i q_i p_i (1 - p_i), and what rounding leaves. */
static double variance(const bperc_i_amp *s) {
  double v = UNDECIDED_LEAST * s->q_mean + s->rest_variance;
  for (size_t i = 0; i < s->n; i++)
    v += s->q[i] * s->p[i] * (1 - s->p[i]);
  return v;
}

/* Forces g_mu = y R(z)/sqrt V; returns sum_mu R (R + z)/V. */
static double forces(bperc_i_amp *s) {
  double v = variance(s), root = sqrt(v), response = 0;
  for (size_t i = 0; i < s->n; i++)
    s->whole[i] = (int32_t)(s->p[i] / UNIT_P);
  row_sums(s);
  for (size_t mu = 0; mu < s->in->m; mu++) {
    double y = s->in->labels[mu] ? 1 : -1;
    double omega = (double)s->sums[mu] * UNIT_P - s->t[mu] - v * s->g[mu];
    double z = (y * omega - s->margin[mu]) / root;
    double r = bperc_i_hazard(-z);
    s->g[mu] = y * r / root;
    response += r * (z < -5 ? bperc_i_hazard_excess(-z) : r + z);
  }
  return response / v;
}

/* sum_mu x_i g_mu for all i into sums, and sum_mu g_mu into *all, both in the
 * returned unit. */
static double pull_columns(bperc_i_amp *s, double *all) {
  double most = 0, unit;
  for (size_t mu = 0; mu < s->in->m; mu++)
    most = fmax(most, fabs(s->g[mu]));
  unit = most > 0 ? most / BPERC_I_MATVEC_LARGEST : 1;
  for (size_t mu = 0; mu < s->in->m; mu++)
    s->whole[mu] = (int32_t)nearbyint(s->g[mu] / unit);
  *all = (double)total(s->whole, s->in->m);
  column_sums(s);
  return unit;
}

bool bperc_i_amp_iterate(bperc_i_amp *s) {
  double response = forces(s), all, unit;
  if (!isfinite(response))
    return false;
  unit = pull_columns(s, &all);
  for (size_t i = 0; i < s->n; i++) {
    double field = unit * ((double)s->sums[i] - s->f[i] * all);
    s->h[i] = field + response * s->q[i] * (s->p[i] - 0.5) + s->rho * s->h[i];
  }
  settle(s);
  return isfinite(s->undecided);
}
