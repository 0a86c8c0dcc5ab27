/* coupled: exact decimation of instances that have solutions in all kinds of a
 * comparison [BZ figs. 7, 9].
 *
 * A draw has the patterns of the largest load at the largest f_in. A kind with
 * smaller f_in keeps each 1 of the first patterns with a probability, a kind
 * with smaller load leaves out a block of patterns, every block in its turn:
 * each kind has its own right distribution, labels and most bits are the same.
 * The instance is the first draw that has solutions, and not too many, in all
 * kinds: so kinds are compared on the same problems, not each on those that
 * happen to have solutions. Tasks of different kinds find the same draw.
 */
#include "lab/measure/measurements.h"

#include "bperc/decimate.h"
#include "bperc/stream.h"
#include "lab/base/memory.h"
#include "lab/measure/decimated.h"

#include <math.h>
#include <string.h>

#define ROWS(X)                                                                \
  X(INT, n, 25, 25, 4, 128, "number of weights [N]")                           \
  X(REAL, a, 12, 12, 1e-6, 1e9,                                                \
    "threshold parameter: output 1 when w.xi > N/A")                           \
  X(CHOICE, along, 0, 0, "fin|alpha",                                          \
    "what the kinds differ in: fin 0.3, 0.4, 0.5 at alpha 0.36, or "           \
    "alpha 0.36, 0.4, 0.48 at fin 0.5")                                        \
  X(REAL, fin, 0.5, 0.5, 0.3, 0.5, "f_in of this kind")                        \
  X(REAL, alpha, 0.36, 0.36, 0.36, 0.48, "patterns per weight of this kind")   \
  X(INT, most, 1000000, 1000000, 1, 1e9,                                       \
    "draws with more solutions are left out")                                  \
  X(INT, patience, 100, 100, 1, 1e6, "draws before giving up")
BPERC_I_MEASURE_OPTIONS(coupled, ROWS);

enum { KINDS = 3 };

/* From the kind that is left out most often. */
static const struct {
  double fin, alpha;
} kinds[2][KINDS] = {{{0.3, 0.36}, {0.4, 0.36}, {0.5, 0.36}},
                     {{0.5, 0.48}, {0.5, 0.40}, {0.5, 0.36}}};
static const double largest_load = 0.48, largest_density = 0.5;

static int is_kind(const coupled_options *o, size_t k) {
  return fabs(kinds[o->along][k].fin - o->fin) < 1e-9 &&
         fabs(kinds[o->along][k].alpha - o->alpha) < 1e-9;
}

static bperc_status check_coupled(const bperc_inputs *in, bperc_error *error) {
  const coupled_options *o = in->own;
  for (size_t k = 0; k < KINDS; k++)
    if (is_kind(o, k))
      return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "coupled kinds are fin 0.3, 0.4, 0.5 at alpha 0.36 "
                         "(along = fin), or alpha 0.36, 0.4, 0.48 at fin 0.5 "
                         "(along = alpha)");
}

/* ---- sums over the blocks of a kind */

#define COLUMNS(X)                                                             \
  X(xcorr2, s->xcorr_mean_square)                                              \
  X(parisi_x, s->parisi_x)                                                     \
  X(q_same, s->q_same)                                                         \
  X(q_diff, s->q_diff)                                                         \
  X(k_index, s->k_index)
#define NAME(name, value) "step/" #name,
#define VALUE(name, value) value,
static const char *const columns[] = {COLUMNS(NAME)};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

typedef struct {
  const coupled_options *o;
  size_t n;
  bperc_exact_step *steps;       /* n + 1, of one block */
  double *sum, *count, *scratch; /* n + 1 per column; n + 1; one block */
  double largest, blocks;
  size_t unsatisfiable, large; /* draws left out */
} work;

static void add_coupled_block(work *w) {
  for (size_t f = 0; f <= w->n; f++) {
    const bperc_exact_step *s = &w->steps[f];
    const double values[] = {COLUMNS(VALUE)};
    for (size_t c = 0; c < COLUMN_COUNT; c++)
      if (isfinite(values[c])) {
        w->sum[c * (w->n + 1) + f] += values[c];
        w->count[c * (w->n + 1) + f] += 1;
      }
  }
  w->largest += log((double)w->steps[0].largest) / (double)w->n;
  w->blocks += 1;
}

static void record_kind(work *w, bperc_record *out) {
  for (size_t f = 0; f <= w->n; f++)
    w->scratch[f] = (double)f;
  bperc_record_vector(out, "step/fixed", w->scratch, w->n + 1);
  for (size_t c = 0; c < COLUMN_COUNT; c++) {
    for (size_t f = 0; f <= w->n; f++)
      w->scratch[f] = w->sum[c * (w->n + 1) + f] /
                      w->count[c * (w->n + 1) + f]; /* NAN of none */
    bperc_record_vector(out, columns[c], w->scratch, w->n + 1);
  }
  bperc_record_scalar(out, "largest", w->largest / w->blocks);
}

/* ---- one draw */

typedef enum { GOOD, UNSATISFIABLE, LARGE } outcome;

/* In steps of 0.1: a sparser instance is a part of a denser one. */
static bperc_status thin_to(bperc_instance **in, double density, uint64_t seed,
                            bperc_error *error) {
  double from = largest_density;
  bperc_status status = BPERC_OK;
  for (uint64_t k = 0; from > density + 0.05 && status == BPERC_OK; k++) {
    bperc_instance *sparser = NULL;
    status = bperc_instance_thin(*in, (from - 0.1) / from,
                                 bperc_stream_seed(seed, BPERC_FOR_THINNING, k),
                                 &sparser, error);
    bperc_instance_free(*in);
    *in = sparser;
    from -= 0.1;
  }
  return status;
}

/* Lists the space of a block; its measures enter when the kind is ours. */
static bperc_status try_block(work *w, const bperc_instance *in, int ours,
                              outcome *what, bperc_error *error) {
  bperc_solutions *s = NULL;
  bperc_status status = bperc_i_order_list(in, NULL, 0, w->o->most, &s, error);
  if (status != BPERC_OK)
    return status;
  *what = s->count == 0 ? UNSATISFIABLE : s->complete ? GOOD : LARGE;
  if (*what == GOOD && ours) {
    bperc_order order;
    status = bperc_decimate_exactly(in, s, NULL, &order, error);
    if (status == BPERC_OK)
      status =
          bperc_exact_along(s, BPERC_ALONG_CLUSTERS, &order, 0, w->steps, NULL);
    bperc_order_clear(&order);
    if (status == BPERC_OK)
      add_coupled_block(w);
    else
      bperc_error_set(error, status, "measures along decimation failed");
  }
  bperc_solutions_free(s);
  return status;
}

static bperc_status try_kind(work *w, const bperc_instance *all, size_t k,
                             uint64_t seed, int measure, outcome *what,
                             bperc_error *error) {
  double load = kinds[w->o->along][k].alpha, fin = kinds[w->o->along][k].fin;
  size_t kept = (size_t)floor(load * (double)w->n + 0.5), left = all->m - kept;
  size_t blocks = w->o->along && left ? all->m / left : 1;
  bperc_status status = BPERC_OK;
  *what = GOOD;
  for (size_t b = blocks; b-- > 0 && *what == GOOD && status == BPERC_OK;) {
    bperc_instance *in = NULL;
    status =
        bperc_instance_without(all, all->m - (b + 1) * left, left, &in, error);
    if (status == BPERC_OK)
      status = thin_to(&in, fin, seed, error);
    if (status == BPERC_OK)
      status = try_block(w, in, measure && is_kind(w->o, k), what, error);
    bperc_instance_free(in);
  }
  return status;
}

/* Whether the draw has solutions in all kinds; only then is ours measured. */
static bperc_status try_draw(work *w, uint64_t seed, outcome *what,
                             bperc_error *error) {
  bperc_instance *all = NULL;
  bperc_status status = bperc_ensemble_draw(
      &(bperc_ensemble){.n = w->n,
                        .m = (size_t)floor(largest_load * (double)w->n + 0.5),
                        .fin = largest_density,
                        .model = {.a = w->o->a}},
      seed, &all, error);
  *what = GOOD;
  for (size_t k = 0; k < KINDS && *what == GOOD && status == BPERC_OK; k++)
    status = try_kind(w, all, k, seed, 0, what, error);
  for (size_t k = 0; k < KINDS && *what == GOOD && status == BPERC_OK; k++)
    if (is_kind(w->o, k))
      status = try_kind(w, all, k, seed, 1, what, error);
  w->unsatisfiable += *what == UNSATISFIABLE;
  w->large += *what == LARGE;
  bperc_instance_free(all);
  return status;
}

static bperc_status search_coupled(work *w, const bperc_inputs *in,
                                   bperc_record *out, bperc_error *error) {
  outcome what = LARGE;
  bperc_status status = BPERC_OK;
  for (int64_t d = 0; d < w->o->patience && what != GOOD && status == BPERC_OK;
       d++)
    status = try_draw(w, bperc_i_problem_seed(in, (uint64_t)d), &what, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "found", what == GOOD);
  bperc_record_scalar(out, "unsatisfiable", (double)w->unsatisfiable);
  bperc_record_scalar(out, "large", (double)w->large);
  if (what == GOOD)
    record_kind(w, out);
  return BPERC_OK;
}

static bperc_status run_coupled_task(const bperc_inputs *in, bperc_record *out,
                                     bperc_error *error) {
  const coupled_options *o = in->own;
  size_t points = (size_t)o->n + 1, sums = points * COLUMN_COUNT;
  work w = {.o = o,
            .n = (size_t)o->n,
            .steps = bperc_calloc(points, sizeof *w.steps),
            .sum = bperc_calloc(2 * sums + points, sizeof(double))};
  bperc_status status = BPERC_E_MEMORY;
  if (w.steps && w.sum) {
    w.count = w.sum + sums;
    w.scratch = w.count + sums;
    status = search_coupled(&w, in, out, error);
  }
  bperc_free(w.steps);
  bperc_free(w.sum);
  return status;
}

static double cost_coupled(const bperc_inputs *in) {
  const coupled_options *o = in->own;
  return 0.05 * exp2(((double)o->n - 25) / 4);
}

const bperc_measurement bperc_i_measure_coupled = {
    .name = "coupled",
    .summary = "exact decimation of instances that have solutions in all "
               "kinds of a comparison",
    .results =
        "found          1 when a draw had solutions in all kinds\n"
        "unsatisfiable  draws left out: one kind has no solution\n"
        "large          draws left out: one kind has more than `most`\n"
        "largest        log size of the largest cluster / N, nothing fixed\n"
        "step/fixed     weights fixed, 0 .. N\n"
        "step/xcorr2    mean square cross-correlation [BZ eq. 7]\n"
        "step/parisi_x  x* [BZ eq. 10]\n"
        "step/q_same    overlap inside clusters\n"
        "step/q_diff    overlap between clusters; none with one cluster\n"
        "step/k_index   mean log size of full-space clusters / N [BZ eq. 11]",
    .version = 1,
    BPERC_I_MEASURE_TABLE(coupled),
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .check = check_coupled,
    .cost = cost_coupled,
    .run = run_coupled_task,
};
