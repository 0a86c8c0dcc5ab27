/* Decimation: fix the most polarised weight at its likelier value, again and
 * again, with marginals from the exact space; those of belief propagation are
 * the solver of bperc/bpd.h.
 *
 * Step     one weight fixed: the unfixed one with the smallest min(p, 1 - p),
 *          lowest index first among equals, at 1 when p >= 1/2
 * Uniform  the other kind: any unfixed weight with equal probability, at 1 with
 *          probability p. With exact marginals it ends at a solution drawn
 *          uniformly from all [BZ section VIII]
 * Measures exact ones along any order: bperc_exact_along of bperc/exact.h
 */
#ifndef BPERC_DECIMATE_H
#define BPERC_DECIMATE_H

#include "bperc/exact.h"

BPERC_C_BEGIN

/* Exact decimation to its end, of a problem of which s has all solutions.
 * uniform: NULL, or the seed of uniform decimation. After BPERC_E_INTERRUPTED
 * *out has the weights fixed so far, after another failure nothing; clear it
 * with bperc_order_clear in any case. */
BPERC_API bperc_status bperc_decimate_exactly(const bperc_instance *in,
                                              const bperc_solutions *s,
                                              const uint64_t *uniform,
                                              bperc_order *out,
                                              bperc_error *error);

BPERC_C_END

#endif
