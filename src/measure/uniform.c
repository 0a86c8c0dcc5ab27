/* uniform: decimation in random order, by belief propagation and exactly. Where
 * does it lose the last solution, and where do solutions condense into few
 * clusters [BZ section VIII]? */
#include "measure/measurements.h"

#include "base/alloc.h"
#include "measure/decimated.h"
#include "measure/problem.h"

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
      bperc_exact_along(all, BPERC_ALONG_ALONE, order, 0, steps);
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

/* Uniform BPD: whether it ends at a solution; the share of weights after which
 * no solution is left, and after which it notices. */
static bperc_status record_bp(const bperc_inputs *in,
                              const bperc_instance *problem,
                              const bperc_solutions *all,
                              bperc_exact_step *steps, int *solved,
                              bperc_record *out, bperc_error *error) {
  uint64_t seed = bperc_i_problem_seed(in, 2);
  double n = (double)problem->n;
  bperc_order order = {0};
  size_t count = 0;
  bperc_status status =
      bperc_i_order_bpd(problem, in->groups[0], bperc_i_problem_seed(in, 1),
                        &seed, &order, error);
  if (status == BPERC_OK)
    status = along(all, &order, steps, &count);
  if (status == BPERC_OK) {
    *solved = order.outcome == BPERC_SOLVED;
    bperc_record_scalar(out, "solved", *solved);
    bperc_record_scalar(out, "lost", *solved ? NAN : (double)count / n);
    bperc_record_scalar(out, "noticed",
                        *solved ? NAN : (double)order.fixed / n);
  }
  bperc_order_clear(&order);
  return status;
}

/* The usual decimation of the same problem, for comparison. */
static bperc_status record_polarised(const bperc_inputs *in,
                                     const bperc_instance *problem,
                                     bperc_record *out, bperc_error *error) {
  bperc_order order = {0};
  bperc_status status = bperc_i_order_bpd(
      problem, in->groups[0], bperc_i_problem_seed(in, 1), NULL, &order, error);
  if (status == BPERC_OK)
    bperc_record_scalar(out, "polarised", order.outcome == BPERC_SOLVED);
  bperc_order_clear(&order);
  return status;
}

static void record_steps(const bperc_exact_step *steps, size_t count, size_t n,
                         double *room, bperc_record *out) {
  for (size_t k = 0; k <= n; k++)
    room[k] = (double)k / (double)n;
  bperc_record_vector(out, "step/share", room, n + 1);
  for (size_t k = 0; k <= n; k++)
    room[k] = k < count ? steps[k].parisi_x : NAN;
  bperc_record_vector(out, "step/parisi_x", room, n + 1);
  for (size_t k = 0; k <= n; k++)
    room[k] = k < count ? steps[k].entropy : NAN;
  bperc_record_vector(out, "step/entropy", room, n + 1);
}

/* Exact uniform decimation always ends at a solution. */
static bperc_status record_exact(const bperc_inputs *in,
                                 const bperc_instance *problem,
                                 const bperc_solutions *all,
                                 bperc_exact_step *steps, int solved,
                                 bperc_record *out, bperc_error *error) {
  uint64_t seed = bperc_i_problem_seed(in, 3);
  size_t n = problem->n, count = 0;
  double *room = bperc_i_alloc(n + 1, sizeof *room), at;
  bperc_order order = {0};
  bperc_status status =
      room ? bperc_decimate_exactly(problem, all, &seed, &order, error)
           : bperc_error_set(error, BPERC_E_MEMORY, "no memory for steps");
  if (status == BPERC_OK)
    status = along(all, &order, steps, &count);
  if (status == BPERC_OK) {
    at = condensed(steps, count, n);
    bperc_record_scalar(out, "exact", order.outcome == BPERC_SOLVED);
    bperc_record_scalar(out, "condensed", at);
    bperc_record_scalar(out, "condensed_solved", solved ? at : NAN);
    bperc_record_scalar(out, "condensed_failed", solved ? NAN : at);
    record_steps(steps, count, n, room, out);
  }
  bperc_order_clear(&order);
  bperc_i_free(room);
  return status;
}

static bperc_status measure(const bperc_inputs *in,
                            const bperc_instance *problem, bperc_record *out,
                            bperc_error *error) {
  const uniform_options *o = in->own;
  bperc_solutions *all = NULL;
  int solved = 0;
  bperc_exact_step *steps = bperc_i_calloc(problem->n + 1, sizeof *steps);
  bperc_status status =
      steps ? bperc_i_order_list(problem, NULL, 0, o->most, &all, error)
            : bperc_error_set(error, BPERC_E_MEMORY, "no memory for steps");
  assert(status != BPERC_OK || all);
  if (status == BPERC_OK)
    bperc_record_scalar(out, "satisfiable", all->count > 0);
  if (status == BPERC_OK && all->count && !all->complete)
    status = bperc_error_set(error, BPERC_E_LIMIT, "more than %zu solutions",
                             all->count);
  if (status == BPERC_OK && all->count) {
    status = record_bp(in, problem, all, steps, &solved, out, error);
    if (status == BPERC_OK)
      status = record_polarised(in, problem, out, error);
    if (status == BPERC_OK)
      status = record_exact(in, problem, all, steps, solved, out, error);
  }
  bperc_solutions_free(all);
  bperc_i_free(steps);
  return status;
}

BPERC_I_PROBLEM_RUN(uniform_options, measure)

const bperc_measurement bperc_i_measure_uniform = {
    .name = "uniform",
    .summary = "decimation in random order, against where clusters condense",
    .results =
        "satisfiable       1 when there is a solution; else nothing follows\n"
        "solved            uniform BPD ended at a solution, 1 or 0\n"
        "lost              else: share of weights after which none is left\n"
        "noticed           and after which a pattern is violated\n"
        "polarised         BPD in its usual order ended at one, 1 or 0\n"
        "exact             exact uniform decimation did: always 1\n"
        "condensed         share of weights at which x* along it has come to\n"
        "                  half of its value before; none with one cluster\n"
        "condensed_solved  of instances that uniform BPD solves\n"
        "condensed_failed  of the others\n"
        "step/share        of the weights that are fixed\n"
        "step/parisi_x     x* along exact uniform decimation [BZ eq. 10]\n"
        "step/entropy      log|S| per unfixed weight",
    .version = 1,
    BPERC_I_MEASURE_TABLE(uniform),
    .groups = {{"bpd", NULL, 0, NULL}},
    BPERC_I_PROBLEM_NAMED,
    .seconds = 0.03,
    .size = 25,
    .power = 3,
    .run = run,
};
