/* bethe: the Bethe entropy of a random instance, plain and centred, beside the
 * exact count where that can be had. */
#include "lab/measure/measurements.h"

#include "bperc/bp.h"
#include "bperc/exact.h"
#include "lab/measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(FLAG, exact, 0, 0, "count all solutions too")
BPERC_I_MEASURE_OPTIONS(bethe, ROWS);

/* Entropy per weight, NAN where it does not converge. */
static bperc_status entropy(bperc_i_probe *t, int centred, double *out) {
  bperc_bp_options o = *(const bperc_bp_options *)bperc_i_probe_group(t, "bp");
  bperc_bp_report report = {0};
  bperc_bp *bp = NULL;
  bperc_status status;
  *out = NAN;
  o.centred = centred;
  status =
      bperc_bp_new(t->problem, &o, bperc_i_probe_seed(t, 1), 1, &bp, t->error);
  if (status == BPERC_OK && bperc_bp_violated(bp) == t->problem->m)
    status = bperc_bp_converge(bp, &report);
  if (status == BPERC_OK && report.converged)
    *out = bperc_bp_entropy(bp);
  bperc_bp_free(bp);
  return status;
}

/* log(number of solutions) per weight, NAN when there are none. */
static bperc_status count_log_solutions(bperc_i_probe *t, double *out) {
  bperc_exact_answer answer;
  bperc_status status =
      bperc_exact_count(t->problem, NULL, &(bperc_space_options){.threads = 1},
                        &answer, t->error);
  if (status == BPERC_OK)
    *out = bperc_count_log(answer.count) / (double)t->problem->n;
  if (status == BPERC_OK && !isfinite(*out))
    *out = NAN;
  return status;
}

static bperc_status measure_bethe(bperc_i_probe *t) {
  const bethe_options *o = t->in->own;
  double plain, centred, exact = NAN;
  bperc_status status = entropy(t, 0, &plain);
  if (status == BPERC_OK)
    status = entropy(t, 1, &centred);
  if (status == BPERC_OK && o->exact)
    status = count_log_solutions(t, &exact);
  if (status != BPERC_OK)
    return status;
  bperc_i_put(t, "plain", plain);
  bperc_i_put(t, "centred", centred);
  bperc_i_put(t, "plain_converged", isfinite(plain));
  bperc_i_put(t, "centred_converged", isfinite(centred));
  if (!o->exact)
    return BPERC_OK;
  bperc_i_put(t, "exact", exact);
  bperc_i_put(t, "plain_error", plain - exact);
  bperc_i_put(t, "centred_error", centred - exact);
  bperc_i_put(t, "gain", fabs(plain - exact) - fabs(centred - exact));
  return BPERC_OK;
}

BPERC_I_PROBLEM_RUN(bethe, measure_bethe)

static double cost_bethe(const bperc_inputs *in) {
  const bethe_options *o = in->own;
  double n = (double)o->n / 480;
  return (o->exact ? 0.5 : 0.1) + 2 * n * n * o->alpha / 0.2;
}

const bperc_measurement bperc_i_measure_bethe = {
    .name = "bethe",
    .summary = "Bethe entropy, plain and at pinned activity",
    .results =
        "plain              Bethe entropy per weight of belief propagation\n"
        "centred            the same with the activity pinned\n"
        "plain_converged    1 or 0\n"
        "centred_converged  1 or 0\n"
        "exact              log(number of solutions) / N, with exact = 1\n"
        "plain_error        plain - exact\n"
        "centred_error      centred - exact\n"
        "gain               |plain_error| - |centred_error|",
    .version = 1,
    BPERC_I_MEASURE_TABLE(bethe),
    .groups = {{"bp", bperc_bp_option_table, sizeof(bperc_bp_options), NULL}},
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .cost = cost_bethe,
    .run = run_bethe_task,
};
