/* clusters: the full solution space of one random instance, by exact listing
 * [BZ figs. A1, 7, 9; eqs. 5-10]. */
#include "measure/measurements.h"

#include "bperc/exact.h"
#include "measure/problem.h"

#include <math.h>

#define ROWS(INT, REAL, CHOICE, FLAG)                                          \
  BPERC_I_PROBLEM_ROWS(INT, REAL, CHOICE)                                      \
  INT(most, 100000000, 100000000, 1, 1e12,                                     \
      "instances with more solutions are left out and counted")
BPERC_OPTIONS_DECLARE(clusters_options, ROWS)
#define BPERC_OPTION_TYPE clusters_options
static BPERC_OPTIONS_DEFINE(clusters_table, ROWS)

    static void record_clusters(const bperc_clusters *c, bperc_record *out) {
  double square = c->count > 1 ? (1 - c->parisi_x) * c->parisi_x *
                                     (c->q_same - c->q_diff) *
                                     (c->q_same - c->q_diff) / 3
                               : NAN;
  bperc_record_scalar(out, "clusters", (double)c->count);
  bperc_record_scalar(out, "parisi_x", c->parisi_x);
  bperc_record_scalar(out, "q_same", c->q_same);
  bperc_record_scalar(out, "q_diff", c->q_diff);
  bperc_record_scalar(out, "gap", c->q_same - c->q_diff);
  bperc_record_scalar(out, "predicted", square);
  bperc_record_scalar(out, "largest",
                      (double)c->size[0] / (double)c->solutions);
}

static bperc_status record_space(const bperc_solutions *list,
                                 bperc_record *out) {
  bperc_clusters *clusters = NULL;
  bperc_moments moments;
  bperc_status status = bperc_clusters_new(list, &clusters);
  if (status == BPERC_OK)
    status = bperc_solutions_moments(list, &moments, NULL, NULL);
  if (status == BPERC_OK) {
    bperc_record_scalar(out, "log_count", moments.log_count);
    bperc_record_scalar(out, "entropy", moments.entropy);
    bperc_record_scalar(out, "xcorr_mean", moments.xcorr_mean);
    bperc_record_scalar(out, "xcorr_mean_square", moments.xcorr_mean_square);
    record_clusters(clusters, out);
  }
  bperc_clusters_free(clusters);
  return status;
}

/* Every instance leaves "solvable" and "listed": what is missing from the
 * averages can be read in the tables. */
static bperc_status measure(const bperc_inputs *in,
                            const bperc_instance *problem, bperc_record *out,
                            bperc_error *error) {
  const clusters_options *o = in->own;
  bperc_solutions *list = NULL;
  bperc_exact_options options;
  bperc_status status;
  bperc_options_default(bperc_exact_option_table(), &options);
  options.limit = o->most;
  status = bperc_exact_list(problem, NULL, &options, 1, NULL, &list, error);
  if (status == BPERC_OK) {
    bperc_record_scalar(out, "solvable", list->count > 0);
    bperc_record_scalar(out, "listed", list->count ? list->complete : NAN);
    if (list->complete && list->count)
      status = record_space(list, out);
  }
  bperc_solutions_free(list);
  return status;
}

BPERC_I_PROBLEM_RUN(clusters_options, measure)

static double cost(const bperc_inputs *in) {
  const clusters_options *o = in->own;
  return 1e-4 * exp(0.2 * ((double)o->n - 25) * (0.8 - o->fin) / 0.4);
}

const bperc_measurement bperc_i_measure_clusters = {
    .name = "clusters",
    .summary = "the full solution space of one instance, by exact listing",
    .results = "solvable           1 or 0\n"
               "listed             1, or 0 for more than `most` solutions\n"
               "log_count          of the number of solutions\n"
               "entropy            log_count / N\n"
               "xcorr_mean         [BZ eq. 8]\n"
               "xcorr_mean_square  [BZ eq. 7]\n"
               "clusters           solutions connected by single flips\n"
               "parisi_x           x* [BZ eq. 10]\n"
               "q_same, q_diff     overlaps inside and between clusters\n"
               "gap                q_same - q_diff of this instance\n"
               "predicted          xcorr_mean_square by [BZ eq. 9]\n"
               "largest            share of the largest cluster",
    .version = 2,
    .options = clusters_table,
    .options_size = sizeof(clusters_options),
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .later = BPERC_I_PROBLEM_LATER,
    .cost = cost,
    .run = run,
};
