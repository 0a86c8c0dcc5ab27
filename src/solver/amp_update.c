/* An iteration of AMP: the steps of docs/frontier.md. How threads share its two
 * products is in amp_parts.h.
 *
 *   2  omega_mu = sum_i x_i p_i - t_mu - V g_mu            pattern_force
 *   3  z = (y omega - kappa_mu) / sqrt V, g_mu = y R(z) / sqrt V
 *   4  Gamma = sum_mu R(z) (R(z) + z) / V                  find_forces
 *   5  x_i = sum_mu x_i g_mu - f_i sum_mu g_mu             update_strip
 *            + q_i Gamma (p_i - 1/2) + rho h_i
 *   6  h_i = x_i + L f_i with sum_i f_i p_i at the target  find_shift
 *   1  V = sum_i q_i p_i (1 - p_i) + 0.2 q                 find_probabilities
 *
 * R is the hazard of the normal distribution. Products take p and g in whole
 * units; what rounding loses of the mean sum is added in step 2. */
#include "base/bits.h"
#include "base/check.h"
#include "numeric/gauss.h"
#include "numeric/interval.h"
#include "solver/amp_parts.h"

#include <math.h>
#include <string.h>

#define FIELD_MOST 60.0
#define PIN_WITHIN 1e-7

enum { STRIP = BPERC_I_MATVEC_STRIP };

/* ---- forces */

/* Patterns whose labels may be wrong, and those whose cavity means are asked
 * for. With L = e + (1 - 2e) H(-z) the hazard gets the factor (1 - 2e) H(-z)/L;
 * z follows from omega alone. Returns as below. */
static double inferred_force(const bperc_i_amp *s, size_t mu, double z,
                             double y, double root) {
  double right = (1 - 2 * s->noise) * exp(bperc_i_log_h(-z));
  double hazard = bperc_i_hazard(-z);
  if (s->noise > 0)
    hazard *= right / (s->noise + right);
  s->cavity[mu] = exp(bperc_i_log_h(-y * z));
  s->g[mu] = y * hazard / root;
  return s->noise == 0 && z < -5 ? hazard * bperc_i_hazard_excess(-z)
                                 : hazard * (hazard + z);
}

/* A band around t, or its outside: mean and shrink of a Gaussian there take the
 * place of R and R (R + z). */
static double band_force(const bperc_i_amp *s, size_t mu, double omega,
                         double root) {
  double low = (-s->half[mu] - omega) / root;
  double high = (s->half[mu] - omega) / root;
  bperc_i_interval in = bperc_i_inside(low, high);
  bperc_i_interval ok = s->in->labels[mu] ? in : bperc_i_outside(low, high);
  double right = (1 - 2 * s->noise) * exp(ok.log_p);
  double share = s->noise > 0 ? right / (s->noise + right) : 1;
  s->cavity[mu] = exp(in.log_p);
  s->g[mu] = share * ok.mean / root;
  return share * (ok.shrink - (1 - share) * ok.mean * ok.mean);
}

/* g_mu = y R(z)/sqrt V; returns R (R + z), a term of the response times V. */
static double pattern_force(const bperc_i_amp_loop *l, size_t mu, double root) {
  const bperc_i_amp *s = l->s;
  int64_t other =
      s->other ? bperc_i_amp_add_parts(l, s->row_other, mu) : l->all;
  double sum = (double)bperc_i_amp_sum(
      s, bperc_i_amp_add_parts(l, s->row_sums, mu), other);
  double y = s->in->labels[mu] ? 1 : -1;
  double omega =
      sum * BPERC_I_UNIT_P + s->lost - s->t[mu] - s->variance * s->g[mu];
  if (s->half)
    return band_force(s, mu, omega, root);
  double margin = s->share ? s->margin * s->share[mu] : 0;
  double z = (y * omega - margin) / root;
  if (s->cavity)
    return inferred_force(s, mu, z, y, root);
  double hazard = bperc_i_hazard(-z);
  s->g[mu] = y * hazard / root;
  return hazard * (z < -5 ? bperc_i_hazard_excess(-z) : hazard + z);
}

static void force_part(void *context, size_t part, unsigned worker) {
  const bperc_i_amp_loop *l = context;
  const bperc_i_amp *s = l->s;
  const bperc_spread *spread = s->in->spread;
  const size_t m = bperc_instance_all(s->in),
               first = spread ? spread->first : 0;
  bperc_i_span b = spread ? bperc_i_amp_blocks_of(m, (size_t)spread->rank,
                                                  (size_t)spread->size)
                          : bperc_i_amp_blocks_of(m, part, l->parts);
  double root = sqrt(s->variance);
  (void)worker;
  for (size_t k = b.from; k < b.to; k++) {
    bperc_i_span r = bperc_i_amp_block(m, BPERC_I_AMP_PATTERNS, k);
    double response = 0, most = 0;
    r.from -= first;
    r.to -= first;
    BPERC_I_CHECK(r.from == r.to || bperc_i_amp_row_right(l, r.from));
    for (size_t mu = r.from; mu < r.to; mu++) {
      response += pattern_force(l, mu, root);
      most = fabs(s->g[mu]) > most ? fabs(s->g[mu]) : most;
    }
    s->force_sums[2 * k] = response;
    s->force_sums[2 * k + 1] = most;
  }
  bperc_i_amp_share_forces(l, part);
}

/* Forces, their response and their unit. */
static void find_forces(bperc_i_amp_loop *l) {
  const bperc_i_amp *s = l->s;
  const size_t m = bperc_instance_all(s->in);
  double response = 0, most = 0;
  if (!s->rows_known)
    bperc_i_region_run(l->region, bperc_i_amp_row_part, l);
  l->all = bperc_i_amp_add_parts(l, s->row_sums, s->in->m);
  bperc_i_region_run(l->region, force_part, l);
  if (s->in->spread)
    bperc_i_amp_gather(s->in->spread, s->force_sums, false,
                       2 * sizeof *s->force_sums);
  for (size_t k = 0; k < bperc_i_amp_blocks(m); k++) {
    response += s->force_sums[2 * k];
    most = s->force_sums[2 * k + 1] > most ? s->force_sums[2 * k + 1] : most;
  }
  l->response = response / s->variance;
  l->unit = most > 0 ? most / BPERC_I_MATVEC_LARGEST : 1;
}

/* g_mu in whole units, and their sum. Adding and taking away 1.5 * 2^52 rounds
 * to the nearest whole number, ties to even, as nearbyint does. */
static void round_forces(bperc_i_amp_loop *l) {
  const double large = 0x1.8p52;
  for (size_t mu = 0; mu < l->s->in->m; mu++)
    l->fixed_point_g[mu] =
        (int32_t)(l->s->shared_g[mu] / l->unit + large - large);
  l->all = bperc_i_amp_total(l->fixed_point_g, l->s->in->m);
  bperc_i_amp_sum_ranks(l->s, &l->all, 1);
}

/* ---- fields */

/* h_i = sum_mu x_i g_mu + response q_i (p_i - 1/2) + rho h_i, for weights of
 * one strip. */
static void update_strip(const bperc_i_amp_loop *l, size_t from, size_t to) {
  const bperc_i_amp *s = l->s;
  int64_t sums[STRIP * 64], other[STRIP * 64];
  double all = (double)l->all;
  bperc_i_amp_strip_totals(l, s->sums, from, to, sums);
  if (s->other)
    bperc_i_amp_strip_totals(l, s->other, from, to, other);
  for (size_t i = from; i < to; i++) {
    int64_t sum =
        bperc_i_amp_sum(s, sums[i - from], s->other ? other[i - from] : l->all);
    double field = l->unit * ((double)sum - s->f[i] * all);
    s->h[i] =
        field + l->response * s->q[i] * (s->p[i] - 0.5) + s->rho * s->h[i];
  }
  if (BPERC_I_CHECKING) /* for bperc_i_amp_columns_right */
    memcpy(s->sums + from, sums, (to - from) * sizeof *sums);
  if (BPERC_I_CHECKING && s->other)
    memcpy(s->other + from, other, (to - from) * sizeof *other);
}

static void update_fields(const bperc_i_amp_loop *l, bperc_i_span sites) {
  const size_t strip = STRIP * 64, end = bperc_i_smaller(sites.to, l->s->n);
  for (size_t i = sites.from, next; i < end; i = next) {
    next = bperc_i_smaller((i / strip + 1) * strip, end);
    update_strip(l, i, next);
  }
}

/* ---- probabilities */

static void mean_part(void *context, size_t part, unsigned worker) {
  const bperc_i_amp_loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span b = bperc_i_amp_blocks_of(s->padded, part, l->parts);
  (void)worker;
  if (l->new_fields)
    update_fields(l, bperc_i_amp_sites_of(l, part));
  for (size_t k = b.from; k < b.to; k++) {
    bperc_i_span r = bperc_i_amp_block(s->padded, BPERC_I_AMP_SITES, k);
    s->sites->means(s->h + r.from, s->pull + r.from, s->f + r.from, l->shift,
                    FIELD_MOST, r.to - r.from, s->p + r.from, l->means + 2 * k);
  }
}

/* p at this shift; the mean sum and its slope. Of two evaluations one after the
 * other sums are at different places: while the last ones are read, the next
 * may be written. */
static void mean_sum(bperc_i_amp_loop *l, double shift) {
  bperc_i_amp *s = l->s;
  l->shift = shift;
  l->means = s->mean_sums[l->means == s->mean_sums[0]];
  l->mean = l->slope = 0;
  bperc_i_region_run(l->region, mean_part, l);
  BPERC_I_CHECK(!l->new_fields || bperc_i_amp_columns_right(s));
  l->new_fields = false;
  bperc_i_amp_add_blocks(l->means, s->padded, &l->mean, &l->slope);
}

/* Leaves the p_i at which the mean sum is the target, at l->shift: Newton
 * inside a bracket. */
static void find_shift(bperc_i_amp_loop *l) {
  const bperc_i_amp *s = l->s;
  double low = -INFINITY, high = INFINITY, shift = s->shift, width = 1;
  for (int k = 0;; k++) {
    double miss, next;
    mean_sum(l, shift);
    miss = l->mean - s->target;
    if (!s->pinned || fabs(miss) <= PIN_WITHIN * fabs(s->target) || k == 100)
      return;
    *(miss > 0 ? &high : &low) = shift;
    next = shift - miss / l->slope;
    if (!(next > low && next < high)) /* also when the slope vanished */
      next = isinf(low)    ? shift - (width *= 2)
             : isinf(high) ? shift + (width *= 2)
                           : (low + high) / 2;
    else if (fabs(next - shift) > 4)
      next = shift + copysign(4, next - shift);
    shift = next;
  }
}

static bool decided_right(const bperc_i_amp *s, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (!(s->p[i] >= 0 && s->p[i] <= 1) ||
        !(fabs(s->h[i]) <= FIELD_MOST || isnan(s->h[i])))
      return false;
  return true;
}

/* fixed_point_p from p; h_i gets its share of the shift. Then the product
 * with rows that the next iteration begins with: it needs these weights alone,
 * and no loop of its own. */
static void decide_part(void *context, size_t part, unsigned worker) {
  const bperc_i_amp_loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span b = bperc_i_amp_blocks_of(s->padded, part, l->parts);
  bperc_i_span all = bperc_i_amp_sites_of(l, part);
  for (size_t i = s->n; i < all.to; i++)
    s->p[i] = 0; /* beyond the last weight */
  for (size_t k = b.from; k < b.to; k++) {
    bperc_i_span r = bperc_i_amp_block(s->padded, BPERC_I_AMP_SITES, k);
    double sums[3];
    s->sites->decide(s->h + r.from, s->pull + r.from, s->q + r.from, l->shift,
                     FIELD_MOST, BPERC_I_MATVEC_LARGEST + 1, r.to - r.from,
                     s->p + r.from, s->fixed_point_p + r.from, sums);
    memcpy(s->open_sums + 2 * k, sums, 2 * sizeof *sums);
    s->lost_sums[k] = sums[2];
    BPERC_I_CHECK(decided_right(s, r.from, r.to));
  }
  bperc_i_amp_row_part(context, part, worker);
  if (l->after) /* while the sums of rows leave for the cache */
    l->after(l->after_context, part, worker);
}

static double variance_of_rest(const bperc_i_amp *s) {
  return BPERC_I_UNDECIDED * s->q_mean + s->rest_variance;
}

/* What all workers found, the caller writes down: nobody reads it before the
 * next call. */
static void find_probabilities(bperc_i_amp_loop *l) {
  bperc_i_amp *s = l->s;
  find_shift(l);
  bperc_i_region_run(l->region, decide_part, l);
  l->undecided = BPERC_I_UNDECIDED + s->rest_undecided;
  l->variance = variance_of_rest(s);
  bperc_i_amp_add_blocks(s->open_sums, s->padded, &l->undecided, &l->variance);
  l->lost = 0;
  for (size_t k = 0; k < bperc_i_amp_blocks(s->padded); k++)
    l->lost += s->lost_sums[k];
  if (bperc_i_region_worker(l->region) > 0)
    return;
  s->rows_known = true;
  s->shift = l->shift;
  s->undecided = l->undecided;
  s->variance = l->variance;
  s->lost = s->rest_lost + s->f_root * l->lost;
}

void bperc_i_amp_refresh(bperc_i_amp *s) {
  s->rows_known = false;
  s->variance = variance_of_rest(s);
  s->lost = s->rest_lost;
  memset(s->fixed_point_p, 0, s->x.words * 64 * sizeof *s->fixed_point_p);
  for (size_t i = 0; i < s->n; i++) {
    s->fixed_point_p[i] = bperc_i_amp_whole(s->p[i]);
    s->lost += s->f[i] * (s->p[i] - s->fixed_point_p[i] * BPERC_I_UNIT_P);
    s->variance += s->q[i] * s->p[i] * (1 - s->p[i]);
  }
}

/* ---- one iteration */

bool bperc_i_amp_iterate_with(bperc_i_amp *s, bperc_i_region *region,
                              bperc_i_task *after, void *context) {
  bperc_i_amp_loop l = bperc_i_amp_loop_begin(s, region);
  l.after = after;
  l.after_context = context;
  find_forces(&l);
  if (!isfinite(l.response))
    return false;
  round_forces(&l);
  bperc_i_amp_column_products(&l);
  l.new_fields = true;
  find_probabilities(&l);
  return isfinite(l.undecided);
}

typedef struct {
  bperc_i_amp *s;
  bool sound;
} step;

static void iterate_part(void *context, bperc_i_region *region) {
  step *now = context;
  bool sound = bperc_i_amp_iterate_with(now->s, region, NULL, NULL);
  if (bperc_i_region_worker(region) == 0)
    now->sound = sound;
}

bool bperc_i_amp_iterate(bperc_i_amp *s) {
  step now = {.s = s};
  bperc_i_thread_pool_region(s->pool, iterate_part, &now);
  return now.sound;
}

/* ---- starts */

static void find_probabilities_together(void *context, bperc_i_region *region) {
  bperc_i_amp_loop l = bperc_i_amp_loop_begin(context, region);
  find_probabilities(&l);
}

/* From fields that have been set. */
static void start_from_fields(bperc_i_amp *s) {
  memset(s->g, 0, s->in->m * sizeof *s->g);
  s->shift = 0;
  bperc_i_thread_pool_region(s->pool, find_probabilities_together, s);
}

void bperc_i_amp_start(bperc_i_amp *s) {
  memset(s->h, 0, s->n * sizeof *s->h);
  start_from_fields(s);
}

void bperc_i_amp_start_at(bperc_i_amp *s, const uint64_t *weights,
                          double field) {
  for (size_t i = 0; i < s->n; i++)
    s->h[i] = bperc_i_bit(weights, i) ? field : -field;
  start_from_fields(s);
}
