/* Which thresholds and margins a fit tries. */
#include "data/fit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SOME_THRESHOLDS = 5, ALL_THRESHOLDS = 12 };

static void add_setting(bperc_i_fit *f, double threshold, double kappa) {
  for (size_t k = 0; k < f->tried_count; k++)
    if (f->tried[k].threshold == threshold && f->tried[k].kappa == kappa)
      return;
  assert(f->tried_count < BPERC_I_FIT_TRIALS);
  f->tried[f->tried_count++] =
      (bperc_fit_trial){.threshold = threshold, .kappa = kappa};
}

static double mean_degree(const bperc_instance *in) {
  double sum = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    sum += (double)bperc_instance_degree(in, mu);
  return sum / (double)in->m;
}

/* Between integers no sum is a tie. */
static double between(double x) { return floor(x) + 0.5; }

/* The sums that some pattern can have under some weights. */
static void range_of_sums(const bperc_instance *in, double *low, double *high) {
  *low = *high = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    double all = (double)bperc_instance_degree(in, mu), plus = all;
    if (in->weights == BPERC_WEIGHTS_01 && in->inputs != BPERC_INPUTS_01) {
      plus = 0;
      for (size_t k = 0; k < in->words; k++)
        plus += __builtin_popcountll(bperc_instance_pattern(in, mu)[k]);
    }
    *high = fmax(*high, plus);
    *low = fmin(*low, in->weights == BPERC_WEIGHTS_PM ? -all : plus - all);
  }
}

static size_t add_threshold(double *out, size_t count, double value) {
  for (size_t k = 0; k < count; k++)
    if (out[k] == value)
      return count;
  out[count] = value;
  return count + 1;
}

/* All thresholds between two sums where there are few; else fractions of the
 * mean number of inputs, and where these fall together those next to 0. */
static size_t threshold_grid(const bperc_i_fit *f, double *out) {
  static const double part_01[] = {0.03, 0.07, 0.13, 0.22, 0.32};
  static const double part_pm[] = {-0.25, -0.1, 0, 0.1, 0.25};
  const double *parts = f->in->weights == BPERC_WEIGHTS_01 ? part_01 : part_pm;
  const double low = f->low, high = f->high, width = mean_degree(f->in);
  size_t count = 0;
  if (f->how.thresholds) {
    memcpy(out, f->how.thresholds, f->how.threshold_count * sizeof *out);
    return f->how.threshold_count;
  }
  if (high - low <= ALL_THRESHOLDS)
    for (double x = low; x < high; x++)
      out[count++] = x + 0.5;
  else
    for (size_t k = 0; k < SOME_THRESHOLDS; k++)
      count = add_threshold(out, count, between(parts[k] * width));
  for (double x = 0.5; count < SOME_THRESHOLDS && (x < high || -x > low); x++) {
    if (x < high)
      count = add_threshold(out, count, x);
    if (-x > low)
      count = add_threshold(out, count, -x);
  }
  if (!count) /* all inputs are 0 */
    out[count++] = 0.5;
  return count;
}

/* Margins grow with the spread of the sums. */
static size_t kappa_grid(const bperc_i_fit *f, double *out) {
  static const double parts[] = {0, 0.1, 0.25, 0.5, 1};
  if (f->folds == 1) {
    out[0] = 0;
    return 1;
  }
  if (f->how.kappas) {
    memcpy(out, f->how.kappas, f->how.kappa_count * sizeof *out);
    return f->how.kappa_count;
  }
  for (size_t k = 0; k < 5; k++)
    out[k] = nearbyint(parts[k] * sqrt(mean_degree(f->in)));
  return 5;
}

int bperc_i_fit_better(const bperc_fit_trial *a, const bperc_fit_trial *b) {
  return a->cost < b->cost || (a->cost == b->cost && a->kappa > b->kappa);
}

size_t bperc_i_fit_best(const bperc_i_fit *f, size_t from) {
  size_t best = from;
  for (size_t k = from + 1; k < f->tried_count; k++)
    if (bperc_i_fit_better(&f->tried[k], &f->tried[best]))
      best = k;
  return best;
}

/* Around the best setting: half-way to the neighbours of a chosen grid. */
static void refine(bperc_i_fit *f) {
  const bperc_fit_trial best = f->tried[bperc_i_fit_best(f, 0)];
  double step = f->in->weights == BPERC_WEIGHTS_01 ? 0.3 * fabs(best.threshold)
                                                   : 0.05 * mean_degree(f->in);
  step = fmax(step, 1);
  f->tried_from = f->tried_count;
  if (!f->how.thresholds)
    for (int k = -1; k <= 1; k += 2)
      add_setting(f, between(best.threshold + k * step), best.kappa);
  if (!f->how.kappas && f->folds > 1 && best.kappa > 0)
    for (int k = 0; k < 2; k++)
      add_setting(f, best.threshold, nearbyint(best.kappa * (k ? 1.4 : 0.7)));
}

/* Whether some sum is beyond the margin on either side: a margin that no
 * pattern of a label can keep teaches nothing. */
static int can_hold(const bperc_i_fit *f, double threshold, double kappa) {
  return kappa == 0 || f->how.kappas || f->how.thresholds ||
         (threshold - kappa >= f->low && threshold + kappa < f->high);
}

bperc_status bperc_i_fit_scan(bperc_i_fit *f, bperc_error *error) {
  double thresholds[BPERC_I_FIT_GRID], kappas[BPERC_I_FIT_GRID];
  size_t rows, columns;
  bperc_status status;
  range_of_sums(f->in, &f->low, &f->high);
  rows = threshold_grid(f, thresholds);
  columns = kappa_grid(f, kappas);
  for (size_t k = 0; k < rows; k++)
    for (size_t j = 0; j < columns; j++)
      if (can_hold(f, thresholds[k], kappas[j]))
        add_setting(f, thresholds[k], kappas[j]);
  status = bperc_i_fit_round(f, error);
  if (status != BPERC_OK)
    return status;
  refine(f);
  return f->tried_from < f->tried_count ? bperc_i_fit_round(f, error)
                                        : BPERC_OK;
}
