/* The complete solver: the search for one solution, or a proof that there is
 * none and then the weights with the least number of errors. One step is a
 * fixed number of nodes of the search tree. */
#include "base/alloc.h"
#include "base/bits.h"
#include "bperc/solver.h"
#include "exact/search/cuts.h"
#include "exact/search/least.h"
#include "exact/search/search.h"
#include "solver/methods.h"

#include <assert.h>
#include <string.h>

#define BPERC_EXACT_SOLVER_OPTIONS(X)                                          \
  X(INT, step_nodes, 1000000, 1000000, 1, 1e15, "nodes of the tree per step")  \
  X(INT, max_steps, 0, 0, 0, 1e15, "give up after so many steps; 0: never")    \
  X(INT, proof_nodes, 1000000, 1000000, 0, 1e15,                               \
    "when there is no solution: nodes to find and prove the fewest errors")

enum {
  NODES_A_CONFLICT = 1000, /* of the search with cutting planes */
  MAX_INPUTS = 1 << 22     /* that are not 0, of all patterns */
};

BPERC_OPTIONS_DECLARE(exact_options, BPERC_EXACT_SOLVER_OPTIONS);

static BPERC_OPTIONS_DEFINE(exact_option_table, exact_options,
                            BPERC_EXACT_SOLVER_OPTIONS);

typedef struct {
  const bperc_instance *in;
  exact_options options;
  bperc_i_search_residual r;
  bperc_i_engine e;
  bperc_i_sink sink;
  bperc_i_cuts *cuts; /* in place of all these, for more weights; or NULL */
  void *stack;        /* NULL when the residual system is contradictory */
  uint64_t steps;
  uint64_t *weights;
  size_t errors;
  bool unsatisfiable;
  bperc_i_least *least; /* once unsatisfiable; NULL: too many weights */
  uint64_t floor;       /* errors that no weights avoid */
} state;

static bool end_of_step(bperc_i_sink *sink) {
  (void)sink;
  return false;
}

/* Weights of a word over the columns, and of what is forced. */
static void take_solution_word(state *s, bperc_i_word word) {
  memset(s->weights, 0, bperc_i_words(s->in->n) * sizeof *s->weights);
  for (size_t i = 0; i < s->in->n; i++)
    if (s->r.value[i] == 1)
      bperc_i_bit_set(s->weights, i, 1);
  for (size_t j = 0; j < s->r.columns; j++)
    bperc_i_bit_set(s->weights, s->r.column[j], (int)(word >> j & 1));
  s->errors = bperc_verify(s->in, s->weights, NULL).errors;
}

static void exact_destroy(void *object) {
  state *s = object;
  if (!s)
    return;
  bperc_i_least_free(s->least);
  bperc_i_cuts_free(s->cuts);
  bperc_i_residual_clear(&s->r);
  bperc_i_engine_clear(&s->e);
  bperc_i_free(s->stack);
  bperc_i_free(s->weights);
  bperc_i_free(s);
}

/* More weights than the tables take. */
static bperc_status prepare_cuts(state *s, bperc_error *error) {
  size_t inputs = 0;
  for (size_t mu = 0; mu < s->in->m; mu++)
    inputs += bperc_instance_degree(s->in, mu);
  if (inputs > MAX_INPUTS)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the solver exact takes at most %d weights that are "
                           "not forced, or %d inputs that are not 0: use "
                           "another one",
                           BPERC_I_WIDEST, MAX_INPUTS);
  s->errors = bperc_verify(s->in, s->weights, NULL).errors;
  bperc_status status = bperc_i_cuts_new(s->in->n, NULL, &s->cuts);
  return status == BPERC_OK ? bperc_i_cuts_load(s->cuts, s->in, false) : status;
}

/* A slice of the search with cutting planes. */
static bperc_progress step_cuts(state *s, bool spent) {
  uint64_t conflicts = (uint64_t)s->options.step_nodes / NODES_A_CONFLICT;
  switch (bperc_i_cuts_run(s->cuts, conflicts ? conflicts : 1)) {
  case BPERC_I_CUTS_SOLVED:
    for (size_t i = 0; i < s->in->n; i++)
      bperc_i_bit_set(s->weights, i, bperc_i_cuts_value(s->cuts, i));
    s->errors = bperc_verify(s->in, s->weights, NULL).errors;
    assert(s->errors == 0);
    return BPERC_SOLVED;
  case BPERC_I_CUTS_REFUTED:
    s->unsatisfiable = true;
    s->floor = 1;
    return BPERC_CONTRADICTION;
  case BPERC_I_CUTS_MORE:
  case BPERC_I_CUTS_FAILED: /* as if the budget were spent */
    break;
  }
  return spent ? BPERC_EXHAUSTED : BPERC_RUNNING;
}

static bperc_status prepare_exact_search(state *s, bperc_error *error) {
  bperc_status status = bperc_i_residual_init(&s->r, s->in, NULL, error);
  if (status == BPERC_E_ARGUMENT)
    return prepare_cuts(s, error);
  if (status != BPERC_OK)
    return status;
  take_solution_word(s, s->r.base);
  if (s->r.contradiction)
    return BPERC_OK;
  status = bperc_i_engine_init(&s->e, &s->r, s->r.open);
  if (status != BPERC_OK)
    return status;
  s->stack = bperc_i_alloc(s->e.positions + 2, s->e.node_size);
  if (!s->stack)
    return BPERC_E_MEMORY;
  bperc_i_engine_root(&s->e, &s->r, s->stack);
  s->sink =
      (bperc_i_sink){.mode = BPERC_I_FIRST,
                     .check_interval = (uint64_t)s->options.step_nodes + 1,
                     .height = 1,
                     .pause = end_of_step};
  return BPERC_OK;
}

static bperc_status exact_create(const bperc_instance *in, const void *options,
                                 uint64_t seed, unsigned threads, void **out,
                                 bperc_error *error) {
  state *s = bperc_i_calloc(1, sizeof *s);
  bperc_status status = BPERC_E_MEMORY;
  (void)seed;
  (void)threads;
  *out = NULL;
  if (s) {
    s->in = in;
    memcpy(&s->options, options, sizeof s->options);
    s->weights = bperc_i_calloc(bperc_i_words(in->n) + 1, sizeof *s->weights);
    status = s->weights ? prepare_exact_search(s, error) : BPERC_E_MEMORY;
  }
  if (status == BPERC_E_MEMORY)
    bperc_error_set(error, status, "not enough memory for the search");
  if (status == BPERC_OK)
    *out = s;
  else
    exact_destroy(s);
  return status;
}

/* There is no solution: the fewest errors are looked for from now on. */
static void give_up(state *s) {
  s->unsatisfiable = true;
  s->floor = 1;
  if (s->options.proof_nodes > 0 &&
      bperc_i_least_new(s->in, NULL, NULL, UINT64_MAX, &s->least, NULL))
    s->least = NULL;
}

static bperc_progress prove_slice(state *s) {
  uint64_t most = (uint64_t)s->options.proof_nodes;
  if (!s->least)
    return BPERC_CONTRADICTION;
  bperc_least_errors known = bperc_i_least_look(s->least);
  uint64_t left = most > known.nodes ? most - known.nodes : 0;
  uint64_t nodes = (uint64_t)s->options.step_nodes;
  bool done = bperc_i_least_run(s->least, nodes < left ? nodes : left);
  known = bperc_i_least_look(s->least);
  memcpy(s->weights, bperc_i_least_weights(s->least),
         bperc_i_words(s->in->n) * sizeof *s->weights);
  s->errors = (size_t)known.cost;
  s->floor = known.floor > 1 ? known.floor : 1;
  return done || known.nodes >= most ? BPERC_CONTRADICTION : BPERC_RUNNING;
}

static bperc_progress exact_step(void *object) {
  state *s = object;
  s->steps++;
  bool spent =
      s->options.max_steps > 0 && s->steps >= (uint64_t)s->options.max_steps;
  if (s->cuts)
    return step_cuts(s, spent);
  if (!s->stack && !s->unsatisfiable)
    give_up(s);
  if (s->unsatisfiable)
    return spent ? BPERC_CONTRADICTION : prove_slice(s);
  s->sink.stopped = false;
  bperc_i_engine_run(&s->e, s->stack, &s->sink);
  if (s->sink.count > 0) {
    take_solution_word(s, s->sink.first);
    return BPERC_SOLVED;
  }
  if (!s->sink.stopped) {
    give_up(s);
    return spent || !s->least ? BPERC_CONTRADICTION : BPERC_RUNNING;
  }
  return spent ? BPERC_EXHAUSTED : BPERC_RUNNING;
}

static uint64_t exact_unavoidable(const void *object) {
  const state *s = object;
  return s->floor;
}

static void exact_view(const void *object, bperc_view *out) {
  const state *s = object;
  *out = (bperc_view){
      .step = s->steps, .errors = s->errors, .weights = s->weights};
}

static const bperc_solver_methods methods = {
    .unavoidable = exact_unavoidable,
    .create = exact_create,
    .step = exact_step,
    .view = exact_view,
    .destroy = exact_destroy,
};

const bperc_solver_class bperc_exact_class = {
    .name = "exact",
    .summary = "complete search: a solution, or the fewest errors and a proof",
    .step_name = "slices of the search",
    .complete = 1,
    .seedless = 1,
    .options = exact_option_table,
    .options_size = sizeof(exact_options),
    .methods = &methods,
};
