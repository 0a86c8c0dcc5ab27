/* bperc solving-time: steps and success over many random instances. */
#include "cli_ensemble.h"
#include "cli_solver.h"
#include "commands.h"

#include <stdlib.h>

#define ROWS(X)                                                                \
  X(INT, trials, 100, 100, 1, 1e7, "how many instances")                       \
  X(FLAG, each, 0, 0, "also list every instance in the JSON answer")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(solving_time_option_rows, options, ROWS);

static options opt;
static cli_ensemble kind;
static cli_solver solver;

static void setup_solving_time(cli *cx) {
  cli_group(cx, "solving-time", solving_time_option_rows(), &opt);
  cli_group_ensemble(cx, &kind, true);
  cli_group_solver(cx, &solver, "sbpi");
}

static json_t *json_each(const bperc_solving_one *each, size_t trials) {
  json_t *list = json_array();
  for (size_t k = 0; k < trials; k++)
    json_array_append_new(list, json_pack("{s:b, s:I, s:I, s:f}", "solved",
                                          each[k].outcome == BPERC_SOLVED,
                                          "steps", (json_int_t)each[k].steps,
                                          "errors", (json_int_t)each[k].errors,
                                          "seconds", each[k].seconds));
  return list;
}

static void print_solving_time_json(const cli *cx,
                                    const bperc_ensemble *ensemble,
                                    const bperc_solving_one *each,
                                    const bperc_solving_summary *s) {
  json_t *told = json_pack(
      "{s:I, s:I, s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:f, "
      "s:o}",
      "trials", (json_int_t)s->trials, "solved", (json_int_t)s->solved,
      "contradictory", (json_int_t)s->contradictory, "fraction", s->fraction,
      "fraction_sem", s->fraction_sem, "steps_mean",
      cli_json_real(s->steps_mean), "steps_sem", cli_json_real(s->steps_sem),
      "steps_median", cli_json_real(s->steps_median), "steps_median_all",
      cli_json_real(s->steps_median_all), "seconds_mean",
      cli_json_real(s->seconds_mean), "seconds_sem",
      cli_json_real(s->seconds_sem), "seconds_median",
      cli_json_real(s->seconds_median), "m", (json_int_t)ensemble->m, "alpha",
      (double)ensemble->m / (double)ensemble->n, "seed",
      cli_json_seed(cx->seed));
  cli_json_merge(told, cli_json_ensemble(ensemble));
  cli_json_merge(told, cli_json_solver_on(&solver, ensemble));
  if (opt.each)
    json_object_set_new(told, "each", json_each(each, s->trials));
  cli_json_print(told);
}

static void print_solving_time_text(const bperc_ensemble *ensemble,
                                    const bperc_solving_summary *s) {
  printf("%s on %zu instances, M = %zu, ", solver.class->name, s->trials,
         ensemble->m);
  cli_print_ensemble(ensemble);
  putchar('\n');
  printf("  solved   ");
  cli_print_share(s->solved, s->trials);
  printf(" (95 %% confidence)\n");
  if (s->contradictory)
    printf("  of the others, %zu contradict themselves\n", s->contradictory);
  if (s->solved == 0)
    return;
  printf("  %-8s median %.6g, ", solver.class->step_name, s->steps_median);
  cli_print_mean(6, s->steps_mean, s->steps_sem, "");
  printf("  CPU      median %.3g s, ", s->seconds_median);
  cli_print_mean(3, s->seconds_mean, s->seconds_sem, " s");
}

/* How many from the first on: which ones count does not depend on how long
 * each takes. */
static size_t count_solving_times(const bperc_solving_one *each) {
  size_t count = 0;
  while (count < (size_t)opt.trials && each[count].finished)
    count++;
  return count;
}

static int run_solving_time(cli *cx) {
  bperc_ensemble ensemble;
  bperc_solving_summary sum;
  bperc_solving_one *each = NULL;
  bperc_error error;
  size_t count = 0;
  cli_trials trials = {.what = "instances"};
  int code = cli_ensemble_take(cx, &kind, true, &ensemble);
  if (code != CLI_DONE)
    goto done;
  each = bperc_calloc((size_t)opt.trials, sizeof *each);
  if (!each) {
    code = cli_no_memory();
    goto done;
  }
  cli_progress_start(&trials.progress, cx);
  if (bperc_solving_trials(
          solver.class, solver.options,
          &(bperc_trials){.ensemble = &ensemble,
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
    count = cli_trials_kept(count_solving_times(each), (size_t)opt.trials,
                            "instances");
  if (count && bperc_solving_summarise(each, count, &sum))
    code = cli_no_memory();
  else if (count) {
    if (cx->common.json)
      print_solving_time_json(cx, &ensemble, each, &sum);
    else
      print_solving_time_text(&ensemble, &sum);
  }
done:
  bperc_free(each);
  cli_ensemble_release(&kind);
  return code;
}

const cli_command cmd_solving_time = {
    .name = "solving-time",
    .arguments = "",
    .summary = "steps and success of a solver over random instances",
    .text =
        "Solves many random instances and prints the solved fraction, the "
        "mean\n"
        "and the median of the steps, with standard errors.\n\n"
        "  bperc solving-time --n 480 --alpha 0.2 --fin 0.3 --a 40 --trials "
        "500",
    .keys = cli_keys_solving_time,
    .common = "seed threads time_limit quiet",
    .setup = setup_solving_time,
    .run = run_solving_time,
};
