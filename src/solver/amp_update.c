/* An iteration of AMP: the equations of docs/frontier.md, in their order.
 *
 * Weights and patterns are cut into one part for every thread. Products are
 * whole numbers, exact in any order; real sums are added up by blocks that do
 * not depend on the parts, and the blocks in order: the same bits for every
 * number of threads. A thread goes through its columns of the patterns in both
 * products, and what it knows of its weights stays with it.
 *
 * A core waits long for a line of the cache that another one has read or
 * written since. So what others read is added up elsewhere first and then
 * copied in one go, and what only one thread needs is apart from what others
 * do. */
#include "base/bits.h"
#include "base/check.h"
#include "numeric/gauss.h"
#include "numeric/interval.h"
#include "solver/amp_state.h"
#include "solver/solver_recount.h"

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
  int64_t *rows;    /* its own */
  int64_t all;      /* sum over all inputs, of products */
  double unit;      /* of forces */
  double response;
  double shift;
  bperc_i_task *after; /* of a part's new fields; NULL: nothing */
  void *after_context;
  double *means;   /* where sums over blocks go */
  bool new_fields; /* to be computed from the products first */
  double mean, slope, undecided, variance, lost;
} loop;

static loop begin(bperc_i_amp *s, bperc_i_crew *crew) {
  return (loop){.s = s,
                .crew = crew,
                .parts = bperc_i_crew_parts(crew),
                .whole_g = s->whole_g + bperc_i_crew_worker(crew) * s->g_room,
                .rows = s->rows + bperc_i_crew_worker(crew) * s->row_room,
                .means = s->mean_sums[0]};
}

enum { SITES = 64, PATTERNS = 16 }; /* units of blocks */

static bperc_i_span sites_of(const loop *l, size_t part) {
  return bperc_i_amp_part_of(l->s->padded, SITES, part, l->parts);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t most(size_t a, size_t b) { return a > b ? a : b; }

/* Words of patterns in which these weights are. */
static bperc_i_span words_of(const bperc_i_amp *s, bperc_i_span sites) {
  return (bperc_i_span){sites.from / 64,
                        least((sites.to + 63) / 64, s->x.words)};
}

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

static size_t strips_of(const bperc_i_amp *s) {
  return (s->x.words + STRIP - 1) / STRIP;
}

static place column_cut(const loop *l, size_t part) {
  const size_t tiles = tiles_of(l->s);
  const size_t at = part * strips_of(l->s) * tiles / l->parts;
  return (place){at / tiles, at % tiles};
}

/* Strips of a part that it does alone and that are of its own weights: nobody
 * waits for them. */
static bperc_i_span inner_strips(const loop *l, size_t part) {
  const bperc_i_amp *s = l->s;
  place from = column_cut(l, part), to = column_cut(l, part + 1);
  bperc_i_span w = words_of(s, sites_of(l, part));
  size_t first = from.strip + (from.tile > 0), end = to.strip;
  first = most(first, (w.from + STRIP - 1) / STRIP);
  end = w.to == s->x.words ? end : least(end, w.to / STRIP);
  return (bperc_i_span){first, most(first, end)};
}

/* Where the sums of the strip in which a part begins are. */
static size_t strip_at(const loop *l, size_t part) {
  place at = column_cut(l, part);
  return 64 *
         (at.tile == 0 ? at.strip * STRIP : l->s->x.words + (part - 1) * STRIP);
}

/* Some patterns and strips of a product with columns. */
static void columns_of(const loop *l, const bperc_i_bit_matrix *x,
                       bperc_i_span strips, bperc_i_span tiles, int64_t *out) {
  size_t first = strips.from * STRIP, end = least(strips.to * STRIP, x->words);
  size_t mu = least(tiles.from * TILE, x->count);
  bperc_i_bit_matrix some =
      bperc_i_matvec_some(x, mu, least(tiles.to * TILE, x->count));
  if (first >= end)
    return;
  memset(out, 0, (end - first) * 64 * sizeof *out);
  /* The kernel has columns where they are in a row. */
  bperc_i_matvec_kernels_get()->columns(&some, l->whole_g + mu, first, end,
                                        out - first * 64);
}

/* The strips of a part that are not inner ones. */
static void outer_columns(const loop *l, const bperc_i_bit_matrix *x,
                          size_t part, int64_t *sums) {
  place from = column_cut(l, part), to = column_cut(l, part + 1);
  bperc_i_span inner = inner_strips(l, part);
  for (size_t k = from.strip; k < to.strip + (to.tile > 0); k++) {
    bperc_i_span tiles = {k == from.strip ? from.tile : 0,
                          k == to.strip ? to.tile : tiles_of(l->s)};
    int64_t *out =
        sums + (k == from.strip ? strip_at(l, part) : k * STRIP * 64);
    int64_t now[STRIP * 64]; /* others read `out`: nothing is added up there */
    if (k >= inner.from && k < inner.to)
      continue;
    columns_of(l, x, (bperc_i_span){k, k + 1}, tiles, now);
    memcpy(out, now, least(STRIP, x->words - k * STRIP) * 64 * sizeof *out);
  }
}

static void outer_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  (void)worker;
  outer_columns(l, &s->x, part, s->sums);
  if (s->other)
    outer_columns(l, &s->support, part, s->other);
}

static void inner_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span strips = inner_strips(l, part), all = {0, tiles_of(s)};
  const size_t first = strips.from * STRIP * 64;
  (void)worker;
  columns_of(l, &s->x, strips, all, s->sums + first);
  if (s->other)
    columns_of(l, &s->support, strips, all, s->other + first);
}

/* The sums of columns from to end - 1 of a strip, with what parts have apart.
 * They stay as they are: a line that two threads write in turn costs more. */
static void strip_totals(const loop *l, const int64_t *sums, size_t from,
                         size_t end, int64_t *out) {
  const size_t strip = from / (STRIP * 64), first = strip * STRIP * 64;
  memcpy(out, sums + from, (end - from) * sizeof *out);
  for (size_t part = 1; part < l->parts; part++) {
    place at = column_cut(l, part), next = column_cut(l, part + 1);
    const int64_t *more = sums + strip_at(l, part);
    if (at.strip != strip || at.tile == 0 ||
        (at.strip == next.strip && at.tile == next.tile))
      continue;
    for (size_t i = from; i < end; i++)
      out[i - from] += more[i - first];
  }
}

/* ---- fields to probabilities */

/* h_i = sum_mu x_i g_mu + response q_i (p_i - 1/2) + rho h_i, for weights of
 * one strip. */
static void update_strip(const loop *l, size_t from, size_t to) {
  const bperc_i_amp *s = l->s;
  int64_t sums[STRIP * 64], other[STRIP * 64];
  double all = (double)l->all;
  strip_totals(l, s->sums, from, to, sums);
  if (s->other)
    strip_totals(l, s->other, from, to, other);
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

static void update_fields(const loop *l, bperc_i_span sites) {
  const size_t strip = STRIP * 64, end = least(sites.to, l->s->n);
  for (size_t i = sites.from, next; i < end; i = next) {
    next = least((i / strip + 1) * strip, end);
    update_strip(l, i, next);
  }
}

static void mean_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span b = bperc_i_amp_blocks_of(s->padded, part, l->parts);
  (void)worker;
  if (l->new_fields)
    update_fields(l, sites_of(l, part));
  for (size_t k = b.from; k < b.to; k++) {
    bperc_i_span r = bperc_i_amp_block(s->padded, SITES, k);
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
  BPERC_I_CHECK(!l->new_fields || bperc_i_amp_columns_right(s));
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

/* What some weights add to the sums of all patterns; on several threads added
 * up at a place that only this one knows. */
static void add_rows(const loop *l, const bperc_i_bit_matrix *x,
                     bperc_i_span sites, int64_t *out) {
  const bperc_i_amp *s = l->s;
  bperc_i_span words = words_of(s, sites);
  int64_t *sums = l->parts > 1 ? l->rows : out;
  memset(sums, 0, s->in->m * sizeof *sums);
  bperc_i_matvec_kernels_get()->rows(x, s->whole_p, words.from, words.to, sums);
  if (sums != out)
    memcpy(out, sums, s->in->m * sizeof *out);
}

static void row_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span sites = sites_of(l, part);
  int64_t *out = s->row_sums + part * s->row_room;
  (void)worker;
  add_rows(l, &s->x, sites, out);
  out[s->in->m] =
      bperc_i_amp_total(s->whole_p + sites.from, sites.to - sites.from);
  if (s->other)
    add_rows(l, &s->support, sites, s->row_other + part * s->row_room);
}

/* whole_p from p; h_i gets its share of the shift. Then the product
 * with rows that the next iteration begins with: it needs these weights alone,
 * and no loop of its own. */
static void decide_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span b = bperc_i_amp_blocks_of(s->padded, part, l->parts);
  bperc_i_span all = sites_of(l, part);
  for (size_t i = s->n; i < all.to; i++)
    s->p[i] = 0; /* beyond the last weight */
  for (size_t k = b.from; k < b.to; k++) {
    bperc_i_span r = bperc_i_amp_block(s->padded, SITES, k);
    double sums[3];
    s->sites->decide(s->h + r.from, s->pull + r.from, s->q + r.from, l->shift,
                     FIELD_MOST, BPERC_I_MATVEC_LARGEST + 1, r.to - r.from,
                     s->p + r.from, s->whole_p + r.from, sums);
    memcpy(s->open_sums + 2 * k, sums, 2 * sizeof *sums);
    s->lost_sums[k] = sums[2];
    BPERC_I_CHECK(decided_right(s, r.from, r.to));
  }
  row_part(context, part, worker);
  if (l->after) /* while the sums of rows leave for the cache */
    l->after(l->after_context, part, worker);
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
  l->lost = 0;
  for (size_t k = 0; k < bperc_i_amp_blocks(s->padded); k++)
    l->lost += s->lost_sums[k];
  if (bperc_i_crew_worker(l->crew) > 0)
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
  memset(s->whole_p, 0, s->x.words * 64 * sizeof *s->whole_p);
  for (size_t i = 0; i < s->n; i++) {
    s->whole_p[i] = bperc_i_amp_whole(s->p[i]);
    s->lost += s->f[i] * (s->p[i] - s->whole_p[i] * BPERC_I_UNIT_P);
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

/* Adds up what the parts know of a pattern. */
static int64_t add_parts(const loop *l, const int64_t *sums, size_t mu) {
  int64_t sum = sums[mu];
  for (size_t part = 1; part < l->parts; part++)
    sum += sums[part * l->s->row_room + mu];
  return sum;
}

static bool row_right(const loop *l, size_t mu) {
  const bperc_i_amp *s = l->s;
  bperc_i_bit_matrix x = bperc_i_matvec_some(&s->x, mu, mu + 1);
  int64_t sum = add_parts(l, s->row_sums, mu);
  return bperc_i_recount_rows(&x, s->whole_p, s->n, &sum);
}

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
static double force(const loop *l, size_t mu, double root) {
  const bperc_i_amp *s = l->s;
  int64_t other = s->other ? add_parts(l, s->row_other, mu) : l->all;
  double sum = (double)bperc_i_amp_sum(s, add_parts(l, s->row_sums, mu), other);
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

/* All at once: other cores have these lines, and requests for them overlap
 * where nothing else is written in between. */
static void tell_forces(const loop *l, size_t part) {
  const bperc_i_amp *s = l->s;
  bperc_i_span r = bperc_i_amp_part_of(s->in->m, PATTERNS, part, l->parts);
  if (s->told_g != s->g)
    memcpy(s->told_g + r.from, s->g + r.from, (r.to - r.from) * sizeof *s->g);
}

static void force_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
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
    bperc_i_span r = bperc_i_amp_block(m, PATTERNS, k);
    double response = 0, most = 0;
    r.from -= first;
    r.to -= first;
    BPERC_I_CHECK(r.from == r.to || row_right(l, r.from));
    for (size_t mu = r.from; mu < r.to; mu++) {
      response += force(l, mu, root);
      most = fabs(s->g[mu]) > most ? fabs(s->g[mu]) : most;
    }
    s->force_sums[2 * k] = response;
    s->force_sums[2 * k + 1] = most;
  }
  tell_forces(l, part);
}

/* Forces, their response and their unit. */
static void forces(loop *l) {
  const bperc_i_amp *s = l->s;
  const size_t m = bperc_instance_all(s->in);
  double response = 0, most = 0;
  if (!s->rows_known)
    bperc_i_crew_run(l->crew, row_part, l);
  l->all = add_parts(l, s->row_sums, s->in->m);
  bperc_i_crew_run(l->crew, force_part, l);
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
static void round_forces(loop *l) {
  const double large = 0x1.8p52;
  for (size_t mu = 0; mu < l->s->in->m; mu++)
    l->whole_g[mu] = (int32_t)(l->s->told_g[mu] / l->unit + large - large);
  l->all = bperc_i_amp_total(l->whole_g, l->s->in->m);
  bperc_i_amp_sum_ranks(l->s, &l->all, 1);
}

bool bperc_i_amp_iterate_with(bperc_i_amp *s, bperc_i_crew *crew,
                              bperc_i_task *after, void *context) {
  loop l = begin(s, crew);
  l.after = after;
  l.after_context = context;
  forces(&l);
  if (!isfinite(l.response))
    return false;
  round_forces(&l);
  bperc_i_crew_run_and(l.crew, outer_part, inner_part, &l);
  bperc_i_amp_sum_ranks(s, s->sums, s->x.words * 64);
  bperc_i_amp_sum_ranks(s, s->other, s->x.words * 64);
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
  bool sound = bperc_i_amp_iterate_with(now->s, crew, NULL, NULL);
  if (bperc_i_crew_worker(crew) == 0)
    now->sound = sound;
}

bool bperc_i_amp_iterate(bperc_i_amp *s) {
  step now = {.s = s};
  bperc_i_team_together(s->team, iterate_together, &now);
  return now.sound;
}
