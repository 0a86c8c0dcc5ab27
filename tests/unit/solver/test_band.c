/* Constraints on both sides against literal loops: verifier, counts, lists,
 * samples, fewest errors, solvers, walks, files, on random problems of all
 * kinds; what does not know them refuses them. */
#include "check.h"

#include "bperc/bperc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 13 };

typedef struct {
  bperc_instance *in;
  size_t n, m;
  bperc_stream s;
} problem;

static double uniform(bperc_stream *s, double low, double high) {
  return low + (high - low) * bperc_stream_double(s);
}

/* Any kinds, thresholds on and off whole numbers. */
static problem draw_problem(uint64_t seed, int outside) {
  problem p = {.s = bperc_stream_make(seed, BPERC_FOR_PATTERNS, 77)};
  int8_t x[MOST * 8], labels[8];
  bperc_error error;
  p.n = 3 + bperc_stream_below(&p.s, MOST - 2);
  p.m = 1 + bperc_stream_below(&p.s, 7);
  int kind = (int)bperc_stream_below(&p.s, 3);
  for (size_t k = 0; k < p.n * p.m; k++)
    x[k] = (int8_t)(kind == 0   ? (int)bperc_stream_below(&p.s, 2)
                    : kind == 1 ? 2 * (int)bperc_stream_below(&p.s, 2) - 1
                                : (int)bperc_stream_below(&p.s, 3) - 1);
  for (size_t mu = 0; mu < p.m; mu++)
    labels[mu] = outside ? (int8_t)bperc_stream_below(&p.s, 2) : 1;
  bperc_model model = {
      .weights =
          bperc_stream_below(&p.s, 2) ? BPERC_WEIGHTS_PM : BPERC_WEIGHTS_01,
      .theta = bperc_stream_below(&p.s, 2) ? uniform(&p.s, -2, 4)
                                           : floor(uniform(&p.s, -2, 4)),
      .band = bperc_stream_below(&p.s, 2) ? uniform(&p.s, 0.2, 4)
                                          : floor(uniform(&p.s, 1, 5)),
      .ties = (bperc_ties)bperc_stream_below(&p.s, 3)};
  if (bperc_instance_from_bytes(
          p.n, p.m,
          &(bperc_bytes){
              .values = x, .row = (ptrdiff_t)p.n, .step = 1, .labels = labels},
          &model, &p.in, &error) != BPERC_OK)
    fail_msg("seed %d: %s", (int)seed, error.text);
  return p;
}

static int64_t literal_sum(const bperc_instance *in, size_t mu, uint64_t w) {
  int64_t sum = 0;
  for (size_t i = 0; i < in->n; i++) {
    int bit = (int)(w >> i & 1);
    sum += bperc_instance_input(in, mu, i) *
           (in->weights == BPERC_WEIGHTS_PM ? 2 * bit - 1 : bit);
  }
  return sum;
}

static int literal_errors(const bperc_instance *in, uint64_t w) {
  int errors = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    double off = fabs((double)literal_sum(in, mu, w) - in->theta);
    errors += (off <= in->band + 1e-9) != in->labels[mu];
  }
  return errors;
}

static void test_verifier(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    problem p = draw_problem(seed, 1);
    for (int k = 0; k < 10; k++) {
      uint64_t w = bperc_stream_below(&p.s, (uint64_t)1 << p.n);
      int32_t integers[MOST];
      size_t violated[8];
      bperc_verdict v = bperc_verify(p.in, &w, violated);
      assert_int_equal(v.errors, literal_errors(p.in, w));
      assert_int_equal(v.errors == 0, v.min_margin >= 0);
      for (size_t i = 0; i < p.n; i++)
        integers[i] = (int32_t)(w >> i & 1);
      assert_int_equal(bperc_verify_integers(p.in, integers, NULL).errors,
                       v.errors);
      uint8_t says[8];
      bperc_instance_predict(p.in, &w, says);
      for (size_t e = 0; e < v.errors; e++)
        assert_int_not_equal(says[violated[e]], p.in->labels[violated[e]]);
    }
    bperc_instance_free(p.in);
  }
}

/* With some weights fixed. */
static void test_exact(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 700; seed++) {
    problem p = draw_problem(seed, 0);
    int8_t fixed[MOST];
    uint64_t count = 0, least = UINT64_MAX, least_all = UINT64_MAX, drawn[20];
    bperc_error error;
    for (size_t i = 0; i < p.n; i++)
      fixed[i] = (int8_t)(bperc_stream_below(&p.s, 5) == 0
                              ? (int)bperc_stream_below(&p.s, 2)
                              : -1);
    for (uint64_t w = 0; w < (uint64_t)1 << p.n; w++) {
      uint64_t errors = (uint64_t)literal_errors(p.in, w);
      least_all = errors < least_all ? errors : least_all;
      int kept = 1;
      for (size_t i = 0; i < p.n; i++)
        kept &= fixed[i] < 0 || fixed[i] == (int)(w >> i & 1);
      if (!kept)
        continue;
      count += errors == 0;
      least = errors < least ? errors : least;
    }
    bperc_space_options how = {.fixed = fixed, .threads = 1, .seed = seed};
    bperc_exact_answer answer;
    assert_int_equal(bperc_exact_count(p.in, NULL, &how, &answer, &error),
                     BPERC_OK);
    assert_true(bperc_count_real(answer.count) == (double)count);
    bperc_exact_options gray;
    bperc_options_default(bperc_exact_option_table(), &gray);
    gray.method = BPERC_EXACT_GRAY;
    assert_int_equal(bperc_exact_count(p.in, &gray, &how, &answer, &error),
                     BPERC_OK);
    assert_true(bperc_count_real(answer.count) == (double)count);
    bperc_solutions *list;
    assert_int_equal(bperc_exact_list(p.in, NULL, &how, &list, &error),
                     BPERC_OK);
    assert_int_equal(list->count, count);
    assert_null(bperc_solutions_check(list, p.in));
    bperc_solutions_free(list);
    if (count) {
      assert_int_equal(
          bperc_exact_sample(p.in, &how, 20, drawn, &answer, &error), BPERC_OK);
      for (int k = 0; k < 20; k++)
        assert_int_equal(literal_errors(p.in, drawn[k]), 0);
    }
    bperc_least_options lo = {.fixed = fixed};
    bperc_least_errors found;
    assert_int_equal(bperc_exact_least_errors(p.in, &lo, NULL, &found, &error),
                     BPERC_OK);
    assert_int_equal(found.cost, least);
    bperc_contradiction c;
    size_t contradictions;
    assert_int_equal(
        bperc_instance_contradictions(p.in, &c, 1, &contradictions), BPERC_OK);
    if (contradictions)
      assert_true(least_all > 0);
    bperc_instance_free(p.in);
  }
}

/* Every class of solvers; weights that it calls a solution are one. */
static void test_solvers(void **state) {
  (void)state;
  int solved[16] = {0}, solvable = 0;
  for (uint64_t seed = 1; seed <= 15; seed++) {
    problem p = draw_problem(seed, 0);
    uint64_t least = UINT64_MAX;
    for (uint64_t w = 0; w < (uint64_t)1 << p.n; w++) {
      uint64_t errors = (uint64_t)literal_errors(p.in, w);
      least = errors < least ? errors : least;
    }
    solvable += least == 0;
    for (size_t k = 0; bperc_solvers()[k]; k++) {
      const bperc_solver_class *class = bperc_solvers()[k];
      bperc_run_options how = {.seed = seed, .threads = 1};
      bperc_run_result r;
      bperc_error error;
      bperc_status status = bperc_run(class, p.in, NULL, &how, &r, &error);
      if (status == BPERC_E_ARGUMENT && class->unbounded)
        continue; /* extended-CP is for inputs and weights 0, 1, ... */
      if (status != BPERC_OK)
        fail_msg("%s: %s", class->name, error.text);
      if (r.weights) {
        assert_int_equal(r.errors, literal_errors(p.in, r.weights[0]));
        assert_true(r.errors >= least);
        solved[k] += r.errors == 0;
      }
      bperc_run_clear(&r);
    }
    bperc_instance_free(p.in);
  }
  for (size_t k = 0; bperc_solvers()[k]; k++)
    if (strcmp(bperc_solvers()[k]->name, "exact") == 0 ||
        strcmp(bperc_solvers()[k]->name, "auto") == 0)
      assert_int_equal(solved[k], solvable);
    else if (strcmp(bperc_solvers()[k]->name, "sbpi") == 0)
      assert_true(solved[k] > 0.8 * solvable);
}

/* SBPI stores few patterns as well as many. */
static void test_few_patterns(void **state) {
  (void)state;
  for (size_t m = 1; m <= 40; m += m < 8 ? 1 : 8)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      bperc_ensemble e = {.n = 101,
                          .m = m,
                          .fin = 0.5,
                          .fout = 1,
                          .model = {.weights = BPERC_WEIGHTS_PM,
                                    .inputs = BPERC_INPUTS_PM,
                                    .band = 10.05}};
      bperc_instance *in;
      bperc_run_options how = {.seed = seed, .threads = 1};
      bperc_run_result r;
      bperc_error error;
      assert_int_equal(bperc_ensemble_draw(&e, seed, &in, &error), BPERC_OK);
      assert_int_equal(
          bperc_run(bperc_solver_find("sbpi"), in, NULL, &how, &r, &error),
          BPERC_OK);
      assert_int_equal(r.errors, 0);
      bperc_run_clear(&r);
      bperc_instance_free(in);
    }
}

static void test_walk(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    problem p = draw_problem(seed, 0);
    uint64_t w = 0, all = (uint64_t)1 << p.n;
    bperc_error error;
    while (w < all && literal_errors(p.in, w))
      w++;
    if (w < all) {
      bperc_walk *walk;
      assert_int_equal(bperc_walk_new(p.in, NULL, &w, seed, &walk, &error),
                       BPERC_OK);
      for (int t = 0; t < 20; t++) {
        bperc_walk_sweep(walk);
        assert_int_equal(literal_errors(p.in, bperc_walk_weights(walk)[0]), 0);
      }
      bperc_walk_free(walk);
    }
    bperc_instance_free(p.in);
  }
}

static void test_files(void **state) {
  (void)state;
  static const bperc_format formats[] = {BPERC_FORMAT_TEXT, BPERC_FORMAT_HDF5};
  for (uint64_t seed = 1; seed <= 40; seed++)
    for (size_t f = 0; f < 2; f++) {
      problem p = draw_problem(seed, 1);
      char path[] = "/tmp/bandXXXXXX";
      bperc_instance *again;
      bperc_error error;
      int file = mkstemp(path);
      assert_true(file >= 0);
      close(file);
      assert_int_equal(bperc_instance_write(p.in, formats[f], path, &error),
                       BPERC_OK);
      assert_int_equal(bperc_instance_read(path, NULL, &again, &error),
                       BPERC_OK);
      unlink(path);
      assert_close(again->band, p.in->band, 0);
      for (uint64_t w = 0; w < (uint64_t)1 << p.n; w += 7)
        assert_int_equal(bperc_verify(again, &w, NULL).errors,
                         bperc_verify(p.in, &w, NULL).errors);
      bperc_instance_free(again);
      bperc_instance_free(p.in);
    }
}

/* Patterns left out, thinned, another model. */
static void test_copies(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    problem p = draw_problem(seed, 1);
    bperc_instance *part;
    bperc_model model = bperc_instance_model(p.in);
    bperc_error error;
    assert_int_equal(bperc_instance_without(p.in, 0, 1, &part, &error),
                     BPERC_OK);
    for (uint64_t w = 0; w < (uint64_t)1 << p.n; w += 5)
      assert_int_equal(bperc_verify(part, &w, NULL).errors,
                       literal_errors(part, w));
    bperc_instance_free(part);
    model.band += 1;
    assert_int_equal(bperc_instance_set_model(p.in, &model, &error), BPERC_OK);
    for (uint64_t w = 0; w < (uint64_t)1 << p.n; w += 5)
      assert_int_equal(bperc_verify(p.in, &w, NULL).errors,
                       literal_errors(p.in, w));
    model.band = 0;
    assert_int_equal(bperc_instance_set_model(p.in, &model, &error), BPERC_OK);
    assert_null(p.in->split);
    bperc_instance_free(p.in);
  }
}

/* The complement is refused with a sentence where it is not known. */
static void test_refused(void **state) {
  (void)state;
  bperc_error error;
  problem p = draw_problem(3, 1);
  p.in->labels[0] = 0;
  bperc_instance_update_bounds(p.in);
  bperc_exact_answer answer;
  bperc_run_options how = {.seed = 1, .threads = 1};
  bperc_run_result r;
  bperc_bp *bp;
  assert_int_equal(bperc_exact_count(p.in, NULL, NULL, &answer, &error),
                   BPERC_E_ARGUMENT);
  assert_non_null(strstr(error.text, "outside"));
  for (size_t k = 0; bperc_solvers()[k]; k++)
    assert_int_equal(
        bperc_run(bperc_solvers()[k], p.in, NULL, &how, &r, &error),
        BPERC_E_ARGUMENT);
  assert_int_equal(bperc_bp_new(p.in, NULL, 1, 1, &bp, &error),
                   BPERC_E_ARGUMENT);
  bperc_instance_free(p.in);
  bperc_instance *in;
  bperc_model bad[] = {{.band = -1}, {.band = NAN}, {.band = 1, .kappa = 1}};
  for (size_t k = 0; k < 3; k++)
    assert_int_equal(bperc_instance_new(5, 2, &bad[k], &in, &error),
                     BPERC_E_ARGUMENT);
}

/* A capacity looks at the first patterns only. */
static void test_capacity(void **state) {
  (void)state;
  bperc_ensemble e = {.n = 15,
                      .fin = 0.5,
                      .fout = 1,
                      .model = {.weights = BPERC_WEIGHTS_PM,
                                .inputs = BPERC_INPUTS_PM,
                                .band = 3.5}};
  bperc_trials trials = {.ensemble = &e, .seed = 5, .trials = 8, .threads = 1};
  double sum = 0;
  for (size_t k = 0; k < 8; k++) {
    bperc_capacity_one one;
    bperc_error error;
    assert_int_equal(bperc_capacity_trial(bperc_solver_find("exact"), NULL,
                                          &trials, k, &one, &error),
                     BPERC_OK);
    sum += one.capacity / 8;
  }
  /* P(|sum| <= 3) = 0.698: the mean number of solutions is 1 at 1.93 */
  assert_true(sum > 1.2 && sum < 2.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verifier), cmocka_unit_test(test_exact),
      cmocka_unit_test(test_solvers),  cmocka_unit_test(test_few_patterns),
      cmocka_unit_test(test_walk),     cmocka_unit_test(test_files),
      cmocka_unit_test(test_copies),   cmocka_unit_test(test_refused),
      cmocka_unit_test(test_capacity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
