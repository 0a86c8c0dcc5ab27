/* bperc enumerate: the exact solution space. */
#include "cli_solver.h"
#include "cli_space.h"
#include "commands.h"
#include "fixing.h"
#include "search_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bperc_exact_options search;
static cli_fixing_options fixing;

static cli_space_wishes wish;

static BPERC_OPTIONS_DEFINE(space_rows, cli_space_wishes, CLI_SPACE_ROWS);

static void setup_enumerate(cli *cx) {
  cli_group(cx, "enumerate", space_rows(), &wish);
  cli_group(cx, "search", bperc_exact_option_table(), &search);
  cli_group_fixing(cx, &fixing);
  cli_group_instance(cx);
}

/* As a number; null where a double could not hold it. */
static json_t *json_count(bperc_count count) {
  bool small = !count.word[2] && !count.word[1] && count.word[0] >> 53 == 0;
  return small ? json_integer((json_int_t)count.word[0]) : json_null();
}

static json_t *json_head(const bperc_instance *in, bperc_count count,
                         bool complete, size_t unfixed) {
  char text[BPERC_COUNT_TEXT];
  double log_count = bperc_count_log(count);
  return json_pack("{s:s, s:o, s:b, s:o, s:o, s:I, s:I, s:I, s:s}", "count",
                   bperc_count_text(count, text), "count_number",
                   json_count(count), "complete", complete, "log_count",
                   cli_json_real(log_count), "entropy",
                   cli_json_real(unfixed ? log_count / (double)unfixed : NAN),
                   "n", (json_int_t)in->n, "m", (json_int_t)in->m, "unfixed",
                   (json_int_t)unfixed, "ties", bperc_ties_name(in->ties));
}

static void print_space_head(bperc_count count, bool complete, size_t unfixed) {
  char text[BPERC_COUNT_TEXT];
  double log_count = bperc_count_log(count);
  printf("solutions          %s%s\n", bperc_count_text(count, text),
         complete ? "" : " or more (limit reached)");
  if (isfinite(log_count) && unfixed)
    printf("entropy            %.6f nats per unfixed weight (%zu of them)\n",
           log_count / (double)unfixed, unfixed);
}

/* ---- the two ways to run */

static size_t count_unfixed(const int8_t *fixed, size_t n) {
  size_t unfixed = 0;
  for (size_t i = 0; i < n; i++)
    unfixed += fixed[i] < 0;
  return unfixed;
}

static int run_count(cli *cx, const bperc_instance *in, const int8_t *fixed) {
  cli_search_progress progress;
  bperc_exact_answer answer;
  bperc_error error;
  double start = cli_now();
  size_t unfixed = count_unfixed(fixed, in->n);
  cli_search_progress_start(&progress, cx);
  bperc_status status = bperc_exact_count(
      in, &search,
      &(bperc_space_options){.fixed = fixed,
                             .threads = (unsigned)cx->common.threads,
                             .watch = &progress.watch},
      &answer, &error);
  cli_search_progress_end(&progress);
  if (status != BPERC_OK)
    return cli_fail(&error);
  if (cx->common.json) {
    json_t *root = json_head(in, answer.count, answer.complete, unfixed);
    json_object_set_new(root, "nodes", json_integer((json_int_t)answer.nodes));
    json_object_set_new(root, "seconds", json_real(cli_now() - start));
    cli_json_print(root);
  } else {
    print_space_head(answer.count, answer.complete, unfixed);
  }
  return answer.complete ? CLI_DONE : CLI_NEGATIVE;
}

static int measure_around(cli_space *x) {
  uint64_t *weights;
  bperc_error error;
  if (!wish.around)
    return CLI_DONE;
  if (bperc_weights_read(wish.around, x->in->n, &weights, &error))
    return cli_fail_input(&error);
  x->around = bperc_calloc(x->in->n + 1, sizeof *x->around);
  if (x->around)
    bperc_solutions_around(x->s, weights, x->in->n, x->around);
  cli_free(weights);
  return x->around ? CLI_DONE : cli_no_memory();
}

static int say_space(cli *cx, cli_space *x, double start) {
  bperc_error error;
  bperc_count count = bperc_count_from(x->s->count);
  if (cli_space_measure(x, &search, (unsigned)cx->common.threads, &error))
    return cli_fail(&error);
  int code = measure_around(x);
  if (code == CLI_DONE && wish.list &&
      bperc_solutions_write(x->s, x->c, wish.list, &error))
    code = cli_fail(&error);
  if (code != CLI_DONE)
    return code;
  if (cx->common.json) {
    json_t *root = json_head(x->in, count, x->s->complete, x->s->unfixed);
    cli_space_json(root, x);
    json_object_set_new(root, "seconds", json_real(cli_now() - start));
    cli_json_print(root);
  } else {
    print_space_head(count, x->s->complete, x->s->unfixed);
    cli_space_print(x);
  }
  return CLI_DONE;
}

static int run_list(cli *cx, const bperc_instance *in, const int8_t *fixed) {
  cli_search_progress progress;
  bperc_solutions *s;
  bperc_error error;
  double start = cli_now();
  cli_search_progress_start(&progress, cx);
  bperc_status status = bperc_exact_list(
      in, &search,
      &(bperc_space_options){.fixed = fixed,
                             .threads = (unsigned)cx->common.threads,
                             .watch = &progress.watch},
      &s, &error);
  cli_search_progress_end(&progress);
  if (status != BPERC_OK)
    return cli_fail(&error);
  if (!s->complete)
    cli_warn("a limit was reached: everything below is about the first %zu "
             "solutions that the search meets",
             s->count);
  cli_space x = {
      .in = in, .wish = &wish, .s = s, .partial = s->columns < in->n};
  int code = say_space(cx, &x, start);
  if (code == CLI_DONE && !s->complete)
    code = CLI_NEGATIVE;
  cli_space_clear(&x);
  bperc_solutions_free(s);
  return code;
}

/* ---- samples */

static json_t *json_samples(const bperc_instance *in, const uint64_t *weights,
                            size_t count) {
  json_t *list = json_array();
  for (size_t k = 0; k < count; k++)
    json_array_append_new(list, cli_json_bits(weights + k * in->words, in->n));
  return list;
}

/* The share of samples with each weight at 1. */
static json_t *json_sample_marginals(const bperc_instance *in,
                                     const uint64_t *weights, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < in->n && count > 0; i++) {
    size_t ones = 0;
    for (size_t k = 0; k < count; k++)
      ones += weights[k * in->words + i / 64] >> i % 64 & 1;
    json_array_append_new(list, json_real((double)ones / (double)count));
  }
  return list;
}

static void say_samples(cli *cx, const bperc_instance *in,
                        const bperc_exact_answer *answer, size_t unfixed,
                        const uint64_t *weights, double start) {
  size_t count = bperc_count_real(answer->count) > 0 ? (size_t)wish.sample : 0;
  if (cx->common.json) {
    json_t *root = json_head(in, answer->count, true, unfixed);
    json_object_set_new(root, "samples", json_samples(in, weights, count));
    json_object_set_new(root, "sample_marginals",
                        json_sample_marginals(in, weights, count));
    json_object_set_new(root, "seconds", json_real(cli_now() - start));
    cli_json_print(root);
    return;
  }
  print_space_head(answer->count, true, unfixed);
  for (size_t k = 0; k < count; k++)
    cli_print_weights(stdout, in->n, weights + k * in->words, NULL);
}

static int run_sample(cli *cx, const bperc_instance *in, const int8_t *fixed) {
  cli_search_progress progress;
  bperc_exact_answer answer;
  bperc_error error;
  double start = cli_now();
  uint64_t *weights =
      bperc_calloc((size_t)wish.sample * in->words, sizeof *weights);
  if (!weights)
    return cli_no_memory();
  cli_search_progress_start(&progress, cx);
  bperc_status status = bperc_exact_sample(
      in,
      &(bperc_space_options){.fixed = fixed,
                             .seed = cx->seed,
                             .threads = (unsigned)cx->common.threads,
                             .watch = &progress.watch},
      (size_t)wish.sample, weights, &answer, &error);
  cli_search_progress_end(&progress);
  if (status == BPERC_OK)
    say_samples(cx, in, &answer, count_unfixed(fixed, in->n), weights, start);
  bperc_free(weights);
  return status == BPERC_OK ? CLI_DONE : cli_fail(&error);
}

static int run_enumerate(cli *cx) {
  bperc_instance *in = NULL;
  int8_t *fixed = NULL;
  int code = cli_read_instance(cx, 0, &in);
  if (code == CLI_DONE)
    code = cli_read_fixing(&fixing, in->n, &fixed);
  if (code == CLI_DONE)
    code = wish.sample       ? run_sample(cx, in, fixed)
           : wish.count_only ? run_count(cx, in, fixed)
                             : run_list(cx, in, fixed);
  bperc_free(fixed);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_enumerate = {
    .name = "enumerate",
    .arguments = "FILE",
    .summary = "the exact solution space: count, list, clusters, distances",
    .text =
        "Finds every solution by a search that prunes; at most 128 weights\n"
        "may be left unfixed. Counting alone goes further than listing.\n"
        "Local entropies are computed up to 100000 solutions, correlations up\n"
        "to ten million. With weights fixed, local entropies and k index are\n"
        "still those of the full space, which is listed up to 40 weights and "
        "a\n"
        "million solutions. Beyond they are null unless --full asks for them.\n"
        "--sample draws solutions of spaces that are too large to list: keys\n"
        "`samples` (bits of all weights) and `sample_marginals`.\n"
        "A limit is answered with what was found, `complete: false` and exit\n"
        "status 1.\n\n"
        "  bperc enumerate p.txt --json\n"
        "  bperc enumerate p.txt --count-only\n"
        "  bperc enumerate p.txt --sample 1000 --seed 7 --json\n"
        "  bperc enumerate p.txt --fix 0=1,4=0 --pairs --list s.h5\n"
        "  bperc decimate p.txt --marginals bp --json > d.json\n"
        "  bperc enumerate p.txt --order d.json --fixed 60",
    .least = 1,
    .most = 1,
    .keys = cli_keys_enumerate,
    .common = "seed threads time_limit quiet",
    .setup = setup_enumerate,
    .run = run_enumerate,
};
