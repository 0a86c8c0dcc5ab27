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
     NULL, "instances of each kind; 0: 100 at N up to 25, 30 above"},
    {"most", BPERC_OPTION_INT, offsetof(options, most), 1000000, 1000000, 1,
     4e9, NULL, "instances with more solutions are left out and counted"},
    {"threshold-a", BPERC_OPTION_REAL, offsetof(options, threshold_a), 12, 12,
     0.1, 1e6, NULL, "A of the instances"},
};

static void setup(cli *cx) {
  cli_group(cx, "trends",
            (bperc_option_table){rows, sizeof rows / sizeof *rows}, &opt);
}

/* ---- instances */

/* Kinds of figure 7, sparse to dense, then of figure 9, low to high load; the
 * last of the one is the first of the other. */
enum { KINDS = 5, DENSE = 2, LOADED = 4 };
static const double plan[KINDS][2] = {
    {0.36, 0.3}, {0.36, 0.4}, {0.36, 0.5}, {0.40, 0.5}, {0.48, 0.5}};

static size_t patterns(size_t n, size_t kind) {
  return (size_t)floor(plan[kind][0] * (double)n + 0.5);
}

/* One instance of each kind: the first patterns of the same draw, sparser ones
 * thinned out step by step. */
static bperc_status draw(size_t n, uint64_t seed, bperc_instance **in,
                         bperc_error *error) {
  bperc_status status = bperc_instance_generate(
      n, patterns(n, LOADED), plan[LOADED][1], opt.threshold_a, BPERC_TIES_ZERO,
      seed, &in[LOADED], error);
  for (size_t a = DENSE; a < LOADED && status == BPERC_OK; a++)
    status = bperc_instance_prefix(in[LOADED], patterns(n, a), &in[a], error);
  for (size_t a = DENSE; a-- > 0 && status == BPERC_OK;)
    status = bperc_instance_thin(in[a + 1], plan[a][1] / plan[a + 1][1],
                                 bperc_stream_seed(seed, BPERC_FOR_THINNING, a),
                                 &in[a], error);
  return status;
}

static bperc_status decimate(const bperc_instance *in, const bperc_solutions *s,
                             bperc_exact_step *steps) {
  bperc_marginals source;
  bperc_decimation *d = NULL;
  bperc_decimation_view view;
  bperc_progress outcome = BPERC_RUNNING;
  bperc_status status = bperc_marginals_exact(s, &source);
  if (status == BPERC_OK)
    status = bperc_decimation_new(in, source, &d);
  while (status == BPERC_OK && outcome == BPERC_RUNNING)
    status = bperc_decimation_step(d, &outcome);
  if (status == BPERC_OK) {
    bperc_decimation_look(d, &view);
    status = bperc_exact_along(s, BPERC_ALONG_CLUSTERS, view.order, view.values,
                               view.fixed, steps);
  }
  bperc_decimation_free(d);
  return status;
}

static bperc_status add_instance(trend_kind *k, size_t t,
                                 const bperc_instance *in, unsigned threads,
                                 bperc_error *error) {
  bperc_solutions *s = NULL;
  bperc_exact_options search;
  bperc_exact_step *steps = calloc(k->n + 1, sizeof *steps);
  bperc_options_default(bperc_exact_option_table(), &search);
  search.limit = opt.most;
  bperc_status status =
      steps ? bperc_exact_list(in, NULL, &search, threads, NULL, &s, error)
            : bperc_error_set(error, BPERC_E_MEMORY, "out of memory");
  if (status == BPERC_OK) {
    k->large += !s->complete;
    k->unsatisfiable += s->count == 0;
    if (s->complete && s->count > 0) {
      status = cli_measured(decimate(in, s, steps), error);
      if (status == BPERC_OK)
        trend_add(k, t, steps);
    }
  }
  free(steps);
  bperc_solutions_free(s);
  return status;
}

static bperc_status add_draw(cli *cx, trend_kind *kinds, size_t t,
                             bperc_error *error) {
  bperc_instance *in[KINDS] = {0};
  /* Sizes are independent of each other. */
  uint64_t seed = bperc_stream_seed(cx->seed, BPERC_FOR_TRIAL,
                                    (uint64_t)kinds->n << 32 | t);
  bperc_status status = draw(kinds->n, seed, in, error);
  for (size_t a = 0; a < KINDS && status == BPERC_OK; a++)
    status =
        add_instance(&kinds[a], t, in[a], (unsigned)cx->common.threads, error);
  for (size_t a = 0; a < KINDS; a++)
    bperc_instance_free(in[a]);
  return status;
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
  printf("N = %zu, alpha = %g, f_in = %g: %zu instances; left out: %zu without "
         "solutions, %zu with more than %lld\n",
         k->n, k->alpha, k->fin, k->used, k->unsatisfiable, k->large,
         (long long)opt.most);
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
  return json_pack("{s:I, s:f, s:f, s:I, s:I, s:I, s:o}", "n", (json_int_t)k->n,
                   "alpha", k->alpha, "fin", k->fin, "instances",
                   (json_int_t)k->used, "unsatisfiable",
                   (json_int_t)k->unsatisfiable, "too_large",
                   (json_int_t)k->large, "stages", stages);
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

static int measure(cli *cx, trend_kind *kinds) {
  bperc_error error;
  cli_progress progress;
  bperc_status status = BPERC_OK;
  size_t instances = kinds->instances;
  cli_progress_start(&progress, cx);
  for (size_t t = 0; t < instances && status == BPERC_OK; t++) {
    if (cli_progress_due(&progress))
      cli_progress_show(&progress, "N = %zu: instance %zu of %zu", kinds->n,
                        t + 1, instances);
    status = add_draw(cx, kinds, t, &error);
  }
  cli_progress_end(&progress);
  return status == BPERC_OK ? CLI_DONE : cli_fail(&error);
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
static int answer(cli *cx, const trend_kind *kinds, json_t *all,
                  json_t *claims) {
  trend_claim out[TREND_CLAIMS];
  int code = CLI_DONE;
  trend_judge(kinds, out);
  for (size_t a = 0; a < KINDS; a++) {
    if (!cx->common.json)
      print_kind(&kinds[a]);
    json_array_append_new(all, json_kind(&kinds[a]));
  }
  for (size_t c = 0; c < TREND_CLAIMS; c++) {
    if (!cx->common.json)
      print_claim(&out[c], kinds->n);
    json_array_append_new(claims, json_claim(&out[c], kinds->n));
    if (strcmp(out[c].verdict, "fails") == 0)
      code = CLI_NEGATIVE;
  }
  if (!cx->common.json)
    print_sum(out, kinds->n);
  return code;
}

static int run_size(cli *cx, size_t n, json_t *all, json_t *claims) {
  trend_kind kinds[KINDS] = {0};
  bool room = true;
  int code;
  for (size_t a = 0; a < KINDS; a++) {
    kinds[a].n = n;
    kinds[a].alpha = plan[a][0];
    kinds[a].fin = plan[a][1];
    kinds[a].instances = opt.instances ? (size_t)opt.instances
                         : n <= 25     ? 100
                                       : 30;
    room &= trend_init(&kinds[a]);
  }
  if (room) {
    code = measure(cx, kinds);
    if (code == CLI_DONE)
      code = answer(cx, kinds, all, claims);
  } else {
    cli_warn("out of memory");
    code = CLI_SYSTEM;
  }
  for (size_t a = 0; a < KINDS; a++)
    trend_clear(&kinds[a]);
  return code;
}

static int run(cli *cx) {
  static const size_t sizes[] = {25, 50};
  json_t *kinds = json_array(), *claims = json_array();
  int code = CLI_DONE;
  if (!cx->common.json)
    printf("Averages over instances with standard errors (jackknife).\n");
  if (opt.size > 0)
    code = run_size(cx, (size_t)opt.size, kinds, claims);
  else
    for (size_t k = 0; k < 2 && code <= CLI_NEGATIVE; k++) {
      int here = run_size(cx, sizes[k], kinds, claims);
      code = here > code ? here : code;
    }
  if (cx->common.json && code <= CLI_NEGATIVE)
    cli_json_print(json_pack("{s:O, s:O}", "kinds", kinds, "claims", claims));
  json_decref(kinds);
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
        "4/5 of the weights fixed: for three input densities at one load, and\n"
        "for three loads at one density, on coupled instances. Judges the "
        "claims\n"
        "of figures 7 and 9 by slopes of the averages and their jackknife "
        "errors;\n"
        "exit status 1 when one of them fails.\n\n"
        "  bperc trends --size 25 --instances 100",
    .least = 0,
    .most = 0,
    .setup = setup,
    .run = run,
};
