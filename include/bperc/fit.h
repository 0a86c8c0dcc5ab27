/* Weights for one's own data: threshold and margin chosen, errors minimised.
 *
 * Patterns of real data often have no weights without errors, and the
 * threshold decides how few there can be. Fit tries thresholds and margins
 * kappa, judges each by cross-validation (folds drawn by seed, labels in equal
 * shares) and trains on all patterns with the best of them. A training with a
 * margin leaves errors; one that ends with smaller margins (polished) has
 * fewer, and is taken unless its validation cost is higher by more than two
 * standard errors. Where the training on all patterns leaves errors that could
 * be avoided, other polished settings within one standard error of the best
 * are trained too, and the fewest errors win. A class weight is a number of
 * copies of each pattern of that label, so that every solver can
 * use it.
 *
 * Cost     (thresholds x margins x folds + restarts) runs of the solver
 * Choices  grids, ties between settings: docs/choices.md
 */
#ifndef BPERC_FIT_H
#define BPERC_FIT_H

#include "bperc/data.h"
#include "bperc/ensemble.h"
#include "bperc/solver.h"

BPERC_C_BEGIN

/* Predicted against true labels; label 1 is "positive". */
typedef struct {
  size_t errors, tp, fp, tn, fn;
  double accuracy, balanced_accuracy; /* NAN without patterns of a label */
} bperc_score;

/* Output 1 where the sum is above the threshold: margin and tie rule of the
 * instance play no part. */
BPERC_API bperc_status bperc_score_make(const bperc_instance *in,
                                        const uint64_t *weights,
                                        bperc_score *out);
/* The same of sums that are known: m of them. */
BPERC_API bperc_score bperc_score_of_sums(const bperc_instance *in,
                                          const int64_t *sums);

/* All zero, or NULL in place of it: the defaults. */
typedef struct {
  uint64_t seed;
  unsigned threads; /* 0: all cores; the answer does not depend on them */
  bperc_tick *tick; /* NULL: nobody is told */
  void *context;
  const double *thresholds; /* NULL: chosen from what the data allow */
  size_t threshold_count;
  const double *kappas; /* NULL: chosen; not looked at without folds */
  size_t kappa_count;
  size_t folds;            /* 0 or 1: judged by training errors, kappa 0; no
                              more than the rarer label has patterns */
  size_t restarts;         /* of the training on all patterns; 0: 8 */
  uint64_t scan_sweeps;    /* steps of a run while settings are tried; 0: 200 */
  uint64_t sweeps;         /* steps of a run on all patterns; 0: 4000 */
  double class_weights[2]; /* of labels 0 and 1; both 0: equal */
  int balanced;            /* class weights inverse to the label's share */
  const double *row_weights;    /* of m patterns, 0 or more: an error costs this
                                   much; training repeats patterns in about that
                                   ratio. NULL: 1 */
  const uint32_t *fold;         /* of each pattern, below folds; NULL: drawn */
  int held_out;                 /* the result has sums of held-out patterns */
  const bperc_instance *others; /* patterns to sum instead, and their folds: */
  const uint32_t *others_fold;
  const uint16_t *classes; /* of each pattern, for bperc_fit_classes */
  size_t class_count;
  bperc_scheme scheme; /* of more than two; BPERC_SCHEME_TWO: chosen */
} bperc_fit_options;

typedef struct {
  double threshold, kappa;
  bperc_score score; /* validation, or training without folds */
  double cost;       /* errors weighted by class */
} bperc_fit_trial;

typedef struct {
  double threshold, kappa;
  uint64_t *weights;      /* n bits */
  bperc_score train;      /* on all patterns */
  bperc_score validation; /* of the chosen setting; zero without folds */
  int polished; /* with a margin: the training ended with smaller ones, for few
                   training errors, because validation allowed it */
  size_t folds; /* that judged the settings; 0: training errors did */
  int complete; /* 0: interrupted; weights of the least training cost so far */
  int64_t *held_out; /* sums of every pattern (of `others`) under the weights of
                        the chosen setting trained without its fold; NULL
                        unless asked for, or without folds */
  bperc_fit_trial *tried;
  size_t tried_count;
  size_t unavoidable; /* errors that no weights avoid at any threshold: equal
                         inputs with different labels */
} bperc_fit_result;

/* options NULL: defaults. The instance's own threshold and kappa are not used.
 * Clear *out in any case. After a failure it is empty; but where weights were
 * found before BPERC_E_INTERRUPTED, it has the best of them. The answer does
 * not depend on threads. */
BPERC_API bperc_status bperc_fit(const bperc_instance *in,
                                 const bperc_fit_options *options,
                                 bperc_fit_result *out, bperc_error *error);
BPERC_API void bperc_fit_clear(bperc_fit_result *result);

/* ---- two or more classes */

/* A scheme as it was judged. */
typedef struct {
  bperc_scheme scheme;
  size_t units;
  size_t errors; /* of held-out patterns */
} bperc_scheme_trial;

enum { BPERC_SCHEMES = 3 };

typedef struct {
  bperc_fit_result fit; /* of two classes; else empty */
  size_t class_count;
  bperc_scheme scheme;
  bperc_unit *units; /* of more than two classes */
  size_t unit_count;
  int linked;           /* 0: two classes without validation */
  double slope, offset; /* of two classes: bperc_unit */
  double sharpness;     /* bperc_classifier_decide */
  size_t *train;        /* class_count x class_count: how often a pattern of the
                           first class was taken for the second */
  size_t *validation;   /* the same of held-out patterns; NULL without folds */
  bperc_scheme_trial tried[BPERC_SCHEMES];
  size_t tried_count;
  int complete; /* 0: interrupted. Units that were not begun know the share of
                   their classes only */
} bperc_classes_result;

/* The classes of the options, 0 .. class_count - 1; labels play no part. Two
 * classes: bperc_fit, and a link fitted on held-out sums. More: one perceptron
 * for each unit of a scheme, each with a threshold, a margin and a link of its
 * own; scheme BPERC_SCHEME_TWO: the one with the fewest validation errors, the
 * first of equal ones (without folds: one against the rest). Clear *out
 * afterwards, as of bperc_fit. */
BPERC_API bperc_status bperc_fit_classes(const bperc_instance *in,
                                         const bperc_fit_options *options,
                                         bperc_classes_result *out,
                                         bperc_error *error);
BPERC_API void bperc_classes_clear(bperc_classes_result *result);

BPERC_C_END

#endif
