/* bperc predict: labels of new rows. */
#include "cli_data.h"
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#define ROWS(X)                                                                \
  X(FLAG, scores, 0, 0,                                                        \
    "print the sum minus the threshold behind each label; of more than two "   \
    "classes the score of each")                                               \
  X(FLAG, probabilities, 0, 0,                                                 \
    "print the probability of each class behind each label")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(predict_option_rows, options, ROWS);

static options opt;

static void setup_predict(cli *cx) {
  cli_group(cx, "predict", predict_option_rows(), &opt);
}

/* What the model says of the rows. */
typedef struct {
  const bperc_classifier *model;
  size_t m, classes, scored; /* scores of a row: one of two classes */
  uint16_t *told;
  double *scores, *probabilities;
} prediction;

static const char *label_told(const prediction *p, size_t mu) {
  return bperc_encoding_label(p->model->encoding, p->told[mu]);
}

static json_t *json_row(const double *values, size_t count) {
  json_t *row = json_array();
  for (size_t v = 0; v < count; v++)
    json_array_append_new(row, cli_json_real(values[v]));
  return row;
}

static void print_predict_json(const prediction *p,
                               const bperc_data_facts *facts) {
  json_t *labels = json_array(), *scores = json_array();
  json_t *chances = p->probabilities ? json_array() : json_null();
  json_t *names = json_array();
  for (size_t v = 0; v < p->classes; v++)
    json_array_append_new(
        names, json_string(bperc_encoding_label(p->model->encoding, (int)v)));
  for (size_t mu = 0; mu < p->m; mu++) {
    json_array_append_new(labels, json_string(label_told(p, mu)));
    json_array_append_new(
        scores, p->scored == 1
                    ? cli_json_real(p->scores[mu])
                    : json_row(p->scores + mu * p->scored, p->scored));
    if (p->probabilities)
      json_array_append_new(
          chances, json_row(p->probabilities + mu * p->classes, p->classes));
  }
  cli_json_print(json_pack("{s:o, s:o, s:o, s:o, s:o, s:I}", "labels", labels,
                           "scores", scores, "probabilities", chances,
                           "classes", names, "unseen", cli_json_unseen(facts),
                           "m", (json_int_t)p->m));
}

static void print_predict_text(const prediction *p) {
  for (size_t mu = 0; mu < p->m; mu++) {
    fputs(label_told(p, mu), stdout);
    for (size_t v = 0; opt.scores && v < p->scored; v++)
      printf("\t%.15g", p->scores[mu * p->scored + v]);
    for (size_t v = 0; p->probabilities && v < p->classes; v++)
      printf("\t%.6f", p->probabilities[mu * p->classes + v]);
    putchar('\n');
  }
}

static int predict_rows(const bperc_instance *in, prediction *p) {
  p->m = in->m;
  p->classes = bperc_classifier_classes(p->model);
  p->scored = p->classes == 2 ? 1 : p->classes;
  p->told = bperc_calloc(in->m + 1, sizeof *p->told);
  p->scores = bperc_calloc(in->m * p->scored + 1, sizeof *p->scores);
  if (opt.probabilities)
    p->probabilities =
        bperc_calloc(in->m * p->classes + 1, sizeof *p->probabilities);
  if (!p->told || !p->scores || (opt.probabilities && !p->probabilities) ||
      bperc_classifier_decide(p->model, in, p->told, p->scores,
                              p->probabilities))
    return cli_no_memory();
  return CLI_DONE;
}

/* Another file that is no model may be the rows: then the model comes next. */
static int read_predictor(cli *cx, bperc_classifier **out) {
  bperc_error error;
  bperc_status status = bperc_classifier_read(cx->arguments[0], out, &error);
  if (status == BPERC_OK)
    return CLI_DONE;
  if (status == BPERC_E_FORMAT && strcmp(cx->arguments[1], "-") != 0 &&
      bperc_file_recognise(cx->arguments[1], NULL) == BPERC_FILE_MODEL &&
      bperc_file_recognise(cx->arguments[0], NULL) != BPERC_FILE_MODEL)
    return cli_fail_swapped(cx);
  return cli_fail_input(&error);
}

static int check_links(const bperc_classifier *model) {
  if (!opt.probabilities || model->linked)
    return CLI_DONE;
  cli_warn("the model has no probabilities: fit it with --folds of 2 or more");
  return CLI_INPUT;
}

static int run_predict(cli *cx) {
  bperc_classifier *model = NULL;
  bperc_instance *in = NULL;
  bperc_data_facts facts = {.labelled = 0};
  prediction p = {.m = 0};
  bperc_error error;
  int code = read_predictor(cx, &model);
  if (code == CLI_DONE)
    code = check_links(model);
  if (code == CLI_DONE &&
      bperc_data_encode_facts(cx->arguments[1], model->encoding, &model->model,
                              &in, &facts, &error))
    code = cli_fail_input(&error);
  if (code == CLI_DONE) {
    p.model = model;
    cli_say_unseen(&facts);
    code = predict_rows(in, &p);
  }
  if (code == CLI_DONE && cx->common.json)
    print_predict_json(&p, &facts);
  else if (code == CLI_DONE)
    print_predict_text(&p);
  bperc_free(p.told);
  bperc_free(p.scores);
  bperc_free(p.probabilities);
  bperc_data_facts_clear(&facts);
  bperc_instance_free(in);
  bperc_classifier_free(model);
  return code;
}

const cli_command cmd_predict = {
    .name = "predict",
    .arguments = "MODEL FILE",
    .summary = "labels of new rows by a model of `fit`",
    .text =
        "Prints one label per row, written as in the training file. Columns\n"
        "are found by name and made binary by the rules that the model keeps;\n"
        "a label column is not needed and not looked at. A text that training\n"
        "has not seen is named, and taken as a missing value.\n\n"
        "  bperc predict m.txt new.csv\n"
        "  bperc predict m.txt new.csv --scores --probabilities",
    .least = 2,
    .most = 2,
    .keys = cli_keys_predict,
    .common = "",
    .setup = setup_predict,
    .run = run_predict,
};
