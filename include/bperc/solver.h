/* What all solvers look like: an object cut into steps.
 *
 * A solver belongs to a class (one constant table per kind of solver, with what
 * can be told about it). A step is the smallest unit that the paper plots: a
 * sweep of SBPI and extended-CP, an iteration of rBP, one weight fixed by
 * decimation. A step allocates nothing, prints nothing and calls nobody back:
 * whoever drives the loop (bperc_run) decides what to record. A solver does not
 * know that it is watched.
 */
#ifndef BPERC_SOLVER_H
#define BPERC_SOLVER_H

#include "bperc/instance.h"
#include "bperc/options.h"

BPERC_C_BEGIN

/* A solver at work on an instance: of one thread at a time. */
typedef struct bperc_solver bperc_solver;
/* What the library knows besides; private. */
typedef struct bperc_solver_methods bperc_solver_methods;

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
  int seedless;        /* the answer does not depend on the seed */
  int unbounded;       /* weights are 0, 1, 2, ... instead of 0, 1 */
  /* Options that came later than its first version, in one string: at their
   * defaults no part of the name of a task of a sweep. NULL: none. */
  const char *later;
  int complete; /* BPERC_CONTRADICTION from this solver is a proof */
  const bperc_solver_methods *methods;
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

/* Called before the first step and after every step; a non-zero return ends
 * the run with BPERC_E_INTERRUPTED. */
typedef int bperc_watch(void *context, const bperc_solver *solver,
                        const bperc_view *view);

/* How a solver runs, whatever its class. All zero, or NULL in place of it: seed
 * 0, all cores, no start, nobody watches. */
typedef struct {
  uint64_t seed;
  unsigned threads;      /* 0: all cores; the answer does not depend on them */
  const uint64_t *start; /* n bits: begins there; NULL: where it would */
  double start_field;    /* log p/(1-p) that a weight of the start stays, for
                            solvers with fields; 0: 4, which is p = 0.98 */
  bperc_watch *watch;    /* bperc_run and what drives solvers call it; NULL */
  void *context;         /* its first argument */
} bperc_run_options;

/* The one way to a solver: options NULL means the defaults of its class, others
 * are checked. Borrows in until it is freed; the start is copied. A class that
 * cannot begin at given weights answers BPERC_E_ARGUMENT. On failure *out is
 * NULL. */
BPERC_API bperc_status bperc_solver_new(const bperc_solver_class *solver,
                                        const bperc_instance *in,
                                        const void *options,
                                        const bperc_run_options *how,
                                        bperc_solver **out, bperc_error *error);
BPERC_API void bperc_solver_free(bperc_solver *solver); /* NULL is fine */

/* BPERC_RUNNING: call again. The solver keeps its own budget. */
BPERC_API bperc_progress bperc_solver_step(bperc_solver *solver);
BPERC_API void bperc_solver_view(const bperc_solver *solver, bperc_view *out);
/* n hidden states or fields, for traces; BPERC_E_ARGUMENT, and out as it was,
 * when the class has none. */
BPERC_API bperc_status bperc_solver_fields(const bperc_solver *solver,
                                           double *out);
/* Continues from the hidden state of an older solver of the same class and n
 * (capacity --warm); BPERC_E_ARGUMENT when the class has no such thing, or the
 * other one is of another class. */
BPERC_API bperc_status bperc_solver_adopt(bperc_solver *solver,
                                          const bperc_solver *older);
BPERC_API const bperc_solver_class *
bperc_solver_kind(const bperc_solver *solver);
/* Name of the member at work, for a solver made of several, or of the class;
 * lasts. */
BPERC_API const char *bperc_solver_member(const bperc_solver *solver);
/* Errors that no weights avoid, as far as this solver knows; 0 while there may
 * be a solution. */
BPERC_API uint64_t bperc_solver_unavoidable(const bperc_solver *solver);

BPERC_C_END

#endif
