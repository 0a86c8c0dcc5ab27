/* bperc solve: find weights that give every pattern its label. */
#include "cli_bpd.h"
#include "cli_ranks.h"
#include "cli_solver.h"
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#define ROWS(X)                                                                \
  X(TEXT, weights_out, "FILE", "write the best weights there, one line")       \
  X(FLAG, anyway, 1, 1,                                                        \
    "search for the best weights though patterns contradict each other")       \
  X(INT, restarts, 1, 1, 1, 1e9,                                               \
    "runs, each with random numbers of its own, until one solves; the "        \
    "best weights are kept")                                                   \
  X(TEXT, initial, "WEIGHTS", "the first run begins at these weights")         \
  X(TEXT, class_weights, "W0,W1|balanced",                                     \
    "cost of an error on label 0 and on label 1: the best weights are "        \
    "those with the least cost")                                               \
  X(TEXT, trace, "FILE.h5", "record hidden states, errors and t_fix there")    \
  X(INT, trace_every, 1, 1, 1, 1e12, "hidden states every so many steps")      \
  X(INT, trace_weights, 0, 0, 0, 4294967296.,                                  \
    "of so many weights drawn at random; 0: all")                              \
  X(TEXT, proof, "FILE.pbp",                                                   \
    "when not solved: a proof for VeriPB that there is no solution")           \
  X(TEXT, proof_errors, "FILE.pbp",                                            \
    "a proof for VeriPB of the fewest errors (export --format opb --soft)")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(solve_option_rows, options, ROWS);

enum { MOST_PRINTED = 1000 }; /* weights in the answer for people */

static options opt;
static cli_solver solver;
static bperc_ranks ranks;

/* What is known at the end. */
typedef struct {
  const bperc_instance *in;
  bperc_search_result found;
  bperc_contradiction *contradictions;
  size_t contradiction_count;
  const char *status;
  json_t *unconverged;  /* steps of bpd; NULL for other solvers */
  uint64_t unavoidable; /* errors, as the complete search knows */
  bperc_proof_result refutation, fewest; /* of --proof, --proof-errors */
} answer;

static void setup_solve(cli *cx) {
  cli_group(cx, "solve", solve_option_rows(), &opt);
  cli_group_solver(cx, &solver, "auto");
  cli_group_instance(cx);
}

/* ---- contradictions that need no search */

static bool has_ones(const bperc_instance *in, size_t mu) {
  const uint64_t *bits = bperc_instance_pattern(in, mu);
  for (size_t k = 0; k < in->words; k++)
    if (bits[k])
      return true;
  return false;
}

/* Weights without an upper bound reach any need with a single input. */
static void keep_unbounded(answer *a) {
  size_t kept = 0;
  for (size_t k = 0; k < a->contradiction_count; k++) {
    const bperc_contradiction *c = &a->contradictions[k];
    if (c->mu != c->nu || !a->in->labels[c->mu] || !has_ones(a->in, c->mu))
      a->contradictions[kept++] = *c;
  }
  a->contradiction_count = kept;
}

static int find_contradictions(answer *a) {
  size_t count;
  if (bperc_instance_contradictions(a->in, NULL, 0, &count))
    return cli_no_memory();
  a->contradictions = bperc_calloc(count + 1, sizeof *a->contradictions);
  if (!a->contradictions ||
      bperc_instance_contradictions(a->in, a->contradictions, count, &count))
    return cli_no_memory();
  a->contradiction_count = count;
  if (solver.class->unbounded)
    keep_unbounded(a);
  return CLI_DONE;
}

/* ---- the search */

typedef struct {
  const cli *cx;
  const bperc_instance *in;
  cli_progress progress;
  double budget;
  size_t best;
  bperc_view last;      /* weights are not looked at */
  bperc_trace *trace;   /* may be NULL */
  json_t *unconverged;  /* steps of bpd; NULL for other solvers */
  uint64_t unavoidable; /* errors, as the complete search knows */
} watcher;

static void show_progress(watcher *w, const bperc_view *view) {
  double speed = (double)view->step / (cli_now() - w->progress.started);
  char left[32] = "", unconverged[48] = "";
  if (w->unconverged)
    snprintf(unconverged, sizeof unconverged, " (%zu not converged)",
             json_array_size(w->unconverged));
  if (w->unavoidable > 0) {
    cli_progress_show(&w->progress,
                      "unsatisfiable; the fewest errors are %llu to %zu",
                      (unsigned long long)w->unavoidable, w->best);
    return;
  }
  if (w->budget > 0 && speed > 0)
    cli_duration((w->budget - (double)view->step) / speed, left, sizeof left);
  cli_progress_show(&w->progress,
                    "%s: %llu %s%s, %zu errors (best %zu), %.3g per second%s%s",
                    solver.class->name, (unsigned long long)view->step,
                    solver.class->step_name, unconverged, view->errors, w->best,
                    speed, left[0] ? ", at most " : "", left);
}

/* Under class weights, auto counts copies of patterns: one error is proven. */
static void note_proof(watcher *w, uint64_t unavoidable) {
  if (opt.class_weights && solver.class != &bperc_exact_class && unavoidable)
    unavoidable = 1;
  if (unavoidable > w->unavoidable)
    w->unavoidable = unavoidable;
}

static int watch_solver(void *context, const bperc_solver *s,
                        const bperc_view *view) {
  watcher *w = context;
  const bperc_bpd *bpd = bperc_bpd_of(s);
  if (view->errors < w->best)
    w->best = view->errors;
  w->last = *view;
  if (bpd && cli_note_unconverged(w->unconverged, bpd)) {
    cli_progress_show(&w->progress, "%s", "");
    cli_bp_hint(w->cx, CLI_BP_FAILS);
  }
  if (bpd)
    cli_say_gave_up(bpd);
  note_proof(w, bperc_solver_unavoidable(s));
  if (cli_progress_due(&w->progress))
    show_progress(w, view);
  return w->trace ? bperc_trace_watch(w->trace, s, view) : 0;
}

/* During a step. */
static void show_again(cli_progress *line, void *context) {
  watcher *w = context;
  (void)line;
  if (w->best < SIZE_MAX)
    show_progress(w, &w->last);
}

static void start_progress(watcher *w) {
  if (w->unconverged)
    cli_progress_start_call(&w->progress, w->cx, show_again, w);
  else
    cli_progress_start(&w->progress, w->cx);
}

static int open_trace(const cli *cx, const answer *a, bperc_trace **trace) {
  bperc_trace_options how = {.every = (uint64_t)opt.trace_every,
                             .weights = (size_t)opt.trace_weights,
                             .solver_options = solver.options,
                             .seed = cx->seed};
  bperc_error error;
  *trace = NULL;
  if (opt.trace &&
      bperc_trace_open(opt.trace, solver.class, a->in, &how, trace, &error))
    return cli_fail(&error);
  return CLI_DONE;
}

/* Runs, start and costs that the user wants. */
static int read_how(const answer *a, bperc_search_options *how,
                    uint64_t **initial) {
  bperc_error error;
  *how = (bperc_search_options){.restarts = (size_t)opt.restarts};
  if (opt.trace && opt.restarts > 1)
    return cli_usage("--trace records one run: leave out --restarts");
  if (opt.initial && bperc_weights_read(opt.initial, a->in->n, initial, &error))
    return cli_fail_input(&error);
  how->run.start = *initial;
  return cli_read_class_weights(opt.class_weights, how->class_weights,
                                &how->balanced);
}

static int search_weights(cli *cx, answer *a, bperc_search_options *how) {
  bperc_run_result *run = &a->found.run;
  watcher w = {.cx = cx,
               .in = a->in,
               .budget = cli_solver_budget(&solver),
               .best = SIZE_MAX};
  bperc_error error, trace_error = {BPERC_OK, ""};
  bperc_status status;
  int code = open_trace(cx, a, &w.trace);
  if (code != CLI_DONE)
    return code;
  if (solver.class == &bperc_bpd_class)
    a->unconverged = w.unconverged = json_array();
  start_progress(&w);
  how->run.seed = cx->seed;
  how->run.threads = (unsigned)cx->common.threads;
  how->run.watch = watch_solver;
  how->run.context = &w;
  status =
      bperc_search(solver.class, a->in, solver.options, how, &a->found, &error);
  cli_progress_end(&w.progress);
  if (status == BPERC_E_INTERRUPTED && w.unconverged &&
      json_array_size(w.unconverged) == 0)
    cli_bp_hint(cx, CLI_BP_CREEPS);
  a->unavoidable = w.unavoidable;
  if (run->outcome == BPERC_SOLVED)
    a->status = "solved";
  else if (a->unavoidable > 0 ||
           (solver.class->complete && run->outcome == BPERC_CONTRADICTION))
    a->status = "unsatisfiable";
  if (bperc_trace_close(w.trace, run->t_fix ? run : NULL, &trace_error))
    return cli_fail(&trace_error);
  if (status != BPERC_OK)
    return cli_fail(&error);
  return run->outcome == BPERC_SOLVED ? CLI_DONE : CLI_NEGATIVE;
}

/* Without a search: all weights 0, which at least keeps label 0. */
static int no_search(answer *a) {
  bperc_run_result *run = &a->found.run;
  size_t n = a->in->n;
  if (solver.class->unbounded)
    run->integers = bperc_calloc(n, sizeof *run->integers);
  else
    run->weights = bperc_calloc(a->in->words, sizeof *run->weights);
  if (!run->integers && !run->weights)
    return cli_no_memory();
  if (a->in->band > 0 && run->weights)
    run->errors = bperc_verify(a->in, run->weights, NULL).errors;
  else if (a->in->band > 0)
    run->errors = bperc_verify_integers(a->in, run->integers, NULL).errors;
  for (size_t mu = 0; a->in->band == 0 && mu < a->in->m; mu++)
    run->errors += a->in->labels[mu] ? bperc_instance_bound(a->in, mu) > 0
                                     : bperc_instance_bound(a->in, mu) < 0;
  a->found.total = (double)run->errors;
  a->found.cost[0] = a->found.cost[1] = 1;
  return CLI_NEGATIVE;
}

/* ---- proofs */

/* fewest: of the fewest errors, else that there is no solution. */
static int write_proof(answer *a, const char *path, int fewest,
                       bperc_proof_result *result) {
  cli_output out;
  bperc_error error;
  int code = cli_output_open(&out, path);
  if (code != CLI_DONE)
    return code;
  if (bperc_exact_prove(a->in, fewest, a->found.run.weights, out.stream, result,
                        &error)) {
    cli_output_abandon(&out);
    return cli_fail(&error);
  }
  return cli_output_close(&out);
}

/* What is proven goes into the answer. */
static int write_proofs(answer *a) {
  int code = CLI_DONE;
  if (opt.proof && a->found.run.outcome != BPERC_SOLVED)
    code = write_proof(a, opt.proof, 0, &a->refutation);
  if (code == CLI_DONE && opt.proof_errors)
    code = write_proof(a, opt.proof_errors, 1, &a->fewest);
  if ((a->refutation.proven || (a->fewest.proven && a->fewest.errors > 0)) &&
      a->unavoidable == 0)
    a->unavoidable = 1;
  if (a->fewest.proven && a->unavoidable < a->fewest.errors)
    a->unavoidable = a->fewest.errors;
  if (a->fewest.proven && a->found.run.weights)
    a->found.run.errors = a->fewest.errors;
  if (a->unavoidable > 0 && a->found.run.outcome != BPERC_SOLVED)
    a->status = "unsatisfiable";
  return code;
}

static json_t *json_proof(const char *path, const bperc_proof_result *proof) {
  if (!path)
    return json_null();
  return json_pack("{s:s, s:b, s:I, s:I}", "file", path, "proven",
                   proof->proven, "conflicts", (json_int_t)proof->conflicts,
                   "errors", (json_int_t)proof->errors);
}

static void print_proofs(const answer *a) {
  if (opt.proof && a->found.run.outcome == BPERC_SOLVED)
    printf("solved: no proof is written\n");
  else if (opt.proof)
    printf("%s: %s after %llu conflicts\n", opt.proof,
           a->refutation.proven ? "proof that there is no solution"
                                : "there is a solution, nothing is proven",
           (unsigned long long)a->refutation.conflicts);
  if (opt.proof_errors)
    printf("%s: proof that the fewest errors are %llu, after %llu conflicts\n",
           opt.proof_errors, (unsigned long long)a->fewest.errors,
           (unsigned long long)a->fewest.conflicts);
}

/* ---- the answer */

static json_t *json_integers(const int32_t *weights, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, json_integer(weights[i]));
  return list;
}

static json_t *json_contradictions(const answer *a) {
  json_t *list = json_array();
  for (size_t k = 0; k < a->contradiction_count; k++) {
    const bperc_contradiction *c = &a->contradictions[k];
    json_t *patterns = json_pack("[I]", (json_int_t)c->mu);
    if (c->nu != c->mu)
      json_array_append_new(patterns, json_integer((json_int_t)c->nu));
    json_array_append_new(
        list, json_pack("{s:o, s:s}", "patterns", patterns, "text", c->text));
  }
  return list;
}

/* Errors that no weights avoid: what the complete search proved, or one of
 * every contradictory pair, each pattern counted once; null when there may be
 * some that nobody has found. */
static json_t *json_unavoidable(const answer *a) {
  size_t count = 0;
  char *used;
  if (a->found.run.outcome == BPERC_SOLVED)
    return json_integer(0);
  if (strcmp(a->status, "unsatisfiable") != 0)
    return json_null();
  used = bperc_calloc(a->in->m + 1, 1);
  for (size_t k = 0; used && k < a->contradiction_count; k++) {
    const bperc_contradiction *c = &a->contradictions[k];
    if (used[c->mu] || used[c->nu])
      continue;
    used[c->mu] = used[c->nu] = 1;
    count++;
  }
  bperc_free(used);
  if (count < a->unavoidable)
    count = (size_t)a->unavoidable;
  return used ? json_integer((json_int_t)(count ? count : 1)) : NULL;
}

static json_t *json_by(const answer *a) {
  return a->found.run.outcome == BPERC_SOLVED ? json_string(a->found.run.by)
                                              : json_null();
}

/* What was asked of the runs, and what came of it. */
static json_t *json_search(const bperc_search_result *found) {
  return json_pack("{s:I, s:o, s:[f, f], s:I, s:o, s:o}", "restarts",
                   (json_int_t)opt.restarts, "initial",
                   opt.initial ? json_string(opt.initial) : json_null(),
                   "class_weights", found->cost[0], found->cost[1], "runs",
                   (json_int_t)found->runs, "cost", cli_json_real(found->total),
                   "least_cost",
                   found->least > 0 ? json_real(found->least) : json_null());
}

static void print_solve_json(const cli *cx, const answer *a) {
  const bperc_instance *in = a->in;
  json_t *weights = a->found.run.integers
                        ? json_integers(a->found.run.integers, in->n)
                        : cli_json_bits(a->found.run.weights, in->n);
  json_t *told = json_pack(
      "{s:b, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:f, s:s, s:o, s:f, s:o, s:o}",
      "solved", a->found.run.outcome == BPERC_SOLVED, "by", json_by(a),
      "unavoidable", json_unavoidable(a), "status", a->status, "steps",
      (json_int_t)a->found.run.steps, "errors", (json_int_t)a->found.run.errors,
      "n", (json_int_t)in->n, "m", (json_int_t)bperc_instance_all(in), "a",
      in->a, "ties", bperc_ties_name(in->ties), "seed", cli_json_seed(cx->seed),
      "seconds", a->found.run.seconds, "weights", weights, "contradictions",
      json_contradictions(a));
  cli_json_merge(told, cli_json_solver(&solver, in));
  cli_json_merge(told, json_search(&a->found));
  json_object_set_new(told, "ranks", json_integer(ranks.size));
  if (a->unconverged)
    json_object_set(told, "unconverged", a->unconverged);
  if (opt.proof)
    json_object_set_new(told, "proof", json_proof(opt.proof, &a->refutation));
  if (opt.proof_errors)
    json_object_set_new(told, "proof_errors",
                        json_proof(opt.proof_errors, &a->fewest));
  cli_json_print(told);
}

static void print_solve_text(const answer *a) {
  const bperc_instance *in = a->in;
  for (size_t k = 0; k < a->contradiction_count && k < 20; k++)
    printf("contradiction: %s\n", a->contradictions[k].text);
  if (a->contradiction_count > 20)
    printf("... and %zu more\n", a->contradiction_count - 20);
  if (a->found.run.outcome == BPERC_SOLVED)
    printf("solved by %s in %llu %s, %.3g s\n", a->found.run.by,
           (unsigned long long)a->found.run.steps, solver.class->step_name,
           a->found.run.seconds);
  else
    printf("%s by %s after %llu %s, %.3g s; the best weights miss %zu of %zu "
           "patterns\n",
           a->status, solver.class->name,
           (unsigned long long)a->found.run.steps, solver.class->step_name,
           a->found.run.seconds, a->found.run.errors, bperc_instance_all(in));
  if (a->unavoidable > 1 && a->unavoidable < a->found.run.errors)
    printf("no weights miss fewer than %llu\n",
           (unsigned long long)a->unavoidable);
  else if (a->unavoidable > 0 && a->unavoidable == a->found.run.errors)
    printf("no weights miss fewer\n");
  if (a->found.runs > 1)
    printf("the best of %zu runs is number %zu\n", a->found.runs,
           a->found.best + 1);
  if (opt.class_weights && a->found.total > 0)
    printf("with %g for an error on label 0 and %g on label 1 they cost %g%s",
           a->found.cost[0], a->found.cost[1], a->found.total,
           a->found.least > 0 ? "" : "\n");
  if (opt.class_weights && a->found.least > 0)
    printf("; no weights cost less than %g\n", a->found.least);
  print_proofs(a);
  if (!opt.weights_out && in->n <= MOST_PRINTED)
    cli_print_weights(stdout, in->n, a->found.run.weights,
                      a->found.run.integers);
  else if (!opt.weights_out)
    printf("--weights-out FILE writes the %zu weights\n", in->n);
}

static int give_answer(const cli *cx, const answer *a) {
  int code = CLI_DONE;
  if (opt.weights_out)
    code = cli_write_weights(opt.weights_out, a->in, a->found.run.weights,
                             a->found.run.integers);
  if (code != CLI_DONE)
    return code;
  if (cx->common.json)
    print_solve_json(cx, a);
  else
    print_solve_text(a);
  return CLI_DONE;
}

/* ---- one problem over ranks */

static int check_ranks(cli *cx) {
  int code = cli_ranks_start(&ranks);
  if (code != CLI_DONE || ranks.size == 1)
    return code;
  cx->common.quiet |= ranks.rank > 0;
  if (solver.class == &bperc_amp_class && opt.restarts == 1 && !opt.trace &&
      !opt.class_weights)
    return CLI_DONE;
  if (ranks.rank == 0)
    cli_usage("under mpirun one problem is solved by all ranks: give --solver "
              "amp, without --restarts, --trace and --class-weights");
  return CLI_USAGE;
}

static int spread_rows(bperc_instance *in) {
  bperc_error error;
  return bperc_ranks_spread(in, &error) ? cli_fail(&error) : CLI_DONE;
}

/* The exit status is that of rank 0. A rank that has failed leaves without a
 * word to the others: mpirun ends them. */
static int leave_ranks(int code) {
  bool together = code == CLI_DONE || code == CLI_NEGATIVE ||
                  code == CLI_INTERRUPTED || code == CLI_USAGE;
  if (ranks.size == 1)
    return code;
  fflush(stdout);
  if (together)
    bperc_ranks_end();
  return together && ranks.rank > 0 ? CLI_DONE : code;
}

static int run_solve(cli *cx) {
  answer a = {.status = "unsolved"};
  bperc_search_options how;
  bperc_instance *in = NULL;
  uint64_t *initial = NULL;
  int code = check_ranks(cx), written;
  if (code == CLI_DONE)
    code = cli_read_instance(cx, 0, &in);
  a.in = in;
  if (code == CLI_DONE)
    code = find_contradictions(&a);
  if (code == CLI_DONE)
    code = read_how(&a, &how, &initial);
  if (code == CLI_DONE)
    code = spread_rows(in);
  if (code != CLI_DONE)
    goto done;
  code = a.contradiction_count == 0 || opt.anyway ? search_weights(cx, &a, &how)
                                                  : no_search(&a);
  if (a.contradiction_count)
    a.status = "unsatisfiable";
  if (ranks.rank == 0 && (code == CLI_DONE || code == CLI_NEGATIVE)) {
    written = write_proofs(&a);
    code = written != CLI_DONE ? written : code;
  }
  if (ranks.rank == 0 && (a.found.run.weights || a.found.run.integers)) {
    written = give_answer(cx, &a);
    code = written != CLI_DONE ? written : code;
  }
done:
  bperc_search_clear(&a.found);
  cli_free(initial);
  bperc_free(a.contradictions);
  json_decref(a.unconverged);
  bperc_instance_free(in);
  return leave_ranks(code);
}

const cli_command cmd_solve = {
    .name = "solve",
    .arguments = "FILE",
    .summary = "find weights that store all patterns",
    .text =
        "Searches weights with which every pattern gets its label: some\n"
        "sweeps of SBPI, then AMP, with the complete search where N is small\n"
        "(--solver auto), or one solver alone. Patterns that contradict each\n"
        "other are named. A run that does not succeed returns the best\n"
        "weights it met (exit status 1). With --restarts the first run is the\n"
        "one without; with --class-weights the least cost is proven where N\n"
        "is small (solvers auto and exact). Under mpirun --solver amp spreads\n"
        "the patterns over the ranks; the answer is the same.\n\n"
        "  bperc solve p.txt --weights-out w.txt\n"
        "  bperc solve p.txt --solver sbpi --restarts 20 --class-weights 1,5\n"
        "  bperc solve p.txt --solver ecp --max-sweeps 8000 --json\n"
        "  mpirun -n 4 bperc solve p.txt --solver amp",
    .least = 1,
    .most = 1,
    .keys = cli_keys_solve,
    .common = "seed threads time_limit quiet",
    .setup = setup_solve,
    .run = run_solve,
};
