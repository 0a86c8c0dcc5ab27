/* Training with a margin that ends with few errors.
 *
 * A margin kappa helps on new patterns but costs training errors: weights that
 * satisfy most patterns with the margin may miss some without it. After a run
 * with the margin, runs with smaller margins begin at the best weights so far.
 * Best are the weights with the least errors at margin 0, of these the ones
 * with the fewest patterns inside the margin kappa. */
#ifndef BPERC_ANALYSIS_POLISH_H
#define BPERC_ANALYSIS_POLISH_H

#include "bperc/instance.h"

typedef struct {
  size_t errors; /* at margin 0 */
  size_t inside; /* patterns that violate the margin of the instance */
} bperc_i_quality;

int bperc_i_quality_better(const bperc_i_quality *a, const bperc_i_quality *b);

/* SBPI on an instance with a margin. least: errors that cannot be avoided; with
 * so few the work is done. whole: a small problem is searched for the fewest
 * errors. *weights: n bits, released by the caller; the best so far after
 * BPERC_E_INTERRUPTED, NULL after other failures. */
bperc_status bperc_i_polish(const bperc_instance *in, size_t least, int whole,
                            uint64_t sweeps, uint64_t seed, uint64_t **weights,
                            bperc_i_quality *quality, bperc_error *error);

#endif
