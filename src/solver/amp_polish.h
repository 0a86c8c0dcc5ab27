/* What is left of a round of AMP: a local search among the weights with the
 * smallest fields.
 *
 * A round ends near a solution, a few flips of weights away that were decided
 * last. A step draws a violated pattern and flips one of those weights that
 * helps it: the one that leaves the fewest violated patterns, then the least
 * violation in all, or now and then any. The others stay.
 */
#ifndef BPERC_SOLVER_AMP_POLISH_H
#define BPERC_SOLVER_AMP_POLISH_H

#include "bperc/instance.h"

typedef struct {
  const bperc_instance *in;
  size_t most;      /* weights that may move, at most */
  size_t count;     /* that do now */
  size_t rows;      /* patterns that they can violate */
  size_t stride;    /* of effect */
  uint32_t *site;   /* most: which weights */
  double *size;     /* most: |field|, ascending */
  uint8_t *now;     /* most: their bits */
  uint8_t *best;    /* most: bits with the fewest violated patterns */
  int16_t *effect;  /* most * stride: of a bit 1 instead of 0 on the slack */
  int16_t *slack;   /* stride: negative where a pattern is violated */
  uint32_t *helper; /* most: weights whose flip helps a pattern */
} bperc_i_polish;

bperc_status bperc_i_polish_init(bperc_i_polish *p, const bperc_instance *in);
void bperc_i_polish_clear(bperc_i_polish *p);

/* At most so many flips from the weights [fields > 0], with the random numbers
 * of this round. Changes signs of fields where that leaves fewer violated
 * patterns than there are. */
void bperc_i_polish_run(bperc_i_polish *p, uint64_t round, size_t flips,
                        const uint64_t *weights, double *fields);

#endif
