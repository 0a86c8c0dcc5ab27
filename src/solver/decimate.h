/* The loop of decimation, driven by whoever knows marginals given the weights
 * fixed so far: exact ones below, those of belief propagation in bpd.c. */
#ifndef BPERC_SOLVER_DECIMATE_H
#define BPERC_SOLVER_DECIMATE_H

#include "bperc/decimate.h"

/* Where marginals come from. Functions get `state`. */
typedef struct {
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
} bperc_i_marginals;

typedef struct bperc_i_decimation bperc_i_decimation;

/* Borrows in; takes the source and destroys it, also on failure. */
bperc_status bperc_i_decimation_new(const bperc_instance *in,
                                    bperc_i_marginals source,
                                    bperc_i_decimation **out);
/* Uniform decimation from the next step on, with a random stream of its own. */
void bperc_i_decimation_uniform(bperc_i_decimation *d, uint64_t seed);
/* outcome: BPERC_RUNNING, BPERC_SOLVED, BPERC_EXHAUSTED when all weights are
 * fixed and some pattern is violated, or what the source said. */
bperc_status bperc_i_decimation_step(bperc_i_decimation *d,
                                     bperc_progress *outcome);
/* What was fixed so far; borrowed. */
bperc_order *bperc_i_decimation_order(bperc_i_decimation *d);
void bperc_i_decimation_free(bperc_i_decimation *d); /* NULL is fine */

/* Exact marginals of a list, which is borrowed until destroyed. */
bperc_status bperc_i_marginals_exact(const bperc_solutions *s,
                                     bperc_i_marginals *out);

#endif
