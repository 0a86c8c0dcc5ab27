/* Random streams: counter-based (Random123, threefry4x64), keyed by seed,
 * purpose and index.
 *
 * Two streams with different keys are independent, and a stream is a value:
 * copying it copies the position. Nothing depends on threads or on the order
 * in which streams are made. The list of purposes only grows: a changed use of
 * a stream gets a new purpose, because a seed is a promise.
 */
#ifndef BPERC_STREAM_H
#define BPERC_STREAM_H

#include "bperc/status.h"

#include <stddef.h>
#include <stdint.h>

BPERC_C_BEGIN

typedef enum {
  BPERC_FOR_PATTERNS = 1, /* inputs of a random instance, index = pattern */
  BPERC_FOR_LABELS = 2,
  BPERC_FOR_SBPI = 3,
  BPERC_FOR_ECP = 4,
  BPERC_FOR_RBP = 5,
  BPERC_FOR_WALK = 6,
  BPERC_FOR_BP_START = 7, /* initial messages */
  BPERC_FOR_SAMPLE = 8,   /* choosing a sample of weights or solutions */
  BPERC_FOR_EMBED = 9,
  BPERC_FOR_TRIAL = 10, /* seeds of the trials of a measurement */
  BPERC_FOR_TASK = 11,  /* seeds of the tasks of a sweep */
  BPERC_FOR_TEST = 12,
  BPERC_FOR_DECIMATE = 13,
  BPERC_FOR_THINNING = 14, /* ones that stay, index = pattern */
  BPERC_FOR_FOLDS = 15,    /* parts of a cross-validation */
  BPERC_FOR_WALK_DRAWN = 40,
  BPERC_FOR_LEAST_ERRORS = 46, /* local search before branch and bound */
  BPERC_FOR_ENUMERATE = 47,    /* samples of solutions */
  BPERC_FOR_JUDGES = 50,       /* exchanges of a test, made-up results */
  BPERC_FOR_TEACHER = 41,      /* planted weights */
  BPERC_FOR_NOISE = 42, /* inputs of copies drawn again, index = pattern */
  BPERC_FOR_PROTOTYPES = 43,
  BPERC_FOR_SOURCE = 44,    /* linear functions of a low-dimensional source */
  BPERC_FOR_RETRIEVAL = 45, /* noise on stored patterns */
  BPERC_FOR_RESTART = 60,   /* seeds and first weights of restarts */
  BPERC_FOR_ROWS = 61,      /* rows drawn from a data file, index = trial */
  BPERC_FOR_MERGED = 70,    /* samples of solutions by merged states */
  BPERC_FOR_AMP = 62,       /* margins and flips, index = round */
} bperc_purpose;

typedef struct {
  uint64_t key[4]; /* seed, purpose, index, 0 */
  uint64_t block;  /* counter of the next block of four words */
  uint64_t buffer[4];
  unsigned used; /* words of buffer already given out */
} bperc_stream;

/* The stream of a key, at its beginning; and its next word, uniform. */
BPERC_API bperc_stream bperc_stream_make(uint64_t seed, bperc_purpose purpose,
                                         uint64_t index);
BPERC_API uint64_t bperc_stream_u64(bperc_stream *s);
/* Uniform on [0, 1), 53 bits. */
BPERC_API double bperc_stream_double(bperc_stream *s);
/* Uniform on 0 .. n-1 without bias; n > 0. */
BPERC_API uint64_t bperc_stream_below(bperc_stream *s, uint64_t n);
/* A uniform permutation of items in place. */
BPERC_API void bperc_stream_shuffle(bperc_stream *s, uint32_t *items, size_t n);
/* Independent bits, one with probability p (exact to 2^-32); padding is 0. */
BPERC_API void bperc_stream_bernoulli(bperc_stream *s, double p,
                                      uint64_t *words, size_t bits);
/* A seed derived from a seed: trial `index` of a measurement. */
BPERC_API uint64_t bperc_stream_seed(uint64_t seed, bperc_purpose purpose,
                                     uint64_t index);

BPERC_C_END

#endif
