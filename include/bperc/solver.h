/* What all solvers look like: an object cut into steps.
 *
 * A solver is a class (one constant table per solver) and a state. A step is
 * the smallest unit that the paper plots: a sweep of SBPI and extended-CP, an
 * iteration of rBP, one weight fixed by decimation. A step allocates nothing,
 * prints nothing and calls nobody back: whoever drives the loop (bperc_run)
 * decides what to record. A solver does not know that it is watched.
 */
#ifndef BPERC_SOLVER_H
#define BPERC_SOLVER_H

#include "bperc/instance.h"
#include "bperc/options.h"

BPERC_C_BEGIN

/* What can be seen between steps; pointers are borrowed until the next. */
typedef struct {
  uint64_t step;           /* steps done */
  size_t errors;           /* patterns that the current weights violate */
  const uint64_t *weights; /* n bits; NULL for integer weights */
  const int32_t *integers; /* n weights of extended-CP; NULL otherwise */
} bperc_view;

typedef struct {
  const char *name;      /* "sbpi" */
  const char *summary;   /* one line for help */
  const char *step_name; /* "sweeps", "iterations", "weights fixed" */
  bperc_option_table (*options)(void);
  size_t options_size; /* bytes of the options struct */
  /* Replaces the numbers that the options leave to the program (AUTO rows) by
   * those that a run on this instance begins with. NULL: there are none. */
  void (*choose)(const bperc_instance *in, void *options);
  /* Borrows in until destroy; copies options, which are complete and checked:
   * bperc_solver_create sees to that. On failure *out is NULL. The answer
   * must not depend on threads. */
  bperc_status (*create)(const bperc_instance *in, const void *options,
                         uint64_t seed, unsigned threads, void **out,
                         bperc_error *error);
  /* BPERC_RUNNING: call again. The state keeps its own budget. */
  bperc_progress (*step)(void *state);
  void (*view)(const void *state, bperc_view *out);
  /* n hidden states or fields, for traces; NULL when there are none. */
  void (*fields)(const void *state, double *out);
  void (*destroy)(void *state); /* NULL is fine */
  /* Continues from the hidden state of an older run of this class with the
   * same n (capacity --warm); NULL when the solver has no such thing. */
  void (*adopt)(void *state, const void *older);
  /* Name of the member at work, for a solver made of several; else NULL. */
  const char *(*member)(const void *state);
  /* Before the first step: begins at these weights, n bits, instead of where
   * it would; `field` is log p/(1-p) that a weight stays, for solvers with
   * fields. NULL when the solver cannot. */
  void (*start)(void *state, const uint64_t *weights, double field);
  /* Errors that no weights avoid, as far as is known; 0 while there may be a
   * solution. NULL for solvers that prove nothing. */
  uint64_t (*unavoidable)(const void *state);
  int seedless;  /* the answer does not depend on the seed */
  int unbounded; /* weights are 0, 1, 2, ... instead of 0, 1 */
  /* Options that came later than its first version, in one string: at their
   * defaults no part of the name of a task of a sweep. NULL: none. */
  const char *later;
  int complete; /* BPERC_CONTRADICTION from this solver is a proof */
} bperc_solver_class;

/* The list of solvers, and their classes bperc_sbpi_class, ...: the only way
 * in. A new one needs its header in bperc.h, a line in two meson.build, and a
 * word here; commands, measurements, Python and help follow. */
#define BPERC_SOLVERS(X) X(sbpi) X(auto) X(amp) X(rbp) X(bpd) X(exact) X(ecp)
#define BPERC_SOLVER_DECLARE(name)                                             \
  BPERC_API extern const bperc_solver_class bperc_##name##_class;
BPERC_SOLVERS(BPERC_SOLVER_DECLARE)

/* Largest options struct of any solver, for buffers. */
#define BPERC_SOLVER_OPTIONS_MOST 512

/* All solvers, ended by NULL; and one by name, NULL if there is none. */
BPERC_API const bperc_solver_class *const *bperc_solvers(void);
BPERC_API const bperc_solver_class *bperc_solver_find(const char *name);

/* The options that a run on this instance uses: options NULL means the
 * defaults, others are checked, and what they leave to the program (`auto`) is
 * the number chosen. out: options_size bytes. The sentence of a failure names
 * the option. */
BPERC_API bperc_status bperc_solver_options(const bperc_solver_class *solver,
                                            const bperc_instance *in,
                                            const void *options, void *out,
                                            bperc_error *error);
/* The one way to a state: options NULL means the defaults, and others are
 * checked. Everything else is called through the class. */
BPERC_API bperc_status bperc_solver_create(const bperc_solver_class *solver,
                                           const bperc_instance *in,
                                           const void *options, uint64_t seed,
                                           unsigned threads, void **out,
                                           bperc_error *error);
/* Name of the member at work, or of the solver itself. */
BPERC_API const char *bperc_solver_member(const bperc_solver_class *solver,
                                          const void *state);
/* Errors that no weights avoid, as far as this state knows. */
BPERC_API uint64_t bperc_solver_unavoidable(const bperc_solver_class *solver,
                                            const void *state);

BPERC_C_END

#endif
