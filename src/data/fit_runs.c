/* The runs of a fit: class weights, folds, one training, a round of them. */
#include "data/fit.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "run/class_weights.h"
#include "run/trials.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- class weights */

static double row_weight(const bperc_i_fit *f, size_t mu) {
  return f->how.row_weights ? f->how.row_weights[mu] : 1;
}

enum { MOST_ROW_COPIES = 8 };

/* Copies of each pattern in about the ratio of the weights. */
static bperc_status copy_rows(bperc_i_fit *f, bperc_error *error) {
  const double *w = f->how.row_weights;
  double least = INFINITY, most = 0;
  for (size_t mu = 0; mu < f->in->m; mu++) {
    if (!(w[mu] >= 0) || !isfinite(w[mu]))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "the weight of row %zu is not a number from 0 on",
                             mu + 1);
    most = fmax(most, w[mu]);
    if (w[mu] > 0)
      least = fmin(least, w[mu]);
  }
  if (most == 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the weights of all rows are 0");
  f->row_copies = bperc_i_alloc(f->in->m, 1);
  if (!f->row_copies)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory to fit");
  least = fmax(least, most / MOST_ROW_COPIES);
  for (size_t mu = 0; mu < f->in->m; mu++)
    f->row_copies[mu] =
        (uint8_t)(w[mu] > 0 ? fmax(nearbyint(w[mu] / least), 1) : 0);
  return BPERC_OK;
}

bperc_status bperc_i_fit_costs(bperc_i_fit *f, bperc_error *error) {
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
  if (f->folds > 1 && !f->how.fold) { /* every fold has both labels */
    size_t rare = count[0] < count[1] ? count[0] : count[1];
    f->folds = rare < f->folds ? rare : f->folds;
  }
  return f->how.row_weights ? copy_rows(f, error) : BPERC_OK;
}

static double cost_of_score(const bperc_i_fit *f, const bperc_score *s) {
  return f->cost[0] * (double)s->fp + f->cost[1] * (double)s->fn;
}

/* ---- folds */

/* Equal shares of both labels, in an order drawn by seed. */
bperc_status bperc_i_fit_folds(bperc_i_fit *f, bperc_error *error) {
  bperc_stream stream = bperc_stream_make(f->how.seed, BPERC_FOR_FOLDS, 0);
  uint32_t *order = bperc_i_alloc(f->in->m, sizeof *order);
  size_t next[2] = {0, 0};
  f->fold = bperc_i_alloc(f->in->m, sizeof *f->fold);
  if (f->how.fold && f->fold) {
    memcpy(f->fold, f->how.fold, f->in->m * sizeof *f->fold);
    bperc_i_free(order);
    return BPERC_OK;
  }
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

static size_t times(const bperc_i_fit *f, size_t mu, size_t fold,
                    bperc_i_fit_rows which) {
  int out = f->folds > 1 && f->fold[mu] == fold;
  if (which == BPERC_I_FIT_HELD_OUT)
    return out;
  return out ? 0
             : f->copies[f->in->labels[mu]] *
                   (f->row_copies ? f->row_copies[mu] : 1);
}

/* The patterns in or outside a fold (fold = folds: all of them), with another
 * threshold and margin. */
bperc_status bperc_i_fit_part(const bperc_i_fit *f, size_t fold,
                              bperc_i_fit_rows which,
                              const bperc_fit_trial *setting,
                              bperc_instance **out, bperc_error *error) {
  bperc_model model = bperc_instance_model(f->in);
  size_t count = 0, nu = 0;
  bperc_status status;
  for (size_t mu = 0; mu < f->in->m; mu++)
    count += times(f, mu, fold, which);
  model.a = 0;
  model.theta = setting->threshold;
  model.kappa = which == BPERC_I_FIT_TRAINING ? setting->kappa : 0;
  status = bperc_instance_new(f->in->n, count, &model, out, error);
  if (status != BPERC_OK)
    return status;
  for (size_t mu = 0; mu < f->in->m; mu++)
    for (size_t k = times(f, mu, fold, which); k > 0; k--)
      bperc_i_copy_pattern(f->in, mu, *out, nu++);
  assert(nu == count);
  bperc_instance_update_bounds(*out);
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
bperc_status bperc_i_fit_unavoidable(const bperc_instance *in, size_t *out) {
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
bperc_status bperc_i_fit_train(const bperc_i_fit *f, const bperc_instance *in,
                               uint64_t steps, uint64_t index,
                               uint64_t **weights, bperc_i_quality *quality,
                               bperc_error *error) {
  uint64_t seed = bperc_i_run_seed(f->how.seed, index);
  bperc_sbpi_options options;
  bperc_run_result run;
  bperc_status status;
  size_t least;
  if (f->polish) {
    status = bperc_i_fit_unavoidable(in, &least);
    return status != BPERC_OK
               ? bperc_error_set(error, status, "no memory to fit")
               : bperc_i_polish(in, least, bperc_i_fit_equal(f), steps, seed,
                                weights, quality, error);
  }
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = (int64_t)steps;
  status =
      bperc_run(&bperc_sbpi_class, in, &options,
                &(bperc_run_options){.seed = seed, .threads = 1}, &run, error);
  *weights = run.weights;
  *quality = (bperc_i_quality){.inside = run.errors};
  run.weights = NULL;
  bperc_run_clear(&run);
  return status;
}

/* Trains outside a fold with one setting. */
static bperc_status train_outside(bperc_i_fit *f, size_t fold,
                                  const bperc_fit_trial *setting,
                                  bperc_instance **in, uint64_t **weights,
                                  bperc_error *error) {
  bperc_i_quality quality;
  bperc_status status =
      bperc_i_fit_part(f, fold, BPERC_I_FIT_TRAINING, setting, in, error);
  if (status == BPERC_OK)
    status = bperc_i_fit_train(f, *in, f->how.scan_sweeps, fold, weights,
                               &quality, error);
  if (*weights)
    bperc_i_fit_note(f, setting, *weights);
  return status;
}

/* ---- sums of held-out patterns */

typedef struct {
  bperc_i_fit *f;
  const bperc_fit_trial *setting;
  int64_t *sums;
} held_out;

/* The patterns of one fold, under weights that were trained without it. */
static bperc_status sum_fold(void *context, size_t fold, bperc_error *error) {
  held_out *h = context;
  bperc_i_fit *f = h->f;
  const bperc_instance *from = f->how.others ? f->how.others : f->in;
  const uint32_t *folds = f->how.others ? f->how.others_fold : f->fold;
  bperc_instance *in = NULL;
  uint64_t *weights = NULL;
  int64_t *all = NULL;
  bperc_status status =
      train_outside(f, fold, h->setting, &in, &weights, error);
  if (status == BPERC_OK) {
    all = bperc_i_alloc(from->m, sizeof *all);
    if (!all)
      status = bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  }
  if (status == BPERC_OK) {
    bperc_instance_sums(from, weights, all);
    for (size_t mu = 0; mu < from->m; mu++)
      if (folds[mu] == fold)
        h->sums[mu] = all[mu];
  }
  bperc_i_free(all);
  bperc_i_free(weights);
  bperc_instance_free(in);
  return status;
}

bperc_status bperc_i_fit_held_out(bperc_i_fit *f,
                                  const bperc_fit_trial *setting, int64_t *sums,
                                  bperc_error *error) {
  held_out h = {f, setting, sums};
  return bperc_i_trials(f->folds, f->how.threads, sum_fold, &h, f->how.tick,
                        f->how.context, error);
}

/* ---- the best so far */

/* Cost of the errors on all patterns; NAN without memory. */
static double cost_of_weights(const bperc_i_fit *f, double threshold,
                              const uint64_t *weights) {
  int64_t *sums = bperc_i_alloc(f->in->m, sizeof *sums);
  double cost = 0;
  if (!sums)
    return NAN;
  bperc_instance_sums(f->in, weights, sums);
  for (size_t mu = 0; mu < f->in->m; mu++)
    if (((double)sums[mu] > threshold) != f->in->labels[mu])
      cost += f->cost[f->in->labels[mu]] * row_weight(f, mu);
  bperc_i_free(sums);
  return cost;
}

void bperc_i_fit_note(bperc_i_fit *f, const bperc_fit_trial *setting,
                      const uint64_t *weights) {
  size_t bytes = f->in->words * sizeof *weights;
  double cost = cost_of_weights(f, setting->threshold, weights);
  pthread_mutex_lock(&f->lock);
  if (!isnan(cost) && (!f->so_far || cost < f->so_far_setting.cost)) {
    if (!f->so_far)
      f->so_far = bperc_i_alloc(1, bytes);
    if (f->so_far) {
      memcpy(f->so_far, weights, bytes);
      f->so_far_setting = (bperc_fit_trial){.threshold = setting->threshold,
                                            .kappa = setting->kappa,
                                            .cost = cost};
    }
  }
  pthread_mutex_unlock(&f->lock);
}

/* ---- a round */

/* Patterns of a fold (one fold: all of them) under weights, every one once. */
static bperc_status score_fold(const bperc_i_fit *f, size_t fold,
                               double threshold, const uint64_t *weights,
                               bperc_i_fit_judged *out) {
  int64_t *sums = bperc_i_alloc(f->in->m, sizeof *sums);
  if (!sums)
    return BPERC_E_MEMORY;
  bperc_instance_sums(f->in, weights, sums);
  for (size_t mu = 0; mu < f->in->m; mu++) {
    int label = f->in->labels[mu], output = (double)sums[mu] > threshold;
    if (f->folds > 1 && f->fold[mu] != fold)
      continue;
    ++*(label ? (output ? &out->score.tp : &out->score.fn)
              : (output ? &out->score.fp : &out->score.tn));
    if (label != output)
      out->cost += f->cost[label] * row_weight(f, mu);
  }
  bperc_i_free(sums);
  return BPERC_OK;
}

/* Trains outside a fold with one setting, and is judged inside. */
static bperc_status try_one(void *context, size_t task, bperc_error *error) {
  bperc_i_fit *f = context;
  size_t fold = task % f->folds;
  const bperc_fit_trial *setting = &f->tried[f->tried_from + task / f->folds];
  bperc_instance *in = NULL;
  uint64_t *weights = NULL;
  bperc_status status = train_outside(f, fold, setting, &in, &weights, error);
  if (status == BPERC_OK &&
      score_fold(f, fold, setting->threshold, weights, &f->judged[task]))
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory to fit");
  bperc_i_free(weights);
  bperc_instance_free(in);
  return status;
}

static void add_scores(bperc_i_fit *f, size_t k) {
  bperc_fit_trial *t = &f->tried[f->tried_from + k];
  double cost = 0;
  for (size_t fold = 0; fold < f->folds; fold++) {
    const bperc_i_fit_judged *j = &f->judged[k * f->folds + fold];
    t->score.tp += j->score.tp;
    t->score.fp += j->score.fp;
    t->score.tn += j->score.tn;
    t->score.fn += j->score.fn;
    cost += j->cost;
  }
  bperc_i_score_finish(&t->score);
  t->cost = f->how.row_weights ? cost : cost_of_score(f, &t->score);
}

/* All settings of a round, over threads. */
bperc_status bperc_i_fit_round(bperc_i_fit *f, bperc_error *error) {
  size_t count = f->tried_count - f->tried_from;
  bperc_status status;
  f->judged = bperc_i_calloc(count * f->folds, sizeof *f->judged);
  if (!f->judged)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  status = bperc_i_trials(count * f->folds, f->how.threads, try_one, f,
                          f->how.tick, f->how.context, error);
  for (size_t k = 0; status == BPERC_OK && k < count; k++)
    add_scores(f, k);
  bperc_i_free(f->judged);
  f->judged = NULL;
  return status;
}
