/* Extended-CP on bit planes: weights and hidden states as two-digit counters,
 * sums as one AND-popcount per binary digit of the weights. */
#include "bperc/ecp.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/check.h"
#include "model/bit_rows.h"
#include "solver/methods.h"
#include "solver/solver_recount.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
  const bperc_instance *in;
  const bperc_i_bit_kernels *kernels;
  bperc_ecp_options options;
  bperc_stream stream;
  bperc_i_two_digit_counters state; /* the wheel is h + K, w the weights */
  uint32_t *order;
  int32_t *integers; /* the weights again, for views */
  uint64_t sweeps;
  size_t errors;
} state;

static BPERC_OPTIONS_DEFINE(ecp_option_table, bperc_ecp_options,
                            BPERC_ECP_OPTIONS);

/* ---- bit planes as numbers */

static uint64_t read_planes(const uint64_t *planes, size_t stride,
                            unsigned count, size_t i) {
  uint64_t value = 0;
  for (unsigned p = 0; p < count; p++)
    value |= (uint64_t)bperc_i_bit(planes + p * stride, i) << p;
  return value;
}

static void write_planes(uint64_t *planes, size_t stride, size_t i,
                         uint64_t value) {
  for (unsigned p = 0; value; p++, value >>= 1)
    if (value & 1)
      bperc_i_bit_set(planes + p * stride, i, 1);
}

static unsigned digits(uint64_t value) {
  unsigned count = 0;
  for (; value; value >>= 1)
    count++;
  return count;
}

/* ---- the start: docs/choices.md */

/* The weight at which an average pattern sums to the threshold; 0 when that
 * is negative. */
static double mean_weight(const bperc_instance *in) {
  double ones = 0;
  for (size_t k = 0; k < in->m * in->words; k++)
    ones += __builtin_popcountll(in->patterns[k]);
  double mean = ones > 0 ? in->theta * (double)in->m / ones : 0;
  return fmax(0, fmin(mean, 1e8));
}

static void draw_ecp_start(state *s) {
  double mean = s->options.start == BPERC_ECP_MEAN ? mean_weight(s->in) : 0;
  uint64_t whole = (uint64_t)mean;
  for (size_t i = 0; i < s->in->n; i++) {
    uint64_t wheel = bperc_stream_below(&s->stream, s->state.last + 1);
    uint64_t more =
        bperc_stream_double(&s->stream) < mean - (double)whole ? 1 : 0;
    write_planes(s->state.wheel, s->state.stride, i, wheel);
    write_planes(s->state.w, s->state.stride, i, whole + more);
  }
  s->state.used = digits(whole + 1);
}

/* ---- one sweep [BZ supplement 2] */

static int64_t sum_over_planes(const state *s, const uint64_t *xi) {
  uint64_t sum = 0;
  for (unsigned p = 0; p < s->state.used; p++)
    sum += s->kernels->and_popcount(xi, s->state.w + p * s->state.stride,
                                    s->in->words)
           << p;
  return (int64_t)sum;
}

static void present_to_ecp(state *s, size_t mu) {
  const uint64_t *xi = bperc_instance_pattern(s->in, mu);
  int64_t sum = sum_over_planes(s, xi);
  if (s->in->labels[mu]) {
    if (sum < bperc_instance_bound(s->in, mu))
      s->kernels->turn_up(&s->state, xi);
  } else if (sum > bperc_instance_bound(s->in, mu)) {
    s->kernels->turn_down(&s->state, xi);
  }
}

static size_t count_ecp_errors(const state *s) {
  const bperc_instance *in = s->in;
  size_t errors = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t sum = sum_over_planes(s, bperc_instance_pattern(in, mu));
    errors += in->labels[mu] ? sum < bperc_instance_bound(in, mu)
                             : sum > bperc_instance_bound(in, mu);
  }
  return errors;
}

static void read_integers(const state *s) {
  for (size_t i = 0; i < s->in->n; i++)
    s->integers[i] =
        (int32_t)read_planes(s->state.w, s->state.stride, s->state.used, i);
}

/* What the next sweep relies on, from scratch. */
static bool ecp_is_sound(const state *s) {
  const bperc_i_two_digit_counters *o = &s->state;
  for (size_t i = 0; i < s->in->n; i++)
    if (read_planes(o->wheel, o->stride, o->wheel_planes, i) > o->last)
      return false;
  read_integers(s);
  return bperc_i_recount_integers(s->in, s->integers, s->errors);
}

static bperc_progress ecp_step(void *object) {
  state *s = object;
  bperc_stream_shuffle(&s->stream, s->order, s->in->m);
  for (size_t k = 0; k < s->in->m; k++)
    present_to_ecp(s, s->order[k]);
  s->sweeps++;
  s->errors = count_ecp_errors(s);
  BPERC_I_CHECK(ecp_is_sound(s));
  if (s->errors == 0)
    return BPERC_SOLVED;
  return s->sweeps >= (uint64_t)s->options.max_sweeps ? BPERC_EXHAUSTED
                                                      : BPERC_RUNNING;
}

/* ---- life */

static bool allocate_ecp(state *s) {
  const bperc_instance *in = s->in;
  bperc_i_two_digit_counters *o = &s->state;
  o->words = in->words;
  o->stride = (in->words + 3) / 4 * 4;
  o->last = 2 * (uint64_t)s->options.k;
  o->hold = s->options.floor == BPERC_ECP_HOLD;
  o->wheel_planes = digits(o->last);
  o->wheel = bperc_i_calloc(o->wheel_planes * o->stride, sizeof *o->wheel);
  o->w = bperc_i_calloc(BPERC_I_MOST_PLANES * o->stride, sizeof *o->w);
  s->order = bperc_i_alloc(in->m, sizeof *s->order);
  s->integers = bperc_i_alloc(in->n, sizeof *s->integers);
  return o->wheel && o->w && s->order && s->integers;
}

static void ecp_destroy(void *object) {
  state *s = object;
  if (!s)
    return;
  bperc_i_free(s->state.wheel);
  bperc_i_free(s->state.w);
  bperc_i_free(s->order);
  bperc_i_free(s->integers);
  bperc_i_free(s);
}

static bperc_status ecp_create(const bperc_instance *in, const void *options,
                               uint64_t seed, unsigned threads, void **out,
                               bperc_error *error) {
  state *s;
  (void)threads; /* sequential by nature */
  *out = NULL;
  if (in->weights != BPERC_WEIGHTS_01)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "extended-CP has weights 0, 1, 2, ...: it does not "
                           "solve problems with weights=pm");
  if (bperc_i_only_01_inputs(in, "extended-CP", error))
    return BPERC_E_ARGUMENT;
  s = bperc_i_calloc(1, sizeof *s);
  if (s) {
    s->in = in;
    s->kernels = bperc_i_bit_kernels_get();
    s->stream = bperc_stream_make(seed, BPERC_FOR_ECP, 0);
    memcpy(&s->options, options, sizeof s->options);
  }
  if (!s || !allocate_ecp(s)) {
    ecp_destroy(s);
    return bperc_error_set(error, BPERC_E_MEMORY,
                           "no memory for extended-CP, N = %zu", in->n);
  }
  for (size_t mu = 0; mu < in->m; mu++)
    s->order[mu] = (uint32_t)mu;
  draw_ecp_start(s);
  s->errors = count_ecp_errors(s);
  *out = s;
  return BPERC_OK;
}

static void ecp_view(const void *object, bperc_view *out) {
  const state *s = object;
  read_integers(s);
  *out = (bperc_view){
      .step = s->sweeps, .errors = s->errors, .integers = s->integers};
}

static void ecp_fields(const void *object, double *out) {
  const state *s = object;
  for (size_t i = 0; i < s->in->n; i++)
    out[i] = (double)read_planes(s->state.wheel, s->state.stride,
                                 s->state.wheel_planes, i) -
             (double)s->options.k;
}

static void ecp_adopt(void *object, const void *older) {
  state *s = object;
  const state *from = older;
  bperc_i_two_digit_counters *o = &s->state;
  assert(o->last == from->state.last && o->stride == from->state.stride);
  memcpy(o->wheel, from->state.wheel,
         o->wheel_planes * o->stride * sizeof *o->wheel);
  memcpy(o->w, from->state.w, BPERC_I_MOST_PLANES * o->stride * sizeof *o->w);
  o->used = from->state.used;
  s->errors = count_ecp_errors(s);
}

static const bperc_solver_methods methods = {
    .create = ecp_create,
    .step = ecp_step,
    .view = ecp_view,
    .fields = ecp_fields,
    .destroy = ecp_destroy,
    .adopt = ecp_adopt,
};

const bperc_solver_class bperc_ecp_class = {
    .name = "ecp",
    .summary = "extended clipped perceptron, weights 0, 1, 2, ...",
    .step_name = "sweeps",
    .options = ecp_option_table,
    .options_size = sizeof(bperc_ecp_options),
    .methods = &methods,
    .unbounded = 1,
};
