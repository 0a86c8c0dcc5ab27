/* Measures of a solution space: space.h. */
#include "cli_space.h"

#include <math.h>
#include <stdlib.h>

void cli_space_clear(cli_space *x) {
  bperc_clusters_free(x->c);
  bperc_clusters_free(x->full.c);
  bperc_solutions_free(x->full.s);
  bperc_free(x->full.origin);
  bperc_free(x->frozen);
  bperc_free(x->marginals);
  bperc_free(x->correlations);
  bperc_free(x->overlaps);
  bperc_free(x->entropy);
  bperc_free(x->near);
  bperc_free(x->distances);
  bperc_free(x->around);
}

/* ---- the full space */

/* Where the solutions of the part are in the whole. */
static bperc_status find_origins(cli_space *x) {
  uint64_t *weights = bperc_calloc(x->in->n / 64 + 1, sizeof *weights);
  x->full.origin = bperc_alloc(x->s->count + 1, sizeof *x->full.origin);
  bperc_status status = weights && x->full.origin ? BPERC_OK : BPERC_E_MEMORY;
  for (size_t k = 0; k < x->s->count && status == BPERC_OK; k++) {
    bperc_solutions_weights(x->s, k, weights);
    x->full.origin[k] = (uint32_t)bperc_solutions_find(x->full.s, weights);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  bperc_free(weights);
  return status;
}

/* Lists the full space of a part, unless that would cost too much. */
static bperc_status list_full(cli_space *x, const bperc_exact_options *search,
                              unsigned threads, bperc_error *error) {
  bperc_exact_options options = *search;
  if (!x->partial || !x->s->complete)
    return BPERC_OK;
  if (!x->wish->full) {
    if (x->in->n > CLI_SPACE_FULL_WEIGHTS)
      return BPERC_OK;
    options.limit = CLI_SPACE_FULL_SOLUTIONS;
  }
  bperc_status status = bperc_exact_list(
      x->in, &options, &(bperc_space_options){.threads = threads}, &x->full.s,
      error);
  if (status == BPERC_OK && !x->full.s->complete) {
    bperc_solutions_free(x->full.s);
    x->full.s = NULL;
  }
  if (status != BPERC_OK || !x->full.s)
    return status;
  status = bperc_clusters_within(x->full.s, (size_t)x->wish->flips, &x->full.c);
  return cli_measured(status == BPERC_OK ? find_origins(x) : status, error);
}

/* The list around whose solutions neighbours are counted; NULL: not known. */
static const bperc_solutions *whole(const cli_space *x) {
  return x->partial ? x->full.s : x->s;
}

/* ---- one measure after the other */

static bperc_status measure_near(cli_space *x) {
  size_t most = (size_t)x->wish->distance;
  const bperc_solutions *s = whole(x);
  if (most == 0 || !s || (!x->wish->full && s->count > CLI_SPACE_LOCAL))
    return BPERC_OK;
  x->near = bperc_alloc(s->count + 1, (most + 1) * sizeof *x->near);
  x->entropy = bperc_alloc(most + 1, sizeof *x->entropy);
  if (!x->near || !x->entropy)
    return BPERC_E_MEMORY;
  bperc_status status =
      bperc_solutions_near(s, most, BPERC_NEAR_CHOOSE, x->near);
  if (status == BPERC_OK)
    bperc_near_entropy(x->near, most, x->in->n, x->full.origin, x->s->count,
                       x->entropy);
  return status;
}

static bperc_status measure_clusters(cli_space *x) {
  bperc_status status =
      bperc_clusters_within(x->s, (size_t)x->wish->flips, &x->c);
  if (status != BPERC_OK)
    return status;
  x->frozen = bperc_alloc(x->c->count + 1, sizeof *x->frozen);
  status =
      x->frozen ? bperc_clusters_frozen(x->c, x->s, x->frozen) : BPERC_E_MEMORY;
  if (status != BPERC_OK)
    return status;
  const bperc_clusters *c = x->partial ? x->full.c : x->c;
  x->k_index =
      c ? bperc_clusters_k_index(c, x->in->n, x->full.origin, x->s->count)
        : NAN;
  if (x->wish->overlaps == 0)
    return BPERC_OK;
  x->shown = (size_t)x->wish->overlaps;
  if (x->shown > x->c->count)
    x->shown = x->c->count;
  x->overlaps = bperc_alloc(x->shown * x->shown + 1, sizeof *x->overlaps);
  if (!x->overlaps)
    return BPERC_E_MEMORY;
  return bperc_clusters_overlaps(x->c, x->s, x->shown, x->overlaps);
}

static bperc_status measure_moments(cli_space *x) {
  size_t n = x->s->columns;
  uint64_t ones[128];
  x->marginals = bperc_alloc(n + 1, sizeof *x->marginals);
  x->correlations = bperc_alloc(n * n + 1, sizeof *x->correlations);
  if (!x->marginals || !x->correlations)
    return BPERC_E_MEMORY;
  if (x->wish->full || x->wish->correlations ||
      x->s->count <= CLI_SPACE_CORRELATED)
    return bperc_solutions_moments(x->s, &x->moments, x->marginals,
                                   x->correlations);
  x->moments = (bperc_moments){NAN, NAN, NAN, NAN};
  bperc_solutions_ones(x->s, ones);
  for (size_t j = 0; j < n; j++)
    x->marginals[j] = (double)ones[j] / (double)x->s->count;
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}

bperc_status cli_space_measure(cli_space *x, const bperc_exact_options *search,
                               unsigned threads, bperc_error *error) {
  x->distances = bperc_calloc(x->in->n + 2, sizeof *x->distances);
  if (!x->distances)
    return cli_measured(BPERC_E_MEMORY, error);
  bperc_status status = list_full(x, search, threads, error);
  if (status != BPERC_OK)
    return status;
  status = measure_moments(x);
  if (status == BPERC_OK)
    status = measure_clusters(x);
  if (status == BPERC_OK)
    status = measure_near(x);
  if (status == BPERC_OK && x->wish->pairs)
    status = bperc_solutions_distances(x->s, BPERC_NEAR_CHOOSE, x->distances);
  return cli_measured(status, error);
}
