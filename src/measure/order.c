/* Decimation to its end, and what it fixed when. */
#include "measure/order.h"

#include "base/alloc.h"
#include "bperc/decimate.h"

#include <math.h>
#include <string.h>

static bperc_status order_new(size_t n, bperc_i_order *o, bperc_error *error) {
  *o = (bperc_i_order){.n = n};
  o->weight = bperc_i_calloc(n, sizeof *o->weight);
  o->value = bperc_i_calloc(n, sizeof *o->value);
  o->log_z = bperc_i_calloc(n, sizeof *o->log_z);
  if (o->weight && o->value && o->log_z)
    return BPERC_OK;
  bperc_i_order_clear(o);
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for %zu weights", n);
}

void bperc_i_order_clear(bperc_i_order *o) {
  bperc_i_free(o->weight);
  bperc_i_free(o->value);
  bperc_i_free(o->log_z);
  *o = (bperc_i_order){0};
}

static void copy_bpd(const void *s, bperc_i_order *o) {
  const bperc_bpd_record *r = bperc_bpd_records(s, &o->fixed);
  for (size_t k = 0; k < o->fixed; k++) {
    o->weight[k] = r[k].weight;
    o->value[k] = r[k].value;
    o->log_z[k] = r[k].log_z;
    o->unconverged += !r[k].converged;
  }
}

bperc_status bperc_i_order_bpd(const bperc_instance *in,
                               const bperc_bpd_options *options, uint64_t seed,
                               const uint64_t *uniform, bperc_i_order *o,
                               bperc_error *error) {
  void *s = NULL;
  bperc_progress progress = BPERC_RUNNING;
  bperc_status status = order_new(in->n, o, error);
  if (status == BPERC_OK)
    status =
        bperc_solver_create(&bperc_bpd_class, in, options, seed, 1, &s, error);
  if (status == BPERC_OK && uniform)
    bperc_bpd_uniform(s, *uniform);
  while (status == BPERC_OK && progress == BPERC_RUNNING) {
    progress = bperc_bpd_class.step(s);
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  if (status == BPERC_OK) {
    copy_bpd(s, o);
    o->solved = progress == BPERC_SOLVED;
  } else
    bperc_i_order_clear(o);
  bperc_bpd_class.destroy(s);
  return status;
}

static void copy_exact(const bperc_decimation *d, bperc_i_order *o) {
  bperc_decimation_view v;
  bperc_decimation_look(d, &v);
  o->fixed = v.fixed;
  for (size_t k = 0; k < v.fixed; k++) {
    o->weight[k] = v.order[k];
    o->value[k] = v.values[k];
    o->log_z[k] = NAN;
  }
}

bperc_status bperc_i_order_exact(const bperc_instance *in,
                                 const bperc_solutions *all,
                                 const uint64_t *uniform, bperc_i_order *o,
                                 bperc_error *error) {
  bperc_marginals source;
  bperc_decimation *d = NULL;
  bperc_progress progress = BPERC_RUNNING;
  bperc_status status = order_new(in->n, o, error);
  if (status != BPERC_OK)
    return status;
  status = bperc_marginals_exact(all, &source);
  if (status == BPERC_OK)
    status = bperc_decimation_new(in, source, &d);
  if (status == BPERC_OK && uniform)
    bperc_decimation_uniform(d, *uniform);
  while (status == BPERC_OK && progress == BPERC_RUNNING)
    status = bperc_cancelled() ? BPERC_E_INTERRUPTED
                               : bperc_decimation_step(d, &progress);
  if (status == BPERC_OK) {
    copy_exact(d, o);
    o->solved = progress == BPERC_SOLVED;
  } else {
    bperc_i_order_clear(o);
    bperc_error_set(error, status, "exact decimation failed");
  }
  bperc_decimation_free(d);
  return status;
}

bperc_status bperc_i_order_list(const bperc_instance *in,
                                const bperc_i_order *o, size_t fixed,
                                int64_t most, bperc_solutions **out,
                                bperc_error *error) {
  bperc_exact_options options;
  int8_t *values = bperc_i_alloc(in->n, sizeof *values);
  bperc_status status;
  *out = NULL;
  if (!values)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for weights");
  memset(values, -1, in->n);
  for (size_t k = 0; k < fixed; k++)
    values[o->weight[k]] = (int8_t)o->value[k];
  bperc_options_default(bperc_exact_option_table(), &options);
  options.limit = most;
  status = bperc_exact_list(in, values, &options, 1, NULL, out, error);
  bperc_i_free(values);
  return status;
}

/* ---- bins */

void bperc_i_bins_middle(double *out, size_t bins) {
  for (size_t b = 0; b < bins; b++)
    out[b] = ((double)b + 0.5) / (double)bins;
}

void bperc_i_bins_mean(const double *along, size_t n, double *out,
                       size_t bins) {
  for (size_t b = 0; b < bins; b++) {
    size_t from = b * n / bins, to = (b + 1) * n / bins;
    double sum = 0;
    for (size_t k = from; k < to; k++)
      sum += along[k];
    out[b] = to > from ? sum / (double)(to - from) : NAN;
  }
}
