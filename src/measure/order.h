/* The order in which decimation fixes weights, for measurements along it. */
#ifndef BPERC_MEASURE_ORDER_H
#define BPERC_MEASURE_ORDER_H

#include "bperc/bpd.h"
#include "bperc/exact.h"

typedef struct {
  size_t n, fixed; /* fixed < n when decimation met a contradiction */
  int solved;
  uint32_t *weight; /* the fixed ones, in order */
  uint8_t *value;
  double *log_z;      /* Bethe, before each was fixed; NAN unless recorded */
  size_t unconverged; /* steps whose messages did not converge */
} bperc_i_order;

/* Decimation guided by belief propagation; uniform: NULL, or the seed of
 * uniform decimation. */
bperc_status bperc_i_order_bpd(const bperc_instance *in,
                               const bperc_bpd_options *options, uint64_t seed,
                               const uint64_t *uniform, bperc_i_order *out,
                               bperc_error *error);
/* Exact decimation of a problem with these solutions, all of them. */
bperc_status bperc_i_order_exact(const bperc_instance *in,
                                 const bperc_solutions *all,
                                 const uint64_t *uniform, bperc_i_order *out,
                                 bperc_error *error);
void bperc_i_order_clear(bperc_i_order *o);

/* The solutions that agree with the first `fixed` weights of an order (NULL is
 * fine with none); not complete when there are more than `most`. */
bperc_status bperc_i_order_list(const bperc_instance *in,
                                const bperc_i_order *o, size_t fixed,
                                int64_t most, bperc_solutions **out,
                                bperc_error *error);

/* Parts of equal length of an order of n weights: their middles, from 0 to 1,
 * and the means of a number per place of the order; NAN for an empty part. */
void bperc_i_bins_middle(double *out, size_t bins);
void bperc_i_bins_mean(const double *along, size_t n, double *out, size_t bins);

#endif
