/* Random instances of one kind, and trials over many of them.
 *
 * Pattern mu of an instance depends on (seed, mu) alone, so that a larger m
 * extends a smaller. Trial t of a measurement with a given seed is one fixed
 * random instance and one fixed run on it, whatever the number of threads: the
 * same seed, the same numbers. docs/model.md describes the ensembles.
 */
#ifndef BPERC_ENSEMBLE_H
#define BPERC_ENSEMBLE_H

#include "bperc/instance.h"

BPERC_C_BEGIN

/* How patterns depend on each other. */
typedef enum {
  BPERC_PATTERNS_FREE,       /* all inputs independent */
  BPERC_PATTERNS_COPIES,     /* every pattern comes `groups` times: once as it
                                is, then as copies with noise; one label */
  BPERC_PATTERNS_PROTOTYPES, /* noisy copies of `groups` prototypes, with
                                labels of their own */
  BPERC_PATTERNS_SOURCE,     /* signs of linear functions of a point in
                                `groups` dimensions, with noise */
} bperc_structure;

typedef struct {
  size_t n, m;       /* weights, patterns */
  double fin;        /* probability of an input to be 1 (+1 for inputs pm) */
  bperc_model model; /* inputs 01 or pm */
  double fout;       /* probability of label 1; 0 means 1/2 */
  int teacher;       /* labels are the outputs of planted weights */
  bperc_structure structure;
  size_t groups;              /* of the structure */
  double noise;               /* probability of an input to be drawn again */
  const bperc_instance *rows; /* patterns and labels are rows of this one, in an
                                 order drawn by the seed, at most all of them; n
                                 and the kind of inputs are its own. NULL: none.
                                 Borrowed. */
} bperc_ensemble;

/* The instance of a seed. With a teacher the planted weights solve it, unless
 * copies have noise: inputs on which the teacher's sum is not beyond its margin
 * are drawn again, and the teacher has the number of ones for which label 1 has
 * probability fout. */
BPERC_API bperc_status bperc_ensemble_draw(const bperc_ensemble *e,
                                           uint64_t seed, bperc_instance **out,
                                           bperc_error *error);
/* The teacher of that instance, a bit vector of n bits; release with
 * bperc_free. */
BPERC_API bperc_status bperc_ensemble_teacher(const bperc_ensemble *e,
                                              uint64_t seed, uint64_t **weights,
                                              bperc_error *error);
/* New patterns of the same teacher: m of them that are in no instance of this
 * seed. */
BPERC_API bperc_status bperc_ensemble_test(const bperc_ensemble *e,
                                           uint64_t seed, bperc_instance **out,
                                           bperc_error *error);
/* BPERC_E_ARGUMENT and a sentence when there is no such ensemble: f_out outside
 * (0, 1), a threshold no sum can reach, ... */
BPERC_API bperc_status bperc_ensemble_check(const bperc_ensemble *e,
                                            bperc_error *error);

/* Called after every trial, one call at a time, from any thread. */
typedef void bperc_tick(void *context, size_t done, size_t total);

/* Trials of a solver over random instances: bperc/capacity.h, bperc/solving.h.
 */
typedef struct {
  const bperc_ensemble *ensemble; /* borrowed for the call */
  size_t trials;
  uint64_t seed;
  unsigned threads; /* 0: all cores; no number depends on them */
  int warm;         /* capacity: a run continues from the last success */
  bperc_tick *tick; /* NULL: nobody is told */
  void *context;
} bperc_trials;

BPERC_C_END

#endif
