/* Fit: settings tried by cross-validation, then training on all patterns. */
#include "bperc/fit.h"

#include "analysis/polish.h"
#include "analysis/score.h"
#include "analysis/trials.h"
#include "base/alloc.h"
#include "base/bits.h"
#include "base/options.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "run/class_weights.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GRID = 64 };

typedef struct {
  const bperc_instance *in;
  bperc_fit_options how;
  uint64_t seed;
  unsigned threads;
  bperc_tick *tick;
  void *context;
  double cost[2];   /* of an error on label 0, 1 */
  size_t copies[2]; /* of each pattern while training */
  uint32_t *fold;   /* of each pattern */
  size_t folds;     /* 1: no validation */
  bperc_fit_trial *tried;
  size_t tried_count, tried_from; /* the trials of this round begin there */
  bperc_score *scores;            /* one per trial of the round and fold */
  uint64_t **weights;             /* of the final runs */
  bperc_i_quality *quality;
  int polish; /* runs end with smaller margins, for few training errors */
} fit;

/* ---- class weights */

static bperc_status choose_costs(fit *f, bperc_error *error) {
  size_t count[2] = {0, 0};
  for (size_t mu = 0; mu < f->in->m; mu++)
    count[f->in->labels[mu]]++;
  if (!count[0] || !count[1])
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "all %zu patterns have the same label: there is "
                           "nothing to tell apart",
                           f->in->m);
  bperc_i_class_costs(f->in, f->how.class_weights, f->how.balanced, f->cost);
  bperc_i_class_copies(f->cost, f->copies);
  return BPERC_OK;
}

static double cost_of(const fit *f, const bperc_score *s) {
  return f->cost[0] * (double)s->fp + f->cost[1] * (double)s->fn;
}

/* ---- folds */

/* Equal shares of both labels, in an order drawn by seed. */
static bperc_status choose_folds(fit *f, bperc_error *error) {
  bperc_stream stream = bperc_stream_make(f->seed, BPERC_FOR_FOLDS, 0);
  uint32_t *order = bperc_i_alloc(f->in->m, sizeof *order);
  size_t next[2] = {0, 0};
  f->fold = bperc_i_alloc(f->in->m, sizeof *f->fold);
  if (!order || !f->fold) {
    bperc_i_free(order);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for the folds");
  }
  for (size_t mu = 0; mu < f->in->m; mu++)
    order[mu] = (uint32_t)mu;
  bperc_stream_shuffle(&stream, order, f->in->m);
  for (size_t k = 0; k < f->in->m; k++) {
    int label = f->in->labels[order[k]];
    f->fold[order[k]] = (uint32_t)(next[label]++ % f->folds);
  }
  bperc_i_free(order);
  return BPERC_OK;
}

typedef enum { TRAINING, HELD_OUT } part;

static size_t times(const fit *f, size_t mu, size_t fold, part which) {
  int out = f->folds > 1 && f->fold[mu] == fold;
  if (which == HELD_OUT)
    return out;
  return out ? 0 : f->copies[f->in->labels[mu]];
}

/* The patterns in or outside a fold (fold = folds: all of them), with another
 * threshold and margin. */
static bperc_status part_of(const fit *f, size_t fold, part which,
                            const bperc_fit_trial *setting,
                            bperc_instance **out, bperc_error *error) {
  bperc_model model = bperc_instance_model(f->in);
  size_t count = 0, nu = 0;
  bperc_status status;
  for (size_t mu = 0; mu < f->in->m; mu++)
    count += times(f, mu, fold, which);
  model.a = 0;
  model.theta = setting->threshold;
  model.kappa = which == TRAINING ? setting->kappa : 0;
  status = bperc_instance_make(f->in->n, count, &model, out, error);
  if (status != BPERC_OK)
    return status;
  for (size_t mu = 0; mu < f->in->m; mu++)
    for (size_t k = times(f, mu, fold, which); k > 0; k--)
      bperc_i_copy_pattern(f->in, mu, *out, nu++);
  assert(nu == count);
  bperc_instance_settle(*out);
  return BPERC_OK;
}

/* ---- errors that no weights avoid */

static int by_row(const void *a, const void *b, void *instance) {
  const bperc_instance *in = instance;
  size_t mu = *(const uint32_t *)a, nu = *(const uint32_t *)b;
  size_t bytes = in->words * sizeof(uint64_t);
  int order = memcmp(bperc_instance_pattern(in, mu),
                     bperc_instance_pattern(in, nu), bytes);
  if (order == 0 && in->support)
    order = memcmp(in->support + mu * in->words, in->support + nu * in->words,
                   bytes);
  return order;
}

/* Of equal inputs with different labels the fewer ones are errors, whatever
 * weights and threshold. */
static bperc_status count_unavoidable(const bperc_instance *in, size_t *out) {
  uint32_t *order = bperc_i_alloc(in->m, sizeof *order);
  *out = 0;
  if (!order)
    return BPERC_E_MEMORY;
  for (size_t mu = 0; mu < in->m; mu++)
    order[mu] = (uint32_t)mu;
  qsort_r(order, in->m, sizeof *order, by_row, (void *)(uintptr_t)in);
  for (size_t k = 0, next; k < in->m; k = next) {
    size_t count[2] = {0, 0};
    for (next = k; next < in->m &&
                   by_row(&order[k], &order[next], (void *)(uintptr_t)in) == 0;
         next++)
      count[in->labels[order[next]]]++;
    *out += count[0] < count[1] ? count[0] : count[1];
  }
  bperc_i_free(order);
  return BPERC_OK;
}

/* ---- one run */

/* The best weights of SBPI: with the fewest patterns inside the margin, or
 * polished, with the fewest errors. */
static bperc_status train(const fit *f, const bperc_instance *in,
                          uint64_t steps, uint64_t index, uint64_t **weights,
                          bperc_i_quality *quality, bperc_error *error) {
  uint64_t seed = bperc_i_run_seed(f->seed, index);
  bperc_sbpi_options options;
  bperc_run_result run;
  bperc_status status;
  size_t least;
  if (f->polish) {
    status = count_unavoidable(in, &least);
    return status != BPERC_OK
               ? bperc_error_set(error, status, "no memory to fit")
               : bperc_i_polish(in, least, steps, seed, weights, quality,
                                error);
  }
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = (int64_t)steps;
  status = bperc_run(&bperc_sbpi_class, in, &options, seed, 1, NULL, NULL, &run,
                     error);
  *weights = run.weights;
  *quality = (bperc_i_quality){.inside = run.errors};
  run.weights = NULL;
  bperc_run_clear(&run);
  return status;
}

/* Trains outside a fold with one setting, and is judged inside. */
static bperc_status try_one(void *context, size_t task, bperc_error *error) {
  fit *f = context;
  size_t fold = task % f->folds;
  const bperc_fit_trial *setting = &f->tried[f->tried_from + task / f->folds];
  bperc_instance *in = NULL, *out = NULL;
  uint64_t *weights = NULL;
  bperc_i_quality quality;
  bperc_status status = part_of(f, fold, TRAINING, setting, &in, error);
  if (status == BPERC_OK)
    status = train(f, in, f->how.scan_sweeps, fold, &weights, &quality, error);
  if (status == BPERC_OK && f->folds > 1)
    status = part_of(f, fold, HELD_OUT, setting, &out, error);
  if (status == BPERC_OK)
    status = bperc_score_make(out ? out : in, weights, &f->scores[task]);
  bperc_i_free(weights);
  bperc_instance_free(in);
  bperc_instance_free(out);
  return status;
}

static void add_scores(fit *f, size_t k) {
  bperc_fit_trial *t = &f->tried[f->tried_from + k];
  for (size_t fold = 0; fold < f->folds; fold++) {
    const bperc_score *s = &f->scores[k * f->folds + fold];
    t->score.tp += s->tp;
    t->score.fp += s->fp;
    t->score.tn += s->tn;
    t->score.fn += s->fn;
  }
  if (f->folds == 1) /* copies were counted: every pattern once */
    for (int v = 0; v < 2; v++) {
      *(v ? &t->score.tp : &t->score.tn) /= f->copies[v];
      *(v ? &t->score.fn : &t->score.fp) /= f->copies[v];
    }
  bperc_i_score_finish(&t->score);
  t->cost = cost_of(f, &t->score);
}

/* All settings of a round, over threads. */
static bperc_status try_round(fit *f, bperc_error *error) {
  size_t count = f->tried_count - f->tried_from;
  bperc_status status;
  f->scores = bperc_i_calloc(count * f->folds, sizeof *f->scores);
  if (!f->scores)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  status = bperc_i_trials(count * f->folds, f->threads, try_one, f, f->tick,
                          f->context, error);
  for (size_t k = 0; status == BPERC_OK && k < count; k++)
    add_scores(f, k);
  bperc_i_free(f->scores);
  f->scores = NULL;
  return status;
}

/* ---- settings */

static void add_setting(fit *f, double threshold, double kappa) {
  for (size_t k = 0; k < f->tried_count; k++)
    if (f->tried[k].threshold == threshold && f->tried[k].kappa == kappa)
      return;
  if (f->tried_count < MOST_GRID * MOST_GRID)
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

/* Thresholds as fractions of the largest possible sum. */
static size_t threshold_grid(const fit *f, double *out) {
  static const double part_01[] = {0.03, 0.07, 0.13, 0.22, 0.32};
  static const double part_pm[] = {-0.25, -0.1, 0, 0.1, 0.25};
  const double *parts = f->in->weights == BPERC_WEIGHTS_01 ? part_01 : part_pm;
  double width = mean_degree(f->in);
  if (f->how.thresholds) {
    size_t count =
        f->how.threshold_count < MOST_GRID ? f->how.threshold_count : MOST_GRID;
    memcpy(out, f->how.thresholds, count * sizeof *out);
    return count;
  }
  for (size_t k = 0; k < 5; k++)
    out[k] = between(parts[k] * width);
  return 5;
}

/* Margins grow with the spread of the sums. */
static size_t kappa_grid(const fit *f, double *out) {
  static const double parts[] = {0, 0.1, 0.25, 0.5, 1};
  if (f->folds == 1) {
    out[0] = 0;
    return 1;
  }
  if (f->how.kappas) {
    size_t count =
        f->how.kappa_count < MOST_GRID ? f->how.kappa_count : MOST_GRID;
    memcpy(out, f->how.kappas, count * sizeof *out);
    return count;
  }
  for (size_t k = 0; k < 5; k++)
    out[k] = nearbyint(parts[k] * sqrt(mean_degree(f->in)));
  return 5;
}

/* The least cost of the trials from one on; of equal ones the largest margin
 * relative to the others, then the first. */
static size_t best_of(const fit *f, size_t from) {
  size_t best = from;
  for (size_t k = from + 1; k < f->tried_count; k++) {
    const bperc_fit_trial *a = &f->tried[k], *b = &f->tried[best];
    if (a->cost < b->cost || (a->cost == b->cost && a->kappa > b->kappa))
      best = k;
  }
  return best;
}

/* Around the best setting: half-way to the neighbours of a chosen grid. */
static void refine(fit *f) {
  const bperc_fit_trial best = f->tried[best_of(f, 0)];
  double step = f->in->weights == BPERC_WEIGHTS_01 ? 0.3 * fabs(best.threshold)
                                                   : 0.05 * mean_degree(f->in);
  f->tried_from = f->tried_count;
  if (!f->how.thresholds)
    for (int k = -1; k <= 1; k += 2)
      add_setting(f, between(best.threshold + k * step), best.kappa);
  if (!f->how.kappas && f->folds > 1 && best.kappa > 0)
    for (int k = 0; k < 2; k++)
      add_setting(f, best.threshold, nearbyint(best.kappa * (k ? 1.4 : 0.7)));
}

static bperc_status scan(fit *f, bperc_error *error) {
  double thresholds[MOST_GRID], kappas[MOST_GRID];
  size_t rows = threshold_grid(f, thresholds), columns = kappa_grid(f, kappas);
  bperc_status status;
  for (size_t k = 0; k < rows; k++)
    for (size_t j = 0; j < columns; j++)
      add_setting(f, thresholds[k], kappas[j]);
  status = try_round(f, error);
  if (status != BPERC_OK)
    return status;
  refine(f);
  return f->tried_from < f->tried_count ? try_round(f, error) : BPERC_OK;
}

/* ---- few training errors, or a margin */

/* Standard error of the cost of a trial: errors as counts. */
static double cost_error(const fit *f, const bperc_score *s) {
  return sqrt(f->cost[0] * f->cost[0] * (double)s->fp +
              f->cost[1] * f->cost[1] * (double)s->fn);
}

/* Polished training, judged as the trials were, with every setting whose cost
 * is within two standard errors of the least: the best of them is taken unless
 * its cost is beyond that too. *chosen is the best trial, then what is taken.
 */
static bperc_status try_polish(fit *f, bperc_fit_trial *chosen,
                               bperc_error *error) {
  double most = chosen->cost + 2 * cost_error(f, &chosen->score);
  size_t plain = f->tried_count, best;
  bperc_status status;
  f->polish = 1;
  if (f->folds == 1)
    return BPERC_OK; /* the margin is 0: nothing to choose */
  f->tried_from = plain;
  for (size_t k = 0; k < plain; k++)
    if (f->tried[k].cost <= most)
      f->tried[f->tried_count++] = (bperc_fit_trial){
          .threshold = f->tried[k].threshold, .kappa = f->tried[k].kappa};
  status = try_round(f, error);
  best = best_of(f, plain);
  f->polish = status == BPERC_OK && f->tried[best].cost <= most;
  if (f->polish)
    *chosen = f->tried[best];
  f->tried_count = plain;
  return status;
}

/* ---- training on all patterns */

typedef struct {
  fit *f;
  const bperc_instance *in;
} final;

static bperc_status final_one(void *context, size_t task, bperc_error *error) {
  final *x = context;
  fit *f = x->f;
  return train(f, x->in, f->how.sweeps, f->folds + task, &f->weights[task],
               &f->quality[task], error);
}

static bperc_status finish(fit *f, const bperc_fit_trial *setting,
                           bperc_fit_result *out, bperc_error *error) {
  bperc_instance *in = NULL;
  final x = {.f = f};
  size_t best = 0;
  bperc_status status = part_of(f, f->folds, TRAINING, setting, &in, error);
  x.in = in;
  if (status == BPERC_OK)
    status = bperc_i_trials(f->how.restarts, f->threads, final_one, &x, f->tick,
                            f->context, error);
  for (size_t k = 1; status == BPERC_OK && k < f->how.restarts; k++)
    if (bperc_i_quality_better(&f->quality[k], &f->quality[best]))
      best = k;
  if (status == BPERC_OK) {
    bperc_model model = bperc_instance_model(in);
    model.kappa = 0;
    out->weights = f->weights[best];
    f->weights[best] = NULL;
    status = bperc_instance_set_model(in, &model, error);
  }
  if (status == BPERC_OK)
    status = bperc_score_make(in, out->weights, &out->train);
  if (status == BPERC_OK) { /* copies were counted: every pattern once */
    out->train.tp /= f->copies[1];
    out->train.fn /= f->copies[1];
    out->train.tn /= f->copies[0];
    out->train.fp /= f->copies[0];
    bperc_i_score_finish(&out->train);
  }
  bperc_instance_free(in);
  return status;
}

/* ---- all of it */

static bperc_status check_options(const fit *f, bperc_error *error) {
  const bperc_fit_options *how = &f->how;
  if (f->in->m < 2)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "fit wants at least two patterns");
  if (how->folds > f->in->m)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "%zu folds of %zu patterns",
                           how->folds, f->in->m);
  for (size_t k = 0; how->kappas && k < how->kappa_count; k++)
    if (!(how->kappas[k] >= 0) || !isfinite(how->kappas[k]))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "kappa = %g must not be negative", how->kappas[k]);
  return BPERC_OK;
}

static bperc_status run_fit(fit *f, bperc_fit_result *out, bperc_error *error) {
  bperc_status status = check_options(f, error);
  if (status == BPERC_OK)
    status = choose_costs(f, error);
  if (status == BPERC_OK)
    status = choose_folds(f, error);
  if (status == BPERC_OK)
    status = scan(f, error);
  if (status == BPERC_OK) {
    bperc_fit_trial best = f->tried[best_of(f, 0)];
    status = try_polish(f, &best, error);
    out->threshold = best.threshold;
    out->kappa = best.kappa;
    out->polished = f->polish && best.kappa > 0;
    if (f->folds > 1)
      out->validation = best.score;
    if (status == BPERC_OK)
      status = finish(f, &best, out, error);
  }
  if (status == BPERC_OK)
    status = count_unavoidable(f->in, &out->unavoidable);
  return status;
}

bperc_status bperc_fit(const bperc_instance *in,
                       const bperc_fit_options *options, uint64_t seed,
                       unsigned threads, bperc_tick *tick, void *context,
                       bperc_fit_result *out, bperc_error *error) {
  fit f = {.in = in,
           .seed = seed,
           .threads = threads,
           .tick = tick,
           .context = context};
  bperc_status status = BPERC_E_MEMORY;
  memset(out, 0, sizeof *out);
  bperc_i_options_plain(sizeof f.how, options, &f.how);
  f.folds = f.how.folds > 1 ? f.how.folds : 1;
  f.how.restarts = f.how.restarts ? f.how.restarts : 8;
  f.how.scan_sweeps = f.how.scan_sweeps ? f.how.scan_sweeps : 200;
  f.how.sweeps = f.how.sweeps ? f.how.sweeps : 4000;
  f.tried = bperc_i_calloc(2 * MOST_GRID * MOST_GRID, sizeof *f.tried);
  f.weights = bperc_i_calloc(f.how.restarts, sizeof *f.weights);
  f.quality = bperc_i_calloc(f.how.restarts, sizeof *f.quality);
  if (f.tried && f.weights && f.quality)
    status = run_fit(&f, out, error);
  if (status == BPERC_E_MEMORY)
    bperc_error_set(error, status, "no memory to fit");
  for (size_t k = 0; f.weights && k < f.how.restarts; k++)
    bperc_i_free(f.weights[k]);
  bperc_i_free(f.weights);
  bperc_i_free(f.quality);
  bperc_i_free(f.fold);
  out->tried = f.tried;
  out->tried_count = f.tried_count;
  if (status != BPERC_OK)
    bperc_fit_clear(out);
  return status;
}

void bperc_fit_clear(bperc_fit_result *result) {
  bperc_i_free(result->weights);
  bperc_i_free(result->tried);
  memset(result, 0, sizeof *result);
}
