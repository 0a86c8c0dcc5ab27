/* bperc check: verify weights by plain sums. */
#include "commands.h"

#include <stdlib.h>

static void setup(cli *cx) { cli_group_instance(cx); }

static void print_json(const bperc_instance *in, bperc_verdict verdict,
                       const size_t *violated) {
  json_t *list = json_array();
  for (size_t k = 0; k < verdict.errors; k++)
    json_array_append_new(list, json_integer((json_int_t)violated[k]));
  cli_json_print(json_pack(
      "{s:b, s:I, s:o, s:I, s:I, s:I, s:s}", "satisfied", verdict.errors == 0,
      "errors", (json_int_t)verdict.errors, "violated", list, "min_margin",
      (json_int_t)verdict.min_margin, "n", (json_int_t)in->n, "m",
      (json_int_t)in->m, "ties", bperc_ties_name(in->ties)));
}

static void print_text(const bperc_instance *in, bperc_verdict verdict,
                       const size_t *violated) {
  if (verdict.errors == 0)
    printf("satisfied: all %zu patterns hold, smallest margin %lld\n", in->m,
           (long long)verdict.min_margin);
  else
    printf("not satisfied: %zu of %zu patterns violated, worst by %lld:",
           verdict.errors, in->m, -(long long)verdict.min_margin);
  for (size_t k = 0; k < verdict.errors && k < 20; k++)
    printf(" %zu", violated[k]);
  if (verdict.errors)
    printf(verdict.errors > 20 ? " ...\n" : "\n");
}

static int run(cli *cx) {
  bperc_instance *in = NULL;
  int32_t *weights = NULL;
  size_t *violated = NULL;
  bperc_verdict verdict;
  int code = cli_read_instance(cx, 0, &in);
  if (code == CLI_DONE)
    code = cli_read_integers(cx, 1, in->n, &weights);
  if (code != CLI_DONE)
    goto done;
  violated = calloc(in->m + 1, sizeof *violated);
  if (!violated) {
    code = cli_no_memory();
    goto done;
  }
  verdict = bperc_verify_integers(in, weights, violated);
  (cx->common.json ? print_json : print_text)(in, verdict, violated);
  code = verdict.errors ? CLI_NEGATIVE : CLI_DONE;
done:
  free(violated);
  cli_free(weights);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_check = {
    .name = "check",
    .arguments = "FILE WEIGHTS",
    .summary = "verify weights by plain sums",
    .text =
        "Sums every pattern bit by bit and says which ones the weights miss.\n"
        "WEIGHTS is a file with one line of N characters 0/1, or of N whole\n"
        "numbers separated by blanks (the unbounded model). The verifier\n"
        "shares no code with any solver; \"-\" is standard input.\n\n"
        "  bperc check p.txt w.txt",
    .least = 2,
    .most = 2,
    .setup = setup,
    .run = run,
};
