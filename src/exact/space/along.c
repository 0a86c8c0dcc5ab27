/* Exact measures along an order: the list of the full space is made once and
 * filtered weight by weight. */
#include "base/alloc.h"
#include "exact/space/space.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { DISTANCES = 3 };

/* Per solution of the full space; rows of the subspace in `origin`. */
typedef struct {
  size_t n;
  double *log_cluster;
  double *log_near; /* DISTANCES per solution */
  uint32_t *origin, *fresh;
} full_space;

static void full_clear(full_space *f) {
  bperc_i_free(f->log_cluster);
  bperc_i_free(f->log_near);
  bperc_i_free(f->origin);
  bperc_i_free(f->fresh);
}

static void take_logs(full_space *f, const bperc_solutions *s,
                      const uint32_t *near) {
  for (size_t k = 0; k < s->count && !bperc_cancelled(); k++)
    for (size_t d = 0; d < DISTANCES; d++) {
      uint32_t there = near[k * (DISTANCES + 1) + d + 1];
      f->log_near[k * DISTANCES + d] = there ? log((double)there) : 0;
    }
}

static bperc_status full_init(full_space *f, const bperc_solutions *s,
                              bperc_along full) {
  bperc_clusters *c = NULL;
  uint32_t *near = NULL;
  bperc_status status = BPERC_E_MEMORY;
  *f = (full_space){.n = s->n};
  f->origin = bperc_i_alloc(s->count + 1, sizeof *f->origin);
  f->fresh = bperc_i_alloc(s->count + 1, sizeof *f->fresh);
  if (!f->origin || !f->fresh)
    goto done;
  for (size_t k = 0; k < s->count; k++)
    f->origin[k] = (uint32_t)k;
  status = BPERC_OK;
  if (full == BPERC_ALONG_ALONE)
    goto done;
  f->log_cluster = bperc_i_alloc(s->count + 1, sizeof *f->log_cluster);
  status = f->log_cluster ? bperc_clusters_new(s, &c) : BPERC_E_MEMORY;
  for (size_t k = 0; k < s->count && status == BPERC_OK; k++)
    f->log_cluster[k] = log((double)c->size[c->of[k]]);
  if (status != BPERC_OK || full == BPERC_ALONG_CLUSTERS)
    goto done;
  f->log_near = bperc_i_alloc(s->count + 1, DISTANCES * sizeof *f->log_near);
  near = bperc_i_alloc(s->count + 1, (DISTANCES + 1) * sizeof *near);
  status = f->log_near && near ? BPERC_OK : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = bperc_solutions_near(s, DISTANCES, BPERC_NEAR_CHOOSE, near);
  if (status == BPERC_OK)
    take_logs(f, s, near);
  if (bperc_cancelled())
    status = BPERC_E_INTERRUPTED;
done:
  bperc_i_free(near);
  bperc_clusters_free(c);
  if (status != BPERC_OK)
    full_clear(f);
  return status;
}

/* k index [BZ eq. 11] and local entropies [BZ eq. 5] of a subspace. */
static void average_full(const full_space *f, const bperc_solutions *s,
                         bperc_exact_step *step) {
  double scale = 1 / ((double)s->count * (double)f->n), sum[4] = {0};
  step->k_index = NAN;
  for (size_t d = 0; d < DISTANCES; d++)
    step->local_entropy[d] = NAN;
  if (!f->log_cluster || s->count == 0)
    return;
  for (size_t k = 0; k < s->count; k++)
    sum[DISTANCES] += f->log_cluster[f->origin[k]];
  step->k_index = sum[DISTANCES] * scale;
  if (!f->log_near)
    return;
  for (size_t k = 0; k < s->count; k++)
    for (size_t d = 0; d < DISTANCES; d++)
      sum[d] += f->log_near[f->origin[k] * DISTANCES + d];
  for (size_t d = 0; d < DISTANCES; d++)
    step->local_entropy[d] = sum[d] * scale;
}

static bperc_status measure_order_step(const full_space *f,
                                       const bperc_solutions *s,
                                       bperc_exact_step *step) {
  bperc_moments moments;
  bperc_clusters *c = NULL;
  bperc_status status = bperc_solutions_moments(s, &moments, NULL, NULL);
  if (status == BPERC_OK)
    status = bperc_clusters_new(s, &c);
  if (status != BPERC_OK)
    return status;
  step->count = bperc_count_from(s->count);
  step->log_count = moments.log_count;
  step->entropy = moments.entropy;
  step->xcorr_mean = moments.xcorr_mean;
  step->xcorr_mean_square = moments.xcorr_mean_square;
  step->parisi_x = c->parisi_x;
  step->q_same = c->q_same;
  step->q_diff = c->q_diff;
  step->clusters = c->count;
  step->largest = c->count ? c->size[0] : 0;
  bperc_clusters_free(c);
  average_full(f, s, step);
  return BPERC_OK;
}

/* The solutions of s with this value; the order may repeat what is fixed. */
static bperc_status restrict_list(const bperc_solutions *s, size_t weight,
                                  int value, bperc_solutions **out,
                                  uint32_t *origin) {
  if (weight >= s->n || (s->fixed[weight] >= 0 && s->fixed[weight] != value))
    return BPERC_E_ARGUMENT;
  return bperc_solutions_filter(s, weight, value, out, origin);
}

/* Replaces *own by its solutions with this value. */
static bperc_status advance_order(full_space *f, const bperc_solutions **now,
                                  bperc_solutions **own, size_t weight,
                                  int value) {
  bperc_solutions *next;
  if (weight < (*now)->n && (*now)->fixed[weight] == value)
    return BPERC_OK;
  bperc_status status = restrict_list(*now, weight, value, &next, f->fresh);
  if (status != BPERC_OK)
    return status;
  for (size_t k = 0; k < next->count; k++) {
    assert(f->fresh[k] >= k); /* not yet overwritten */
    f->origin[k] = f->origin[f->fresh[k]];
  }
  bperc_solutions_free(*own);
  *now = *own = next;
  return BPERC_OK;
}

/* The sentence of a failure at weight k of the order. */
static bperc_status explain_step(bperc_status status, const bperc_order *order,
                                 size_t k, bperc_error *error) {
  if (status == BPERC_E_ARGUMENT && k > 0)
    return bperc_error_set(error, status,
                           "the order has weight %u at %d, where no weight is "
                           "left to fix at that value",
                           order->weight[k - 1], order->value[k - 1]);
  return bperc_error_set(error, status, "the measures: %s",
                         bperc_status_name(status));
}

bperc_status bperc_exact_along(const bperc_solutions *s, bperc_along full,
                               const bperc_order *order, size_t from,
                               bperc_exact_step *steps, bperc_error *error) {
  size_t last = order ? order->fixed : from, k = from;
  full_space f;
  bperc_solutions *own = NULL;
  const bperc_solutions *now = s;
  bperc_status status = full_init(&f, s, full);
  if (status != BPERC_OK)
    return explain_step(status, order, 0, error);
  assert(from <= last);
  for (; k <= last && status == BPERC_OK; k++) {
    if (k > from)
      status = advance_order(&f, &now, &own, order->weight[k - 1],
                             order->value[k - 1]);
    steps[k - from] = (bperc_exact_step){.fixed = k};
    if (status == BPERC_OK)
      status = measure_order_step(&f, now, &steps[k - from]);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  bperc_solutions_free(own);
  full_clear(&f);
  return status == BPERC_OK ? status
                            : explain_step(status, order, k - 1, error);
}
