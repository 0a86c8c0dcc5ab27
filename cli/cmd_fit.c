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
  X(TEXT, sample_weight, "COLUMN",                                             \
    "column of the weights of the rows: what an error on a row costs")         \
  X(CHOICE, scheme, 0, 0, "auto|rest|pairs|bits",                              \
    "of more than two labels: each against the rest, each pair, or a code "    \
    "of bits (auto: the fewest validation errors)")                            \
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
  bperc_encoding *encoding; /* of facts */
  bperc_instance *in, *test;
  bperc_data_facts facts, test_facts;
  bperc_classes_result fit;
  size_t *tested;  /* confusion, as of bperc_classes_result */
  size_t constant; /* errors of the most frequent label */
  double seconds;
  bool complements, interrupted;
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

/* The defaults of fit for tables, as of the estimator in Python. */
static bperc_data_options fit_table_options(const cli *cx) {
  bperc_data_options rules = cli_table_options(cx);
  rules.weight = opt.sample_weight;
  rules.classes = 1;
  rules.levels = 8; /* unless --binarise says otherwise */
  if (!cli_given(cx, "complement") && !cli_given(cx, "no-complement"))
    rules.complement = BPERC_COMPLEMENT_NUMBERS;
  return rules;
}

static bperc_status read_training(const cli *cx,
                                  const bperc_data_options *rules,
                                  const bperc_read_options *read, answer *a,
                                  bperc_error *error) {
  bperc_status status = bperc_data_read_facts(cx->arguments[0], rules, read,
                                              &a->in, &a->facts, error);
  a->encoding = a->facts.encoding;
  return status;
}

static int read_files(const cli *cx, answer *a) {
  bperc_data_options rules = fit_table_options(cx);
  bperc_model model = {.ties = (bperc_ties)opt.ties,
                       .weights = (bperc_weight_kind)opt.weights};
  bperc_read_options read = {.ties = model.ties,
                             .given = BPERC_GIVEN_THRESHOLD |
                                      BPERC_GIVEN_KAPPA | BPERC_GIVEN_WEIGHTS,
                             .weights = model.weights};
  bperc_error error;
  if (read_training(cx, &rules, &read, a, &error))
    return cli_fail_input(&error);
  a->complements = bperc_encoding_complements(a->encoding) != 0;
  if (!opt.test)
    return CLI_DONE;
  if (bperc_data_encode_facts(opt.test, a->encoding, &model, &a->test,
                              &a->test_facts, &error))
    return cli_fail_input(&error);
  cli_say_unseen(&a->test_facts);
  if (!a->test_facts.labelled) {
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

/* The model; it borrows from the answer. */
static bperc_classifier fitted_model(const answer *a, char *source) {
  const bperc_classes_result *fit = &a->fit;
  return (bperc_classifier){
      .encoding = a->encoding,
      .model = {.theta = fit->fit.threshold,
                .kappa = fit->fit.kappa,
                .ties = (bperc_ties)opt.ties,
                .weights = (bperc_weight_kind)opt.weights},
      .n = a->in->n,
      .weights = fit->fit.weights,
      .source = source,
      .linked = fit->linked,
      .slope = fit->slope,
      .offset = fit->offset,
      .scheme = fit->scheme,
      .units = fit->units,
      .unit_count = fit->unit_count,
      .sharpness = fit->sharpness};
}

static int judge_test(answer *a) {
  bperc_classifier c = fitted_model(a, NULL);
  size_t classes = a->fit.class_count;
  uint16_t *told;
  if (!a->test)
    return CLI_DONE;
  told = bperc_calloc(a->test->m + 1, sizeof *told);
  a->tested = bperc_calloc(classes * classes, sizeof *a->tested);
  if (!told || !a->tested ||
      bperc_classifier_decide(&c, a->test, told, NULL, NULL)) {
    bperc_free(told);
    return cli_no_memory();
  }
  for (size_t mu = 0; mu < a->test->m; mu++)
    a->tested[a->test_facts.classes[mu] * classes + told[mu]]++;
  bperc_free(told);
  return CLI_DONE;
}

static void count_constant(answer *a) {
  size_t count[256] = {0}, most = 0;
  for (size_t mu = 0; mu < a->in->m; mu++) {
    size_t now = ++count[a->facts.classes[mu]];
    most = now > most ? now : most;
  }
  a->constant = a->in->m - most;
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
                           .sweeps = (uint64_t)opt.sweeps,
                           .row_weights = a->facts.weights,
                           .classes = a->facts.classes,
                           .class_count = bperc_encoding_classes(a->encoding),
                           .scheme = (bperc_scheme)opt.scheme};
  cli_list thresholds = {0, NULL}, kappas = {0, NULL};
  bperc_status status;
  bperc_error error;
  int code = cli_read_class_weights(opt.class_weights, how.class_weights,
                                    &how.balanced);
  if (code == CLI_DONE)
    code = read_lists(&how, &thresholds, &kappas);
  if (code == CLI_DONE) {
    cli_progress_start(&progress, cx);
    status = bperc_fit_classes(a->in, &how, &a->fit, &error);
    cli_progress_end(&progress);
    a->seconds = cli_now() - progress.started;
    a->interrupted = status == BPERC_E_INTERRUPTED && a->fit.train;
    if (status != BPERC_OK && !a->interrupted)
      code = cli_fail(&error);
    count_constant(a);
  }
  cli_list_free(&thresholds);
  cli_list_free(&kappas);
  return code == CLI_DONE ? judge_test(a) : code;
}

/* ---- the answer */

static int write_fitted_model(const cli *cx, answer *a) {
  bperc_error error;
  char source[256];
  bperc_classifier c = fitted_model(a, source);
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
  if (a->fit.class_count > 2)
    return cli_usage("--instance-out is for two labels, and there are %zu",
                     a->fit.class_count);
  model.a = 0;
  model.theta = a->fit.fit.threshold;
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

static json_t *json_names(const answer *a) {
  json_t *names = json_array();
  for (size_t v = 0; v < a->fit.class_count; v++)
    json_array_append_new(
        names, json_string(bperc_encoding_label(a->encoding, (int)v)));
  return names;
}

/* What every input says. */
static json_t *json_inputs(const answer *a) {
  json_t *list = json_array();
  char name[1024];
  for (size_t i = 0; i < a->in->n; i++) {
    json_t *text;
    bperc_encoding_input_name(a->encoding, i, name, sizeof name);
    text = json_string(name);
    json_array_append_new(list, text ? text : json_string("?"));
  }
  return list;
}

static json_t *json_units(const answer *a) {
  bperc_classifier c = fitted_model(a, NULL);
  json_t *list = json_array();
  for (size_t k = 0; k < bperc_classifier_units(&c); k++) {
    bperc_unit u = bperc_classifier_unit(&c, k);
    json_array_append_new(list,
                          json_pack("{s:f, s:f, s:f, s:f}", "threshold",
                                    u.threshold, "kappa", u.kappa, "slope",
                                    u.slope, "offset", u.offset));
  }
  return list;
}

static json_t *json_schemes(const bperc_classes_result *fit) {
  json_t *list = json_array();
  for (size_t k = 0; k < fit->tried_count; k++)
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:I}", "scheme",
                        bperc_scheme_name(fit->tried[k].scheme), "units",
                        (json_int_t)fit->tried[k].units, "errors",
                        (json_int_t)fit->tried[k].errors));
  return list;
}

/* Of two labels as ever, of more with a matrix. */
static json_t *json_score_of(const answer *a, const size_t *confusion) {
  bperc_score s;
  if (!confusion)
    return json_null();
  if (a->fit.class_count > 2)
    return cli_json_confusion(confusion, a->fit.class_count);
  s = (bperc_score){.tn = confusion[0],
                    .fp = confusion[1],
                    .fn = confusion[2],
                    .tp = confusion[3]};
  s.errors =
      cli_confusion_errors(confusion, 2, &s.accuracy, &s.balanced_accuracy);
  return cli_json_score(&s);
}

static json_t *json_weights(const answer *a) {
  json_t *list;
  if (a->fit.class_count == 2)
    return cli_json_bits(a->fit.fit.weights, a->in->n);
  list = json_array();
  for (size_t k = 0; k < a->fit.unit_count; k++)
    json_array_append_new(list,
                          cli_json_bits(a->fit.units[k].weights, a->in->n));
  return list;
}

static void print_fit_json(const cli *cx, const answer *a) {
  const bperc_classes_result *fit = &a->fit;
  int two = fit->class_count == 2;
  json_t *told = json_pack(
      "{s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:s, s:o, s:f}",
      "threshold", two ? json_real(fit->fit.threshold) : json_null(), "kappa",
      two ? json_real(fit->fit.kappa) : json_null(), "polished",
      fit->fit.polished, "train", json_score_of(a, fit->train), "validation",
      json_score_of(a, fit->validation), "test", json_score_of(a, a->tested),
      "tried", json_tried(&fit->fit), "n", (json_int_t)a->in->n, "m",
      (json_int_t)a->in->m, "unavoidable",
      two ? json_integer((json_int_t)fit->fit.unavoidable) : json_null(),
      "weights", json_weights(a), "kind", opt.weights ? "pm" : "01", "seed",
      cli_json_seed(cx->seed), "seconds", a->seconds);
  cli_json_merge(told, json_pack("{s:o, s:o}", "inputs", json_inputs(a),
                                 "units", json_units(a)));
  cli_json_merge(
      told, json_pack("{s:o, s:s, s:o, s:I, s:b}", "classes", json_names(a),
                      "scheme", bperc_scheme_name(fit->scheme), "schemes",
                      json_schemes(fit), "constant", (json_int_t)a->constant,
                      "complete", !a->interrupted));
  cli_json_print(told);
}

static size_t count_ones(const uint64_t *weights, size_t words) {
  size_t ones = 0;
  for (size_t k = 0; k < words; k++)
    ones += (size_t)__builtin_popcountll(weights[k]);
  return ones;
}

static void print_two_text(const answer *a) {
  const bperc_fit_result *fit = &a->fit.fit;
  printf("%zu rows, %zu inputs; 1 is '%s', 0 is '%s'\n", a->in->m, a->in->n,
         bperc_encoding_label(a->encoding, 1),
         bperc_encoding_label(a->encoding, 0));
  printf("threshold %g, margin kappa %g (the best of %zu settings%s), %zu "
         "weights are %s, %.3g s\n",
         fit->threshold, fit->kappa, fit->tried_count,
         fit->folds ? " by cross-validation" : "",
         count_ones(fit->weights, a->in->words), opt.weights ? "+1" : "1",
         a->seconds);
  cli_print_score_head();
  cli_print_score("training", &fit->train);
  if (fit->folds)
    cli_print_score("validation", &fit->validation);
  if (a->tested) {
    bperc_score s = {.tn = a->tested[0],
                     .fp = a->tested[1],
                     .fn = a->tested[2],
                     .tp = a->tested[3]};
    s.errors =
        cli_confusion_errors(a->tested, 2, &s.accuracy, &s.balanced_accuracy);
    cli_print_score("test", &s);
  }
  if (!opt.weights && !a->complements && !(fit->train.balanced_accuracy > 0.7))
    cli_warn("weights 0/1 can only add these inputs, and they hardly tell the "
             "labels apart: try --complement or --weights pm");
  if (fit->unavoidable)
    printf("equal rows with different labels: %zu training error%s cannot be "
           "avoided by any weights\n",
           fit->unavoidable, fit->unavoidable == 1 ? "" : "s");
}

static void print_many_text(const answer *a) {
  const bperc_classes_result *fit = &a->fit;
  printf("%zu rows, %zu inputs, %zu labels; scheme %s with %zu units, %.3g s\n",
         a->in->m, a->in->n, fit->class_count, bperc_scheme_name(fit->scheme),
         fit->unit_count, a->seconds);
  for (size_t k = 0; k < fit->tried_count; k++)
    printf("  scheme %-6s %4zu units  %zu validation errors\n",
           bperc_scheme_name(fit->tried[k].scheme), fit->tried[k].units,
           fit->tried[k].errors);
  printf("%-12s %8s %9s %9s\n", "", "errors", "accuracy", "balanced");
  cli_print_confusion("training", fit->train, fit->class_count);
  if (fit->validation)
    cli_print_confusion("validation", fit->validation, fit->class_count);
  if (a->tested)
    cli_print_confusion("test", a->tested, fit->class_count);
}

/* What costs nothing does as well. */
static void say_constant(const answer *a) {
  double accuracy, balanced;
  size_t errors;
  if (!a->fit.validation || a->facts.weights)
    return;
  errors = cli_confusion_errors(a->fit.validation, a->fit.class_count,
                                &accuracy, &balanced);
  if (errors >= a->constant)
    cli_warn("always saying the most frequent label makes %zu errors, and the "
             "model %zu in validation: these columns tell nothing",
             a->constant, errors);
}

static void print_fit_text(const answer *a) {
  if (a->fit.class_count == 2)
    print_two_text(a);
  else
    print_many_text(a);
  if (a->interrupted)
    printf("not complete: the best so far\n");
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
  answer a = {.complements = false};
  int code = read_files(cx, &a);
  if (code == CLI_DONE)
    code = fit_and_test(cx, &a);
  if (code == CLI_DONE)
    code = write_fitted_model(cx, &a);
  if (code == CLI_DONE)
    code = write_instance(&a);
  if (code == CLI_DONE && !a.interrupted && a.fit.class_count == 2)
    say_folds(&a.fit.fit);
  if (code == CLI_DONE)
    say_constant(&a);
  if (code == CLI_DONE)
    (cx->common.json ? print_fit_json(cx, &a) : print_fit_text(&a));
  if (code == CLI_DONE && a.interrupted)
    code = cli_time_is_up() ? CLI_NEGATIVE : CLI_INTERRUPTED;
  bperc_free(a.tested);
  bperc_classes_clear(&a.fit);
  bperc_data_facts_clear(&a.facts);
  bperc_data_facts_clear(&a.test_facts);
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
