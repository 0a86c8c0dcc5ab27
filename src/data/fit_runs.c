/* The runs of a fit: class weights, folds, one training, a round of them. */
#include "data/fit.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "run/class_weights.h"
#include "run/trials.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- class weights */

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
  if (f->folds > 1) { /* every fold has both labels */
    size_t rare = count[0] < count[1] ? count[0] : count[1];
    f->folds = rare < f->folds ? rare : f->folds;
  }
  return BPERC_OK;
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
  return out ? 0 : f->copies[f->in->labels[mu]];
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

/* Trains outside a fold with one setting, and is judged inside. */
static bperc_status try_one(void *context, size_t task, bperc_error *error) {
  bperc_i_fit *f = context;
  size_t fold = task % f->folds;
  const bperc_fit_trial *setting = &f->tried[f->tried_from + task / f->folds];
  bperc_instance *in = NULL, *out = NULL;
  uint64_t *weights = NULL;
  bperc_i_quality quality;
  bperc_status status =
      bperc_i_fit_part(f, fold, BPERC_I_FIT_TRAINING, setting, &in, error);
  if (status == BPERC_OK)
    status = bperc_i_fit_train(f, in, f->how.scan_sweeps, fold, &weights,
                               &quality, error);
  if (status == BPERC_OK && f->folds > 1)
    status =
        bperc_i_fit_part(f, fold, BPERC_I_FIT_HELD_OUT, setting, &out, error);
  if (status == BPERC_OK)
    status = bperc_score_make(out ? out : in, weights, &f->scores[task]);
  bperc_i_free(weights);
  bperc_instance_free(in);
  bperc_instance_free(out);
  return status;
}

static void add_scores(bperc_i_fit *f, size_t k) {
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
  t->cost = cost_of_score(f, &t->score);
}

/* All settings of a round, over threads. */
bperc_status bperc_i_fit_round(bperc_i_fit *f, bperc_error *error) {
  size_t count = f->tried_count - f->tried_from;
  bperc_status status;
  f->scores = bperc_i_calloc(count * f->folds, sizeof *f->scores);
  if (!f->scores)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  status = bperc_i_trials(count * f->folds, f->how.threads, try_one, f,
                          f->how.tick, f->how.context, error);
  for (size_t k = 0; status == BPERC_OK && k < count; k++)
    add_scores(f, k);
  bperc_i_free(f->scores);
  f->scores = NULL;
  return status;
}
