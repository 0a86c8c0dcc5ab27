/* A run with the margin, then runs with smaller ones; small problems in whole.
 */
#include "data/polish.h"

#include "base/alloc.h"
#include "bperc/exact.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "model/bit_rows.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Later runs begin at weights believed with p = 0.98, and are shorter. */
#define FIELD 4.0
enum { SHORTER = 4, SMALL = 32, MOST_NODES = 1 << 14 };
static const double parts[] = {1, 0.5, 0.25, 0};

typedef struct {
  bperc_instance plain, at; /* margin 0, margin of this run; share patterns */
  const bperc_instance *in;
  size_t least;
  bool first; /* the run with the whole margin goes to its end */
  uint64_t *weights;
  bperc_i_quality best;
} polish;

int bperc_i_quality_better(const bperc_i_quality *a, const bperc_i_quality *b) {
  return a->errors < b->errors ||
         (a->errors == b->errors && a->inside < b->inside);
}

static size_t is_violated(const bperc_instance *in, const uint64_t *weights) {
  bperc_i_rows rows = bperc_i_instance_rows(in);
  return bperc_i_bit_kernels_get()->violated(&rows, weights);
}

static int watch(void *context, const bperc_solver *solver,
                 const bperc_view *view) {
  polish *p = context;
  bperc_i_quality now = {.errors = is_violated(&p->plain, view->weights)};
  (void)solver;
  if (now.errors <= p->best.errors) {
    now.inside = p->first ? view->errors : is_violated(p->in, view->weights);
    if (bperc_i_quality_better(&now, &p->best)) {
      p->best = now;
      memcpy(p->weights, view->weights, p->in->words * sizeof *p->weights);
    }
  }
  return !p->first && p->best.errors <= p->least;
}

/* The same patterns with another margin; bounds of its own, which the caller
 * frees. */
static bperc_status with_margin(const bperc_instance *in, double kappa,
                                bperc_instance *out) {
  *out = *in;
  out->kappa = kappa;
  if (in->bound)
    out->bound = bperc_i_alloc(in->m, sizeof *out->bound);
  if (in->bound && !out->bound)
    return BPERC_E_MEMORY;
  bperc_instance_update_bounds(out);
  return BPERC_OK;
}

static bperc_status stage(polish *p, size_t k, uint64_t sweeps, uint64_t seed,
                          bperc_error *error) {
  bperc_sbpi_options options;
  bperc_run_result run;
  bperc_run_options how = {
      .seed = k ? bperc_stream_seed(seed, BPERC_FOR_RESTART, k) : seed,
      .threads = 1,
      .start = k ? p->weights : NULL,
      .start_field = FIELD,
      .watch = watch,
      .context = p};
  bperc_status status =
      with_margin(p->in, nearbyint(parts[k] * p->in->kappa), &p->at);
  if (status != BPERC_OK)
    return bperc_error_set(error, status, "no memory for the training");
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = (int64_t)(k ? sweeps / SHORTER + 1 : sweeps);
  p->first = k == 0;
  status = bperc_run(&bperc_sbpi_class, &p->at, &options, &how, &run, error);
  bperc_run_clear(&run);
  bperc_i_free(p->at.bound);
  if (status == BPERC_E_INTERRUPTED && !bperc_cancelled())
    status = BPERC_OK; /* as few errors as there can be */
  return status;
}

static bool same_margin(const bperc_instance *in, size_t k) {
  return k &&
         nearbyint(parts[k] * in->kappa) == nearbyint(parts[k - 1] * in->kappa);
}

/* A small problem: the weights with the fewest errors, by branch and bound. */
static bperc_status search_all(polish *p, bperc_error *error) {
  bperc_least_errors known;
  bperc_status status = bperc_exact_least_errors(
      &p->plain,
      &(bperc_least_options){.below = p->best.errors, .max_nodes = MOST_NODES},
      p->weights, &known, error);
  if (status == BPERC_OK && known.found) {
    p->best.errors = (size_t)known.cost;
    p->best.inside = is_violated(p->in, p->weights);
  }
  return status;
}

bperc_status bperc_i_polish(const bperc_instance *in, size_t least, int whole,
                            uint64_t sweeps, uint64_t seed, uint64_t **weights,
                            bperc_i_quality *quality, bperc_error *error) {
  polish p = {
      .in = in, .least = least, .best = {.errors = SIZE_MAX, .inside = 0}};
  bperc_status status = with_margin(in, 0, &p.plain);
  p.weights = bperc_i_calloc(in->words, sizeof *p.weights);
  if (status != BPERC_OK || !p.weights)
    status =
        bperc_error_set(error, BPERC_E_MEMORY, "no memory for the training");
  for (size_t k = 0; status == BPERC_OK && k < sizeof parts / sizeof *parts &&
                     (k == 0 || p.best.errors > least);
       k++)
    if (!same_margin(in, k))
      status = stage(&p, k, sweeps, seed, error);
  if (status == BPERC_OK && p.best.errors > least && whole && in->n <= SMALL)
    status = search_all(&p, error);
  bperc_i_free(p.plain.bound);
  assert(status != BPERC_OK || p.best.errors <= in->m);
  *quality = p.best;
  *weights = p.weights;
  if (status != BPERC_OK &&
      (status != BPERC_E_INTERRUPTED || p.best.errors == SIZE_MAX)) {
    bperc_i_free(p.weights);
    *weights = NULL;
  }
  return status;
}
