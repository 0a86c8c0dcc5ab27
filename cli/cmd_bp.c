/* bperc bp: belief propagation at its fixed point. */
#include "commands.h"

#include <stdlib.h>

static bperc_bp_options opt;

static void setup(cli *cx) {
  cli_group_instance(cx);
  cli_group(cx, "belief propagation", bperc_bp_option_table(), &opt);
}

static const char *method_name(bperc_bp_method method) {
  static const char *const names[] = {"split", "damped", "none"};
  return names[method];
}

static void print_json(const bperc_instance *in, const bperc_bp_report *report,
                       double entropy, const double *p) {
  json_t *list = json_array();
  for (size_t i = 0; i < in->n; i++)
    json_array_append_new(list, cli_json_real(p[i]));
  cli_json_print(json_pack(
      "{s:b, s:b, s:I, s:o, s:o, s:o, s:s, s:I, s:I, s:s, s:o}", "converged",
      report->converged, "stalled", report->stalled && !report->converged,
      "iterations", (json_int_t)report->iterations, "entropy",
      cli_json_real(entropy), "residual", cli_json_real(report->residual),
      "marginals", list, "method", method_name(report->method), "n",
      (json_int_t)in->n, "m", (json_int_t)in->m, "ties",
      bperc_ties_name(in->ties), "options",
      cli_json_options(bperc_bp_option_table(), &opt)));
}

static void print_text(const bperc_instance *in, const bperc_bp_report *report,
                       double entropy, const double *p) {
  if (report->converged)
    printf("converged after %llu iterations (%s update), residual %.3g\n",
           (unsigned long long)report->iterations, method_name(report->method),
           report->residual);
  else
    printf("not converged after %llu iterations, residual %.3g%s\n",
           (unsigned long long)report->iterations, report->residual,
           report->stalled ? ", which does not fall any more" : "");
  printf("Bethe entropy per weight %.9g nats\n\nweight  P(w = 1)\n", entropy);
  for (size_t i = 0; i < in->n; i++)
    printf("%6zu  %.9f\n", i, p[i]);
}

static int contradiction(const cli *cx, const bperc_instance *in, size_t mu) {
  if (cx->common.json)
    cli_json_print(json_pack(
        "{s:b, s:I, s:n, s:[], s:s, s:I, s:s}", "converged", 0, "iterations",
        (json_int_t)0, "entropy", "marginals", "outcome", "contradiction",
        "violated", (json_int_t)mu, "ties", bperc_ties_name(in->ties)));
  else
    printf("contradiction: pattern %zu cannot hold\n", mu);
  return CLI_NEGATIVE;
}

static int answer(cli *cx, const bperc_instance *in, bperc_bp *bp) {
  bperc_bp_report report;
  double *p;
  if (bperc_bp_violated(bp) < in->m)
    return contradiction(cx, in, bperc_bp_violated(bp));
  if (bperc_bp_converge(bp, &report))
    return CLI_INTERRUPTED;
  p = calloc(in->n, sizeof *p);
  if (!p)
    return cli_no_memory();
  bperc_bp_marginals(bp, p);
  (cx->common.json ? print_json : print_text)(in, &report, bperc_bp_entropy(bp),
                                              p);
  free(p);
  if (!report.converged)
    cli_warn(
        "belief propagation has no fixed point that it finds here, as on "
        "correlated inputs or near capacity; try --damping 0.01, "
        "--update damped or --centred; weights alone: solve --solver sbpi");
  return report.converged ? CLI_DONE : CLI_NEGATIVE;
}

static int run(cli *cx) {
  bperc_instance *in = NULL;
  bperc_bp *bp = NULL;
  bperc_error error;
  int code = cli_read_instance(cx, 0, &in);
  if (code != CLI_DONE)
    return code;
  if (bperc_bp_new(in, &opt, cx->seed, (unsigned)cx->common.threads, &bp,
                   &error))
    code = cli_fail(&error);
  else
    code = answer(cx, in, bp);
  bperc_bp_free(bp);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_bp = {
    .name = "bp",
    .arguments = "FILE",
    .summary = "belief propagation: marginals and Bethe entropy",
    .text = "Iterates belief propagation to its fixed point and prints the\n"
            "probability of every weight to be 1 and the Bethe entropy per "
            "weight.\n"
            "Exit status 1 when it does not converge.\n\n"
            "  bperc bp p.txt\n"
            "  bperc bp p.txt --preset paper --json",
    .least = 1,
    .most = 1,
    .keys = cli_keys_bp,
    .common = "seed threads time_limit",
    .setup = setup,
    .run = run,
};
