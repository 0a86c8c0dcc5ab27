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
  bperc_fit_trial *tried;
  size_t tried_count;
  size_t unavoidable; /* errors that no weights avoid at any threshold: equal
                         inputs with different labels */
} bperc_fit_result;

/* options NULL: defaults. The instance's own threshold and kappa are not used.
 * After a failure *out is empty; clear it in any case. */
BPERC_API bperc_status bperc_fit(const bperc_instance *in,
                                 const bperc_fit_options *options,
                                 bperc_fit_result *out, bperc_error *error);
BPERC_API void bperc_fit_clear(bperc_fit_result *result);

BPERC_C_END

#endif
