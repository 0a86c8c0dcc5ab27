/* Rounds of reinforced AMP: how fast a round goes, which margins it begins
 * with, and when it has failed. */
#include "bperc/amp.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "bperc/stream.h"
#include "model/bit_rows.h"
#include "solver/amp_polish.h"
#include "solver/amp_state.h"
#include "solver/methods.h"
#include "solver/solver_recount.h"

#include <math.h>
#include <string.h>

/* Nothing is forgotten then. Where most patterns hold with room to spare forces
 * are weak, and with less the fields of easy problems stay small for ever. */
#define RHO_MOST 1.0
/* A round is over when so few weights are undecided and nothing has improved
 * for STALL_LEAST + STALL / rate iterations. */
#define FROZEN 6.0
#define STALL_LEAST 12
#define STALL 0.12
/* It is over after LONGEST / rate iterations, too: weights with equal columns
 * keep equal fields, and some of them have to be 1 and some 0. */
#define LONGEST 50.
/* Columns are packed when one in so many is left. */
#define LEAVE 4

/* What a part found when the weights were read, in a line of its own. */
typedef struct {
  _Alignas(64) uint64_t changed; /* bits of weights */
  size_t errors;
} finding;

/* What all threads read, what an iteration changes, what the caller changes:
 * apart, so that lines stay where they are. */
typedef struct {
  const bperc_instance *in;
  bperc_amp_options options;
  const bperc_i_bit_kernels *kernels;
  bperc_i_rows rows;
  bperc_i_thread_pool *pool; /* NULL: one thread */
  bperc_i_amp *now;          /* one of the two */
  uint64_t *weights;
  uint64_t *words; /* the same, for those alone who write them */
  finding *found;  /* of every part */
  bool counted;    /* errors, ever */
  bperc_i_amp amp;
  bperc_i_amp part; /* the weights still in it, with --freeze */
  uint16_t *quiet;  /* iterations with a large field; NULL without --freeze */
  uint8_t *out;     /* weights that have left */
  double rate, start_undecided;
  double *share;     /* m: of a pattern in the margin of the round */
  double margin;     /* at its start */
  uint64_t round;    /* 0, 1, ... */
  uint64_t steps, t; /* iterations in all, in this round */
  uint64_t best_t;   /* of this round's best weights */
  size_t errors, best_errors;
  bool sound;          /* the last iteration */
  double *best_fields; /* of this round; NULL without --polish */
  bperc_i_polish polish;
} state;

static BPERC_OPTIONS_DEFINE(amp_option_table, bperc_amp_options,
                            BPERC_AMP_OPTIONS);

/* ---- weights */

static void read_word_weights(void *context, size_t part, unsigned worker) {
  state *s = context;
  const bperc_instance *in = s->in;
  bperc_i_span sites = bperc_i_amp_part_of(s->amp.padded, 64, part,
                                           bperc_i_thread_pool_size(s->pool));
  bperc_i_span r = {sites.from / 64, (sites.to + 63) / 64};
  uint64_t changed = 0;
  (void)worker;
  for (size_t k = r.from; k < r.to; k++) {
    uint64_t word = 0;
    for (size_t i = k * 64; i < in->n && i < k * 64 + 64; i++)
      word |= (uint64_t)(s->amp.h[i] > 0) << i % 64;
    changed |= word ^ s->words[k];
    s->words[k] = word;
  }
  s->found[part].changed = changed;
  if (changed)
    memcpy(s->weights + r.from, s->words + r.from,
           (r.to - r.from) * sizeof *s->weights);
}

static void count_amp_errors(void *context, size_t part, unsigned worker) {
  state *s = context;
  bperc_i_span r =
      bperc_i_part(s->rows.count, 1, part, bperc_i_thread_pool_size(s->pool));
  bperc_i_rows some = bperc_i_some_rows(&s->rows, r.from, r.to);
  (void)worker;
  s->found[part].errors = s->kernels->violated(&some, s->weights);
}

static size_t count_everywhere(const state *s, size_t errors) {
  int64_t all = (int64_t)errors;
  bperc_i_amp_sum_ranks(&s->amp, &all, 1);
  return (size_t)all;
}

/* Counts errors when a weight changed. */
static void count_together(state *s, bperc_i_region *region) {
  const size_t parts = bperc_i_region_parts(region);
  uint64_t changed = !s->counted;
  for (size_t k = 0; k < parts; k++)
    changed |= s->found[k].changed;
  if (!changed)
    return;
  bperc_i_region_run(region, count_amp_errors, s);
  if (bperc_i_region_worker(region) > 0)
    return;
  s->counted = true;
  s->errors = 0;
  for (size_t k = 0; k < parts; k++)
    s->errors += s->found[k].errors;
  s->errors = count_everywhere(s, s->errors);
}

/* Weights from the fields. */
static void read_together(void *context, bperc_i_region *region) {
  bperc_i_region_run(region, read_word_weights, context);
  count_together(context, region);
}

static void read_amp_weights(state *s) {
  bperc_i_thread_pool_region(s->pool, read_together, s);
}

/* ---- weights that leave the computation (--freeze) */

static void wait_for_all(void *context, size_t part, unsigned worker) {
  (void)context;
  (void)part;
  (void)worker;
}

/* One worker for all: few weights are left. */
static void give_back(state *s, bperc_i_region *region) {
  if (bperc_i_region_worker(region) == 0)
    bperc_i_amp_part_give(&s->part, &s->amp);
  bperc_i_region_run(region, wait_for_all, s);
}

static void unfreeze_all(state *s) {
  s->now = &s->amp;
  if (!s->quiet)
    return;
  memset(s->quiet, 0, s->in->n * sizeof *s->quiet);
  memset(s->out, 0, s->in->n);
}

/* Counts how long fields have been large. The columns are packed anew when
 * only a quarter of them is left: packing costs a few iterations. */
static void freeze_weights(state *s) {
  size_t left = 0;
  if (!s->quiet)
    return;
  for (size_t j = 0; j < s->now->n; j++) {
    size_t i = s->now == &s->part ? s->part.site[j] : j;
    bool large = fabs(s->now->h[j]) >= s->options.freeze_field;
    s->quiet[i] =
        large ? (uint16_t)(s->quiet[i] + (s->quiet[i] < UINT16_MAX)) : 0;
    left += s->quiet[i] < s->options.freeze;
  }
  if (left == 0 || left > s->now->n / LEAVE)
    return;
  for (size_t i = 0; i < s->in->n; i++)
    s->out[i] = s->quiet[i] >= s->options.freeze;
  bperc_i_amp_part_take(&s->part, &s->amp, s->out);
  s->now = &s->part;
}

/* ---- rounds */

/* Margins differ between rounds, because rounds with equal ones end at nearly
 * the same weights however they begin. Of mean 1 and standard deviation
 * `spread`, uniform; all 1 in the first round. */
static void draw_shares(state *s) {
  bperc_stream stream = bperc_stream_make(0, BPERC_FOR_AMP, s->round);
  double width = s->round > 0 ? s->options.spread * sqrt(12) : 0;
  for (size_t mu = 0; s->in->spread && mu < s->in->spread->first; mu++)
    bperc_stream_double(&stream); /* of patterns elsewhere */
  for (size_t mu = 0; mu < s->in->m; mu++)
    s->share[mu] = 1 + width * (bperc_stream_double(&stream) - 0.5);
}

/* From a start whose fields are set. */
static void begin_round_here(state *s, double rate, uint64_t t) {
  unfreeze_all(s);
  s->rate = rate;
  s->t = s->best_t = t;
  s->best_errors = SIZE_MAX;
  s->start_undecided = s->amp.undecided;
  s->margin = s->options.margin * sqrt(s->amp.variance);
  draw_shares(s);
}

static void begin_round(state *s, double rate) {
  bperc_i_amp_start(&s->amp);
  begin_round_here(s, rate, 0);
}

/* They fall like the square of the undecided share. */
static void set_margin(state *s) {
  double left = s->amp.undecided / s->start_undecided;
  s->now->margin = s->margin * left * left;
}

static void next_round(state *s) {
  const bperc_amp_options *o = &s->options;
  s->round++;
  begin_round(s, s->rate > o->slowest ? fmax(s->rate * o->slow, o->slowest)
                                      : s->rate * o->again);
}

static bool round_failed(const state *s) {
  if ((double)s->t > LONGEST / s->rate)
    return true;
  return s->amp.undecided < FROZEN &&
         (double)(s->t - s->best_t) > STALL_LEAST + STALL / s->rate;
}

static void note_best(state *s) {
  if (s->errors >= s->best_errors)
    return;
  s->best_errors = s->errors;
  s->best_t = s->t;
  if (s->best_fields)
    memcpy(s->best_fields, s->amp.h, s->in->n * sizeof *s->best_fields);
}

/* The round is over: its best weights, and what a few flips make of them. The
 * fields get their signs, so that weights are [h > 0] as always. */
static void polish(state *s) {
  if (!s->best_fields)
    return;
  memcpy(s->amp.h, s->best_fields, s->in->n * sizeof *s->best_fields);
  read_amp_weights(s);
  bperc_i_polish_run(&s->polish, s->round, (size_t)s->options.polish,
                     s->weights, s->amp.h);
  read_amp_weights(s);
}

/* An iteration, and the weights after it. */
static void iterate_and_count(void *context, bperc_i_region *region) {
  state *s = context;
  bool whole = s->now == &s->amp;
  bool sound = bperc_i_amp_iterate_with(s->now, region,
                                        whole ? read_word_weights : NULL, s);
  if (bperc_i_region_worker(region) == 0)
    s->sound = sound;
  if (whole) {
    count_together(s, region);
    return;
  }
  give_back(s, region);
  read_together(s, region);
}

static bperc_progress amp_step(void *object) {
  state *s = object;
  bool over;
  if (s->errors == 0) { /* the start solves it: one step, as everywhere */
    s->steps++;
    return BPERC_SOLVED;
  }
  s->t++;
  s->now->rho = fmin(s->rate * (double)s->t, RHO_MOST);
  set_margin(s);
  bperc_i_thread_pool_region(s->pool, iterate_and_count, s);
  s->steps++;
  note_best(s);
  over = !s->sound || round_failed(s);
  if (over && s->errors > 0)
    polish(s);
  BPERC_I_CHECK(bperc_i_recount_errors(s->in, s->weights, s->errors));
  if (s->errors == 0)
    return BPERC_SOLVED;
  if (s->steps >= (uint64_t)s->options.max_iterations)
    return BPERC_EXHAUSTED;
  if (!s->sound && s->t == 1)
    return BPERC_DIVERGED; /* the next round would begin the same way */
  if (over)
    next_round(s);
  else
    freeze_weights(s);
  return BPERC_RUNNING;
}

/* ---- life */

static void amp_destroy(void *object) {
  state *s = object;
  if (!s)
    return;
  bperc_i_amp_clear(&s->part);
  bperc_i_amp_clear(&s->amp);
  bperc_i_thread_pool_free(s->pool);
  bperc_i_free(s->quiet);
  bperc_i_free(s->out);
  bperc_i_free(s->share);
  bperc_i_free(s->weights);
  bperc_i_free(s->words);
  bperc_i_free(s->found);
  bperc_i_free(s->best_fields);
  bperc_i_polish_clear(&s->polish);
  bperc_i_free(s);
}

static bperc_status prepare_freezing(state *s) {
  const size_t n = s->in->n;
  s->quiet = bperc_i_calloc(n, sizeof *s->quiet);
  s->out = bperc_i_calloc(n, 1);
  if (!s->quiet || !s->out)
    return BPERC_E_MEMORY;
  return bperc_i_amp_part_init(&s->part, &s->amp, n / LEAVE);
}

static bperc_status prepare_polish(state *s) {
  s->best_fields = bperc_i_calloc(s->in->n, sizeof *s->best_fields);
  return s->best_fields ? bperc_i_polish_init(&s->polish, s->in)
                        : BPERC_E_MEMORY;
}

/* Whether a pool is needed and cannot be had. */
static bool lacks_pool(state *s, unsigned threads) {
  unsigned workers = bperc_i_amp_workers(s->in, threads);
  if (workers < 2 || s->in->spread)
    return false;
  s->pool = bperc_i_thread_pool_new(workers);
  return !s->pool;
}

static bperc_status amp_create(const bperc_instance *in, const void *options,
                               uint64_t seed, unsigned threads, void **out,
                               bperc_error *error) {
  state *s;
  (void)seed;
  *out = NULL;
  if (in->spread && ((const bperc_amp_options *)options)->freeze > 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "freeze is for one process");
  s = bperc_i_calloc(1, sizeof *s);
  if (!s)
    goto memory;
  s->in = in;
  s->kernels = bperc_i_bit_kernels_get();
  s->rows = bperc_i_instance_rows(in);
  memcpy(&s->options, options, sizeof s->options);
  s->share = bperc_i_alloc(in->m, sizeof *s->share);
  s->weights = bperc_i_calloc(in->words, sizeof *s->weights);
  s->words = bperc_i_calloc(in->words, sizeof *s->words);
  if (!s->share || !s->weights || !s->words || lacks_pool(s, threads) ||
      bperc_i_amp_init(&s->amp, in, s->pool))
    goto memory;
  s->found =
      bperc_i_calloc(bperc_i_thread_pool_size(s->pool), sizeof *s->found);
  if (!s->found)
    goto memory;
  s->amp.share = s->share;
  if ((s->options.freeze > 0 && prepare_freezing(s)) ||
      (s->options.polish > 0 && prepare_polish(s)))
    goto memory;
  begin_round(s, s->options.rate);
  read_amp_weights(s);
  *out = s;
  return BPERC_OK;
memory:
  amp_destroy(s);
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for AMP, N = %zu",
                         in->n);
}

/* The first round begins there, with the reinforcement that keeps it there as
 * far as it is believed; later ones begin as always. */
static void amp_start(void *object, const uint64_t *weights, double field) {
  state *s = object;
  double belief = tanh(field / 2);
  bperc_i_amp_start_at(&s->amp, weights, field);
  begin_round_here(s, s->rate,
                   (uint64_t)(belief * belief * RHO_MOST / s->rate));
  read_amp_weights(s);
}

static void amp_view(const void *object, bperc_view *out) {
  const state *s = object;
  *out = (bperc_view){
      .step = s->steps, .errors = s->errors, .weights = s->weights};
}

static void amp_fields(const void *object, double *out) {
  const state *s = object;
  memcpy(out, s->amp.h, s->in->n * sizeof *out);
}

static const bperc_solver_methods methods = {
    .create = amp_create,
    .step = amp_step,
    .view = amp_view,
    .fields = amp_fields,
    .destroy = amp_destroy,
    .start = amp_start,
};

const bperc_solver_class bperc_amp_class = {
    .name = "amp",
    .summary = "reinforced approximate message passing, activity pinned",
    .step_name = "iterations",
    .options = amp_option_table,
    .options_size = sizeof(bperc_amp_options),
    .methods = &methods,
    .later = "polish",
    .seedless = 1,
};
