/* xcorr: cross-correlations of unfixed weights by belief propagation along BPD
 * [BZ figs. 5b-e, S7a-d, S8a-c; eqs. 23, 24]. */
#include "lab/measure/measurements.h"

#include "bperc/bpd.h"
#include "bperc/xcorr.h"
#include "lab/measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, every, 1, 1, 1, 1e7, "measure every so many fixed weights")
BPERC_I_MEASURE_OPTIONS(xcorr, ROWS);

enum { FIXED, MEAN, SQUARE, ENTROPY, FAILED, COLUMNS };

typedef struct {
  bperc_i_probe *task;
  bperc_solver *solver;
  const bperc_bpd *bpd; /* the same */
  bperc_bp *engine;     /* to measure with */
  int own;              /* it is no copy of bpd's */
  size_t fixed;         /* weights fixed in it, if its own */
  double *columns;      /* n numbers for each, one per measured step */
  size_t count;
} track;

/* The printed protocols of decimation measure with its messages. `fast` stops
 * at a residual that is good enough to choose a weight, not for correlations:
 * they get the options of the command xcorr. */
static bperc_status make_engine(track *k) {
  const bperc_i_probe *t = k->task;
  const bperc_bpd_options *bpd = t->in->groups[0];
  bperc_bp_options o = bperc_bp_options_for_many(NULL, t->problem);
  k->own = bpd->protocol == BPERC_BPD_FAST;
  if (!k->own)
    return bperc_bp_clone(bperc_bpd_engine(k->bpd), 1, &k->engine);
  o.max_iterations = bpd->max_iterations;
  o.gaussian = bpd->gaussian;
  if (bpd->factor != BPERC_BP_CHEAP)
    o.factor = bpd->factor;
  return bperc_bp_new(t->problem, &o, bperc_i_probe_seed(t, 1), 1, &k->engine,
                      t->error);
}

/* Brings the engine to where decimation is. */
static void catch_up(track *k) {
  const bperc_order *order = bperc_bpd_order(k->bpd);
  if (!k->own) {
    bperc_bp_copy(k->engine, bperc_bpd_engine(k->bpd));
    return;
  }
  for (; k->fixed < order->fixed; k->fixed++)
    bperc_bp_fix(k->engine, order->weight[k->fixed], order->value[k->fixed]);
}

/* Correlations at the present state of decimation. */
static bperc_status measure_step(track *k, size_t fixed) {
  const bperc_i_probe *t = k->task;
  bperc_xcorr x = {0};
  double values[COLUMNS] = {(double)fixed, NAN, NAN, NAN, NAN};
  bperc_status status;
  catch_up(k);
  status = bperc_xcorr_measure(
      k->engine, t->in->groups[1],
      &(bperc_xcorr_run){.seed = bperc_i_probe_seed(t, 2 + fixed),
                         .threads = 1},
      &x, t->error);
  if (status == BPERC_OK && !isnan(x.mean)) {
    values[MEAN] = x.mean;
    values[SQUARE] = x.mean_square;
    values[ENTROPY] = bperc_bp_entropy(k->engine);
    if (x.sampled)
      values[FAILED] = (double)x.unconverged / (double)x.sampled;
  }
  for (int c = 0; c < COLUMNS; c++)
    k->columns[(size_t)c * t->problem->n + k->count] = values[c];
  k->count++;
  return status;
}

static bperc_status follow_correlations(track *k, bperc_progress *progress) {
  const xcorr_options *o = k->task->in->own;
  bperc_status status = BPERC_OK;
  *progress = BPERC_RUNNING;
  for (size_t fixed = 0; *progress == BPERC_RUNNING && status == BPERC_OK;
       fixed++) {
    if (fixed % (size_t)o->every == 0 && fixed + 1 < (size_t)o->n)
      status = measure_step(k, fixed);
    if (status == BPERC_OK)
      *progress = bperc_solver_step(k->solver);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  return status;
}

static bperc_status measure_xcorr(bperc_i_probe *t) {
  static const char *const names[] = {"step/fixed", "step/xcorr", "step/xcorr2",
                                      "step/entropy", "step/failed"};
  size_t n = t->problem->n;
  bperc_run_options how = {.seed = bperc_i_probe_seed(t, 1), .threads = 1};
  bperc_progress progress;
  track k = {.task = t, .columns = bperc_i_probe_room(t, COLUMNS * n)};
  bperc_status status = t->status;
  if (status == BPERC_OK)
    status = bperc_solver_new(&bperc_bpd_class, t->problem, t->in->groups[0],
                              &how, &k.solver, t->error);
  if (status == BPERC_OK) {
    k.bpd = bperc_bpd_of(k.solver);
    status = make_engine(&k);
  }
  if (status == BPERC_OK)
    status = follow_correlations(&k, &progress);
  if (status == BPERC_OK) {
    bperc_i_put(t, "decimated", progress == BPERC_SOLVED);
    for (size_t c = 0; c < COLUMNS; c++)
      bperc_i_put_all(t, names[c], k.columns + c * n, k.count);
  }
  bperc_bp_free(k.engine);
  bperc_solver_free(k.solver);
  return status;
}

BPERC_I_PROBLEM_RUN(xcorr, measure_xcorr)

static double cost_xcorr(const bperc_inputs *in) {
  const xcorr_options *o = in->own;
  double n = (double)o->n / 25;
  return 0.14 * n * n * n / (double)o->every;
}

const bperc_measurement bperc_i_measure_xcorr = {
    .name = "xcorr",
    .summary = "cross-correlations by belief propagation along BPD",
    .results = "decimated     1 when BPD ended at a solution\n"
               "step/fixed    weights fixed\n"
               "step/xcorr    mean cross-correlation [BZ eq. 24]\n"
               "step/xcorr2   mean square cross-correlation\n"
               "step/entropy  Bethe entropy per unfixed weight\n"
               "step/failed   share of conditioned runs that did not converge",
    .version = 3,
    BPERC_I_MEASURE_TABLE(xcorr),
    .groups = {{"bpd", NULL, 0, NULL},
               {"xcorr", bperc_xcorr_option_table, sizeof(bperc_xcorr_options),
                NULL}},
    BPERC_I_PROBLEM_NAMED,
    .cost = cost_xcorr,
    .run = run_xcorr_task,
};
