/* Reinforced belief propagation on the engine of src/bp: before every step
 * the external field of a weight is p(t) times its last single-site field. */
#include "bperc/rbp.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "bp/engine.h"
#include "model/bit_rows.h"
#include "numeric/gauss.h"
#include "solver/methods.h"

#include <math.h>
#include <string.h>

typedef struct {
  const bperc_instance *in;
  bperc_rbp_options options;
  bperc_stream stream;
  bperc_bp *bp;
  int split;         /* the uniform mode of the fields moves apart */
  double gamma;      /* in force */
  double unrewarded; /* gamma^t */
  uint64_t *draws;   /* p(t) of every weight */
  uint64_t *weights;
  uint64_t *counted; /* as many of them as probabilities say */
  uint64_t steps;
  int attempts; /* gamma auto: new ones when one has frozen */
  uint64_t attempt, attempt_steps; /* starts, steps of the last */
  size_t errors;
} state;

/* gamma auto: an attempt that has not solved after LIFE times its own time
 * scale 1/(1 - gamma) has frozen, and the next is SLOWDOWN times slower. Failed
 * attempts thus cost a fraction of the last one. */
#define LIFE 8.0
#define SLOWDOWN 3.0

/* gamma auto: weights are read by their number, too, every so many steps; the
 * cut is found by bisection. */
#define COUNT_EVERY 8
#define CUT_STEPS 30

/* [BZ] has N = 480; from LARGE on its damping is 0.002 instead of 0.05. */
#define USUAL 480.0
#define LARGE 2500

/* 1 - gamma of the first attempt: 0.12 at N = 480, 0.0023 at N = 10000. */
static double first_rate(size_t n) {
  return 0.12 * fmin(1, pow(USUAL / (double)n, 1.3));
}

/* Damping of all but the uniform mode. */
#define SPLIT_DAMPING 0.1

static double printed_damping(size_t n) { return n >= LARGE ? 0.002 : 0.05; }

static BPERC_OPTIONS_DEFINE(rbp_option_table, bperc_rbp_options,
                            BPERC_RBP_OPTIONS);

/* N/2 messages at the bound of [BZ] add N exp(-8)/2 to a sum and its variance,
 * 1.7 at N = 10000: no pattern is sure any more. This keeps it as at N = 480.
 */
static double bound(size_t n) { return 8 + fmax(0, log((double)n / USUAL)); }

static void rbp_choose(const bperc_instance *in, void *options) {
  bperc_rbp_options *o = options;
  if (!(o->gamma > 0))
    o->gamma = 1 - first_rate(in->n);
  if (!(o->damping > 0))
    o->damping =
        o->update == BPERC_RBP_SPLIT ? SPLIT_DAMPING : printed_damping(in->n);
  if (!(o->h_max > 0))
    o->h_max = bound(in->n);
}

static void read_rbp_weights(state *s) {
  const bperc_instance *in = s->in;
  const bperc_i_rows rows = bperc_i_instance_rows(in);
  const double *field = bperc_i_bp_field(s->bp);
  for (size_t i = 0; i < in->n; i++)
    bperc_i_bit_set(s->weights, i, field[i] > 0);
  s->errors = bperc_i_bit_kernels_get()->violated(&rows, s->weights);
}

/* The field above which as many weights lie as their probabilities add up to,
 * between those of all of them. */
static double count_cut(const double *field, size_t n) {
  double sum = 0, low = 0, high = 0;
  for (size_t i = 0; i < n; i++) {
    sum += bperc_i_logistic(field[i]);
    low = fmin(low, field[i]);
    high = fmax(high, field[i]);
  }
  for (int k = 0; k < CUT_STEPS; k++) {
    double middle = (low + high) / 2;
    size_t above = 0;
    for (size_t i = 0; i < n; i++)
      above += field[i] > middle;
    if ((double)above > sum)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Where fields hardly differ, at small loads, sums hold on average with weights
 * that are all rather 0 than 1: so many are set that the sums stay the same.
 * Takes these weights if all patterns hold. */
static void read_by_count(state *s) {
  const bperc_i_rows rows = bperc_i_instance_rows(s->in);
  const double *field = bperc_i_bp_field(s->bp);
  double cut = count_cut(field, s->in->n);
  for (size_t i = 0; i < s->in->n; i++)
    bperc_i_bit_set(s->counted, i, field[i] > cut);
  if (bperc_i_bit_kernels_get()->violated(&rows, s->counted))
    return;
  memcpy(s->weights, s->counted, s->in->words * sizeof *s->weights);
  s->errors = 0;
}

/* external_i = p(t) h_i, with p(t) = 1 with probability 1 - gamma^t. When the
 * uniform mode moves apart, h_i is taken with the uniform part that the
 * messages have reached: else it would add up what they are still to follow,
 * and swing with hardly any friction at large N (docs/bp.md). */
static void reinforce(state *s) {
  double p = 1 - s->unrewarded, factor = p;
  const double *field = bperc_i_bp_field(s->bp);
  double *external = bperc_i_bp_external(s->bp);
  double ahead = s->split ? bperc_i_bp_lag(s->bp) : 0;
  if (s->options.draw == BPERC_RBP_WEIGHT)
    bperc_stream_bernoulli(&s->stream, p, s->draws, s->in->n);
  else if (s->options.draw == BPERC_RBP_STEP)
    factor = bperc_stream_double(&s->stream) < p;
  for (size_t i = 0; i < s->in->n; i++) {
    if (s->options.draw == BPERC_RBP_WEIGHT)
      factor = bperc_i_bit(s->draws, i);
    external[i] = factor * (field[i] - ahead);
  }
  s->unrewarded *= s->gamma;
}

static void begin_attempt(state *s, double gamma) {
  s->gamma = gamma;
  s->unrewarded = 1;
  s->attempt_steps = 0;
}

/* Whether the attempt is over without a solution, when gamma is chosen here. */
static int frozen(const state *s) {
  return s->attempts && (!isfinite(bperc_bp_residual(s->bp)) ||
                         (double)s->attempt_steps * (1 - s->gamma) > LIFE);
}

static bperc_progress rbp_step(void *object) {
  state *s = object;
  if (frozen(s)) {
    bperc_bp_restart(s->bp, ++s->attempt);
    begin_attempt(s, 1 - (1 - s->gamma) / SLOWDOWN);
  }
  reinforce(s);
  bperc_i_bp_sweep(s->bp, s->options.damping, 0);
  bperc_i_bp_relax(s->bp, s->options.damping, s->split);
  read_rbp_weights(s);
  s->steps++;
  s->attempt_steps++;
  if (s->errors && s->attempts && s->attempt_steps % COUNT_EVERY == 0)
    read_by_count(s);
  if (s->errors == 0)
    return BPERC_SOLVED;
  if (!s->attempts && !isfinite(bperc_bp_residual(s->bp)))
    return BPERC_DIVERGED;
  return s->steps >= (uint64_t)s->options.max_steps ? BPERC_EXHAUSTED
                                                    : BPERC_RUNNING;
}

/* ---- life */

static bperc_bp_options rbp_engine_options(const state *s) {
  bperc_bp_options opt;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.damping = s->options.damping;
  opt.update = s->split ? BPERC_BP_SPLIT : BPERC_BP_DAMPED;
  opt.h_max = s->options.h_max;
  opt.factor = s->options.factor;
  opt.gaussian = s->options.gaussian;
  opt.kernel = s->options.kernel;
  return opt;
}

static void rbp_destroy(void *object) {
  state *s = object;
  if (!s)
    return;
  bperc_bp_free(s->bp);
  bperc_i_free(s->draws);
  bperc_i_free(s->weights);
  bperc_i_free(s->counted);
  bperc_i_free(s);
}

static bperc_status rbp_create(const bperc_instance *in, const void *options,
                               uint64_t seed, unsigned threads, void **out,
                               bperc_error *error) {
  state *s = bperc_i_calloc(1, sizeof *s);
  bperc_bp_options opt;
  *out = NULL;
  if (!s)
    goto memory;
  s->in = in;
  s->stream = bperc_stream_make(seed, BPERC_FOR_RBP, 0);
  memcpy(&s->options, options, sizeof s->options);
  s->attempts = !(s->options.gamma > 0);
  rbp_choose(in, &s->options);
  s->split = s->options.update == BPERC_RBP_SPLIT;
  opt = rbp_engine_options(s);
  s->draws = bperc_i_calloc(in->words, sizeof *s->draws);
  s->weights = bperc_i_calloc(in->words, sizeof *s->weights);
  s->counted = bperc_i_calloc(in->words, sizeof *s->counted);
  if (!s->draws || !s->weights || !s->counted ||
      bperc_bp_new(in, &opt, seed, threads, &s->bp, error))
    goto memory;
  begin_attempt(s, s->options.gamma);
  read_rbp_weights(s);
  *out = s;
  return BPERC_OK;
memory:
  rbp_destroy(s);
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for rBP, N = %zu",
                         in->n);
}

static void rbp_view(const void *object, bperc_view *out) {
  const state *s = object;
  *out = (bperc_view){
      .step = s->steps, .errors = s->errors, .weights = s->weights};
}

static void rbp_fields(const void *object, double *out) {
  bperc_bp_fields(((const state *)object)->bp, out);
}

/* Messages and fields favour the weights, and the fields are reinforced
 * from the first step on as far as the weights are believed. */
static void rbp_start(void *object, const uint64_t *weights, double field) {
  state *s = object;
  double belief = tanh(field / 2);
  for (size_t i = 0; i < s->in->n; i++)
    bperc_i_bp_add_field(s->bp, i, bperc_i_bit(weights, i) ? field : -field);
  s->unrewarded = 1 - belief * belief;
  read_rbp_weights(s);
}

static const bperc_solver_methods methods = {
    .choose = rbp_choose,
    .create = rbp_create,
    .step = rbp_step,
    .view = rbp_view,
    .fields = rbp_fields,
    .destroy = rbp_destroy,
    .start = rbp_start,
};

const bperc_solver_class bperc_rbp_class = {
    .name = "rbp",
    .summary = "reinforced belief propagation",
    .step_name = "iterations",
    .options = rbp_option_table,
    .options_size = sizeof(bperc_rbp_options),
    .methods = &methods,
};
