/* late: exact solution spaces at the late stage of BPD, on the weights that
 * are still unfixed, in systems too large to list whole [BZ figs. S7, S8]. */
#include "measure/measurements.h"

#include "base/alloc.h"
#include "bperc/decimate.h"
#include "measure/decimated.h"
#include "measure/problem.h"

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

enum { COUNT, SQUARE, MEAN, PARISI, GAP, SAME, DIFF, LISTED, COLUMNS };

typedef struct {
  const late_options *o;
  const bperc_instance *problem;
  const bperc_order *order; /* of all weights */
  double *values[COLUMNS];  /* per stage */
} bench;

/* Weights fixed at a stage. */
static size_t stage_at(const late_options *o, size_t stage) {
  double share = o->from + (1 - o->from) * (double)stage / (double)o->stages;
  return (size_t)nearbyint(share * (double)o->n);
}

static void keep(bench *b, size_t stage, const bperc_exact_step *x) {
  b->values[COUNT][stage] = x->log_count;
  b->values[SQUARE][stage] = x->xcorr_mean_square;
  b->values[MEAN][stage] = x->xcorr_mean;
  b->values[PARISI][stage] = x->parisi_x;
  b->values[GAP][stage] = x->q_same - x->q_diff;
  b->values[SAME][stage] = x->q_same;
  b->values[DIFF][stage] = x->q_diff;
}

static bperc_status measure_stage(bench *b, size_t stage, bperc_error *error) {
  bperc_solutions *s = NULL;
  bperc_exact_step step;
  size_t at = stage_at(b->o, stage);
  bperc_status status;
  b->values[LISTED][stage] = 0;
  if (b->problem->n - at > (size_t)b->o->left)
    return BPERC_OK;
  status = bperc_i_order_list(b->problem, b->order, at, b->o->most, &s, error);
  b->values[LISTED][stage] = status == BPERC_OK && s->complete;
  if (status == BPERC_OK && s->complete && s->count) {
    status = bperc_exact_along(s, BPERC_ALONG_ALONE, NULL, 0, &step);
    if (status == BPERC_OK)
      keep(b, stage, &step);
  }
  bperc_solutions_free(s);
  return status;
}

static void record_all(const bench *b, double *scratch, bperc_record *out) {
  static const char *const names[COLUMNS] = {
      "stage/log_count", "stage/xcorr2", "stage/xcorr",  "stage/parisi_x",
      "stage/gap",       "stage/q_same", "stage/q_diff", "stage/listed"};
  size_t stages = (size_t)b->o->stages;
  for (size_t s = 0; s < stages; s++)
    scratch[s] =
        b->o->from + (1 - b->o->from) * (double)s / (double)b->o->stages;
  bperc_record_vector(out, "stage/share", scratch, stages);
  for (size_t v = 0; v < COLUMNS; v++)
    bperc_record_vector(out, names[v], b->values[v], stages);
}

/* Latest stage first: as soon as one cannot be listed, the earlier ones are
 * not tried. */
static bperc_status measure_all(bench *b, bperc_record *out,
                                bperc_error *error) {
  size_t stages = (size_t)b->o->stages;
  double *room = bperc_i_alloc((COLUMNS + 1) * stages, sizeof *room);
  bperc_status status = room ? BPERC_OK : BPERC_E_MEMORY;
  for (size_t k = 0; room && k < (COLUMNS + 1) * stages; k++)
    room[k] = NAN;
  for (size_t v = 0; v < COLUMNS; v++)
    b->values[v] = room + v * stages;
  for (size_t s = stages; s-- > 0 && status == BPERC_OK;) {
    status = measure_stage(b, s, error);
    if (status == BPERC_OK && b->values[LISTED][s] == 0)
      break;
  }
  if (status == BPERC_OK)
    record_all(b, room + COLUMNS * stages, out);
  bperc_i_free(room);
  return status;
}

static bperc_status measure(const bperc_inputs *in,
                            const bperc_instance *problem, bperc_record *out,
                            bperc_error *error) {
  bperc_order order;
  bench b = {.o = in->own, .problem = problem, .order = &order};
  bperc_status status = bperc_i_order_bpd(
      problem, in->groups[0], bperc_i_problem_seed(in, 1), NULL, &order, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "decimated", order.outcome == BPERC_SOLVED);
  if (order.outcome == BPERC_SOLVED)
    status = measure_all(&b, out, error);
  bperc_order_clear(&order);
  return status;
}

BPERC_I_PROBLEM_RUN(late_options, measure)

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
    .run = run,
};
