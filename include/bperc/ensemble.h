/* Random instances of one kind, and trials over many of them.
 *
 * Trial t of a measurement with a given seed is one fixed random instance and
 * one fixed run on it, whatever the number of threads: the same seed, the
 * same numbers.
 */
#ifndef BPERC_ENSEMBLE_H
#define BPERC_ENSEMBLE_H

#include "bperc/instance.h"

BPERC_C_BEGIN

typedef struct {
  size_t n, m;   /* weights, patterns */
  double fin, a; /* probability of an input to be 1; threshold n/a */
  bperc_ties ties;
} bperc_ensemble;

/* Called after every trial, one call at a time, from any thread. */
typedef void bperc_tick(void *context, size_t done, size_t total);

BPERC_C_END

#endif
