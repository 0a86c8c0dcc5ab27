/* Measurements by belief propagation and theory against enumeration:
 * unconverged, polarisation, walking, theory_alpha_u. */
#include "measured.h"

#include "../../../oracle/literal.h"
#include "bperc/walk.h"
#include "bperc/xcorr.h"

#include <stdlib.h>

/* Appendix G as printed. */
static const bperc_walk_options printed = {.order = BPERC_WALK_SHUFFLED};

/* ---- unconverged */

/* The least total change among the reasonable decreasing inflections over two
 * steps [BZ S4, S5]. */
static size_t literal_moment(const double *f, size_t count) {
  size_t best = 0;
  double least = INFINITY;
  for (size_t t = 4; t + 2 < count; t++) {
    double d[3] = {f[t - 4] - f[t - 2], f[t - 2] - f[t], f[t] - f[t + 2]};
    if (d[0] > d[1] && d[2] > d[1] && d[1] > 0 && f[t] >= -3 && f[t] <= 0.75 &&
        d[0] + d[1] + d[2] < least) {
      least = d[0] + d[1] + d[2];
      best = t;
    }
  }
  return best;
}

static void runs_that_do_not_converge_are_told_as_they_are(void **state) {
  size_t clear = 0;
  (void)state;
  for (uint32_t k = 0; k < 4; k++) {
    measured t = measured_run("unconverged\npreset = paper\n"
                              "bpd.protocol = paper\nbpd.damping = 0.02\n"
                              "n = 25\nalpha = 0.36\na = 12\nfin = 0.5\n"
                              "window = 30\n",
                              k);
    size_t count, t0 = (size_t)number(&t, "t0", 0);
    const double *f = numbers(&t, "run/entropy", &count);
    double here, before, after;
    assert_int_equal(count, 4000); /* to the end: it did not converge */
    assert_int_equal(t0, literal_moment(f, count));
    assert_close(number(&t, "run/t", 77), 77, 0);
    assert_close(number(&t, "f0", 0), f[t0], 0);
    if (t0 >= 45 && t0 + 45 < count) {
      before = (f[t0 - 45] - f[t0 - 15]) / 30;
      here = (f[t0 - 15] - f[t0 + 15]) / 30;
      after = (f[t0 + 15] - f[t0 + 45]) / 30;
      assert_close(number(&t, "before", 0), before, 1e-15);
      assert_close(number(&t, "here", 0), here, 1e-15);
      assert_close(number(&t, "after", 0), after, 1e-15);
      assert_close(number(&t, "inflects_all", 0), here < before && here < after,
                   0);
      clear++;
    }
    assert_close(number(&t, "slow", 0), fabs(f[3999] - f[3998]) < 1e-5, 0);
    assert_int_equal(isnan(number(&t, "inflects", 0)) != 0,
                     number(&t, "slow", 0) > 0);
    measured_clear(&t);
  }
  assert_true(clear > 0);
}

/* ---- on trees belief propagation is exact */

/* Two patterns with at most one input in common, neither empty. */
static int is_tree(const bperc_instance *p) {
  const uint64_t *x = bperc_instance_pattern(p, 0),
                 *y = bperc_instance_pattern(p, 1);
  return __builtin_popcountll(x[0] & y[0]) <= 1 && x[0] && y[0];
}

static double probability(const uint32_t *list, size_t count, size_t i) {
  double ones = 0;
  for (size_t k = 0; k < count; k++)
    ones += list[k] >> i & 1;
  return ones / (double)count;
}

static void polarisation_is_that_of_all_solutions(void **state) {
  size_t trees = 0;
  (void)state;
  for (uint32_t k = 0; k < 60; k++) {
    measured t = measured_run("polarisation\nn = 12\na = 9\nalpha = 0.1667\n"
                              "fin = 0.3\nbins = 5\nbp.factor = exact\n"
                              "bp.kernel = plain\nbp.tolerance = 1e-10\n",
                              k);
    bperc_instance *p = measured_problem(&t, 12, 2, 0.3, 9);
    uint32_t *list;
    size_t count = literal_solutions(p, NULL, &list), none;
    bperc_order order = measured_decimate(&t, p, 0, 2);
    if (is_tree(p) && count && order.fixed == 12 &&
        numbers(&t, "order/undecided", &none)) {
      trees++;
      for (size_t b = 0; b < 5; b++) {
        double sum = 0, size = 0;
        for (size_t w = 0; w < 12; w++)
          if (w >= b * 12 / 5 && w < (b + 1) * 12 / 5) {
            double one = probability(list, count, order.weight[w]);
            sum += one < 0.5 ? one : 1 - one;
            size += 1;
          }
        assert_close(number(&t, "order/undecided", b), sum / size, 1e-6);
        assert_close(number(&t, "order/position", b), (double)b / 5 + 0.1,
                     1e-12);
      }
    }
    bperc_order_clear(&order);
    free(list);
    bperc_instance_free(p);
    measured_clear(&t);
  }
  assert_true(trees >= 3);
}

/* ---- xcorr */

/* The measurement says what the command of that name says, and on a tree the
 * truth. */
static void correlations_are_those_of_the_command(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 5; k++) {
    measured t = measured_run("xcorr\nn = 60\na = 15\nalpha = 0.2\nfin = 0.3\n"
                              "every = 100\n",
                              k);
    bperc_instance *p = measured_problem(&t, 60, 12, 0.3, 15);
    bperc_bp_options opt = bperc_bp_options_for_many(NULL, p);
    bperc_xcorr x;
    bperc_bp *bp;
    assert_int_equal(bperc_bp_new(p, &opt, 1, 1, &bp, NULL), BPERC_OK);
    assert_int_equal(
        bperc_xcorr_measure(
            bp, NULL,
            &(bperc_xcorr_run){.seed = bperc_i_problem_seed(&t.in, 2),
                               .threads = 1},
            &x, NULL),
        BPERC_OK);
    assert_true(x.converged);
    assert_close(number(&t, "step/xcorr2", 0), x.mean_square,
                 1e-5 * x.mean_square);
    bperc_bp_free(bp);
    bperc_instance_free(p);
    measured_clear(&t);
  }
}

/* ---- walking */

/* log Z(x) = log sum over solutions of exp(x d), and the mean distance. */
static double log_z(const uint32_t *list, size_t count, uint32_t centre,
                    double x, double *distance) {
  double z = 0, sum = 0;
  for (size_t k = 0; k < count; k++) {
    double d = __builtin_popcount(list[k] ^ centre);
    z += exp(x * d);
    sum += d * exp(x * d);
  }
  *distance = sum / z;
  return log(z);
}

/* Entropy per weight at a mean distance d, by bisection of x. */
static double literal_local(const uint32_t *list, size_t count, uint32_t centre,
                            size_t n, double d) {
  double low = -30, high = 30, distance, z;
  for (int k = 0; k < 200; k++) {
    double x = (low + high) / 2;
    log_z(list, count, centre, x, &distance);
    *(distance < d ? &low : &high) = x;
  }
  z = log_z(list, count, centre, low, &distance);
  return (z - low * distance) / (double)n;
}

static void local_entropies_and_delta_of_a_walk(void **state) {
  size_t trees = 0;
  (void)state;
  for (uint32_t k = 0; k < 60 && trees < 3; k++) {
    measured t = measured_run("walking\nn = 12\na = 9\nalpha = 0.1667\n"
                              "fin = 0.3\nbins = 4\nsweeps = 30\nfar = 0.3\n"
                              "steps = 3\nbp.factor = exact\n"
                              "bp.kernel = plain\nbp.tolerance = 1e-10\n"
                              "local.points = 60\n",
                              k);
    bperc_instance *p = measured_problem(&t, 12, 2, 0.3, 9);
    size_t none, count;
    uint32_t *list;
    count = literal_solutions(p, NULL, &list);
    if (is_tree(p) && numbers(&t, "order/after", &none)) {
      bperc_run_result r = measured_solve(&t, p, "sbpi", 0, 1);
      bperc_order order = measured_decimate(&t, p, 2, 2);
      uint64_t after = r.weights[0];
      assert_int_equal(
          bperc_walk_sweeps(
              p, &printed,
              &(bperc_walk_run){.sweeps = 30,
                                .seed = bperc_i_problem_seed(&t.in, 4)},
              &after, NULL, NULL),
          BPERC_OK);
      assert_close(number(&t, "walked", 0),
                   __builtin_popcountll(after ^ r.weights[0]) / 12.0, 1e-12);
      for (size_t b = 0; b < 4; b++) {
        double was = 0, is = 0;
        for (size_t w = 3 * b; w < 3 * b + 3; w++) {
          was += bit(r.weights, order.weight[w]) != order.value[w];
          is += bit(&after, order.weight[w]) != order.value[w];
        }
        assert_close(number(&t, "order/before", b), was / 3, 1e-12);
        assert_close(number(&t, "order/after", b), is / 3, 1e-12);
      }
      assert_close(number(&t, "across_before", 0), 0, 0);
      for (size_t s = 0; s < 3; s++) {
        double d = 0.1 * (double)(s + 1);
        assert_close(number(&t, "local/distance", s), d, 1e-12);
        assert_close(
            number(&t, "local/before", s),
            literal_local(list, count, (uint32_t)r.weights[0], 12, 12 * d),
            1e-4);
        assert_close(number(&t, "local/after", s),
                     literal_local(list, count, (uint32_t)after, 12, 12 * d),
                     1e-4);
      }
      trees++;
      bperc_order_clear(&order);
      bperc_run_clear(&r);
    }
    free(list);
    bperc_instance_free(p);
    measured_clear(&t);
  }
  assert_int_equal(trees, 3);
}

/* Far along the walk, near and far solutions are two branches of belief
 * propagation; the ladder is climbed from both sides, nothing is missing, and
 * the solution that was found lies denser. */
static void local_entropies_across_a_transition(void **state) {
  measured t = measured_run("walking\nn = 480\na = 40\nalpha = 0.2\n"
                            "fin = 0.3\nbp.factor = exact\n"
                            "bp.kernel = fast\nlocal.x_from = -7\n"
                            "local.points = 29\n",
                            0);
  (void)state;
  assert_true(number(&t, "across_after", 0) > 0);
  assert_close(number(&t, "across_before", 0), 0, 0);
  for (size_t k = 0; k < 10; k++) {
    double d = number(&t, "local/distance", k);
    double before = number(&t, "local/before", k);
    assert_true(before > number(&t, "local/after", k) + 0.005);
    assert_true(before < -d * log(d) - (1 - d) * log(1 - d));
  }
  measured_clear(&t);
}

/* ---- theory_alpha_u */

/* Below the bracket the densest region is followed to the end with a rising
 * local entropy; above it is not. */
static void check_dense(double alpha, int unbroken) {
  char keys[200];
  size_t count;
  const double *slope, *entropy;
  int good;
  measured t;
  snprintf(keys, sizeof keys,
           "theory_local\naround = dense\na = 40\nfin = 0.5\nalpha = %.6f\n"
           "low = 0.0005\nhigh = 0.03\npoints = 25\n",
           alpha);
  t = measured_run(keys, 0);
  slope = numbers(&t, "local/slope", &count);
  entropy = numbers(&t, "local/entropy", &count);
  good = 1;
  for (size_t k = 0; k < count; k++)
    good = good && slope[k] > 0 && entropy[k] > 0;
  assert_int_equal(good, unbroken);
  measured_clear(&t);
}

static void the_bracket_separates_whole_and_broken(void **state) {
  measured t = measured_run("theory_alpha_u\na = 40\nfin = 0.5\n"
                            "tolerance = 0.004\n",
                            0);
  double low = number(&t, "low", 0), high = number(&t, "high", 0);
  (void)state;
  assert_true(low < number(&t, "alpha_u", 0) &&
              number(&t, "alpha_u", 0) < high);
  assert_true(high - low <= 0.008 + 1e-9);
  assert_true(high < number(&t, "alpha_c", 0));
  check_dense(low - 0.002, 1);
  check_dense(high + 0.002, 0);
  measured_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(correlations_are_those_of_the_command),
      cmocka_unit_test(runs_that_do_not_converge_are_told_as_they_are),
      cmocka_unit_test(polarisation_is_that_of_all_solutions),
      cmocka_unit_test(local_entropies_and_delta_of_a_walk),
      cmocka_unit_test(local_entropies_across_a_transition),
      cmocka_unit_test(the_bracket_separates_whole_and_broken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
