/* Local entropy around given weights: a ladder of couplings x. */
#include "bperc/localentropy.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/options.h"
#include "bp/engine.h"
#include "model/bit_rows.h"

#include <math.h>
#include <string.h>

BPERC_OPTIONS_DEFINE(bperc_local_option_table, bperc_local_options,
                     BPERC_LOCAL_OPTIONS);

/* Coupling at which the weights leave their place one at a time. */
#define FAR_BELOW -20.0

typedef struct {
  const bperc_instance *in;
  const uint64_t *weights;
  bperc_bp *bp;
  double *p;
} ladder;

/* x (w - w~)^2 = x w~ + x (1 - 2 w~) w */
static bperc_status at_coupling(ladder *l, double x, bperc_bp_report *report) {
  for (size_t i = 0; i < l->in->n; i++)
    bperc_bp_set_external(l->bp, i, bperc_i_bit(l->weights, i) ? -x : x);
  return bperc_bp_converge(l->bp, report);
}

/* Mean Hamming distance, not divided. */
static double distance(const ladder *l) {
  double sum = 0;
  bperc_bp_fields(l->bp, l->p);
  for (size_t i = 0; i < l->in->n; i++) {
    double h = bperc_i_bit(l->weights, i) ? -l->p[i] : l->p[i];
    sum += 1 / (1 + exp(-h));
  }
  return sum;
}

static double mean_ones(const ladder *l) {
  double sum = 0;
  for (size_t i = 0; i < l->in->n; i++)
    sum += bperc_i_bit(l->weights, i);
  return sum;
}

static bperc_status measure_at_coupling(ladder *l, double x,
                                        bperc_local_point *point) {
  bperc_bp_report report;
  bperc_status status = at_coupling(l, x, &report);
  double n = (double)l->in->n, log_z;
  if (status != BPERC_OK)
    return status;
  log_z = bperc_bp_log_z(l->bp) + x * mean_ones(l);
  *point = (bperc_local_point){.x = x,
                               .distance = distance(l) / n,
                               .contradiction = bperc_i_bp_is_torn(l->bp),
                               .iterations = report.iterations};
  point->converged = report.converged && !point->contradiction;
  point->entropy = log_z / n - x * point->distance;
  if (!point->converged) { /* nothing to say, and nothing to start from */
    point->distance = point->entropy = NAN;
    bperc_bp_restart(l->bp, 0);
  }
  return BPERC_OK;
}

/* dD/dx by differences along the ladder; a single point has none. */
static void set_counts(bperc_local_point *points, size_t count, double n) {
  if (count == 1)
    points[0].count = NAN;
  for (size_t k = 0; count > 1 && k < count; k++) {
    const bperc_local_point *low = &points[k ? k - 1 : 0];
    const bperc_local_point *high = &points[k + 1 < count ? k + 1 : k];
    double width = n * (high->distance - low->distance) / (high->x - low->x);
    points[k].count =
        points[k].entropy - 0.5 * log(2 * M_PI * fmax(width, 1e-300)) / n;
  }
}

/* Bits of word k of a pattern on its bound whose flip would violate it. */
static uint64_t blocked_flips(const ladder *l, size_t mu, const uint64_t *minus,
                              size_t k) {
  uint64_t plus = bperc_instance_pattern(l->in, mu)[k], w = l->weights[k];
  uint64_t on = (plus & w) | (minus[k] & ~w), all = plus | minus[k];
  return l->in->labels[mu] ? on : all & ~on;
}

/* Solutions one flip away from a solution: the weights that no pattern on its
 * bound holds. scratch: two rows. */
static size_t count_free_weights(const ladder *l, uint64_t *scratch) {
  uint64_t *minus = scratch, *blocked = scratch + l->in->words;
  size_t free_weights = l->in->n;
  memset(blocked, 0, l->in->words * sizeof *blocked);
  for (size_t mu = 0; mu < l->in->m; mu++) {
    if (bperc_instance_hits(l->in, mu, l->weights) !=
        bperc_instance_bound(l->in, mu))
      continue;
    bperc_i_instance_minus(l->in, mu, minus);
    for (size_t k = 0; k < l->in->words; k++)
      blocked[k] |= blocked_flips(l, mu, minus, k);
  }
  for (size_t k = 0; k < l->in->words; k++)
    free_weights -= (size_t)__builtin_popcountll(blocked[k]);
  return free_weights;
}

/* The ladder starts from where the weights leave their place one at a time. */
static bperc_status count_flips(ladder *l, double *one_flip) {
  bperc_bp_report report;
  uint64_t *scratch = bperc_i_alloc(2 * l->in->words, sizeof *scratch);
  *one_flip = NAN;
  if (!scratch)
    return BPERC_E_MEMORY;
  if (bperc_verify(l->in, l->weights, NULL).errors == 0)
    *one_flip = (double)count_free_weights(l, scratch);
  bperc_i_free(scratch);
  return at_coupling(l, FAR_BELOW, &report);
}

static double rung(const bperc_local_options *opt, size_t k) {
  return opt->x_from +
         (opt->x_to - opt->x_from) * (double)k / (double)(opt->points - 1);
}

/* No solutions: nothing to measure. */
static void fill_contradiction(const bperc_local_options *opt,
                               bperc_local_point *points, double *one_flip) {
  for (size_t k = 0; k < (size_t)opt->points; k++)
    points[k] = (bperc_local_point){.x = rung(opt, k),
                                    .distance = NAN,
                                    .entropy = NAN,
                                    .count = NAN,
                                    .contradiction = 1};
  if (one_flip)
    *one_flip = NAN;
}

static bperc_status climb(ladder *l, const bperc_local_options *opt,
                          bperc_local_point *points, double *one_flip) {
  size_t count = (size_t)opt->points, known = 0;
  bperc_status status = BPERC_OK;
  if (bperc_bp_contradiction(l->bp) < l->in->m) {
    fill_contradiction(opt, points, one_flip);
    return BPERC_OK;
  }
  for (size_t k = 0; k < count; k++) /* what an interrupt leaves unknown */
    points[k] = (bperc_local_point){
        .x = NAN, .distance = NAN, .entropy = NAN, .count = NAN};
  if (one_flip)
    status = count_flips(l, one_flip);
  for (size_t k = 0; status == BPERC_OK && k < count; k++)
    status = measure_at_coupling(l, rung(opt, k), &points[k]);
  while (known < count && !isnan(points[known].x))
    known++;
  set_counts(points, known, (double)l->in->n);
  return status;
}

bperc_status bperc_local_entropy(const bperc_instance *in,
                                 const uint64_t *weights,
                                 const bperc_local_options *options,
                                 const bperc_local_run *asked,
                                 bperc_local_point *points,
                                 bperc_error *error) {
  bperc_local_options opt;
  bperc_local_run how;
  ladder l = {in, weights, NULL, NULL};
  bperc_bp_options engine;
  bperc_status status;
  bperc_i_options_plain(sizeof how, asked, &how);
  engine = bperc_bp_options_for_many(how.bp, in);
  if (bperc_i_options_take(bperc_local_option_table(), sizeof opt, options,
                           &opt, error))
    return BPERC_E_ARGUMENT;
  status = bperc_bp_new(in, &engine, how.seed, how.threads, &l.bp, error);
  if (status != BPERC_OK)
    return status;
  l.p = bperc_i_alloc(in->n, sizeof *l.p);
  status = l.p ? climb(&l, &opt, points, how.one_flip) : BPERC_E_MEMORY;
  if (status != BPERC_OK)
    bperc_error_set(error, status, "local entropy: %s",
                    bperc_status_name(status));
  bperc_i_free(l.p);
  bperc_bp_free(l.bp);
  return status;
}
