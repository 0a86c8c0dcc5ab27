/* bethe: the Bethe entropy of a random instance, plain and centred, beside the
 * exact count where that can be had. */
#include "measure/measurements.h"

#include "bperc/bp.h"
#include "bperc/exact.h"
#include "measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(FLAG, exact, 0, 0, "count all solutions too")
BPERC_I_MEASURE_OPTIONS(bethe, ROWS);

/* Entropy per weight, NAN where it does not converge. */
static bperc_status entropy(const bperc_inputs *in,
                            const bperc_instance *problem, int centred,
                            double *out, bperc_error *error) {
  bperc_bp_options o = *(const bperc_bp_options *)in->groups[0];
  bperc_bp_report report = {0};
  bperc_bp *bp = NULL;
  bperc_status status;
  *out = NAN;
  o.centred = centred;
  status =
      bperc_bp_new(problem, &o, bperc_i_problem_seed(in, 1), 1, &bp, error);
  if (status == BPERC_OK && bperc_bp_violated(bp) == problem->m)
    status = bperc_bp_converge(bp, &report);
  if (status == BPERC_OK && report.converged)
    *out = bperc_bp_entropy(bp);
  bperc_bp_free(bp);
  return status;
}

/* log(number of solutions) per weight, NAN when there are none. */
static bperc_status count(const bperc_instance *problem, double *out,
                          bperc_error *error) {
  bperc_exact_answer answer;
  bperc_status status =
      bperc_exact_count(problem, NULL, NULL, 1, NULL, &answer, error);
  if (status == BPERC_OK)
    *out = bperc_count_log(answer.count) / (double)problem->n;
  if (status == BPERC_OK && !isfinite(*out))
    *out = NAN;
  return status;
}

static bperc_status measure(const bperc_inputs *in,
                            const bperc_instance *problem, bperc_record *out,
                            bperc_error *error) {
  const bethe_options *o = in->own;
  double plain, centred, exact = NAN;
  bperc_status status = entropy(in, problem, 0, &plain, error);
  if (status == BPERC_OK)
    status = entropy(in, problem, 1, &centred, error);
  if (status == BPERC_OK && o->exact)
    status = count(problem, &exact, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "plain", plain);
  bperc_record_scalar(out, "centred", centred);
  bperc_record_scalar(out, "plain_converged", isfinite(plain));
  bperc_record_scalar(out, "centred_converged", isfinite(centred));
  if (!o->exact)
    return BPERC_OK;
  bperc_record_scalar(out, "exact", exact);
  bperc_record_scalar(out, "plain_error", plain - exact);
  bperc_record_scalar(out, "centred_error", centred - exact);
  bperc_record_scalar(out, "gain", fabs(plain - exact) - fabs(centred - exact));
  return BPERC_OK;
}

BPERC_I_PROBLEM_RUN(bethe_options, measure)

static double cost(const bperc_inputs *in) {
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
    .cost = cost,
    .run = run,
};
