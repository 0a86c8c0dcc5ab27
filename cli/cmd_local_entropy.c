/* bperc local-entropy: entropy of the solutions near given weights. */
#include "cli_bpd.h"
#include "commands.h"

#include <math.h>
#include <stdlib.h>

static bperc_local_options opt;
static bperc_bp_options bp;

static void setup_local_entropy(cli *cx) {
  cli_group(cx, "local entropy", bperc_local_option_table(), &opt);
  cli_group(cx, "belief propagation", bperc_bp_option_table(), &bp);
  cli_group_instance(cx);
}

/* Points that are known: all, or those before an interrupt. */
static size_t known(const bperc_local_point *points) {
  size_t k = 0;
  while (k < (size_t)opt.points && !isnan(points[k].x))
    k++;
  return k;
}

static bool all_converged(const bperc_local_point *points) {
  for (size_t k = 0; k < known(points); k++)
    if (!points[k].converged)
      return false;
  return true;
}

static bool any_contradiction(const bperc_local_point *points) {
  for (size_t k = 0; k < known(points); k++)
    if (points[k].contradiction)
      return true;
  return false;
}

static const char *local_outcome_name(const bperc_local_point *points) {
  if (any_contradiction(points))
    return "contradiction";
  return known(points) == (size_t)opt.points && all_converged(points)
             ? "converged"
             : "unconverged";
}

static void print_local_entropy_json(const bperc_instance *in,
                                     const bperc_local_point *points,
                                     double one_flip, size_t errors) {
  json_t *list = json_array();
  for (size_t k = 0; k < known(points); k++)
    json_array_append_new(
        list, json_pack("{s:f, s:o, s:o, s:o, s:b, s:I}", "x", points[k].x,
                        "distance", cli_json_real(points[k].distance),
                        "entropy", cli_json_real(points[k].entropy), "count",
                        cli_json_real(points[k].count), "converged",
                        points[k].converged, "iterations",
                        (json_int_t)points[k].iterations));
  cli_json_print(json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:s}", "outcome",
                           local_outcome_name(points), "points", list,
                           "one_flip", cli_json_real(one_flip), "errors",
                           (json_int_t)errors, "n", (json_int_t)in->n, "m",
                           (json_int_t)in->m, "ties",
                           bperc_ties_name(in->ties)));
}

static void print_local_entropy_text(const bperc_local_point *points,
                                     double one_flip) {
  if (isfinite(one_flip))
    printf("solutions at distance 1: %.6g\n\n", one_flip);
  else
    printf("solutions at distance 1: counted around a solution only\n\n");
  printf("%8s %12s %12s %12s\n", "x", "distance/N", "entropy/N", "count/N");
  for (size_t k = 0; k < known(points); k++)
    printf("%8.4f %12.8f %12.8f %12.8f%s\n", points[k].x, points[k].distance,
           points[k].entropy, points[k].count,
           points[k].converged ? "" : "  not converged");
}

static void show_points(cli_progress *line, void *context) {
  double spent = cli_now() - line->started;
  size_t done = known(context);
  if (done)
    cli_progress_show(line,
                      "local entropy: %zu of %zu couplings, %.0f s so far",
                      done, (size_t)opt.points, spent);
  else
    cli_progress_show(line, "local entropy: the first coupling, %.0f s so far",
                      spent);
}

static bperc_status measure_ladder(const cli *cx, const bperc_instance *in,
                                   const uint64_t *weights,
                                   bperc_local_point *points, double *one_flip,
                                   bperc_error *error) {
  cli_progress line;
  *one_flip = NAN;
  for (int64_t k = 0; k < opt.points; k++)
    points[k].x = NAN;
  cli_progress_start_call(&line, cx, show_points, points);
  bperc_status status = bperc_local_entropy(
      in, weights, &opt,
      &(bperc_local_run){.bp = &bp,
                         .seed = cx->seed,
                         .threads = (unsigned)cx->common.threads,
                         .one_flip = one_flip},
      points, error);
  cli_progress_end(&line);
  return status;
}

/* After an interrupt the points known so far are the answer. */
static int keep_points(const cli *cx, size_t kept) {
  if (kept)
    cli_warn("interrupted: the answer has the first %zu of %zu couplings", kept,
             (size_t)opt.points);
  else
    cli_warn("interrupted before the first coupling: nothing is known");
  cli_bp_hint(cx, CLI_BP_CREEPS);
  return CLI_INTERRUPTED;
}

static int say_local_contradiction(void) {
  cli_warn("contradiction: no weights satisfy all patterns, or messages force "
           "weights to be both 0 and 1");
  return CLI_NEGATIVE;
}

static int answer_local_entropy(cli *cx, const bperc_instance *in,
                                const uint64_t *weights) {
  bperc_local_point *points = bperc_calloc((size_t)opt.points, sizeof *points);
  bperc_error error;
  bperc_status status;
  double one_flip;
  size_t errors = bperc_verify(in, weights, NULL).errors;
  int code = CLI_DONE;
  if (!points)
    return cli_no_memory();
  if (errors)
    cli_warn("the weights miss %zu of %zu patterns: distances are from a point "
             "that is no solution",
             errors, in->m);
  status = measure_ladder(cx, in, weights, points, &one_flip, &error);
  if (status != BPERC_OK && status != BPERC_E_INTERRUPTED)
    code = cli_fail(&error);
  else if (status == BPERC_OK || known(points)) {
    if (cx->common.json)
      print_local_entropy_json(in, points, one_flip, errors);
    else
      print_local_entropy_text(points, one_flip);
  }
  if (status == BPERC_E_INTERRUPTED)
    code = keep_points(cx, known(points));
  else if (code == CLI_DONE && any_contradiction(points))
    code = say_local_contradiction();
  else if (code == CLI_DONE && !all_converged(points))
    cli_bp_hint(cx, CLI_BP_FAILS);
  bperc_free(points);
  return code;
}

static int run_local_entropy(cli *cx) {
  bperc_instance *in = NULL;
  uint64_t *weights = NULL;
  int code = cli_read_instance(cx, 0, &in);
  if (code == CLI_DONE)
    code = cli_read_weights(cx, 1, in->n, &weights);
  if (code == CLI_DONE)
    code = answer_local_entropy(cx, in, weights);
  cli_free(weights);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_local_entropy = {
    .name = "local-entropy",
    .arguments = "FILE WEIGHTS",
    .summary = "entropy of the solutions near given weights",
    .text =
        "Weights the solutions with exp(x distance) and runs belief\n"
        "propagation along a ladder of x: mean distance and entropy of the\n"
        "solutions there, per weight. `count` estimates the solutions at that\n"
        "whole distance.\n\n"
        "  bperc local-entropy p.txt w.txt --x-from -7 --points 29",
    .least = 2,
    .most = 2,
    .keys = cli_keys_local_entropy,
    .common = "seed threads time_limit",
    .setup = setup_local_entropy,
    .run = run_local_entropy,
};
