/* The list of solvers. */
#include "bperc/solver.h"
#include "base/options.h"

#include <assert.h>
#include <string.h>

#define ADDRESS(name) &bperc_##name##_class,
static const bperc_solver_class *const list[] = {BPERC_SOLVERS(ADDRESS) NULL};
#undef ADDRESS

const bperc_solver_class *const *bperc_solvers(void) { return list; }

const bperc_solver_class *bperc_solver_find(const char *name) {
  for (size_t k = 0; list[k]; k++)
    if (strcmp(list[k]->name, name) == 0)
      return list[k];
  return NULL;
}

bperc_status bperc_solver_options(const bperc_solver_class *solver,
                                  const bperc_instance *in, const void *options,
                                  void *out, bperc_error *error) {
  bperc_status status = bperc_i_options_take(
      solver->options(), solver->options_size, options, out, error);
  if (status == BPERC_OK && solver->choose)
    solver->choose(in, out);
  return status;
}

bperc_status bperc_solver_create(const bperc_solver_class *solver,
                                 const bperc_instance *in, const void *options,
                                 uint64_t seed, unsigned threads, void **out,
                                 bperc_error *error) {
  _Alignas(16) char taken[BPERC_SOLVER_OPTIONS_MOST];
  assert(solver->options_size <= sizeof taken);
  *out = NULL;
  if (bperc_i_options_take(solver->options(), solver->options_size, options,
                           taken, error))
    return BPERC_E_ARGUMENT;
  return solver->create(in, taken, seed, threads, out, error);
}

const char *bperc_solver_member(const bperc_solver_class *solver,
                                const void *state) {
  return solver->member ? solver->member(state) : solver->name;
}

uint64_t bperc_solver_unavoidable(const bperc_solver_class *class,
                                  const void *state) {
  return class->unavoidable ? class->unavoidable(state) : 0;
}
