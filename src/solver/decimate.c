/* Decimation: decimate.h. */
#include "solver/decimate.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "bperc/stream.h"
#include "model/bit_rows.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

struct bperc_i_decimation {
  const bperc_instance *in;
  bperc_i_marginals source;
  bperc_order order;
  int8_t *value; /* n: -1 while not fixed */
  double *field;
  uint64_t *weights; /* n bits: fixed values, the others 0 */
  bool uniform;
  bperc_stream stream; /* of uniform decimation */
};

static void clear_source(bperc_i_marginals *source) {
  if (source->destroy)
    source->destroy(source->state);
}

bperc_status bperc_i_decimation_new(const bperc_instance *in,
                                    bperc_i_marginals source,
                                    bperc_i_decimation **out) {
  bperc_i_decimation *d = bperc_i_calloc(1, sizeof *d);
  size_t n = in->n;
  *out = NULL;
  if (!d) {
    clear_source(&source);
    return BPERC_E_MEMORY;
  }
  d->in = in;
  d->source = source;
  d->value = bperc_i_alloc(n + 1, sizeof *d->value);
  d->field = bperc_i_alloc(n + 1, sizeof *d->field);
  d->weights = bperc_i_calloc(bperc_i_words(n) + 1, sizeof *d->weights);
  if (bperc_order_init(n, &d->order) || !d->value || !d->field || !d->weights) {
    bperc_i_decimation_free(d);
    return BPERC_E_MEMORY;
  }
  memset(d->value, -1, n + 1);
  *out = d;
  return BPERC_OK;
}

void bperc_i_decimation_free(bperc_i_decimation *d) {
  if (!d)
    return;
  clear_source(&d->source);
  bperc_order_clear(&d->order);
  bperc_i_free(d->value);
  bperc_i_free(d->field);
  bperc_i_free(d->weights);
  bperc_i_free(d);
}

/* The most polarised weight: smallest min(p, 1-p), that is largest |field|;
 * lowest index first among equals; n when all are fixed. */
static size_t most_polarised(const bperc_i_decimation *d) {
  size_t best = d->in->n;
  double beyond = d->source.near - 1; /* where |field| is larger: -1 so far */
  for (size_t i = 0; i < d->in->n; i++) {
    double h = fabs(d->field[i]);
    if (h > beyond && d->value[i] < 0) {
      beyond = h + d->source.near * fmax(1, h);
      best = i;
    }
  }
  return best;
}

/* Any unfixed weight that has a field; n when there is none. */
static size_t draw_unfixed(bperc_i_decimation *d) {
  size_t n = d->in->n, left = 0;
  for (size_t i = 0; i < n; i++)
    left += d->value[i] < 0 && !isnan(d->field[i]);
  if (left == 0)
    return n;
  size_t k = (size_t)bperc_stream_below(&d->stream, left);
  for (size_t i = 0; i < n; i++)
    if (d->value[i] < 0 && !isnan(d->field[i]) && k-- == 0)
      return i;
  assert(!"unfixed weights were counted");
  return n;
}

static int draw_value(bperc_i_decimation *d, double field) {
  return bperc_stream_double(&d->stream) < 1 / (1 + exp(-field));
}

void bperc_i_decimation_uniform(bperc_i_decimation *d, uint64_t seed) {
  d->uniform = true;
  d->stream = bperc_stream_make(seed, BPERC_FOR_DECIMATE, 0);
}

/* Fixes one weight by the fields of the source. */
static bperc_status fix_one(bperc_i_decimation *d, bperc_progress *outcome) {
  size_t i = d->uniform ? draw_unfixed(d) : most_polarised(d);
  if (i == d->in->n) { /* nothing but NAN */
    *outcome = BPERC_DIVERGED;
    return BPERC_OK;
  }
  int value = d->uniform ? draw_value(d, d->field[i]) : d->field[i] >= 0;
  bperc_order *o = &d->order;
  d->value[i] = (int8_t)value;
  o->weight[o->fixed] = (uint32_t)i;
  o->value[o->fixed++] = (uint8_t)value;
  o->log_count[o->fixed] = NAN;
  bperc_i_bit_set(d->weights, i, value);
  return d->source.fix(d->source.state, i, value, outcome);
}

/* All weights are fixed. */
static bperc_progress finish_decimation(bperc_i_decimation *d) {
  if (bperc_verify(d->in, d->weights, NULL).errors)
    return BPERC_EXHAUSTED;
  d->order.log_count[d->in->n] = 0;
  return BPERC_SOLVED;
}

bperc_status bperc_i_decimation_step(bperc_i_decimation *d,
                                     bperc_progress *outcome) {
  bperc_order *o = &d->order;
  double log_count = NAN;
  bperc_status status = BPERC_OK;
  *outcome = BPERC_RUNNING;
  if (o->fixed < d->in->n) {
    status =
        d->source.marginals(d->source.state, d->field, &log_count, outcome);
    if (status == BPERC_OK && *outcome == BPERC_RUNNING) {
      o->log_count[o->fixed] = log_count;
      status = fix_one(d, outcome);
    }
  }
  if (status == BPERC_OK && o->fixed == d->in->n &&
      *outcome != BPERC_CONTRADICTION)
    *outcome = finish_decimation(d);
  if (status == BPERC_OK)
    o->outcome = *outcome;
  return status;
}

bperc_order *bperc_i_decimation_order(bperc_i_decimation *d) {
  return &d->order;
}

/* ---- to the end, by exact marginals */

static bperc_status decimate_to_end(bperc_i_decimation *d) {
  bperc_progress outcome = BPERC_RUNNING;
  bperc_status status = BPERC_OK;
  while (status == BPERC_OK && outcome == BPERC_RUNNING)
    status = bperc_cancelled() ? BPERC_E_INTERRUPTED
                               : bperc_i_decimation_step(d, &outcome);
  return status;
}

bperc_status bperc_decimate_exactly(const bperc_instance *in,
                                    const bperc_solutions *s,
                                    const uint64_t *uniform, bperc_order *out,
                                    bperc_error *error) {
  bperc_i_marginals source;
  bperc_i_decimation *d = NULL;
  bperc_status status = bperc_i_one_sided(&in, "decimation", error), copied;
  *out = (bperc_order){0};
  if (status != BPERC_OK)
    return status;
  status = bperc_i_marginals_exact(s, &source);
  if (status == BPERC_OK)
    status = bperc_i_decimation_new(in, source, &d);
  if (status == BPERC_OK && uniform)
    bperc_i_decimation_uniform(d, *uniform);
  if (status == BPERC_OK)
    status = decimate_to_end(d);
  if (status == BPERC_OK || (status == BPERC_E_INTERRUPTED && d)) {
    copied = bperc_order_copy(&d->order, out);
    status = copied == BPERC_OK ? status : copied;
  }
  bperc_i_decimation_free(d);
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "the decimation: %s",
                               bperc_status_name(status));
}
