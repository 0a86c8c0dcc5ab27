/* Exact marginals for decimation: those of a list of solutions, filtered weight
 * by weight. */
#include "solver/decimate.h"

#include "base/alloc.h"

#include <math.h>

typedef struct {
  const bperc_solutions *now;
  bperc_solutions *own; /* NULL while nothing is fixed */
} exact_source;

/* log ones/zeros, the same up to its sign when they change places. */
static double count_field(uint64_t ones, uint64_t zeros) {
  double more = (double)(ones > zeros ? ones : zeros);
  double fewer = (double)(ones > zeros ? zeros : ones);
  double h = fewer > 0 ? log(more / fewer) : INFINITY;
  return ones >= zeros ? h : -h;
}

static bperc_status marginals_of_list(void *state, double *field,
                                      double *log_count,
                                      bperc_progress *outcome) {
  exact_source *e = state;
  const bperc_solutions *s = e->now;
  uint64_t ones[128];
  *outcome = s->count ? BPERC_RUNNING : BPERC_CONTRADICTION;
  *log_count = log((double)s->count);
  for (size_t i = 0; i < s->n; i++)
    field[i] = s->fixed[i] == 1 ? INFINITY : -INFINITY;
  bperc_solutions_ones(s, ones);
  for (size_t j = 0; s->count && j < s->columns; j++)
    field[s->column[j]] = count_field(ones[j], s->count - ones[j]);
  return BPERC_OK;
}

static bperc_status fix_in_list(void *state, size_t weight, int value,
                                bperc_progress *outcome) {
  exact_source *e = state;
  bperc_solutions *next;
  *outcome = BPERC_RUNNING;
  if (e->now->fixed[weight] == value)
    return BPERC_OK;
  bperc_status status =
      bperc_solutions_filter(e->now, weight, value, &next, NULL);
  if (status != BPERC_OK)
    return status;
  bperc_solutions_free(e->own);
  e->now = e->own = next;
  if (next->count == 0)
    *outcome = BPERC_CONTRADICTION;
  return BPERC_OK;
}

static void free_list_source(void *state) {
  exact_source *e = state;
  if (e)
    bperc_solutions_free(e->own);
  bperc_i_free(e);
}

bperc_status bperc_i_marginals_exact(const bperc_solutions *s,
                                     bperc_i_marginals *out) {
  exact_source *e = bperc_i_calloc(1, sizeof *e);
  if (!e)
    return BPERC_E_MEMORY;
  e->now = s;
  *out = (bperc_i_marginals){.state = e,
                             .marginals = marginals_of_list,
                             .fix = fix_in_list,
                             .destroy = free_list_source};
  return BPERC_OK;
}
