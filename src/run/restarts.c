/* Several runs and their best weights, with errors that may cost differently
 * by label. */
#include "base/alloc.h"
#include "base/bits.h"
#include "base/options.h"
#include "bperc/bpd.h"
#include "bperc/exact.h"
#include "bperc/run.h"
#include "model/bit_rows.h"
#include "run/class_weights.h"
#include "solver/methods.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Random starts are hardly believed: they only tell one run from another. */
#define FIELD_RANDOM 0.5
/* Nodes of the proof of the least cost. */
#define PROOF_NODES 10000000

typedef struct {
  const bperc_solver_class *class;
  const bperc_instance *in;
  const void *options;
  bperc_search_options how;
  bool weighted;
  bperc_i_weighted copies; /* what the solver sees when weighted */
  uint64_t *start;         /* random weights of a restart */
  uint64_t *pocket;        /* of the run at work, when weighted */
  double pocket_cost;
  size_t pocket_errors;
  bperc_search_result *out;
} search;

/* ---- costs */

static double cost_of_search(const search *s, const uint64_t *weights,
                             size_t *errors) {
  size_t by_label[2];
  if (!s->weighted) {
    *errors = bperc_verify(s->in, weights, NULL).errors;
    return (double)*errors;
  }
  bperc_i_weighted_errors(&s->copies, weights, by_label);
  *errors = by_label[0] + by_label[1];
  return s->out->cost[0] * (double)by_label[0] +
         s->out->cost[1] * (double)by_label[1];
}

/* Keeps the best weights of a run whose own count is of copies. */
static int watch_cost(void *context, const bperc_solver *solver,
                      const bperc_view *view) {
  search *s = context;
  const bperc_run_options *run = &s->how.run;
  size_t errors;
  double cost = cost_of_search(s, view->weights, &errors);
  if (cost < s->pocket_cost) {
    s->pocket_cost = cost;
    s->pocket_errors = errors;
    memcpy(s->pocket, view->weights, s->in->words * sizeof *s->pocket);
  }
  return run->watch ? run->watch(run->context, solver, view) : 0;
}

/* ---- what the solver can do */

static bperc_status check_search(const search *s, bperc_error *error) {
  const bperc_solver_class *c = s->class;
  if (s->how.run.start && !c->methods->start)
    return bperc_i_no_start(c, error);
  if (s->how.restarts > 1 && c->seedless && !c->methods->start)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%s gives the same answer in every run: it takes no "
                           "restarts",
                           c->name);
  if (s->weighted && (c == &bperc_bpd_class || c->unbounded))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%s does not weigh errors: use sbpi, rbp, amp, auto "
                           "or exact",
                           c->name);
  for (int v = 0; v < 2; v++)
    if (!(s->out->cost[v] > 0) || !isfinite(s->out->cost[v]))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "class weights must be positive numbers");
  return BPERC_OK;
}

/* ---- one run */

/* Run 0 is what was asked for; what tells the others from it is their seed, or
 * where the seed does not matter a random start. */
static bperc_run_options options_of(search *s, size_t r) {
  bperc_run_options how = s->how.run;
  bperc_stream stream = bperc_stream_make(how.seed, BPERC_FOR_RESTART, r);
  if (r > 0) {
    how.seed = bperc_stream_seed(how.seed, BPERC_FOR_RESTART, r);
    how.start = NULL;
  }
  if (r > 0 && s->class->seedless) {
    bperc_stream_bernoulli(&stream, 0.5, s->start, s->in->n);
    how.start = s->start;
    how.start_field = FIELD_RANDOM;
  }
  if (s->weighted) {
    how.watch = watch_cost;
    how.context = s;
  }
  return how;
}

static bperc_status one_run(search *s, size_t r, bperc_run_result *run,
                            bperc_error *error) {
  bperc_run_options how = options_of(s, r);
  /* The complete search has no use for copies: its order is its own. */
  bool copies = s->weighted && s->class != &bperc_exact_class;
  bperc_status status;
  s->pocket_cost = INFINITY;
  s->out->runs = r + 1;
  status = bperc_run(s->class, copies ? s->copies.in : s->in, s->options, &how,
                     run, error);
  if (run->weights && s->weighted && isfinite(s->pocket_cost)) {
    memcpy(run->weights, s->pocket, s->in->words * sizeof *s->pocket);
    run->errors = s->pocket_errors;
  }
  return status;
}

/* The better of the best so far and a run, which is cleared or taken. */
static void keep_better_run(search *s, size_t r, bperc_run_result *run) {
  bperc_search_result *out = s->out;
  double cost = s->weighted ? s->pocket_cost : (double)run->errors;
  uint64_t steps = out->run.steps + run->steps;
  double seconds = out->run.seconds + run->seconds;
  if (!run->weights && !run->integers)
    return;
  assert(!isnan(cost) && cost >= 0 && r < out->runs);
  if (cost < out->total || run->outcome == BPERC_SOLVED ||
      !(out->run.weights || out->run.integers)) {
    bperc_run_clear(&out->run);
    out->run = *run;
    out->total = cost;
    out->best = r;
  } else {
    /* A proof of any run is a proof. */
    if (run->outcome == BPERC_CONTRADICTION && s->class->complete)
      out->run.outcome = run->outcome;
    bperc_run_clear(run);
  }
  out->run.steps = steps;
  out->run.seconds = seconds;
}

/* The weights that were given may be better than all that was met; when they
 * are a solution there is nothing to search. */
static bperc_status look_at_initial(search *s, bool before,
                                    bperc_error *error) {
  size_t errors, n = s->in->n;
  bperc_run_result *run = &s->out->run;
  double cost;
  if (!s->how.run.start)
    return BPERC_OK;
  cost = cost_of_search(s, s->how.run.start, &errors);
  if (before && errors)
    return BPERC_OK;
  if (before) {
    run->weights = bperc_i_calloc(s->in->words, sizeof *run->weights);
    run->final = bperc_i_calloc(s->in->words, sizeof *run->final);
    run->t_fix = bperc_i_calloc(n, sizeof *run->t_fix);
    run->by = s->class->name;
    run->outcome = BPERC_SOLVED;
    if (!run->weights || !run->final || !run->t_fix)
      return bperc_error_set(error, BPERC_E_MEMORY, "no memory for weights");
    memcpy(run->final, s->how.run.start, s->in->words * sizeof *run->final);
  } else if (!run->weights || cost >= s->out->total)
    return BPERC_OK;
  memcpy(run->weights, s->how.run.start, s->in->words * sizeof *run->weights);
  run->errors = errors;
  s->out->total = cost;
  s->out->best = 0;
  return BPERC_OK;
}

/* ---- the least cost */

/* Costs as whole numbers: their own, or in units of a millionth of the
 * smaller. */
static double unit_of(const double cost[2]) {
  int whole = cost[0] == floor(cost[0]) && cost[1] == floor(cost[1]) &&
              fmax(cost[0], cost[1]) < 1e6;
  return whole ? 1 : fmin(cost[0], cost[1]) * 1e-6;
}

static bperc_status prove_least_cost(search *s, bperc_error *error) {
  bperc_search_result *out = s->out;
  double unit = unit_of(out->cost);
  uint32_t *cost;
  bperc_least_errors known;
  bperc_status status;
  if (!s->weighted || !s->class->complete || out->total == 0 ||
      fmax(out->cost[0], out->cost[1]) / unit > 4e9)
    return BPERC_OK;
  cost = bperc_i_alloc(s->in->m, sizeof *cost);
  if (!cost)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for the proof");
  for (size_t mu = 0; mu < s->in->m; mu++)
    cost[mu] = (uint32_t)nearbyint(out->cost[s->in->labels[mu]] / unit);
  status = bperc_exact_least_errors(
      s->in,
      &(bperc_least_options){.cost = cost,
                             .below = (uint64_t)nearbyint(out->total / unit),
                             .max_nodes = PROOF_NODES},
      s->pocket, &known, error);
  bperc_i_free(cost);
  if (status == BPERC_E_LIMIT || status == BPERC_E_ARGUMENT)
    return BPERC_OK; /* too many weights */
  if (status != BPERC_OK)
    return status;
  out->least = (double)known.floor * unit;
  if (known.found) {
    memcpy(out->run.weights, s->pocket, s->in->words * sizeof *s->pocket);
    out->total = cost_of_search(s, s->pocket, &out->run.errors);
  }
  if (known.proven)
    out->least = out->total;
  return BPERC_OK;
}

/* ---- all runs */

static bperc_status run_all(search *s, bperc_error *error) {
  bperc_status status = look_at_initial(s, true, error);
  bperc_run_result *best = &s->out->run;
  for (size_t r = 0; status == BPERC_OK && r < s->how.restarts &&
                     best->outcome != BPERC_SOLVED;
       r++) {
    bperc_run_result run = {0};
    status = one_run(s, r, &run, error);
    keep_better_run(s, r, &run);
  }
  if (status != BPERC_OK && status != BPERC_E_INTERRUPTED)
    return status;
  if (best->outcome != BPERC_SOLVED)
    look_at_initial(s, false, error);
  return status == BPERC_OK && best->outcome != BPERC_SOLVED
             ? prove_least_cost(s, error)
             : status;
}

static bperc_status prepare_search(search *s, bperc_error *error) {
  size_t copies[2];
  bperc_status status = check_search(s, error);
  if (status != BPERC_OK)
    return status;
  s->start = bperc_i_calloc(s->in->words, sizeof *s->start);
  s->pocket = bperc_i_calloc(s->in->words, sizeof *s->pocket);
  if (!s->start || !s->pocket)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for weights");
  if (!s->weighted)
    return BPERC_OK;
  bperc_i_class_copies(s->out->cost, copies);
  return bperc_i_weighted_make(s->in, copies, &s->copies, error);
}

bperc_status bperc_search(const bperc_solver_class *class,
                          const bperc_instance *in, const void *options,
                          const bperc_search_options *how,
                          bperc_search_result *out, bperc_error *error) {
  search s = {.class = class, .in = in, .options = options, .out = out};
  bperc_status status;
  *out = (bperc_search_result){.total = INFINITY};
  bperc_i_options_plain(sizeof s.how, how, &s.how);
  s.how.restarts = s.how.restarts ? s.how.restarts : 1;
  bperc_i_class_costs(in, s.how.class_weights, s.how.balanced, out->cost);
  s.weighted = out->cost[0] != out->cost[1];
  status = s.weighted
               ? bperc_i_no_band(in, "a search with class weights", error)
               : BPERC_OK;
  if (status == BPERC_OK)
    status = prepare_search(&s, error);
  if (status == BPERC_OK)
    status = run_all(&s, error);
  bperc_i_weighted_clear(&s.copies);
  bperc_i_free(s.start);
  bperc_i_free(s.pocket);
  if (status != BPERC_OK && status != BPERC_E_INTERRUPTED)
    bperc_search_clear(out);
  return status;
}

void bperc_search_clear(bperc_search_result *result) {
  bperc_run_clear(&result->run);
  *result = (bperc_search_result){0};
}
