/* Local entropy and cross-correlations by belief propagation against sums over
 * all configurations: exact on a tree, near on small loopy cases. */
#include "check.h"

#include "base/alloc.h"
#include "bp/state.h"
#include "bperc/ensemble.h"
#include "bperc/localentropy.h"
#include "bperc/run.h"
#include "bperc/xcorr.h"
#include "case.h"

#include <stdlib.h>
#include <string.h>

/* Solutions by distance from w. */
static void by_distance(const bperc_instance *in, uint64_t from,
                        double *count) {
  memset(count, 0, (in->n + 1) * sizeof *count);
  for (uint64_t w = 0; w < (uint64_t)1 << in->n; w++)
    if (bperc_verify(in, &w, NULL).errors == 0)
      count[__builtin_popcountll(w ^ from)]++;
}

static void tree_local_entropy(void **state) {
  bperc_instance *in = read_case("e04");
  uint64_t w = 0x8f; /* 1111 0001 ...: a solution */
  bperc_local_options opt = {-4.3, 0.4, 12};
  bperc_local_point points[12];
  double count[13], one_flip;
  (void)state;
  assert_int_equal(bperc_verify(in, &w, NULL).errors, 0);
  by_distance(in, w, count);
  assert_int_equal(
      bperc_local_entropy(
          in, &w, &opt,
          &(bperc_local_run){.seed = 1, .threads = 1, .one_flip = &one_flip},
          points, NULL),
      BPERC_OK);
  assert_close(one_flip, count[1], 1e-4);
  for (size_t k = 0; k < 12; k++) {
    double z = 0, mean = 0;
    for (int d = 0; d <= 12; d++) {
      z += count[d] * exp(points[k].x * d);
      mean += d * count[d] * exp(points[k].x * d);
    }
    mean /= z;
    assert_true(points[k].converged);
    assert_close(points[k].distance, mean / 12, 1e-9);
    assert_close(points[k].entropy, (log(z) - points[k].x * mean) / 12, 1e-9);
  }
  bperc_instance_free(in);
}

/* The limit x -> -infinity counts the solutions one flip away, in single
 * precision too; Gaussian factors cannot tell. */
static void one_flip_is_counted(void **state) {
  enum { N = 120 };
  bperc_local_options opt = {-2, -1, 2};
  bperc_local_point points[2];
  bperc_bp_options bp;
  (void)state;
  bperc_options_default(bperc_bp_option_table(), &bp);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    bperc_run_result r = {0};
    bperc_instance *in;
    double count = 0, one_flip;
    bperc_ensemble_draw(
        &(bperc_ensemble){
            .n = N, .m = 18, .fin = 0.3, .model = {.a = 24, .ties = 0}},
        seed, &in, NULL);
    assert_int_equal(bperc_run(bperc_solver_find("sbpi"), in, NULL,
                               &(bperc_run_options){.seed = seed, .threads = 1},
                               &r, NULL),
                     BPERC_OK);
    for (size_t i = 0; i < N; i++) {
      uint64_t w[2] = {r.weights[0], r.weights[1]};
      w[i / 64] ^= (uint64_t)1 << (i % 64);
      count += bperc_verify(in, w, NULL).errors == 0;
    }
    for (int k = 0; k < 3; k++) {
      bp.kernel = k ? BPERC_BP_KERNEL_FAST : BPERC_BP_KERNEL_PLAIN;
      bp.factor = k < 2 ? BPERC_BP_EXACT : BPERC_BP_GAUSSIAN;
      assert_int_equal(
          bperc_local_entropy(
              in, r.weights, &opt,
              &(bperc_local_run){
                  .bp = &bp, .seed = 1, .threads = 1, .one_flip = &one_flip},
              points, NULL),
          BPERC_OK);
      assert_close(one_flip, count, 0);
    }
    bperc_run_clear(&r);
    bperc_instance_free(in);
  }
}

/* c_ij over all configurations. */
static void enumerate(const bperc_instance *in, double *c) {
  double z = 0, p[32] = {0};
  memset(c, 0, in->n * in->n * sizeof *c);
  for (uint64_t w = 0; w < (uint64_t)1 << in->n; w++) {
    if (bperc_verify(in, &w, NULL).errors)
      continue;
    z++;
    for (size_t i = 0; i < in->n; i++) {
      p[i] += (double)(w >> i & 1);
      for (size_t j = 0; j < in->n; j++)
        c[i * in->n + j] += (double)(w >> i & w >> j & 1);
    }
  }
  for (size_t i = 0; i < in->n; i++)
    for (size_t j = 0; j < in->n; j++)
      c[i * in->n + j] = c[i * in->n + j] / z - p[i] * p[j] / z / z;
}

static void compare(const char *name, int estimate, double tolerance) {
  bperc_instance *in = read_case(name);
  size_t n = in->n;
  double *exact = calloc(n * n, sizeof *exact), *c = calloc(n * n, sizeof *c);
  double sum = 0, square = 0;
  bperc_xcorr_options opt;
  bperc_xcorr out;
  bperc_bp *bp;
  bperc_options_default(bperc_xcorr_option_table(), &opt);
  opt.estimate = estimate;
  opt.probe = 0.003;
  enumerate(in, exact);
  assert_int_equal(bperc_bp_new(in, NULL, 1, 1, &bp, NULL), BPERC_OK);
  assert_int_equal(bperc_xcorr_measure(
                       bp, &opt,
                       &(bperc_xcorr_run){.seed = 1, .threads = 2, .matrix = c},
                       &out, NULL),
                   BPERC_OK);
  assert_true(out.converged);
  assert_int_equal(out.sampled, n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      if (i == j)
        continue;
      assert_close(c[i * n + j], exact[i * n + j], tolerance);
      sum += c[i * n + j];
      square += c[i * n + j] * c[i * n + j];
    }
  assert_close(out.mean, sum / (double)(n * (n - 1)), 1e-12);
  assert_close(out.mean_square, square / (double)(n * (n - 1)), 1e-12);
  bperc_bp_free(bp);
  bperc_instance_free(in);
  free(exact);
  free(c);
}

static void tree_correlations(void **state) {
  (void)state;
  compare("e04", BPERC_XCORR_CONDITION, 1e-9);
  compare("e04", BPERC_XCORR_RESPONSE, 1e-6);
}

static void loopy_correlations(void **state) {
  (void)state;
  compare("c01", BPERC_XCORR_CONDITION, 0.03);
  compare("c01", BPERC_XCORR_RESPONSE, 0.03);
}

/* At most one of three weights at 1: w_i = 1 forces the others to 0, and c_ij
 * is -1/16. Runs cut short are no answer. */
static void forced_correlations(void **state) {
  bperc_instance *in;
  (void)state;
  bperc_instance_new(3, 1, &(bperc_model){.a = 3}, &in, NULL);
  in->patterns[0] = 7;
  bperc_instance_update_bounds(in);
  for (int kind = 0; kind < 3; kind++) {
    bperc_bp_options opt;
    bperc_xcorr out;
    bperc_bp *bp;
    bperc_options_preset(bperc_bp_option_table(), &opt,
                         kind == 1 ? "paper" : "default", NULL);
    assert_int_equal(bperc_bp_new(in, &opt, 1, 1, &bp, NULL), BPERC_OK);
    if (kind == 2) { /* enough for the unconditioned run, which is done */
      bperc_bp_converge(bp, NULL);
      bp->opt.max_iterations = 5;
    }
    assert_int_equal(
        bperc_xcorr_measure(
            bp, NULL, &(bperc_xcorr_run){.seed = 1, .threads = 1}, &out, NULL),
        BPERC_OK);
    assert_int_equal(out.converged, kind < 2);
    assert_int_equal(out.unconverged, kind == 2 ? 3 : 0);
    if (kind == 2) {
      assert_true(isnan(out.mean) && isnan(out.mean_square));
    } else {
      assert_close(out.mean, -0.0625, 1e-7);
      assert_close(out.mean_square, 0.00390625, 1e-8);
    }
    bperc_bp_free(bp);
  }
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in = read_case("e04");
  uint64_t w = 0x8f;
  bperc_local_options opt = {-1, 0, 2};
  bperc_local_point points[2];
  bperc_xcorr out;
  (void)state;
  for (long k = 0, done = 0; !done; k++) {
    bperc_bp *bp = NULL;
    bperc_i_alloc_fail_after(k);
    done = bperc_local_entropy(in, &w, &opt,
                               &(bperc_local_run){.seed = 1, .threads = 1},
                               points, NULL) == BPERC_OK;
    bperc_i_alloc_fail_after(-1);
    assert_int_equal(bperc_bp_new(in, NULL, 1, 1, &bp, NULL), BPERC_OK);
    bperc_i_alloc_fail_after(k);
    done &= bperc_xcorr_measure(bp, NULL,
                                &(bperc_xcorr_run){.seed = 1, .threads = 1},
                                &out, NULL) == BPERC_OK;
    bperc_i_alloc_fail_after(-1);
    bperc_bp_free(bp);
  }
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tree_local_entropy),
      cmocka_unit_test(one_flip_is_counted),
      cmocka_unit_test(tree_correlations),
      cmocka_unit_test(loopy_correlations),
      cmocka_unit_test(forced_correlations),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
