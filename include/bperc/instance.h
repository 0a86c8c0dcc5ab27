/* A perceptron problem: m patterns of n bits with labels, threshold n/A.
 *
 * Output 1 when w.xi > n/A, else 0 [BZ section 2]. When n/A is an integer a
 * sum can sit on the threshold; what that means is the tie rule, and it is
 * settled once, here, in the two integers cap and need: no solver looks at
 * ties. Instances are immutable once built and may be shared by threads.
 */
#ifndef BPERC_INSTANCE_H
#define BPERC_INSTANCE_H

#include "bperc/status.h"
#include "bperc/stream.h"

typedef enum {
  BPERC_TIES_ZERO,   /* a tie is output 0: the literal model */
  BPERC_TIES_STRICT, /* a tie satisfies neither label */
  BPERC_TIES_EITHER, /* a tie satisfies both labels */
} bperc_ties;

typedef struct bperc_instance {
  size_t n, m;     /* weights, patterns */
  double a, theta; /* theta = n/a; snapped to an integer within 1e-9 */
  bperc_ties ties;
  int64_t cap;        /* label 0 holds iff w.xi <= cap */
  int64_t need;       /* label 1 holds iff w.xi >= need */
  size_t words;       /* 64-bit words per pattern; padding bits are 0 */
  uint64_t *patterns; /* m * words, bit i of a row is xi_i */
  uint8_t *labels;    /* m times 0 or 1 */
} bperc_instance;

/* Largest sizes accepted anywhere: keeps every product inside 64 bits. */
#define BPERC_MOST_WEIGHTS ((size_t)1 << 32)
#define BPERC_MOST_PATTERNS ((size_t)1 << 32)

/* All patterns and labels zero; fill before sharing. m may be 0. */
BPERC_API bperc_status bperc_instance_new(size_t n, size_t m, double a,
                                          bperc_ties ties, bperc_instance **out,
                                          bperc_error *error);
/* Inputs are 1 with probability fin, labels are fair coins [BZ section 2].
 * Pattern mu depends on (seed, mu) alone, so a larger m extends a smaller. */
BPERC_API bperc_status bperc_instance_generate(size_t n, size_t m, double fin,
                                               double a, bperc_ties ties,
                                               uint64_t seed,
                                               bperc_instance **out,
                                               bperc_error *error);
BPERC_API void bperc_instance_free(bperc_instance *in); /* NULL is fine */

/* Changes the tie rule of an instance that nobody else uses yet. */
BPERC_API void bperc_instance_set_ties(bperc_instance *in, bperc_ties ties);

/* All patterns of another instance but `count` from `first` on; borrows
 * nothing. */
BPERC_API bperc_status bperc_instance_without(const bperc_instance *in,
                                              size_t first, size_t count,
                                              bperc_instance **out,
                                              bperc_error *error);
/* The first m patterns of another instance; borrows nothing. */
BPERC_API bperc_status bperc_instance_prefix(const bperc_instance *in, size_t m,
                                             bperc_instance **out,
                                             bperc_error *error);

/* Every 1 of the patterns stays with probability keep: of a random instance
 * one with f_in times keep, with the same labels. */
BPERC_API bperc_status bperc_instance_thin(const bperc_instance *in,
                                           double keep, uint64_t seed,
                                           bperc_instance **out,
                                           bperc_error *error);

BPERC_API const char *bperc_ties_name(bperc_ties ties);

static inline const uint64_t *bperc_instance_pattern(const bperc_instance *in,
                                                     size_t mu) {
  return in->patterns + mu * in->words;
}

/* Contradictions that need no search: a label-1 pattern with fewer than need
 * ones, one input with both labels, a cap below 0. */
typedef struct {
  size_t mu, nu; /* nu == mu unless two patterns contradict each other */
  char text[160];
} bperc_contradiction;

/* Fills at most `room` entries, returns how many there are in all; negative
 * status on lack of memory. */
BPERC_API bperc_status bperc_instance_contradictions(const bperc_instance *in,
                                                     bperc_contradiction *out,
                                                     size_t room,
                                                     size_t *count);

/* The plain verifier: integer sums bit by bit, no kernel, no solver code. */
typedef struct {
  size_t errors;      /* violated patterns */
  int64_t min_margin; /* smallest (label 1: w.xi - need; 0: cap - w.xi) */
} bperc_verdict;

/* weights: bit vector of n bits. violated: NULL or room for m indices. */
BPERC_API bperc_verdict bperc_verify(const bperc_instance *in,
                                     const uint64_t *weights, size_t *violated);
/* The same for unbounded integer weights. */
BPERC_API bperc_verdict bperc_verify_integers(const bperc_instance *in,
                                              const int32_t *weights,
                                              size_t *violated);

#endif
