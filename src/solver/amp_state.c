/* The state of AMP: what columns and thresholds are, parts of the weights. The
 * equations are in amp_update.c. */
#include "solver/amp_state.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "solver/solver_recount.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* Column means so far above their sampling noise are a mode of their own. */
#define PIN_ABOVE 10.0
/* Of fewer patterns a column says nothing by itself: one or two ones of two. */
#define FEW_PATTERNS 10

/* ---- products with the inputs x = 0, 1 or -1, 0, 1 */

static bool rows_right(const bperc_i_amp *s) {
  return bperc_i_recount_rows(&s->x, s->fixed_point_p, s->n, s->sums) &&
         (!s->other ||
          bperc_i_recount_rows(&s->support, s->fixed_point_p, s->n, s->other));
}

/* Sums of a problem over ranks are those of all rows, of which each rank has
 * its own alone. */
bool bperc_i_amp_columns_right(const bperc_i_amp *s) {
  return s->in->spread ||
         (bperc_i_recount_columns(&s->x, s->fixed_point_g, s->n, s->sums) &&
          (!s->other || bperc_i_recount_columns(&s->support, s->fixed_point_g,
                                                s->n, s->other)));
}

/* sums[mu] = sum_i x_i fixed_point_p[i] */
static void row_sums(bperc_i_amp *s) {
  int64_t all = bperc_i_amp_total(s->fixed_point_p, s->n);
  bperc_i_matvec_rows(&s->x, s->fixed_point_p, s->pool, s->sums);
  if (s->other)
    bperc_i_matvec_rows(&s->support, s->fixed_point_p, s->pool, s->other);
  BPERC_I_CHECK(rows_right(s));
  for (size_t mu = 0; mu < s->in->m; mu++)
    s->sums[mu] =
        bperc_i_amp_sum(s, s->sums[mu], s->other ? s->other[mu] : all);
}

/* sums[i] = sum_mu x_i fixed_point_g[mu] */
static void recount_columns(bperc_i_amp *s) {
  int64_t all = bperc_i_amp_total(s->fixed_point_g, s->in->m);
  bperc_i_matvec_columns(&s->x, s->fixed_point_g, s->pool, s->sums);
  if (s->other)
    bperc_i_matvec_columns(&s->support, s->fixed_point_g, s->pool, s->other);
  BPERC_I_CHECK(bperc_i_amp_columns_right(s));
  for (size_t i = 0; i < s->n; i++)
    s->sums[i] = bperc_i_amp_sum(s, s->sums[i], s->other ? s->other[i] : all);
  bperc_i_amp_sum_ranks(s, s->sums, s->n);
  bperc_i_amp_sum_ranks(s, s->other, s->n);
}

/* ---- patterns spread over processes */

void bperc_i_amp_gather(const bperc_spread *spread, void *all, bool rows,
                        size_t size) {
  size_t at[BPERC_MOST_RANKS + 1] = {0};
  assert(spread->size <= BPERC_MOST_RANKS);
  for (int r = 0; r < spread->size; r++) {
    size_t part = (size_t)r, parts = (size_t)spread->size;
    at[r + 1] = size * (rows ? bperc_i_amp_rank_rows(spread->m, r, spread->size)
                             : bperc_i_amp_blocks_of(spread->m, part, parts))
                           .to;
  }
  spread->gather(all, at);
}

/* ---- columns and thresholds */

/* Mean f and mean square q of every column, from sums over all patterns. */
static void column_moments(bperc_i_amp *s) {
  const double m = (double)bperc_instance_all(s->in);
  for (size_t mu = 0; mu < s->in->m; mu++)
    s->fixed_point_g[mu] = 1;
  recount_columns(s);
  for (size_t i = 0; i < s->n; i++) {
    s->f[i] = m > 0 ? (double)s->sums[i] / m : 0;
    s->q[i] = s->in->inputs == BPERC_INPUTS_01 ? s->f[i]
              : s->other                       ? (double)s->other[i] / m
                                               : 1;
  }
}

/* Few patterns: all columns alike. */
static void pool_moments(bperc_i_amp *s) {
  double f = 0, q = 0;
  for (size_t i = 0; i < s->n; i++) {
    f += s->f[i] / (double)s->n;
    q += s->q[i] / (double)s->n;
  }
  for (size_t i = 0; i < s->n; i++) {
    s->f[i] = f;
    s->q[i] = q;
  }
}

/* Labels that are not balanced want the mean sum away from the threshold: at
 * variance q K of the sums of K weights, so that the right share of them lies
 * above it. Balanced within three standard errors counts as balanced. */
static void shift_target(bperc_i_amp *s, double f, double q, double low,
                         double high) {
  const double m = (double)bperc_instance_all(s->in);
  double share, spread, target;
  int64_t ones = 0;
  for (size_t mu = 0; mu < s->in->m; mu++)
    ones += s->in->labels[mu];
  bperc_i_amp_sum_ranks(s, &ones, 1);
  share = fmin(fmax((double)ones / m, 0.5 / m), 1 - 0.5 / m);
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
  const double n = (double)s->n, m = (double)bperc_instance_all(s->in);
  const bool few = bperc_instance_all(s->in) < FEW_PATTERNS;
  double square = 0, variance = 0, low = 0, high = 0;
  double inputs = few ? n * m : m; /* that a mean is of */
  column_moments(s);
  if (few)
    pool_moments(s);
  for (size_t i = 0; i < s->n; i++) {
    square += s->f[i] * s->f[i] / n;
    variance += (s->q[i] - s->f[i] * s->f[i]) / n;
    *(s->f[i] > 0 ? &high : &low) += s->f[i];
  }
  s->pinned = square * inputs > PIN_ABOVE * variance && s->target > low &&
              s->target < high;
  if (s->pinned && !s->half) /* a band has no side */
    shift_target(s, sqrt(square), variance, low, high);
  s->f_root = s->pinned ? sqrt(square) : 0;
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
  for (size_t mu = 0; mu < in->m; mu++) {
    if (s->half) {
      s->t[mu] = 0.5 * (double)(in->bound[mu] + in->upper[mu]) -
                 (double)minus_ones(in, mu);
      s->half[mu] = 0.5 * (double)(in->upper[mu] - in->bound[mu] + 1);
      s->target += s->t[mu] / (double)in->m;
      continue;
    }
    double t = (double)(bperc_instance_bound(in, mu) - minus_ones(in, mu)) -
               (in->labels[mu] ? 0.5 : -0.5);
    s->t[mu] = t > n ? n : t < -n ? -n : t;
  }
}

/* Their mean, added up in the order of the patterns. */
static bool set_target(bperc_i_amp *s) {
  const size_t m = bperc_instance_all(s->in);
  double *all = s->t;
  s->target = 0;
  if (s->in->spread) {
    all = bperc_i_alloc(m, sizeof *all);
    if (!all)
      return false;
    memcpy(all + s->in->spread->first, s->t, s->in->m * sizeof *all);
    bperc_i_amp_gather(s->in->spread, all, 1, sizeof *all);
  }
  for (size_t mu = 0; mu < m; mu++)
    s->target += all[mu] / (double)m;
  if (s->in->spread)
    bperc_i_free(all);
  return true;
}

/* ---- memory */

/* Arrays one after another. On several threads the element `cut` of an array,
 * where the work of the second half of them begins, is the first of a page, and
 * arrays have no page in common: processors fetch lines in advance, though not
 * beyond a page, and a line that another core has fetched in vain is not
 * written before that core has given it back. */
typedef struct {
  char *base; /* NULL: only add up */
  size_t used, unit;
} arena;

enum { LINE = 64, PAGE = 4096 };

static void *array(arena *a, size_t count, size_t size, size_t cut) {
  size_t start = (a->used + a->unit - 1) / a->unit * a->unit;
  start += (a->unit - cut * size % a->unit) % a->unit;
  a->used = start + count * size;
  return a->base ? a->base + start : NULL;
}

/* The middle of so many weights, or patterns, on several threads. */
static size_t middle(const bperc_i_amp *s, size_t count, size_t unit) {
  size_t parts = bperc_i_thread_pool_size(s->pool);
  return parts < 2 ? 0
                   : bperc_i_amp_part_of(count, unit, parts / 2, parts).from;
}

/* What a problem with at most so many weights has for itself. */
static void place_own(bperc_i_amp *s, arena *a, size_t most) {
  const size_t parts = bperc_i_thread_pool_size(s->pool), m = s->in->m;
  const size_t n = (most + 3) / 4 * 4, wide = (most + 63) / 64 * 64;
  const size_t apart = (parts - 1) * 64 * BPERC_I_MATVEC_STRIP;
  const size_t sums = wide + apart > m ? wide + apart : m;
  const size_t cut = middle(s, n, 64), half = middle(s, m, 16);
  const size_t unit = a->unit / sizeof(int32_t);
  s->f = array(a, n, sizeof *s->f, cut);
  s->q = array(a, n, sizeof *s->q, cut);
  s->pull = array(a, n, sizeof *s->pull, cut);
  s->h = array(a, n, sizeof *s->h, cut);
  s->p = array(a, n, sizeof *s->p, cut);
  s->t = array(a, m, sizeof *s->t, half);
  if (s->in->upper)
    s->half = array(a, m, sizeof *s->half, half);
  s->fixed_point_p = array(a, wide, sizeof *s->fixed_point_p, cut);
  s->g_room = (m + unit - 1) / unit * unit;
  s->row_room = (m + unit) / unit * unit;
  s->fixed_point_g = array(a, parts * s->g_room, sizeof *s->fixed_point_g, 0);
  s->sums = array(a, sums, sizeof *s->sums, cut);
  s->rows = array(a, parts > 1 ? parts * s->row_room : 0, sizeof *s->rows, 0);
  s->row_sums = array(a, parts * s->row_room, sizeof *s->row_sums, half);
  if (!s->in->support)
    return;
  s->other = array(a, sums, sizeof *s->other, cut);
  s->row_other = array(a, parts * s->row_room, sizeof *s->row_other, half);
}

/* What it shares with its part. */
static void place_shared(bperc_i_amp *s, arena *a) {
  const size_t m = s->in->m, blocks = 2 * bperc_i_amp_blocks(s->padded);
  s->g = s->shared_g = array(a, m, sizeof *s->g, middle(s, m, 16));
  if (bperc_i_thread_pool_size(s->pool) > 1)
    s->shared_g = array(a, m, sizeof *s->g, middle(s, m, 16));
  s->mean_sums[0] = array(a, blocks, sizeof(double), 0);
  s->mean_sums[1] = array(a, blocks, sizeof(double), 0);
  s->open_sums = array(a, blocks, sizeof(double), 0);
  s->lost_sums = array(a, blocks / 2, sizeof(double), 0);
  s->force_sums = array(a, 2 * bperc_i_amp_blocks(bperc_instance_all(s->in)),
                        sizeof(double), 0);
}

static void place_arrays(bperc_i_amp *s, arena *a, size_t most, bool shared) {
  place_own(s, a, most);
  if (shared)
    place_shared(s, a);
}

/* False: no memory. */
static bool allocate_amp(bperc_i_amp *s, size_t most, bool shared) {
  arena a = {.unit = bperc_i_thread_pool_size(s->pool) > 1 ? PAGE : LINE};
  place_arrays(s, &a, most, shared);
  s->room = bperc_i_calloc(a.used + a.unit, 1);
  if (!s->room)
    return false;
  a.base = s->room;
  a.base += (a.unit - (uintptr_t)a.base % a.unit) % a.unit;
  a.used = 0;
  place_arrays(s, &a, most, shared);
  return true;
}

/* ---- life */

/* Bits below which an iteration is too short to be shared. */
#define FEWEST_BITS 500000.
/* With so few weights and patterns for each, another thread gains nothing. */
#define SHARE 256

unsigned bperc_i_amp_workers(const bperc_instance *in, unsigned threads) {
  double bits = 64. * (double)in->words * (double)in->m;
  size_t least = in->n < in->m ? in->n : in->m;
  unsigned workers = bperc_threads(1 + least / SHARE, threads);
  return bits < FEWEST_BITS ? 1 : workers;
}

bperc_status bperc_i_amp_init(bperc_i_amp *s, const bperc_instance *in,
                              bperc_i_thread_pool *pool) {
  *s = (bperc_i_amp){.in = in,
                     .pool = pool,
                     .n = in->n,
                     .padded = (in->n + 3) / 4 * 4,
                     .sites = bperc_i_site_kernels_get(),
                     .x = {in->patterns, in->m, in->words},
                     .support = {in->support, in->m, in->words}};
  if (!allocate_amp(s, in->n, true))
    return BPERC_E_MEMORY;
  set_thresholds(s);
  if (!set_target(s)) {
    bperc_i_amp_clear(s);
    return BPERC_E_MEMORY;
  }
  describe_columns(s);
  bperc_i_amp_start(s);
  return BPERC_OK;
}

void bperc_i_amp_clear(bperc_i_amp *s) {
  bperc_i_free(s->room);
  bperc_i_free(s->site);
  bperc_i_free(s->own);
  bperc_i_free(s->plan);
  *s = (bperc_i_amp){0};
}

/* ---- weights that leave the computation */

bperc_status bperc_i_amp_part_init(bperc_i_amp *part, const bperc_i_amp *full,
                                   size_t most) {
  const size_t m = full->in->m, words = (most + 63) / 64;
  *part = *full;
  part->room = NULL;
  part->site = bperc_i_calloc(words * 64, sizeof *part->site);
  part->plan = bperc_i_alloc(full->x.words, sizeof *part->plan);
  part->own =
      bperc_i_calloc(m, (full->other ? 2 : 1) * words * sizeof *part->own);
  if (!part->site || !part->plan || !part->own ||
      !allocate_amp(part, most, false)) {
    bperc_i_amp_clear(part);
    return BPERC_E_MEMORY;
  }
  return BPERC_OK;
}

/* The columns of the part side by side. */
static void gather_columns(const bperc_i_amp *part,
                           const bperc_i_bit_matrix *from, uint64_t *to) {
  for (size_t mu = 0; mu < from->count; mu++)
    bperc_i_squeeze_row(part->plan, from->words, from->bits + mu * from->words,
                        to + mu * part->x.words);
}

/* What the others contribute stays as it is: to sums, means, variances. */
static void take_rest(bperc_i_amp *part, bperc_i_amp *full,
                      const uint8_t *out) {
  part->target = full->target;
  part->rest_undecided = part->rest_variance = part->rest_lost = 0;
  for (size_t i = 0; i < full->n; i++) {
    double p = full->p[i];
    full->fixed_point_p[i] = out[i] ? bperc_i_amp_whole(p) : 0;
    if (!out[i])
      continue;
    part->target -= full->f[i] * p;
    part->rest_undecided += p * (1 - p);
    part->rest_variance += full->q[i] * p * (1 - p);
    part->rest_lost +=
        full->f[i] * (p - full->fixed_point_p[i] * BPERC_I_UNIT_P);
  }
  row_sums(full);
  for (size_t mu = 0; mu < full->in->m; mu++)
    part->t[mu] = full->t[mu] - (double)full->sums[mu] * BPERC_I_UNIT_P;
  bperc_i_amp_refresh(full);
}

/* Where every pattern stands with the means of all weights: the part and what
 * it leaves out must add up to the whole. */
static bool part_right(bperc_i_amp *part, bperc_i_amp *full) {
  const double unit = BPERC_I_UNIT_P, few = 2 * unit * (double)full->n;
  row_sums(part);
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
  bperc_i_amp_refresh(part);
  gather_columns(part, &full->x, part->own);
  if (full->other) {
    uint64_t *support = part->own + full->in->m * part->x.words;
    part->support = (bperc_i_bit_matrix){support, full->in->m, part->x.words};
    gather_columns(part, &full->support, support);
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
