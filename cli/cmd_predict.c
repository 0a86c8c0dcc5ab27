/* bperc predict: labels of new rows. */
#include "cli_data.h"
#include "commands.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(X)                                                                \
  X(FLAG, scores, 0, 0, "print the sum minus the threshold behind each label")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(predict_option_rows, options, ROWS);

static options opt;

static void setup_predict(cli *cx) {
  cli_group(cx, "predict", predict_option_rows(), &opt);
}

static void print_predict_json(const bperc_classifier *model,
                               const bperc_instance *in, const int64_t *sums) {
  json_t *labels = json_array(), *scores = json_array();
  for (size_t mu = 0; mu < in->m; mu++) {
    double score = (double)sums[mu] - in->theta;
    json_array_append_new(
        labels, json_string(bperc_encoding_label(model->encoding, score > 0)));
    json_array_append_new(scores, json_real(score));
  }
  cli_json_print(json_pack("{s:o, s:o, s:I}", "labels", labels, "scores",
                           scores, "m", (json_int_t)in->m));
}

static void print_predict_text(const bperc_classifier *model,
                               const bperc_instance *in, const int64_t *sums) {
  for (size_t mu = 0; mu < in->m; mu++) {
    double score = (double)sums[mu] - in->theta;
    fputs(bperc_encoding_label(model->encoding, score > 0), stdout);
    if (opt.scores)
      printf("\t%.15g", score);
    putchar('\n');
  }
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

static int run_predict(cli *cx) {
  bperc_classifier *model = NULL;
  bperc_instance *in = NULL;
  int64_t *sums = NULL;
  bperc_error error;
  int labelled, code = read_predictor(cx, &model);
  if (code != CLI_DONE)
    return code;
  if (bperc_data_encode(cx->arguments[1], model->encoding, &model->model,
                        &labelled, &in, &error))
    code = cli_fail_input(&error);
  if (code == CLI_DONE) {
    assert(in && model);
    sums = bperc_calloc(in->m + 1, sizeof *sums);
    if (!sums)
      code = cli_no_memory();
  }
  if (code == CLI_DONE) {
    bperc_instance_sums(in, model->weights, sums);
    (cx->common.json ? print_predict_json : print_predict_text)(model, in,
                                                                sums);
  }
  bperc_free(sums);
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
        "a label column is not needed and not looked at.\n\n"
        "  bperc predict m.txt new.csv\n"
        "  bperc predict m.txt new.csv --scores",
    .least = 2,
    .most = 2,
    .keys = cli_keys_predict,
    .common = "",
    .setup = setup_predict,
    .run = run_predict,
};
