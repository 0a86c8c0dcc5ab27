/* Decimation guided by belief propagation: the source of marginals in its
 * three protocols, and the loop of decimate.c driven as a solver. */
#include "bperc/bpd.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "bp/engine.h"
#include "bperc/bp.h"
#include "model/bit_rows.h"
#include "solver/decimate.h"
#include "solver/methods.h"

#include <math.h>
#include <string.h>

typedef struct bperc_bpd state;

struct bperc_bpd {
  const bperc_instance *in;
  bperc_bpd_options options;
  bperc_i_decimation *loop;
  bperc_bp *bp;
  bperc_bpd_record *records;
  size_t fixed;
  double *entropies; /* F_BP(t) of a step, protocol paper */
  uint64_t *weights;
  size_t errors;
  int cold;     /* the next step starts from random messages */
  double owing; /* fast: sum of |value - p| fixed since the last iteration */
};

static BPERC_OPTIONS_DEFINE(bpd_option_table, bperc_bpd_options,
                            BPERC_BPD_OPTIONS);

/* Fields this close, relative above 1, count as equal. */
#define EQUAL_FIELDS 1e-9
/* Largest |H - g| of a converged step of the fast protocol. From LARGE_N on the
 * second: still far below what the field criterion of [BZ] lets pass. */
#define FAST_TOLERANCE 1e-3
#define LARGE_TOLERANCE 1e-2
#define LARGE_N 2500

const char *bperc_bpd_method_name(bperc_bpd_method method) {
  static const char *const names[] = {"split",    "damped", "inflection",
                                      "flattest", "last",   "same"};
  return names[method];
}

/* ---- messages of a step */

/* Runs the protocol of [BZ] for N = 480, keeping F_BP(t); returns how many
 * iterations, with *converged set. */
static size_t run_recorded(state *s, int *converged) {
  double f = bperc_i_bp_damping(s->bp, 0), *entropy = s->entropies;
  double asked = bperc_i_bp_options(s->bp)->tolerance;
  double least = asked > 0 ? asked : BPERC_I_ENTROPY_CHANGE;
  size_t most = (size_t)s->options.max_iterations, t = 0;
  for (*converged = 0; t < most && !bperc_cancelled(); t++) {
    bperc_i_bp_sweep(s->bp, f, 1);
    entropy[t] = bperc_i_bp_swept_entropy(s->bp);
    if (t && fabs(entropy[t] - entropy[t - 1]) < least) {
      *converged = 1;
      return t + 1;
    }
    bperc_i_bp_relax(s->bp, f, 0);
  }
  return t;
}

/* Brings back the messages of iteration t0 of the run that has just failed. */
static void replay(state *s, size_t t0) {
  double f = bperc_i_bp_damping(s->bp, 0);
  bperc_bp_restart(s->bp, s->fixed);
  for (size_t t = 0; t < t0; t++) {
    bperc_i_bp_sweep(s->bp, f, 0);
    bperc_i_bp_relax(s->bp, f, 0);
  }
  bperc_i_bp_sweep(s->bp, 0, 0);
}

static void step_paper(state *s, bperc_bpd_record *record) {
  int converged;
  size_t count, t0;
  bperc_bp_restart(s->bp, s->fixed);
  count = run_recorded(s, &converged);
  record->iterations = (uint32_t)count;
  record->converged = (uint8_t)converged;
  record->method = BPERC_BPD_DAMPED;
  if (converged)
    return;
  record->method =
      bperc_bp_inflection(s->entropies, count, &t0) == BPERC_BP_INFLECTION
          ? BPERC_BPD_INFLECTION
          : BPERC_BPD_FLATTEST;
  replay(s, t0);
}

static void step_warm(state *s, bperc_bpd_record *record) {
  bperc_bp_report report;
  if (s->cold)
    bperc_bp_restart(s->bp, s->fixed);
  bperc_bp_converge(s->bp, &report);
  record->iterations = (uint32_t)report.iterations;
  record->converged = (uint8_t)report.converged;
  record->method = report.method == BPERC_BP_BY_SPLIT    ? BPERC_BPD_SPLIT
                   : report.method == BPERC_BP_BY_DAMPED ? BPERC_BPD_DAMPED
                                                         : BPERC_BPD_LAST;
  s->cold = !report.converged && s->options.protocol == BPERC_BPD_LARGE;
}

/* Weights fixed with almost no doubt hardly move the others: no sum of a
 * pattern by more than what is owing. */
static void step_fast(state *s, bperc_bpd_record *record) {
  if (s->fixed && s->owing < bperc_i_bp_options(s->bp)->tolerance &&
      s->records[s->fixed - 1].converged) {
    record->converged = 1;
    record->method = BPERC_BPD_SAME;
    return;
  }
  step_warm(s, record);
  s->owing = 0;
}

/* ---- the source */

/* Where entropies are wanted, none is told of what has no solutions. */
static int contradicts(state *s) {
  return (s->options.entropy ? bperc_bp_contradiction(s->bp)
                             : bperc_bp_violated(s->bp)) < s->in->m;
}

static double bethe_log_count(state *s) {
  if (!s->options.entropy || bperc_i_bp_is_torn(s->bp))
    return NAN;
  return bperc_bp_log_z(s->bp);
}

static bperc_status marginals_of_bp(void *object, double *field,
                                    double *log_count,
                                    bperc_progress *outcome) {
  state *s = object;
  bperc_bpd_record *record = &s->records[s->fixed];
  if (contradicts(s)) {
    *outcome = BPERC_CONTRADICTION;
    return BPERC_OK;
  }
  if (s->options.protocol == BPERC_BPD_PAPER)
    step_paper(s, record);
  else if (s->options.protocol == BPERC_BPD_FAST)
    step_fast(s, record);
  else
    step_warm(s, record);
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  record->residual = bperc_bp_residual(s->bp);
  *log_count = bethe_log_count(s);
  bperc_bp_fields(s->bp, field);
  return BPERC_OK;
}

static bperc_status fix_in_bp(void *object, size_t weight, int value,
                              bperc_progress *outcome) {
  state *s = object;
  bperc_bpd_record *record = &s->records[s->fixed];
  record->p = 1 / (1 + exp(-bperc_i_bp_field(s->bp)[weight]));
  s->owing += fabs(value - record->p);
  *outcome = bperc_bp_fix(s->bp, weight, value);
  s->fixed++;
  bperc_i_decimation_order(s->loop)->unconverged += !record->converged;
  return BPERC_OK;
}

/* Weights as fixed, the others by the sign of their fields. */
static void read_bpd_weights(state *s) {
  const bperc_instance *in = s->in;
  const bperc_i_rows rows = bperc_i_instance_rows(in);
  const double *field = bperc_i_bp_field(s->bp);
  const int8_t *value = bperc_i_bp_values(s->bp);
  for (size_t k = 0; k < in->words; k++) {
    uint64_t word = 0;
    for (size_t i = k * 64; i < in->n && i < k * 64 + 64; i++)
      word |= (uint64_t)(value[i] < 0 ? field[i] >= 0 : value[i]) << i % 64;
    s->weights[k] = word;
  }
  s->errors = bperc_i_bit_kernels_get()->violated(&rows, s->weights);
}

/* Correlated patterns: without a fixed point from the start the marginals say
 * little, and every step costs hundreds of iterations. */
int bperc_bpd_gave_up(const bperc_bpd *s) {
  return s->options.protocol == BPERC_BPD_FAST && s->options.give_up > 0 &&
         s->fixed == (size_t)s->options.give_up &&
         bperc_bpd_order(s)->unconverged == s->fixed;
}

static bperc_progress bpd_step(void *object) {
  state *s = object;
  bperc_progress outcome;
  size_t before = s->fixed;
  if (bperc_i_decimation_step(s->loop, &outcome) == BPERC_E_INTERRUPTED)
    return BPERC_RUNNING;
  if (s->fixed > before)
    read_bpd_weights(s);
  return outcome == BPERC_RUNNING && bperc_bpd_gave_up(s) ? BPERC_EXHAUSTED
                                                          : outcome;
}

/* ---- life */

static bperc_bp_options bpd_engine_options(const bperc_bpd_options *from,
                                           size_t n) {
  bperc_bp_options opt;
  int fast = from->protocol == BPERC_BPD_FAST;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.damping = from->damping;
  opt.tolerance = from->tolerance;
  if (fast && !(opt.tolerance > 0))
    opt.tolerance = n < LARGE_N ? FAST_TOLERANCE : LARGE_TOLERANCE;
  opt.max_iterations = from->max_iterations;
  opt.criterion = fast ? BPERC_BP_RESIDUAL : BPERC_BP_FIELDS;
  if (from->protocol == BPERC_BPD_PAPER)
    opt.criterion = BPERC_BP_ENTROPY;
  opt.update = fast ? BPERC_BP_SPLIT : BPERC_BP_DAMPED;
  opt.factor = from->factor;
  opt.gaussian = from->gaussian;
  opt.kernel = from->kernel;
  return opt;
}

static void bpd_choose(const bperc_instance *in, void *options) {
  bperc_bpd_options *o = options;
  bperc_bp_options opt = bpd_engine_options(o, in->n);
  bperc_i_bp_choose(in, &opt);
  o->damping = opt.damping;
  o->tolerance = opt.tolerance;
  o->kernel = opt.kernel;
}

static bperc_status fill_bpd(state *s, const bperc_instance *in, uint64_t seed,
                             unsigned threads, bperc_error *error) {
  const bperc_i_marginals source = {.state = s,
                                    .near = EQUAL_FIELDS,
                                    .marginals = marginals_of_bp,
                                    .fix = fix_in_bp};
  bperc_bp_options opt = bpd_engine_options(&s->options, in->n);
  size_t moments = s->options.protocol == BPERC_BPD_PAPER
                       ? (size_t)s->options.max_iterations
                       : 1;
  s->in = in;
  s->records = bperc_i_calloc(in->n, sizeof *s->records);
  s->weights = bperc_i_calloc(in->words, sizeof *s->weights);
  s->entropies = bperc_i_calloc(moments, sizeof *s->entropies);
  if (!s->records || !s->weights || !s->entropies ||
      bperc_i_decimation_new(in, source, &s->loop))
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for BPD, N = %zu",
                           in->n);
  if (s->options.uniform)
    bperc_i_decimation_uniform(s->loop, s->options.uniform_seed
                                            ? (uint64_t)s->options.uniform_seed
                                            : seed);
  return bperc_bp_new(in, &opt, seed, threads, &s->bp, error);
}

static void bpd_destroy(void *object) {
  state *s = object;
  if (!s)
    return;
  bperc_i_decimation_free(s->loop);
  bperc_bp_free(s->bp);
  bperc_i_free(s->records);
  bperc_i_free(s->weights);
  bperc_i_free(s->entropies);
  bperc_i_free(s);
}

static bperc_status bpd_create(const bperc_instance *in, const void *options,
                               uint64_t seed, unsigned threads, void **out,
                               bperc_error *error) {
  bperc_status status = BPERC_E_MEMORY;
  state *s;
  *out = NULL;
  s = bperc_i_calloc(1, sizeof *s);
  if (!s)
    return bperc_error_set(error, status, "no memory for BPD");
  memcpy(&s->options, options, sizeof s->options);
  status = fill_bpd(s, in, seed, threads, error);
  if (status != BPERC_OK) {
    bpd_destroy(s);
    return status;
  }
  read_bpd_weights(s);
  *out = s;
  return BPERC_OK;
}

static void bpd_view(const void *object, bperc_view *out) {
  const state *s = object;
  *out = (bperc_view){
      .step = s->fixed, .errors = s->errors, .weights = s->weights};
}

const bperc_bpd_record *bperc_bpd_records(const bperc_bpd *s, size_t *count) {
  *count = s->fixed;
  return s->records;
}

const bperc_order *bperc_bpd_order(const bperc_bpd *s) {
  return bperc_i_decimation_order(s->loop);
}

const double *bperc_bpd_entropies(const bperc_bpd *s) { return s->entropies; }

const bperc_bp *bperc_bpd_engine(const bperc_bpd *s) { return s->bp; }

const bperc_bpd *bperc_bpd_of(const bperc_solver *solver) {
  return solver->class == &bperc_bpd_class ? solver->state : NULL;
}

static void bpd_fields(const void *object, double *out) {
  bperc_bp_fields(((const state *)object)->bp, out);
}

static const bperc_solver_methods methods = {
    .choose = bpd_choose,
    .create = bpd_create,
    .step = bpd_step,
    .view = bpd_view,
    .fields = bpd_fields,
    .destroy = bpd_destroy,
};

const bperc_solver_class bperc_bpd_class = {
    .name = "bpd",
    .summary = "decimation guided by belief propagation",
    .step_name = "weights fixed",
    .later = "uniform uniform_seed",
    .options = bpd_option_table,
    .options_size = sizeof(bperc_bpd_options),
    .methods = &methods,
};
