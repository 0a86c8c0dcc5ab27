/* The list of solvers, and what all of them have. */
#include "base/alloc.h"
#include "base/options.h"
#include "model/bit_rows.h"
#include "solver/methods.h"

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

bperc_status bperc_solver_options(const bperc_solver_class *class,
                                  const bperc_instance *in, const void *options,
                                  void *out, bperc_error *error) {
  bperc_status status = bperc_i_options_take(
      class->options(), class->options_size, options, out, error);
  if (status == BPERC_OK)
    status = bperc_i_one_sided(&in, class->name, error);
  if (status == BPERC_OK && class->methods->choose)
    class->methods->choose(in, out);
  return status;
}

/* ---- life */

bperc_status bperc_i_no_start(const bperc_solver_class *class,
                              bperc_error *error) {
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s cannot begin at given weights: use sbpi, rbp, "
                         "amp or auto",
                         class->name);
}

static bperc_status start_solver(bperc_solver *s, const bperc_run_options *how,
                                 bperc_error *error) {
  if (!how->start)
    return BPERC_OK;
  if (!s->class->methods->start)
    return bperc_i_no_start(s->class, error);
  s->class->methods->start(s->state, how->start,
                           how->start_field == 0 ? BPERC_I_START_FIELD
                                                 : how->start_field);
  return BPERC_OK;
}

bperc_status bperc_solver_new(const bperc_solver_class *class,
                              const bperc_instance *in, const void *options,
                              const bperc_run_options *asked,
                              bperc_solver **out, bperc_error *error) {
  _Alignas(16) char taken[BPERC_SOLVER_OPTIONS_MOST];
  bperc_run_options how;
  bperc_solver *s;
  bperc_status status;
  assert(class->options_size <= sizeof taken);
  *out = NULL;
  bperc_i_options_plain(sizeof how, asked, &how);
  status = bperc_i_options_take(class->options(), class->options_size, options,
                                taken, error);
  if (status == BPERC_OK)
    status = bperc_i_one_sided(&in, class->name, error);
  if (status != BPERC_OK)
    return status;
  s = bperc_i_calloc(1, sizeof *s);
  if (!s)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for %s",
                           class->name);
  s->class = class;
  status = class->methods->create(in, taken, how.seed, how.threads, &s->state,
                                  error);
  if (status == BPERC_OK)
    status = start_solver(s, &how, error);
  if (status == BPERC_OK)
    *out = s;
  else
    bperc_solver_free(s);
  return status;
}

void bperc_solver_free(bperc_solver *s) {
  if (!s)
    return;
  s->class->methods->destroy(s->state);
  bperc_i_free(s);
}

/* ---- between steps */

bperc_progress bperc_solver_step(bperc_solver *s) {
  return s->class->methods->step(s->state);
}

void bperc_solver_view(const bperc_solver *s, bperc_view *out) {
  s->class->methods->view(s->state, out);
}

bperc_status bperc_solver_fields(const bperc_solver *s, double *out) {
  if (!s->class->methods->fields)
    return BPERC_E_ARGUMENT;
  s->class->methods->fields(s->state, out);
  return BPERC_OK;
}

bperc_status bperc_solver_adopt(bperc_solver *s, const bperc_solver *older) {
  if (!s->class->methods->adopt || older->class != s->class)
    return BPERC_E_ARGUMENT;
  s->class->methods->adopt(s->state, older->state);
  return BPERC_OK;
}

const bperc_solver_class *bperc_solver_kind(const bperc_solver *s) {
  return s->class;
}

const char *bperc_solver_member(const bperc_solver *s) {
  return s->class->methods->member ? s->class->methods->member(s->state)
                                   : s->class->name;
}

uint64_t bperc_solver_unavoidable(const bperc_solver *s) {
  return s->class->methods->unavoidable
             ? s->class->methods->unavoidable(s->state)
             : 0;
}
