/* bperc trends: how the geometry of random solution spaces changes along exact
 * decimation, with input density and with load [BZ figs. 7, 9]. */
#include "commands.h"
#include "trends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t size, instances, most;
  double threshold_a;
} options;

static options opt;

static const bperc_option rows[] = {
    {"size", BPERC_OPTION_INT, offsetof(options, size), 0, 0, 0, 128, NULL,
     "number of weights N; 0: both 25 and 50"},
    {"instances", BPERC_OPTION_INT, offsetof(options, instances), 0, 0, 0, 1e6,
     NULL, "instances of each figure; 0: 100 at N up to 25, 30 above"},
    {"most", BPERC_OPTION_INT, offsetof(options, most), 1000000, 1000000, 1,
     4e9, NULL, "instances with more solutions are left out and counted"},
    {"threshold-a", BPERC_OPTION_REAL, offsetof(options, threshold_a), 12, 12,
     0.1, 1e6, NULL, "A of the instances"},
};

static void setup(cli *cx) {
  cli_group(cx, "trends",
            (bperc_option_table){rows, sizeof rows / sizeof *rows}, &opt);
}

/* ---- answers */

enum { STAGES = 5 }; /* shown: 0, 1/5, ..., 4/5 of the weights fixed */

static const struct {
  const char *name, *key;
  trend_measure which;
} shown[] = {
    {"xcorr^2", "xcorr_mean_square", TREND_XCORR2},
    {"x*", "parisi_x", TREND_PARISI},
    {"q_same", "q_same", TREND_SAME},
    {"q_diff", "q_diff", TREND_DIFF},
    {"gap", "q_gap", TREND_GAP},
    {"eq. 9", "predicted", TREND_EQ9},
    {"k index", "k_index", TREND_K},
};
enum { SHOWN = sizeof shown / sizeof *shown };

/* value(error), with so many digits; a dash for what there is not. */
static void print_pair(const char *format, int width, double value,
                       double error) {
  char text[64];
  if (!isfinite(value))
    snprintf(text, sizeof text, "-");
  else if (!isfinite(error))
    snprintf(text, sizeof text, "%.3g(-)", value);
  else
    snprintf(text, sizeof text, format, value, error);
  printf(" %*s", width, text);
}

static void print_kind(const trend_kind *k) {
  printf("N = %zu, alpha = %g, f_in = %g\n", k->n, k->alpha, k->fin);
  printf("  %-8s", "fixed");
  for (size_t stage = 0; stage < STAGES; stage++)
    printf(" %18zu", k->n * stage / STAGES);
  printf("\n");
  for (size_t row = 0; row < SHOWN; row++) {
    printf("  %-8s", shown[row].name);
    for (size_t stage = 0; stage < STAGES; stage++) {
      size_t fixed = k->n * stage / STAGES;
      print_pair("%.6f(%.6f)", 18,
                 trend_average(k, SIZE_MAX, fixed, shown[row].which),
                 trend_error(k, fixed, shown[row].which));
    }
    printf("\n");
  }
}

static json_t *json_kind(const trend_kind *k) {
  json_t *stages = json_array();
  for (size_t stage = 0; stage < STAGES; stage++) {
    size_t fixed = k->n * stage / STAGES;
    json_t *x = json_pack("{s:I}", "fixed", (json_int_t)fixed);
    for (size_t row = 0; row < SHOWN; row++)
      json_object_set_new(
          x, shown[row].key,
          json_pack("[o, o]",
                    cli_json_real(
                        trend_average(k, SIZE_MAX, fixed, shown[row].which)),
                    cli_json_real(trend_error(k, fixed, shown[row].which))));
    json_array_append_new(stages, x);
  }
  return json_pack("{s:f, s:f, s:o}", "alpha", k->alpha, "fin", k->fin,
                   "stages", stages);
}

static void print_figure(const trend_figure *figure) {
  const trend_kind *k = figure->kind;
  printf("\nFigure %d, N = %zu: %zu instances with solutions in all three "
         "kinds, of %zu draws; left out: %zu without solutions, %zu with more "
         "than %lld\n",
         figure->number, k->n, k->used, figure->draws, figure->unsatisfiable,
         figure->large, (long long)opt.most);
  if (k->used < figure->wanted)
    printf("Given up: %zu instances were wanted.\n", figure->wanted);
  for (size_t a = 0; a < TREND_KINDS; a++)
    print_kind(&figure->kind[a]);
}

static json_t *json_figure(const trend_figure *figure) {
  json_t *kinds = json_array();
  for (size_t a = 0; a < TREND_KINDS; a++)
    json_array_append_new(kinds, json_kind(&figure->kind[a]));
  return json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "figure",
                   figure->number, "n", (json_int_t)figure->kind->n, "wanted",
                   (json_int_t)figure->wanted, "instances",
                   (json_int_t)figure->kind->used, "draws",
                   (json_int_t)figure->draws, "unsatisfiable",
                   (json_int_t)figure->unsatisfiable, "too_large",
                   (json_int_t)figure->large, "kinds", kinds);
}

static void print_claim(const trend_claim *c, size_t n) {
  printf("%s %-9s N = %zu, %zu of %zu as claimed: ", c->id, c->verdict, n,
         c->as_claimed, c->values);
  for (size_t k = 0; k < c->count; k++) {
    printf("%s%s", k ? "; " : "", c->test[k].text);
    for (size_t a = 0; a < c->test[k].count; a++)
      print_pair(c->test[k].error[a] == 0 ? "%.3g" : "%.3g(%.2g)", 0,
                 c->test[k].value[a], c->test[k].error[a]);
  }
  printf("\n");
}

static json_t *json_claim(const trend_claim *c, size_t n) {
  json_t *tests = json_array();
  for (size_t k = 0; k < c->count; k++) {
    json_t *values = json_array();
    for (size_t a = 0; a < c->test[k].count; a++)
      json_array_append_new(
          values, json_pack("[o, o]", cli_json_real(c->test[k].value[a]),
                            cli_json_real(c->test[k].error[a])));
    json_array_append_new(tests, json_pack("{s:s, s:o}", "statistic",
                                           c->test[k].text, "values", values));
  }
  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "id", c->id, "verdict",
                   c->verdict, "n", (json_int_t)n, "values",
                   (json_int_t)c->values, "as_claimed",
                   (json_int_t)c->as_claimed, "tests", tests);
}

/* ---- running */

static bperc_status fill(cli *cx, const trend_draws *how, trend_figure *figure,
                         bperc_error *error) {
  cli_progress progress;
  bperc_status status = BPERC_OK;
  bool more = true;
  cli_progress_start(&progress, cx);
  while (more && status == BPERC_OK) {
    if (cli_progress_due(&progress))
      cli_progress_show(&progress,
                        "figure %d, N = %zu: %zu of %zu instances, %zu draws",
                        figure->number, how->n, figure->kind->used,
                        figure->wanted, figure->draws);
    status = trend_grow(how, figure, &more, error);
  }
  cli_progress_end(&progress);
  return status;
}

/* The direction of all trends, and how many are beyond their errors. */
static void print_sum(const trend_claim *claims, size_t n) {
  size_t values = 0, as_claimed = 0, hold = 0;
  for (size_t c = 0; c < TREND_CLAIMS; c++) {
    values += claims[c].values;
    as_claimed += claims[c].as_claimed;
    hold += strcmp(claims[c].verdict, "holds") == 0;
  }
  printf("N = %zu: %zu of %zu statistics have the direction of the paper; %zu "
         "of %d claims hold beyond two standard errors\n",
         n, as_claimed, values, hold, TREND_CLAIMS);
}

/* CLI_NEGATIVE when a claim fails. */
static int answer(cli *cx, const trend_figure *figures, json_t *all,
                  json_t *claims) {
  trend_claim out[TREND_CLAIMS];
  size_t n = figures->kind->n;
  int code = CLI_DONE;
  trend_judge(figures, out);
  for (size_t f = 0; f < TREND_FIGURES; f++) {
    if (!cx->common.json)
      print_figure(&figures[f]);
    json_array_append_new(all, json_figure(&figures[f]));
  }
  if (!cx->common.json)
    printf("\n");
  for (size_t c = 0; c < TREND_CLAIMS; c++) {
    if (!cx->common.json)
      print_claim(&out[c], n);
    json_array_append_new(claims, json_claim(&out[c], n));
    if (strcmp(out[c].verdict, "fails") == 0)
      code = CLI_NEGATIVE;
  }
  if (!cx->common.json)
    print_sum(out, n);
  return code;
}

static trend_draws draws_of(const cli *cx, size_t n) {
  return (trend_draws){.n = n,
                       .instances = opt.instances ? (size_t)opt.instances
                                    : n <= 25     ? 100
                                                  : 30,
                       .threshold_a = opt.threshold_a,
                       .seed = cx->seed,
                       .most = (uint64_t)opt.most,
                       .threads = (unsigned)cx->common.threads};
}

static int run_size(cli *cx, size_t n, json_t *all, json_t *claims) {
  trend_draws how = draws_of(cx, n);
  trend_figure figures[TREND_FIGURES];
  bperc_error error;
  int code = CLI_DONE;
  bperc_status status = trend_open(&how, figures, &error);
  for (size_t f = 0; f < TREND_FIGURES && status == BPERC_OK; f++)
    status = fill(cx, &how, &figures[f], &error);
  if (status == BPERC_OK)
    code = answer(cx, figures, all, claims);
  trend_close(figures);
  return status == BPERC_OK ? code : cli_fail(&error);
}

static int run(cli *cx) {
  static const size_t sizes[] = {25, 50};
  json_t *figures = json_array(), *claims = json_array();
  int code = CLI_DONE;
  if (!cx->common.json)
    printf("Averages over instances with standard errors (jackknife).\n");
  if (opt.size > 0)
    code = run_size(cx, (size_t)opt.size, figures, claims);
  else
    for (size_t k = 0; k < 2 && code <= CLI_NEGATIVE; k++) {
      int here = run_size(cx, sizes[k], figures, claims);
      code = here > code ? here : code;
    }
  if (cx->common.json && code <= CLI_NEGATIVE)
    cli_json_print(
        json_pack("{s:O, s:O}", "figures", figures, "claims", claims));
  json_decref(figures);
  json_decref(claims);
  return code;
}

const cli_command cmd_trends = {
    .name = "trends",
    .arguments = "",
    .summary = "geometry of random solution spaces along exact decimation",
    .text =
        "Lists the solutions of random instances, decimates by exact "
        "marginals\n"
        "and averages correlations, x*, overlaps and k index at 0, 1/5, ...,\n"
        "4/5 of the weights fixed: for three input densities at one load "
        "(figure 7),\n"
        "and for three loads at one density (figure 9). The three kinds of a "
        "figure\n"
        "are coupled: an instance has solutions in all of them, others are "
        "drawn\n"
        "again and counted; a smaller load is the mean over the patterns that "
        "are\n"
        "left out. Judges the claims of both figures by slopes of "
        "the\n"
        "averages and their jackknife errors; exit status 1 when one fails.\n"
        "\n"
        "  bperc trends --size 25 --instances 100",
    .least = 0,
    .most = 0,
    .setup = setup,
    .run = run,
};
