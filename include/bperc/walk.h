/* Random walk among solutions.
 *
 * Follows  [BZ Appendix G]: from a solution, try to flip one weight after the
 *          other; accept a flip when the result is still a solution
 * Step     one sweep: n tries
 * Cost     O(N M / 64) time per sweep, plus O(d M) per accepted flip, d the
 *          share of non-zero inputs
 * Choices  draws with replacement instead of sweeps: docs/choices.md 29
 */
#ifndef BPERC_WALK_H
#define BPERC_WALK_H

#include "bperc/instance.h"
#include "bperc/options.h"

/* name, default, paper, meaning. A drawn value makes every solution of a
 * cluster equally likely after many steps; a shuffled sweep always flips a
 * weight that is free, so that two sweeps undo each other. */
#define BPERC_WALK_OPTIONS(X)                                                  \
  X(CHOICE, order, BPERC_WALK_DRAWN, BPERC_WALK_SHUFFLED, "drawn|shuffled",    \
    "a try draws a weight and its value, or every sweep tries to flip "        \
    "each weight once")

enum { BPERC_WALK_DRAWN, BPERC_WALK_SHUFFLED };

BPERC_OPTIONS_DECLARE(bperc_walk_options, BPERC_WALK_OPTIONS);
/* Their table; constant. */
BPERC_API bperc_option_table bperc_walk_option_table(void);

BPERC_C_BEGIN

typedef struct bperc_walk bperc_walk;

/* Borrows in until bperc_walk_free; copies start, a bit vector of n bits that
 * must be a solution, else BPERC_E_ARGUMENT. options NULL: the defaults. On
 * failure *out is NULL. */
BPERC_API bperc_status bperc_walk_new(const bperc_instance *in,
                                      const bperc_walk_options *options,
                                      const uint64_t *start, uint64_t seed,
                                      bperc_walk **out, bperc_error *error);
/* Returns the number of accepted flips. */
BPERC_API size_t bperc_walk_sweep(bperc_walk *w);
/* Where the walk is; borrowed until the next sweep. */
BPERC_API const uint64_t *bperc_walk_weights(const bperc_walk *w);
BPERC_API void bperc_walk_free(bperc_walk *w); /* NULL is fine */

typedef struct {
  uint64_t sweeps, seed;
} bperc_walk_run;

typedef struct {
  uint64_t moves;  /* accepted flips */
  size_t distance; /* Hamming, from the start */
} bperc_walk_result;

/* All at once: weights, a solution, becomes the end of the walk. out may be
 * NULL. After a failure weights and *out are as they were. */
BPERC_API bperc_status bperc_walk_sweeps(const bperc_instance *in,
                                         const bperc_walk_options *options,
                                         const bperc_walk_run *run,
                                         uint64_t *weights,
                                         bperc_walk_result *out,
                                         bperc_error *error);

BPERC_C_END

#endif
