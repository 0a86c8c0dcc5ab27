/* Kernels of belief propagation: accuracy against the double reference, far
 * tails, and the same bits from every instruction set. */
#include "check.h"

#include "bperc/bp.h"
#include "kernels/bp.h"
#include "kernels/isa.h"
#include "numeric/gauss.h"

#include <string.h>

static double reference(double s, double edge, bperc_i_row_sums row, double p) {
  double sigma = sqrt(row.v - p * (1 - p));
  double x = s * (edge - row.a + p) / sigma;
  return fmax(-50, fmin(50, bperc_i_log_h_ratio(x - s / sigma, x)));
}

/* log H ratios for arguments from -40 to beyond 100. */
static void gaussian_is_accurate(void **state) {
  const bperc_i_bp_kernels *kernels = bperc_i_bp_kernels_get();
  const double p[4] = {0.013, 0.31, 0.62, 0.97};
  double h_hat[4], terms[4];
  (void)state;
  for (double edge = -300; edge < 700; edge += 7.37)
    for (int label = -1; label <= 1; label += 2) {
      bperc_i_row_sums row = {12.3, 37.9};
      kernels->gaussian(label, edge, row, p, 4, h_hat, terms);
      for (int k = 0; k < 4; k++) {
        double expected = reference(label, edge, row, p[k]);
        assert_close(h_hat[k], expected, 3e-9 * (1 + fabs(expected)));
        assert_close(terms[k], log(1 - p[k] + p[k] * exp(h_hat[k])), 1e-9);
      }
    }
}

static void polynomial_fits(void **state) {
  const bperc_i_bp_kernels *kernels = bperc_i_bp_kernels_get();
  bperc_i_row_sums row = {12.3, 9.1};
  float p[8], out[8] = {0}, u[8] = {0};
  uint32_t list[8];
  bperc_i_poly poly;
  (void)state;
  assert_true(kernels->fit_gaussian(1, 12.5, row, &poly) < 1e-6);
  for (uint32_t k = 0; k < 8; k++) {
    p[k] = 0.137f * (float)k;
    list[k] = k;
  }
  kernels->write_list(&poly, p, list, u, 8, 0.25f, out);
  for (int k = 0; k < 8; k++) {
    assert_close(out[k], reference(1, 12.5, row, p[k]), 3e-6);
    assert_close(u[k], out[k] / 4, 1e-6);
  }
}

/* Single precision at the nodes: where the fit is accepted it stands for the
 * factor, far tails included. */
static void factor_is_fitted(void **state) {
  const bperc_i_bp_kernels *kernels = bperc_i_bp_kernels_get();
  const uint32_t list[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const float p[8] = {0.001f, 0.02f, 0.11f, 0.3f, 0.52f, 0.74f, 0.9f, 0.998f};
  int accepted = 0;
  (void)state;
  for (double v = 3; v < 2000; v *= 2.3)
    for (double x = -9; x < 25; x += 0.37)
      for (int label = -1; label <= 1; label += 2) {
        bperc_i_row_sums row = {31.7, v};
        double edge = row.a + label * x * sqrt(v);
        float out[8] = {0}, u[8] = {0};
        bperc_i_poly poly;
        if (kernels->fit_gaussian(label, edge, row, &poly) > 1e-5)
          continue;
        accepted++;
        kernels->write_list(&poly, p, list, u, 8, 0.25f, out);
        for (int k = 0; k < 8; k++) {
          double expected = reference(label, edge, row, p[k]);
          assert_close(out[k], expected, 1e-5 + 1e-6 * fabs(expected));
        }
      }
  assert_true(accepted > 900);
}

/* Ten steps of the fast kernel stay with the plain one, for lists and masks,
 * with and without a bound; both instruction sets give the same bits. */
static void rows_agree(double fin, double bound) {
  enum { N = 203, M = 60 };
  bperc_instance *in;
  double plain[N], fast[2][N];
  bperc_bp_options opt;
  bperc_instance_generate(N, M, fin, 21, 0, 8, &in, NULL);
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.factor = BPERC_BP_GAUSSIAN;
  opt.update = BPERC_BP_DAMPED;
  opt.damping = 0.05;
  opt.h_max = bound;
  for (int run = 0; run < 3; run++) {
    bperc_bp *bp;
    opt.kernel = run < 2 ? BPERC_BP_KERNEL_FAST : BPERC_BP_KERNEL_PLAIN;
    bperc_i_isa_force(run == 0 ? BPERC_ISA_PORTABLE : BPERC_ISA_COUNT);
    assert_int_equal(bperc_bp_new(in, &opt, 4, 1, &bp, NULL), BPERC_OK);
    for (int t = 0; t < 10; t++)
      bperc_bp_step(bp);
    bperc_bp_fields(bp, run < 2 ? fast[run] : plain);
    bperc_bp_free(bp);
  }
  assert_memory_equal(fast[0], fast[1], sizeof fast[0]);
  for (int i = 0; i < N; i++)
    assert_close(fast[0][i], plain[i], 1e-4 * (1 + 0.01 * fabs(plain[i])));
  bperc_instance_free(in);
}

static void fast_equals_plain(void **state) {
  (void)state;
  rows_agree(0.13, 0);
  rows_agree(0.13, 2.5);
  rows_agree(0.71, 0);
  rows_agree(0.71, 2.5);
}

/* Squeezing the masks as weights are fixed changes nothing: the same fixed
 * point as with lists. */
static void fixing_in_masks(void **state) {
  enum { N = 203, M = 20 };
  bperc_instance *in;
  double field[2][N];
  bperc_bp_options opt;
  (void)state;
  bperc_instance_generate(N, M, 0.64, 21, 0, 9, &in, NULL);
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.tolerance = 1e-5;
  opt.factor = BPERC_BP_GAUSSIAN;
  for (int run = 0; run < 2; run++) {
    bperc_bp *bp;
    opt.kernel = run ? BPERC_BP_KERNEL_PLAIN : BPERC_BP_KERNEL_FAST;
    assert_int_equal(bperc_bp_new(in, &opt, 4, 1, &bp, NULL), BPERC_OK);
    for (size_t i = 0; i < 60; i++)
      assert_int_equal(bperc_bp_fix(bp, 3 * i + 1, i % 19 == 0), BPERC_RUNNING);
    bperc_bp_converge(bp, NULL);
    bperc_bp_fields(bp, field[run]);
    bperc_bp_free(bp);
  }
  for (int i = 0; i < N; i++)
    if (isfinite(field[1][i]))
      assert_close(field[0][i], field[1][i], 1e-4);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaussian_is_accurate),
      cmocka_unit_test(polynomial_fits),
      cmocka_unit_test(factor_is_fitted),
      cmocka_unit_test(fast_equals_plain),
      cmocka_unit_test(fixing_in_masks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
