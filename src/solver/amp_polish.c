/* A local search among undecided weights: amp_polish.h. */
#include "solver/amp_polish.h"

#include "base/alloc.h"
#include "bperc/stream.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MOST 128 /* weights that may move */
#define NOISE 8  /* one flip in so many is any that helps */

bperc_status bperc_i_polish_init(bperc_i_polish *p, const bperc_instance *in) {
  *p = (bperc_i_polish){.in = in, .most = in->n < MOST ? in->n : MOST};
  p->stride = in->m;
  p->site = bperc_i_alloc(p->most, sizeof *p->site);
  p->size = bperc_i_alloc(p->most, sizeof *p->size);
  p->now = bperc_i_alloc(p->most, 1);
  p->best = bperc_i_alloc(p->most, 1);
  p->effect = bperc_i_alloc(p->most * p->stride + 1, sizeof *p->effect);
  p->slack = bperc_i_alloc(p->stride + 1, sizeof *p->slack);
  p->helper = bperc_i_alloc(p->most, sizeof *p->helper);
  if (p->site && p->size && p->now && p->best && p->effect && p->slack &&
      p->helper)
    return BPERC_OK;
  bperc_i_polish_clear(p);
  return BPERC_E_MEMORY;
}

void bperc_i_polish_clear(bperc_i_polish *p) {
  bperc_i_free(p->site);
  bperc_i_free(p->size);
  bperc_i_free(p->now);
  bperc_i_free(p->best);
  bperc_i_free(p->effect);
  bperc_i_free(p->slack);
  bperc_i_free(p->helper);
  *p = (bperc_i_polish){0};
}

/* ---- which weights and patterns */

/* The smallest fields, in ascending order; of equal ones the first. */
static void choose_sites(bperc_i_polish *p, const double *fields) {
  p->count = 0;
  for (size_t i = 0; i < p->in->n; i++) {
    double size = fabs(fields[i]);
    size_t k = p->count;
    if (k == p->most && !(size < p->size[k - 1]))
      continue;
    k -= k == p->most;
    for (; k > 0 && size < p->size[k - 1]; k--) {
      p->size[k] = p->size[k - 1];
      p->site[k] = p->site[k - 1];
    }
    p->size[k] = size;
    p->site[k] = (uint32_t)i;
    p->count += p->count < p->most;
  }
}

/* A flip changes hits by at most 1, so that patterns with a slack of `count`
 * are safe. False when a pattern is out of reach. */
static bool describe_patterns(bperc_i_polish *p, const uint64_t *weights) {
  const bperc_instance *in = p->in;
  const int64_t reach = (int64_t)p->count;
  p->rows = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    int sign = in->labels[mu] ? 1 : -1;
    int64_t slack = sign * (bperc_instance_hits(in, mu, weights) -
                            bperc_instance_bound(in, mu));
    if (slack >= reach)
      continue;
    if (slack < -reach)
      return false;
    p->slack[p->rows] = (int16_t)slack;
    for (size_t k = 0; k < p->count; k++)
      p->effect[k * p->stride + p->rows] =
          (int16_t)(sign * bperc_instance_input(in, mu, p->site[k]));
    p->rows++;
  }
  for (size_t k = 0; k < p->count; k++)
    p->now[k] = (uint8_t)bperc_bit_get(weights, p->site[k]);
  return true;
}

/* ---- flips */

static int direction(const bperc_i_polish *p, size_t k) {
  return p->now[k] ? -1 : 1;
}

/* Violated patterns after a change of all slacks by d times effect, and in the
 * lower half how far they are violated. */
static uint64_t energy(const bperc_i_polish *p, const int16_t *effect, int d) {
  const int16_t *slack = p->slack, sign = (int16_t)d;
  uint32_t violated = 0, far = 0;
  for (size_t r = 0; r < p->rows; r++) {
    int16_t s = (int16_t)(slack[r] + sign * effect[r]);
    violated += s < 0;
    far += (uint32_t)(s < 0 ? -s : 0);
  }
  return (uint64_t)violated << 32 | far;
}

static size_t violated(const bperc_i_polish *p) {
  return (size_t)(energy(p, p->slack, 0) >> 32);
}

static void flip(bperc_i_polish *p, size_t k) {
  const int16_t *effect = p->effect + k * p->stride;
  const int16_t sign = (int16_t)direction(p, k);
  for (size_t r = 0; r < p->rows; r++)
    p->slack[r] = (int16_t)(p->slack[r] + sign * effect[r]);
  p->now[k] ^= 1;
}

static size_t draw_violated(const bperc_i_polish *p, size_t errors,
                            bperc_stream *stream) {
  size_t left = bperc_stream_below(stream, errors), r = 0;
  for (;; r++) {
    assert(r < p->rows);
    if (p->slack[r] < 0 && left-- == 0)
      return r;
  }
}

/* The weight to flip for this pattern; SIZE_MAX when none helps. */
static size_t choose_flip(const bperc_i_polish *p, size_t r,
                          bperc_stream *stream) {
  size_t helpers = 0, chosen = SIZE_MAX;
  bool any = bperc_stream_below(stream, NOISE) == 0;
  uint64_t least = UINT64_MAX;
  for (size_t k = 0; k < p->count; k++)
    if (p->effect[k * p->stride + r] == direction(p, k))
      p->helper[helpers++] = (uint32_t)k;
  if (any && helpers > 0)
    return p->helper[bperc_stream_below(stream, helpers)];
  for (size_t j = 0; j < helpers; j++) {
    size_t k = p->helper[j];
    uint64_t e = energy(p, p->effect + k * p->stride, direction(p, k));
    if (e < least) {
      least = e;
      chosen = k;
    }
  }
  return chosen;
}

/* Whether bits were found that violate fewer patterns: in best. */
static bool search(bperc_i_polish *p, uint64_t round, size_t flips) {
  bperc_stream stream = bperc_stream_make(1, BPERC_FOR_AMP, round);
  size_t errors = violated(p), fewest = errors;
  bool found = false;
  for (size_t t = 0; t < flips && errors > 0; t++) {
    size_t k = choose_flip(p, draw_violated(p, errors, &stream), &stream);
    if (k == SIZE_MAX)
      continue;
    flip(p, k);
    errors = violated(p);
    if (errors < fewest) {
      fewest = errors;
      found = true;
      memcpy(p->best, p->now, p->count);
    }
  }
  return found;
}

void bperc_i_polish_run(bperc_i_polish *p, uint64_t round, size_t flips,
                        const uint64_t *weights, double *fields) {
  choose_sites(p, fields);
  if (!describe_patterns(p, weights) || !search(p, round, flips))
    return;
  for (size_t k = 0; k < p->count; k++) {
    double *h = &fields[p->site[k]];
    *h = copysign(fmax(fabs(*h), DBL_MIN), p->best[k] ? 1 : -1);
  }
}
