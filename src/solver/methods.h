/* What a class of solvers does. Its functions get the state that `create` made,
 * behind a bperc_solver, which knows its class. */
#ifndef BPERC_SOLVER_METHODS_H
#define BPERC_SOLVER_METHODS_H

#include "bperc/solver.h"

struct bperc_solver_methods {
  /* Replaces the numbers that the options leave to the program (AUTO rows) by
   * those that a run on this instance begins with. NULL: there are none. */
  void (*choose)(const bperc_instance *in, void *options);
  /* Borrows in until destroy; copies options, which are complete and checked.
   * On failure *out is NULL. The answer must not depend on threads. */
  bperc_status (*create)(const bperc_instance *in, const void *options,
                         uint64_t seed, unsigned threads, void **out,
                         bperc_error *error);
  bperc_progress (*step)(void *state);
  void (*view)(const void *state, bperc_view *out);
  void (*destroy)(void *state);
  /* What follows may be NULL: the class has no such thing. */
  void (*fields)(const void *state, double *out);
  void (*adopt)(void *state, const void *older);
  /* Before the first step. */
  void (*start)(void *state, const uint64_t *weights, double field);
  const char *(*member)(const void *state);
  uint64_t (*unavoidable)(const void *state);
};

struct bperc_solver {
  const bperc_solver_class *class;
  void *state;
};

/* The sentence for a class that cannot begin at given weights. */
bperc_status bperc_i_no_start(const bperc_solver_class *class,
                              bperc_error *error);

/* How far a start is believed that nothing else is said about: p = 0.98. */
#define BPERC_I_START_FIELD 4.0

#endif
