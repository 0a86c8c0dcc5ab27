/* Capacity and solving time: each trial by hand, threads, statistics. */
#include "check.h"

#include "base/alloc.h"
#include "base/cancel.h"
#include "bperc/capacity.h"
#include "bperc/ensemble.h"
#include "bperc/run.h"
#include "bperc/sbpi.h"
#include "bperc/solving.h"
#include "run/trials.h"

#include <string.h>

static const bperc_ensemble small = {
    .n = 60, .m = 20, .fin = 0.4, .model = {.a = 10}};

/* The definition, with whole runs: every m up to the capacity is solved, the
 * next one is not. */
static void capacity_by_hand(void **state) {
  bperc_sbpi_options options;
  (void)state;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.max_sweeps = 50;
  for (size_t trial = 0; trial < 6; trial++) {
    bperc_ensemble e = small;
    bperc_capacity_one one;
    bperc_instance *whole, *in;
    uint64_t seed = bperc_stream_seed(3, BPERC_FOR_TRIAL, trial), steps = 0;
    e.m = 0;
    assert_int_equal(
        bperc_capacity_trial(&bperc_sbpi_class, &options,
                             &(bperc_trials){.ensemble = &e, .seed = 3}, trial,
                             &one, NULL),
        BPERC_OK);
    assert_close(one.capacity, (double)one.patterns / 60, 1e-15);
    bperc_ensemble_draw(
        &(bperc_ensemble){.n = e.n,
                          .m = 304,
                          .fin = e.fin,
                          .model = {.a = e.model.a, .ties = e.model.ties}},
        seed, &whole, NULL);
    for (size_t m = 1; m <= one.patterns + 1; m++) {
      bperc_run_result run;
      bperc_instance_without(whole, m, whole->m - m, &in, NULL);
      assert_int_equal(
          bperc_run(&bperc_sbpi_class, in, &options,
                    &(bperc_run_options){.seed = bperc_i_run_seed(seed, m),
                                         .threads = 1},
                    &run, NULL),
          BPERC_OK);
      assert_int_equal(run.outcome == BPERC_SOLVED, m <= one.patterns);
      steps += run.steps;
      bperc_run_clear(&run);
      bperc_instance_free(in);
    }
    assert_int_equal(one.steps, steps);
    bperc_instance_free(whole);
  }
}

static void threads_do_not_matter(void **state) {
  bperc_capacity_one a[7], b[7];
  bperc_solving_one x[7], y[7];
  (void)state;
  for (int warm = 0; warm < 2; warm++) {
    bperc_capacity_trials(&bperc_sbpi_class, NULL,
                          &(bperc_trials){.ensemble = &small,
                                          .warm = warm,
                                          .trials = 7,
                                          .seed = 5,
                                          .threads = 1},
                          a, NULL);
    bperc_capacity_trials(&bperc_sbpi_class, NULL,
                          &(bperc_trials){.ensemble = &small,
                                          .warm = warm,
                                          .trials = 7,
                                          .seed = 5,
                                          .threads = 2},
                          b, NULL);
    assert_memory_equal(a, b, sizeof a);
  }
  bperc_solving_trials(
      &bperc_sbpi_class, NULL,
      &(bperc_trials){.ensemble = &small, .trials = 7, .seed = 5, .threads = 1},
      x, NULL);
  bperc_solving_trials(
      &bperc_sbpi_class, NULL,
      &(bperc_trials){.ensemble = &small, .trials = 7, .seed = 5, .threads = 3},
      y, NULL);
  for (int k = 0; k < 7; k++) {
    assert_int_equal(x[k].steps, y[k].steps);
    assert_int_equal(x[k].errors, y[k].errors);
    assert_int_equal(x[k].outcome, y[k].outcome);
  }
}

static void a_bound_on_the_pairs(void **state) {
  bperc_ensemble e = small;
  bperc_capacity_one one;
  (void)state;
  e.m = 3;
  e.fin = 0.9;
  bperc_capacity_trial(&bperc_sbpi_class, NULL,
                       &(bperc_trials){.ensemble = &e, .seed = 1}, 0, &one,
                       NULL);
  assert_int_equal(one.patterns, 3);
}

/* The same trial through bperc_run. */
static void solving_by_hand(void **state) {
  (void)state;
  for (size_t trial = 0; trial < 8; trial++) {
    bperc_solving_one one;
    bperc_instance *in;
    bperc_run_result run;
    uint64_t seed;
    bperc_solving_trial(&bperc_sbpi_class, NULL,
                        &(bperc_trials){.ensemble = &small, .seed = 11}, trial,
                        &one, NULL);
    bperc_i_solving_instance(&small, 11, trial, &in, &seed, NULL);
    bperc_run(&bperc_sbpi_class, in, NULL,
              &(bperc_run_options){.seed = seed, .threads = 1}, &run, NULL);
    assert_int_equal(one.outcome, run.outcome);
    assert_int_equal(one.steps, run.steps);
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
}

static void summaries(void **state) {
  bperc_solving_one each[5] = {{BPERC_SOLVED, 7, 0, 0.5, 1},
                               {BPERC_EXHAUSTED, 100, 3, 9, 1},
                               {BPERC_SOLVED, 4, 0, 0.25, 1},
                               {BPERC_CONTRADICTION, 0, 5, 0, 1},
                               {BPERC_SOLVED, 13, 0, 0.75, 1}};
  bperc_capacity_one caps[3] = {
      {6, 0.3, 0, 1, 0}, {2, 0.1, 0, 1, 1}, {10, 0.5, 0, 1, 1}};
  bperc_solving_summary s;
  bperc_capacity_summary c;
  (void)state;
  assert_int_equal(bperc_solving_summarise(each, 5, &s), BPERC_OK);
  assert_int_equal(s.solved, 3);
  assert_int_equal(s.contradictory, 1);
  assert_close(s.fraction, 0.6, 1e-15);
  assert_close(s.fraction_sem, sqrt(0.6 * 0.4 / 5), 1e-15);
  assert_close(s.steps_mean, 8, 1e-15);
  assert_close(s.steps_sem, sqrt((1. + 16 + 25) / 2 / 3), 1e-14);
  assert_close(s.steps_median, 7, 0);
  assert_close(s.steps_median_all, 13, 0);
  assert_close(s.seconds_median, 0.5, 0);
  assert_int_equal(bperc_capacity_summarise(caps, 3, &c), BPERC_OK);
  assert_close(c.capacity, 0.3, 1e-15);
  assert_int_equal(c.at_limit, 2);
  assert_close(c.sem, 0.2 / sqrt(3), 1e-15);
  assert_close(c.lowest, 0.1, 0);
  assert_close(c.highest, 0.5, 0);
  assert_int_equal(bperc_solving_summarise(each + 1, 1, &s), BPERC_OK);
  assert_true(isnan(s.steps_mean));
  assert_true(isinf(s.steps_median_all));
}

static void hopeless_patterns(void **state) {
  bperc_instance *in;
  (void)state;
  bperc_instance_new(10, 2, &(bperc_model){.a = 4}, &in, NULL); /* need 3 */
  in->patterns[0] = 3;
  in->labels[0] = 1;
  in->patterns[1] = 7;
  in->labels[1] = 1;
  bperc_instance_update_bounds(in);
  assert_true(bperc_instance_infeasible(in, 0, 0));
  assert_false(bperc_instance_infeasible(in, 1, 0));
  assert_false(bperc_instance_infeasible(in, 0, 1));
  in->patterns[1] = 0;
  assert_true(bperc_instance_infeasible(in, 0, 1));
  bperc_instance_free(in);
}

/* What was finished before an interrupt stays as it is without one. */
static void finished_trials_are_kept(void **state) {
  bperc_capacity_one whole[6], part[6];
  (void)state;
  bperc_i_cancel_after(1000000000);
  assert_int_equal(bperc_capacity_trials(&bperc_sbpi_class, NULL,
                                         &(bperc_trials){.ensemble = &small,
                                                         .trials = 6,
                                                         .seed = 1,
                                                         .threads = 1},
                                         whole, NULL),
                   BPERC_OK);
  long polls = bperc_i_cancel_polls();
  bperc_i_cancel_after(polls / 2);
  assert_int_equal(bperc_capacity_trials(&bperc_sbpi_class, NULL,
                                         &(bperc_trials){.ensemble = &small,
                                                         .trials = 6,
                                                         .seed = 1,
                                                         .threads = 1},
                                         part, NULL),
                   BPERC_E_INTERRUPTED);
  bperc_i_cancel_after(-1);
  bperc_i_cancel_reset();
  assert_true(part[0].finished && !part[5].finished);
  for (size_t k = 0; k < 6; k++) {
    assert_true(whole[k].finished);
    if (part[k].finished)
      assert_int_equal(part[k].patterns, whole[k].patterns);
  }
}

static void interruption_and_no_memory(void **state) {
  bperc_capacity_one caps[2];
  bperc_solving_one each[2];
  bperc_error error;
  (void)state;
  bperc_cancel();
  assert_int_equal(bperc_capacity_trials(&bperc_sbpi_class, NULL,
                                         &(bperc_trials){.ensemble = &small,
                                                         .trials = 2,
                                                         .seed = 1,
                                                         .threads = 2},
                                         caps, &error),
                   BPERC_E_INTERRUPTED);
  bperc_i_cancel_reset();
  for (long k = 0; k < 6; k++) {
    bperc_i_alloc_fail_after(k);
    assert_int_equal(bperc_solving_trials(&bperc_sbpi_class, NULL,
                                          &(bperc_trials){.ensemble = &small,
                                                          .trials = 1,
                                                          .seed = 1,
                                                          .threads = 1},
                                          each, &error),
                     BPERC_E_MEMORY);
    assert_int_equal(error.status, BPERC_E_MEMORY);
  }
  for (long k = 0; k < 40; k++)
    for (int warm = 0; warm < 2; warm++) {
      bperc_i_alloc_fail_after(k);
      assert_int_equal(bperc_capacity_trials(&bperc_sbpi_class, NULL,
                                             &(bperc_trials){.ensemble = &small,
                                                             .warm = warm,
                                                             .trials = 1,
                                                             .seed = 1,
                                                             .threads = 1},
                                             caps, &error),
                       BPERC_E_MEMORY);
    }
  bperc_i_alloc_fail_after(-1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(capacity_by_hand),
      cmocka_unit_test(threads_do_not_matter),
      cmocka_unit_test(a_bound_on_the_pairs),
      cmocka_unit_test(solving_by_hand),
      cmocka_unit_test(summaries),
      cmocka_unit_test(hopeless_patterns),
      cmocka_unit_test(finished_trials_are_kept),
      cmocka_unit_test(interruption_and_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
