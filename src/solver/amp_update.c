/* An iteration of AMP: the equations of docs/frontier.md, in their order.
 *
 * Weights and patterns are cut into one part for every thread. Products are
 * whole numbers, exact in any order; real sums are added up by blocks that do
 * not depend on the parts, and the blocks in order: the same bits for every
 * number of threads. A thread goes through its columns of the patterns in both
 * products, and what it knows of its weights stays with it. */
#include "base/bits.h"
#include "base/check.h"
#include "numeric/gauss.h"
#include "solver/amp_iteration.h"
#include "solver/recount.h"

#include <math.h>
#include <string.h>

#define FIELD_MOST 60.0
#define PIN_WITHIN 1e-7

enum {
  STRIP = BPERC_I_MATVEC_STRIP,
  TILE = 32, /* patterns of a product with columns */
};

/* What a worker knows of an iteration. */
typedef struct {
  bperc_i_amp *s;
  bperc_i_crew *crew;
  size_t parts;
  int32_t *whole_g; /* its own */
  int64_t all;      /* sum over all inputs, of products */
  double unit;      /* of forces */
  double response;
  double shift;
  double *means;   /* where sums over blocks go */
  bool new_fields; /* to be computed from the products first */
  double mean, slope, undecided, variance;
} loop;

static loop begin(bperc_i_amp *s, bperc_i_crew *crew) {
  return (loop){.s = s,
                .crew = crew,
                .parts = bperc_i_crew_parts(crew),
                .whole_g = s->whole_g + bperc_i_crew_worker(crew) * s->in->m,
                .means = s->mean_sums[0]};
}

enum { SITES = 64, PATTERNS = 16 }; /* units of blocks */

static bperc_i_span sites_of(const loop *l, size_t part) {
  return bperc_i_amp_part_of(l->s->padded, SITES, part, l->parts);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* ---- products with columns */

/* Parts are cut one after another from strips of columns, of each strip from
 * tiles of patterns. A part that begins inside a strip has a place of its own
 * for the sums of that strip. */
typedef struct {
  size_t strip, tile;
} place;

static size_t tiles_of(const bperc_i_amp *s) {
  return s->in->m > TILE ? (s->in->m + TILE - 1) / TILE : 1;
}

static place column_cut(const loop *l, size_t part) {
  const size_t tiles = tiles_of(l->s);
  const size_t strips = (l->s->x.words + STRIP - 1) / STRIP;
  const size_t at = part * strips * tiles / l->parts;
  return (place){at / tiles, at % tiles};
}

/* Where the sums of the strip in which a part begins are. */
static int64_t *strip_sums(const loop *l, int64_t *sums, size_t part) {
  place at = column_cut(l, part);
  return at.tile == 0 ? sums + at.strip * STRIP * 64
                      : sums + (l->s->x.words + (part - 1) * STRIP) * 64;
}

/* Some patterns and strips of a product with columns. */
static void columns_of(const loop *l, const bperc_i_bit_matrix *x, place from,
                       size_t to_strip, size_t to_tile, int64_t *out) {
  size_t first = from.strip * STRIP, end = least(to_strip * STRIP, x->words);
  size_t mu = least(from.tile * TILE, x->count);
  bperc_i_bit_matrix some =
      bperc_i_matvec_some(x, mu, least(to_tile * TILE, x->count));
  memset(out, 0, (end - first) * 64 * sizeof *out);
  /* The kernel has columns where they are in a row. */
  bperc_i_matvec_kernels_get()->columns(&some, l->whole_g + mu, first, end,
                                        out - first * 64);
}

static void column_sums_of(const loop *l, const bperc_i_bit_matrix *x,
                           size_t part, int64_t *sums) {
  const size_t tiles = tiles_of(l->s);
  place from = column_cut(l, part), to = column_cut(l, part + 1);
  if (from.tile > 0 && from.strip < to.strip) {
    columns_of(l, x, from, from.strip + 1, tiles, strip_sums(l, sums, part));
    from = (place){from.strip + 1, 0};
  }
  if (from.strip < to.strip) {
    columns_of(l, x, from, to.strip, tiles, sums + from.strip * STRIP * 64);
    from = (place){to.strip, 0};
  }
  if (from.tile < to.tile)
    columns_of(l, x, from, from.strip + 1, to.tile,
               from.tile > 0 ? strip_sums(l, sums, part)
                             : sums + from.strip * STRIP * 64);
}

static void column_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  (void)worker;
  column_sums_of(l, &s->x, part, s->sums);
  if (s->other)
    column_sums_of(l, &s->support, part, s->other);
}

/* Adds what parts have apart for the columns from to end - 1. */
static void add_apart(const loop *l, int64_t *sums, size_t from, size_t end) {
  for (size_t part = 1; part < l->parts; part++) {
    place at = column_cut(l, part), next = column_cut(l, part + 1);
    const size_t first = at.strip * STRIP * 64, last = first + STRIP * 64;
    const int64_t *more = strip_sums(l, sums, part);
    if (at.tile == 0 || (at.strip == next.strip && at.tile == next.tile))
      continue;
    for (size_t i = from > first ? from : first; i < least(end, last); i++)
      sums[i] += more[i - first];
  }
}

/* ---- fields to probabilities */

/* h_i = sum_mu x_i g_mu + response q_i (p_i - 1/2) + rho h_i */
static void update_fields(const loop *l, size_t from, size_t to) {
  const bperc_i_amp *s = l->s;
  double all = (double)l->all;
  add_apart(l, s->sums, from, to);
  if (s->other)
    add_apart(l, s->other, from, to);
  for (size_t i = from; i < to; i++) {
    int64_t sum =
        bperc_i_amp_sum(s, s->sums[i], s->other ? s->other[i] : l->all);
    double field = l->unit * ((double)sum - s->f[i] * all);
    s->h[i] =
        field + l->response * s->q[i] * (s->p[i] - 0.5) + s->rho * s->h[i];
  }
}

static void mean_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span b = bperc_i_amp_blocks_of(s->padded, part, l->parts);
  bperc_i_span r = sites_of(l, part);
  (void)worker;
  if (l->new_fields)
    update_fields(l, r.from, least(r.to, s->n));
  for (size_t k = b.from; k < b.to; k++) {
    r = bperc_i_amp_block(s->padded, SITES, k);
    s->sites->means(s->h + r.from, s->pull + r.from, s->f + r.from, l->shift,
                    FIELD_MOST, r.to - r.from, s->p + r.from, l->means + 2 * k);
  }
}

/* Adds up sums over blocks: two. */
static void add_blocks(const double *sums, size_t count, double *a, double *b) {
  double first = 0, second = 0;
  for (size_t k = 0; k < bperc_i_amp_blocks(count); k++) {
    first += sums[2 * k];
    second += sums[2 * k + 1];
  }
  *a += first;
  *b += second;
}

/* p at this shift; the mean sum and its slope. Of two evaluations one after the
 * other sums are at different places: while the last ones are read, the next
 * may be written. */
static void mean_sum(loop *l, double shift) {
  bperc_i_amp *s = l->s;
  l->shift = shift;
  l->means = s->mean_sums[l->means == s->mean_sums[0]];
  l->mean = l->slope = 0;
  bperc_i_crew_run(l->crew, mean_part, l);
  l->new_fields = false;
  add_blocks(l->means, s->padded, &l->mean, &l->slope);
}

/* Leaves the p_i at which the mean sum is the target, at l->shift: Newton
 * inside a bracket. */
static void find_shift(loop *l) {
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

/* p_i rounded to whole units; h_i gets its share of the shift. */
static void decide_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span b = bperc_i_amp_blocks_of(s->padded, part, l->parts);
  bperc_i_span all = sites_of(l, part);
  (void)worker;
  for (size_t i = s->n; i < all.to; i++)
    s->p[i] = 0; /* beyond the last weight */
  for (size_t k = b.from; k < b.to; k++) {
    bperc_i_span r = bperc_i_amp_block(s->padded, SITES, k);
    s->sites->decide(s->h + r.from, s->pull + r.from, s->q + r.from, l->shift,
                     FIELD_MOST, BPERC_I_MATVEC_LARGEST + 1, r.to - r.from,
                     s->p + r.from, s->whole_p + r.from, s->open_sums + 2 * k);
    BPERC_I_CHECK(decided_right(s, r.from, r.to));
  }
}

static double variance_of_rest(const bperc_i_amp *s) {
  return BPERC_I_UNDECIDED * s->q_mean + s->rest_variance;
}

/* What all workers found, the caller writes down: nobody reads it before the
 * next call. */
static void settle(loop *l) {
  bperc_i_amp *s = l->s;
  find_shift(l);
  bperc_i_crew_run(l->crew, decide_part, l);
  l->undecided = BPERC_I_UNDECIDED + s->rest_undecided;
  l->variance = variance_of_rest(s);
  add_blocks(s->open_sums, s->padded, &l->undecided, &l->variance);
  if (bperc_i_crew_worker(l->crew) > 0)
    return;
  s->shift = l->shift;
  s->undecided = l->undecided;
  s->variance = l->variance;
}

void bperc_i_amp_refresh(bperc_i_amp *s) {
  s->variance = variance_of_rest(s);
  memset(s->whole_p, 0, s->x.words * 64 * sizeof *s->whole_p);
  for (size_t i = 0; i < s->n; i++) {
    s->whole_p[i] = (int32_t)(s->p[i] / BPERC_I_UNIT_P);
    s->variance += s->q[i] * s->p[i] * (1 - s->p[i]);
  }
}

static void settle_together(void *context, bperc_i_crew *crew) {
  loop l = begin(context, crew);
  settle(&l);
}

/* From fields that have been set. */
static void start_here(bperc_i_amp *s) {
  memset(s->g, 0, s->in->m * sizeof *s->g);
  s->shift = 0;
  bperc_i_team_together(s->team, settle_together, s);
}

void bperc_i_amp_start(bperc_i_amp *s) {
  memset(s->h, 0, s->n * sizeof *s->h);
  start_here(s);
}

void bperc_i_amp_start_at(bperc_i_amp *s, const uint64_t *weights,
                          double field) {
  for (size_t i = 0; i < s->n; i++)
    s->h[i] = bperc_i_bit(weights, i) ? field : -field;
  start_here(s);
}

/* ---- one iteration */

/* What the weights of a part add to the sums of all patterns, and the sum of
 * all its p. */
static void row_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  const size_t m = s->in->m;
  const bperc_i_matvec_kernels *products = bperc_i_matvec_kernels_get();
  bperc_i_span r = sites_of(l, part);
  size_t from = r.from / 64, to = least((r.to + 63) / 64, s->x.words);
  (void)worker;
  memset(s->sums + part * m, 0, m * sizeof *s->sums);
  products->rows(&s->x, s->whole_p, from, to, s->sums + part * m);
  s->sums[l->parts * m + part] =
      bperc_i_amp_total(s->whole_p + r.from, r.to - r.from);
  if (!s->other)
    return;
  memset(s->other + part * m, 0, m * sizeof *s->other);
  products->rows(&s->support, s->whole_p, from, to, s->other + part * m);
}

/* Adds up what the parts know of a pattern. */
static int64_t add_parts(const loop *l, const int64_t *sums, size_t mu) {
  int64_t sum = sums[mu];
  for (size_t part = 1; part < l->parts; part++)
    sum += sums[part * l->s->in->m + mu];
  return sum;
}

static bool row_right(const loop *l, size_t mu) {
  const bperc_i_amp *s = l->s;
  bperc_i_bit_matrix x = bperc_i_matvec_some(&s->x, mu, mu + 1);
  int64_t sum = add_parts(l, s->sums, mu);
  return bperc_i_recount_rows(&x, s->whole_p, s->n, &sum);
}

/* g_mu = y R(z)/sqrt V; returns R (R + z), a term of the response times V. */
static double force(const loop *l, size_t mu, double root) {
  const bperc_i_amp *s = l->s;
  int64_t other = s->other ? add_parts(l, s->other, mu) : l->all;
  double sum = (double)bperc_i_amp_sum(s, add_parts(l, s->sums, mu), other);
  double y = s->in->labels[mu] ? 1 : -1;
  double omega = sum * BPERC_I_UNIT_P - s->t[mu] - s->variance * s->g[mu];
  double margin = s->share ? s->margin * s->share[mu] : 0;
  double z = (y * omega - margin) / root, hazard = bperc_i_hazard(-z);
  s->g[mu] = y * hazard / root;
  return hazard * (z < -5 ? bperc_i_hazard_excess(-z) : hazard + z);
}

static void force_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span b = bperc_i_amp_blocks_of(s->in->m, part, l->parts);
  double root = sqrt(s->variance);
  (void)worker;
  for (size_t k = b.from; k < b.to; k++) {
    bperc_i_span r = bperc_i_amp_block(s->in->m, PATTERNS, k);
    double response = 0, most = 0;
    BPERC_I_CHECK(r.from == r.to || row_right(l, r.from));
    for (size_t mu = r.from; mu < r.to; mu++) {
      response += force(l, mu, root);
      most = fabs(s->g[mu]) > most ? fabs(s->g[mu]) : most;
    }
    s->force_sums[2 * k] = response;
    s->force_sums[2 * k + 1] = most;
  }
}

/* Forces, their response and their unit. */
static void forces(loop *l) {
  const bperc_i_amp *s = l->s;
  const size_t m = s->in->m;
  double response = 0, most = 0;
  bperc_i_crew_run(l->crew, row_part, l);
  l->all = 0;
  for (size_t part = 0; part < l->parts; part++)
    l->all += s->sums[l->parts * m + part];
  bperc_i_crew_run(l->crew, force_part, l);
  for (size_t k = 0; k < bperc_i_amp_blocks(m); k++) {
    response += s->force_sums[2 * k];
    most = s->force_sums[2 * k + 1] > most ? s->force_sums[2 * k + 1] : most;
  }
  l->response = response / s->variance;
  l->unit = most > 0 ? most / BPERC_I_MATVEC_LARGEST : 1;
}

/* g_mu in whole units. Adding and taking away 1.5 * 2^52 rounds to the nearest
 * whole number, ties to even, as nearbyint does. */
static void round_forces(const loop *l) {
  const double large = 0x1.8p52;
  for (size_t mu = 0; mu < l->s->in->m; mu++)
    l->whole_g[mu] = (int32_t)(l->s->g[mu] / l->unit + large - large);
}

/* sum_mu x_i g_mu for all i into sums, and sum_mu g_mu, in the loop's unit. */
static void pull_columns(loop *l) {
  const bperc_i_amp *s = l->s;
  round_forces(l);
  l->all = bperc_i_amp_total(l->whole_g, s->in->m);
  bperc_i_crew_run(l->crew, column_part, l);
  BPERC_I_CHECK(l->parts > 1 || bperc_i_amp_columns_right(s));
}

bool bperc_i_amp_iterate_with(bperc_i_amp *s, bperc_i_crew *crew) {
  loop l = begin(s, crew);
  forces(&l);
  if (!isfinite(l.response))
    return false;
  pull_columns(&l);
  l.new_fields = true;
  settle(&l);
  return isfinite(l.undecided);
}

typedef struct {
  bperc_i_amp *s;
  bool sound;
} step;

static void iterate_together(void *context, bperc_i_crew *crew) {
  step *now = context;
  bool sound = bperc_i_amp_iterate_with(now->s, crew);
  if (bperc_i_crew_worker(crew) == 0)
    now->sound = sound;
}

bool bperc_i_amp_iterate(bperc_i_amp *s) {
  step now = {.s = s};
  bperc_i_team_together(s->team, iterate_together, &now);
  return now.sound;
}
