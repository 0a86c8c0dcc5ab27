/* polarisation: how undecided each weight is in the full solution space,
 * against the order in which decimation fixes it [BZ fig. S7e]. */
#include "lab/measure/measurements.h"

#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, bins, 24, 24, 1, 100000, "of the order of decimation")
BPERC_I_MEASURE_OPTIONS(polarisation, ROWS);

static bperc_status marginals(bperc_i_probe *t, double *out,
                              bperc_bp_report *report) {
  bperc_bp *bp = NULL;
  bperc_status status =
      bperc_bp_new(t->problem, bperc_i_probe_group(t, "bp"),
                   bperc_i_probe_seed(t, 1), 1, &bp, t->error);
  if (status == BPERC_OK)
    status = bperc_bp_converge(bp, report);
  if (status == BPERC_OK)
    bperc_bp_marginals(bp, out);
  bperc_bp_free(bp);
  return status;
}

static bperc_status measure_polarisation(bperc_i_probe *t) {
  const polarisation_options *o = t->in->own;
  size_t n = t->problem->n, bins = (size_t)o->bins;
  double *p = bperc_i_probe_room(t, 2 * n + bins); /* probability of 1 */
  bperc_bp_report report;
  bperc_status status = p ? marginals(t, p, &report) : t->status;
  const bperc_order *order =
      status == BPERC_OK ? bperc_i_probe_order(t, 2, NULL) : NULL;
  if (!order)
    return status == BPERC_OK ? t->status : status;
  bperc_i_put(t, "converged", report.converged);
  if (!report.converged || order->fixed < n)
    return BPERC_OK;
  for (size_t k = 0; k < n; k++)
    p[n + k] = fmin(p[order->weight[k]], 1 - p[order->weight[k]]);
  bperc_i_put_bins(t, "order/position", NULL, n, p + 2 * n, bins);
  bperc_i_put_bins(t, "order/undecided", p + n, n, p + 2 * n, bins);
  return BPERC_OK;
}

BPERC_I_PROBLEM_RUN(polarisation, measure_polarisation)

const bperc_measurement bperc_i_measure_polarisation = {
    .name = "polarisation",
    .summary = "min(p, 1-p) before anything is fixed, in the order of BPD",
    .results = "converged        belief propagation in the full space, 1 or 0\n"
               "order/position   of a bin of the order of decimation, 0 to 1\n"
               "order/undecided  min(p, 1-p) in the full solution space",
    .version = 2,
    BPERC_I_MEASURE_TABLE(polarisation),
    .groups = {{"bpd", NULL, 0, NULL},
               {"bp", bperc_bp_option_table, sizeof(bperc_bp_options), NULL}},
    BPERC_I_PROBLEM_NAMED,
    .seconds = 0.5,
    .size = 480,
    .power = 2,
    .run = run_polarisation_task,
};
