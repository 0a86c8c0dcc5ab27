/* bperc capacity: how many random pairs a solver stores. */
#include "cli_ensemble.h"
#include "cli_solver.h"
#include "commands.h"

#include <math.h>
#include <stdlib.h>

#define ROWS(X)                                                                \
  X(INT, trials, 20, 20, 1, 1e7, "how many times")                             \
  X(FLAG, warm, 0, 0,                                                          \
    "continue from the last hidden state instead of a fresh start")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(capacity_option_rows, options, ROWS);

static options opt;
static cli_ensemble kind;
static cli_solver solver;

static void setup_capacity(cli *cx) {
  cli_group(cx, "capacity", capacity_option_rows(), &opt);
  cli_group_ensemble(cx, &kind, false);
  cli_group_solver(cx, &solver, "sbpi");
}

/* ---- what theory says of the same ensemble ---- */

/* Independent patterns with labels by coins. */
static bool is_random(const bperc_ensemble *e) {
  return !e->rows && !e->teacher && e->structure == BPERC_PATTERNS_FREE;
}

/* Weights and inputs -1, +1, threshold 0. */
static bool is_symmetric(const bperc_ensemble *e) {
  return e->model.weights == BPERC_WEIGHTS_PM &&
         e->model.inputs == BPERC_INPUTS_PM && e->fin == 0.5 &&
         e->model.a == 0 && e->model.theta == 0;
}

static double band_capacity(const bperc_ensemble *e) {
  bperc_symmetric_typical t;
  bperc_symmetric_model model = {.band = e->model.band / sqrt((double)e->n),
                                 .fout = fmax(e->fout, 1e-9)};
  return is_symmetric(e) &&
                 bperc_symmetric_capacity(&model, &t, NULL) == BPERC_OK
             ? t.alpha_c
             : NAN;
}

/* The capacity at N to infinity; NaN where it is not worked out. */
static double theoretical_capacity(const bperc_ensemble *e) {
  bperc_theory_typical t;
  double n = (double)e->n, unit = sqrt(n * e->fin * (1 - e->fin));
  bperc_theory_model model = {.weights = BPERC_THEORY_ISING, .fout = e->fout};
  if (!is_random(e))
    return NAN;
  if (e->model.band > 0)
    return solver.class->unbounded ? NAN : band_capacity(e);
  if (is_symmetric(e)) {
    unit = sqrt(n);
  } else if (e->model.weights == BPERC_WEIGHTS_01 &&
             e->model.inputs == BPERC_INPUTS_01 &&
             (e->model.a > 0 || e->model.theta > 0)) {
    model.weights =
        solver.class->unbounded ? BPERC_THEORY_INTEGER : BPERC_THEORY_01;
    model.a = e->model.a > 0 ? e->model.a : n / e->model.theta;
    model.fin = e->fin;
  } else {
    return NAN;
  }
  model.kappa = e->model.kappa / unit;
  return bperc_theory_capacity(&model, &t, NULL) == BPERC_OK ? t.alpha : NAN;
}

static void print_capacity_json(const cli *cx, const bperc_ensemble *ensemble,
                                const bperc_capacity_one *each,
                                const bperc_capacity_summary *sum,
                                double seconds) {
  json_t *list = json_array(), *told;
  for (size_t k = 0; k < sum->trials; k++)
    json_array_append_new(list, json_integer((json_int_t)each[k].patterns));
  told = json_pack(
      "{s:f, s:o, s:I, s:f, s:f, s:f, s:o, s:b, s:o, s:f, s:I, s:I}",
      "capacity", sum->capacity, "sem", cli_json_real(sum->sem), "trials",
      (json_int_t)sum->trials, "median", sum->median, "lowest", sum->lowest,
      "highest", sum->highest, "patterns", list, "warm", (int)opt.warm, "seed",
      cli_json_seed(cx->seed), "seconds", seconds, "limit",
      (json_int_t)bperc_capacity_limit(ensemble), "at_limit",
      (json_int_t)sum->at_limit);
  json_object_set_new(told, "theory",
                      cli_json_real(theoretical_capacity(ensemble)));
  cli_json_merge(told, cli_json_ensemble(ensemble));
  cli_json_merge(told, cli_json_solver_on(&solver, ensemble));
  cli_json_print(told);
}

static void print_capacity_text(const bperc_ensemble *ensemble,
                                const bperc_capacity_summary *sum,
                                double seconds) {
  printf("capacity of %s at ", solver.class->name);
  cli_print_ensemble(ensemble);
  printf(", %zu trials, %.3g s\n", sum->trials, seconds);
  if (sum->trials > 1)
    printf("  mean     %.4f +- %.4f patterns per weight\n", sum->capacity,
           sum->sem);
  printf("  median   %.4f\n  range    %.4f to %.4f\n", sum->median, sum->lowest,
         sum->highest);
  double theory = theoretical_capacity(ensemble);
  if (!isnan(theory))
    printf("  theory   %.4f, where solutions end at N to infinity\n", theory);
  if (sum->at_limit)
    printf(
        "  %zu of %zu trials stopped unbroken at the limit of %zu patterns\n",
        sum->at_limit, sum->trials, bperc_capacity_limit(ensemble));
}

/* How many from the first on: which ones count does not depend on how long
 * each takes. */
static size_t count_capacities(const bperc_capacity_one *each) {
  size_t count = 0;
  while (count < (size_t)opt.trials && each[count].finished)
    count++;
  return count;
}

static int run_capacity(cli *cx) {
  bperc_ensemble ensemble;
  bperc_capacity_summary sum;
  bperc_capacity_one *each = NULL;
  bperc_error error;
  size_t count = 0;
  cli_trials trials = {.what = "trials"};
  int code = cli_ensemble_take(cx, &kind, false, &ensemble);
  if (code != CLI_DONE)
    goto done;
  each = bperc_calloc((size_t)opt.trials, sizeof *each);
  if (!each) {
    code = cli_no_memory();
    goto done;
  }
  cli_progress_start(&trials.progress, cx);
  if (bperc_capacity_trials(
          solver.class, solver.options,
          &(bperc_trials){.ensemble = &ensemble,
                          .warm = (int)opt.warm,
                          .trials = (size_t)opt.trials,
                          .seed = cx->seed,
                          .threads = (unsigned)cx->common.threads,
                          .tick = cli_trials_tick,
                          .context = &trials},
          each, &error))
    code = cli_fail(&error);
  cli_progress_end(&trials.progress);
  if (code == CLI_DONE)
    count = (size_t)opt.trials;
  else if (code == CLI_INTERRUPTED)
    count =
        cli_trials_kept(count_capacities(each), (size_t)opt.trials, "trials");
  if (count && bperc_capacity_summarise(each, count, &sum))
    code = cli_no_memory();
  else if (count) {
    double seconds = cli_now() - trials.progress.started;
    if (cx->common.json)
      print_capacity_json(cx, &ensemble, each, &sum, seconds);
    else
      print_capacity_text(&ensemble, &sum, seconds);
  }
done:
  bperc_free(each);
  cli_ensemble_release(&kind);
  return code;
}

const cli_command cmd_capacity = {
    .name = "capacity",
    .arguments = "",
    .summary = "how many random patterns a solver stores",
    .text =
        "Adds random patterns one by one, with a fresh start after each, "
        "until\n"
        "the solver fails; the capacity is the last success, divided by N.\n"
        "A trial that still succeeds at 4 N + 64 patterns stops there, and is\n"
        "counted in the answer. With --data the patterns are rows of a file\n"
        "in random order, and no trial has more than all of them.\n\n"
        "  bperc capacity --solver sbpi --n 480 --fin 0.3 --a 40 --trials 20\n"
        "  bperc capacity --data t.csv --label kind --threshold 8.5",
    .keys = cli_keys_capacity,
    .common = "seed threads time_limit quiet",
    .setup = setup_capacity,
    .run = run_capacity,
};
