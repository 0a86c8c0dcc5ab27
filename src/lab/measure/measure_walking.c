/* walking: a solution found by a solver and where a long random walk among
 * solutions takes it, both seen from the decimation guided by belief
 * propagation and by their local entropies [BZ figs. 4c-f]. */
#include "lab/measure/measurements.h"

#include "base/bits.h"
#include "bperc/localentropy.h"
#include "bperc/run.h"
#include "bperc/walk.h"
#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Appendix G as printed. */
static const bperc_walk_options printed = {.order = BPERC_WALK_SHUFFLED};

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, "sbpi|rbp|amp", "who solves")                        \
  X(INT, sweeps, 10000, 10000, 0, 1e9, "of the random walk")                   \
  X(INT, bins, 24, 24, 1, 100000, "of the order of decimation")                \
  X(REAL, far, 0.05, 0.05, 1e-6, 1, "largest distance / N of local entropies") \
  X(INT, steps, 10, 10, 1, 1000, "distances up to it, evenly spaced")
BPERC_I_MEASURE_OPTIONS(walking, ROWS);

/* ---- Delta against the order of decimation [BZ eq. 4] */

/* room: a number per weight and per bin. */
static void record_delta(bperc_i_probe *t, const bperc_order *order,
                         const uint64_t *weights, const char *name,
                         double *room) {
  const walking_options *o = t->in->own;
  for (size_t k = 0; k < order->n; k++)
    room[k] = bperc_i_bit(weights, order->weight[k]) != order->value[k];
  bperc_i_put_bins(t, name, room, order->n, room + order->n, (size_t)o->bins);
}

/* A decimation that ends early leaves no vectors. */
static bperc_status decimate_after_walk(bperc_i_probe *t,
                                        const uint64_t *after) {
  size_t bins = (size_t)((const walking_options *)t->in->own)->bins;
  size_t n = t->problem->n;
  double *room = bperc_i_probe_room(t, n + bins);
  const bperc_order *order = room ? bperc_i_probe_order(t, 2, NULL) : NULL;
  if (!order)
    return t->status;
  bperc_i_put(t, "bpd_solved", order->outcome == BPERC_SOLVED);
  if (order->fixed == n) {
    bperc_i_put_bins(t, "order/position", NULL, n, room, bins);
    record_delta(t, order, t->weights, "order/before", room);
    record_delta(t, order, after, "order/after", room);
  }
  return BPERC_OK;
}

/* ---- local entropies */

/* Between two points of the ladder: the cubic with their values and slopes,
 * dF/dD = -x. */
static double cubic_between(const bperc_local_point *a,
                            const bperc_local_point *b, double distance) {
  double width = b->distance - a->distance,
         t = (distance - a->distance) / width;
  double s = 1 - t;
  return s * s * (1 + 2 * t) * a->entropy + t * t * (3 - 2 * t) * b->entropy +
         t * s * width * (t * b->x - s * a->x);
}

/* Distances of neighbours on one branch differ by less: without correlations
 * they go as exp(x). */
#define LONGEST_STRIDE 4.0

/* Whether two neighbours of a ladder are on one branch: no long stride, and the
 * slope between them lies between those at their ends. */
static int joined(const bperc_local_point *a, const bperc_local_point *b) {
  double rise = b->entropy - a->entropy, width = b->distance - a->distance;
  double slack = 0.1 * fabs(b->x - a->x) * width + 1e-6;
  return b->distance < LONGEST_STRIDE * a->distance &&
         rise > -fmax(a->x, b->x) * width - slack &&
         rise < -fmin(a->x, b->x) * width + slack;
}

static double entropy_on_ladder(const bperc_local_point *points, size_t count,
                                double distance) {
  for (size_t k = 1; k < count; k++) {
    const bperc_local_point *a = &points[k - 1], *b = &points[k];
    if (a->converged && b->converged && a->distance <= distance &&
        b->distance > distance && joined(a, b))
      return cubic_between(a, b, distance);
  }
  return NAN;
}

/* Nearest point on one side of a distance. */
static const bperc_local_point *nearest(const bperc_local_point *points,
                                        size_t count, double distance,
                                        int above) {
  const bperc_local_point *best = NULL;
  for (size_t k = 0; k < count; k++) {
    double d = points[k].distance;
    if (points[k].converged && (above ? d > distance : d <= distance) &&
        (!best || (above ? d < best->distance : d > best->distance)))
      best = &points[k];
  }
  return best;
}

/* No fixed point of either ladder is near: the straight line between the two
 * branches. Where F is not concave it lies below that line. */
static double entropy_across(const bperc_local_point *points, size_t count,
                             double distance) {
  const bperc_local_point *a = nearest(points, count, distance, 0);
  const bperc_local_point *b = nearest(points, count, distance, 1);
  double t;
  if (!a || !b)
    return NAN;
  t = (distance - a->distance) / (b->distance - a->distance);
  return (1 - t) * a->entropy + t * b->entropy;
}

/* Up the ladder, and down again into the second half of points, turned round:
 * from either side the branch that begins there is followed to its end. */
static bperc_status climb_ladder(bperc_i_probe *t, const uint64_t *weights,
                                 bperc_local_point *points) {
  bperc_local_options l =
      *(const bperc_local_options *)bperc_i_probe_group(t, "local");
  const void *bp = bperc_i_probe_group(t, "bp");
  size_t count = (size_t)l.points;
  double from = l.x_from;
  uint64_t seed = bperc_i_probe_seed(t, 3);
  bperc_status status = bperc_local_entropy(
      t->problem, weights, &l,
      &(bperc_local_run){.bp = bp, .seed = seed, .threads = 1}, points,
      t->error);
  l.x_from = l.x_to;
  l.x_to = from;
  if (status == BPERC_OK)
    status = bperc_local_entropy(
        t->problem, weights, &l,
        &(bperc_local_run){.bp = bp, .seed = seed, .threads = 1},
        points + count, t->error);
  for (size_t k = 0; status == BPERC_OK && k < count / 2; k++) {
    bperc_local_point swap = points[count + k];
    points[count + k] = points[2 * count - 1 - k];
    points[2 * count - 1 - k] = swap;
  }
  return status;
}

/* Values at the distances, and how many of them lie between two branches. */
static size_t evaluate_ladder(const bperc_local_point *points, size_t count,
                              const double *distances, size_t steps,
                              double *values) {
  size_t across = 0;
  for (size_t k = 0; k < steps; k++) {
    values[k] = entropy_on_ladder(points, count, distances[k]);
    if (isnan(values[k]))
      values[k] = entropy_on_ladder(points + count, count, distances[k]);
    if (isnan(values[k])) {
      values[k] = entropy_across(points, 2 * count, distances[k]);
      across += !isnan(values[k]);
    }
  }
  return across;
}

/* name: "before" or "after" the walk; room: a number per distance. */
static bperc_status local(bperc_i_probe *t, const uint64_t *weights,
                          const char *name, const double *distances,
                          double *room) {
  const bperc_local_options *l = bperc_i_probe_group(t, "local");
  size_t steps = (size_t)((const walking_options *)t->in->own)->steps;
  size_t count = (size_t)l->points;
  bperc_local_point *points = bperc_alloc(2 * count, sizeof *points);
  bperc_status status =
      points ? climb_ladder(t, weights, points) : BPERC_E_MEMORY;
  if (status == BPERC_OK) {
    char across[64], values[64];
    snprintf(across, sizeof across, "across_%s", name);
    snprintf(values, sizeof values, "local/%s", name);
    bperc_i_put(t, across,
                (double)evaluate_ladder(points, count, distances, steps, room));
    bperc_i_put_all(t, values, room, steps);
  }
  bperc_free(points);
  return status;
}

static bperc_status local_both(bperc_i_probe *t, const uint64_t *after) {
  const walking_options *o = t->in->own;
  size_t steps = (size_t)o->steps;
  double *distances = bperc_i_probe_room(t, 2 * steps);
  bperc_status status;
  if (!distances)
    return t->status;
  for (size_t k = 0; k < steps; k++)
    distances[k] = o->far * (double)(k + 1) / (double)steps;
  bperc_i_put_all(t, "local/distance", distances, steps);
  status = local(t, t->weights, "before", distances, distances + steps);
  if (status == BPERC_OK)
    status = local(t, after, "after", distances, distances + steps);
  return status;
}

/* ---- one instance */

static bperc_status walk(bperc_i_probe *t, uint64_t *after) {
  const walking_options *o = t->in->own;
  const bperc_instance *p = t->problem;
  bperc_walk_result walk;
  bperc_status status;
  memcpy(after, t->weights, p->words * sizeof *after);
  status =
      bperc_walk_sweeps(p, &printed,
                        &(bperc_walk_run){.sweeps = (uint64_t)o->sweeps,
                                          .seed = bperc_i_probe_seed(t, 4)},
                        after, &walk, t->error);
  if (status == BPERC_OK) {
    bperc_i_put(t, "moves", (double)walk.moves);
    bperc_i_put(t, "walked", (double)walk.distance / (double)p->n);
  }
  return status;
}

static bperc_status compare_before_after(bperc_i_probe *t) {
  uint64_t *after = bperc_alloc(t->problem->words, sizeof *after);
  bperc_status status = after ? walk(t, after) : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = decimate_after_walk(t, after);
  if (status == BPERC_OK)
    status = local_both(t, after);
  bperc_free(after);
  return status;
}

BPERC_I_WEIGHTS_RUN(walking, compare_before_after)

const bperc_measurement bperc_i_measure_walking = {
    .name = "walking",
    .summary = "a solver's solution before and after a long random walk",
    .results =
        "solved          1 or 0; an unsolved run leaves nothing else\n"
        "moves, walked   accepted flips; distance / N from the start\n"
        "bpd_solved      whether the decimation ended in a solution\n"
        "order/position  of a bin of the order of decimation, 0 to 1\n"
        "order/before    Delta to the decimation's weights [BZ eq. 4]\n"
        "order/after     the same after the walk\n"
        "local/distance  Hamming distance / N\n"
        "local/before    local entropy by belief propagation [BZ eq. 25]\n"
        "local/after     the same after the walk\n"
        "across_before   distances that no fixed point of belief propagation\n"
        "across_after    reaches, between two branches (a first-order\n"
        "                transition): there the value is a straight line,\n"
        "                above the local entropy",
    .version = 3,
    BPERC_I_MEASURE_TABLE(walking),
    .groups = {{"sbpi", NULL, 0, "solver=sbpi"},
               {"rbp", NULL, 0, "solver=rbp"},
               {"bpd", NULL, 0, NULL},
               {"local", bperc_local_option_table, sizeof(bperc_local_options),
                NULL},
               {"bp", bperc_bp_option_table, sizeof(bperc_bp_options), NULL},
               {"amp", NULL, 0, "solver=amp"}},
    BPERC_I_PROBLEM_NAMED,
    .seconds = 1.5,
    .size = 480,
    .power = 2,
    .run = run_walking_task,
};
