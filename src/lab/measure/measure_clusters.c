/* clusters: the full solution space of one random instance, by exact listing
 * [BZ figs. A1, 7, 9; eqs. 5-10]. */
#include "lab/measure/measurements.h"

#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, most, 100000000, 100000000, 1, 1e12,                                  \
    "instances with more solutions are left out and counted")
BPERC_I_MEASURE_OPTIONS(clusters, ROWS);

enum { SIZES = 28 }; /* classes of sizes: 1, 2-3, 4-7, ... */

/* How many clusters there are of each size, and how many solutions in them. */
static void record_sizes(bperc_i_probe *t, const bperc_clusters *c) {
  double size[SIZES], clusters[SIZES] = {0}, share[SIZES] = {0};
  double few = 0;
  for (int k = 0; k < SIZES; k++)
    size[k] = ldexp(1, k);
  for (size_t g = 0; g < c->count; g++) {
    int k = ilogb((double)c->size[g]);
    k = k < SIZES ? k : SIZES - 1;
    clusters[k]++;
    share[k] += (double)c->size[g] / (double)c->solutions;
    few += 2 * (double)c->size[g] >= (double)c->size[0];
  }
  bperc_i_put(t, "few", few);
  bperc_i_put(t, "log_clusters", log((double)c->count));
  bperc_i_put(t, "log_largest", log((double)c->size[0]));
  bperc_i_put_all(t, "sizes/size", size, SIZES);
  bperc_i_put_all(t, "sizes/clusters", clusters, SIZES);
  bperc_i_put_all(t, "sizes/share", share, SIZES);
}

/* Mean weight of the solutions: the overlap of a solution with itself. */
static double mean_solution_weight(const bperc_solutions *list) {
  uint64_t ones[128];
  double sum = 0;
  bperc_solutions_ones(list, ones);
  for (size_t j = 0; j < list->columns; j++)
    sum += (double)ones[j];
  return sum / ((double)list->count * (double)list->columns);
}

/* The same overlaps counted in other ways: pairs of different solutions only;
 * and as parts of the overlap of any two solutions, which can be added over
 * instances (the pooled q_same is the mean of `same` divided by that of
 * 1 - x*). */
static void record_averages(bperc_i_probe *t, const bperc_clusters *c,
                            double self) {
  double single = 1 / (double)c->solutions, same = 1 - c->parisi_x;
  double distinct = same > 1.5 * single
                        ? (same * c->q_same - single * self) / (same - single)
                        : NAN;
  bperc_i_put(t, "q_distinct", distinct);
  bperc_i_put(t, "gap_distinct", distinct - c->q_diff);
  bperc_i_put(t, "same", same * c->q_same);
  bperc_i_put(t, "diff", c->count > 1 ? c->parisi_x * c->q_diff : 0);
}

static void record_clusters(bperc_i_probe *t, const bperc_clusters *c) {
  double gap = c->q_same - c->q_diff;
  double square = (1 - c->parisi_x) * c->parisi_x * gap * gap / 3;
  bperc_i_put(t, "clusters", (double)c->count);
  bperc_i_put(t, "parisi_x", c->parisi_x);
  bperc_i_put(t, "q_same", c->q_same);
  bperc_i_put(t, "q_diff", c->q_diff);
  bperc_i_put(t, "gap", gap);
  bperc_i_put(t, "predicted", c->count > 1 ? square : NAN);
  bperc_i_put(t, "largest", (double)c->size[0] / (double)c->solutions);
}

static bperc_status record_space(bperc_i_probe *t,
                                 const bperc_solutions *list) {
  bperc_clusters *clusters = NULL;
  bperc_moments moments;
  bperc_status status = bperc_clusters_new(list, &clusters);
  if (status == BPERC_OK)
    status = bperc_solutions_moments(list, &moments, NULL, NULL);
  if (status == BPERC_OK) {
    bperc_i_put(t, "log_count", moments.log_count);
    bperc_i_put(t, "entropy", moments.entropy);
    bperc_i_put(t, "xcorr_mean", moments.xcorr_mean);
    bperc_i_put(t, "xcorr_mean_square", moments.xcorr_mean_square);
    record_clusters(t, clusters);
    record_averages(t, clusters, mean_solution_weight(list));
    record_sizes(t, clusters);
  }
  bperc_clusters_free(clusters);
  return status;
}

/* Every instance leaves "solvable" and "listed": what is missing from the
 * averages can be read in the tables. */
static bperc_status measure_all_clusters(bperc_i_probe *t) {
  const clusters_options *o = t->in->own;
  bperc_solutions *list = NULL;
  bperc_status status =
      bperc_i_order_list(t->problem, NULL, 0, o->most, &list, t->error);
  if (status == BPERC_OK) {
    bperc_i_put(t, "solvable", list->count > 0);
    bperc_i_put(t, "listed", list->count ? list->complete : NAN);
    if (list->complete && list->count)
      status = record_space(t, list);
  }
  bperc_solutions_free(list);
  return status;
}

BPERC_I_PROBLEM_RUN(clusters, measure_all_clusters)

static double cost_clusters(const bperc_inputs *in) {
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
               "largest            share of the largest cluster\n"
               "q_distinct         q_same without pairs of a solution with\n"
               "                   itself; none where all clusters are single\n"
               "gap_distinct       q_distinct - q_diff\n"
               "same, diff         (1 - x*) q_same and x* q_diff: their means\n"
               "                   divided by those of 1 - x* and x* are the\n"
               "                   overlaps of pairs pooled over instances\n"
               "few                clusters at least half as large as the\n"
               "                   largest\n"
               "log_clusters       log of the number of clusters\n"
               "log_largest        log of the size of the largest\n"
               "sizes/size         1, 2, 4, ...: class of clusters from this\n"
               "                   size to below its double\n"
               "sizes/clusters     of this class\n"
               "sizes/share        of the solutions, in clusters of this class",
    .version = 3,
    BPERC_I_MEASURE_TABLE(clusters),
    BPERC_I_PROBLEM_NAMED,
    .cost = cost_clusters,
    .run = run_clusters_task,
};
