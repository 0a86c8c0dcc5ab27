/* One task of a plan, run for its numbers: what tests of measurements share. */
#ifndef BPERC_TESTS_MEASURED_H
#define BPERC_TESTS_MEASURED_H

#include "check.h"

#include "bperc/lab/plan.h"
#include "bperc/run.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"
#include "lab/plan/plan.h"

#include <string.h>

typedef struct {
  bperc_experiment *x;
  bperc_inputs in;
  bperc_record *record;
} measured;

/* Instance `instance` of the only point of a plan with one block. */
static inline measured measured_run(const char *keys, uint32_t instance) {
  measured t = {0};
  char plan[2000];
  bperc_error error = {BPERC_OK, ""};
  bperc_i_identity id;
  const bperc_i_points *points;
  snprintf(plan, sizeof plan, "[block b]\nmeasurement = %s\n", keys);
  if (bperc_experiment_parse("p", plan, strlen(plan), &t.x, &error))
    fail_msg("%s", error.text);
  points = &t.x->blocks[0].points[BPERC_SCALE_QUICK];
  assert_int_equal(points->count, 1);
  id = bperc_i_point_identity(&points->points[0], 1, instance);
  t.in = bperc_i_point_inputs(&points->points[0], id.seed, instance);
  assert_int_equal(bperc_record_new(&t.record), BPERC_OK);
  if (t.x->blocks[0].measurement->run(&t.in, t.record, &error))
    fail_msg("%s: %s", keys, error.text);
  return t;
}

static inline void measured_clear(measured *t) {
  bperc_record_free(t->record);
  bperc_experiment_free(t->x);
}

/* The numbers called name, NULL when the task left none. */
static inline const double *numbers(const measured *t, const char *name,
                                    size_t *count) {
  int is_vector;
  for (size_t k = 0; k < bperc_record_count(t->record); k++)
    if (strcmp(bperc_record_name(t->record, k), name) == 0)
      return bperc_record_values(t->record, k, count, &is_vector);
  return NULL;
}

static inline double number(const measured *t, const char *name, size_t k) {
  size_t count = 0;
  const double *v = numbers(t, name, &count);
  if (!v || k >= count)
    fail_msg("there is no %s[%zu]", name, k);
  return v[k];
}

/* The problem of the task, made again. */
static inline bperc_instance *measured_problem(const measured *t, size_t n,
                                               size_t m, double fin, double a) {
  bperc_ensemble e = {.n = n, .m = m, .fin = fin, .model = {.a = a}};
  bperc_instance *out;
  assert_int_equal(bperc_i_problem_make(&e, &t->in, &out, NULL), BPERC_OK);
  return out;
}

/* Runs and decimations as the task has them: options of a group, a seed of the
 * part. */
static inline bperc_run_result measured_solve(const measured *t,
                                              const bperc_instance *p,
                                              const char *solver, size_t group,
                                              uint64_t part) {
  bperc_run_result r = {0};
  assert_int_equal(
      bperc_run(bperc_solver_find(solver), p, t->in.groups[group],
                &(bperc_run_options){.seed = bperc_i_problem_seed(&t->in, part),
                                     .threads = 1},
                &r, NULL),
      BPERC_OK);
  return r;
}

static inline bperc_order measured_decimate(const measured *t,
                                            const bperc_instance *p,
                                            size_t group, uint64_t part) {
  bperc_order order;
  assert_int_equal(bperc_i_order_bpd(p, t->in.groups[group],
                                     bperc_i_problem_seed(&t->in, part), NULL,
                                     &order, NULL),
                   BPERC_OK);
  return order;
}

static inline int bit(const uint64_t *words, size_t i) {
  return (int)(words[i / 64] >> i % 64 & 1);
}

#endif
