/* bperc xcorr: cross-correlations of the weights over the solutions. */
#include "cli_bpd.h"
#include "commands.h"
#include "fixing.h"
#include "search_progress.h"

#include <math.h>
#include <stdlib.h>

#define ROWS(X)                                                                \
  X(CHOICE, marginals, 0, 0, "bp|exact",                                       \
    "belief propagation, or the list of all solutions")                        \
  X(FLAG, matrix, 0, 0, "the correlations themselves, key `xcorr`")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(xcorr_option_rows, options, ROWS);

enum { MARGINALS_BP, MARGINALS_EXACT };

static options opt;
static bperc_xcorr_options xcorr;
static bperc_bp_options bp;
static bperc_exact_options search;
static cli_fixing_options fixing;

static void setup_xcorr(cli *cx) {
  cli_group(cx, "xcorr", xcorr_option_rows(), &opt);
  cli_group_fixing(cx, &fixing);
  cli_group(cx, "marginals bp", bperc_xcorr_option_table(), &xcorr);
  cli_group(cx, "belief propagation", bperc_bp_option_table(), &bp);
  cli_group(cx, "marginals exact", bperc_exact_option_table(), &search);
  cli_group_instance(cx);
}

/* What is known at the end. */
typedef struct {
  const bperc_instance *in;
  int8_t *fixed;
  bperc_xcorr x;
  size_t violated; /* the pattern that the fixed weights violate, or m */
  double *matrix;  /* NULL unless asked for: unfixed x unfixed */
  size_t side;     /* unfixed weights */
} answer;

static int ended(bperc_status status) {
  if (status == BPERC_OK)
    return CLI_DONE;
  return status == BPERC_E_MEMORY ? cli_no_memory() : CLI_INTERRUPTED;
}

/* ---- by belief propagation */

static int fix_all(const answer *a, bperc_bp *engine) {
  for (size_t i = 0; i < a->in->n; i++)
    if (a->fixed[i] >= 0 &&
        bperc_bp_fix(engine, i, a->fixed[i]) == BPERC_CONTRADICTION)
      return 0;
  return bperc_bp_violated(engine) == a->in->m;
}

/* n x n to the rows and columns of unfixed weights. */
static void drop_fixed(answer *a) {
  size_t n = a->in->n, at = 0;
  for (size_t i = 0; i < n; i++) {
    a->side += a->fixed[i] < 0;
    for (size_t j = 0; j < n; j++)
      if (a->fixed[i] < 0 && a->fixed[j] < 0)
        a->matrix[at++] = a->matrix[i * n + j];
  }
}

typedef struct {
  const bperc_xcorr *x;
  bperc_bp *engine;
  size_t wanted;
} waiting;

static void show_correlations(cli_progress *line, void *context) {
  const waiting *w = context;
  size_t done = __atomic_load_n(&w->x->sampled, __ATOMIC_RELAXED);
  if (done)
    cli_progress_show(line, "xcorr: %zu of %zu weights, %.0f s so far", done,
                      w->wanted, cli_now() - line->started);
  else
    cli_bp_progress(line, w->engine);
}

static bperc_status measure_correlations(const cli *cx, answer *a,
                                         bperc_bp *engine) {
  cli_progress line;
  waiting w = {&a->x, engine, bperc_bp_unfixed(engine)};
  if (xcorr.sample && (size_t)xcorr.sample < w.wanted)
    w.wanted = (size_t)xcorr.sample;
  cli_progress_start_call(&line, cx, show_correlations, &w);
  bperc_status status = bperc_xcorr_measure(
      engine, &xcorr,
      &(bperc_xcorr_run){.seed = cx->seed,
                         .threads = (unsigned)cx->common.threads,
                         .matrix = a->matrix},
      &a->x, NULL);
  cli_progress_end(&line);
  if (status == BPERC_E_INTERRUPTED && a->x.sampled)
    cli_warn("interrupted: the answer is of %zu of %zu weights", a->x.sampled,
             w.wanted);
  else if (status == BPERC_E_INTERRUPTED)
    cli_warn("interrupted before the first weight: nothing is known");
  if (status == BPERC_E_INTERRUPTED ||
      (status == BPERC_OK && !a->x.converged && !a->x.contradiction))
    cli_bp_hint(cx, status == BPERC_OK ? CLI_BP_FAILS : CLI_BP_CREEPS);
  return status;
}

static int by_bp(cli *cx, answer *a) {
  bperc_bp *engine;
  bperc_error error;
  bperc_status status = BPERC_OK;
  unsigned threads = (unsigned)cx->common.threads;
  bperc_bp_options many = bperc_bp_options_for_many(&bp, a->in);
  if (bperc_bp_new(a->in, &many, cx->seed, threads, &engine, &error))
    return cli_fail(&error);
  a->x.mean = a->x.mean_square = NAN;
  if (fix_all(a, engine))
    status = measure_correlations(cx, a, engine);
  a->violated = bperc_bp_violated(engine);
  a->x.contradiction |= a->violated < a->in->m;
  bperc_bp_free(engine);
  if (a->matrix)
    drop_fixed(a);
  return ended(status);
}

/* ---- exactly */

static int exactly(cli *cx, answer *a) {
  cli_search_progress progress;
  bperc_solutions *list = NULL;
  bperc_moments moments;
  bperc_error error;
  cli_search_progress_start(&progress, cx);
  bperc_status status = bperc_exact_list(
      a->in, &search,
      &(bperc_space_options){.fixed = a->fixed,
                             .threads = (unsigned)cx->common.threads,
                             .watch = &progress.watch},
      &list, &error);
  cli_search_progress_end(&progress);
  if (status == BPERC_OK && !list->complete)
    status = bperc_error_set(&error, BPERC_E_LIMIT,
                             "more than %zu solutions: too many to list",
                             list->count);
  if (status != BPERC_OK) {
    bperc_solutions_free(list);
    return cli_fail(&error);
  }
  status = bperc_solutions_moments(list, &moments, NULL, a->matrix);
  a->side = list->columns;
  a->x = (bperc_xcorr){.converged = list->count > 0,
                       .sampled = list->count ? a->in->n : 0,
                       .contradiction = list->count == 0,
                       .mean = list->count ? moments.xcorr_mean : NAN,
                       .mean_square =
                           list->count ? moments.xcorr_mean_square : NAN};
  bperc_solutions_free(list);
  return ended(status);
}

/* ---- answers */

static json_t *correlations_json(const answer *a) {
  json_t *list = json_array();
  for (size_t i = 0; i < a->side; i++) {
    json_t *row = json_array();
    for (size_t j = 0; j < a->side; j++)
      json_array_append_new(row, cli_json_real(a->matrix[i * a->side + j]));
    json_array_append_new(list, row);
  }
  return list;
}

static void print_xcorr_json(const answer *a) {
  json_t *told = json_pack(
      "{s:s, s:o, s:o, s:b, s:I, s:I, s:s, s:I, s:I, s:s}", "outcome",
      a->x.contradiction ? "contradiction"
      : a->x.converged   ? "converged"
                         : "unconverged",
      "xcorr_mean", cli_json_real(a->x.mean), "xcorr_mean_square",
      cli_json_real(a->x.mean_square), "converged", a->x.converged, "sampled",
      (json_int_t)a->x.sampled, "unconverged", (json_int_t)a->x.unconverged,
      "marginals", opt.marginals == MARGINALS_BP ? "bp" : "exact", "n",
      (json_int_t)a->in->n, "m", (json_int_t)a->in->m, "ties",
      bperc_ties_name(a->in->ties));
  if (a->matrix)
    json_object_set_new(told, "xcorr", correlations_json(a));
  cli_json_print(told);
}

static void print_xcorr_text(const answer *a) {
  if (opt.marginals == MARGINALS_BP && a->violated < a->in->m) {
    printf("contradiction: pattern %zu cannot hold\n", a->violated);
    return;
  }
  if (a->x.contradiction) {
    printf("contradiction: messages force weights to be both 0 and 1\n");
    return;
  }
  if (isnan(a->x.mean)) {
    printf(opt.marginals == MARGINALS_BP ? "not converged: no correlations\n"
                                         : "no solutions: no correlations\n");
    return;
  }
  printf("mean c_ij         %.9g\nmean square c_ij  %.9g\n", a->x.mean,
         a->x.mean_square);
  if (opt.marginals == MARGINALS_BP)
    printf("%zu weights conditioned on, %zu runs did not converge\n",
           a->x.sampled, a->x.unconverged);
}

static int run_xcorr(cli *cx) {
  bperc_instance *in = NULL;
  answer a = {0};
  int code = cli_read_instance(cx, 0, &in);
  a.in = in;
  if (code == CLI_DONE)
    code = cli_read_fixing(&fixing, in->n, &a.fixed);
  if (code == CLI_DONE && opt.matrix) {
    a.matrix = bperc_calloc(in->n * in->n, sizeof *a.matrix);
    code = a.matrix ? CLI_DONE : cli_no_memory();
  }
  if (code == CLI_DONE)
    code = opt.marginals == MARGINALS_BP ? by_bp(cx, &a) : exactly(cx, &a);
  if (code == CLI_DONE || (code == CLI_INTERRUPTED && a.x.sampled))
    (cx->common.json ? print_xcorr_json : print_xcorr_text)(&a);
  if (code == CLI_DONE)
    code = a.x.converged ? CLI_DONE : CLI_NEGATIVE;
  bperc_free(a.fixed);
  bperc_free(a.matrix);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_xcorr = {
    .name = "xcorr",
    .arguments = "FILE",
    .summary = "cross-correlations of weights over the solutions",
    .text =
        "Mean and mean square of <w_i w_j> - <w_i><w_j> over pairs of unfixed\n"
        "weights: by belief propagation conditioned on sampled weights (or by\n"
        "linear response), or over the list of all solutions.\n\n"
        "  bperc xcorr p.txt\n"
        "  bperc xcorr p.txt --marginals exact\n"
        "  bperc xcorr p.txt --order bpd.json --fixed 10 --estimate response",
    .least = 1,
    .most = 1,
    .keys = cli_keys_xcorr,
    .common = "seed threads time_limit quiet",
    .setup = setup_xcorr,
    .run = run_xcorr,
};
