/* The order in which decimation fixes weights, for measurements along it. */
#ifndef BPERC_SWEEP_ORDER_H
#define BPERC_SWEEP_ORDER_H

#include "bperc/bpd.h"
#include "bperc/instance.h"

typedef struct {
  size_t n, fixed; /* fixed < n when decimation met a contradiction */
  int solved;
  uint32_t *weight; /* the fixed ones, in order */
  uint8_t *value;
  double *log_z;      /* Bethe, before each was fixed; NAN unless recorded */
  size_t unconverged; /* steps whose messages did not converge */
} bperc_i_order;

/* Decimation guided by belief propagation. */
bperc_status bperc_i_order_bpd(const bperc_instance *in,
                               const bperc_bpd_options *options, uint64_t seed,
                               bperc_i_order *out, bperc_error *error);
void bperc_i_order_clear(bperc_i_order *o);
/* Room for n weights. */
bperc_status bperc_i_order_new(size_t n, bperc_i_order *out,
                               bperc_error *error);

#endif
