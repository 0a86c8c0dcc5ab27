/* Fewer errors by single flips and exchanges of weights.
 *
 * The cost of a pattern grows with how far it is violated, and one on the edge
 * costs a little. A random flip, or an exchange of a 1 and a 0, is kept unless
 * the cost rises. */
#ifndef BPERC_ANALYSIS_DESCEND_H
#define BPERC_ANALYSIS_DESCEND_H

#include "bperc/instance.h"

/* Changes the weights (n bits) where it finds fewer errors than they leave.
 * Instances of more than 2^24 inputs in all are left alone. */
bperc_status bperc_i_descend(const bperc_instance *in, uint64_t seed,
                             uint64_t *weights);

#endif
