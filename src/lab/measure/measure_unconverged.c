/* unconverged: F_BP(t) of a step of decimation at which belief propagation
 * does not converge, and the moment that the inflection rule picks
 * [BZ supplement 4, fig. S4]. */
#include "lab/measure/measurements.h"

#include "bperc/bp.h"
#include "bperc/bpd.h"
#include "lab/measure/problem.h"

#include <math.h>

/* A change of F_BP in the last iteration below this: slow, not lost. */
#define CREEPING 1e-5

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, tries, 50, 50, 1, 1e6, "random instances to look through")            \
  X(INT, window, 40, 40, 2, 100000,                                            \
    "iterations over which slopes before, at and after t0 are taken")
BPERC_I_MEASURE_OPTIONS(unconverged, ROWS);

/* F(a) - F(b) per iteration, NAN outside of the run. */
static double descent(const double *f, size_t count, double a, double b) {
  if (a < 0 || b >= (double)count)
    return NAN;
  return (f[(size_t)a] - f[(size_t)b]) / (b - a);
}

static bperc_status record_inflection(bperc_i_probe *t,
                                      const bperc_bpd_record *step,
                                      size_t fixed, const double *f) {
  const unconverged_options *o = t->in->own;
  size_t count = step->iterations, moment;
  double half = floor((double)o->window / 2), t0, before, here, after;
  int inflects, slow;
  double *times = bperc_i_probe_room(t, count);
  if (!times)
    return t->status;
  bperc_bp_inflection(f, count, &moment);
  t0 = (double)moment;
  for (size_t k = 0; k < count; k++)
    times[k] = (double)k;
  before = descent(f, count, t0 - 3 * half, t0 - half);
  here = descent(f, count, t0 - half, t0 + half);
  after = descent(f, count, t0 + half, t0 + 3 * half);
  inflects = here < before && here < after;
  slow = fabs(f[count - 1] - f[count - 2]) < CREEPING;
  bperc_i_put(t, "fixed", (double)fixed);
  bperc_i_put(t, "t0", t0);
  bperc_i_put(t, "f0", f[moment]);
  bperc_i_put(t, "before", before);
  bperc_i_put(t, "here", here);
  bperc_i_put(t, "after", after);
  bperc_i_put(t, "slow", slow);
  bperc_i_put(t, "inflects_all", inflects);
  bperc_i_put(t, "inflects", slow ? NAN : inflects);
  bperc_i_put_all(t, "run/t", times, count);
  bperc_i_put_all(t, "run/entropy", f, count);
  return BPERC_OK;
}

/* Decimates until a step ends by the inflection rule. */
static bperc_status look_for_inflection(bperc_i_probe *t,
                                        const bperc_instance *problem,
                                        uint64_t seed, int *found) {
  bperc_run_options how = {.seed = seed, .threads = 1};
  bperc_solver *s = NULL;
  bperc_progress progress = BPERC_RUNNING;
  bperc_status status = bperc_solver_new(&bperc_bpd_class, problem,
                                         t->in->groups[0], &how, &s, t->error);
  const bperc_bpd *bpd = status == BPERC_OK ? bperc_bpd_of(s) : NULL;
  while (status == BPERC_OK && progress == BPERC_RUNNING && !*found) {
    size_t count;
    const bperc_bpd_record *steps;
    progress = bperc_solver_step(s);
    steps = bperc_bpd_records(bpd, &count);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
    else if (count && steps[count - 1].method == BPERC_BPD_INFLECTION) {
      *found = 1;
      status = record_inflection(t, &steps[count - 1], count - 1,
                                 bperc_bpd_entropies(bpd));
    }
  }
  bperc_solver_free(s);
  return status;
}

/* The problem of the task is the first of its tries. */
static bperc_status measure_unconverged(bperc_i_probe *t) {
  const unconverged_options *o = t->in->own;
  bperc_ensemble e = BPERC_I_ENSEMBLE(o, BPERC_I_PATTERNS(o));
  bperc_status status = BPERC_OK;
  int found = 0;
  for (uint64_t k = 0; k < (uint64_t)o->tries && !found && status == BPERC_OK;
       k++) {
    bperc_instance *next = NULL;
    if (k)
      status = bperc_ensemble_draw(&e, bperc_i_probe_seed(t, 2 * k), &next,
                                   t->error);
    if (status == BPERC_OK)
      status = look_for_inflection(t, k ? next : t->problem,
                                   bperc_i_probe_seed(t, 2 * k + 1), &found);
    bperc_instance_free(next);
  }
  if (status == BPERC_OK && !found)
    status = bperc_error_set(t->error, BPERC_E_NUMERIC,
                             "belief propagation always converged");
  return status;
}

BPERC_I_PROBLEM_RUN(unconverged, measure_unconverged)

static bperc_status check_unconverged(const bperc_inputs *in,
                                      bperc_error *error) {
  const bperc_bpd_options *bpd = in->groups[0];
  if (bpd->protocol == BPERC_BPD_PAPER)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "the inflection rule belongs to bpd.protocol = paper");
}

const bperc_measurement bperc_i_measure_unconverged = {
    .name = "unconverged",
    .summary = "a belief propagation in decimation that does not converge",
    .results =
        "fixed        weights fixed before\n"
        "t0           iteration that the inflection rule picks\n"
        "f0           F_BP there\n"
        "before       mean descent of F_BP in the window before t0\n"
        "here         around t0\n"
        "after        after t0\n"
        "slow         1 when F_BP still creeps at the end, by less than 1e-5\n"
        "inflects     1 when it is slowest around t0; not of slow runs\n"
        "inflects_all the same of all runs\n"
        "run/t        iteration\n"
        "run/entropy  F_BP, Bethe entropy per unfixed weight",
    .version = 4,
    BPERC_I_MEASURE_TABLE(unconverged),
    .groups = {{"bpd", NULL, 0, NULL}},
    BPERC_I_PROBLEM_NAMED,
    .check = check_unconverged,
    .seconds = 0.2,
    .size = 25,
    .power = 2,
    .run = run_unconverged_task,
};
