/* polarisation: how undecided each weight is in the full solution space,
 * against the order in which decimation fixes it [BZ fig. S7e]. */
#include "measure/measurements.h"

#include "base/alloc.h"
#include "measure/decimated.h"
#include "measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, bins, 24, 24, 1, 100000, "of the order of decimation")
BPERC_I_MEASURE_OPTIONS(polarisation, ROWS);

enum { BPD, BP };

/* p: probability of 1 by weight. */
static void record_bins(const bperc_order *order, const double *p,
                        double *along, double *means, size_t bins,
                        bperc_record *out) {
  for (size_t k = 0; k < order->n; k++)
    along[k] = fmin(p[order->weight[k]], 1 - p[order->weight[k]]);
  bperc_i_bins_middle(means, bins);
  bperc_record_vector(out, "order/position", means, bins);
  bperc_i_bins_mean(along, order->n, means, bins);
  bperc_record_vector(out, "order/undecided", means, bins);
}

static bperc_status marginals(const bperc_inputs *in, const bperc_instance *p,
                              double *out, bperc_bp_report *report,
                              bperc_error *error) {
  bperc_bp *bp = NULL;
  bperc_status status = bperc_bp_new(
      p, in->groups[BP], bperc_i_problem_seed(in, 1), 1, &bp, error);
  if (status == BPERC_OK)
    status = bperc_bp_converge(bp, report);
  if (status == BPERC_OK)
    bperc_bp_marginals(bp, out);
  bperc_bp_free(bp);
  return status;
}

static bperc_status measure(const bperc_inputs *in, const bperc_instance *p,
                            bperc_record *out, bperc_error *error) {
  size_t bins = (size_t)((const polarisation_options *)in->own)->bins;
  double *room = bperc_i_alloc(2 * p->n + bins, sizeof *room);
  bperc_order order = {0};
  bperc_bp_report report;
  bperc_status status =
      room ? marginals(in, p, room, &report, error) : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = bperc_i_order_bpd(p, in->groups[BPD], bperc_i_problem_seed(in, 2),
                               NULL, &order, error);
  if (status == BPERC_OK)
    bperc_record_scalar(out, "converged", report.converged);
  if (status == BPERC_OK && report.converged && order.fixed == p->n)
    record_bins(&order, room, room + p->n, room + 2 * p->n, bins, out);
  bperc_order_clear(&order);
  bperc_i_free(room);
  return status;
}

BPERC_I_PROBLEM_RUN(polarisation_options, measure)

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
    .run = run,
};
