/* bperc check: verify weights by plain sums. */
#include "cli_data.h"
#include "commands.h"

#include <stdlib.h>

#define ROWS(X) X(FLAG, sums, 0, 0, "give the sum of every pattern")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(check_option_rows, options, ROWS);

static options opt;

static void setup_check(cli *cx) {
  cli_group(cx, "check", check_option_rows(), &opt);
  cli_group_instance(cx);
}

/* What is judged, and the verdict. */
typedef struct {
  bperc_instance *in;
  int32_t *weights;
  size_t *violated;
  int64_t *sums;
  bperc_verdict verdict;
  bperc_score score;
} answer;

/* ---- weights of a file of weights or of a model */

static int32_t *as_integers(const uint64_t *bits, size_t n) {
  int32_t *out = bperc_calloc(n + 1, sizeof *out);
  for (size_t i = 0; out && i < n; i++)
    out[i] = (int32_t)(bits[i / 64] >> (i % 64) & 1);
  return out;
}

/* The file's rows through the model's encoding, under its threshold. */
static int read_model(const cli *cx, bperc_file *file, answer *a) {
  bperc_classifier *model = NULL;
  bperc_error error;
  int labelled = 1, code = CLI_DONE;
  if (bperc_classifier_from(file, &model, &error))
    return cli_fail_input(&error);
  if (bperc_classifier_classes(model) > 2) {
    cli_warn("%s: the model has %zu labels, and check is for two: fit --test "
             "judges such a model",
             cx->arguments[1], bperc_classifier_classes(model));
    bperc_classifier_free(model);
    return CLI_INPUT;
  }
  model->model.kappa = 0; /* a margin belongs to the training */
  if (bperc_data_encode(cx->arguments[0], model->encoding, &model->model,
                        &labelled, &a->in, &error))
    code = cli_fail_input(&error);
  else if (!labelled) {
    cli_warn("%s: there are no labels to check against", cx->arguments[0]);
    code = CLI_INPUT;
  } else {
    a->weights = as_integers(model->weights, model->n);
    code = a->weights ? CLI_DONE : cli_no_memory();
  }
  bperc_classifier_free(model);
  return code;
}

static int read_weights_or_model(cli *cx, bperc_file *file, answer *a) {
  bperc_error error;
  int code;
  if (bperc_file_is(file) == BPERC_FILE_MODEL)
    return read_model(cx, file, a);
  code = cli_read_instance(cx, 0, &a->in);
  if (code == CLI_DONE &&
      bperc_integers_from(file, a->in->n, &a->weights, &error))
    code = cli_fail_input(&error);
  return code;
}

static int read_labels_and_weights(cli *cx, answer *a) {
  bperc_file *file;
  bperc_error error;
  int code;
  if (bperc_file_open(cx->arguments[1], &file, &error))
    return cli_fail_input(&error);
  code = read_weights_or_model(cx, file, a);
  bperc_file_close(file);
  return code;
}

/* ---- the verdict */

static int judge_weights(answer *a) {
  a->violated = bperc_calloc(a->in->m + 1, sizeof *a->violated);
  a->sums = bperc_calloc(a->in->m + 1, sizeof *a->sums);
  if (!a->violated || !a->sums)
    return cli_no_memory();
  a->verdict = bperc_verify_integers(a->in, a->weights, a->violated);
  bperc_sums_integers(a->in, a->weights, a->sums);
  a->score = bperc_score_of_sums(a->in, a->sums);
  return CLI_DONE;
}

static json_t *json_list(const answer *a) {
  json_t *list = json_array();
  for (size_t k = 0; k < a->verdict.errors; k++)
    json_array_append_new(list, json_integer((json_int_t)a->violated[k]));
  return list;
}

static void print_check_json(const answer *a) {
  const bperc_instance *in = a->in;
  json_t *told =
      json_pack("{s:b, s:I, s:o, s:I, s:I, s:I, s:s}", "satisfied",
                a->verdict.errors == 0, "errors", (json_int_t)a->verdict.errors,
                "violated", json_list(a), "min_margin",
                (json_int_t)a->verdict.min_margin, "n", (json_int_t)in->n, "m",
                (json_int_t)in->m, "ties", bperc_ties_name(in->ties));
  json_t *score = cli_json_score(&a->score), *sums;
  json_object_del(score, "errors"); /* violated ones count here */
  cli_json_merge(told, score);
  if (opt.sums) {
    sums = json_array();
    for (size_t mu = 0; mu < in->m; mu++)
      json_array_append_new(sums, json_integer((json_int_t)a->sums[mu]));
    json_object_set_new(told, "sums", sums);
  }
  cli_json_print(told);
}

static void print_check_text(const answer *a) {
  const bperc_verdict *v = &a->verdict;
  if (v->errors == 0)
    printf("satisfied: all %zu patterns hold, smallest margin %lld\n", a->in->m,
           (long long)v->min_margin);
  else
    printf("not satisfied: %zu of %zu patterns violated, worst by %lld:",
           v->errors, a->in->m, -(long long)v->min_margin);
  for (size_t k = 0; k < v->errors && k < 20; k++)
    printf(" %zu", a->violated[k]);
  if (v->errors) {
    printf(v->errors > 20 ? " ...\n" : "\n");
    cli_print_score_head();
    cli_print_score("", &a->score);
  }
  for (size_t mu = 0; opt.sums && mu < a->in->m; mu++)
    printf("%lld\n", (long long)a->sums[mu]);
}

static int run_check(cli *cx) {
  answer a = {.in = NULL};
  int code = read_labels_and_weights(cx, &a);
  if (code == CLI_DONE)
    code = judge_weights(&a);
  if (code == CLI_DONE) {
    (cx->common.json ? print_check_json : print_check_text)(&a);
    code = a.verdict.errors ? CLI_NEGATIVE : CLI_DONE;
  }
  bperc_free(a.violated);
  bperc_free(a.sums);
  cli_free(a.weights);
  bperc_instance_free(a.in);
  return code;
}

const cli_command cmd_check = {
    .name = "check",
    .arguments = "FILE WEIGHTS|MODEL",
    .summary = "verify weights by plain sums",
    .text =
        "Sums every pattern bit by bit and says which ones the weights miss.\n"
        "WEIGHTS is a file with one line of N characters 0/1, or of N whole\n"
        "numbers separated by blanks (the unbounded model). The verifier\n"
        "shares no code with any solver; \"-\" is standard input. With a "
        "MODEL\n"
        "of fit, the rows of a table are judged. The smallest margin is the\n"
        "least number of weights by which a pattern is on the right side of\n"
        "its bound, negative when it is violated. Accuracy and confusion\n"
        "compare the label with 'sum above threshold'; label 1 is positive.\n\n"
        "  bperc check p.txt w.txt\n"
        "  bperc check test.csv m.txt --sums --json",
    .least = 2,
    .most = 2,
    .keys = cli_keys_check,
    .common = "",
    .setup = setup_check,
    .run = run_check,
};
