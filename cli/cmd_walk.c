/* bperc walk: a random walk among solutions. */
#include "cli_solver.h"
#include "commands.h"

#include <string.h>

#define ROWS(X)                                                                \
  X(INT, sweeps, 10000, 10000, 0, 1e12, "of N tries each")                     \
  X(TEXT, weights_out, "FILE", "write the end of the walk there, one line")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(walk_option_rows, options, ROWS);

static options opt;
static bperc_walk_options walk_options;

static void setup_walk(cli *cx) {
  cli_group(cx, "walk", walk_option_rows(), &opt);
  cli_group(cx, "order", bperc_walk_option_table(), &walk_options);
  cli_group_instance(cx);
}

/* Sweeps until done or interrupted; counts moves. */
static int64_t sweep_walk(cli *cx, bperc_walk *walk, uint64_t *moves) {
  cli_progress progress;
  int64_t t;
  cli_progress_start(&progress, cx);
  for (t = 0; t < opt.sweeps && !bperc_cancelled(); t++) {
    char left[32];
    *moves += bperc_walk_sweep(walk);
    if (!cli_progress_due(&progress))
      continue;
    cli_duration((cli_now() - progress.started) * (double)(opt.sweeps - t - 1) /
                     (double)(t + 1),
                 left, sizeof left);
    cli_progress_show(&progress, "walk: %lld sweeps, %llu moves, %s left",
                      (long long)t + 1, (unsigned long long)*moves, left);
  }
  cli_progress_end(&progress);
  return t;
}

static size_t hamming(const uint64_t *x, const uint64_t *y, size_t words) {
  size_t sum = 0;
  for (size_t k = 0; k < words; k++)
    sum += (size_t)__builtin_popcountll(x[k] ^ y[k]);
  return sum;
}

static void answer_walk(const cli *cx, const bperc_instance *in,
                        const uint64_t *weights, int64_t sweeps, uint64_t moves,
                        size_t distance) {
  if (cx->common.json) {
    cli_json_print(json_pack(
        "{s:o, s:I, s:I, s:f, s:I, s:I, s:I, s:s, s:o, s:o}", "weights",
        cli_json_bits(weights, in->n), "moves", (json_int_t)moves, "distance",
        (json_int_t)distance, "distance_per_weight",
        (double)distance / (double)in->n, "sweeps", (json_int_t)sweeps, "n",
        (json_int_t)in->n, "m", (json_int_t)in->m, "ties",
        bperc_ties_name(in->ties), "seed", cli_json_seed(cx->seed), "options",
        cli_json_options(bperc_walk_option_table(), &walk_options)));
    return;
  }
  printf("%lld sweeps, %llu flips accepted, %zu of %zu weights differ from the "
         "start\n",
         (long long)sweeps, (unsigned long long)moves, distance, in->n);
  if (!opt.weights_out)
    cli_print_weights(stdout, in->n, weights, NULL);
}

/* The start is not a solution: a negative answer, printed as by check. */
static int not_a_solution(const cli *cx, size_t errors) {
  if (cx->common.json)
    cli_json_print(
        json_pack("{s:b, s:I}", "satisfied", 0, "errors", (json_int_t)errors));
  cli_warn("%s: a walk starts from a solution, and these weights miss %zu "
           "patterns",
           cx->arguments[1], errors);
  return CLI_NEGATIVE;
}

static int run_walk(cli *cx) {
  bperc_instance *in = NULL;
  uint64_t *start = NULL, moves = 0;
  bperc_walk *walk = NULL;
  bperc_error error;
  size_t errors;
  int64_t sweeps;
  int code = cli_read_instance(cx, 0, &in);
  if (code == CLI_DONE)
    code = cli_read_weights(cx, 1, in->n, &start);
  if (code != CLI_DONE)
    goto done;
  errors = bperc_verify(in, start, NULL).errors;
  if (errors) {
    code = not_a_solution(cx, errors);
    goto done;
  }
  if (bperc_walk_new(in, &walk_options, start, cx->seed, &walk, &error)) {
    code = cli_fail(&error);
    goto done;
  }
  sweeps = sweep_walk(cx, walk, &moves);
  if (opt.weights_out)
    code =
        cli_write_weights(opt.weights_out, in, bperc_walk_weights(walk), NULL);
  if (code == CLI_DONE)
    answer_walk(cx, in, bperc_walk_weights(walk), sweeps, moves,
                hamming(start, bperc_walk_weights(walk), in->words));
  if (code == CLI_DONE && bperc_cancelled())
    code = CLI_INTERRUPTED;
done:
  bperc_walk_free(walk);
  cli_free(start);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_walk = {
    .name = "walk",
    .arguments = "FILE WEIGHTS",
    .summary = "random walk among solutions",
    .text =
        "Starts from a solution; a try draws a weight and a value for it, and\n"
        "is accepted when the result is a solution. In the end all solutions\n"
        "of the cluster are equally likely. With --preset paper every sweep\n"
        "tries to flip each weight once, in random order: a weight that is\n"
        "free then flips in every sweep, and two sweeps undo each other.\n\n"
        "  bperc walk p.txt w.txt --sweeps 10000 --weights-out far.txt",
    .least = 2,
    .most = 2,
    .keys = cli_keys_walk,
    .common = "seed time_limit quiet",
    .setup = setup_walk,
    .run = run_walk,
};
