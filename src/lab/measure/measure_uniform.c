/* uniform: decimation in random order, by belief propagation and exactly. Where
 * does it lose the last solution, and where do solutions condense into few
 * clusters [BZ section VIII]? */
#include "lab/measure/measurements.h"

#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <assert.h>
#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, most, 1e6, 1e6, 1, 1e10,                                              \
    "instances with more solutions are left out and counted")
BPERC_I_MEASURE_OPTIONS(uniform, ROWS);

/* Measures of the spaces along an order, up to the last that has a
 * solution: *count of them. */
static bperc_status along(const bperc_solutions *all, const bperc_order *order,
                          bperc_exact_step *steps, size_t *count) {
  bperc_status status =
      bperc_exact_along(all, BPERC_ALONG_ALONE, order, 0, steps, NULL);
  *count = 0;
  while (status == BPERC_OK && *count <= order->fixed &&
         isfinite(steps[*count].log_count))
    ++*count;
  return status;
}

/* Share of fixed weights at which x* has come to half of what it was before
 * decimation. NAN: there was one cluster. */
static double condensed(const bperc_exact_step *steps, size_t count, size_t n) {
  if (!(steps[0].parisi_x > 0))
    return NAN;
  for (size_t k = 0; k < count; k++)
    if (steps[k].parisi_x <= steps[0].parisi_x / 2)
      return (double)k / (double)n;
  return 1;
}

/* Uniform BPD: whether it ends at a solution; else the share of weights after
 * which no solution is left. */
static bperc_status record_bp(bperc_i_probe *t, const bperc_solutions *all,
                              bperc_exact_step *steps, int *solved) {
  uint64_t seed = bperc_i_probe_seed(t, 2);
  const bperc_order *order = bperc_i_probe_order(t, 1, &seed);
  double n = (double)t->problem->n;
  size_t count = 0;
  bperc_status status = order ? along(all, order, steps, &count) : t->status;
  if (status == BPERC_OK) {
    *solved = order->outcome == BPERC_SOLVED;
    bperc_i_put(t, "solved", *solved);
    bperc_i_put(t, "lost", *solved ? NAN : (double)count / n);
  }
  return status;
}

/* The usual decimation of the same problem, for comparison. */
static bperc_status record_polarised(bperc_i_probe *t) {
  const bperc_order *order = bperc_i_probe_order(t, 1, NULL);
  if (order)
    bperc_i_put(t, "polarised", order->outcome == BPERC_SOLVED);
  return t->status;
}

/* room: two numbers for each of n + 1 steps. */
static void record_uniform_steps(bperc_i_probe *t,
                                 const bperc_exact_step *steps, size_t count,
                                 double *room) {
  size_t n = t->problem->n;
  double *share = room, *x = share + n + 1;
  for (size_t k = 0; k <= n; k++) {
    share[k] = (double)k / (double)n;
    x[k] = k < count ? steps[k].parisi_x : NAN;
  }
  bperc_i_put_all(t, "step/share", share, n + 1);
  bperc_i_put_all(t, "step/parisi_x", x, n + 1);
}

/* Exact uniform decimation always ends at a solution. */
static bperc_status record_exact(bperc_i_probe *t, const bperc_solutions *all,
                                 bperc_exact_step *steps, int solved) {
  uint64_t seed = bperc_i_probe_seed(t, 3);
  size_t n = t->problem->n, count = 0;
  double *room = bperc_i_probe_room(t, 2 * (n + 1)), at;
  bperc_order order = {0};
  bperc_status status = t->status;
  if (status == BPERC_OK)
    status = bperc_decimate_exactly(t->problem, all, &seed, &order, t->error);
  if (status == BPERC_OK)
    status = along(all, &order, steps, &count);
  if (status == BPERC_OK) {
    at = condensed(steps, count, n);
    bperc_i_put(t, "exact", order.outcome == BPERC_SOLVED);
    bperc_i_put(t, "condensed", at);
    bperc_i_put(t, "condensed_solved", solved ? at : NAN);
    bperc_i_put(t, "condensed_failed", solved ? NAN : at);
    record_uniform_steps(t, steps, count, room);
  }
  bperc_order_clear(&order);
  return status;
}

static bperc_status measure_uniform(bperc_i_probe *t) {
  const uniform_options *o = t->in->own;
  bperc_solutions *all = NULL;
  int solved = 0;
  bperc_exact_step *steps = bperc_calloc(t->problem->n + 1, sizeof *steps);
  bperc_status status =
      steps ? bperc_i_order_list(t->problem, NULL, 0, o->most, &all, t->error)
            : bperc_error_set(t->error, BPERC_E_MEMORY, "no memory for steps");
  assert(status != BPERC_OK || all);
  if (status == BPERC_OK)
    bperc_i_put(t, "satisfiable", all->count > 0);
  if (status == BPERC_OK && all->count && !all->complete)
    status = bperc_error_set(t->error, BPERC_E_LIMIT, "more than %zu solutions",
                             all->count);
  if (status == BPERC_OK && all->count) {
    status = record_bp(t, all, steps, &solved);
    if (status == BPERC_OK)
      status = record_polarised(t);
    if (status == BPERC_OK)
      status = record_exact(t, all, steps, solved);
  }
  bperc_solutions_free(all);
  bperc_free(steps);
  return status;
}

BPERC_I_PROBLEM_RUN(uniform, measure_uniform)

const bperc_measurement bperc_i_measure_uniform = {
    .name = "uniform",
    .summary = "decimation in random order, against where clusters condense",
    .results =
        "satisfiable       1 when there is a solution; else nothing follows\n"
        "solved            uniform BPD ended at a solution, 1 or 0\n"
        "lost              else: share of weights after which none is left\n"
        "polarised         BPD in its usual order ended at one, 1 or 0\n"
        "exact             exact uniform decimation did: always 1\n"
        "condensed         share of weights at which x* along it has come to\n"
        "                  half of its value before; none with one cluster\n"
        "condensed_solved  of instances that uniform BPD solves\n"
        "condensed_failed  of the others\n"
        "step/share        of the weights that are fixed\n"
        "step/parisi_x     x* along exact uniform decimation [BZ eq. 10]",
    .version = 1,
    BPERC_I_MEASURE_TABLE(uniform),
    .groups = {{"bpd", NULL, 0, NULL}},
    BPERC_I_PROBLEM_NAMED,
    .seconds = 0.03,
    .size = 25,
    .power = 3,
    .run = run_uniform_task,
};
