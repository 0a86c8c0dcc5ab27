/* late: exact solution spaces at the late stage of BPD, on the weights that
 * are still unfixed, in systems too large to list whole [BZ figs. S7, S8]. */
#include "lab/measure/measurements.h"

#include "bperc/decimate.h"
#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>
#include <string.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(REAL, from, 0.6, 0.6, 0, 1, "first stage: share of the weights fixed")     \
  X(INT, stages, 8, 8, 1, 1000, "from there on, evenly spaced, 1 not reached") \
  X(INT, left, 30, 30, 0, 128,                                                 \
    "stages with more unfixed weights are left out")                           \
  X(INT, most, 3e6, 3e6, 1, 1e10, "a stage with more solutions is left out")
BPERC_I_MEASURE_OPTIONS(late, ROWS);

/* Of a stage, from the measures of its space. */
#define COLUMNS(X)                                                             \
  X(log_count, s->log_count)                                                   \
  X(xcorr2, s->xcorr_mean_square)                                              \
  X(xcorr, s->xcorr_mean)                                                      \
  X(parisi_x, s->parisi_x)                                                     \
  X(gap, s->q_same - s->q_diff)                                                \
  X(q_same, s->q_same)                                                         \
  X(q_diff, s->q_diff)
#define NAME(name, value) "stage/" #name,
#define VALUE(name, value) value,
static const char *const names[] = {"stage/share",
                                    COLUMNS(NAME) "stage/listed"};
enum { COLUMN_COUNT = sizeof names / sizeof *names, LISTED = COLUMN_COUNT - 1 };

/* Share of the weights fixed at a stage. */
static double share_at(const late_options *o, size_t stage) {
  return o->from + (1 - o->from) * (double)stage / (double)o->stages;
}

static void keep_late_step(const bperc_exact_step *s, double *columns,
                           size_t stage, size_t stages) {
  const double values[] = {COLUMNS(VALUE)};
  for (size_t c = 1; c < LISTED; c++)
    columns[c * stages + stage] = values[c - 1];
}

/* columns: a number per stage for each; whether all solutions were listed. */
static bperc_status measure_stage(bperc_i_probe *t, const bperc_order *order,
                                  size_t stage, double *columns, int *listed) {
  const late_options *o = t->in->own;
  bperc_solutions *s = NULL;
  bperc_exact_step step;
  size_t n = t->problem->n,
         at = (size_t)nearbyint(share_at(o, stage) * (double)n);
  bperc_status status;
  *listed = 0;
  if (n - at > (size_t)o->left)
    return BPERC_OK;
  status = bperc_i_order_list(t->problem, order, at, o->most, &s, t->error);
  *listed = status == BPERC_OK && s->complete;
  if (*listed && s->count) {
    status = bperc_exact_along(s, BPERC_ALONG_ALONE, NULL, 0, &step, t->error);
    if (status == BPERC_OK)
      keep_late_step(&step, columns, stage, (size_t)o->stages);
  }
  bperc_solutions_free(s);
  return status;
}

/* Latest stage first: as soon as one cannot be listed, the earlier ones are
 * not tried. */
static bperc_status measure_all(bperc_i_probe *t, const bperc_order *order) {
  const late_options *o = t->in->own;
  size_t stages = (size_t)o->stages;
  double *columns = bperc_i_probe_room(t, COLUMN_COUNT * stages);
  bperc_status status = t->status;
  int listed = 1;
  for (size_t k = 0; columns && k < COLUMN_COUNT * stages; k++)
    columns[k] = k < stages ? share_at(o, k) : NAN;
  for (size_t s = stages; s-- > 0 && listed && status == BPERC_OK;) {
    status = measure_stage(t, order, s, columns, &listed);
    columns[LISTED * stages + s] = listed;
  }
  for (size_t c = 0; c < COLUMN_COUNT && status == BPERC_OK; c++)
    bperc_i_put_all(t, names[c], columns + c * stages, stages);
  return status;
}

static bperc_status measure_late(bperc_i_probe *t) {
  const bperc_order *order = bperc_i_probe_order(t, 1, NULL);
  if (!order)
    return t->status;
  bperc_i_put(t, "decimated", order->outcome == BPERC_SOLVED);
  return order->outcome == BPERC_SOLVED ? measure_all(t, order) : BPERC_OK;
}

BPERC_I_PROBLEM_RUN(late, measure_late)

const bperc_measurement bperc_i_measure_late = {
    .name = "late",
    .summary = "exact measures on the weights that BPD fixes late",
    .results =
        "decimated        1 when BPD ended at a solution; else nothing more\n"
        "stage/share      of the weights that are fixed\n"
        "stage/listed     1 when all solutions of the stage were listed\n"
        "stage/log_count  log|S|\n"
        "stage/xcorr      mean cross-correlation [BZ eq. 8]\n"
        "stage/xcorr2     mean square cross-correlation [BZ eq. 7]\n"
        "stage/parisi_x   x* [BZ eq. 10]\n"
        "stage/q_same     overlap inside clusters\n"
        "stage/q_diff     overlap between clusters\n"
        "stage/gap        q_same - q_diff of the instance",
    .version = 2,
    BPERC_I_MEASURE_TABLE(late),
    .groups = {{"bpd", NULL, 0, NULL}},
    BPERC_I_PROBLEM_NAMED,
    .seconds = 0.3,
    .size = 100,
    .power = 2,
    .run = run_late_task,
};
