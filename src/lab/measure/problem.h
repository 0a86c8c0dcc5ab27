/* What measurements on random instances share: the parameters of the problem
 * and the instance itself.
 *
 * Their seed depends on n besides the instance number (SEEDED): curves against
 * A or alpha, and different solvers, see the same problems; problems of
 * different f_in have the same labels.
 */
#ifndef BPERC_MEASURE_PROBLEM_H
#define BPERC_MEASURE_PROBLEM_H

#include "bperc/decimate.h"
#include "bperc/ensemble.h"
#include "bperc/lab/measure.h"
#include "bperc/run.h"

#define BPERC_I_PROBLEM_SEEDED "n"

/* What came after the first version: at its default no part of the name of a
 * task, so that older results are found. */
#define BPERC_I_PROBLEM_LATER "weights inputs threshold kappa fout"

/* Both, in the table of a measurement. */
#define BPERC_I_PROBLEM_NAMED                                                  \
  .seeded_by = BPERC_I_PROBLEM_SEEDED, .later = BPERC_I_PROBLEM_LATER

#define BPERC_I_MODEL_ROWS(X)                                                  \
  X(CHOICE, weights, 0, 0, "01|pm",                                            \
    "values of weights: 0 and 1, or -1 and +1")                                \
  X(CHOICE, inputs, 0, 0, "01|pm", "values of inputs, fin is that of 1")       \
  X(REAL, threshold, 0, 0, -1e12, 1e12,                                        \
    "the threshold where a is 0, and for inputs = pm")                         \
  X(REAL, kappa, 0, 0, 0, 1e12, "margin around the threshold")                 \
  X(REAL, fout, 0.5, 0.5, 1e-9, 0.999999999, "probability of label 1 [f_out]")

#define BPERC_I_SIZE_ROWS(X)                                                   \
  X(INT, n, 480, 480, 1, 1e7, "number of weights [N]")                         \
  X(REAL, fin, 0.3, 0.3, 0, 1, "probability of an input to be 1 [f_in]")       \
  X(REAL, a, 40, 40, 0, 1e9, "threshold parameter: output 1 when w.xi > N/A")  \
  X(CHOICE, ties, 0, 0, "zero|strict|either",                                  \
    "meaning of a sum on the threshold")                                       \
  BPERC_I_MODEL_ROWS(X)

#define BPERC_I_PROBLEM_ROWS(X)                                                \
  BPERC_I_SIZE_ROWS(X)                                                         \
  X(REAL, alpha, 0.2, 0.2, 0, 1e4,                                             \
    "patterns per weight; M is the nearest whole number to alpha N")

/* Of any options struct that has these rows. */
#define BPERC_I_ENSEMBLE(o, patterns)                                          \
  ((bperc_ensemble){.n = (size_t)(o)->n,                                       \
                    .m = (patterns),                                           \
                    .fin = (o)->fin,                                           \
                    .fout = (o)->fout,                                         \
                    .model = {.a = (o)->inputs ? 0 : (o)->a,                   \
                              .theta = (o)->threshold,                         \
                              .kappa = (o)->kappa,                             \
                              .ties = (bperc_ties)(o)->ties,                   \
                              .weights = (bperc_weight_kind)(o)->weights,      \
                              .inputs = (bperc_input_kind)(o)->inputs}})
#define BPERC_I_PATTERNS(o) ((size_t)nearbyint((o)->alpha * (double)(o)->n))

/* With a data file: its rows, N and kind of inputs, M in proportion. */
bperc_ensemble bperc_i_problem_rows(const bperc_ensemble *e,
                                    const bperc_inputs *inputs);
/* The random instance of these inputs. */
bperc_status bperc_i_problem_make(const bperc_ensemble *e,
                                  const bperc_inputs *inputs,
                                  bperc_instance **out, bperc_error *error);
/* A seed of its own for each random part of a task. */
uint64_t bperc_i_problem_seed(const bperc_inputs *inputs, uint64_t part);

/* The option `solver` of a measurement: its rows and groups. */
#define BPERC_I_SOLVER_BAR(name) "|" #name
#define BPERC_I_SOLVER_CHOICES (&BPERC_SOLVERS(BPERC_I_SOLVER_BAR)[1])
#define BPERC_I_SOLVER_GROUP(name) {#name, NULL, 0, "solver=" #name},
#define BPERC_I_SOLVER_GROUPS BPERC_SOLVERS(BPERC_I_SOLVER_GROUP)
/* The same of those whose weights are bits: not ecp. */
#define BPERC_I_BITS(X) X(sbpi) X(auto) X(amp) X(rbp) X(bpd) X(exact)
#define BPERC_I_BITS_CHOICES (&BPERC_I_BITS(BPERC_I_SOLVER_BAR)[1])
#define BPERC_I_BITS_GROUPS BPERC_I_BITS(BPERC_I_SOLVER_GROUP)
/* The solver that the option `solver` of these inputs names; NULL if there is
 * none. */
const bperc_solver_class *bperc_i_problem_choice(const bperc_measurement *self,
                                                 const bperc_inputs *inputs);
/* The same with its options, from the group of its name. */
bperc_status bperc_i_problem_solver(const bperc_measurement *self,
                                    const bperc_inputs *inputs,
                                    const bperc_solver_class **solver,
                                    const void **options, bperc_error *error);

/* ---- a task at work */

enum { BPERC_I_KEPT = 16 };

typedef struct {
  const bperc_measurement *self;
  const bperc_inputs *in;
  const bperc_instance *problem; /* of the inputs */
  const uint64_t *weights;       /* that its solver found, of WEIGHTS_RUN */
  bperc_record *out;
  bperc_error *error;
  bperc_status status; /* why something could not be kept */
  struct {
    void *what;
    void (*release)(void *);
  } kept[BPERC_I_KEPT]; /* until the task ends */
  size_t kept_count;
} bperc_i_probe;

typedef bperc_status bperc_i_probe_use(bperc_i_probe *t);

/* `run_NAME_task` of a measurement with options NAME_options: its random
 * instance is made, handed to `use` and released, with all that the task keeps.
 */
#define BPERC_I_PROBLEM_RUN(name, use)                                         \
  static bperc_status run_##name##_task(                                       \
      const bperc_inputs *in, bperc_record *out, bperc_error *error) {         \
    const name##_options *o = in->own;                                         \
    bperc_ensemble e = BPERC_I_ENSEMBLE(o, BPERC_I_PATTERNS(o));               \
    return bperc_i_probe_run(&bperc_i_measure_##name, &e, in, use, out,        \
                             error);                                           \
  }
bperc_status bperc_i_probe_run(const bperc_measurement *self,
                               const bperc_ensemble *e, const bperc_inputs *in,
                               bperc_i_probe_use *use, bperc_record *out,
                               bperc_error *error);
/* The same of the weights that its solver finds: it runs on the problem and
 * `solved` is recorded; an unsolved run leaves nothing else. */
#define BPERC_I_WEIGHTS_RUN(name, use)                                         \
  static bperc_status solve_##name(bperc_i_probe *t) {                         \
    return bperc_i_probe_solve(t, use);                                        \
  }                                                                            \
  BPERC_I_PROBLEM_RUN(name, solve_##name)
bperc_status bperc_i_probe_solve(bperc_i_probe *t, bperc_i_probe_use *use);

void bperc_i_put(bperc_i_probe *t, const char *name, double value);
void bperc_i_put_all(bperc_i_probe *t, const char *name, const double *values,
                     size_t count);
uint64_t bperc_i_probe_seed(const bperc_i_probe *t, uint64_t part);
/* Options of the group with this prefix. */
const void *bperc_i_probe_group(const bperc_i_probe *t, const char *prefix);
/* Runs the solver that the option `solver` names on a problem, with the seed of
 * a part and a watch, or NULL. */
bperc_status bperc_i_probe_try(bperc_i_probe *t, const bperc_instance *problem,
                               uint64_t part, bperc_watch *watch, void *context,
                               bperc_run_result *out);

/* What follows lives until the task ends; NULL: it failed, t->status says how.
 * Zeros at first. */
double *bperc_i_probe_room(bperc_i_probe *t, size_t count);
/* Decimation by bp, options "bpd" and the seed of a part, to its end; uniform:
 * NULL, or the seed of uniform decimation. */
const bperc_order *bperc_i_probe_order(bperc_i_probe *t, uint64_t part,
                                       const uint64_t *uniform);

#endif
