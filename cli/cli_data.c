/* Scores. */
#include "cli_data.h"

#include <math.h>

json_t *cli_json_score(const bperc_score *s) {
  return json_pack("{s:I, s:o, s:o, s:{s:I, s:I, s:I, s:I}}", "errors",
                   (json_int_t)s->errors, "accuracy",
                   cli_json_real(s->accuracy), "balanced_accuracy",
                   cli_json_real(s->balanced_accuracy), "confusion", "tp",
                   (json_int_t)s->tp, "fp", (json_int_t)s->fp, "tn",
                   (json_int_t)s->tn, "fn", (json_int_t)s->fn);
}

void cli_print_score_head(void) {
  printf("%-12s %8s %9s %9s %7s %7s %7s %7s\n", "", "errors", "accuracy",
         "balanced", "tp", "fp", "tn", "fn");
}

static void print_share(double value) {
  if (isfinite(value))
    printf(" %9.4f", value);
  else
    printf(" %9s", "-");
}

void cli_print_score(const char *name, const bperc_score *s) {
  printf("%-12s %8zu", name, s->errors);
  print_share(s->accuracy);
  print_share(s->balanced_accuracy);
  printf(" %7zu %7zu %7zu %7zu\n", s->tp, s->fp, s->tn, s->fn);
}

/* ---- K classes */

size_t cli_confusion_errors(const size_t *confusion, size_t classes,
                            double *accuracy, double *balanced) {
  size_t right = 0, all = 0;
  double shares = 0;
  for (size_t v = 0; v < classes; v++) {
    size_t row = 0;
    for (size_t u = 0; u < classes; u++)
      row += confusion[v * classes + u];
    right += confusion[v * classes + v];
    all += row;
    shares += (double)confusion[v * classes + v] / (double)row; /* NAN: none */
  }
  *accuracy = (double)right / (double)all;
  *balanced = shares / (double)classes;
  return all - right;
}

json_t *cli_json_confusion(const size_t *confusion, size_t classes) {
  double accuracy, balanced;
  size_t errors =
      cli_confusion_errors(confusion, classes, &accuracy, &balanced);
  json_t *rows = json_array();
  for (size_t v = 0; v < classes; v++) {
    json_t *row = json_array();
    for (size_t u = 0; u < classes; u++)
      json_array_append_new(
          row, json_integer((json_int_t)confusion[v * classes + u]));
    json_array_append_new(rows, row);
  }
  return json_pack("{s:I, s:o, s:o, s:o}", "errors", (json_int_t)errors,
                   "accuracy", cli_json_real(accuracy), "balanced_accuracy",
                   cli_json_real(balanced), "confusion", rows);
}

void cli_print_confusion(const char *name, const size_t *confusion,
                         size_t classes) {
  double accuracy, balanced;
  size_t errors =
      cli_confusion_errors(confusion, classes, &accuracy, &balanced);
  printf("%-12s %8zu", name, errors);
  print_share(accuracy);
  print_share(balanced);
  putchar('\n');
}

/* ---- what training has not seen */

/* Bytes of a file need not be UTF-8. */
static json_t *text_of_file(const char *text) {
  json_t *value = json_string(text);
  return value ? value : json_string("?");
}

json_t *cli_json_unseen(const bperc_data_facts *facts) {
  json_t *list = json_array();
  for (size_t k = 0; k < facts->unseen_count; k++)
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:I}", "column",
                        text_of_file(facts->unseen[k].column), "text",
                        text_of_file(facts->unseen[k].text), "count",
                        (json_int_t)facts->unseen[k].count));
  return list;
}

enum { UNSEEN_NAMED = 20 };

void cli_say_unseen(const bperc_data_facts *facts) {
  for (size_t k = 0; k < facts->unseen_count && k < UNSEEN_NAMED; k++) {
    const bperc_unseen *u = &facts->unseen[k];
    if (u->text[0])
      cli_warn("column '%s': '%s' was not there in training, taken as missing "
               "in %zu row%s",
               u->column, u->text, u->count, u->count == 1 ? "" : "s");
    else
      cli_warn("column '%s' has no value in %zu row%s, and had one in all rows "
               "of training",
               u->column, u->count, u->count == 1 ? "" : "s");
  }
  if (facts->unseen_count > UNSEEN_NAMED)
    cli_warn("and %zu other texts that were not there in training",
             facts->unseen_count - UNSEEN_NAMED);
}
