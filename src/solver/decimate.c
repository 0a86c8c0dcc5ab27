/* Decimation: decimate.h. */
#include "bperc/decimate.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "bperc/stream.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

struct bperc_decimation {
  const bperc_instance *in;
  bperc_marginals source;
  size_t fixed;
  int8_t *value; /* n: -1 while not fixed */
  uint32_t *order;
  uint8_t *values;
  double *log_count, *field;
  uint64_t *weights;
  bool uniform;
  bperc_stream stream; /* of uniform decimation */
};

static void source_destroy(bperc_marginals *source) {
  if (source->destroy)
    source->destroy(source->state);
}

bperc_status bperc_decimation_new(const bperc_instance *in,
                                  bperc_marginals source,
                                  bperc_decimation **out) {
  bperc_decimation *d = bperc_i_calloc(1, sizeof *d);
  size_t n = in->n;
  *out = NULL;
  if (!d) {
    source_destroy(&source);
    return BPERC_E_MEMORY;
  }
  d->in = in;
  d->source = source;
  d->value = bperc_i_alloc(n + 1, sizeof *d->value);
  d->order = bperc_i_alloc(n + 1, sizeof *d->order);
  d->values = bperc_i_alloc(n + 1, sizeof *d->values);
  d->log_count = bperc_i_alloc(n + 1, sizeof *d->log_count);
  d->field = bperc_i_alloc(n + 1, sizeof *d->field);
  d->weights = bperc_i_calloc(bperc_i_words(n) + 1, sizeof *d->weights);
  if (!d->value || !d->order || !d->values || !d->log_count || !d->field ||
      !d->weights) {
    bperc_decimation_free(d);
    return BPERC_E_MEMORY;
  }
  memset(d->value, -1, n + 1);
  *out = d;
  return BPERC_OK;
}

void bperc_decimation_free(bperc_decimation *d) {
  if (!d)
    return;
  source_destroy(&d->source);
  bperc_i_free(d->value);
  bperc_i_free(d->order);
  bperc_i_free(d->values);
  bperc_i_free(d->log_count);
  bperc_i_free(d->field);
  bperc_i_free(d->weights);
  bperc_i_free(d);
}

/* The most polarised weight: smallest min(p, 1-p), that is largest |field|;
 * lowest index first among equals; n when all are fixed. */
static size_t choose(const bperc_decimation *d) {
  size_t best = d->in->n;
  double most = -1;
  for (size_t i = 0; i < d->in->n; i++) {
    double h = fabs(d->field[i]);
    if (d->value[i] < 0 && h > most + d->source.near * fmax(1, most)) {
      most = h;
      best = i;
    }
  }
  return best;
}

/* Any unfixed weight that has a field; n when there is none. */
static size_t draw(bperc_decimation *d) {
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

static int draw_value(bperc_decimation *d, double field) {
  return bperc_stream_double(&d->stream) < 1 / (1 + exp(-field));
}

void bperc_decimation_uniform(bperc_decimation *d, uint64_t seed) {
  d->uniform = true;
  d->stream = bperc_stream_make(seed, BPERC_FOR_DECIMATE, 0);
}

static bperc_progress finish(bperc_decimation *d) {
  if (bperc_verify(d->in, d->weights, NULL).errors)
    return BPERC_EXHAUSTED;
  d->log_count[d->in->n] = 0;
  return BPERC_SOLVED;
}

bperc_status bperc_decimation_step(bperc_decimation *d,
                                   bperc_progress *outcome) {
  *outcome = BPERC_RUNNING;
  if (d->fixed == d->in->n) {
    *outcome = finish(d);
    return BPERC_OK;
  }
  double *log_count = &d->log_count[d->fixed];
  *log_count = NAN;
  bperc_status status =
      d->source.marginals(d->source.state, d->field, log_count, outcome);
  if (status != BPERC_OK || *outcome != BPERC_RUNNING)
    return status;
  size_t i = d->uniform ? draw(d) : choose(d);
  if (i == d->in->n) { /* nothing but NAN */
    *outcome = BPERC_DIVERGED;
    return BPERC_OK;
  }
  int value = d->uniform ? draw_value(d, d->field[i]) : d->field[i] >= 0;
  d->value[i] = (int8_t)value;
  d->order[d->fixed] = (uint32_t)i;
  d->values[d->fixed++] = (uint8_t)value;
  bperc_i_bit_set(d->weights, i, value);
  status = d->source.fix(d->source.state, i, value, outcome);
  if (status == BPERC_OK && d->fixed == d->in->n &&
      *outcome != BPERC_CONTRADICTION)
    *outcome = finish(d);
  return status;
}

void bperc_decimation_look(const bperc_decimation *d,
                           bperc_decimation_view *out) {
  *out = (bperc_decimation_view){
      .n = d->in->n,
      .fixed = d->fixed,
      .order = d->order,
      .values = d->values,
      .log_count = d->log_count,
      .weights = d->weights,
      .errors = bperc_verify(d->in, d->weights, NULL).errors};
}

/* ---- to the end, by exact marginals */

static bperc_status run(bperc_decimation *d) {
  bperc_progress outcome = BPERC_RUNNING;
  bperc_status status = BPERC_OK;
  while (status == BPERC_OK && outcome == BPERC_RUNNING)
    status = bperc_cancelled() ? BPERC_E_INTERRUPTED
                               : bperc_decimation_step(d, &outcome);
  return status;
}

bperc_status bperc_exact_decimation(const bperc_instance *in,
                                    const bperc_solutions *s, bperc_along full,
                                    bperc_exact_step *steps, size_t *fixed) {
  bperc_marginals source;
  bperc_decimation *d = NULL;
  bperc_status status = bperc_marginals_exact(s, &source);
  if (status == BPERC_OK)
    status = bperc_decimation_new(in, source, &d);
  if (status == BPERC_OK)
    status = run(d);
  if (status == BPERC_OK)
    status = bperc_exact_along(s, full, d->order, d->values, d->fixed, steps);
  if (status == BPERC_OK && fixed)
    *fixed = d->fixed;
  bperc_decimation_free(d);
  return status;
}
