/* bperc fit: from a table to a model that can be used. */
#include "cli_data.h"
#include "cli_list.h"
#include "cli_solver.h"
#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(X)                                                                \
  X(TEXT, model_out, "FILE", "write the model there")                          \
  X(TEXT, instance_out, "FILE",                                                \
    "write the rows as a problem for the other commands, with the "            \
    "chosen threshold")                                                        \
  X(TEXT, test, "FILE",                                                        \
    "rows that are held out: the model is judged on them at the end")          \
  X(TEXT, thresholds, "LIST",                                                  \
    "thresholds to try (default: chosen from the data)")                       \
  X(TEXT, kappas, "LIST", "margins to try (default: chosen from the data)")    \
  X(INT, folds, 5, 5, 0, 1000,                                                 \
    "parts of the cross-validation that chooses threshold and margin, "        \
    "at most as many as the rarer label has rows; 0: choose by "               \
    "training errors, with margin 0")                                          \
  X(INT, restarts, 8, 8, 1, 1e6,                                               \
    "runs on all rows; the one with the fewest errors is kept")                \
  X(INT, sweeps, 4000, 4000, 1, 1e9, "sweeps of each of these runs")           \
  X(INT, scan_sweeps, 200, 200, 1, 1e9,                                        \
    "sweeps of each run while settings are tried")                             \
  X(TEXT, class_weights, "W0,W1|balanced",                                     \
    "cost of an error on label 0 and on label 1 (default: 1,1)")               \
  X(CHOICE, weights, 0, 0, "01|pm",                                            \
    "values of a weight: 0 and 1, or -1 and +1")                               \
  X(CHOICE, ties, 0, 0, "zero|strict|either",                                  \
    "what a sum on the threshold means")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(fit_option_rows, options, ROWS);

static options opt;

static void setup_fit(cli *cx) {
  cli_group(cx, "fit", fit_option_rows(), &opt);
  cli_group_table(cx);
}

/* What is known at the end. */
typedef struct {
  bperc_encoding *encoding;
  bperc_instance *in, *test;
  bperc_fit_result fit;
  bperc_score tested;
  double seconds;
  bool complements;
} answer;

/* ---- what was asked */

static int read_lists(bperc_fit_options *how, cli_list *thresholds,
                      cli_list *kappas) {
  int code = CLI_DONE;
  if (opt.thresholds)
    code = cli_list_read("thresholds", opt.thresholds, thresholds);
  if (code == CLI_DONE && opt.kappas)
    code = cli_list_read("kappas", opt.kappas, kappas);
  how->thresholds = thresholds->values;
  how->threshold_count = thresholds->n;
  how->kappas = kappas->values;
  how->kappa_count = kappas->n;
  return code;
}

static int read_files(const cli *cx, answer *a) {
  bperc_data_options rules = cli_table_options(cx);
  bperc_model model = {.ties = (bperc_ties)opt.ties,
                       .weights = (bperc_weight_kind)opt.weights};
  bperc_read_options read = {.ties = model.ties,
                             .given = BPERC_GIVEN_THRESHOLD |
                                      BPERC_GIVEN_KAPPA | BPERC_GIVEN_WEIGHTS,
                             .weights = model.weights};
  bperc_error error;
  int labelled = 1;
  if (bperc_data_read(cx->arguments[0], &rules, &read, &a->encoding, &a->in,
                      &error))
    return cli_fail_input(&error);
  if (!opt.test)
    return CLI_DONE;
  if (bperc_data_encode(opt.test, a->encoding, &model, &labelled, &a->test,
                        &error))
    return cli_fail_input(&error);
  if (!labelled) {
    cli_warn("%s: there is no label column '%s' to test with", opt.test,
             cx->table.label ? cx->table.label : "label");
    return CLI_INPUT;
  }
  return CLI_DONE;
}

/* ---- the work */

static void tick(void *context, size_t done, size_t total) {
  cli_progress *p = context;
  if (cli_progress_due(p))
    cli_progress_show(p, "fit: run %zu of %zu", done, total);
}

static int judge_test(answer *a) {
  bperc_error error;
  bperc_model model;
  if (!a->test)
    return CLI_DONE;
  model = bperc_instance_model(a->test);
  model.a = 0;
  model.theta = a->fit.threshold;
  if (bperc_instance_set_model(a->test, &model, &error))
    return cli_fail(&error);
  if (bperc_score_make(a->test, a->fit.weights, &a->tested))
    return cli_no_memory();
  return CLI_DONE;
}

static int fit_and_test(cli *cx, answer *a) {
  cli_progress progress;
  bperc_fit_options how = {.seed = cx->seed,
                           .threads = (unsigned)cx->common.threads,
                           .tick = tick,
                           .context = &progress,
                           .folds = (size_t)opt.folds,
                           .restarts = (size_t)opt.restarts,
                           .scan_sweeps = (uint64_t)opt.scan_sweeps,
                           .sweeps = (uint64_t)opt.sweeps};
  cli_list thresholds = {0, NULL}, kappas = {0, NULL};
  bperc_error error;
  int code = cli_read_class_weights(opt.class_weights, how.class_weights,
                                    &how.balanced);
  if (code == CLI_DONE)
    code = read_lists(&how, &thresholds, &kappas);
  if (code == CLI_DONE) {
    cli_progress_start(&progress, cx);
    if (bperc_fit(a->in, &how, &a->fit, &error))
      code = -1;
    cli_progress_end(&progress);
    a->seconds = cli_now() - progress.started;
  }
  if (code == -1)
    code = cli_fail(&error);
  cli_list_free(&thresholds);
  cli_list_free(&kappas);
  return code == CLI_DONE ? judge_test(a) : code;
}

/* ---- the answer */

static int write_fitted_model(const cli *cx, answer *a) {
  bperc_error error;
  char source[256];
  bperc_classifier c = {.encoding = a->encoding,
                        .model = {.theta = a->fit.threshold,
                                  .kappa = a->fit.kappa,
                                  .ties = (bperc_ties)opt.ties,
                                  .weights = (bperc_weight_kind)opt.weights},
                        .n = a->in->n,
                        .weights = a->fit.weights,
                        .source = source};
  if (!opt.model_out)
    return CLI_DONE;
  snprintf(source, sizeof source, "%s, %zu rows, bperc %s, seed %llu",
           cx->arguments[0], a->in->m, bperc_version(),
           (unsigned long long)cx->seed);
  return bperc_classifier_write(&c, opt.model_out, &error) ? cli_fail(&error)
                                                           : CLI_DONE;
}

static int write_instance(answer *a) {
  bperc_error error;
  bperc_model model = bperc_instance_model(a->in);
  if (!opt.instance_out)
    return CLI_DONE;
  model.a = 0;
  model.theta = a->fit.threshold;
  model.kappa = 0;
  if (bperc_instance_set_model(a->in, &model, &error))
    return cli_fail(&error);
  return cli_write_instance(a->in, BPERC_FORMAT_TEXT, opt.instance_out);
}

static json_t *json_tried(const bperc_fit_result *fit) {
  json_t *list = json_array();
  for (size_t k = 0; k < fit->tried_count; k++) {
    const bperc_fit_trial *t = &fit->tried[k];
    json_array_append_new(
        list, json_pack("{s:f, s:f, s:I, s:o}", "threshold", t->threshold,
                        "kappa", t->kappa, "errors",
                        (json_int_t)t->score.errors, "balanced_accuracy",
                        cli_json_real(t->score.balanced_accuracy)));
  }
  return list;
}

static void print_fit_json(const cli *cx, const answer *a) {
  const bperc_fit_result *fit = &a->fit;
  json_t *told = json_pack(
      "{s:f, s:f, s:b, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:s, s:o, s:f}",
      "threshold", fit->threshold, "kappa", fit->kappa, "polished",
      fit->polished, "train", cli_json_score(&fit->train), "validation",
      fit->folds ? cli_json_score(&fit->validation) : json_null(), "test",
      a->test ? cli_json_score(&a->tested) : json_null(), "tried",
      json_tried(fit), "n", (json_int_t)a->in->n, "m", (json_int_t)a->in->m,
      "unavoidable", (json_int_t)fit->unavoidable, "weights",
      cli_json_bits(fit->weights, a->in->n), "kind", opt.weights ? "pm" : "01",
      "seed", cli_json_seed(cx->seed), "seconds", a->seconds);
  cli_json_print(told);
}

static void print_fit_text(const answer *a) {
  const bperc_fit_result *fit = &a->fit;
  size_t ones = 0;
  for (size_t k = 0; k < a->in->words; k++)
    ones += (size_t)__builtin_popcountll(fit->weights[k]);
  printf("%zu rows, %zu inputs; 1 is '%s', 0 is '%s'\n", a->in->m, a->in->n,
         bperc_encoding_label(a->encoding, 1),
         bperc_encoding_label(a->encoding, 0));
  printf("threshold %g, margin kappa %g (the best of %zu settings%s), %zu "
         "weights are %s, %.3g s\n",
         fit->threshold, fit->kappa, fit->tried_count,
         fit->folds ? " by cross-validation" : "", ones,
         opt.weights ? "+1" : "1", a->seconds);
  cli_print_score_head();
  cli_print_score("training", &fit->train);
  if (fit->folds)
    cli_print_score("validation", &fit->validation);
  if (a->test)
    cli_print_score("test", &a->tested);
  if (!opt.weights && !a->complements && !(fit->train.balanced_accuracy > 0.7))
    cli_warn("weights 0/1 can only add these inputs, and they hardly tell the "
             "labels apart: try --complement or --weights pm");
  if (fit->unavoidable)
    printf("equal rows with different labels: %zu training error%s cannot be "
           "avoided by any weights\n",
           fit->unavoidable, fit->unavoidable == 1 ? "" : "s");
}

/* Every part of the validation must have a row of both labels. */
static void say_folds(const bperc_fit_result *fit) {
  if (opt.folds < 2 || fit->folds == (size_t)opt.folds)
    return;
  if (fit->folds)
    cli_warn("the rarer label has %zu rows: validation in %zu parts",
             fit->folds, fit->folds);
  else
    cli_warn("one label has a single row: no validation, the threshold is "
             "chosen by training errors");
}

static int run_fitting(cli *cx) {
  answer a = {.complements = cx->table.complement != 0};
  int code = read_files(cx, &a);
  if (code == CLI_DONE)
    code = fit_and_test(cx, &a);
  if (code == CLI_DONE)
    code = write_fitted_model(cx, &a);
  if (code == CLI_DONE)
    code = write_instance(&a);
  if (code == CLI_DONE)
    say_folds(&a.fit);
  if (code == CLI_DONE)
    (cx->common.json ? print_fit_json(cx, &a) : print_fit_text(&a));
  bperc_fit_clear(&a.fit);
  bperc_encoding_free(a.encoding);
  bperc_instance_free(a.in);
  bperc_instance_free(a.test);
  return code;
}

const cli_command cmd_fit = {
    .name = "fit",
    .arguments = "FILE",
    .summary = "train on your own data: choose threshold and margin, minimise "
               "errors",
    .text =
        "Reads a table (CSV, TSV, svmlight with values, NumPy .npy) or an\n"
        "instance file, makes its columns binary, chooses the threshold and\n"
        "the margin kappa by cross-validation, and trains on all rows with\n"
        "SBPI from several starts. Training errors are allowed: the weights\n"
        "with the fewest are kept. With --model-out the result can be used by\n"
        "predict and check.\n\n"
        "  bperc fit train.csv --label class --binarise levels=8 \\\n"
        "    --model-out m.txt --test test.csv\n"
        "  bperc fit digits.csv --label digit --positive 3 --complement \\\n"
        "    --class-weights balanced --binarise levels=8",
    .least = 1,
    .most = 1,
    .keys = cli_keys_fit,
    .common = "seed threads time_limit quiet",
    .setup = setup_fit,
    .run = run_fitting,
};
