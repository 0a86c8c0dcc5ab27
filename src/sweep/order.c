/* Decimation to its end, and what it fixed when. */
#include "sweep/order.h"

#include "base/alloc.h"

bperc_status bperc_i_order_new(size_t n, bperc_i_order *o, bperc_error *error) {
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

static void copy(const bperc_bpd *s, bperc_i_order *o) {
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
                               bperc_i_order *o, bperc_error *error) {
  bperc_bpd *s = NULL;
  bperc_progress progress = BPERC_RUNNING;
  bperc_status status = bperc_i_order_new(in->n, o, error);
  if (status == BPERC_OK)
    status = bperc_bpd_new(in, options, seed, 1, &s, error);
  while (status == BPERC_OK && progress == BPERC_RUNNING) {
    progress = bperc_bpd_step(s);
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  if (status == BPERC_OK) {
    copy(s, o);
    o->solved = progress == BPERC_SOLVED;
  } else
    bperc_i_order_clear(o);
  bperc_bpd_free(s);
  return status;
}
