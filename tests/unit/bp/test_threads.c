/* Threads leave no trace: the same bits for 1, 2, 3 and 5 of them, in every
 * layout and precision, where blocks share out evenly and where they do not. */
#include "check.h"

#include "bperc/bp.h"
#include "bperc/ensemble.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 900, STEPS = 3 };

typedef struct {
  double field[2][MOST], residual[2], log_z;
} result;

static bperc_instance *draw(size_t n, size_t m, double fin, int pm) {
  bperc_ensemble e = {.n = n, .m = m, .fin = fin, .model = {.a = 40}};
  bperc_instance *in;
  if (pm)
    e.model =
        (bperc_model){.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM};
  assert_int_equal(bperc_ensemble_draw(&e, 5, &in, NULL), BPERC_OK);
  return in;
}

/* Some steps, some weights fixed, some more steps, and the entropy. */
static result run(const bperc_instance *in, const bperc_bp_options *opt,
                  unsigned threads) {
  result r;
  bperc_bp *bp;
  memset(&r, 0, sizeof r);
  assert_int_equal(bperc_bp_new(in, opt, 3, threads, &bp, NULL), BPERC_OK);
  for (int part = 0; part < 2; part++) {
    for (int k = 0; k < STEPS; k++)
      bperc_bp_step(bp);
    bperc_bp_fields(bp, r.field[part]);
    r.residual[part] = bperc_bp_residual(bp);
    for (size_t i = 0; i < 30; i++)
      bperc_bp_fix(bp, (size_t)part * 100 + 3 * i, i % 3 == 0);
  }
  r.log_z = bperc_bp_log_z(bp);
  bperc_bp_free(bp);
  return r;
}

static void compare(const bperc_instance *in, const bperc_bp_options *opt) {
  static const unsigned threads[] = {2, 3, 5};
  result one = run(in, opt, 1);
  assert_true(isfinite(one.residual[0]) && one.residual[0] > 0);
  for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
    result many = run(in, opt, threads[k]);
    assert_memory_equal(&many, &one, sizeof one);
  }
}

static bperc_bp_options options(int kernel, int update) {
  bperc_bp_options opt;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.kernel = kernel;
  opt.update = update;
  opt.factor = BPERC_BP_GAUSSIAN;
  return opt;
}

/* 2, 4 and 6 blocks of 100000 edges. */
static void lists(void **state) {
  bperc_bp_options opt = options(BPERC_BP_KERNEL_FAST, BPERC_BP_SPLIT);
  (void)state;
  for (size_t m = 300; m <= 1300; m += 500) {
    bperc_instance *in = draw(MOST, m, 0.5, 0);
    compare(in, &opt);
    bperc_instance_free(in);
  }
}

static void masks(void **state) {
  bperc_instance *in = draw(MOST, 700, 0.8, 0);
  bperc_bp_options opt = options(BPERC_BP_KERNEL_FAST, BPERC_BP_DAMPED);
  (void)state;
  compare(in, &opt);
  opt.criterion = BPERC_BP_ENTROPY;
  opt.h_max = 8;
  compare(in, &opt);
  bperc_instance_free(in);
}

static void signs(void **state) {
  bperc_instance *in = draw(601, 500, 0.5, 1);
  bperc_bp_options opt = options(BPERC_BP_KERNEL_FAST, BPERC_BP_SPLIT);
  (void)state;
  compare(in, &opt);
  bperc_instance_free(in);
}

static void double_precision(void **state) {
  bperc_instance *in = draw(600, 700, 0.5, 0);
  bperc_bp_options opt = options(BPERC_BP_KERNEL_PLAIN, BPERC_BP_SPLIT);
  (void)state;
  compare(in, &opt);
  bperc_instance_free(in);
}

static void exact(void **state) {
  bperc_instance *in = draw(MOST, 700, 0.3, 0);
  bperc_bp_options opt = options(BPERC_BP_KERNEL_FAST, BPERC_BP_SPLIT);
  (void)state;
  opt.factor = BPERC_BP_EXACT;
  compare(in, &opt);
  bperc_instance_free(in);
}

static void centred(void **state) {
  bperc_instance *in = draw(MOST, 700, 0.5, 0);
  bperc_bp_options opt = options(BPERC_BP_KERNEL_FAST, BPERC_BP_SPLIT);
  (void)state;
  opt.centred = 1;
  compare(in, &opt);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists), cmocka_unit_test(masks),
      cmocka_unit_test(signs), cmocka_unit_test(double_precision),
      cmocka_unit_test(exact), cmocka_unit_test(centred),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
