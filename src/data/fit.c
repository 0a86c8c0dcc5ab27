/* Fit: settings tried by cross-validation, then training on all patterns. */
#include "bperc/fit.h"

#include "base/alloc.h"
#include "base/options.h"
#include "data/descend.h"
#include "data/fit.h"
#include "model/bit_rows.h"
#include "run/trials.h"

#include <math.h>
#include <string.h>

/* ---- few training errors, or a margin */

/* Standard error of the cost of a trial: errors as counts. */
static double cost_error(const bperc_i_fit *f, const bperc_score *s) {
  return sqrt(f->cost[0] * f->cost[0] * (double)s->fp +
              f->cost[1] * f->cost[1] * (double)s->fn);
}

/* The trials from `from` on that cost at most `most`, cheapest first: of equal
 * ones the order of bperc_i_fit_best. */
static void collect_trials(bperc_i_fit *f, size_t from, double most) {
  f->choices = 0;
  for (size_t k = from; k < f->tried_count; k++) {
    const bperc_fit_trial *t = &f->tried[k];
    size_t at = f->choices;
    if (t->cost > most)
      continue;
    while (at > 0 && bperc_i_fit_better(t, &f->choice[at - 1]))
      at--;
    if (at == BPERC_I_FIT_CHOICES)
      continue;
    if (f->choices < BPERC_I_FIT_CHOICES)
      f->choices++;
    memmove(&f->choice[at + 1], &f->choice[at],
            (f->choices - at - 1) * sizeof *f->choice);
    f->choice[at] = *t;
  }
}

/* Trials from one on whose cost is within one standard error of the least. */
static void collect_near(bperc_i_fit *f, size_t from) {
  const bperc_fit_trial *best = &f->tried[bperc_i_fit_best(f, from)];
  collect_trials(f, from, best->cost + cost_error(f, &best->score));
}

/* Polished training, judged as the trials were, with every setting whose cost
 * is within two standard errors of the least: the best of them are taken unless
 * the cost of all is beyond that too. */
static bperc_status choose_setting(bperc_i_fit *f, bperc_error *error) {
  const bperc_fit_trial best = f->tried[bperc_i_fit_best(f, 0)];
  double most = best.cost + 2 * cost_error(f, &best.score);
  size_t plain = f->tried_count;
  bperc_status status;
  f->polish = 1;
  collect_near(f, 0);
  if (f->folds == 1)
    return BPERC_OK; /* the margin is 0: nothing to choose */
  f->tried_from = plain;
  for (size_t k = 0; k < plain; k++)
    if (f->tried[k].cost <= most)
      f->tried[f->tried_count++] = (bperc_fit_trial){
          .threshold = f->tried[k].threshold, .kappa = f->tried[k].kappa};
  status = bperc_i_fit_round(f, error);
  collect_near(f, plain);
  f->polish = status == BPERC_OK && f->choice[0].cost <= most;
  if (!f->polish) {
    f->choice[0] = best;
    f->choices = 1;
  }
  f->tried_count = plain;
  return status;
}

/* ---- training on all patterns */

/* Weights of the best run of one setting. */
typedef struct {
  const bperc_fit_trial *setting;
  uint64_t *weights;
  bperc_i_quality quality;
} trained;

typedef struct {
  bperc_i_fit *f;
  const bperc_fit_trial *setting;
  const bperc_instance *in;
} final;

static bperc_status final_one(void *context, size_t task, bperc_error *error) {
  final *x = context;
  bperc_i_fit *f = x->f;
  bperc_status status =
      bperc_i_fit_train(f, x->in, f->how.sweeps, f->folds + task,
                        &f->weights[task], &f->quality[task], error);
  if (f->weights[task])
    bperc_i_fit_note(f, x->setting, f->weights[task]);
  return status;
}

/* The best of `runs` runs on all patterns; `least`: errors it cannot avoid. */
static bperc_status train(bperc_i_fit *f, const bperc_fit_trial *setting,
                          size_t runs, trained *out, size_t *least,
                          bperc_error *error) {
  bperc_instance *in = NULL;
  size_t best = 0;
  bperc_status status =
      bperc_i_fit_part(f, f->folds, BPERC_I_FIT_TRAINING, setting, &in, error);
  final x = {f, setting, in};
  *out = (trained){.setting = setting};
  if (status == BPERC_OK)
    status = bperc_i_fit_unavoidable(in, least);
  if (status == BPERC_OK)
    status = bperc_i_trials(runs, f->how.threads, final_one, &x, f->how.tick,
                            f->how.context, error);
  for (size_t k = 1; status == BPERC_OK && k < runs; k++)
    if (bperc_i_quality_better(&f->quality[k], &f->quality[best]))
      best = k;
  for (size_t k = 0; k < runs; k++) {
    if (k == best && status == BPERC_OK) {
      out->weights = f->weights[k];
      out->quality = f->quality[k];
    } else {
      bperc_i_free(f->weights[k]);
    }
    f->weights[k] = NULL;
  }
  bperc_instance_free(in);
  return status;
}

/* Keeps the one with fewer errors, and of equal ones the first. */
static void keep_result(trained *best, trained *other) {
  trained *worse =
      other->weights && other->quality.errors < best->quality.errors ? best
                                                                     : other;
  bperc_i_free(worse->weights);
  if (worse == best)
    *best = *other;
}

/* All training patterns at the threshold of `best`, margin 0. */
static bperc_status at_margin_zero(const bperc_i_fit *f, const trained *best,
                                   bperc_instance **in, bperc_error *error) {
  bperc_fit_trial setting = *best->setting;
  setting.kappa = 0;
  return bperc_i_fit_part(f, f->folds, BPERC_I_FIT_TRAINING, &setting, in,
                          error);
}

/* Flips and exchanges that leave fewer errors at margin 0. */
static bperc_status descend_from_margin(const bperc_i_fit *f,
                                        const trained *best,
                                        bperc_error *error) {
  bperc_instance *in = NULL;
  bperc_status status = at_margin_zero(f, best, &in, error);
  if (status == BPERC_OK)
    status = bperc_i_descend(in, f->how.seed, best->weights);
  bperc_instance_free(in);
  return status;
}

/* Where the best setting leaves errors, others that validation holds for as
 * good may leave fewer: each gets two runs, the best of them all. */
static bperc_status train_all(bperc_i_fit *f, trained *best,
                              bperc_error *error) {
  size_t least, few = f->how.restarts < 2 ? f->how.restarts : 2;
  const bperc_fit_trial *fewest = NULL;
  const int other_settings = f->polish && bperc_i_fit_equal(f);
  bperc_status status =
      train(f, &f->choice[0], f->how.restarts, best, &least, error);
  size_t errors = best->quality.errors;
  for (size_t k = 1;
       status == BPERC_OK && other_settings && errors > least && k < f->choices;
       k++) {
    trained other;
    status = train(f, &f->choice[k], few, &other, &least, error);
    if (status == BPERC_OK && other.quality.errors < errors) {
      errors = other.quality.errors;
      fewest = other.setting;
    }
    if (status == BPERC_OK)
      keep_result(best, &other);
  }
  if (status == BPERC_OK && fewest && errors > least) {
    trained other;
    status = train(f, fewest, f->how.restarts, &other, &least, error);
    if (status == BPERC_OK)
      keep_result(best, &other);
  }
  return status == BPERC_OK && other_settings && best->quality.errors > least
             ? descend_from_margin(f, best, error)
             : status;
}

/* Every pattern counts once. */
static bperc_status score_all(const bperc_i_fit *f, const trained *best,
                              bperc_score *out, bperc_error *error) {
  bperc_instance at = *f->in; /* shares the patterns */
  at.theta = best->setting->threshold;
  return bperc_score_make(&at, best->weights, out)
             ? bperc_error_set(error, BPERC_E_MEMORY, "no memory to fit")
             : BPERC_OK;
}

static bperc_status sum_held_out(bperc_i_fit *f, const bperc_fit_trial *setting,
                                 bperc_fit_result *out, bperc_error *error) {
  size_t m = f->how.others ? f->how.others->m : f->in->m;
  out->held_out = bperc_i_calloc(m + 1, sizeof *out->held_out);
  if (!out->held_out)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory to fit");
  return bperc_i_fit_held_out(f, setting, out->held_out, error);
}

static bperc_status finish_fit(bperc_i_fit *f, bperc_fit_result *out,
                               bperc_error *error) {
  trained best = {0};
  bperc_status status = train_all(f, &best, error);
  if (status == BPERC_OK)
    status = score_all(f, &best, &out->train, error);
  out->weights = best.weights;
  if (status != BPERC_OK)
    return status;
  out->threshold = best.setting->threshold;
  out->kappa = best.setting->kappa;
  out->polished = f->polish && out->kappa > 0;
  out->folds = f->folds > 1 ? f->folds : 0;
  if (f->folds > 1)
    out->validation = best.setting->score;
  status = bperc_i_fit_unavoidable(f->in, &out->unavoidable);
  return status == BPERC_OK && f->how.held_out && f->folds > 1
             ? sum_held_out(f, best.setting, out, error)
             : status;
}

/* Interrupted: the weights with the least cost that any run has met. */
static bperc_status finish_so_far(bperc_i_fit *f, bperc_fit_result *out,
                                  bperc_error *error) {
  const bperc_fit_trial setting = f->so_far_setting;
  trained best = {.setting = &setting, .weights = f->so_far};
  bperc_error late;
  if (score_all(f, &best, &out->train, &late) != BPERC_OK)
    return error->status;
  bperc_i_free(out->weights);
  out->weights = f->so_far;
  f->so_far = NULL;
  out->threshold = setting.threshold;
  out->kappa = setting.kappa;
  out->complete = 0;
  memset(&out->validation, 0, sizeof out->validation);
  out->folds = 0;
  out->polished = 0;
  return BPERC_E_INTERRUPTED;
}

/* ---- all of it */

static bperc_status check_options(const bperc_i_fit *f, bperc_error *error) {
  const bperc_fit_options *how = &f->how;
  if (f->in->m < 2)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "fit wants at least two patterns");
  if ((how->thresholds && how->threshold_count > BPERC_I_FIT_GRID) ||
      (how->kappas && how->kappa_count > BPERC_I_FIT_GRID))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "fit tries at most %d thresholds and %d margins",
                           BPERC_I_FIT_GRID, BPERC_I_FIT_GRID);
  for (size_t k = 0; how->kappas && k < how->kappa_count; k++)
    if (!(how->kappas[k] >= 0) || !isfinite(how->kappas[k]))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "kappa = %g must not be negative", how->kappas[k]);
  return BPERC_OK;
}

static bperc_status run_fit(bperc_i_fit *f, bperc_fit_result *out,
                            bperc_error *error) {
  bperc_status status = check_options(f, error);
  if (status == BPERC_OK)
    status = bperc_i_fit_costs(f, error);
  if (status == BPERC_OK)
    status = bperc_i_fit_folds(f, error);
  if (status == BPERC_OK)
    status = bperc_i_fit_scan(f, error);
  if (status == BPERC_OK)
    status = choose_setting(f, error);
  return status == BPERC_OK ? finish_fit(f, out, error) : status;
}

bperc_status bperc_fit(const bperc_instance *in,
                       const bperc_fit_options *options, bperc_fit_result *out,
                       bperc_error *error) {
  bperc_i_fit f = {.in = in};
  bperc_status status = BPERC_E_MEMORY;
  memset(out, 0, sizeof *out);
  bperc_i_options_plain(sizeof f.how, options, &f.how);
  f.folds = f.how.folds > 1 ? f.how.folds : 1;
  f.how.restarts = f.how.restarts ? f.how.restarts : 8;
  f.how.scan_sweeps = f.how.scan_sweeps ? f.how.scan_sweeps : 200;
  f.how.sweeps = f.how.sweeps ? f.how.sweeps : 4000;
  if (bperc_i_no_band(in, "a fit", error))
    return BPERC_E_ARGUMENT;
  pthread_mutex_init(&f.lock, NULL);
  out->complete = 1;
  f.tried = bperc_i_calloc(2 * BPERC_I_FIT_TRIALS, sizeof *f.tried);
  f.weights = bperc_i_calloc(f.how.restarts, sizeof *f.weights);
  f.quality = bperc_i_calloc(f.how.restarts, sizeof *f.quality);
  if (f.tried && f.weights && f.quality)
    status = run_fit(&f, out, error);
  if (status == BPERC_E_INTERRUPTED && f.so_far)
    status = finish_so_far(&f, out, error);
  if (status == BPERC_E_MEMORY)
    bperc_error_set(error, status, "no memory to fit");
  for (size_t k = 0; f.weights && k < f.how.restarts; k++)
    bperc_i_free(f.weights[k]);
  bperc_i_free(f.weights);
  bperc_i_free(f.quality);
  bperc_i_free(f.fold);
  bperc_i_free(f.row_copies);
  bperc_i_free(f.so_far);
  pthread_mutex_destroy(&f.lock);
  out->tried = f.tried;
  out->tried_count = f.tried_count;
  if (status != BPERC_OK && (status != BPERC_E_INTERRUPTED || out->complete))
    bperc_fit_clear(out);
  return status;
}

void bperc_fit_clear(bperc_fit_result *result) {
  bperc_i_free(result->weights);
  bperc_i_free(result->held_out);
  bperc_i_free(result->tried);
  memset(result, 0, sizeof *result);
}
