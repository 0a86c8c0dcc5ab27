/* unconverged: F_BP(t) of a step of decimation at which belief propagation
 * does not converge, and the moment that the inflection rule picks
 * [BZ supplement 4, fig. S4]. */
#include "measure/measurements.h"

#include "base/alloc.h"
#include "bp/inflection.h"
#include "bperc/bpd.h"
#include "measure/problem.h"

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

static bperc_status record(const unconverged_options *o,
                           const bperc_bpd_record *step, size_t fixed,
                           const double *f, bperc_record *out) {
  size_t count = step->iterations, moment;
  double half = floor((double)o->window / 2), t0, before, here, after;
  int inflects, slow;
  double *times = bperc_i_alloc(count, sizeof *times);
  if (!times)
    return BPERC_E_MEMORY;
  bperc_i_inflection(f, count, &moment);
  t0 = (double)moment;
  for (size_t t = 0; t < count; t++)
    times[t] = (double)t;
  bperc_record_scalar(out, "fixed", (double)fixed);
  bperc_record_scalar(out, "t0", t0);
  bperc_record_scalar(out, "f0", f[moment]);
  before = descent(f, count, t0 - 3 * half, t0 - half);
  here = descent(f, count, t0 - half, t0 + half);
  after = descent(f, count, t0 + half, t0 + 3 * half);
  inflects = here < before && here < after;
  slow = fabs(f[count - 1] - f[count - 2]) < CREEPING;
  bperc_record_scalar(out, "before", before);
  bperc_record_scalar(out, "here", here);
  bperc_record_scalar(out, "after", after);
  bperc_record_scalar(out, "slow", slow);
  bperc_record_scalar(out, "inflects_all", inflects);
  bperc_record_scalar(out, "inflects", slow ? NAN : inflects);
  bperc_record_vector(out, "run/t", times, count);
  bperc_record_vector(out, "run/entropy", f, count);
  bperc_i_free(times);
  return BPERC_OK;
}

/* Decimates until a step ends by the inflection rule. */
static bperc_status look(const unconverged_options *o, const bperc_inputs *in,
                         const bperc_instance *problem, uint64_t seed,
                         bperc_record *out, int *found, bperc_error *error) {
  void *s = NULL;
  bperc_progress progress = BPERC_RUNNING;
  bperc_status status = bperc_solver_create(&bperc_bpd_class, problem,
                                            in->groups[0], seed, 1, &s, error);
  *found = 0;
  while (status == BPERC_OK && progress == BPERC_RUNNING && !*found) {
    size_t count;
    const bperc_bpd_record *steps;
    progress = bperc_bpd_class.step(s);
    steps = bperc_bpd_records(s, &count);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
    else if (count && steps[count - 1].method == BPERC_BPD_INFLECTION) {
      *found = 1;
      status =
          record(o, &steps[count - 1], count - 1, bperc_bpd_entropies(s), out);
    }
  }
  bperc_bpd_class.destroy(s);
  return status;
}

static bperc_status run(const bperc_inputs *in, bperc_record *out,
                        bperc_error *error) {
  const unconverged_options *o = in->own;
  bperc_status status = BPERC_OK;
  int found = 0;
  for (int64_t k = 0; k < o->tries && !found && status == BPERC_OK; k++) {
    bperc_instance *problem = NULL;
    uint64_t seed = bperc_i_problem_seed(in, 2 * (uint64_t)k);
    bperc_ensemble e = BPERC_I_ENSEMBLE(o, BPERC_I_PATTERNS(o));
    status = bperc_ensemble_draw(&e, seed, &problem, error);
    if (status == BPERC_OK)
      status =
          look(o, in, problem, bperc_i_problem_seed(in, 2 * (uint64_t)k + 1),
               out, &found, error);
    bperc_instance_free(problem);
  }
  if (status == BPERC_OK && !found)
    status = bperc_error_set(error, BPERC_E_NUMERIC,
                             "belief propagation always converged");
  return status;
}

static bperc_status check(const bperc_inputs *in, bperc_error *error) {
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
    .check = check,
    .seconds = 0.2,
    .size = 25,
    .power = 2,
    .run = run,
};
