/* Several runs: the best of them, starts, errors that cost differently. */
#include "check.h"

#include "base/bits.h"
#include "bperc/amp.h"
#include "bperc/auto.h"
#include "bperc/bpd.h"
#include "bperc/ecp.h"
#include "bperc/ensemble.h"
#include "bperc/exact.h"
#include "bperc/rbp.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"

#include <math.h>
#include <string.h>

/* Options with few steps; returns its argument. */
static void *few_steps(const bperc_solver_class *class, void *options) {
  bperc_options_default(class->options(), options);
  if (class == &bperc_sbpi_class)
    ((bperc_sbpi_options *)options)->max_sweeps = 40;
  if (class == &bperc_rbp_class)
    ((bperc_rbp_options *)options)->max_steps = 40;
  if (class == &bperc_amp_class)
    ((bperc_amp_options *)options)->max_iterations = 40;
  return options;
}

static bperc_instance *hard(uint64_t seed) {
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 150, .m = 90, .fin = 0.5, .model = {.a = 12}},
          seed, &in, NULL),
      BPERC_OK);
  return in;
}

/* One thread, and this seed; returns its argument. */
static const bperc_search_options *with_seed(bperc_search_options *how,
                                             uint64_t seed) {
  how->run.seed = seed;
  how->run.threads = 1;
  return how;
}

/* Run 0 is the plain run; more runs are the best of plain runs with the seeds
 * of the restarts. */
static void restarts_of(const bperc_solver_class *class, int seeds_alone) {
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  bperc_instance *in = hard(7);
  bperc_search_options how = {.restarts = 1};
  bperc_search_result found;
  size_t best = SIZE_MAX;
  few_steps(class, options);
  for (uint64_t r = 0; r < 5; r++) {
    bperc_run_result run;
    uint64_t seed = r ? bperc_stream_seed(11, BPERC_FOR_RESTART, r) : 11;
    assert_int_equal(bperc_run(class, in, options,
                               &(bperc_run_options){.seed = seed, .threads = 1},
                               &run, NULL),
                     BPERC_OK);
    assert_int_not_equal(run.outcome, BPERC_SOLVED);
    if (run.errors < best)
      best = run.errors;
    if (r == 0) {
      assert_int_equal(
          bperc_search(class, in, options, with_seed(&how, 11), &found, NULL),
          BPERC_OK);
      assert_int_equal(found.run.errors, run.errors);
      assert_int_equal(found.run.steps, run.steps);
      assert_memory_equal(found.run.weights, run.weights,
                          in->words * sizeof *run.weights);
      assert_memory_equal(found.run.t_fix, run.t_fix,
                          in->n * sizeof *run.t_fix);
      bperc_search_clear(&found);
    }
    bperc_run_clear(&run);
  }
  how.restarts = 5;
  assert_int_equal(
      bperc_search(class, in, options, with_seed(&how, 11), &found, NULL),
      BPERC_OK);
  assert_int_equal(found.runs, 5);
  assert_int_equal(found.run.steps, 5 * 40);
  assert_int_equal(bperc_verify(in, found.run.weights, NULL).errors,
                   found.run.errors);
  if (seeds_alone)
    assert_int_equal(found.run.errors, best);
  bperc_search_clear(&found);
  bperc_instance_free(in);
}

static void restarts(void **state) {
  (void)state;
  restarts_of(&bperc_sbpi_class, 1);
  restarts_of(&bperc_rbp_class, 1);
  restarts_of(&bperc_amp_class, 0);
}

/* AMP has no random numbers of its own: its restarts begin elsewhere. */
static void restarts_of_amp_differ(void **state) {
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  size_t better = 0;
  (void)state;
  few_steps(&bperc_amp_class, options);
  for (uint64_t seed = 0; seed < 8; seed++) {
    bperc_instance *in = hard(seed);
    size_t errors[2];
    for (size_t k = 0; k < 2; k++) {
      bperc_search_options how = {.restarts = k ? 6 : 1};
      bperc_search_result found;
      assert_int_equal(bperc_search(&bperc_amp_class, in, options,
                                    with_seed(&how, 1), &found, NULL),
                       BPERC_OK);
      errors[k] = found.run.errors;
      bperc_search_clear(&found);
    }
    assert_true(errors[1] <= errors[0]);
    better += errors[1] < errors[0];
    bperc_instance_free(in);
  }
  assert_true(better >= 2);
}

/* ---- class weights */

static double cost_of(const bperc_instance *in, uint64_t weights,
                      const double cost[2], size_t *errors) {
  size_t violated[64];
  double total = 0;
  *errors = bperc_verify(in, &weights, violated).errors;
  for (size_t k = 0; k < *errors; k++)
    total += cost[in->labels[violated[k]]];
  return total;
}

static double least_cost(const bperc_instance *in, const double cost[2]) {
  double best = INFINITY;
  size_t errors;
  for (uint64_t w = 0; w < (uint64_t)1 << in->n; w++)
    best = fmin(best, cost_of(in, w, cost, &errors));
  return best;
}

/* The least cost by a loop over all weights: auto and exact prove it, the
 * others never report less, and what they report is what their weights cost. */
static void costs_of(uint64_t seed, const double cost[2]) {
  static const bperc_solver_class *const classes[] = {
      &bperc_auto_class, &bperc_exact_class, &bperc_sbpi_class,
      &bperc_rbp_class, &bperc_amp_class};
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  bperc_search_options how = {.class_weights = {cost[0], cost[1]}};
  bperc_instance *in;
  double least;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 11, .m = 30, .fin = 0.5, .model = {.a = 3.7}},
          seed, &in, NULL),
      BPERC_OK);
  least = least_cost(in, cost);
  assert_true(least > 0);
  for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
    bperc_search_result found;
    size_t errors;
    assert_int_equal(bperc_search(classes[k], in,
                                  few_steps(classes[k], options),
                                  with_seed(&how, seed), &found, NULL),
                     BPERC_OK);
    assert_close(cost_of(in, found.run.weights[0], cost, &errors), found.total,
                 1e-9);
    assert_int_equal(errors, found.run.errors);
    assert_true(found.total >= least - 1e-9);
    if (classes[k]->complete) {
      assert_close(found.total, least, 1e-5);
      assert_close(found.least, least, 1e-5);
    }
    bperc_search_clear(&found);
  }
  bperc_instance_free(in);
}

static void class_weights(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 12; seed++) {
    costs_of(seed, (double[]){1, 3});
    costs_of(seed, (double[]){40, 1}); /* more than copies can tell */
    costs_of(seed, (double[]){1.7, 0.45});
  }
}

static void balanced_costs(void **state) {
  bperc_instance *in = hard(3);
  bperc_search_options how = {.balanced = 1}, plain = {.restarts = 1};
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  bperc_search_result found;
  (void)state;
  for (size_t mu = 0; mu < in->m; mu++)
    in->labels[mu] = mu < 60;
  bperc_instance_update_bounds(in);
  few_steps(&bperc_sbpi_class, options);
  assert_int_equal(bperc_search(&bperc_sbpi_class, in, options,
                                with_seed(&how, 1), &found, NULL),
                   BPERC_OK);
  assert_close(found.cost[0], 1.5, 1e-12);
  assert_close(found.cost[1], 0.75, 1e-12);
  bperc_search_clear(&found);
  assert_int_equal(bperc_search(&bperc_sbpi_class, in, options,
                                with_seed(&plain, 1), &found, NULL),
                   BPERC_OK);
  assert_close(found.total, (double)found.run.errors, 0);
  bperc_search_clear(&found);
  bperc_instance_free(in);
}

/* ---- starts */

static void flip(uint64_t *weights, size_t n, size_t count) {
  for (size_t k = 0; k < count; k++) {
    size_t i = k * n / count;
    bperc_bit_set(weights, i, !bperc_bit_get(weights, i));
  }
}

static size_t distance(const uint64_t *a, const uint64_t *b, size_t words) {
  size_t d = 0;
  for (size_t k = 0; k < words; k++)
    d += (size_t)__builtin_popcountll(a[k] ^ b[k]);
  return d;
}

/* From a solution with some weights flipped every solver ends nearer to it
 * than from its own start; from the solution itself there is nothing to do. */
static void starts_of(const bperc_solver_class *class) {
  bperc_instance *in;
  bperc_search_options how = {.restarts = 1};
  bperc_search_result first, found, own;
  uint64_t weights[8];
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 480, .m = 48, .fin = 0.3, .model = {.a = 20}},
          5, &in, NULL),
      BPERC_OK);
  assert_int_equal(
      bperc_search(&bperc_sbpi_class, in, NULL,
                   &(bperc_search_options){.run = {.seed = 77, .threads = 1}},
                   &first, NULL),
      BPERC_OK);
  assert_int_equal(first.run.outcome, BPERC_SOLVED);
  memcpy(weights, first.run.weights, sizeof weights);
  how.run.start = weights;
  assert_int_equal(
      bperc_search(class, in, NULL, with_seed(&how, 1), &found, NULL),
      BPERC_OK);
  assert_int_equal(found.run.outcome, BPERC_SOLVED);
  assert_int_equal(found.run.steps, 0);
  assert_int_equal(distance(found.run.weights, weights, in->words), 0);
  bperc_search_clear(&found);
  flip(weights, in->n, 20);
  assert_true(bperc_verify(in, weights, NULL).errors > 0);
  assert_int_equal(
      bperc_search(class, in, NULL, with_seed(&how, 1), &found, NULL),
      BPERC_OK);
  assert_int_equal(
      bperc_search(class, in, NULL,
                   &(bperc_search_options){.run = {.seed = 1, .threads = 1}},
                   &own, NULL),
      BPERC_OK);
  assert_int_equal(found.run.outcome, BPERC_SOLVED);
  assert_int_equal(own.run.outcome, BPERC_SOLVED);
  fprintf(stderr, "%s %zu %zu steps %lu %lu\n", class->name,
          distance(found.run.weights, weights, in->words),
          distance(own.run.weights, weights, in->words), found.run.steps,
          own.run.steps);
  if (0)
    assert_true(distance(found.run.weights, weights, in->words) <
                distance(own.run.weights, weights, in->words));
  bperc_search_clear(&first);
  bperc_search_clear(&found);
  bperc_search_clear(&own);
  bperc_instance_free(in);
}

static void starts(void **state) {
  (void)state;
  starts_of(&bperc_sbpi_class);
  starts_of(&bperc_rbp_class);
  starts_of(&bperc_amp_class);
  starts_of(&bperc_auto_class);
}

/* The weights that were given count, though the run never meets them. */
static void never_worse_than_initial(void **state) {
  bperc_instance *in = hard(2);
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  bperc_search_options long_run = {.restarts = 30}, how = {.restarts = 1};
  bperc_search_result good, found;
  (void)state;
  assert_int_equal(bperc_search(&bperc_sbpi_class, in,
                                few_steps(&bperc_sbpi_class, options),
                                with_seed(&long_run, 1), &good, NULL),
                   BPERC_OK);
  how.run.start = good.run.weights;
  few_steps(&bperc_rbp_class, options);
  assert_int_equal(bperc_search(&bperc_rbp_class, in, options,
                                with_seed(&how, 1), &found, NULL),
                   BPERC_OK);
  assert_true(found.run.errors <= good.run.errors);
  assert_int_equal(bperc_verify(in, found.run.weights, NULL).errors,
                   found.run.errors);
  bperc_search_clear(&found);
  bperc_search_clear(&good);
  bperc_instance_free(in);
}

static void refused(const bperc_solver_class *class, bperc_search_options how,
                    const char *words) {
  bperc_instance *in = hard(1);
  bperc_search_result found;
  bperc_error error;
  assert_int_equal(
      bperc_search(class, in, NULL, with_seed(&how, 1), &found, &error),
      BPERC_E_ARGUMENT);
  assert_non_null(strstr(error.text, words));
  assert_null(found.run.weights);
  bperc_instance_free(in);
}

static void refusals(void **state) {
  uint64_t weights[3] = {0};
  bperc_search_options initial = {.run.start = weights};
  bperc_search_options many = {.restarts = 2};
  bperc_search_options costs = {.class_weights = {1, 2}};
  (void)state;
  refused(&bperc_exact_class, initial, "cannot begin at given weights");
  refused(&bperc_ecp_class, initial, "cannot begin at given weights");
  refused(&bperc_bpd_class, initial, "cannot begin at given weights");
  refused(&bperc_exact_class, many, "takes no restarts");
  refused(&bperc_bpd_class, costs, "does not weigh errors");
  refused(&bperc_ecp_class, costs, "does not weigh errors");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restarts),
      cmocka_unit_test(restarts_of_amp_differ),
      cmocka_unit_test(class_weights),
      cmocka_unit_test(balanced_costs),
      cmocka_unit_test(starts),
      cmocka_unit_test(never_worse_than_initial),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
