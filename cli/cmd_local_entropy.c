/* bperc local-entropy: entropy of the solutions near given weights. */
#include "commands.h"

#include <math.h>
#include <stdlib.h>

static bperc_local_options opt;
static bperc_bp_options bp;

static void setup(cli *cx) {
  cli_group(cx, "local entropy", bperc_local_option_table(), &opt);
  cli_group(cx, "belief propagation", bperc_bp_option_table(), &bp);
  cli_group_instance(cx);
}

static void print_json(const bperc_instance *in,
                       const bperc_local_point *points, double one_flip,
                       size_t errors) {
  json_t *list = json_array();
  for (int64_t k = 0; k < opt.points; k++)
    json_array_append_new(
        list, json_pack("{s:f, s:o, s:o, s:o, s:b, s:I}", "x", points[k].x,
                        "distance", cli_json_real(points[k].distance),
                        "entropy", cli_json_real(points[k].entropy), "count",
                        cli_json_real(points[k].count), "converged",
                        points[k].converged, "iterations",
                        (json_int_t)points[k].iterations));
  cli_json_print(json_pack("{s:o, s:o, s:I, s:I, s:I, s:s}", "points", list,
                           "one_flip", cli_json_real(one_flip), "errors",
                           (json_int_t)errors, "n", (json_int_t)in->n, "m",
                           (json_int_t)in->m, "ties",
                           bperc_ties_name(in->ties)));
}

static void print_text(const bperc_local_point *points, double one_flip,
                       size_t errors) {
  if (isfinite(one_flip))
    printf("solutions at distance 1: %.6g\n\n", one_flip);
  else if (errors)
    printf("solutions at distance 1: counted around a solution only\n\n");
  else
    printf("solutions at distance 1: only --factor exact can tell\n\n");
  printf("%8s %12s %12s %12s\n", "x", "distance/N", "entropy/N", "count/N");
  for (int64_t k = 0; k < opt.points; k++)
    printf("%8.4f %12.8f %12.8f %12.8f%s\n", points[k].x, points[k].distance,
           points[k].entropy, points[k].count,
           points[k].converged ? "" : "  not converged");
}

static int answer(cli *cx, const bperc_instance *in, const uint64_t *weights) {
  bperc_local_point *points = calloc((size_t)opt.points, sizeof *points);
  bperc_error error;
  double one_flip;
  size_t errors = bperc_verify(in, weights, NULL).errors;
  int code = CLI_DONE;
  if (!points)
    return cli_no_memory();
  if (errors)
    cli_warn("the weights miss %zu of %zu patterns: distances are from a point "
             "that is no solution",
             errors, in->m);
  if (bperc_local_entropy(in, weights, &opt, &bp, cx->seed,
                          (unsigned)cx->common.threads, points, &one_flip,
                          &error))
    code = cli_fail(&error);
  else if (cx->common.json)
    print_json(in, points, one_flip, errors);
  else
    print_text(points, one_flip, errors);
  free(points);
  return code;
}

static int run(cli *cx) {
  bperc_instance *in = NULL;
  uint64_t *weights = NULL;
  int code = cli_read_instance(cx, 0, &in);
  if (code == CLI_DONE)
    code = cli_read_weights(cx, 1, in->n, &weights);
  if (code == CLI_DONE)
    code = answer(cx, in, weights);
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
    .setup = setup,
    .run = run,
};
