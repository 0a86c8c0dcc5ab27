/* Driving a solver: steps under the solver's own budget, the best weights met,
 * when each weight took its final value, and whoever wants to watch. */
#ifndef BPERC_RUN_H
#define BPERC_RUN_H

#include "bperc/solver.h"

BPERC_C_BEGIN

typedef struct {
  bperc_progress outcome;
  uint64_t steps;
  size_t errors;     /* patterns missed by the best weights met */
  uint64_t *weights; /* best met (solved: the solution); NULL for integers */
  int32_t *integers; /* extended-CP only */
  uint64_t *final;   /* where the run ended; differs from best if unsolved */
  uint32_t *t_fix;   /* per weight: last step at which its sign changed, 0 if
                        never [BZ t_i^fix]; saturates at 2^32 - 1 */
  double seconds;
  const char *by; /* the member at work at the end; the solver's own name for
                     one without members; lasts */
} bperc_run_result;

/* options: struct of the class, NULL for defaults. After BPERC_E_INTERRUPTED
 * (the watch, a deadline, bperc_cancel) *out holds what was reached, after
 * another failure it is empty. Clear it in any case: it owns memory unless it
 * is empty. */
BPERC_API bperc_status bperc_run(const bperc_solver_class *solver,
                                 const bperc_instance *in, const void *options,
                                 const bperc_run_options *how,
                                 bperc_run_result *out, bperc_error *error);
BPERC_API void bperc_run_clear(bperc_run_result *result);

/* Several runs of a solver, of which the best weights are kept: those with the
 * least cost of errors, which need not be those of the last step. */
typedef struct {
  bperc_run_options run;   /* of run 0; of the others seed and start differ */
  size_t restarts;         /* runs in all; 0: 1. Run r > 0 has the seed (seed,
                              BPERC_FOR_RESTART, r) */
  double class_weights[2]; /* cost of an error on label 0 and 1; 0: equal */
  int balanced;            /* costs inverse to the label's share */
} bperc_search_options;

typedef struct {
  bperc_run_result run; /* of the run with the best weights, but steps and
                           seconds are of all runs. When weights cost
                           differently, `final` and t_fix are of that run and
                           `errors` counts each violated pattern once */
  size_t runs, best;    /* runs begun; the one with the best weights */
  double cost[2];       /* of an error on label 0 and 1, in force */
  double total;         /* cost of the best weights */
  double least;         /* no weights cost less; 0 when nothing is known */
} bperc_search_result;

/* Ends with the first solution. Solvers without a start refuse one, those that
 * do not depend on the seed and cannot start elsewhere refuse restarts; bpd
 * refuses class weights. With class weights the solver sees copies of the
 * patterns in about that ratio (at most 12 of one), the cost is that of the
 * numbers given, and where the solver is complete the least cost is proven for
 * up to about 60 weights. After a failure *out as of bperc_run; clear it with
 * bperc_search_clear. */
BPERC_API bperc_status bperc_search(const bperc_solver_class *solver,
                                    const bperc_instance *in,
                                    const void *options,
                                    const bperc_search_options *how,
                                    bperc_search_result *out,
                                    bperc_error *error);
BPERC_API void bperc_search_clear(bperc_search_result *result);

BPERC_C_END

#endif
