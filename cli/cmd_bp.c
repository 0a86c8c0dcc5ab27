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

/* What is known at the end. */
typedef struct {
  const bperc_instance *in;
  bperc_bp_report report;
  bperc_bp_judgement judged;
  double *p;
  bool centred_helps;
} bp_answer;

static void print_bp_json(const bp_answer *t) {
  const bperc_bp_report *r = &t->report;
  json_t *list = json_array(), *violated = json_null();
  for (size_t i = 0; i < t->in->n; i++)
    json_array_append_new(list, cli_json_real(t->p[i]));
  if (t->judged.violated < t->in->m)
    violated = json_integer((json_int_t)t->judged.violated);
  cli_json_print(json_pack(
      "{s:s, s:b, s:b, s:I, s:o, s:o, s:o, s:o, s:s, s:o, s:I, s:I, s:s, s:o}",
      "outcome", bperc_bp_outcome_name(t->judged.outcome), "converged",
      r->converged, "stalled", r->stalled && !r->converged, "iterations",
      (json_int_t)r->iterations, "entropy", cli_json_real(t->judged.entropy),
      "entropy_error", cli_json_real(t->judged.error), "residual",
      cli_json_real(r->residual), "marginals", list, "method",
      method_name(r->method), "violated", violated, "n", (json_int_t)t->in->n,
      "m", (json_int_t)t->in->m, "ties", bperc_ties_name(t->in->ties),
      "options", cli_json_options(bperc_bp_option_table(), &opt)));
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

static void print_bp_convergence(const bperc_bp_report *r) {
  if (r->converged)
    printf("converged after %llu iterations (%s update), residual %.3g\n",
           (unsigned long long)r->iterations, method_name(r->method),
           r->residual);
  else
    printf("not converged after %llu iterations, residual %.3g%s\n",
           (unsigned long long)r->iterations, r->residual,
           r->stalled ? ", which does not fall any more" : "");
}

static void print_bp_entropy(const bp_answer *t) {
  if (isnan(t->judged.entropy)) {
    printf("no entropy: %s\n",
           opt.centred ? "centred messages mean nothing where the sums over "
                         "inputs 0 hardly vary; `enumerate` counts"
                       : "the Bethe entropy is below 0 or above log 2, where "
                         "no number of solutions is");
    return;
  }
  printf("Bethe entropy per weight %.9g nats", t->judged.entropy);
  if (t->judged.error > 0)
    printf(", within about %.2g", t->judged.error);
  printf(isfinite(t->judged.error) && t->judged.error <= 0
             ? " (exact: the patterns form a tree)\n"
             : "\n");
  if (t->centred_helps)
    printf("too low for 0/1 inputs as dense as these; --centred corrects the "
           "entropy\n");
}

static void print_bp_text(const bp_answer *t) {
  print_bp_convergence(&t->report);
  print_bp_entropy(t);
  if (!wish.all && t->in->n > MOST_LISTED) {
    print_summary(t->in, t->p);
    return;
  }
  printf("\nweight  P(w = 1)\n");
  for (size_t i = 0; i < t->in->n; i++)
    printf("%6zu  %.9f\n", i, t->p[i]);
}

/* mu: a pattern that cannot hold, m when the messages alone say so. */
static int say_bp_contradiction(const cli *cx, const bperc_instance *in,
                                size_t mu) {
  json_t *violated = mu < in->m ? json_integer((json_int_t)mu) : json_null();
  if (cx->common.json)
    cli_json_print(json_pack("{s:b, s:I, s:n, s:n, s:[], s:s, s:o, s:s}",
                             "converged", 0, "iterations", (json_int_t)0,
                             "entropy", "entropy_error", "marginals", "outcome",
                             "contradiction", "violated", violated, "ties",
                             bperc_ties_name(in->ties)));
  else {
    json_decref(violated);
    if (mu < in->m)
      printf("contradiction: pattern %zu cannot hold\n", mu);
    else
      printf("contradiction: messages force weights to be both 0 and 1\n");
  }
  return CLI_NEGATIVE;
}

static bperc_status converge_bp(const cli *cx, bperc_bp *bp,
                                bperc_bp_report *report) {
  cli_progress line;
  cli_progress_start_call(&line, cx, cli_bp_progress, bp);
  bperc_status status = bperc_bp_converge(bp, report);
  cli_progress_end(&line);
  return status;
}

static int say_bp_messages(const cli *cx, const bp_answer *t,
                           bperc_status status) {
  (cx->common.json ? print_bp_json : print_bp_text)(t);
  if (!t->report.converged)
    cli_bp_hint(cx, status == BPERC_OK ? CLI_BP_FAILS : CLI_BP_CREEPS);
  if (status != BPERC_OK)
    return CLI_INTERRUPTED;
  return t->judged.outcome == BPERC_BP_CONVERGED ? CLI_DONE : CLI_NEGATIVE;
}

/* After an interrupt the last messages are the answer. */
static int answer_bp(cli *cx, const bperc_instance *in, bperc_bp *bp) {
  bp_answer t = {.in = in};
  if (bperc_bp_contradiction(bp) < in->m)
    return say_bp_contradiction(cx, in, bperc_bp_violated(bp));
  bperc_status status = converge_bp(cx, bp, &t.report);
  if (status != BPERC_OK && t.report.iterations == 0) {
    cli_warn("interrupted before the first iteration: nothing is known");
    return CLI_INTERRUPTED;
  }
  t.p = bperc_calloc(in->n, sizeof *t.p);
  if (!t.p)
    return cli_no_memory();
  bperc_bp_marginals(bp, t.p);
  opt = bperc_bp_options_used(bp);
  t.judged = bperc_bp_judge(bp, &t.report);
  t.centred_helps = t.report.converged && bperc_bp_centred_helps(bp);
  int code = t.judged.outcome == BPERC_BP_CONTRADICTION
                 ? say_bp_contradiction(cx, in, t.judged.violated)
                 : say_bp_messages(cx, &t, status);
  bperc_free(t.p);
  return code;
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
        "Exit status 1 when it does not converge, on a contradiction, and "
        "when\n"
        "the entropy is not one that a number of solutions can have.\n\n"
        "  bperc bp p.txt --all\n"
        "  bperc bp p.txt --preset paper --json",
    .least = 1,
    .most = 1,
    .keys = cli_keys_bp,
    .common = "seed threads time_limit",
    .setup = setup_bp,
    .run = run_bp,
};
