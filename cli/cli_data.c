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
