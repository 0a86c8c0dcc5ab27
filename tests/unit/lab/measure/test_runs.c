/* Measurements of runs against plain loops: stability, dynamics. */
#include "measured.h"

#include "bperc/walk.h"

#include <stdlib.h>
#include <string.h>

/* Appendix G as printed. */
static const bperc_walk_options printed = {.order = BPERC_WALK_SHUFFLED};

/* ---- stability */

/* (2 sigma - 1)(A w.xi - N)/N, weight by weight. */
static double literal_stability(const bperc_instance *p, const uint64_t *w,
                                size_t mu) {
  double sum = 0, n = (double)p->n;
  for (size_t i = 0; i < p->n; i++)
    sum += bit(w, i) * bit(bperc_instance_pattern(p, mu), i);
  return (2 * p->labels[mu] - 1) * (p->a * sum - n) / n;
}

/* The share of a unit interval of sums around a pattern's that lies in
 * [low, high), by many points. */
static double share(double value, double step, double low, double high) {
  int inside = 0, points = 4000;
  for (int k = 0; k < points; k++) {
    double at = value + step * ((k + 0.5) / points - 0.5);
    inside += at >= low && at < high;
  }
  return (double)inside / points;
}

static void stabilities_are_plain_sums(void **state) {
  measured t = measured_run("stability\nn = 93\na = 11\nalpha = 0.3\n"
                            "fin = 0.27\nlevel = 0.31\nbottom = -0.2\n"
                            "top = 1.3\nbins = 7\n",
                            3);
  bperc_instance *p = measured_problem(&t, 93, 28, 0.27, 11);
  bperc_run_result r = measured_solve(&t, p, "sbpi", 0, 1);
  double v[28], mean = 0, spread = 0, below = 0, width = 1.5 / 7;
  (void)state;
  assert_int_equal(r.outcome, BPERC_SOLVED);
  assert_close(number(&t, "solved", 0), 1, 0);
  for (size_t mu = 0; mu < 28; mu++) {
    v[mu] = literal_stability(p, r.weights, mu);
    mean += v[mu] / 28;
    below += (v[mu] < 0.31) / 28.0;
  }
  for (size_t mu = 0; mu < 28; mu++)
    spread += (v[mu] - mean) * (v[mu] - mean) / 28;
  assert_close(number(&t, "mean", 0), mean, 1e-12);
  assert_close(number(&t, "spread", 0), sqrt(spread), 1e-12);
  assert_close(number(&t, "below", 0), below, 1e-12);
  for (size_t b = 0; b < 7; b++) {
    double low = -0.2 + width * (double)b, sum = 0;
    for (size_t mu = 0; mu < 28; mu++)
      sum += share(v[mu], 11 / 93.0, low, low + width);
    assert_close(number(&t, "histogram/at", b), low + width / 2, 1e-12);
    assert_close(number(&t, "histogram/density", b), sum / (28 * width), 2e-3);
  }
  bperc_run_clear(&r);
  bperc_instance_free(p);
  measured_clear(&t);
}

/* ---- dynamics */

/* Weights of the order that fall into bin b of `bins`. */
static int in_bin(size_t k, size_t n, size_t bins, size_t b) {
  return k * bins / n == b;
}

static void profiles_are_means_over_bins_and_runs(void **state) {
  enum { N = 60, M = 15, BINS = 7, RUNS = 3 };
  measured t = measured_run("dynamics\nn = 60\na = 11\nalpha = 0.25\n"
                            "fin = 0.3\nruns = 3\nbins = 7\nwalk = 40\n",
                            1);
  bperc_instance *p = measured_problem(&t, N, M, 0.3, 11);
  bperc_order order = measured_decimate(&t, p, 2, 1);
  double count[BINS] = {0}, t_fix[BINS] = {0}, delta[BINS] = {0},
         walked[BINS] = {0}, at[BINS] = {0}, most = 0;
  size_t solved = 0;
  (void)state;
  assert_int_equal(order.fixed, N);
  for (uint64_t run = 0; run < RUNS; run++) {
    bperc_run_result r = measured_solve(&t, p, "sbpi", 0, 2 + 2 * run);
    if (r.outcome == BPERC_SOLVED) {
      solved++;
      for (size_t b = 0; b < BINS; b++)
        for (size_t k = 0; k < N; k++)
          if (in_bin(k, N, BINS, b)) {
            count[b] += 1;
            at[b] += ((double)k + 0.5) / N;
            t_fix[b] += r.t_fix[order.weight[k]];
            delta[b] += bit(r.weights, order.weight[k]) != order.value[k];
          }
      bperc_walk_sweeps(
          p, &printed,
          &(bperc_walk_run){.sweeps = 40,
                            .seed = bperc_i_problem_seed(&t.in, 3 + 2 * run)},
          r.weights, NULL, NULL);
      for (size_t k = 0; k < N; k++)
        walked[k * BINS / N] +=
            bit(r.weights, order.weight[k]) != order.value[k];
    }
    bperc_run_clear(&r);
  }
  assert_true(solved > 0);
  assert_close(number(&t, "solved", 0), (double)solved / RUNS, 1e-12);
  assert_close(number(&t, "counted", 0), (double)solved, 0);
  for (size_t b = 0; b < BINS; b++)
    most = fmax(most, t_fix[b] / count[b]);
  for (size_t b = 0; b < BINS; b++) {
    assert_close(number(&t, "order/at", b), at[b] / count[b], 1e-12);
    assert_close(number(&t, "order/t_fix", b), t_fix[b] / count[b], 1e-12);
    assert_close(number(&t, "order/t_scaled", b), t_fix[b] / count[b] / most,
                 1e-12);
    assert_close(number(&t, "order/delta", b), delta[b] / count[b], 1e-12);
    assert_close(number(&t, "order/delta_walk", b), walked[b] / count[b],
                 1e-12);
  }
  bperc_order_clear(&order);
  bperc_instance_free(p);
  measured_clear(&t);
}

/* The rule in words: walk along the broken line of Delta from the left in
 * small steps; the ramp starts at the first point at or above the level whose
 * next middle of a bin is not below it. */
static double literal_ramp(const double *at, const double *delta, size_t bins,
                           double level) {
  for (size_t b = 0; b < bins; b++) {
    if (delta[b] < level || (b + 1 < bins && delta[b + 1] < level))
      continue;
    for (double s = 0; b > 0 && s <= 1; s += 1e-4)
      if (delta[b - 1] + s * (delta[b] - delta[b - 1]) >= level)
        return at[b - 1] + s * (at[b] - at[b - 1]);
    return at[b];
  }
  return NAN;
}

static void ramps_start_where_delta_stays_up(void **state) {
  static const char *const levels[] = {"0.02", "0.1", "0.3", "0.6", "0.99"};
  size_t found = 0, missing = 0;
  (void)state;
  for (uint32_t k = 0; k < 3; k++)
    for (size_t l = 0; l < 5; l++) {
      char keys[200];
      size_t bins;
      const double *at, *delta;
      measured t;
      double expected;
      snprintf(keys, sizeof keys,
               "dynamics\nn = 80\na = 11\nalpha = 0.3\nfin = 0.3\nruns = 2\n"
               "bins = 9\nlevel = %s\n",
               levels[l]);
      t = measured_run(keys, k);
      at = numbers(&t, "order/at", &bins);
      delta = numbers(&t, "order/delta", &bins);
      expected = literal_ramp(at, delta, bins, atof(levels[l]));
      assert_close(number(&t, "ramp", 0), expected, 2e-4);
      found += !isnan(expected);
      missing += isnan(expected);
      measured_clear(&t);
    }
  assert_true(found > 3 && missing > 0);
}

/* ---- the list of solvers is the choice of measurements */

static void every_solver_is_measured(void **state) {
  (void)state;
  for (size_t k = 0; bperc_solvers()[k]; k++) {
    char keys[200];
    measured t;
    snprintf(keys, sizeof keys,
             "solving\nn = 20\na = 5\nalpha = 0.1\nfin = 0.4\nsolver = %s\n",
             bperc_solvers()[k]->name);
    t = measured_run(keys, 1);
    assert_close(number(&t, "solved", 0), 1, 0);
    measured_clear(&t);
  }
}

/* A solver that a measurement offers runs there, or the plan is refused. */
static void every_choice_of_solver_runs(void **state) {
  size_t ran = 0;
  (void)state;
  for (size_t k = 0; bperc_measurements()[k]; k++) {
    const bperc_measurement *m = bperc_measurements()[k];
    const bperc_option *row = bperc_options_find(m->options(), "solver");
    for (const char *at = row ? row->choices : ""; *at;) {
      size_t length = strcspn(at, "|");
      char keys[200], plan[240];
      bperc_experiment *x = NULL;
      snprintf(keys, sizeof keys, "%s\nn = 20\na = 5\nsolver = %.*s\n", m->name,
               (int)length, at);
      snprintf(plan, sizeof plan, "[block b]\nmeasurement = %s", keys);
      if (bperc_experiment_parse("p", plan, strlen(plan), &x, NULL) ==
          BPERC_OK) {
        measured t = measured_run(keys, 1);
        measured_clear(&t);
        ran++;
      }
      bperc_experiment_free(x);
      at += length + (at[length] == '|');
    }
  }
  assert_true(ran > 20);
}

static const char *name_of(const measured *t) {
  return t->x->blocks[0].points[BPERC_SCALE_QUICK].points[0].inputs;
}

/* A task keeps its name, by which its result is found, when a solver gets a new
 * option. */
static void later_options_do_not_rename_tasks(void **state) {
  measured t = measured_run("solving\nn = 20\na = 5\nalpha = 0.1\n", 1);
  (void)state;
  assert_non_null(strstr(name_of(&t), "sbpi.k="));
  assert_null(strstr(name_of(&t), "freeze"));
  measured_clear(&t);
  t = measured_run("solving\nn = 20\na = 5\nalpha = 0.1\nsbpi.freeze = 3\n", 1);
  assert_non_null(strstr(name_of(&t), "sbpi.freeze=3"));
  measured_clear(&t);
}

/* ---- edge */

static int solves(const measured *t, size_t m) {
  bperc_instance *p = measured_problem(t, 60, m, 0.4, 12);
  bperc_run_result r = measured_solve(t, p, "sbpi", 0, 1 + m);
  int solved = r.outcome == BPERC_SOLVED;
  bperc_run_clear(&r);
  bperc_instance_free(p);
  return solved;
}

/* rBP at a fixed gamma is slower at this load than at larger ones. */
static void edge_of_a_solver_that_fails_on_easy_loads(void **state) {
  measured t = measured_run("edge\nn = 1000\na = 16\nfin = 0.5\nlow = 0.03\n"
                            "high = 0.3\ntolerance = 0.14\nsolver = rbp\n"
                            "rbp.gamma = 0.97\nrbp.max_steps = 250\n",
                            0);
  (void)state;
  assert_close(number(&t, "above_low", 0), 0, 0);
  assert_close(number(&t, "edge", 0), (0.165 + 0.3) / 2, 1e-12);
  assert_close(number(&t, "runs", 0), 2, 0);
  measured_clear(&t);
  t = measured_run("edge\nn = 60\na = 12\nfin = 0.4\nlow = 0.9\nhigh = 1.1\n"
                   "tolerance = 0.1\nsolver = sbpi\nsbpi.max_sweeps = 1\n",
                   0);
  assert_true(isnan(number(&t, "edge", 0))); /* without a success */
  measured_clear(&t);
}

/* The bisection once more, on instances of just so many pairs. */
static void edge_is_between_success_and_failure(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 4; k++) {
    measured t = measured_run("edge\nn = 60\na = 12\nfin = 0.4\nlow = 0.1\n"
                              "high = 1\ntolerance = 0.02\nsolver = sbpi\n"
                              "sbpi.max_sweeps = 300\n",
                              k);
    size_t low = 6, high = 60, runs = 1;
    assert_true(solves(&t, low));
    for (; high - low > 1; runs++) {
      size_t middle = low + (high - low) / 2;
      if (solves(&t, middle))
        low = middle;
      else
        high = middle;
    }
    assert_close(number(&t, "above_low", 0), 1, 0);
    assert_close(number(&t, "edge", 0), (double)(low + high) / 120, 1e-12);
    assert_close(number(&t, "runs", 0), (double)runs, 0);
    measured_clear(&t);
  }
}

/* ---- protocols */

/* Rank correlation of two complete orders by differences of places. */
static double spearman(const bperc_order *a, const bperc_order *b) {
  double sum = 0, n = (double)a->n;
  for (size_t k = 0; k < a->n; k++)
    for (size_t l = 0; l < b->n; l++)
      if (a->weight[k] == b->weight[l])
        sum += ((double)k - (double)l) * ((double)k - (double)l);
  return 1 - 6 * sum / (n * (n * n - 1));
}

static void protocols_compare_with_the_printed_one(void **state) {
  size_t seen = 0;
  (void)state;
  for (uint32_t k = 0; k < 4; k++) {
    measured t = measured_run("protocols\npreset = paper\nn = 60\na = 12\n"
                              "fin = 0.3\nalpha = 0.2\n",
                              k);
    bperc_instance *p = measured_problem(&t, 60, 12, 0.3, 12);
    bperc_order first = measured_decimate(&t, p, 0, 1);
    bperc_order repeated = measured_decimate(&t, p, 0, 2);
    if (first.fixed == 60 && repeated.fixed == 60) {
      double differ = 0;
      for (size_t i = 0; i < 60; i++)
        for (size_t l = 0; l < 60; l++)
          differ += first.weight[i] == repeated.weight[l] &&
                    first.value[i] != repeated.value[l];
      assert_close(number(&t, "repeated_rank", 0), spearman(&first, &repeated),
                   1e-12);
      assert_close(number(&t, "repeated_differ", 0), differ / 60, 1e-12);
      seen++;
    }
    assert_close(number(&t, "printed_solved", 0), first.outcome == BPERC_SOLVED,
                 0);
    bperc_order_clear(&first);
    bperc_order_clear(&repeated);
    bperc_instance_free(p);
    measured_clear(&t);
  }
  assert_true(seen > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_is_measured),
      cmocka_unit_test(every_choice_of_solver_runs),
      cmocka_unit_test(later_options_do_not_rename_tasks),
      cmocka_unit_test(stabilities_are_plain_sums),
      cmocka_unit_test(profiles_are_means_over_bins_and_runs),
      cmocka_unit_test(ramps_start_where_delta_stays_up),
      cmocka_unit_test(edge_is_between_success_and_failure),
      cmocka_unit_test(edge_of_a_solver_that_fails_on_easy_loads),
      cmocka_unit_test(protocols_compare_with_the_printed_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
