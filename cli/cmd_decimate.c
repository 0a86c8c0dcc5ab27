/* bperc decimate: fix the most polarised weight, again and again. */
#include "cli_bpd.h"
#include "commands.h"
#include "fixing.h"
#include "search_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(X)                                                                \
  X(CHOICE, marginals, 0, 0, "bp|exact", "where the marginals come from")      \
  X(CHOICE, order, 0, 0, "polarised|random",                                   \
    "the most polarised weight at its likelier value, or any weight at "       \
    "a value drawn by its marginal (uniform decimation)")                      \
  X(FLAG, measure, 0, 0,                                                       \
    "exact measures at every step, whatever the marginals")                    \
  X(TEXT, along, "FILE",                                                       \
    "exact measures along this order instead: an answer of this "              \
    "command, or lines `weight value`")                                        \
  X(INT, from, 0, 0, 0, 1e10,                                                  \
    "measure only from so many fixed weights on, for spaces too large "        \
    "to list (no k index and local entropy then)")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(decimate_option_rows, options, ROWS);

enum { MARGINALS_BP, MARGINALS_EXACT };
enum { ORDER_POLARISED, ORDER_RANDOM };

static options opt;
static bperc_exact_options search;
static bperc_bpd_options bpd;

static void setup_decimate(cli *cx) {
  cli_group(cx, "decimate", decimate_option_rows(), &opt);
  cli_group(cx, "marginals bp", bperc_bpd_class.options(), &bpd);
  cli_group(cx, "search", bperc_exact_option_table(), &search);
  cli_group_instance(cx);
}

/* What is known at the end. */
typedef struct {
  const bperc_instance *in;
  bperc_solutions *list; /* of the space at `from` fixed weights */
  bperc_order order;
  bool told; /* log_count of the order is of its source, not of a file */
  size_t from;
  bperc_exact_step *steps; /* NULL without exact measures */
  json_t *unconverged;     /* NULL unless by belief propagation */
} answer;

static void answer_clear(answer *a) {
  bperc_solutions_free(a->list);
  bperc_order_clear(&a->order);
  bperc_free(a->steps);
  json_decref(a->unconverged);
}

/* ---- lists and measures */

static int list_steps(cli *cx, answer *a, size_t from) {
  cli_search_progress progress;
  bperc_error error;
  int8_t *fixed = bperc_alloc(a->in->n + 1, 1);
  if (!fixed)
    return cli_no_memory();
  memset(fixed, -1, a->in->n + 1);
  if (from)
    bperc_order_hold(&a->order, from, fixed);
  cli_search_progress_start(&progress, cx);
  bperc_status status = bperc_exact_list(
      a->in, &search,
      &(bperc_space_options){.fixed = fixed,
                             .threads = (unsigned)cx->common.threads,
                             .watch = &progress.watch},
      &a->list, &error);
  cli_search_progress_end(&progress);
  bperc_free(fixed);
  if (status == BPERC_OK && !a->list->complete)
    status = bperc_error_set(&error, BPERC_E_LIMIT,
                             "more than %zu solutions: too many to list; raise "
                             "--memory or --limit, or measure --from later on",
                             a->list->count);
  return status == BPERC_OK ? CLI_DONE : cli_fail(&error);
}

static int measure_decimation(cli *cx, answer *a) {
  a->from = (size_t)opt.from;
  if (a->from > a->order.fixed)
    return cli_usage("--from %zu: the order has %zu weights", a->from,
                     a->order.fixed);
  int code = a->list ? CLI_DONE : list_steps(cx, a, a->from);
  if (code != CLI_DONE)
    return code;
  size_t left = a->order.fixed - a->from;
  bperc_along full = a->from ? BPERC_ALONG_ALONE : BPERC_ALONG_FULL;
  bperc_error error;
  a->steps = bperc_calloc(left + 1, sizeof *a->steps);
  if (!a->steps)
    return cli_no_memory();
  return bperc_exact_along(a->list, full, &a->order, a->from, a->steps, &error)
             ? cli_fail(&error)
             : CLI_DONE;
}

/* ---- decimation */

/* After an interrupt the weights fixed so far are the answer. */
static int keep_fixed_weights(const answer *a) {
  cli_warn("interrupted: the answer has the first %zu of %zu weights",
           a->order.fixed, a->in->n);
  return CLI_INTERRUPTED;
}

static int decimate_exactly(cli *cx, answer *a) {
  bperc_error error;
  int code = list_steps(cx, a, 0);
  if (code != CLI_DONE)
    return code;
  bperc_status status = bperc_decimate_exactly(
      a->in, a->list, opt.order == ORDER_RANDOM ? &cx->seed : NULL, &a->order,
      &error);
  a->told = status == BPERC_OK || status == BPERC_E_INTERRUPTED;
  if (status == BPERC_E_INTERRUPTED)
    return keep_fixed_weights(a);
  return status == BPERC_OK ? CLI_DONE : cli_fail(&error);
}

typedef struct {
  const answer *a;
  const bperc_bpd *bpd;
} waiting;

static void show_bp(cli_progress *line, void *context) {
  const waiting *w = context;
  cli_progress_show(line,
                    "%zu of %zu weights fixed, %zu steps not converged, "
                    "residual %.3g, %.0f s so far",
                    bperc_bpd_order(w->bpd)->fixed, w->a->in->n,
                    json_array_size(w->a->unconverged),
                    bperc_bp_residual(bperc_bpd_engine(w->bpd)),
                    cli_now() - line->started);
}

static int decimate_by_bp(cli *cx, answer *a) {
  bperc_run_options how = {.seed = cx->seed,
                           .threads = (unsigned)cx->common.threads};
  bperc_solver *s;
  bperc_error error;
  cli_progress progress;
  bpd.entropy = 1;
  bpd.uniform |= opt.order == ORDER_RANDOM;
  a->unconverged = json_array();
  if (bperc_solver_new(&bperc_bpd_class, a->in, &bpd, &how, &s, &error))
    return cli_fail(&error);
  const bperc_bpd *done = bperc_bpd_of(s);
  cli_progress_start_call(&progress, cx, show_bp, &(waiting){a, done});
  bperc_progress outcome = BPERC_RUNNING;
  while (outcome == BPERC_RUNNING && !bperc_cancelled()) {
    outcome = bperc_solver_step(s);
    if (!bperc_cancelled() && cli_note_unconverged(a->unconverged, done)) {
      cli_progress_show(&progress, "%s", "");
      cli_bp_hint(cx, CLI_BP_FAILS);
    }
  }
  cli_progress_end(&progress);
  cli_say_gave_up(done);
  int code = bperc_order_copy(bperc_bpd_order(done), &a->order)
                 ? cli_no_memory()
                 : CLI_DONE;
  a->told = code == CLI_DONE;
  if (code == CLI_DONE && bperc_cancelled()) {
    code = keep_fixed_weights(a);
    if (json_array_size(a->unconverged) == 0)
      cli_bp_hint(cx, CLI_BP_CREEPS);
  }
  bperc_solver_free(s);
  return code;
}

static int decimate_weights(cli *cx, answer *a) {
  return opt.marginals == MARGINALS_BP ? decimate_by_bp(cx, a)
                                       : decimate_exactly(cx, a);
}

/* ---- answers */

static void add_measures(json_t *step, const bperc_exact_step *x) {
  char text[BPERC_COUNT_TEXT];
  json_object_update_new(
      step,
      json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}",
                "count", bperc_count_text(x->count, text), "xcorr_mean",
                cli_json_real(x->xcorr_mean), "xcorr_mean_square",
                cli_json_real(x->xcorr_mean_square), "parisi_x",
                cli_json_real(x->parisi_x), "q_same", cli_json_real(x->q_same),
                "q_diff", cli_json_real(x->q_diff), "k_index",
                cli_json_real(x->k_index), "local_entropy_d1",
                cli_json_real(x->local_entropy[0]), "local_entropy_d2",
                cli_json_real(x->local_entropy[1]), "local_entropy_d3",
                cli_json_real(x->local_entropy[2]), "clusters",
                (json_int_t)x->clusters, "largest", (json_int_t)x->largest));
}

/* Exact where it is known, else as the source said. */
static double step_log_count(const answer *a, size_t k) {
  if (a->steps && !a->told)
    return k < a->from ? NAN : a->steps[k - a->from].log_count;
  return a->order.log_count[k];
}

static json_t *json_step(const answer *a, size_t k) {
  double log_count = step_log_count(a, k);
  size_t unfixed = a->in->n - k;
  json_t *step = json_pack(
      "{s:I, s:o, s:o, s:o, s:o}", "fixed", (json_int_t)k, "weight",
      k ? json_integer(a->order.weight[k - 1]) : json_null(), "value",
      k ? json_integer(a->order.value[k - 1]) : json_null(), "entropy",
      cli_json_real(unfixed ? log_count / (double)unfixed : NAN), "log_count",
      cli_json_real(log_count));
  if (a->steps && k >= a->from)
    add_measures(step, &a->steps[k - a->from]);
  return step;
}

static const char *decimation_outcome_name(const answer *a) {
  switch (a->order.outcome) {
  case BPERC_SOLVED:
    return "solved";
  case BPERC_CONTRADICTION:
    return "contradiction";
  case BPERC_RUNNING:
    return "interrupted";
  default:
    return "unsolved";
  }
}

static void print_decimate_json(const answer *a) {
  json_t *order = json_array(), *values = json_array(), *steps = json_array();
  for (size_t k = 0; k < a->order.fixed; k++) {
    json_array_append_new(order, json_integer(a->order.weight[k]));
    json_array_append_new(values, json_integer(a->order.value[k]));
  }
  for (size_t k = 0; k <= a->order.fixed; k++)
    json_array_append_new(steps, json_step(a, k));
  json_t *told = json_pack("{s:b, s:s, s:s, s:o, s:o, s:o, s:I, s:I, s:s}",
                           "solved", a->order.outcome == BPERC_SOLVED,
                           "outcome", decimation_outcome_name(a), "marginals",
                           opt.along                       ? "given"
                           : opt.marginals == MARGINALS_BP ? "bp"
                                                           : "exact",
                           "order", order, "values", values, "steps", steps,
                           "n", (json_int_t)a->in->n, "m", (json_int_t)a->in->m,
                           "ties", bperc_ties_name(a->in->ties));
  if (a->unconverged)
    json_object_set(told, "unconverged", a->unconverged);
  cli_json_print(told);
}

/* A number in its column, a dash where there is none. */
static void cell(int width, int digits, double value) {
  if (isfinite(value))
    printf(" %*.*f", width, digits, value);
  else
    printf(" %*s", width, "-");
}

static void print_step(const answer *a, size_t k) {
  double log_count = step_log_count(a, k);
  if (k)
    printf("%5zu %6u %5u", k, a->order.weight[k - 1], a->order.value[k - 1]);
  else
    printf("%5zu %6s %5s", k, "-", "-");
  cell(10, 4, log_count);
  cell(9, 5, log_count / (double)(a->in->n - k));
  if (a->steps && k >= a->from) {
    const bperc_exact_step *x = &a->steps[k - a->from];
    cell(17, 6, x->xcorr_mean_square);
    printf(" %8zu", x->clusters);
    cell(8, 5, x->parisi_x);
    cell(8, 5, x->q_same);
    cell(8, 5, x->q_diff);
    cell(8, 5, x->k_index);
    cell(8, 5, x->local_entropy[2]);
  }
  printf("\n");
}

static void print_decimate_text(const answer *a) {
  printf("%5s %6s %5s %10s %9s", "fixed", "weight", "value", "log_count",
         "entropy");
  if (a->steps)
    printf(" %17s %8s %8s %8s %8s %8s %8s", "xcorr_mean_square", "clusters",
           "x*", "q_same", "q_diff", "k_index", "local d3");
  printf("\n");
  for (size_t k = 0; k <= a->order.fixed; k++)
    print_step(a, k);
  cli_print_unconverged(a->unconverged);
  printf(a->order.outcome == BPERC_SOLVED          ? "solved\n"
         : a->order.outcome == BPERC_CONTRADICTION ? "contradiction: the "
                                                     "weights fixed so far "
                                                     "leave no solution\n"
                                                   : "not solved\n");
}

/* Whether a given order ends in a solution. */
static bperc_progress judge_order(const answer *a) {
  uint64_t *weights = bperc_calloc(a->in->words + 1, sizeof *weights);
  bperc_progress outcome = BPERC_EXHAUSTED;
  for (size_t k = 0; weights && k < a->order.fixed; k++)
    if (a->order.value[k])
      weights[a->order.weight[k] / 64] |= UINT64_C(1)
                                          << (a->order.weight[k] % 64);
  if (weights && a->order.fixed == a->in->n &&
      bperc_verify(a->in, weights, NULL).errors == 0)
    outcome = BPERC_SOLVED;
  bperc_free(weights);
  return outcome;
}

static int run_decimate(cli *cx) {
  bperc_instance *in = NULL;
  answer a = {0};
  int code = cli_read_instance(cx, 0, &in);
  a.in = in;
  if (code != CLI_DONE)
    return code;
  if (opt.along) {
    code = cli_read_order(opt.along, in->n, &a.order);
    if (code == CLI_DONE)
      a.order.outcome = judge_order(&a);
  } else {
    code = decimate_weights(cx, &a);
  }
  if (opt.from > 0) { /* the list of the whole space is not the one wanted */
    bperc_solutions_free(a.list);
    a.list = NULL;
  }
  if (code == CLI_DONE && (opt.along || opt.measure || opt.from > 0 ||
                           opt.marginals == MARGINALS_EXACT))
    code = measure_decimation(cx, &a);
  bool has_part = code == CLI_INTERRUPTED && a.told && !a.steps;
  if (code == CLI_DONE || has_part)
    (cx->common.json ? print_decimate_json : print_decimate_text)(&a);
  if (code == CLI_DONE)
    code = a.order.outcome == BPERC_SOLVED ? CLI_DONE : CLI_NEGATIVE;
  answer_clear(&a);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_decimate = {
    .name = "decimate",
    .arguments = "FILE",
    .summary = "fix the most polarised weight, again and again",
    .text =
        "Fixes the weight with the smallest min(p, 1-p) at its likelier value\n"
        "until all are fixed, or weights in random order at values drawn by\n"
        "their marginals (--order random). With exact marginals, or --measure, "
        "or --along,\n"
        "every step comes with exact measures of the solutions that are left:\n"
        "correlations, clusters, overlaps, k index, local entropy.\n\n"
        "  bperc decimate p.txt --marginals exact\n"
        "  bperc decimate p.txt --marginals bp --measure --json\n"
        "  bperc decimate p.txt --order random --seed 7\n"
        "  bperc decimate p.txt --along order.txt --from 60",
    .least = 1,
    .most = 1,
    .keys = cli_keys_decimate,
    .common = "seed threads time_limit quiet",
    .setup = setup_decimate,
    .run = run_decimate,
};
