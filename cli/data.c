/* Options of tables, and scores. */
#include "data.h"

#include <math.h>

void cli_group_data(cli *cx, cli_data *data) {
  static const bperc_option rows[] = {
      {"label", BPERC_OPTION_TEXT, offsetof(cli_data, label), 0, 0, 0, 0,
       "COLUMN",
       "column of the labels, by name or number from 1 (default: the one "
       "called 'label', else the first)"},
      {"positive", BPERC_OPTION_TEXT, offsetof(cli_data, positive), 0, 0, 0, 0,
       "VALUES",
       "label values that count as 1, separated by commas; all others count "
       "as 0 (default: the larger of two)"},
      {"binarise", BPERC_OPTION_TEXT, offsetof(cli_data, binarise), 0, 0, 0, 0,
       "RULE",
       "numbers become inputs 0/1 by 'median' (default), 'mean', a number, or "
       "'levels=K', a thermometer of K quantiles"},
      {"drop", BPERC_OPTION_TEXT, offsetof(cli_data, drop), 0, 0, 0, 0,
       "COLUMNS", "columns that are not used, separated by commas"},
      {"complement", BPERC_OPTION_FLAG, offsetof(cli_data, complement), 0, 0, 0,
       1, NULL, "add the negation of every input: 0/1 weights can only add"},
  };
  cli_group(cx, "table", CLI_TABLE(rows), data);
}

bperc_data_options cli_data_options(const cli_data *data) {
  return (bperc_data_options){.label = data->label,
                              .positive = data->positive,
                              .binarise = data->binarise,
                              .drop = data->drop,
                              .complement = (int)data->complement};
}

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
