/* A local search among undecided weights: amp_polish.h. */
#include "solver/amp_polish.h"

#include "base/alloc.h"
#include "bperc/stream.h"

#include <float.h>
#include <math.h>

#define MOST 128 /* weights that may move */

bperc_status bperc_i_polish_init(bperc_i_polish *p, const bperc_instance *in) {
  *p = (bperc_i_polish){.in = in, .most = in->n < MOST ? in->n : MOST};
  p->site = bperc_i_alloc(p->most, sizeof *p->site);
  p->size = bperc_i_alloc(p->most, sizeof *p->size);
  if (p->site && p->size &&
      bperc_i_flip_search_init(&p->search, p->most, bperc_instance_all(in)) ==
          BPERC_OK)
    return BPERC_OK;
  bperc_i_polish_clear(p);
  return BPERC_E_MEMORY;
}

void bperc_i_polish_clear(bperc_i_polish *p) {
  bperc_i_flip_search_clear(&p->search);
  bperc_i_free(p->site);
  bperc_i_free(p->size);
  *p = (bperc_i_polish){0};
}

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

void bperc_i_polish_run(bperc_i_polish *p, uint64_t round, size_t flips,
                        const uint64_t *weights, double *fields) {
  bperc_stream stream = bperc_stream_make(2, BPERC_FOR_AMP, round);
  choose_sites(p, fields);
  if (!bperc_i_flip_search_load(&p->search, p->in, weights, p->site, p->count,
                                fields) ||
      !bperc_i_flip_search_run(&p->search, flips, &stream, NULL))
    return;
  for (size_t k = 0; k < p->count; k++) {
    double *h = &fields[p->site[k]];
    *h = copysign(fmax(fabs(*h), DBL_MIN), p->search.best[k] ? 1 : -1);
  }
}
