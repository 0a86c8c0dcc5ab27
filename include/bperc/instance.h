/* A perceptron problem: m patterns of n inputs with labels, and a threshold.
 *
 * A weight is a bit b_i; its value is v_i = b_i or, for the kind "pm",
 * v_i = 2 b_i - 1. Inputs x_i are 0/1 or signed (-1, 0, +1). Label 1 wants
 * sum x_i v_i above theta + kappa, label 0 at most theta - kappa, with
 * theta = n/a [BZ section 2] or given directly. When such a level is an integer
 * a sum can sit on it; what that means is the tie rule.
 *
 * All of that ends in one integer per pattern, `bound`, on the number of hits
 *
 *   0/1 inputs:     s = #{i : x_i = 1 and b_i = 1}
 *   signed inputs:  s = #{i : x_i != 0 and b_i = [x_i > 0]}
 *
 * Label 1 holds iff s >= bound, label 0 iff s <= bound: no solver looks at
 * thresholds, ties or kinds of weights. docs/model.md has the formulas.
 *
 * With a band K label 1 wants |sum - theta| <= K and label 0 wants it larger
 * (the symmetric perceptron): two integers per pattern, low <= s <= high for
 * label 1, s outside of that for label 0.
 * Instances are immutable once built and may be shared by threads.
 */
#ifndef BPERC_INSTANCE_H
#define BPERC_INSTANCE_H

#include "bperc/status.h"
#include "bperc/stream.h"

#include <stddef.h>
#include <stdint.h>

BPERC_C_BEGIN

typedef enum {
  BPERC_TIES_ZERO,   /* a tie is output 0: the literal model */
  BPERC_TIES_STRICT, /* a tie satisfies neither label */
  BPERC_TIES_EITHER, /* a tie satisfies both labels */
} bperc_ties;

typedef enum {
  BPERC_WEIGHTS_01, /* values 0 and 1 */
  BPERC_WEIGHTS_PM, /* values -1 and +1 */
} bperc_weight_kind;

typedef enum {
  BPERC_INPUTS_01,     /* 0 or 1 */
  BPERC_INPUTS_PM,     /* -1 or +1, none is 0 */
  BPERC_INPUTS_SIGNED, /* -1, 0 or +1 */
} bperc_input_kind;

/* What a problem is besides its patterns. All zero but a: the paper's model.
 * Levels theta + kappa and theta - kappa within 1e-9 (relative) of an integer
 * are that integer: with n = 7, a = 0.7 a sum of 10 is a tie. */
typedef struct {
  double a;     /* threshold n/a; 0: theta is given */
  double theta; /* the threshold itself; looked at when a is 0 */
  double kappa; /* margin of stability, >= 0 */
  bperc_ties ties;
  bperc_weight_kind weights;
  bperc_input_kind inputs;
  double band; /* above 0: label 1 wants |sum - theta| <= band, label 0 more;
                  ties and kappa are not used */
} bperc_model;

/* Patterns spread over processes, each of which has some of them one after
 * another. All processes make the same calls in the same order; these two
 * return when all have made them. */
enum { BPERC_MOST_RANKS = 1024 };
typedef struct bperc_spread {
  size_t m, first; /* patterns of the whole problem; the first one here */
  int rank, size;
  /* Every number becomes its sum over processes. */
  void (*sum)(int64_t *numbers, size_t count);
  /* Process r has filled the bytes at[r] to at[r + 1] - 1: all get all. */
  void (*gather)(void *all, const size_t *at);
} bperc_spread;

typedef struct bperc_instance {
  size_t n, m;            /* weights, patterns */
  double a, theta, kappa; /* a is 0 when theta was given directly */
  bperc_ties ties;
  bperc_weight_kind weights;
  bperc_input_kind inputs;
  size_t words;       /* 64-bit words per pattern; padding bits are 0 */
  uint64_t *patterns; /* m * words, bit i of a row is 1 where x_i = +1 */
  uint64_t *support;  /* m * words, bit i of a row is 1 where x_i != 0; NULL
                         unless inputs is BPERC_INPUTS_SIGNED */
  uint8_t *labels;    /* m times 0 or 1 */
  /* Least hits of label 1, most hits of label 0, see bperc_instance_bound. */
  int64_t label_bound[2]; /* of all patterns of a label */
  int64_t *bound;         /* m, where patterns of a label differ in theirs:
                             signed inputs or weights pm, not both; or low of
                             a band; else NULL */
  double band;            /* 0: none */
  int64_t *upper;         /* m with a band: high; else NULL */
  size_t outside;         /* patterns that want to be outside of the band */
  struct bperc_instance *split; /* with a band: the same problem as 2 m patterns
                                   of one bound each, while none wants to be
                                   outside; else NULL */
  const bperc_spread *spread;   /* NULL: all patterns are here. Borrowed */
} bperc_instance;

/* Largest sizes accepted anywhere: keeps every product inside 64 bits, and
 * sizes inside size_t where that has 32. */
#define BPERC_MOST_WEIGHTS ((size_t)1 << (sizeof(size_t) > 4 ? 32 : 28))
#define BPERC_MOST_PATTERNS ((size_t)1 << (sizeof(size_t) > 4 ? 32 : 28))

/* All patterns and labels zero. Fill them, then bperc_instance_update_bounds. m
 * may be 0. On failure *out is NULL. Random ones: bperc/ensemble.h. */
BPERC_API bperc_status bperc_instance_new(size_t n, size_t m,
                                          const bperc_model *model,
                                          bperc_instance **out,
                                          bperc_error *error);
/* Computes the bounds: after patterns or labels were written. */
BPERC_API void bperc_instance_update_bounds(bperc_instance *in);
BPERC_API void bperc_instance_free(bperc_instance *in); /* NULL is fine */

/* Arrays of bytes: input i of pattern mu is values[mu * row + i * step], its
 * label labels[mu * label_step]. */
typedef struct {
  const int8_t *values; /* 0/1 or -1, 0, 1 */
  ptrdiff_t row, step;
  const int8_t *labels; /* 0/1 or -1/+1; NULL: all 0 */
  ptrdiff_t label_step; /* 0: 1 */
} bperc_bytes;

/* Copies them; the kind of inputs is what they are, not what the model says. On
 * failure *out is NULL. */
BPERC_API bperc_status bperc_instance_from_bytes(size_t n, size_t m,
                                                 const bperc_bytes *bytes,
                                                 const bperc_model *model,
                                                 bperc_instance **out,
                                                 bperc_error *error);

/* Bit vectors, weights among them: bit i is bit i%64 of word i/64, the padding
 * of the last of the (n + 63)/64 words is 0. */
static inline int bperc_bit_get(const uint64_t *bits, size_t i) {
  return (int)(bits[i / 64] >> (i % 64) & 1);
}
static inline void bperc_bit_set(uint64_t *bits, size_t i, int value) {
  uint64_t one = (uint64_t)1 << (i % 64);
  bits[i / 64] = value ? bits[i / 64] | one : bits[i / 64] & ~one;
}
/* n bytes into bits: 1 where a byte is above 0 (so -1/+1 are weights too). */
BPERC_API void bperc_bits_pack(const int8_t *values, size_t n, uint64_t *bits);
/* n bits into bytes 0/1. */
BPERC_API void bperc_bits_unpack(const uint64_t *bits, size_t n,
                                 int8_t *values);

/* What an instance is besides its patterns. */
BPERC_API bperc_model bperc_instance_model(const bperc_instance *in);
/* Changes that, of an instance that nobody else uses yet; the kind of inputs
 * is in the patterns and stays. */
BPERC_API bperc_status bperc_instance_set_model(bperc_instance *in,
                                                const bperc_model *model,
                                                bperc_error *error);
BPERC_API void bperc_instance_set_ties(bperc_instance *in, bperc_ties ties);

/* Patterns of the whole problem: m, or those of all processes. */
static inline size_t bperc_instance_all(const bperc_instance *in) {
  return in->spread ? in->spread->m : in->m;
}

/* Keeps the patterns from spread->first on, `count` of them, and gives back the
 * memory of the others. bperc_amp_class solves such an instance, together with
 * the other processes; other functions see the patterns that are here. */
BPERC_API bperc_status bperc_instance_spread(bperc_instance *in,
                                             const bperc_spread *spread,
                                             size_t count, bperc_error *error);

/* All patterns of another instance but `count` from `first` on; borrows
 * nothing. */
BPERC_API bperc_status bperc_instance_without(const bperc_instance *in,
                                              size_t first, size_t count,
                                              bperc_instance **out,
                                              bperc_error *error);

/* Every 1 of the patterns stays with probability keep: of a random instance
 * one with f_in times keep, with the same labels. */
BPERC_API bperc_status bperc_instance_thin(const bperc_instance *in,
                                           double keep, uint64_t seed,
                                           bperc_instance **out,
                                           bperc_error *error);

/* "zero", "strict", "either"; "01", "pm"; "01", "pm", "signed"; constant. */
BPERC_API const char *bperc_ties_name(bperc_ties ties);
BPERC_API const char *bperc_weights_name(bperc_weight_kind weights);
BPERC_API const char *bperc_inputs_name(bperc_input_kind inputs);

/* The bits of pattern mu; borrowed from the instance. */
static inline const uint64_t *bperc_instance_pattern(const bperc_instance *in,
                                                     size_t mu) {
  return in->patterns + mu * in->words;
}

/* The bound on the hits of pattern mu. */
static inline int64_t bperc_instance_bound(const bperc_instance *in,
                                           size_t mu) {
  return in->bound ? in->bound[mu] : in->label_bound[in->labels[mu]];
}

/* Which hits of pattern mu are inside: with a band those of label 1, else those
 * that its label allows. */
static inline int64_t bperc_instance_low(const bperc_instance *in, size_t mu) {
  return in->upper || in->labels[mu] ? bperc_instance_bound(in, mu) : INT64_MIN;
}
static inline int64_t bperc_instance_high(const bperc_instance *in, size_t mu) {
  return in->upper        ? in->upper[mu]
         : in->labels[mu] ? INT64_MAX
                          : bperc_instance_bound(in, mu);
}

/* Input i of pattern mu: -1, 0 or 1. */
static inline int bperc_instance_input(const bperc_instance *in, size_t mu,
                                       size_t i) {
  if (bperc_bit_get(bperc_instance_pattern(in, mu), i))
    return 1;
  if (in->inputs == BPERC_INPUTS_01 ||
      (in->support && !bperc_bit_get(in->support + mu * in->words, i)))
    return 0;
  return -1;
}

/* The inputs of pattern mu that are not 0: n of them when all are -1/+1, else
 * the ones of its row. */
BPERC_API size_t bperc_instance_degree(const bperc_instance *in, size_t mu);
/* Hits of pattern mu under weights, a bit vector of n bits. */
BPERC_API int64_t bperc_instance_hits(const bperc_instance *in, size_t mu,
                                      const uint64_t *weights);
/* sums[mu] = sum_i x_i v_i for all m patterns. */
BPERC_API void bperc_instance_sums(const bperc_instance *in,
                                   const uint64_t *weights, int64_t *sums);
/* The output at this sum: 1 above the threshold, with a band 1 inside; margin
 * and tie rule play no part. */
static inline int bperc_instance_says(const bperc_instance *in, int64_t sum) {
  double off = (double)sum - in->theta;
  return in->band > 0 ? off <= in->band && -off <= in->band : off > 0;
}
/* labels[mu]: the output of pattern mu. */
BPERC_API void bperc_instance_predict(const bperc_instance *in,
                                      const uint64_t *weights, uint8_t *labels);

/* Contradictions that need no search: a label-1 pattern whose inputs are fewer
 * than its bound, a label-0 pattern with a bound below 0, one input with both
 * labels. */
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

/* The plain verifier: integer sums, no kernel, no solver code. */
typedef struct {
  size_t errors;      /* violated patterns */
  int64_t min_margin; /* smallest (label 1: hits - bound; 0: bound - hits; with
                         a band: how far the hits may still move) */
} bperc_verdict;

/* weights: bit vector of n bits. violated: NULL or room for m indices. */
BPERC_API bperc_verdict bperc_verify(const bperc_instance *in,
                                     const uint64_t *weights, size_t *violated);
/* The same for integers in place of the bits: unbounded weights 0, 1, 2, ...;
 * of weights -1/+1 they are bits all the same. */
BPERC_API bperc_verdict bperc_verify_integers(const bperc_instance *in,
                                              const int32_t *weights,
                                              size_t *violated);

/* sums[mu] = sum_i x_i v_i by plain loops, v_i the values of integer weights:
 * the weight itself, or 2 w - 1 of a weight 0/1 of the kind pm. */
BPERC_API void bperc_sums_integers(const bperc_instance *in,
                                   const int32_t *weights, int64_t *sums);

/* Whether one of the patterns from .. m-1 can be stored by no weights at all:
 * its sum cannot reach the bound. unbounded: weights 0, 1, 2, ... */
BPERC_API int bperc_instance_infeasible(const bperc_instance *in, size_t from,
                                        int unbounded);

BPERC_C_END

#endif
