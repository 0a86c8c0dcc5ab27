/* xcorr: cross-correlations of unfixed weights by belief propagation along BPD
 * [BZ figs. 5b-e, S7a-d, S8a-c; eqs. 23, 24]. */
#include "measure/measurements.h"

#include "base/alloc.h"
#include "bperc/bpd.h"
#include "bperc/xcorr.h"
#include "measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, every, 1, 1, 1, 1e7, "measure every so many fixed weights")
BPERC_I_MEASURE_OPTIONS(xcorr, ROWS);

enum { FIXED, MEAN, SQUARE, ENTROPY, FAILED, COLUMNS };

typedef struct {
  const xcorr_options *o;
  const bperc_inputs *in;
  void *bpd;
  bperc_bp *engine;        /* to measure with */
  int own;                 /* it is no copy of bpd's */
  size_t fixed;            /* weights fixed in it, if its own */
  double *column[COLUMNS]; /* one number per measured step; one block */
  size_t count;
} track;

static void track_clear(track *t) {
  bperc_bp_free(t->engine);
  bperc_bpd_class.destroy(t->bpd);
  bperc_i_free(t->column[0]);
}

/* The printed protocols of decimation measure with its messages. `fast` stops
 * at a residual that is good enough to choose a weight, not for correlations:
 * they get the options of the command xcorr. */
static bperc_status make_engine(track *t, const bperc_instance *problem,
                                bperc_error *error) {
  const bperc_bpd_options *bpd = t->in->groups[0];
  bperc_bp_options o = bperc_bp_options_for_many(NULL, problem);
  t->own = bpd->protocol == BPERC_BPD_FAST;
  if (!t->own)
    return bperc_bp_clone(bperc_bpd_engine(t->bpd), 1, &t->engine);
  o.max_iterations = bpd->max_iterations;
  o.gaussian = bpd->gaussian;
  if (bpd->factor != BPERC_BP_CHEAP)
    o.factor = bpd->factor;
  return bperc_bp_new(problem, &o, bperc_i_problem_seed(t->in, 1), 1,
                      &t->engine, error);
}

/* Brings the engine to where decimation is. */
static void catch_up(track *t) {
  const bperc_order *order = bperc_bpd_order(t->bpd);
  if (!t->own) {
    bperc_bp_copy(t->engine, bperc_bpd_engine(t->bpd));
    return;
  }
  for (; t->fixed < order->fixed; t->fixed++)
    bperc_bp_fix(t->engine, order->weight[t->fixed], order->value[t->fixed]);
}

static bperc_status track_new(track *t, const bperc_instance *problem,
                              bperc_error *error) {
  bperc_status status =
      bperc_solver_create(&bperc_bpd_class, problem, t->in->groups[0],
                          bperc_i_problem_seed(t->in, 1), 1, &t->bpd, error);
  if (status == BPERC_OK)
    status = make_engine(t, problem, error);
  t->column[0] = bperc_i_calloc(COLUMNS * problem->n, sizeof(double));
  if (!t->column[0])
    return BPERC_E_MEMORY;
  for (size_t c = 1; c < COLUMNS; c++)
    t->column[c] = t->column[0] + c * problem->n;
  return status;
}

/* Correlations at the present state of decimation. */
static bperc_status measure_step(track *t, size_t fixed) {
  bperc_xcorr x = {0};
  size_t k = t->count++;
  bperc_status status;
  catch_up(t);
  status =
      bperc_xcorr_measure(t->engine, t->in->groups[1],
                          bperc_i_problem_seed(t->in, 2 + fixed), 1, NULL, &x);
  for (int c = 0; c < COLUMNS; c++)
    t->column[c][k] = NAN;
  t->column[FIXED][k] = (double)fixed;
  if (status != BPERC_OK || isnan(x.mean))
    return status;
  t->column[MEAN][k] = x.mean;
  t->column[SQUARE][k] = x.mean_square;
  t->column[ENTROPY][k] = bperc_bp_entropy(t->engine);
  t->column[FAILED][k] =
      x.sampled ? (double)x.unconverged / (double)x.sampled : NAN;
  return BPERC_OK;
}

static bperc_status follow(track *t, bperc_progress *progress) {
  bperc_status status = BPERC_OK;
  size_t n = (size_t)t->o->n;
  *progress = BPERC_RUNNING;
  for (size_t fixed = 0; *progress == BPERC_RUNNING && status == BPERC_OK;
       fixed++) {
    if (fixed % (size_t)t->o->every == 0 && fixed + 1 < n)
      status = measure_step(t, fixed);
    if (status == BPERC_OK)
      *progress = bperc_bpd_class.step(t->bpd);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  return status;
}

static bperc_status measure(const bperc_inputs *in,
                            const bperc_instance *problem, bperc_record *out,
                            bperc_error *error) {
  static const char *const names[] = {"step/fixed", "step/xcorr", "step/xcorr2",
                                      "step/entropy", "step/failed"};
  bperc_progress progress;
  track t = {.o = in->own, .in = in};
  bperc_status status = track_new(&t, problem, error);
  if (status == BPERC_OK)
    status = follow(&t, &progress);
  if (status == BPERC_OK) {
    bperc_record_scalar(out, "decimated", progress == BPERC_SOLVED);
    for (int c = 0; c < COLUMNS; c++)
      bperc_record_vector(out, names[c], t.column[c], t.count);
  }
  track_clear(&t);
  return status;
}

BPERC_I_PROBLEM_RUN(xcorr_options, measure)

static double cost(const bperc_inputs *in) {
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
    .cost = cost,
    .run = run,
};
