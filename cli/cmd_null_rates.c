/* bperc null-rates: how often the rules of claims are wrong. */
#include "bperc/lab/lab.h"
#include "commands.h"

#include <string.h>

#define ROWS(X)                                                                \
  X(INT, draws, 2000, 2000, 1, 1e6,                                            \
    "draws per rule, kind of data and number of instances")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(option_rows, options, ROWS);

static options opt;

static void setup(cli *cx) { cli_group(cx, "null-rates", option_rows(), &opt); }

/* One rule on one kind of data, summed over numbers of instances. */
typedef struct {
  cli_progress line;
  json_t *list;
  bool json, above;
  bperc_null_rate sum;
  double worst; /* the larger of both rates at one number of instances */
  size_t worst_at;
} table;

static double percent(size_t count, size_t draws) {
  return draws ? 100 * (double)count / (double)draws : 0;
}

static void end_row(table *t) {
  const bperc_null_rate *r = &t->sum;
  double holds = percent(r->holds, r->draws),
         fails = percent(r->fails, r->draws);
  bool above = holds > 150 * r->rate || fails > 150 * r->rate;
  if (!r->draws)
    return;
  t->above |= above;
  cli_progress_end(&t->line);
  if (!t->json) {
    printf("%-23s  %-20s  %6zu  %5.2f %%  %5.2f %%  %5.2f %% at %2zu%s\n",
           r->rule, r->data, r->draws, holds, fails, t->worst, t->worst_at,
           above ? "  too often" : "");
    fflush(stdout); /* a row may take a while */
  }
  json_array_append_new(
      t->list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:f}", "rule", r->rule,
                         "data", r->data, "draws", (json_int_t)r->draws,
                         "holds", (json_int_t)r->holds, "fails",
                         (json_int_t)r->fails, "rate", r->rate));
  t->sum.draws = 0;
}

static void add(void *context, const bperc_null_rate *row) {
  table *t = context;
  size_t most = row->holds > row->fails ? row->holds : row->fails;
  if (t->sum.draws &&
      (strcmp(t->sum.rule, row->rule) || strcmp(t->sum.data, row->data)))
    end_row(t);
  if (!t->sum.draws) {
    t->sum = (bperc_null_rate){row->rule, row->data, .rate = row->rate};
    t->worst = -1;
  }
  t->sum.draws += row->draws;
  t->sum.holds += row->holds;
  t->sum.fails += row->fails;
  if (percent(most, row->draws) > t->worst) {
    t->worst = percent(most, row->draws);
    t->worst_at = row->instances;
  }
  if (cli_progress_due(&t->line))
    cli_progress_show(&t->line, "%s, %s, %zu instances", row->rule, row->data,
                      row->instances);
}

static int run(cli *cx) {
  bperc_null_options o = {.draws = (size_t)opt.draws, .seed = cx->seed};
  table t = {.list = json_array(), .json = cx->common.json != 0};
  bperc_error error;
  bperc_status status;
  if (!t.json)
    printf("Truth on the edge of the claim; stated: 1 %% of each verdict, 2 to "
           "30 instances.\n\n%-23s  %-20s  %6s  %7s  %7s  %s\n",
           "rule", "data", "draws", "holds", "fails", "most, at instances");
  cli_progress_start(&t.line, cx);
  status = bperc_judge_null_rates(&o, add, &t, &error);
  if (status == BPERC_OK)
    end_row(&t);
  cli_progress_end(&t.line);
  if (status == BPERC_OK && t.json)
    cli_json_print(json_pack("{s:O, s:b}", "rates", t.list, "kept", !t.above));
  else if (status == BPERC_OK)
    printf("\n%s\n", t.above ? "A rule is wrong more often than 1.5 times what "
                               "it states."
                             : "Every rate is at most 1.5 times the stated "
                               "one.");
  json_decref(t.list);
  return status != BPERC_OK ? cli_fail(&error)
         : t.above          ? CLI_NEGATIVE
                            : CLI_DONE;
}

const cli_command cmd_null_rates = {
    .name = "null-rates",
    .arguments = "",
    .summary = "how often the rules that judge claims are wrong",
    .text =
        "Draws results from a known truth on the edge of a claim, for every "
        "rule and\n"
        "for normal, log-normal and yes/no data, rows that share instances "
        "and missing\n"
        "values, with 2 to 30 instances, and counts the verdicts `holds` and "
        "`fails`,\n"
        "both wrong there. Exit status 1 when one comes more than 1.5 times "
        "as often as\n"
        "stated (1 %). docs/sweeps.md describes the rules.\n\n"
        "  bperc null-rates --draws 2000",
    .least = 0,
    .most = 0,
    .keys = cli_keys_null_rates,
    .common = "seed time_limit quiet",
    .setup = setup,
    .run = run,
};
