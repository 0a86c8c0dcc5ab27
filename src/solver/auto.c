/* Several solvers in turn. A plan is a list of turns; AMP keeps its state
 * between its two. */
#include "bperc/auto.h"

#include "base/alloc.h"
#include "bperc/amp.h"
#include "bperc/exact.h"
#include "bperc/sbpi.h"
#include "solver/methods.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_TABLED = 128, MAX_CUT_INPUTS = 10000 };
enum { MEMBERS = 3, MOST_TURNS = 4 };
enum { SBPI, AMP, EXACT };
/* Enough for good weights where no weights are right. */
#define INFEASIBLE_ITERATIONS 300

typedef struct {
  int member;
  uint64_t until; /* steps of the member, those of its earlier turn included */
} turn;

typedef struct {
  const bperc_instance *in;
  bperc_auto_options options;
  uint64_t seed;
  unsigned threads;
  bool infeasible; /* patterns contradict each other */
  turn turns[MOST_TURNS];
  size_t turn_count, now;
  bperc_solver *state[MEMBERS];
  uint64_t steps, own[MEMBERS];
} state;

static const bperc_solver_class *const members[MEMBERS] = {
    &bperc_sbpi_class, &bperc_amp_class, &bperc_exact_class};

static BPERC_OPTIONS_DEFINE(auto_option_table, bperc_auto_options,
                            BPERC_AUTO_OPTIONS);

/* ---- the plan */

static void add_turn(state *s, int member, int64_t until) {
  if (s->state[member] && until > 0)
    s->turns[s->turn_count++] = (turn){member, (uint64_t)until};
}

/* Sweeps that SBPI needs on easy problems grow about like the square root of
 * N: 47 at N = 10000 and 107 at N = 30000 for f_in = 0.1, alpha = 0.2. */
static int64_t quick_sweeps(const state *s) {
  double scale = sqrt((double)s->in->n / 2000);
  double sweeps = (double)s->options.quick_sweeps * (scale > 1 ? scale : 1);
  return (int64_t)(sweeps < 1e15 ? sweeps : 1e15);
}

static void plan_turns(state *s) {
  const bperc_auto_options *o = &s->options;
  int64_t most = o->max_iterations;
  if (s->infeasible && most > INFEASIBLE_ITERATIONS)
    most = INFEASIBLE_ITERATIONS;
  add_turn(s, SBPI, quick_sweeps(s));
  if (s->state[EXACT]) {
    add_turn(s, AMP, o->proof_after < most ? o->proof_after : most);
    add_turn(s, EXACT, o->proof_slices);
  }
  if (!s->state[EXACT] || !s->infeasible)
    add_turn(s, AMP, most);
}

/* Budgets are kept here, so members get the largest ones. */
static bperc_status create_member(state *s, int member, bperc_error *error) {
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  const bperc_solver_class *class = members[member];
  bperc_options_default(class->options(), options);
  if (member == SBPI)
    ((bperc_sbpi_options *)options)->max_sweeps = 1000000000;
  else if (member == AMP)
    ((bperc_amp_options *)options)->max_iterations = (int64_t)1e12;
  return bperc_solver_new(
      class, s->in, options,
      &(bperc_run_options){.seed = s->seed, .threads = s->threads},
      &s->state[member], error);
}

/* A member that does not take such an instance is left out. */
/* The complete search goes through tables up to so many weights, above with
 * cutting planes, which pay on sparse patterns. */
static bool is_provable(const state *s) {
  size_t inputs = 0;
  if (s->options.proof_slices == 0)
    return false;
  for (size_t mu = 0; mu < s->in->m; mu++)
    inputs += bperc_instance_degree(s->in, mu);
  return s->in->n <= MAX_TABLED || inputs <= MAX_CUT_INPUTS;
}

static bperc_status create_members(state *s, bperc_error *error) {
  bperc_error own = {BPERC_OK, ""};
  for (int k = 0; k < MEMBERS; k++) {
    bperc_status status =
        k == EXACT && !is_provable(s) ? BPERC_OK : create_member(s, k, &own);
    if (status == BPERC_E_MEMORY && k != EXACT) {
      if (error)
        *error = own;
      return status;
    }
  }
  plan_turns(s);
  return s->turn_count ? BPERC_OK
                       : bperc_error_set(error, BPERC_E_ARGUMENT,
                                         "all budgets of auto are 0");
}

/* ---- life */

static void auto_destroy(void *object) {
  state *s = object;
  if (!s)
    return;
  for (int k = 0; k < MEMBERS; k++)
    bperc_solver_free(s->state[k]);
  bperc_i_free(s);
}

static bperc_status auto_create(const bperc_instance *in, const void *options,
                                uint64_t seed, unsigned threads, void **out,
                                bperc_error *error) {
  state *s = bperc_i_calloc(1, sizeof *s);
  size_t contradictions = 0;
  bperc_status status = BPERC_E_MEMORY;
  *out = NULL;
  if (s) {
    s->in = in;
    s->seed = seed;
    s->threads = threads;
    memcpy(&s->options, options, sizeof s->options);
    status = bperc_instance_contradictions(in, NULL, 0, &contradictions);
    s->infeasible = contradictions > 0;
  }
  if (status == BPERC_OK)
    status = create_members(s, error);
  else
    bperc_error_set(error, status, "no memory for the search, N = %zu", in->n);
  if (status == BPERC_OK)
    *out = s;
  else
    auto_destroy(s);
  return status;
}

/* ---- steps */

static int member_now(const state *s) { return s->turns[s->now].member; }

static uint64_t auto_unavoidable(const void *object) {
  const state *s = object;
  return s->state[EXACT] ? bperc_solver_unavoidable(s->state[EXACT]) : 0;
}

static bperc_progress auto_step(void *object) {
  state *s = object;
  int k = member_now(s);
  bperc_progress progress = bperc_solver_step(s->state[k]);
  bool over;
  s->steps++;
  s->own[k]++;
  if (progress == BPERC_SOLVED ||
      (progress == BPERC_CONTRADICTION && members[k]->complete))
    return progress;
  /* Once it is proven that there is no solution, the fewest errors have a
   * budget of their own. */
  if (k == EXACT && auto_unavoidable(s) > 0)
    return progress;
  over = progress != BPERC_RUNNING || s->own[k] >= s->turns[s->now].until;
  if (over && s->now + 1 == s->turn_count)
    return s->infeasible ? BPERC_CONTRADICTION : BPERC_EXHAUSTED;
  s->now += over;
  return BPERC_RUNNING;
}

static void auto_view(const void *object, bperc_view *out) {
  const state *s = object;
  int k = member_now(s);
  bperc_solver_view(s->state[k], out);
  out->step = s->steps;
}

/* The complete search has none: zeros. */
static void auto_fields(const void *object, double *out) {
  const state *s = object;
  if (bperc_solver_fields(s->state[member_now(s)], out) != BPERC_OK)
    memset(out, 0, s->in->n * sizeof *out);
}

static void auto_start(void *object, const uint64_t *weights, double field) {
  state *s = object;
  for (int k = 0; k < MEMBERS; k++)
    if (s->state[k] && members[k]->methods->start)
      members[k]->methods->start(s->state[k]->state, weights, field);
}

static const char *auto_member(const void *object) {
  return members[member_now(object)]->name;
}

static const bperc_solver_methods methods = {
    .create = auto_create,
    .step = auto_step,
    .view = auto_view,
    .fields = auto_fields,
    .destroy = auto_destroy,
    .member = auto_member,
    .start = auto_start,
    .unavoidable = auto_unavoidable,
};

const bperc_solver_class bperc_auto_class = {
    .name = "auto",
    .summary = "SBPI, AMP and the complete search in turn",
    .step_name = "steps",
    .complete = 1,
    .options = auto_option_table,
    .options_size = sizeof(bperc_auto_options),
    .methods = &methods,
    .seedless = 1, /* AMP: only SBPI's sweeps differ */
};
