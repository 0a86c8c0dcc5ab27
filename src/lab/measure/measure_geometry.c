/* geometry: the exact solution space along decimation, by BPD or exact
 * [BZ figs. 4g-i, 5a-e, 7, 9, S6; eqs. 5-11]. */
#include "lab/measure/measurements.h"

#include "lab/base/memory.h"
#include "lab/measure/decimated.h"

#include <math.h>
#include <string.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, order, 0, 0, "bpd|exact", "marginals that guide decimation")       \
  X(INT, most, 2e7, 2e7, 1, 1e10, "give up an instance with more solutions")   \
  X(INT, from, 0, 0, 0, 1e6,                                                   \
    "look at the space from so many fixed weights on; "                        \
    "then without k index and local entropy")                                  \
  X(CHOICE, local, 1, 1, "no|yes",                                             \
    "local entropies, which take longest where solutions are many")            \
  X(INT, stages, 4, 4, 0, 100,                                                 \
    "stages of the distribution of c_ij: after s N / "                         \
    "(stages + 1) weights, s = 0, 1, ...; 0: none")                            \
  X(INT, bins, 41, 41, 1, 10001, "bins of this distribution over -1/4 .. 1/4")
BPERC_I_MEASURE_OPTIONS(geometry, ROWS);

static bperc_status check_geometry(const bperc_inputs *in, bperc_error *error) {
  const geometry_options *o = in->own;
  if (o->n - o->from > 128 || o->from >= o->n)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "exact spaces have 1 to 128 weights that are not "
                           "fixed, not %lld - %lld",
                           (long long)o->n, (long long)o->from);
  if (o->from && o->order != 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "from needs order = bpd: exact decimation starts "
                           "with the full space");
  return BPERC_OK;
}

/* ---- the measures of every step */

static double log_largest(const bperc_exact_step *s, size_t n) {
  return s->largest ? log((double)s->largest) / (double)n : NAN;
}

/* Value of eq. 9; one cluster has x* = 0 and predicts 0. */
static double predicted(const bperc_exact_step *s) {
  double gap = s->q_same - s->q_diff;
  return s->parisi_x == 0 ? 0 : s->parisi_x * (1 - s->parisi_x) * gap * gap / 3;
}

/* Name and value, of step s of n. */
#define COLUMNS(X)                                                             \
  X(fixed, (double)s->fixed)                                                   \
  X(entropy, s->entropy)                                                       \
  X(log_count, s->log_count)                                                   \
  X(xcorr, s->xcorr_mean)                                                      \
  X(xcorr2, s->xcorr_mean_square)                                              \
  X(parisi_x, s->parisi_x)                                                     \
  X(q_same, s->q_same)                                                         \
  X(q_diff, s->q_diff)                                                         \
  X(gap, s->q_same - s->q_diff)                                                \
  X(predicted, predicted(s))                                                   \
  X(k_index, s->k_index)                                                       \
  X(local3, s->local_entropy[2])                                               \
  X(clusters, (double)s->clusters)                                             \
  X(largest, log_largest(s, n))
#define NAME(name, value) "step/" #name,
#define VALUE(name, value) value,

static const char *const columns[] = {COLUMNS(NAME)};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static double step_value(const bperc_exact_step *s, size_t n, size_t column) {
  const double values[] = {COLUMNS(VALUE)};
  return values[column];
}

/* Steps at which something is left; the rest does not exist. */
static void record_geometry_steps(bperc_i_probe *t,
                                  const bperc_exact_step *steps, size_t from,
                                  size_t count, double *scratch) {
  size_t n = t->problem->n;
  for (size_t c = 0; c < COLUMN_COUNT; c++) {
    for (size_t k = 0; k <= n; k++)
      scratch[k] = k >= from && k - from < count
                       ? step_value(&steps[k - from], n, c)
                       : NAN;
    bperc_i_put_all(t, columns[c], scratch, n + 1);
  }
  if (from == 0)
    bperc_i_put(t, "largest", log_largest(&steps[0], n));
}

/* ---- the distribution of c_ij at some stages */

typedef struct {
  double *fixed, *c, *density; /* stages x bins */
  double *correlations;        /* n x n */
  double *stage, *spread;      /* per stage */
} distribution;

/* Whether a column is not fixed, neither in the list nor by filtering. */
static int is_live(const bperc_solutions *s, size_t column) {
  return (int)(s->live[column / 64] >> (column % 64) & 1);
}

static void fill_stage(const geometry_options *o, const bperc_solutions *s,
                       size_t stage, size_t at, distribution *d) {
  size_t bins = (size_t)o->bins, n = s->columns, pairs = 0;
  double sum = 0, square = 0, width = 0.5 / (double)bins;
  double *density = d->density + stage * bins;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double c = d->correlations[i * n + j];
      long bin = (long)floor((c + 0.25) / width);
      if (i == j || !is_live(s, i) || !is_live(s, j))
        continue;
      bin = bin < 0 ? 0 : bin >= (long)bins ? (long)bins - 1 : bin;
      density[bin] += 1;
      sum += c;
      square += c * c;
      pairs++;
    }
  for (size_t b = 0; b < bins; b++) {
    d->fixed[stage * bins + b] = (double)at;
    d->c[stage * bins + b] = -0.25 + ((double)b + 0.5) * width;
    density[b] = pairs ? density[b] / ((double)pairs * width) : NAN;
  }
  sum /= (double)pairs;
  d->stage[stage] = (double)at;
  d->spread[stage] =
      pairs ? sqrt(fmax(square / (double)pairs - sum * sum, 0)) : NAN;
}

/* Filters the list by the weights `from` to `to - 1` of the order; *left is
 * what all of them leave, NULL as long as nothing is fixed. */
static bperc_status restrict_to(const bperc_solutions *all,
                                const bperc_order *order, size_t from,
                                size_t to, bperc_solutions **left) {
  bperc_status status = BPERC_OK;
  for (size_t k = from; k < to && status == BPERC_OK; k++) {
    bperc_solutions *next;
    status = bperc_solutions_filter(*left ? *left : all, order->weight[k],
                                    order->value[k], &next, NULL);
    if (status == BPERC_OK) {
      bperc_solutions_free(*left);
      *left = next;
    }
  }
  return status;
}

/* Every stage filters what the last one left. */
static bperc_status fill_stages(const geometry_options *o,
                                const bperc_solutions *all,
                                const bperc_order *order, distribution *d) {
  bperc_status status = BPERC_OK;
  bperc_solutions *left = NULL;
  size_t before = 0;
  for (size_t s = 0; s < (size_t)o->stages && status == BPERC_OK; s++) {
    size_t at = s * all->n / ((size_t)o->stages + 1);
    bperc_moments moments;
    if (at > order->fixed)
      at = order->fixed;
    status = restrict_to(all, order, before, at, &left);
    before = at;
    if (status == BPERC_OK)
      status = bperc_solutions_moments(left ? left : all, &moments, NULL,
                                       d->correlations);
    if (status == BPERC_OK)
      fill_stage(o, left ? left : all, s, at, d);
  }
  bperc_solutions_free(left);
  return status;
}

static bperc_status record_distribution(bperc_i_probe *t,
                                        const bperc_solutions *all,
                                        const bperc_order *order) {
  const geometry_options *o = t->in->own;
  size_t stages = (size_t)o->stages, cells = stages * (size_t)o->bins;
  double *room =
      bperc_i_probe_room(t, 3 * cells + all->n * all->n + 2 * stages);
  distribution d = {.fixed = room};
  bperc_status status = t->status;
  if (room) {
    d.c = d.fixed + cells;
    d.density = d.c + cells;
    d.correlations = d.density + cells;
    d.stage = d.correlations + all->n * all->n;
    d.spread = d.stage + stages;
    status = fill_stages(o, all, order, &d);
  }
  if (status == BPERC_OK) {
    bperc_i_put_all(t, "pdf/fixed", d.fixed, cells);
    bperc_i_put_all(t, "pdf/c", d.c, cells);
    bperc_i_put_all(t, "pdf/density", d.density, cells);
    bperc_i_put_all(t, "stage/fixed", d.stage, stages);
    bperc_i_put_all(t, "stage/spread", d.spread, stages);
  }
  return status;
}

/* ---- one instance */

/* How many steps have solutions left. */
static size_t usable_steps(const bperc_exact_step *steps, size_t count) {
  size_t good = 0;
  while (good < count && isfinite(steps[good].log_count))
    good++;
  return good;
}

/* Only belief propagation has a Bethe entropy. */
static void record_bethe(bperc_i_probe *t, const bperc_order *order,
                         double *scratch) {
  const geometry_options *o = t->in->own;
  size_t n = order->n;
  for (size_t k = 0; k <= n; k++)
    scratch[k] = o->order == 0 && k < order->fixed
                     ? order->log_count[k] / (double)(n - k)
                     : NAN;
  bperc_i_put_all(t, "step/entropy_bp", scratch, n + 1);
}

/* What refers to the full space: nothing when it is not listed. */
static bperc_along measures_of(const geometry_options *o) {
  if (o->from > 0)
    return BPERC_ALONG_ALONE;
  return o->local ? BPERC_ALONG_FULL : BPERC_ALONG_CLUSTERS;
}

static bperc_status measure_order(bperc_i_probe *t, const bperc_solutions *all,
                                  const bperc_order *order) {
  const geometry_options *o = t->in->own;
  size_t n = all->n, from = (size_t)o->from, left = order->fixed - from;
  bperc_exact_step *steps = bperc_calloc(n + 1, sizeof *steps);
  double *scratch = bperc_i_probe_room(t, n + 1);
  size_t count;
  bperc_status status = BPERC_E_MEMORY;
  if (steps && scratch)
    status =
        bperc_exact_along(all, measures_of(o), order, from, steps, t->error);
  if (status == BPERC_OK) {
    count = usable_steps(steps, left + 1);
    record_geometry_steps(t, steps, from, count, scratch);
    record_bethe(t, order, scratch);
    if (measures_of(o) == BPERC_ALONG_FULL) {
      bperc_i_put_all(t, "near/average", steps[0].local_entropy, 3);
      if (order->outcome == BPERC_SOLVED && count == n + 1)
        bperc_i_put_all(t, "near/decimated", steps[n].local_entropy, 3);
    }
    if (from == 0 && o->stages > 0)
      status = record_distribution(t, all, order);
  }
  if (status != BPERC_OK)
    bperc_error_set(t->error, status, "measures along decimation failed");
  bperc_free(steps);
  return status;
}

/* What is left with the first weights of the order fixed, and measures along
 * it; exact decimation makes its own order. */
static bperc_status measure_space(bperc_i_probe *t, const bperc_order *order) {
  const geometry_options *o = t->in->own;
  bperc_solutions *all = NULL;
  bperc_order own = {0};
  bperc_status status = bperc_i_order_list(t->problem, order, (size_t)o->from,
                                           o->most, &all, t->error);
  if (status == BPERC_OK && !all->complete)
    status = bperc_error_set(t->error, BPERC_E_LIMIT,
                             "more than %lld solutions", (long long)o->most);
  if (status == BPERC_OK) {
    bperc_i_put(t, "satisfiable", all->count > 0);
    bperc_i_put(t, "log_count", all->count ? log((double)all->count) : NAN);
  }
  if (status == BPERC_OK && all->count && !order)
    status = bperc_decimate_exactly(t->problem, all, NULL, &own, t->error);
  if (status == BPERC_OK && all->count) {
    order = order ? order : &own;
    bperc_i_put(t, "decimated", order->outcome == BPERC_SOLVED);
    bperc_i_put(t, "unconverged", (double)order->unconverged);
    status = measure_order(t, all, order);
  }
  bperc_order_clear(&own);
  bperc_solutions_free(all);
  return status;
}

static bperc_status measure_geometry(bperc_i_probe *t) {
  const geometry_options *o = t->in->own;
  const bperc_order *order =
      o->order == 0 ? bperc_i_probe_order(t, 1, NULL) : NULL;
  if (t->status != BPERC_OK)
    return t->status;
  if (!order || order->fixed >= (size_t)o->from)
    return measure_space(t, order);
  bperc_i_put(t, "decimated", 0); /* ended before */
  return BPERC_OK;
}

BPERC_I_PROBLEM_RUN(geometry, measure_geometry)

static double cost_geometry(const bperc_inputs *in) {
  const geometry_options *o = in->own;
  double listed = (double)(o->n - o->from);
  return 0.04 * exp2((listed - 25) / 5) + (o->order == 0 ? 0.05 : 0);
}

const bperc_measurement bperc_i_measure_geometry = {
    .name = "geometry",
    .summary = "the exact solution space along decimation",
    .results =
        "satisfiable      1 when there is a solution; else nothing follows\n"
        "log_count        log of the number of solutions\n"
        "decimated        1 when decimation ended at a solution\n"
        "unconverged      steps of BPD without convergence\n"
        "largest          log size of the largest cluster / N, nothing fixed\n"
        "step/fixed       weights fixed, 0 .. N\n"
        "step/entropy     log|S| per unfixed weight\n"
        "step/entropy_bp  the same by BP, with bpd.entropy = yes\n"
        "step/log_count   log|S|\n"
        "step/xcorr       mean cross-correlation [BZ eq. 8]\n"
        "step/xcorr2      mean square cross-correlation [BZ eq. 7]\n"
        "step/parisi_x    x* [BZ eq. 10]\n"
        "step/q_same      overlap inside clusters\n"
        "step/q_diff      overlap between clusters; none with one cluster\n"
        "step/gap         q_same - q_diff of the instance\n"
        "step/predicted   x* (1 - x*) gap^2 / 3 of the instance [BZ eq. 9]\n"
        "step/k_index     mean log size of full-space clusters / N [BZ eq. "
        "11]\n"
        "step/local3      local entropy at distance 3 [BZ eq. 5], with local = "
        "yes\n"
        "step/clusters    number of clusters\n"
        "step/largest     log size of the largest cluster / N\n"
        "near/average     local entropy at 1, 2, 3 of the average solution\n"
        "near/decimated   of the solution that decimation ended at\n"
        "pdf/fixed        stage of the distribution of c_ij\n"
        "pdf/c            middle of the bin\n"
        "pdf/density      probability density there\n"
        "stage/fixed      weights fixed at the stage\n"
        "stage/spread     standard deviation of c_ij",
    .version = 3,
    BPERC_I_MEASURE_TABLE(geometry),
    .groups = {{"bpd", NULL, 0, "order=bpd"}},
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .later = BPERC_I_PROBLEM_LATER " local",
    .costly = {{"local3", ".near"}, "local=yes from=0", "local = no"},
    .check = check_geometry,
    .cost = cost_geometry,
    .run = run_geometry_task,
};
