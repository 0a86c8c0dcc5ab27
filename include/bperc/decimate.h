/* Decimation: fix the most polarised weight at its likelier value, again and
 * again, with marginals from belief propagation or from the exact space.
 *
 * Step     one weight fixed: the unfixed one with the smallest min(p, 1 - p),
 *          lowest index first among equals, at 1 when p >= 1/2
 * Uniform  the other kind: any unfixed weight with equal probability, at 1 with
 *          probability p. With exact marginals it ends at a solution drawn
 *          uniformly from all [BZ section VIII]
 * Source   whoever knows marginals given the weights fixed so far: exact ones
 *          below, those of belief propagation in src/solver/bpd.c, which
 *          drives this loop as the solver of bperc/bpd.h
 * Measures exact ones along any order: bperc_exact_along of bperc/exact.h
 */
#ifndef BPERC_DECIMATE_H
#define BPERC_DECIMATE_H

#include "bperc/exact.h"

BPERC_C_BEGIN

/* Where marginals come from. Functions get `state`. */
typedef struct {
  const char *name;
  void *state;
  /* Fields closer than this (relative above 1) count as equal: what their
   * source cannot tell apart. */
  double near;
  /* n fields log P(w_i = 1)/P(w_i = 0), infinite for a weight that has one
   * value only; those of fixed weights are not looked at. log_count: log of
   * the number of solutions left or its Bethe estimate, NAN when not known.
   * outcome: BPERC_RUNNING, BPERC_CONTRADICTION when nothing is left,
   * BPERC_DIVERGED when there are no marginals. */
  bperc_status (*marginals)(void *state, double *field, double *log_count,
                            bperc_progress *outcome);
  bperc_status (*fix)(void *state, size_t weight, int value,
                      bperc_progress *outcome);
  void (*destroy)(void *state); /* NULL: nothing to do */
} bperc_marginals;

typedef struct bperc_decimation bperc_decimation;

typedef struct {
  size_t n, fixed;
  const uint32_t *order; /* the weights fixed so far, in order */
  const uint8_t *values; /* their values */
  const double
      *log_count; /* before each of them; log_count[n] is 0 if solved */
  const uint64_t *weights; /* n bits: fixed values, the others 0 */
  size_t errors;           /* patterns that these weights violate */
} bperc_decimation_view;

/* Borrows in; takes the source and destroys it, also on failure. */
BPERC_API bperc_status bperc_decimation_new(const bperc_instance *in,
                                            bperc_marginals source,
                                            bperc_decimation **out);
/* Uniform decimation from the next step on, with a random stream of its own. */
BPERC_API void bperc_decimation_uniform(bperc_decimation *d, uint64_t seed);
/* outcome: BPERC_RUNNING, BPERC_SOLVED, BPERC_EXHAUSTED when all weights are
 * fixed and some pattern is violated, or what the source said. */
BPERC_API bperc_status bperc_decimation_step(bperc_decimation *d,
                                             bperc_progress *outcome);
BPERC_API void bperc_decimation_look(const bperc_decimation *d,
                                     bperc_decimation_view *out);
BPERC_API void bperc_decimation_free(bperc_decimation *d); /* NULL is fine */

/* Exact marginals of a list, which is borrowed until destroyed. */
BPERC_API bperc_status bperc_marginals_exact(const bperc_solutions *s,
                                             bperc_marginals *out);

/* Exact decimation of the space s of in to its end, and its measures: steps has
 * room for in->n + 1. fixed: how many weights got fixed, or NULL. */
BPERC_API bperc_status bperc_exact_decimation(const bperc_instance *in,
                                              const bperc_solutions *s,
                                              bperc_along full,
                                              bperc_exact_step *steps,
                                              size_t *fixed);

BPERC_C_END

#endif
