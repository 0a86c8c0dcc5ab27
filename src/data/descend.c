/* Descent by flips and exchanges. */
#include "data/descend.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum {
  MOST_INPUTS = 1 << 24, /* in all */
  TRIES = 300,           /* per weight */
  VIOLATED = 8           /* cost of a violated pattern beside how far it is */
};
#define MOST_WORK 400000000 /* tries times patterns */

typedef struct {
  size_t n, m;
  int8_t *x;      /* n * m: how a weight that becomes 1 changes the slack */
  int32_t *slack; /* m: hits beyond the bound, negative when violated */
  uint8_t *on;    /* n */
  int64_t cost;
  size_t errors;
} descent;

static int32_t cost_of_sums(int32_t slack) {
  int32_t beyond = -2 * slack - 1;
  return slack < 0 ? VIOLATED + (beyond < 4 ? beyond : 4) : slack == 0;
}

static void count_flips(descent *d) {
  d->cost = 0;
  d->errors = 0;
  for (size_t mu = 0; mu < d->m; mu++) {
    d->cost += cost_of_sums(d->slack[mu]);
    d->errors += d->slack[mu] < 0;
  }
}

static void fill_sums(descent *d, const bperc_instance *in,
                      const uint64_t *weights) {
  for (size_t i = 0; i < d->n; i++)
    d->on[i] = (uint8_t)bperc_i_bit(weights, i);
  for (size_t mu = 0; mu < d->m; mu++) {
    int32_t sign = in->labels[mu] ? 1 : -1;
    d->slack[mu] = sign * (int32_t)(bperc_instance_hits(in, mu, weights) -
                                    bperc_instance_bound(in, mu));
    for (size_t i = 0; i < d->n; i++)
      d->x[i * d->m + mu] = (int8_t)(sign * bperc_instance_input(in, mu, i));
  }
  count_flips(d);
}

/* Flips weight i, and j unless it is i; keeps it unless the cost rises. */
static void try_cost_flip(descent *d, size_t i, size_t j) {
  const int8_t *a = d->x + i * d->m, *b = d->x + j * d->m;
  const int32_t by_a = d->on[i] ? -1 : 1;
  const int32_t by_b = i == j ? 0 : d->on[j] ? -1 : 1;
  int64_t cost = 0;
  for (size_t mu = 0; mu < d->m; mu++)
    cost += cost_of_sums(d->slack[mu] + by_a * a[mu] + by_b * b[mu]);
  if (cost > d->cost)
    return;
  for (size_t mu = 0; mu < d->m; mu++)
    d->slack[mu] += by_a * a[mu] + by_b * b[mu];
  d->on[i] ^= 1;
  if (i != j)
    d->on[j] ^= 1;
  count_flips(d);
  assert(d->cost == cost);
}

static void descend_costs(descent *d, uint64_t seed, uint64_t *weights) {
  bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_RESTART, 0);
  size_t best = d->errors, most = MOST_WORK / d->m;
  most = most < TRIES * d->n ? most : TRIES * d->n;
  for (size_t k = 0; k < most && best && !bperc_cancelled(); k++) {
    size_t i = bperc_stream_below(&stream, d->n);
    size_t j = bperc_stream_below(&stream, d->n);
    try_cost_flip(d, i, d->on[i] == d->on[j] ? i : j);
    if (d->errors < best) {
      best = d->errors;
      for (size_t at = 0; at < d->n; at++)
        bperc_i_bit_set(weights, at, d->on[at]);
    }
  }
}

bperc_status bperc_i_descend(const bperc_instance *in, uint64_t seed,
                             uint64_t *weights) {
  descent d = {.n = in->n, .m = in->m};
  bperc_status status = BPERC_E_MEMORY;
  if (!in->m || in->n > MOST_INPUTS / in->m)
    return BPERC_OK;
  d.x = bperc_i_alloc(in->n * in->m, sizeof *d.x);
  d.slack = bperc_i_alloc(in->m, sizeof *d.slack);
  d.on = bperc_i_alloc(in->n, sizeof *d.on);
  if (d.x && d.slack && d.on) {
    fill_sums(&d, in, weights);
    descend_costs(&d, seed, weights);
    status = BPERC_OK;
  }
  bperc_i_free(d.x);
  bperc_i_free(d.slack);
  bperc_i_free(d.on);
  return status;
}
