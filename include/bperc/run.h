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

/* Called before the first step and after every step; a non-zero return ends
 * the run with BPERC_E_INTERRUPTED. */
typedef int bperc_watch(void *context, const bperc_solver_class *solver,
                        const void *state, const bperc_view *view);

/* options: struct of the class, NULL for defaults. watch may be NULL. On
 * interruption *out still holds what was reached. Clear *out afterwards. */
BPERC_API bperc_status bperc_run(const bperc_solver_class *solver,
                                 const bperc_instance *in, const void *options,
                                 uint64_t seed, unsigned threads,
                                 bperc_watch *watch, void *context,
                                 bperc_run_result *out, bperc_error *error);
BPERC_API void bperc_run_clear(bperc_run_result *result);

BPERC_C_END

#endif
