/* What is left of a round of AMP: a local search among the weights with the
 * smallest fields.
 *
 * A round ends near a solution, a few flips of weights away that were decided
 * last. flip_search.h makes them; the other weights stay.
 */
#ifndef BPERC_SOLVER_AMP_POLISH_H
#define BPERC_SOLVER_AMP_POLISH_H

#include "solver/flip_search.h"

typedef struct {
  const bperc_instance *in;
  size_t most, count; /* weights that may move: at most, and now */
  uint32_t *site;     /* most: which weights */
  double *size;       /* most: |field|, ascending */
  bperc_i_flip_search search;
} bperc_i_polish;

bperc_status bperc_i_polish_init(bperc_i_polish *p, const bperc_instance *in);
void bperc_i_polish_clear(bperc_i_polish *p);

/* At most so many flips from the weights [fields > 0], with the random numbers
 * of this round. Changes signs of fields where that leaves fewer violated
 * patterns than there are. */
void bperc_i_polish_run(bperc_i_polish *p, uint64_t round, size_t flips,
                        const uint64_t *weights, double *fields);

#endif
