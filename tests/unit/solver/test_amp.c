/* Reinforced AMP: its solutions, its honesty, the same bits everywhere. */
#include "check.h"

#include "bperc/amp.h"
#include "bperc/ensemble.h"
#include "bperc/exact.h"
#include "bperc/run.h"
#include "bperc/stream.h"
#include "isa.h"
#include "no_memory.h"
#include "solver/amp_state.h"

#include <stdlib.h>
#include <string.h>

static bperc_amp_options defaults(int64_t iterations) {
  bperc_amp_options options;
  bperc_options_default(bperc_amp_class.options(), &options);
  options.max_iterations = iterations;
  return options;
}

static bperc_run_result solve(const bperc_instance *in, int64_t iterations,
                              unsigned threads) {
  bperc_amp_options options = defaults(iterations);
  bperc_run_result run;
  assert_int_equal(
      bperc_run(&bperc_amp_class, in, &options,
                &(bperc_run_options){.seed = 1, .threads = threads}, &run,
                NULL),
      BPERC_OK);
  return run;
}

static bperc_instance *generate(size_t n, size_t m, double fin, double a,
                                uint64_t seed) {
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = a}},
          seed, &in, NULL),
      BPERC_OK);
  return in;
}

/* Above what SBPI reaches at this size within its budget. */
static void solves_near_the_edge(void **state) {
  size_t solved = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    bperc_instance *in = generate(1000, 210, 0.5, 40, seed);
    bperc_run_result run = solve(in, 6000, 1);
    size_t errors = bperc_verify(in, run.weights, NULL).errors;
    assert_int_equal(errors, run.errors);
    assert_int_equal(run.outcome == BPERC_SOLVED, errors == 0);
    solved += errors == 0;
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
  assert_in_range(solved, 9, 10);
}

static void other_densities(void **state) {
  static const double fin[] = {0.1, 0.3, 0.7}, alpha[] = {0.4, 0.25, 0.15};
  (void)state;
  for (int k = 0; k < 3; k++) {
    bperc_instance *in =
        generate(1000, (size_t)(1000 * alpha[k]), fin[k], 40, 31);
    bperc_run_result run = solve(in, 6000, 1);
    assert_int_equal(run.outcome, BPERC_SOLVED);
    assert_int_equal(bperc_verify(in, run.weights, NULL).errors, 0);
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
}

/* Far below capacity most patterns hold with room to spare: forces are weak,
 * and fields have to grow all the same. */
static void easy_problems_end(void **state) {
  bperc_instance *in = generate(10000, 2000, 0.1, 40, 7001);
  bperc_run_result run = solve(in, 300, 1);
  (void)state;
  assert_int_equal(run.outcome, BPERC_SOLVED);
  assert_int_equal(bperc_verify(in, run.weights, NULL).errors, 0);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

enum { LONG = 600 };

/* Whether a later round repeats the first one, error by error. */
static bool repeats(const bperc_instance *in, double spread) {
  bperc_amp_options options = defaults(LONG);
  size_t errors[LONG];
  bperc_solver *s;
  options.spread = spread;
  options.rate = options.slowest = 0.05;
  options.again = 1;
  assert_int_equal(
      bperc_solver_new(&bperc_amp_class, in, &options,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL),
      BPERC_OK);
  for (size_t t = 0; t < LONG; t++) {
    bperc_view now;
    bperc_solver_step(s);
    bperc_solver_view(s, &now);
    errors[t] = now.errors;
  }
  bperc_solver_free(s);
  for (size_t later = 20; later < LONG / 2; later++)
    if (!memcmp(errors, errors + later, 30 * sizeof *errors))
      return true;
  return false;
}

static void rounds_differ_by_their_margins(void **state) {
  bperc_instance *in = generate(500, 200, 0.5, 40, 8); /* above capacity */
  (void)state;
  assert_true(repeats(in, 0));
  assert_false(repeats(in, 0.3));
  bperc_instance_free(in);
}

/* The same solution with every instruction set. */
static void same_everywhere(void **state) {
  bperc_instance *in = generate(700, 130, 0.5, 40, 5);
  uint64_t steps = 0, weights[11];
  (void)state;
  FOR_EACH_ISA(isa) {
    bperc_run_result run = solve(in, 3000, 1);
    assert_int_equal(run.outcome, BPERC_SOLVED);
    assert_true(steps == 0 || run.steps == steps);
    if (steps)
      assert_memory_equal(run.weights, weights, sizeof weights);
    steps = run.steps;
    memcpy(weights, run.weights, sizeof weights);
    bperc_run_clear(&run);
  }
  bperc_instance_free(in);
}

/* -1/+1 weights and inputs, a share of the inputs set to 0. */
static bperc_instance *generate_signed(size_t n, size_t m, double theta,
                                       double kappa, double zeros,
                                       bperc_input_kind inputs, uint64_t seed) {
  const bperc_model model = {.theta = theta,
                             .kappa = kappa,
                             .weights = BPERC_WEIGHTS_PM,
                             .inputs = inputs};
  bperc_instance *in;
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 92);
  assert_int_equal(bperc_instance_new(n, m, &model, &in, NULL), BPERC_OK);
  for (size_t mu = 0; mu < m; mu++) {
    uint64_t *row = in->patterns + mu * in->words;
    bperc_stream_bernoulli(&s, 0.5, row, n);
    in->labels[mu] = (uint8_t)(bperc_stream_u64(&s) & 1);
    if (in->support)
      bperc_stream_bernoulli(&s, 1 - zeros, in->support + mu * in->words, n);
    for (size_t k = 0; in->support && k < in->words; k++)
      row[k] &= in->support[mu * in->words + k];
  }
  bperc_instance_update_bounds(in);
  return in;
}

static void signed_problems(void **state) {
  static const struct {
    double alpha, theta, kappa, zeros;
    bperc_input_kind inputs;
  } cases[] = {{0.7, 0, 0, 0, BPERC_INPUTS_PM},
               {0.3, 4, 0, 0, BPERC_INPUTS_PM},
               {0.2, 0, 9, 0, BPERC_INPUTS_PM},
               {0.6, 0, 0, 0.4, BPERC_INPUTS_SIGNED},
               {0.3, -3, 2.5, 0.6, BPERC_INPUTS_SIGNED}};
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bperc_instance *in = generate_signed(
        1001, (size_t)(1001 * cases[k].alpha), cases[k].theta, cases[k].kappa,
        cases[k].zeros, cases[k].inputs, 40 + k);
    bperc_run_result run = solve(in, 8000, 1);
    if (run.outcome != BPERC_SOLVED)
      fail_msg("case %zu: %zu errors", k, run.errors);
    assert_int_equal(bperc_verify(in, run.weights, NULL).errors, 0);
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
}

/* Products take p in whole units; what rounding takes from all sums alike is
 * known and given back. */
static void rounding_keeps_the_mean(void **state) {
  (void)state;
  for (size_t n = 2000; n <= 20000; n += 9000) {
    bperc_instance *in = generate(n, 50, 0.3, 41.3, n);
    bperc_i_amp amp;
    double sum = 0;
    assert_int_equal(bperc_i_amp_init(&amp, in, NULL), BPERC_OK);
    for (int t = 0; t <= 8; t++) {
      for (size_t i = sum = 0; i < n; i++)
        sum += amp.f[i] * amp.fixed_point_p[i] * BPERC_I_UNIT_P;
      assert_true(amp.pinned);
      assert_close(sum + amp.lost, amp.target, 1e-5 * amp.target);
      amp.rho = 0.06 * t;
      assert_true(bperc_i_amp_iterate(&amp));
    }
    bperc_i_amp_clear(&amp);
    bperc_instance_free(in);
  }
}

enum { WIDE = 2601 };

/* Fields after some iterations, weights leaving on the way. */
static void fields_after(const bperc_instance *in, unsigned threads,
                         double *fields) {
  bperc_amp_options options = defaults(1000);
  bperc_solver *s;
  options.freeze = 3;
  options.freeze_field = 2;
  options.rate = 0.05;
  assert_int_equal(
      bperc_solver_new(&bperc_amp_class, in, &options,
                       &(bperc_run_options){.seed = 1, .threads = threads}, &s,
                       NULL),
      BPERC_OK);
  for (int t = 0; t < 30; t++)
    bperc_solver_step(s);
  bperc_solver_fields(s, fields);
  bperc_solver_free(s);
}

/* Bit for bit: 41 words are six strips of the kernels, the last one short. */
static void threads_leave_no_trace(void **state) {
  bperc_instance *cases[] = {
      generate(WIDE, 620, 0.5, 40, 5),
      generate_signed(WIDE, 2000, 0, 0, 0, BPERC_INPUTS_PM, 6),
      generate_signed(WIDE, 900, 0, 0, 0.3, BPERC_INPUTS_SIGNED, 7)};
  static double first[WIDE], now[WIDE];
  (void)state;
  for (int k = 0; k < 3; k++) {
    FOR_EACH_ISA(isa)
    for (unsigned threads = 1; threads <= 4; threads++) {
      int reference = isa == 0 && threads == 1;
      fields_after(cases[k], threads, reference ? first : now);
      if (!reference)
        assert_memory_equal(now, first, sizeof first);
    }
    assert_true(first[0] != 0);
    bperc_instance_free(cases[k]);
  }
}

/* Without pinning, the next fields of weights in a part are those that they
 * have in the whole problem: the others contribute what they did. */
static void parts_see_the_rest(void **state) {
  static const bperc_input_kind kinds[] = {BPERC_INPUTS_PM,
                                           BPERC_INPUTS_SIGNED};
  (void)state;
  for (int k = 0; k < 2; k++) {
    bperc_instance *in = generate_signed(501, 200, 0, 0, 0.3, kinds[k], 7);
    bperc_i_amp full, part;
    uint8_t out[501];
    size_t left = 0;
    assert_int_equal(bperc_i_amp_init(&full, in, NULL), BPERC_OK);
    assert_int_equal(bperc_i_amp_part_init(&part, &full, 501), BPERC_OK);
    for (int t = 1; t <= 6; t++) {
      full.rho = 0.02 * t;
      assert_true(bperc_i_amp_iterate(&full));
    }
    for (size_t i = 0; i < 501; i++)
      left += !(out[i] = fabs(full.h[i]) > 1);
    assert_in_range(left, 50, 450);
    bperc_i_amp_part_take(&part, &full, out);
    double *g = malloc(200 * sizeof *g);
    memcpy(g, full.g, 200 * sizeof *g);
    assert_true(bperc_i_amp_iterate(&full));
    memcpy(full.g, g, 200 * sizeof *g); /* shared: as before the step */
    assert_true(bperc_i_amp_iterate(&part));
    for (size_t j = 0; j < left; j++)
      assert_close(part.h[j], full.h[part.site[j]], 1e-6);
    free(g);
    bperc_i_amp_clear(&part);
    bperc_i_amp_clear(&full);
    bperc_instance_free(in);
  }
}

static void solves_with_freezing(void **state) {
  bperc_amp_options options = defaults(8000);
  (void)state;
  for (int k = 0; k < 3; k++) {
    bperc_instance *in =
        k == 0 ? generate(1000, 200, 0.5, 40, 31)
        : k == 1
            ? generate_signed(1001, 600, 0, 0, 0, BPERC_INPUTS_PM, 32)
            : generate_signed(1001, 500, 0, 0, 0.4, BPERC_INPUTS_SIGNED, 33);
    uint64_t weights[16], steps = 0;
    options.freeze = 3;
    options.freeze_field = 4;
    FOR_EACH_ISA(isa) {
      bperc_run_result run;
      bperc_run(&bperc_amp_class, in, &options,
                &(bperc_run_options){.seed = 1, .threads = 2}, &run, NULL);
      assert_int_equal(run.outcome, BPERC_SOLVED);
      assert_int_equal(bperc_verify(in, run.weights, NULL).errors, 0);
      assert_true(steps == 0 || steps == run.steps);
      if (steps)
        assert_memory_equal(weights, run.weights, sizeof weights);
      steps = run.steps;
      memcpy(weights, run.weights, sizeof weights);
      bperc_run_clear(&run);
    }
    bperc_instance_free(in);
  }
}

/* Real data have columns of all kinds: constant, rare, frequent. */
static void unequal_columns(void **state) {
  bperc_instance *in;
  bperc_run_result run;
  bperc_stream s = bperc_stream_make(6, BPERC_FOR_TEST, 93);
  (void)state;
  assert_int_equal(
      bperc_instance_new(1000, 200, &(bperc_model){.a = 40}, &in, NULL),
      BPERC_OK);
  for (size_t mu = 0; mu < in->m; mu++) {
    in->labels[mu] = (uint8_t)(bperc_stream_u64(&s) & 1);
    for (size_t i = 0; i < in->n; i++)
      if (bperc_stream_double(&s) < (double)i / 999)
        in->patterns[mu * in->words + i / 64] |= (uint64_t)1 << i % 64;
  }
  bperc_instance_update_bounds(in);
  run = solve(in, 6000, 1);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

/* Labels of a teacher whose activity is not that of the threshold: most are 1.
 * With the mean sum at the threshold no such problem is solved. */
static void unbalanced_labels(void **state) {
  bperc_instance *in = generate(1000, 150, 0.5, 40, 77);
  uint64_t teacher[16];
  size_t ones = 0;
  bperc_stream s = bperc_stream_make(77, BPERC_FOR_TEST, 94);
  bperc_run_result run;
  (void)state;
  bperc_stream_bernoulli(&s, 0.06, teacher, 1000);
  for (size_t mu = 0; mu < in->m; mu++) {
    in->labels[mu] = bperc_instance_hits(in, mu, teacher) > 25;
    ones += in->labels[mu];
  }
  bperc_instance_update_bounds(in);
  assert_in_range(ones, 100, 145);
  run = solve(in, 1000, 1);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

/* Small problems of all kinds; those without solutions by proof. */
static void no_false_solution(void **state) {
  size_t impossible = 0, possible = 0, solved = 0;
  (void)state;
  for (uint64_t seed = 1; impossible < 1000; seed++) {
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 91);
    size_t n = 3 + (size_t)bperc_stream_below(&s, 16);
    size_t m = 2 + (size_t)bperc_stream_below(&s, 2 * n);
    double fin = 0.1 + 0.8 * bperc_stream_double(&s);
    bperc_instance *in =
        generate(n, m, fin, 1.2 + 6 * bperc_stream_double(&s), seed);
    bperc_run_result proof, run = solve(in, 60, 1);
    bperc_run(&bperc_exact_class, in, NULL,
              &(bperc_run_options){.seed = 1, .threads = 1}, &proof, NULL);
    assert_int_equal(bperc_verify(in, run.weights, NULL).errors, run.errors);
    assert_int_equal(run.outcome == BPERC_SOLVED, run.errors == 0);
    if (proof.outcome == BPERC_SOLVED) {
      possible++;
      solved += run.errors == 0;
    } else {
      assert_int_equal(proof.outcome, BPERC_CONTRADICTION);
      assert_int_not_equal(run.outcome, BPERC_SOLVED);
      impossible++;
    }
    bperc_run_clear(&run);
    bperc_run_clear(&proof);
    bperc_instance_free(in);
  }
  assert_true(possible > 50 && 2 * solved > possible);
}

/* One to five patterns: a column says nothing by itself then, and many weights
 * have equal ones. */
static void few_patterns(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    size_t m = 1 + seed % 5;
    bperc_ensemble e = {.n = 201, .m = m, .fin = 0.5};
    bperc_instance *in;
    bperc_run_result run;
    if (seed % 2)
      e.model =
          (bperc_model){.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM};
    else
      e.model = (bperc_model){.a = seed % 4 ? 40 : 5};
    e.fin = seed % 12 == 6 ? 0.1 : 0.5;
    assert_int_equal(bperc_ensemble_draw(&e, seed, &in, NULL), BPERC_OK);
    run = solve(in, 1000, 1);
    if (run.outcome != BPERC_SOLVED)
      fail_msg("seed %d: %zu errors", (int)seed, run.errors);
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
}

/* Every column five times. */
static void equal_columns(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    bperc_instance *in;
    bperc_run_result run;
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 95);
    assert_int_equal(
        bperc_instance_new(1000, 30, &(bperc_model){.a = 40}, &in, NULL),
        BPERC_OK);
    for (size_t mu = 0; mu < in->m; mu++) {
      in->labels[mu] = (uint8_t)(bperc_stream_u64(&s) & 1);
      for (size_t i = 0; i < 200; i++) {
        int bit = (int)(bperc_stream_u64(&s) & 1);
        for (size_t k = i; k < 1000; k += 200)
          bperc_bit_set(in->patterns + mu * in->words, k, bit);
      }
    }
    bperc_instance_update_bounds(in);
    run = solve(in, 3000, 1);
    if (run.outcome != BPERC_SOLVED)
      fail_msg("seed %d: %zu errors", (int)seed, run.errors);
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
}

/* Nothing to learn, nothing to see, nothing possible. */
static void odd_instances(void **state) {
  bperc_instance *in;
  bperc_run_result run;
  (void)state;
  in = generate(5, 0, 0.5, 2, 1);
  run = solve(in, 10, 1);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  bperc_run_clear(&run);
  bperc_instance_free(in);
  for (double fin = 0; fin <= 1; fin += 1) {
    in = generate(70, 9, fin, 2, 1);
    run = solve(in, 50, 1);
    assert_int_not_equal(run.outcome, BPERC_SOLVED);
    bperc_run_clear(&run);
    bperc_instance_free(in);
  }
}

static void keeps_to_its_budget(void **state) {
  bperc_instance *in = generate(200, 120, 0.5, 20, 3);
  bperc_run_result run = solve(in, 777, 1);
  (void)state;
  assert_int_equal(run.outcome, BPERC_EXHAUSTED);
  assert_int_equal(run.steps, 777);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}

static void memory_may_fail(void **state) {
  bperc_instance *in = generate(100, 10, 0.5, 20, 3);
  bperc_solver *made = NULL;
  (void)state;
  assert_needs_memory(
      6,
      bperc_solver_new(&bperc_amp_class, in, NULL,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &made,
                       NULL),
      made);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_near_the_edge),
      cmocka_unit_test(other_densities),
      cmocka_unit_test(easy_problems_end),
      cmocka_unit_test(rounds_differ_by_their_margins),
      cmocka_unit_test(signed_problems),
      cmocka_unit_test(parts_see_the_rest),
      cmocka_unit_test(rounding_keeps_the_mean),
      cmocka_unit_test(solves_with_freezing),
      cmocka_unit_test(unequal_columns),
      cmocka_unit_test(unbalanced_labels),
      cmocka_unit_test(same_everywhere),
      cmocka_unit_test(threads_leave_no_trace),
      cmocka_unit_test(no_false_solution),
      cmocka_unit_test(few_patterns),
      cmocka_unit_test(equal_columns),
      cmocka_unit_test(odd_instances),
      cmocka_unit_test(keeps_to_its_budget),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
