/* The order in which decimation fixes weights, for measurements along it. */
#ifndef BPERC_MEASURE_DECIMATED_H
#define BPERC_MEASURE_DECIMATED_H

#include "bperc/bpd.h"
#include "bperc/decimate.h"

/* Decimation guided by belief propagation to its end; uniform: NULL, or the
 * seed of uniform decimation. Nothing to clear after a failure. */
bperc_status bperc_i_order_bpd(const bperc_instance *in,
                               const bperc_bpd_options *options, uint64_t seed,
                               const uint64_t *uniform, bperc_order *out,
                               bperc_error *error);

/* The solutions that agree with the first `fixed` weights of an order (NULL is
 * fine with none); not complete when there are more than `most`. */
bperc_status bperc_i_order_list(const bperc_instance *in, const bperc_order *o,
                                size_t fixed, int64_t most,
                                bperc_solutions **out, bperc_error *error);

/* Parts of equal length of an order of n weights: their middles, from 0 to 1,
 * and the means of a number per place of the order; NAN for an empty part. */
void bperc_i_bins_middle(double *out, size_t bins);
void bperc_i_bins_mean(const double *along, size_t n, double *out, size_t bins);

#endif
