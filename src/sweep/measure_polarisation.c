/* polarisation: how undecided each weight is in the full solution space,
 * against the order in which decimation fixes it [BZ fig. S7e]. */
#include "sweep/measurements.h"

#include "base/alloc.h"
#include "bperc/bpd.h"
#include "sweep/problem.h"

#include <math.h>

#define ROWS(INT, REAL, CHOICE, FLAG)                                          \
  BPERC_I_PROBLEM_ROWS(INT, REAL, CHOICE)                                      \
  INT(bins, 24, 24, 1, 100000, "of the order of decimation")
BPERC_OPTIONS_DECLARE(polarisation_options, ROWS)
#define BPERC_OPTION_TYPE polarisation_options
static BPERC_OPTIONS_DEFINE(polarisation_table, ROWS)

    enum {
      BPD,
      BP
    };

/* Means over bins of the order of min(p, 1-p). */
static void record_bins(const bperc_bpd_record *order, size_t n,
                        const double *p, double *scratch, size_t bins,
                        bperc_record *out) {
  for (size_t b = 0; b < bins; b++)
    scratch[b] = ((double)b + 0.5) / (double)bins;
  bperc_record_vector(out, "order/position", scratch, bins);
  for (size_t b = 0; b < bins; b++) {
    size_t from = b * n / bins, to = (b + 1) * n / bins;
    double sum = 0;
    for (size_t k = from; k < to; k++)
      sum += fmin(p[order[k].weight], 1 - p[order[k].weight]);
    scratch[b] = to > from ? sum / (double)(to - from) : NAN;
  }
  bperc_record_vector(out, "order/undecided", scratch, bins);
}

static bperc_status decimate(const bperc_inputs *in, const bperc_instance *p,
                             bperc_bpd **out, bperc_error *error) {
  bperc_progress outcome = BPERC_RUNNING;
  bperc_status status = bperc_bpd_new(
      p, in->groups[BPD], bperc_i_problem_seed(in, 2), 1, out, error);
  while (status == BPERC_OK && outcome == BPERC_RUNNING) {
    outcome = bperc_bpd_step(*out);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  return status;
}

static bperc_status measure(const bperc_inputs *in, const bperc_instance *p,
                            double *marginals, double *scratch, size_t bins,
                            bperc_record *out, bperc_error *error) {
  bperc_bp *bp = NULL;
  bperc_bpd *bpd = NULL;
  bperc_bp_report report;
  size_t count;
  bperc_status status = bperc_bp_new(
      p, in->groups[BP], bperc_i_problem_seed(in, 1), 1, &bp, error);
  if (status == BPERC_OK)
    status = bperc_bp_converge(bp, &report);
  if (status == BPERC_OK)
    status = decimate(in, p, &bpd, error);
  if (status == BPERC_OK) {
    const bperc_bpd_record *order = bperc_bpd_records(bpd, &count);
    bperc_record_scalar(out, "converged", report.converged);
    bperc_bp_marginals(bp, marginals);
    if (report.converged && count == p->n)
      record_bins(order, p->n, marginals, scratch, bins, out);
  }
  bperc_bpd_free(bpd);
  bperc_bp_free(bp);
  return status;
}

static bperc_status run(const bperc_inputs *in, bperc_record *out,
                        bperc_error *error) {
  const polarisation_options *o = in->own;
  bperc_ensemble e = BPERC_I_ENSEMBLE(o, BPERC_I_PATTERNS(o));
  double *marginals = bperc_i_alloc(e.n, sizeof *marginals);
  double *scratch = bperc_i_alloc((size_t)o->bins, sizeof *scratch);
  bperc_instance *problem = NULL;
  bperc_status status = marginals && scratch
                            ? bperc_i_problem_make(&e, in, &problem, error)
                            : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status =
        measure(in, problem, marginals, scratch, (size_t)o->bins, out, error);
  bperc_instance_free(problem);
  bperc_i_free(marginals);
  bperc_i_free(scratch);
  return status;
}

static double cost(const bperc_inputs *in) {
  double n = (double)((const polarisation_options *)in->own)->n / 480;
  return 0.5 * n * n;
}

const bperc_measurement bperc_i_measure_polarisation = {
    .name = "polarisation",
    .summary = "min(p, 1-p) before anything is fixed, in the order of BPD",
    .results = "converged        belief propagation in the full space, 1 or 0\n"
               "order/position   of a bin of the order of decimation, 0 to 1\n"
               "order/undecided  min(p, 1-p) in the full solution space",
    .version = 1,
    .options = polarisation_table,
    .options_size = sizeof(polarisation_options),
    .groups = {{"bpd", NULL, 0, NULL},
               {"bp", bperc_bp_option_table, sizeof(bperc_bp_options), NULL}},
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .cost = cost,
    .run = run,
};
