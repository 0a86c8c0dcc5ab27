/* An iteration of AMP: the equations of docs/frontier.md, in their order.
 *
 * Weights and patterns are cut into one part for every thread. Products are
 * whole numbers, exact in any order; real sums are added part after part in
 * the order of the weights, by the thread that has the part: the same bits for
 * every number of threads. */
#include "base/bits.h"
#include "base/check.h"
#include "numeric/gauss.h"
#include "solver/amp_iteration.h"

#include <math.h>
#include <string.h>

#define FIELD_MOST 60.0
#define PIN_WITHIN 1e-7

enum {
  ROWS = 16, /* of a kernel of products */
  WORDS = 8,
  SITES = 8, /* a line of the cache */
};

/* A loop over parts. */
typedef struct {
  bperc_i_amp *s;
  size_t parts;
  atomic_size_t turn; /* the part that may add its terms */
  int64_t all;        /* sum over all inputs, of products */
  size_t halves;      /* of patterns, in products with columns */
  double unit;        /* of forces */
  double response;
  double shift;
  bool new_fields; /* to be computed from the products first */
  _Alignas(32) double sums[8];
  double mean, slope;
} loop;

static void run(loop *l, bperc_i_task *task) {
  atomic_store(&l->turn, 0);
  bperc_i_team_run(l->s->team, l->parts, (unsigned)l->parts, task, l);
}

static void end_turn(loop *l, size_t part) { atomic_store(&l->turn, part + 1); }

/* ---- fields to probabilities */

/* h_i = sum_mu x_i g_mu + response q_i (p_i - 1/2) + rho h_i */
static void update_fields(const loop *l, size_t from, size_t to) {
  bperc_i_amp *s = l->s;
  const size_t wide = s->x.words * 64;
  double all = (double)l->all;
  for (size_t i = from; i < to; i++) {
    double field;
    if (l->halves == 2) {
      s->sums[i] += s->sums[wide + i];
      if (s->other)
        s->other[i] += s->other[wide + i];
    }
    field = l->unit * ((double)bperc_i_amp_sum(s, i, l->all) - s->f[i] * all);
    s->h[i] =
        field + l->response * s->q[i] * (s->p[i] - 0.5) + s->rho * s->h[i];
  }
}

/* The first part adds its terms at once, the others when it is their turn. */
static void mean_part(void *context, size_t part, unsigned worker) {
  loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span r = bperc_i_part(s->padded, SITES, part, l->parts);
  double *share = s->term, *slope = s->term + s->padded;
  (void)worker;
  if (l->new_fields)
    update_fields(l, r.from, r.to < s->n ? r.to : s->n);
  if (part == 0) {
    s->sites->sum(s->h, s->pull, s->f, l->shift, FIELD_MOST, r.to, s->p,
                  l->sums);
  } else {
    s->sites->terms(s->h + r.from, s->pull + r.from, s->f + r.from, l->shift,
                    FIELD_MOST, r.to - r.from, s->p + r.from, share + r.from,
                    slope + r.from);
    bperc_i_team_turn(s->team, &l->turn, part);
    s->sites->add_terms(share + r.from, slope + r.from, r.to - r.from, l->sums);
  }
  end_turn(l, part);
}

/* p at this shift; the mean sum and its slope. */
static void mean_sum(loop *l, double shift) {
  l->shift = shift;
  memset(l->sums, 0, sizeof l->sums);
  run(l, mean_part);
  l->new_fields = false;
  l->mean = bperc_i_lanes(l->sums);
  l->slope = bperc_i_lanes(l->sums + 4);
}

/* Leaves the p_i at which the mean sum is the target, and returns the shift:
 * Newton inside a bracket. */
static double find_shift(loop *l) {
  const bperc_i_amp *s = l->s;
  double low = -INFINITY, high = INFINITY, shift = s->shift, width = 1;
  for (int k = 0;; k++) {
    double miss, next;
    mean_sum(l, shift);
    miss = l->mean - s->target;
    if (!s->pinned || fabs(miss) <= PIN_WITHIN * fabs(s->target) || k == 100)
      return shift;
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

/* p_i rounded to whole units; h_i gets its share of the shift. */
static void round_sites(bperc_i_amp *s, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    double h = s->h[i] + s->shift * s->pull[i];
    int32_t p = (int32_t)(s->p[i] * (1 / BPERC_I_UNIT_P) + 0.5);
    p = p > BPERC_I_MATVEC_LARGEST ? BPERC_I_MATVEC_LARGEST : p;
    s->h[i] = h > FIELD_MOST ? FIELD_MOST : h < -FIELD_MOST ? -FIELD_MOST : h;
    s->p[i] = p * BPERC_I_UNIT_P;
    s->whole_p[i] = p;
    BPERC_I_CHECK(s->p[i] >= 0 && s->p[i] <= 1);
    BPERC_I_CHECK(fabs(s->h[i]) <= FIELD_MOST || isnan(s->h[i]));
  }
}

/* Adds up, each sum after the last. */
static void add_sites(bperc_i_amp *s, size_t from, size_t to) {
  double undecided = s->undecided, variance = s->variance;
  for (size_t i = from; i < to; i++) {
    undecided += s->p[i] * (1 - s->p[i]);
    variance += s->q[i] * s->p[i] * (1 - s->p[i]);
  }
  s->undecided = undecided;
  s->variance = variance;
}

/* The first part adds while it rounds, a few sites at a time; the others when
 * it is their turn. */
static void round_part(void *context, size_t part, unsigned worker) {
  loop *l = context;
  bperc_i_amp *s = l->s;
  bperc_i_span r = bperc_i_part(s->n, SITES, part, l->parts);
  size_t few = part == 0 ? 4 * SITES : s->n;
  (void)worker;
  for (size_t from = r.from, to; from < r.to; from = to) {
    to = r.to - from > few ? from + few : r.to;
    round_sites(s, from, to);
    bperc_i_team_turn(s->team, &l->turn, part);
    add_sites(s, from, to);
  }
  bperc_i_team_turn(s->team, &l->turn, part); /* also of a part without sites */
  end_turn(l, part);
}

static double variance_of_rest(const bperc_i_amp *s) {
  return BPERC_I_UNDECIDED * s->q_mean + s->rest_variance;
}

static void settle(loop *l) {
  bperc_i_amp *s = l->s;
  s->shift = find_shift(l);
  s->undecided = BPERC_I_UNDECIDED + s->rest_undecided;
  s->variance = variance_of_rest(s);
  run(l, round_part);
}

static loop begin(bperc_i_amp *s) {
  return (loop){.s = s, .parts = bperc_i_team_size(s->team)};
}

void bperc_i_amp_refresh(bperc_i_amp *s) {
  s->variance = variance_of_rest(s);
  memset(s->whole_p, 0, s->x.words * 64 * sizeof *s->whole_p);
  for (size_t i = 0; i < s->n; i++) {
    s->whole_p[i] = (int32_t)(s->p[i] / BPERC_I_UNIT_P);
    s->variance += s->q[i] * s->p[i] * (1 - s->p[i]);
  }
}

void bperc_i_amp_start(bperc_i_amp *s) {
  loop l = begin(s);
  memset(s->h, 0, s->n * sizeof *s->h);
  memset(s->g, 0, s->in->m * sizeof *s->g);
  s->shift = 0;
  settle(&l);
}

void bperc_i_amp_start_at(bperc_i_amp *s, const uint64_t *weights,
                          double field) {
  loop l = begin(s);
  for (size_t i = 0; i < s->n; i++)
    s->h[i] = bperc_i_bit(weights, i) ? field : -field;
  memset(s->g, 0, s->in->m * sizeof *s->g);
  s->shift = 0;
  settle(&l);
}

/* ---- one iteration */

/* g_mu = y R(z)/sqrt V; the response is sum_mu R (R + z)/V. */
static void force_part(void *context, size_t part, unsigned worker) {
  loop *l = context;
  bperc_i_amp *s = l->s;
  const bperc_i_matvec_kernels *products = bperc_i_matvec_kernels_get();
  bperc_i_span r = bperc_i_part(s->in->m, ROWS, part, l->parts);
  double v = s->variance, root = sqrt(v);
  (void)worker;
  memset(s->sums + r.from, 0, (r.to - r.from) * sizeof *s->sums);
  products->rows(&s->x, s->whole_p, r.from, r.to, s->sums);
  if (s->other) {
    memset(s->other + r.from, 0, (r.to - r.from) * sizeof *s->other);
    products->rows(&s->support, s->whole_p, r.from, r.to, s->other);
  }
  for (size_t mu = r.from; mu < r.to; mu++) {
    double y = s->in->labels[mu] ? 1 : -1;
    double sum = (double)bperc_i_amp_sum(s, mu, l->all);
    double omega = sum * BPERC_I_UNIT_P - s->t[mu] - v * s->g[mu];
    double z = (y * omega - s->margin[mu]) / root;
    double hazard = bperc_i_hazard(-z);
    s->g[mu] = y * hazard / root;
    s->response[mu] =
        hazard * (z < -5 ? bperc_i_hazard_excess(-z) : hazard + z);
  }
}

static double forces(loop *l) {
  bperc_i_amp *s = l->s;
  double response = 0, most = 0;
  l->all = s->in->inputs == BPERC_INPUTS_01
               ? 0
               : bperc_i_amp_total(s->whole_p, s->n);
  run(l, force_part);
  BPERC_I_CHECK(bperc_i_amp_rows_right(s));
  for (size_t mu = 0; mu < s->in->m; mu++) {
    response += s->response[mu];
    most = fabs(s->g[mu]) > most ? fabs(s->g[mu]) : most;
  }
  l->unit = most > 0 ? most / BPERC_I_MATVEC_LARGEST : 1;
  return response / s->variance;
}

/* g_mu in whole units. Adding and taking away 1.5 * 2^52 rounds to the nearest
 * whole number, ties to even, as nearbyint does. */
static void round_forces(bperc_i_amp *s, double unit) {
  const double large = 0x1.8p52;
  for (size_t mu = 0; mu < s->in->m; mu++)
    s->whole_g[mu] = (int32_t)(s->g[mu] / unit + large - large);
}

/* Some words of all patterns, or of one half of them. */
static void column_part(void *context, size_t part, unsigned worker) {
  const loop *l = context;
  bperc_i_amp *s = l->s;
  const bperc_i_matvec_kernels *products = bperc_i_matvec_kernels_get();
  const size_t words = s->x.words, half = part % l->halves;
  bperc_i_span r =
      bperc_i_part(words, WORDS, part / l->halves, l->parts / l->halves);
  bperc_i_span some = bperc_i_part(s->in->m, ROWS, half, l->halves);
  const bperc_i_bit_matrix *from[2] = {&s->x, s->other ? &s->support : NULL};
  int64_t *to[2] = {s->sums, s->other};
  (void)worker;
  for (int k = 0; k < 2 && from[k]; k++) {
    const bperc_i_bit_matrix x = {from[k]->bits + some.from * words,
                                  some.to - some.from, words};
    int64_t *out = to[k] + half * words * 64;
    memset(out + r.from * 64, 0, (r.to - r.from) * 64 * sizeof *out);
    products->columns(&x, s->whole_g + some.from, r.from, r.to, out);
  }
}

/* sum_mu x_i g_mu for all i into sums, and sum_mu g_mu, in the loop's unit.
 * Patterns are halved where the parts can be: a product prepares tables of
 * patterns, which parts of words would all have to do. */
static void pull_columns(loop *l) {
  bperc_i_amp *s = l->s;
  round_forces(s, l->unit);
  l->all = bperc_i_amp_total(s->whole_g, s->in->m);
  l->halves = l->parts % 2 == 0 ? 2 : 1;
  run(l, column_part);
  BPERC_I_CHECK(l->halves == 2 || bperc_i_amp_columns_right(s));
}

bool bperc_i_amp_iterate(bperc_i_amp *s) {
  loop l = begin(s);
  l.response = forces(&l);
  if (!isfinite(l.response))
    return false;
  pull_columns(&l);
  l.new_fields = true;
  settle(&l);
  return isfinite(s->undecided);
}
