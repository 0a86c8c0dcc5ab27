/* Random walk among solutions.
 *
 * Follows  [BZ Appendix G]: from a solution, try to flip one weight after the
 *          other; accept a flip when the result is still a solution
 * Step     one sweep: every weight once, in fresh random order
 * Cost     O(N M / 64) time per sweep, plus O(f_in M) per accepted flip
 */
#ifndef BPERC_WALK_H
#define BPERC_WALK_H

#include "bperc/instance.h"

typedef struct bperc_walk bperc_walk;

/* Borrows in until bperc_walk_free; copies start, a bit vector of n bits that
 * must be a solution, else BPERC_E_ARGUMENT. On failure *out is NULL. */
BPERC_API bperc_status bperc_walk_new(const bperc_instance *in,
                                      const uint64_t *start, uint64_t seed,
                                      bperc_walk **out, bperc_error *error);
/* Returns the number of accepted flips. */
BPERC_API size_t bperc_walk_sweep(bperc_walk *w);
/* Where the walk is; borrowed until the next sweep. */
BPERC_API const uint64_t *bperc_walk_weights(const bperc_walk *w);
BPERC_API void bperc_walk_free(bperc_walk *w); /* NULL is fine */

/* All at once: weights, a solution, becomes the end of the walk. moves and
 * distance (Hamming, from the start) may be NULL. */
BPERC_API bperc_status bperc_walk_sweeps(const bperc_instance *in,
                                         uint64_t *weights, uint64_t sweeps,
                                         uint64_t seed, uint64_t *moves,
                                         size_t *distance, bperc_error *error);

#endif
