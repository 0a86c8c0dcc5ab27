/* The engine: trees, a literal reference, fixed weights, copies, memory. */
#include "check.h"

#include "bp/engine.h"

#include "base/alloc.h"
#include "bperc/bp.h"
#include "bperc/ensemble.h"
#include "case.h"
#include "literal_factor.h"

#include <string.h>

static bperc_bp *make(const bperc_instance *in, const bperc_bp_options *opt) {
  bperc_bp *bp;
  assert_int_equal(bperc_bp_new(in, opt, 7, 1, &bp, NULL), BPERC_OK);
  return bp;
}

static bperc_bp_options defaults(void) {
  bperc_bp_options opt;
  bperc_options_default(bperc_bp_option_table(), &opt);
  return opt;
}

/* Sum over all configurations of exp(sum x_i w_i); marginals by the way. */
static double enumerate(const bperc_instance *in, const double *x,
                        uint64_t care, uint64_t fixed, double *p) {
  double z = 0;
  memset(p, 0, in->n * sizeof *p);
  for (uint64_t w = 0; w < (uint64_t)1 << in->n; w++) {
    double weight = 0;
    if ((w & care) != fixed || bperc_verify(in, &w, NULL).errors)
      continue;
    for (size_t i = 0; i < in->n; i++)
      weight += x[i] * (double)(w >> i & 1);
    weight = exp(weight);
    z += weight;
    for (size_t i = 0; i < in->n; i++)
      p[i] += weight * (double)(w >> i & 1);
  }
  for (size_t i = 0; i < in->n; i++)
    p[i] /= z;
  return log(z);
}

static void tree_equals_enumeration(void **state) {
  bperc_instance *in = read_case("e04");
  double x[12] = {0}, expected[12], p[12], log_z;
  bperc_bp *bp = make(in, NULL);
  bperc_bp_report report;
  (void)state;
  log_z = enumerate(in, x, 0, 0, expected);
  bperc_bp_converge(bp, &report);
  assert_true(report.converged);
  bperc_bp_marginals(bp, p);
  for (size_t i = 0; i < 12; i++)
    assert_close(p[i], expected[i], 1e-9);
  assert_close(bperc_bp_entropy(bp), log_z / 12, 1e-9);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

/* The same with external fields and two fixed weights. */
static void tree_with_fields(void **state) {
  bperc_instance *in = read_case("e04");
  double x[12], expected[12], p[12], log_z;
  bperc_bp *bp = make(in, NULL);
  (void)state;
  for (size_t i = 0; i < 12; i++) {
    x[i] = i == 4 || i == 8 ? 0 : 0.31 * (double)i - 1.7;
    bperc_bp_set_external(bp, i, x[i]);
  }
  log_z = enumerate(in, x, 1u << 4 | 1u << 8, 1u << 8, expected);
  assert_int_equal(bperc_bp_fix(bp, 4, 0), BPERC_RUNNING);
  assert_int_equal(bperc_bp_fix(bp, 8, 1), BPERC_RUNNING);
  bperc_bp_converge(bp, NULL);
  bperc_bp_marginals(bp, p);
  for (size_t i = 0; i < 12; i++)
    assert_close(p[i], expected[i], 1e-9);
  assert_close(bperc_bp_log_z(bp), log_z, 1e-9);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

/* ---- random trees: every weight meets at most one earlier pattern's */

/* A pattern takes at most one weight that is in use, the others are new. */
static void plant(bperc_instance *in, bperc_stream *s) {
  size_t used = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    size_t fresh = bperc_stream_below(s, 4);
    uint64_t bits = 0;
    if (used)
      bits |= (uint64_t)1 << bperc_stream_below(s, used);
    for (; fresh > 0 && used < in->n; fresh--)
      bits |= (uint64_t)1 << used++;
    in->patterns[mu] = bits;
    in->labels[mu] = (uint8_t)bperc_stream_below(s, 2);
  }
  bperc_instance_update_bounds(in);
}

static size_t check_tree(const bperc_instance *in, const double *x,
                         const bperc_bp_options *opt, double tolerance) {
  double p[10], expected[10], log_z = enumerate(in, x, 0, 0, expected);
  bperc_bp_report report;
  bperc_bp *bp;
  if (!isfinite(log_z))
    return 0;
  bp = make(in, opt);
  for (size_t i = 0; i < in->n; i++)
    bperc_bp_set_external(bp, i, x[i]);
  bperc_bp_converge(bp, &report);
  assert_true(report.converged);
  bperc_bp_marginals(bp, p);
  for (size_t i = 0; i < in->n; i++)
    assert_close(p[i], expected[i], tolerance);
  assert_close(bperc_bp_log_z(bp), log_z, tolerance);
  bperc_bp_free(bp);
  return 1;
}

/* Forced weights included: many of these trees leave no choice somewhere. */
static void random_trees(void **state) {
  static const int kernels[] = {BPERC_BP_KERNEL_AUTO, BPERC_BP_KERNEL_FAST};
  bperc_stream s = bperc_stream_make(5, BPERC_FOR_TEST, 0);
  bperc_bp_options opt = defaults();
  size_t trees = 0;
  (void)state;
  for (int k = 0; k < 1000; k++) {
    size_t n = 1 + bperc_stream_below(&s, 10), m = bperc_stream_below(&s, 5);
    double a = 0.3 * (double)n + 4 * bperc_stream_double(&s), x[10];
    bperc_instance *in;
    bperc_instance_new(n, m, &(bperc_model){.a = a}, &in, NULL);
    plant(in, &s);
    for (size_t i = 0; i < n; i++)
      x[i] = k % 2 ? 2 * bperc_stream_double(&s) - 1 : 0;
    for (int j = 0; j < 2; j++) {
      opt.kernel = kernels[j];
      trees += check_tree(in, x, &opt, j ? 2e-4 : 1e-9);
    }
    bperc_instance_free(in);
  }
  assert_true(trees > 700);
}

/* A split update whose residual falls, but by 2 % in 200 iterations, gives way
 * to plain damping. */
static void creeping_gives_way(void **state) {
  bperc_instance *in;
  bperc_bp_options opt = defaults();
  bperc_bp_report report;
  bperc_bp *bp;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = 120, .m = 24, .fin = 0.31, .model = {.a = 20, .ties = 0}},
      11, &in, NULL);
  opt.max_iterations = 1000;
  opt.damping = 1e-4;
  bp = make(in, &opt);
  bperc_bp_converge(bp, &report);
  assert_false(report.converged);
  assert_true(report.iterations > 1000 && report.iterations < 1500);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

/* Where there is no fixed point the run ends long before its last iteration,
 * and says so. */
static void no_fixed_point_is_left_early(void **state) {
  bperc_instance *in;
  bperc_bp_options opt = defaults();
  bperc_bp_report report;
  bperc_bp *bp;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = 40, .m = 40, .fin = 0.71, .model = {.a = 12, .ties = 0}},
      3, &in, NULL);
  opt.factor = BPERC_BP_GAUSSIAN;
  opt.tolerance = 1e-4;
  opt.max_iterations = 100000;
  bp = make(in, &opt);
  bperc_bp_converge(bp, &report);
  assert_false(report.converged);
  assert_true(report.stalled);
  assert_true(report.iterations < 20000);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

/* ---- a literal engine: full message arrays, printed equations */

enum { N = 18, M = 7 };
typedef struct {
  double h[M][N], h_hat[M][N], field[N];
} reference;

static double sigmoid(double h) { return 1 / (1 + exp(-h)); }

static void reference_step(const bperc_instance *in, reference *r, double f) {
  for (size_t mu = 0; mu < in->m; mu++) {
    double p[N];
    size_t index[N], degree = 0;
    for (size_t i = 0; i < in->n; i++)
      if (in->patterns[mu] >> i & 1) {
        index[degree] = i;
        p[degree++] = sigmoid(r->h[mu][i]);
      }
    for (size_t k = 0; k < degree; k++)
      r->h_hat[mu][index[k]] = literal_h_hat(
          in->labels[mu], (int)bperc_instance_bound(in, mu), degree, p, k);
  }
  for (size_t i = 0; i < in->n; i++) {
    r->field[i] = 0;
    for (size_t mu = 0; mu < in->m; mu++)
      if (in->patterns[mu] >> i & 1)
        r->field[i] += r->h_hat[mu][i];
  }
  for (size_t mu = 0; mu < in->m; mu++)
    for (size_t i = 0; i < in->n; i++)
      if (in->patterns[mu] >> i & 1)
        r->h[mu][i] =
            f * (r->field[i] - r->h_hat[mu][i]) + (1 - f) * r->h[mu][i];
}

static void loopy_equals_reference(void **state) {
  static const char *const names[] = {"c01", "c03", "c05"};
  (void)state;
  for (size_t c = 0; c < 3; c++) {
    bperc_instance *in = read_case(names[c]);
    bperc_bp_options opt = defaults();
    reference r = {0};
    double fields[N];
    bperc_bp *bp;
    opt.factor = BPERC_BP_EXACT;
    opt.tolerance = 1e-12;
    bp = make(in, &opt);
    for (int t = 0; t < 400; t++)
      reference_step(in, &r, 0.23);
    bperc_bp_converge(bp, NULL);
    bperc_bp_fields(bp, fields);
    for (size_t i = 0; i < in->n; i++)
      assert_close(fields[i], r.field[i], 1e-9);
    bperc_bp_free(bp);
    bperc_instance_free(in);
  }
}

/* Ten damped steps from the same messages: the trajectory, not only its end.
 * h = g - u reproduces the damped messages of [BZ eq. 22]. */
static void trajectory_equals_reference(void **state) {
  bperc_instance *in = read_case("c05");
  bperc_bp_options opt = defaults();
  bperc_stream s = bperc_stream_make(7, BPERC_FOR_BP_START, 0);
  reference r = {0};
  double fields[N];
  bperc_bp *bp;
  (void)state;
  opt.factor = BPERC_BP_EXACT;
  opt.update = BPERC_BP_DAMPED;
  opt.damping = 0.17;
  bp = make(in, &opt);
  for (size_t mu = 0; mu < in->m; mu++)
    for (size_t i = 0; i < in->n; i++)
      if (in->patterns[mu] >> i & 1)
        r.h[mu][i] = 2 * bperc_stream_double(&s) - 1;
  for (int t = 0; t < 10; t++) {
    bperc_bp_step(bp);
    reference_step(in, &r, 0.17);
    bperc_bp_fields(bp, fields);
    for (size_t i = 0; i < in->n; i++)
      assert_close(fields[i], r.field[i], 1e-10);
  }
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

/* ---- fixing */

static void decided_factors_leave(void **state) {
  bperc_instance *in = read_case("e04"); /* cap 2, need 3 */
  bperc_bp *bp = make(in, NULL);
  size_t edges = bperc_i_bp_edges(bp);
  (void)state;
  /* pattern 3 (one input, label 0, two allowed) is decided from the start */
  assert_int_equal(edges, 3 + 4 + 4);
  assert_int_equal(bperc_bp_fix(bp, 3, 0), BPERC_RUNNING);
  assert_int_equal(bperc_i_bp_edges(bp), 10);
  assert_int_equal(bperc_bp_fix(bp, 5, 0), BPERC_RUNNING);
  assert_int_equal(bperc_i_bp_edges(bp), 3 + 4); /* two left of two allowed */
  assert_int_equal(bperc_bp_violated(bp), in->m);
  assert_int_equal(bperc_bp_fix(bp, 1, 0), BPERC_CONTRADICTION);
  assert_int_equal(bperc_bp_violated(bp), 0);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

static void copies(void **state) {
  bperc_instance *in = read_case("c05");
  bperc_bp *bp = make(in, NULL), *other;
  double a[N], b[N];
  (void)state;
  bperc_bp_converge(bp, NULL);
  assert_int_equal(bperc_bp_clone(bp, 1, &other), BPERC_OK);
  bperc_bp_fix(other, 5, 1);
  bperc_bp_converge(other, NULL);
  bperc_bp_copy(other, bp);
  assert_int_equal(bperc_bp_fixed(other, 5), -1);
  bperc_bp_step(bp);
  bperc_bp_step(other);
  bperc_bp_fields(bp, a);
  bperc_bp_fields(other, b);
  assert_memory_equal(a, b, sizeof a);
  bperc_bp_free(bp);
  bperc_bp_free(other);
  bperc_instance_free(in);
}

/* The uniform mode apart reaches the fixed point of plain damping. */
static void split_equals_damped(void **state) {
  bperc_instance *in;
  bperc_bp_options opt = defaults();
  bperc_bp_report report;
  bperc_bp *split, *damped;
  double a[120], b[120];
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = 120, .m = 24, .fin = 0.31, .model = {.a = 20, .ties = 0}},
      11, &in, NULL);
  split = make(in, &opt);
  opt.update = BPERC_BP_DAMPED;
  opt.damping = 0.06;
  damped = make(in, &opt);
  bperc_bp_converge(split, &report);
  assert_int_equal(report.method, BPERC_BP_BY_SPLIT);
  bperc_bp_converge(damped, &report);
  assert_int_equal(report.method, BPERC_BP_BY_DAMPED);
  bperc_bp_fields(split, a);
  bperc_bp_fields(damped, b);
  for (size_t i = 0; i < 120; i++)
    assert_close(a[i], b[i], 1e-8);
  bperc_bp_free(split);
  bperc_bp_free(damped);
  bperc_instance_free(in);
}

static void no_memory(void **state) {
  bperc_instance *in = read_case("c05");
  bperc_bp *bp;
  long k = 0;
  (void)state;
  for (;; k++) {
    bperc_i_alloc_fail_after(k);
    if (bperc_bp_new(in, NULL, 7, 1, &bp, NULL) == BPERC_OK)
      break;
    assert_null(bp);
  }
  bperc_i_alloc_fail_after(-1);
  assert_true(k > 10);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tree_equals_enumeration),
      cmocka_unit_test(tree_with_fields),
      cmocka_unit_test(random_trees),
      cmocka_unit_test(creeping_gives_way),
      cmocka_unit_test(no_fixed_point_is_left_early),
      cmocka_unit_test(loopy_equals_reference),
      cmocka_unit_test(trajectory_equals_reference),
      cmocka_unit_test(decided_factors_leave),
      cmocka_unit_test(copies),
      cmocka_unit_test(split_equals_damped),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
