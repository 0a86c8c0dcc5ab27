/* Decimation to its end, and what it fixed when. */
#include "lab/measure/decimated.h"

#include "lab/base/memory.h"

#include <math.h>
#include <string.h>

bperc_status bperc_i_order_bpd(const bperc_instance *in,
                               const bperc_bpd_options *options, uint64_t seed,
                               const uint64_t *uniform, bperc_order *o,
                               bperc_error *error) {
  bperc_run_options how = {.seed = seed, .threads = 1};
  bperc_solver *s = NULL;
  bperc_progress progress = BPERC_RUNNING;
  bperc_bpd_options own = *options;
  bperc_status status;
  if (uniform) {
    own.uniform = 1;
    own.uniform_seed = (int64_t)*uniform;
  }
  status = bperc_solver_new(&bperc_bpd_class, in, &own, &how, &s, error);
  *o = (bperc_order){0};
  while (status == BPERC_OK && progress == BPERC_RUNNING) {
    progress = bperc_solver_step(s);
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  if (status == BPERC_OK &&
      bperc_order_copy(bperc_bpd_order(bperc_bpd_of(s)), o))
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for %zu weights",
                             in->n);
  bperc_solver_free(s);
  return status;
}

bperc_status bperc_i_order_list(const bperc_instance *in, const bperc_order *o,
                                size_t fixed, int64_t most,
                                bperc_solutions **out, bperc_error *error) {
  bperc_exact_options options;
  int8_t *values = bperc_alloc(in->n, sizeof *values);
  bperc_status status;
  *out = NULL;
  if (!values)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for weights");
  if (fixed)
    bperc_order_hold(o, fixed, values);
  bperc_options_default(bperc_exact_option_table(), &options);
  options.limit = most;
  status = bperc_exact_list(
      in, &options,
      &(bperc_space_options){.fixed = fixed ? values : NULL, .threads = 1}, out,
      error);
  bperc_free(values);
  return status;
}

/* ---- bins */

void bperc_i_put_bins(bperc_i_probe *t, const char *name, const double *along,
                      size_t n, double *room, size_t bins) {
  for (size_t b = 0; b < bins; b++) {
    size_t from = b * n / bins, to = (b + 1) * n / bins;
    double sum = 0;
    for (size_t k = from; along && k < to; k++)
      sum += along[k];
    room[b] = !along      ? ((double)b + 0.5) / (double)bins
              : to > from ? sum / (double)(to - from)
                          : NAN;
  }
  bperc_i_put_all(t, name, room, bins);
}
