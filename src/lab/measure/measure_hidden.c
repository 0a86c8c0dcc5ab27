/* hidden: hidden states of a solver in time, by the order of BPD
 * [BZ fig. 3a]. */
#include "lab/measure/measurements.h"

#include "bperc/run.h"
#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>
#include <string.h>

enum { QUARTERS = 4 };

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, "sbpi|rbp|amp", "who solves")                        \
  X(INT, shown, 24, 24, 1, 10000, "weights shown, evenly along the order")     \
  X(INT, steps, 60, 60, 1, 100000, "time steps shown")
BPERC_I_MEASURE_OPTIONS(hidden, ROWS);

/* What a watch sees of a run. */
typedef struct {
  const hidden_options *o;
  const bperc_order *order;
  double *now, *last; /* hidden states, of this and the last step */
  double *t, *at, *h; /* shown ones: step-major */
  size_t count;       /* of these */
  size_t seen;        /* times */
  double flips[QUARTERS], size[QUARTERS], largest;
} film;

static int watch_hidden(void *context, const bperc_solver *solver,
                        const bperc_view *view) {
  film *f = context;
  const bperc_order *order = f->order;
  bperc_solver_fields(solver, f->now);
  for (size_t k = 0; k < order->fixed; k++) {
    double h = f->now[order->weight[k]];
    size_t q = k * QUARTERS / order->n;
    f->size[q] += fabs(h);
    f->flips[q] += f->seen && (h > 0) != (f->last[order->weight[k]] > 0);
    f->largest = fmax(f->largest, fabs(h));
  }
  memcpy(f->last, f->now, order->n * sizeof *f->now);
  f->seen++;
  if (view->step > (uint64_t)f->o->steps)
    return 0;
  for (size_t s = 0; s < (size_t)f->o->shown; s++) {
    size_t k = order->fixed * s / (size_t)f->o->shown;
    f->t[f->count] = (double)view->step;
    f->at[f->count] = ((double)k + 0.5) / (double)order->n;
    f->h[f->count++] = f->now[order->weight[k]];
  }
  return 0;
}

static void report_film(bperc_i_probe *t, film *f, int solved) {
  double quarter = (double)f->order->n / QUARTERS, at[QUARTERS];
  for (int q = 0; q < QUARTERS; q++) {
    at[q] = (q + 0.5) / QUARTERS;
    f->flips[q] /= quarter;
    f->size[q] /= quarter * (double)f->seen * f->largest;
  }
  bperc_i_put(t, "solved", solved);
  bperc_i_put_all(t, "quarter/at", at, QUARTERS);
  bperc_i_put_all(t, "quarter/flips", f->flips, QUARTERS);
  bperc_i_put_all(t, "quarter/size", f->size, QUARTERS);
  bperc_i_put_all(t, "film/t", f->t, f->count);
  bperc_i_put_all(t, "film/at", f->at, f->count);
  bperc_i_put_all(t, "film/h", f->h, f->count);
}

static bperc_status measure_hidden(bperc_i_probe *t) {
  const hidden_options *o = t->in->own;
  size_t n = t->problem->n, room = (size_t)(o->shown * (o->steps + 1));
  double *all = bperc_i_probe_room(t, 2 * n + 3 * room);
  film f = {.o = o, .now = all};
  bperc_run_result r = {0};
  bperc_status status;
  f.order = all ? bperc_i_probe_order(t, 1, NULL) : NULL;
  if (!f.order)
    return t->status;
  f.last = f.now + n;
  f.t = f.last + n;
  f.at = f.t + room;
  f.h = f.at + room;
  status = bperc_i_probe_try(t, t->problem, 2, watch_hidden, &f, &r);
  if (status == BPERC_OK)
    report_film(t, &f, r.outcome == BPERC_SOLVED);
  bperc_run_clear(&r);
  return status;
}

BPERC_I_PROBLEM_RUN(hidden, measure_hidden)

const bperc_measurement bperc_i_measure_hidden = {
    .name = "hidden",
    .summary = "hidden states of a solver in time, by the order of BPD",
    .results = "solved         1 when the run found a solution\n"
               "quarter/at     middle of a quarter of the order O/N\n"
               "quarter/flips  sign changes per weight\n"
               "quarter/size   mean |h| over the run / largest |h|\n"
               "film/t         time step\n"
               "film/at        O/N of the weight\n"
               "film/h         its hidden state",
    .version = 2,
    BPERC_I_MEASURE_TABLE(hidden),
    .groups = {{"sbpi", NULL, 0, "solver=sbpi"},
               {"rbp", NULL, 0, "solver=rbp"},
               {"bpd", NULL, 0, NULL},
               {"amp", NULL, 0, "solver=amp"}},
    BPERC_I_PROBLEM_NAMED,
    .seconds = 0.25,
    .size = 480,
    .power = 2,
    .run = run_hidden_task,
};
