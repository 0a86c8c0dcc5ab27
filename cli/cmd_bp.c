/* bperc bp: belief propagation at its fixed point. */
#include "cli_bpd.h"
#include "commands.h"

#include <math.h>
#include <stdlib.h>

#define ROWS(X)                                                                \
  X(FLAG, all, 0, 0,                                                           \
    "print the marginals one by one; without it only up to 20 of them")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(bp_option_rows, options, ROWS);

enum { MOST_LISTED = 20 }; /* weights one by one without --all */

static options wish;
static bperc_bp_options opt;

static void setup_bp(cli *cx) {
  cli_group(cx, "bp", bp_option_rows(), &wish);
  cli_group_instance(cx);
  cli_group(cx, "belief propagation", bperc_bp_option_table(), &opt);
}

static const char *method_name(bperc_bp_method method) {
  static const char *const names[] = {"split", "damped", "none"};
  return names[method];
}

static void print_bp_json(const bperc_instance *in,
                          const bperc_bp_report *report, double entropy,
                          const double *p) {
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

static void print_summary(const bperc_instance *in, const double *p) {
  double least = 1, most = 0, sum = 0;
  size_t sure = 0;
  for (size_t i = 0; i < in->n; i++) {
    least = fmin(least, p[i]);
    most = fmax(most, p[i]);
    sum += p[i];
    sure += fmin(p[i], 1 - p[i]) < 0.01;
  }
  printf("P(w = 1) of %zu weights: mean %.6f, least %.6f, most %.6f; %zu are "
         "below 0.01 or above 0.99\n--all lists them, --json too\n",
         in->n, sum / (double)in->n, least, most, sure);
}

/* Share of inputs 1 above which the plain Bethe entropy is far too low. */
#define DENSE 0.2

static bool is_dense(const bperc_instance *in) {
  size_t ones = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    ones += bperc_instance_degree(in, mu);
  return in->inputs == BPERC_INPUTS_01 &&
         (double)ones > DENSE * (double)in->n * (double)in->m;
}

static void print_bp_text(const bperc_instance *in,
                          const bperc_bp_report *report, double entropy,
                          const double *p) {
  if (report->converged)
    printf("converged after %llu iterations (%s update), residual %.3g\n",
           (unsigned long long)report->iterations, method_name(report->method),
           report->residual);
  else
    printf("not converged after %llu iterations, residual %.3g%s\n",
           (unsigned long long)report->iterations, report->residual,
           report->stalled ? ", which does not fall any more" : "");
  printf("Bethe entropy per weight %.9g nats\n", entropy);
  if (!opt.centred && is_dense(in))
    printf("too low for 0/1 inputs as dense as these; --centred corrects the "
           "entropy\n");
  if (!wish.all && in->n > MOST_LISTED) {
    print_summary(in, p);
    return;
  }
  printf("\nweight  P(w = 1)\n");
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

static bperc_status converge(const cli *cx, bperc_bp *bp,
                             bperc_bp_report *report) {
  cli_progress line;
  cli_progress_start_call(&line, cx, cli_bp_progress, bp);
  bperc_status status = bperc_bp_converge(bp, report);
  cli_progress_end(&line);
  return status;
}

/* After an interrupt the last messages are the answer. */
static int answer_bp(cli *cx, const bperc_instance *in, bperc_bp *bp) {
  bperc_bp_report report;
  double *p;
  if (bperc_bp_violated(bp) < in->m)
    return contradiction(cx, in, bperc_bp_violated(bp));
  bperc_status status = converge(cx, bp, &report);
  if (status != BPERC_OK && report.iterations == 0) {
    cli_warn("interrupted before the first iteration: nothing is known");
    return CLI_INTERRUPTED;
  }
  p = bperc_calloc(in->n, sizeof *p);
  if (!p)
    return cli_no_memory();
  bperc_bp_marginals(bp, p);
  opt = bperc_bp_options_used(bp);
  (cx->common.json ? print_bp_json : print_bp_text)(in, &report,
                                                    bperc_bp_entropy(bp), p);
  bperc_free(p);
  if (!report.converged)
    cli_bp_hint(cx, in, status == BPERC_OK ? CLI_BP_FAILS : CLI_BP_CREEPS);
  if (status != BPERC_OK)
    return CLI_INTERRUPTED;
  return report.converged ? CLI_DONE : CLI_NEGATIVE;
}

static int run_bp(cli *cx) {
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
    code = answer_bp(cx, in, bp);
  bperc_bp_free(bp);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_bp = {
    .name = "bp",
    .arguments = "FILE",
    .summary = "belief propagation: marginals and Bethe entropy",
    .text =
        "Iterates belief propagation to its fixed point and prints the Bethe\n"
        "entropy per weight and the probabilities of weights to be 1, for\n"
        "many weights a summary of them.\n"
        "Exit status 1 when it does not converge.\n\n"
        "  bperc bp p.txt --all\n"
        "  bperc bp p.txt --preset paper --json",
    .least = 1,
    .most = 1,
    .keys = cli_keys_bp,
    .common = "seed threads time_limit",
    .setup = setup_bp,
    .run = run_bp,
};
