/* Inference by approximate message passing: what the patterns say about each
 * weight, without reinforcement.
 *
 * Solves   the equations of docs/frontier.md at rho = 0: Bayes-optimal where
 *          labels come from a teacher (docs/theory.md 8), the marginals of
 *          solutions otherwise; patterns that depend on each other are outside
 *          of what it assumes
 * Step     one iteration: two products with the pattern bits
 * Errors   of a label on a new pattern, from each pattern's own label left out
 */
#ifndef BPERC_INFERENCE_H
#define BPERC_INFERENCE_H

#include "bperc/instance.h"
#include "bperc/options.h"

BPERC_C_BEGIN

/* name, default, paper, low, high, meaning [symbol] */
#define BPERC_INFERENCE_OPTIONS(X)                                             \
  X(INT, max_iterations, 500, 500, 1, 1e9, "give up after so many iterations") \
  X(REAL, tolerance, 5e-4, 5e-4, 1e-12, 1,                                     \
    "converged when marginals change by less, root mean square; "              \
    "rounding of the products leaves about 1e-4")                              \
  X(REAL, noise, 0, 0, 0, 0.5, "probability of a wrong label, below 0.5")

BPERC_OPTIONS_DECLARE(bperc_inference_options, BPERC_INFERENCE_OPTIONS);
/* Their table; constant. */
BPERC_API bperc_option_table bperc_inference_option_table(void);

typedef struct bperc_inference bperc_inference;

/* What is known after an iteration. */
typedef struct {
  uint64_t iterations;
  int converged, diverged;
  double change; /* of the marginals in the last iteration, root mean square */
  /* (1/N) sum of squared mean weights, of the weights' own values: the expected
   * overlap of the mean weights with the teacher, of two random students too.
   */
  double overlap;
  /* Of a pattern's label from all others, as they stood before the iteration:
   * expected for the likelier label and for a random student; share of labels
   * that are in fact not the likelier one. NaN before the first iteration and
   * without patterns. With noise they are those of labels that are not flipped,
   * the last one of the labels as they are. */
  double error_bayes, error_gibbs, error_left_out;
} bperc_inference_report;

/* All weights alike. Borrows in until free; copies options (NULL: defaults).
 * threads 0: all cores; results do not depend on it. */
BPERC_API bperc_status bperc_inference_new(
    const bperc_instance *in, const bperc_inference_options *options,
    unsigned threads, bperc_inference **out, bperc_error *error);
BPERC_API void bperc_inference_free(bperc_inference *s); /* NULL is fine */

/* One iteration. */
BPERC_API bperc_inference_report bperc_inference_step(bperc_inference *s);
/* n probabilities of a weight to be 1. */
BPERC_API void bperc_inference_marginals(const bperc_inference *s, double *p);

BPERC_C_END

#endif
