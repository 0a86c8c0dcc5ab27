/* Coupled random instances for the trends, and what is measured on them. */
#include "cli.h"
#include "trends.h"

#include <math.h>
#include <stdlib.h>

#define PATIENCE 100 /* draws per wanted instance before giving up */

/* Kinds of the figures; all patterns are those of the largest load. */
static const struct {
  int number;
  double load[TREND_KINDS], density[TREND_KINDS];
  size_t order[TREND_KINDS]; /* from the kind that is left out most often */
} figure_plan[TREND_FIGURES] = {
    {7, {0.36, 0.36, 0.36}, {0.3, 0.4, 0.5}, {0, 1, 2}},
    {9, {0.36, 0.40, 0.48}, {0.5, 0.5, 0.5}, {2, 1, 0}},
};
static const double largest_load = 0.48, largest_density = 0.5;

static size_t patterns(size_t n, double load) {
  return (size_t)floor(load * (double)n + 0.5);
}

/* ---- one draw */

/* A kind of a draw: the draw without a block of patterns, its ones thinned out.
 * Where only the load changes every block is left out in turn. */
static bperc_status thinned(bperc_instance **in, double density, uint64_t seed,
                            bperc_error *error) {
  double from = largest_density;
  bperc_status status = BPERC_OK;
  /* In steps of 0.1: a sparser instance is a part of a denser one. */
  for (uint64_t a = 0; from > density + 0.05 && status == BPERC_OK; a++) {
    bperc_instance *sparser = NULL;
    status = bperc_instance_thin(*in, (from - 0.1) / from,
                                 bperc_stream_seed(seed, BPERC_FOR_THINNING, a),
                                 &sparser, error);
    bperc_instance_free(*in);
    *in = sparser;
    from -= 0.1;
  }
  return status;
}

static size_t blocks(size_t all, size_t kept, bool by_load) {
  return by_load && kept < all ? all / (all - kept) : 1;
}

typedef enum { MEASURED, UNSATISFIABLE, LARGE } outcome;

static bperc_status measure(const trend_draws *how, const bperc_instance *in,
                            bperc_exact_step *steps, outcome *what,
                            bperc_error *error) {
  bperc_solutions *s = NULL;
  bperc_exact_options search;
  bperc_options_default(bperc_exact_option_table(), &search);
  search.limit = (int64_t)how->most;
  bperc_status status =
      bperc_exact_list(in, NULL, &search, how->threads, NULL, &s, error);
  if (status != BPERC_OK)
    return status;
  *what = s->count == 0 ? UNSATISFIABLE : s->complete ? MEASURED : LARGE;
  if (*what == MEASURED)
    status = cli_measured(
        bperc_exact_decimation(in, s, BPERC_ALONG_CLUSTERS, steps, NULL),
        error);
  bperc_solutions_free(s);
  return status;
}

static bperc_status add_kind(const trend_draws *how, const bperc_instance *all,
                             uint64_t seed, bool by_load, trend_kind *k,
                             bperc_exact_step *steps, outcome *what,
                             bperc_error *error) {
  size_t kept = patterns(k->n, k->alpha), left = all->m - kept;
  bperc_status status = BPERC_OK;
  for (size_t b = blocks(all->m, kept, by_load);
       b-- > 0 && *what == MEASURED && status == BPERC_OK;) {
    bperc_instance *in;
    status =
        bperc_instance_without(all, all->m - (b + 1) * left, left, &in, error);
    if (status == BPERC_OK)
      status = thinned(&in, k->fin, seed, error);
    if (status == BPERC_OK)
      status = measure(how, in, steps, what, error);
    if (status == BPERC_OK && *what == MEASURED)
      trend_add(k, steps);
    bperc_instance_free(in);
  }
  return status;
}

/* The draw enters the figure when all its kinds can be measured. */
static bperc_status enter(const trend_draws *how, trend_figure *figure,
                          const bperc_instance *all, uint64_t seed,
                          bperc_exact_step *steps, bperc_error *error) {
  bool by_load = figure->number == 9;
  outcome what = MEASURED;
  bperc_status status = BPERC_OK;
  for (size_t k = 0; k < TREND_KINDS && what == MEASURED && status == BPERC_OK;
       k++)
    status = add_kind(how, all, seed, by_load,
                      &figure->kind[figure_plan[by_load].order[k]], steps,
                      &what, error);
  figure->unsatisfiable += what == UNSATISFIABLE;
  figure->large += what == LARGE;
  for (size_t a = 0; a < TREND_KINDS; a++)
    (status == BPERC_OK && what == MEASURED ? trend_end
                                            : trend_drop)(&figure->kind[a]);
  return status;
}

/* ---- a figure */

static bool open_figure(const trend_draws *how, size_t f,
                        trend_figure *figure) {
  bool room = true;
  *figure =
      (trend_figure){.number = figure_plan[f].number, .wanted = how->instances};
  for (size_t a = 0; a < TREND_KINDS; a++) {
    figure->kind[a] = (trend_kind){.n = how->n,
                                   .alpha = figure_plan[f].load[a],
                                   .fin = figure_plan[f].density[a]};
    room &= trend_init(&figure->kind[a], how->instances);
  }
  return room;
}

bperc_status trend_open(const trend_draws *how,
                        trend_figure figures[TREND_FIGURES],
                        bperc_error *error) {
  bool room = true;
  for (size_t f = 0; f < TREND_FIGURES; f++)
    room &= open_figure(how, f, &figures[f]);
  return room ? BPERC_OK
              : bperc_error_set(error, BPERC_E_MEMORY, "out of memory");
}

static bperc_status add_draw(const trend_draws *how, trend_figure *figure,
                             bperc_exact_step *steps, bperc_error *error) {
  bperc_instance *all = NULL;
  /* Sizes are independent of each other. */
  uint64_t seed = bperc_stream_seed(how->seed, BPERC_FOR_TRIAL,
                                    (uint64_t)how->n << 32 | figure->draws++);
  bperc_status status = bperc_instance_generate(
      how->n, patterns(how->n, largest_load), largest_density, how->threshold_a,
      BPERC_TIES_ZERO, seed, &all, error);
  if (status == BPERC_OK)
    status = enter(how, figure, all, seed, steps, error);
  bperc_instance_free(all);
  return status;
}

bperc_status trend_grow(const trend_draws *how, trend_figure *figure,
                        bool *more, bperc_error *error) {
  size_t used = figure->kind[0].used;
  bperc_exact_step *steps = calloc(how->n + 1, sizeof *steps);
  bperc_status status =
      steps ? BPERC_OK
            : bperc_error_set(error, BPERC_E_MEMORY, "out of memory");
  while (status == BPERC_OK && figure->kind[0].used == used &&
         figure->draws < PATIENCE * figure->wanted)
    status = add_draw(how, figure, steps, error);
  *more = figure->kind[0].used > used && figure->kind[0].used < figure->wanted;
  free(steps);
  return status;
}

void trend_close(trend_figure figures[TREND_FIGURES]) {
  for (size_t f = 0; f < TREND_FIGURES; f++)
    for (size_t a = 0; a < TREND_KINDS; a++)
      trend_clear(&figures[f].kind[a]);
}
