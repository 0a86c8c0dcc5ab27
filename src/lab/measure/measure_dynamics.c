/* dynamics: runs of a solver against the order in which BPD fixes weights
 * [BZ fig. 3b-e, 4e,f, 8c-h, S5, S9; eq. 4]. */
#include "lab/measure/measurements.h"

#include "base/bits.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "bperc/walk.h"
#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>
#include <string.h>

enum { SUCCESS, FAILURE };

/* Appendix G as printed. */
static const bperc_walk_options printed = {.order = BPERC_WALK_SHUFFLED};

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, "sbpi|rbp|amp", "who solves")                        \
  X(INT, runs, 5, 5, 1, 10000, "runs of the solver on one instance")           \
  X(CHOICE, outcome, 0, 0, "solved|unsolved", "which runs count")              \
  X(INT, walk, 0, 0, 0, 1e9, "sweeps of random walk from each solution")       \
  X(INT, bins, 24, 24, 1, 100000, "bins of the order of BPD")                  \
  X(REAL, level, 0.1, 0.1, 0, 1, "Delta that counts as the start of its ramp")
BPERC_I_MEASURE_OPTIONS(dynamics, ROWS);

enum { AT, VALUE, T_FIX, DELTA, WALKED, SUMS };

/* Sums over the weights of a bin and the runs that count. */
typedef struct {
  size_t bins;
  double *sum[SUMS]; /* o/N, value of BPD, t_fix, Delta, Delta after the walk */
  size_t runs, counted, walked;
} profile;

static size_t bin_of(const profile *p, const bperc_order *o, size_t k) {
  return k * p->bins / o->n;
}

static void add_delta(profile *p, const bperc_order *o, int which,
                      const uint64_t *weights) {
  for (size_t k = 0; k < o->fixed; k++)
    p->sum[which][bin_of(p, o, k)] +=
        bperc_i_bit(weights, o->weight[k]) != o->value[k];
}

static void add_run(profile *p, const bperc_order *o,
                    const bperc_run_result *r) {
  for (size_t k = 0; k < o->fixed; k++)
    p->sum[T_FIX][bin_of(p, o, k)] += r->t_fix[o->weight[k]];
  add_delta(p, o, DELTA, r->final);
  p->counted++;
}

static bperc_status run_dynamics_once(bperc_i_probe *t,
                                      const bperc_order *order, uint64_t number,
                                      profile *p) {
  const dynamics_options *o = t->in->own;
  bperc_run_result r = {0};
  bperc_status status =
      bperc_i_probe_try(t, t->problem, 2 + 2 * number, NULL, NULL, &r);
  int solved = status == BPERC_OK && r.outcome == BPERC_SOLVED;
  p->runs += (size_t)solved;
  if (status == BPERC_OK && solved == (o->outcome == SUCCESS))
    add_run(p, order, &r);
  if (solved && o->walk && o->outcome == SUCCESS) {
    status = bperc_walk_sweeps(
        t->problem, &printed,
        &(bperc_walk_run){.sweeps = (uint64_t)o->walk,
                          .seed = bperc_i_probe_seed(t, 3 + 2 * number)},
        r.weights, NULL, t->error);
    if (status == BPERC_OK) {
      add_delta(p, order, WALKED, r.weights);
      p->walked++;
    }
  }
  bperc_run_clear(&r);
  return status;
}

static void divide(double *values, const double *counts, size_t bins,
                   double runs) {
  for (size_t b = 0; b < bins; b++)
    values[b] =
        counts[b] > 0 && runs > 0 ? values[b] / (counts[b] * runs) : NAN;
}

/* Where a curve first comes to the level and does not fall below it in the next
 * bin; between middles of bins by a straight line. NAN: it never does. */
static double ramp(const double *at, const double *curve, size_t bins,
                   double level) {
  for (size_t b = 0; b < bins; b++) {
    if (!(curve[b] >= level) || (b + 1 < bins && curve[b + 1] < level))
      continue;
    if (b == 0 || !(curve[b - 1] < level))
      return at[b];
    return at[b - 1] + (at[b] - at[b - 1]) * (level - curve[b - 1]) /
                           (curve[b] - curve[b - 1]);
  }
  return NAN;
}

/* Starts of both ramps at several levels: how much hangs on the level. Of
 * t_fix the curve divided by its largest bin, so that a level is a share. */
static void report_starts(bperc_i_probe *t, const profile *p,
                          const double *t_scaled) {
  static const double level[] = {0.02, 0.03, 0.05, 0.1, 0.2};
  enum { LEVELS = sizeof level / sizeof *level };
  double delta[LEVELS], t_fix[LEVELS];
  for (int k = 0; k < LEVELS; k++) {
    delta[k] = ramp(p->sum[AT], p->sum[DELTA], p->bins, level[k]);
    t_fix[k] = ramp(p->sum[AT], t_scaled, p->bins, level[k]);
  }
  bperc_i_put_all(t, "start/level", level, LEVELS);
  bperc_i_put_all(t, "start/delta", delta, LEVELS);
  bperc_i_put_all(t, "start/t_fix", t_fix, LEVELS);
}

/* Eq. 4 has the solution found by BPD: of other decimations there is none. */
static void report_solved(bperc_i_probe *t, const profile *p, int solved,
                          double *room) {
  for (size_t b = 0; b < p->bins; b++)
    room[b] = solved ? p->sum[DELTA][b] : NAN;
  bperc_i_put_all(t, "order/delta_solved", room, p->bins);
}

static void report_dynamics(bperc_i_probe *t, const bperc_order *order,
                            profile *p, double *counts) {
  const dynamics_options *o = t->in->own;
  double most = 0;
  for (size_t k = 0; k < order->fixed; k++) {
    size_t b = bin_of(p, order, k);
    counts[b]++;
    p->sum[AT][b] += ((double)k + 0.5) / (double)order->n;
    p->sum[VALUE][b] += order->value[k];
  }
  divide(p->sum[AT], counts, p->bins, 1);
  divide(p->sum[VALUE], counts, p->bins, 1);
  divide(p->sum[T_FIX], counts, p->bins, (double)p->counted);
  divide(p->sum[DELTA], counts, p->bins, (double)p->counted);
  divide(p->sum[WALKED], counts, p->bins, (double)p->walked);
  bperc_i_put(t, "bpd_solved", order->outcome == BPERC_SOLVED);
  bperc_i_put(t, "unconverged", (double)order->unconverged);
  bperc_i_put(t, "solved", (double)p->runs / (double)o->runs);
  bperc_i_put(t, "counted", (double)p->counted);
  bperc_i_put(t, "ramp", ramp(p->sum[AT], p->sum[DELTA], p->bins, o->level));
  bperc_i_put_all(t, "order/at", p->sum[AT], p->bins);
  bperc_i_put_all(t, "order/value", p->sum[VALUE], p->bins);
  bperc_i_put_all(t, "order/t_fix", p->sum[T_FIX], p->bins);
  bperc_i_put_all(t, "order/delta", p->sum[DELTA], p->bins);
  if (o->walk)
    bperc_i_put_all(t, "order/delta_walk", p->sum[WALKED], p->bins);
  report_solved(t, p, order->outcome == BPERC_SOLVED, counts);
  for (size_t b = 0; b < p->bins; b++)
    most = fmax(most, p->sum[T_FIX][b]); /* fmax ignores NAN */
  for (size_t b = 0; b < p->bins; b++)
    counts[b] = most > 0 ? p->sum[T_FIX][b] / most : NAN;
  bperc_i_put_all(t, "order/t_scaled", counts, p->bins);
  report_starts(t, p, counts);
}

static bperc_status measure_dynamics(bperc_i_probe *t) {
  const dynamics_options *o = t->in->own;
  profile p = {.bins = (size_t)o->bins};
  double *counts = bperc_i_probe_room(t, (1 + SUMS) * p.bins);
  const bperc_order *order = counts ? bperc_i_probe_order(t, 1, NULL) : NULL;
  bperc_status status = BPERC_OK;
  if (!order)
    return t->status;
  for (size_t k = 0; k < SUMS; k++)
    p.sum[k] = counts + (1 + k) * p.bins;
  for (int64_t r = 0; r < o->runs && status == BPERC_OK; r++)
    status = run_dynamics_once(t, order, (uint64_t)r, &p);
  if (status == BPERC_OK)
    report_dynamics(t, order, &p, counts);
  return status;
}

BPERC_I_PROBLEM_RUN(dynamics, measure_dynamics)

static double cost_dynamics(const bperc_inputs *in) {
  const dynamics_options *o = in->own;
  double n = (double)o->n / 480;
  int quick = bperc_i_problem_choice(&bperc_i_measure_dynamics, in) ==
              &bperc_sbpi_class;
  double each = quick ? 0.005 : 0.1;
  return (0.3 + each * (double)o->runs) * n * n;
}

const bperc_measurement bperc_i_measure_dynamics = {
    .name = "dynamics",
    .summary = "runs of a solver against the order in which BPD fixes weights",
    .results =
        "bpd_solved        1 when BPD found a solution\n"
        "unconverged       steps of BPD without convergence\n"
        "solved            fraction of the runs that found a solution\n"
        "counted           runs behind the profiles\n"
        "ramp              O/N at which Delta comes to `level` and stays\n"
        "order/at          O/N, middle of the bin\n"
        "order/value       mean value that BPD gave\n"
        "order/t_fix       last time step at which the sign changed [t_fix]\n"
        "order/t_scaled    the same divided by its largest bin\n"
        "order/delta       differs from the value of BPD [BZ eq. 4]\n"
        "order/delta_solved  the same where BPD found a solution\n"
        "order/delta_walk  the same after the random walk\n"
        "start/level       0.02, 0.03, 0.05, 0.1, 0.2\n"
        "start/delta       O/N at which Delta comes to it and stays\n"
        "start/t_fix       the same of t_fix divided by its largest bin",
    .version = 4,
    BPERC_I_MEASURE_TABLE(dynamics),
    .groups = {{"sbpi", NULL, 0, "solver=sbpi"},
               {"rbp", NULL, 0, "solver=rbp"},
               {"bpd", NULL, 0, NULL},
               {"amp", NULL, 0, "solver=amp"}},
    BPERC_I_PROBLEM_NAMED,
    .cost = cost_dynamics,
    .run = run_dynamics_task,
};
