/* Belief propagation over patterns (factors) and unfixed weights.
 *
 * Solves   [BZ eqs. 16-22], Bethe entropy [BZ eqs. S1-S3]
 * Step     one parallel update of every message
 * Cost     O(E) per step, E = ones of the patterns over unfixed weights
 * Choices  docs/choices.md: Gaussian factors, small factors, convergence
 *
 * A field h is log p(1)/p(0). One number u per edge is stored: the message of
 * weight i to pattern mu is h = g_i - u, with g_i <- f H_i + (1-f) g_i and
 * u <- f h_hat + (1-f) u, which is exactly the damped update of [BZ eq. 22].
 * Fixed weights are absorbed; patterns that they decide leave the graph.
 */
#ifndef BPERC_BP_H
#define BPERC_BP_H

#include "bperc/instance.h"
#include "bperc/options.h"

BPERC_C_BEGIN

typedef struct bperc_bp bperc_bp;

typedef enum {
  BPERC_BP_AUTO,
  BPERC_BP_EXACT,
  BPERC_BP_PAPER,
  BPERC_BP_GAUSSIAN,
  BPERC_BP_CHEAP
} bperc_bp_factor_choice;
#define BPERC_BP_FACTORS "auto|exact|paper|gaussian|cheap"
typedef enum { BPERC_BP_CENTRED, BPERC_BP_PRINTED } bperc_bp_gaussian_choice;
typedef enum {
  BPERC_BP_RESIDUAL,
  BPERC_BP_ENTROPY,
  BPERC_BP_FIELDS
} bperc_bp_criterion_choice;
typedef enum { BPERC_BP_SPLIT, BPERC_BP_DAMPED } bperc_bp_update_choice;
typedef enum {
  BPERC_BP_KERNEL_AUTO,
  BPERC_BP_KERNEL_FAST,
  BPERC_BP_KERNEL_PLAIN
} bperc_bp_kernel_choice;

/* name, default, paper, low, high, meaning [symbol] */
#define BPERC_BP_OPTIONS(X)                                                    \
  X(AUTO_REAL, damping, BPERC_AUTO, 0, 1, "by size and update",                \
    "fraction of the new message kept [BZ f]")                                 \
  X(AUTO_REAL, tolerance, BPERC_AUTO, 0, 1, "by criterion and kernel",         \
    "convergence threshold")                                                   \
  X(INT, max_iterations, 4000, 4000, 1, 1e9,                                   \
    "give up after so many iterations")                                        \
  X(CHOICE, criterion, 0, 1, "residual|entropy|fields",                        \
    "largest undamped residual; change of the Bethe entropy per weight; "      \
    "mean square change of the fields")                                        \
  X(CHOICE, update, 0, 1, "split|damped",                                      \
    "uniform shift of all fields treated apart, or damping alone")             \
  X(CHOICE, factor, 0, 2, BPERC_BP_FACTORS,                                    \
    "factor update: exact up to a threshold of 57; exact; exact to "           \
    "degree 7; Gaussian; exact where it costs less than twice the "            \
    "Gaussian")                                                                \
  X(CHOICE, gaussian, 0, 1, "centred|printed",                                 \
    "threshold of the Gaussian: between integers, or N/A as printed")          \
  X(REAL, h_max, 0, 0, 0, 1000, "bound on |h_{i->mu}|; 0: none")               \
  X(CHOICE, kernel, 0, 0, "auto|fast|plain",                                   \
    "single precision vectors, or double precision; auto: plain up to "        \
    "20000 edges")                                                             \
  X(FLAG, centred, 0, 0,                                                       \
    "messages at given activity (sum of the weights), patterns centred; "      \
    "0/1 inputs only")

BPERC_OPTIONS_DECLARE(bperc_bp_options, BPERC_BP_OPTIONS);
/* Their table; constant. */
BPERC_API bperc_option_table bperc_bp_option_table(void);

/* How a call to bperc_bp_converge ended. */
typedef enum {
  BPERC_BP_BY_SPLIT,  /* uniform mode apart */
  BPERC_BP_BY_DAMPED, /* plain damping, asked for or fallen back to */
  BPERC_BP_BY_NONE,   /* did not converge: the messages are the last ones */
} bperc_bp_method;

typedef struct {
  int converged;
  int stalled; /* given up before max_iterations: the residual does not fall */
  uint64_t iterations; /* all of them, a fallback's included */
  double residual;     /* largest |H_i - g_i| over unfixed weights */
  bperc_bp_method method;
} bperc_bp_report;

/* The options in use: those that were given, with the numbers and the kernel
 * that were left to the program as chosen for this problem. Where the split
 * update fails and plain damping takes over, its damping is another one unless
 * it was given. */
BPERC_API bperc_bp_options bperc_bp_options_used(const bperc_bp *bp);
/* Options for studies of many fixed points: a tolerance that is reached
 * sooner, where the options leave it open. from may be NULL: the defaults. */
BPERC_API bperc_bp_options bperc_bp_options_for_many(
    const bperc_bp_options *from, const bperc_instance *in);

/* Messages start at random from (seed, index 0). Borrows in until free; copies
 * options (NULL: defaults). threads 0: all cores; results do not depend on
 * it. On failure *out is NULL. */
BPERC_API bperc_status bperc_bp_new(const bperc_instance *in,
                                    const bperc_bp_options *options,
                                    uint64_t seed, unsigned threads,
                                    bperc_bp **out, bperc_error *error);
BPERC_API void bperc_bp_free(bperc_bp *bp); /* NULL is fine */
/* An independent copy with the same messages and fixed weights, for so many
 * threads. */
BPERC_API bperc_status bperc_bp_clone(const bperc_bp *bp, unsigned threads,
                                      bperc_bp **out);
/* Makes *to, a clone of from's, equal to from again; allocates nothing. */
BPERC_API void bperc_bp_copy(bperc_bp *to, const bperc_bp *from);

/* Random messages, all |h| <= 1, from stream (seed, index). */
BPERC_API void bperc_bp_restart(bperc_bp *bp, uint64_t index);
/* Fixes an unfixed weight. BPERC_CONTRADICTION when a pattern cannot hold any
 * more (bperc_bp_violated names it), BPERC_SOLVED when all patterns are
 * decided and no weight is left, BPERC_RUNNING otherwise. */
BPERC_API bperc_progress bperc_bp_fix(bperc_bp *bp, size_t i, int value);
/* The first pattern that cannot hold, or m. */
BPERC_API size_t bperc_bp_violated(const bperc_bp *bp);
/* -1 for an unfixed weight, else its value. */
BPERC_API int bperc_bp_fixed(const bperc_bp *bp, size_t i);
BPERC_API size_t bperc_bp_unfixed(const bperc_bp *bp);
/* Adds exp(x w_i) to the measure. */
BPERC_API void bperc_bp_set_external(bperc_bp *bp, size_t i, double x);

/* One iteration. */
BPERC_API void bperc_bp_step(bperc_bp *bp);
/* Iterations until the criterion of the options holds. BPERC_E_INTERRUPTED
 * when cancelled. report may be NULL. */
BPERC_API bperc_status bperc_bp_converge(bperc_bp *bp, bperc_bp_report *report);
/* After a step: largest |H_i - g_i| of the messages that it started from. */
BPERC_API double bperc_bp_residual(const bperc_bp *bp);
/* n numbers; a fixed weight has its value, and a field of +-infinity. */
BPERC_API void bperc_bp_marginals(const bperc_bp *bp, double *p);
BPERC_API void bperc_bp_fields(const bperc_bp *bp, double *h);
/* Bethe entropy (log Z with external fields) of the current messages, in nats:
 * total, not divided. Leaves the messages alone. */
BPERC_API double bperc_bp_log_z(bperc_bp *bp);
/* The same per unfixed weight [BZ eq. S1]. */
BPERC_API double bperc_bp_entropy(bperc_bp *bp);

/* What the messages are worth. */
typedef enum {
  BPERC_BP_CONVERGED,
  BPERC_BP_UNCONVERGED,
  BPERC_BP_CONTRADICTION, /* no weights satisfy all patterns, or messages force
                             a weight to be both 0 and 1 */
  BPERC_BP_DOUBTFUL, /* an impossible entropy, or, centred, one outside of what
                        the approximation is good for */
} bperc_bp_outcome;
/* "converged", "unconverged", "contradiction", "doubtful" */
BPERC_API const char *bperc_bp_outcome_name(bperc_bp_outcome outcome);

typedef struct {
  bperc_bp_outcome outcome;
  double entropy;  /* Bethe entropy per unfixed weight; NAN where the outcome is
                      a contradiction or doubtful, or nothing can be said */
  double error;    /* its error: 0 on trees, measured ones if centred, NAN where
                      none is known */
  size_t violated; /* a pattern that cannot hold, m where none is known */
} bperc_bp_judgement;

/* Whether unit propagation from the fixed weights ends in a contradiction: the
 * pattern that cannot hold, else m. On trees m means that there are
 * solutions. */
BPERC_API size_t bperc_bp_contradiction(bperc_bp *bp);
/* What to make of the messages after bperc_bp_converge. Without external
 * fields. Leaves the messages alone. */
BPERC_API bperc_bp_judgement bperc_bp_judge(bperc_bp *bp,
                                            const bperc_bp_report *report);
/* Whether --centred is known to give a better entropy than plain belief
 * propagation here (docs/bp.md), by the marginals at a fixed point. */
BPERC_API int bperc_bp_centred_helps(const bperc_bp *bp);

typedef enum {
  BPERC_BP_INFLECTION, /* a reasonable decreasing inflection point */
  BPERC_BP_FLATTEST,   /* none: smallest |F''| */
  BPERC_BP_TOO_SHORT,  /* fewer than nine moments: the last one */
} bperc_bp_moment;

/* Which moment of a run that does not converge to use [BZ supplement 4]:
 * F_BP(t) at t = 0, ..., count-1; *t0 gets the moment. */
BPERC_API bperc_bp_moment bperc_bp_inflection(const double *f, size_t count,
                                              size_t *t0);

BPERC_C_END

#endif
