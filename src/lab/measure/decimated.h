/* The order in which decimation fixes weights, for measurements along it. */
#ifndef BPERC_MEASURE_DECIMATED_H
#define BPERC_MEASURE_DECIMATED_H

#include "bperc/bpd.h"
#include "bperc/decimate.h"
#include "lab/measure/problem.h"

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

/* Records the means of a number per place of an order, over parts of equal
 * length, NAN for an empty one; of NULL the middles of the parts, 0 to 1. */
void bperc_i_put_bins(bperc_i_probe *t, const char *name, const double *along,
                      size_t n, double *room, size_t bins);

#endif
