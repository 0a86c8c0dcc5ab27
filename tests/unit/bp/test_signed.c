/* Belief propagation on problems of every kind: -1/+1 weights, signed inputs,
 * thresholds of their own. Trees against sums over all configurations, loopy
 * problems against literal flooding, and the symmetry of turning a column. */
#include "check.h"

#include "any_instance.h"
#include "bperc/bp.h"
#include "bperc/bpd.h"
#include "bperc/localentropy.h"
#include "bperc/rbp.h"
#include "bperc/xcorr.h"
#include "literal.h"
#include "literal_factor.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

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

/* ---- all configurations */

typedef struct {
  double z, p[MOST], c[MOST][MOST];
} truth;

static truth enumerate(const bperc_instance *in, const double *x) {
  truth t = {0};
  for (uint32_t w = 0; w < 1u << in->n; w++) {
    double weight = 0;
    bool good = true;
    for (size_t mu = 0; mu < in->m && good; mu++)
      good = literal_satisfied(in, mu, w);
    if (!good)
      continue;
    for (size_t i = 0; i < in->n; i++)
      weight += x ? x[i] * (double)(w >> i & 1) : 0;
    weight = exp(weight);
    t.z += weight;
    for (size_t i = 0; i < in->n; i++)
      for (size_t j = 0; j < in->n; j++)
        t.c[i][j] += weight * (double)(w >> i & w >> j & 1);
  }
  for (size_t i = 0; i < in->n; i++)
    t.p[i] = t.c[i][i] / t.z;
  for (size_t i = 0; i < in->n; i++)
    for (size_t j = 0; j < in->n; j++)
      t.c[i][j] = t.c[i][j] / t.z - t.p[i] * t.p[j];
  return t;
}

/* ---- trees: a pattern takes at most one weight that is in use */

static bperc_instance *tree(uint64_t seed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 3);
  size_t n = 1 + bperc_stream_below(&s, 10), m = 1 + bperc_stream_below(&s, 4);
  bperc_model model = {.weights = (bperc_weight_kind)(seed % 2),
                       .inputs = BPERC_INPUTS_SIGNED,
                       .ties = (bperc_ties)(seed / 2 % 3),
                       .theta = 2 * (bperc_stream_double(&s) - 0.5)};
  bperc_instance *in;
  size_t used = 0;
  if (seed % 5 == 0)
    model.kappa = 0.5;
  assert_int_equal(bperc_instance_new(n, m, &model, &in, NULL), BPERC_OK);
  for (size_t mu = 0; mu < m; mu++) {
    size_t fresh = bperc_stream_below(&s, 4);
    uint64_t bits = 0;
    if (used)
      bits |= (uint64_t)1 << bperc_stream_below(&s, used);
    for (; fresh > 0 && used < n; fresh--)
      bits |= (uint64_t)1 << used++;
    in->support[mu] = bits;
    in->patterns[mu] = bits & bperc_stream_u64(&s);
    in->labels[mu] = (uint8_t)bperc_stream_below(&s, 2);
  }
  bperc_instance_update_bounds(in);
  return in;
}

static void check_tree(const bperc_instance *in, const double *x, int kernel,
                       double tolerance) {
  truth t = enumerate(in, x);
  bperc_bp_options opt = defaults();
  double p[MOST];
  bperc_bp_report report;
  bperc_bp *bp;
  opt.kernel = kernel;
  bp = make(in, &opt);
  for (size_t i = 0; i < in->n; i++)
    bperc_bp_set_external(bp, i, x[i]);
  bperc_bp_converge(bp, &report);
  assert_true(report.converged);
  bperc_bp_marginals(bp, p);
  for (size_t i = 0; i < in->n; i++)
    assert_close(p[i], t.p[i], tolerance);
  assert_close(bperc_bp_log_z(bp), log(t.z), tolerance);
  bperc_bp_free(bp);
}

static void trees(void **state) {
  size_t count = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 600; seed++) {
    bperc_instance *in = tree(seed);
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 4);
    double x[MOST];
    for (size_t i = 0; i < in->n; i++)
      x[i] = seed % 3 ? 2 * bperc_stream_double(&s) - 1 : 0;
    if (enumerate(in, x).z > 0) {
      count++;
      check_tree(in, x, BPERC_BP_KERNEL_AUTO, 1e-9);
      check_tree(in, x, BPERC_BP_KERNEL_FAST, 3e-4);
    }
    bperc_instance_free(in);
  }
  assert_true(count > 200);
}

/* Fixing weights leaves the tree of those that are left. */
static void fixed_weights(void **state) {
  size_t count = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    bperc_instance *in = tree(seed);
    double x[MOST] = {0}, p[MOST];
    bperc_bp *bp = make(in, NULL);
    int value = (int)(seed / 7 % 2);
    truth t;
    x[0] = value ? 60 : -60;
    t = enumerate(in, x);
    if (bperc_bp_fix(bp, 0, value) != BPERC_CONTRADICTION &&
        fabs(t.p[0] - value) < 1e-9 && t.z > 0 && in->n > 1) {
      count++;
      bperc_bp_converge(bp, NULL);
      bperc_bp_marginals(bp, p);
      for (size_t i = 0; i < in->n; i++)
        assert_close(p[i], t.p[i], 1e-9);
      assert_close(bperc_bp_log_z(bp), log(t.z) - (value ? 60 : 0), 1e-8);
    }
    bperc_bp_free(bp);
    bperc_instance_free(in);
  }
  assert_true(count > 50);
}

static void correlations_on_trees(void **state) {
  size_t count = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    bperc_instance *in = tree(seed);
    truth t = enumerate(in, NULL);
    double c[MOST * MOST];
    bperc_xcorr out;
    bperc_bp *bp = make(in, NULL);
    if (t.z > 0 && in->n > 1) {
      count++;
      assert_int_equal(
          bperc_xcorr_measure(
              bp, NULL,
              &(bperc_xcorr_run){.seed = 1, .threads = 1, .matrix = c}, &out,
              NULL),
          BPERC_OK);
      assert_true(out.converged);
      for (size_t i = 0; i < in->n; i++)
        for (size_t j = 0; j < in->n; j++)
          if (i != j)
            assert_close(c[i * in->n + j], t.c[i][j], 1e-8);
    }
    bperc_bp_free(bp);
    bperc_instance_free(in);
  }
  assert_true(count > 40);
}

/* Solutions one flip away, and the mean distance at a coupling. */
static void local_entropy_on_trees(void **state) {
  size_t count = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    bperc_instance *in = tree(seed);
    bperc_local_options opt = {-1.3, -0.7, 2};
    bperc_local_point points[2];
    uint32_t *list;
    size_t size = literal_solutions(in, NULL, &list);
    if (size) {
      double one_flip, x[MOST];
      uint64_t w = list[size / 2];
      count++;
      assert_int_equal(bperc_local_entropy(
                           in, &w, &opt,
                           &(bperc_local_run){
                               .seed = 1, .threads = 1, .one_flip = &one_flip},
                           points, NULL),
                       BPERC_OK);
      assert_close(one_flip, (double)literal_near(list, size, (uint32_t)w, 1),
                   1e-4);
      for (size_t i = 0; i < in->n; i++)
        x[i] = w >> i & 1 ? 1.3 : -1.3;
      truth t = enumerate(in, x);
      double distance = 0;
      for (size_t i = 0; i < in->n; i++)
        distance += w >> i & 1 ? 1 - t.p[i] : t.p[i];
      assert_close(points[0].distance, distance / (double)in->n, 1e-6);
    }
    free(list);
    bperc_instance_free(in);
  }
  assert_true(count > 30);
}

/* ---- literal flooding */

typedef struct {
  double h[MOST][MOST], h_hat[MOST][MOST], field[MOST], change;
} flood;

/* Messages of bits; the factor is that of the literals that are on. */
static void flood_factor(const bperc_instance *in, flood *r, size_t mu) {
  double p[MOST];
  size_t index[MOST], degree = 0;
  for (size_t i = 0; i < in->n; i++)
    if (literal_input(in, mu, i)) {
      index[degree] = i;
      p[degree++] = 1 / (1 + exp(-literal_input(in, mu, i) * r->h[mu][i]));
    }
  for (size_t k = 0; k < degree; k++) {
    double h = literal_h_hat(in->labels[mu], (int)bperc_instance_bound(in, mu),
                             degree, p, k);
    r->h_hat[mu][index[k]] =
        literal_input(in, mu, index[k]) * fmax(-50, fmin(50, h));
  }
}

static void flood_step(const bperc_instance *in, flood *r, double f) {
  r->change = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    flood_factor(in, r, mu);
  for (size_t i = 0; i < in->n; i++) {
    double sum = 0;
    for (size_t mu = 0; mu < in->m; mu++)
      sum += r->h_hat[mu][i];
    r->change = fmax(r->change, fabs(sum - r->field[i]));
    r->field[i] = sum;
    for (size_t mu = 0; mu < in->m; mu++)
      if (literal_input(in, mu, i))
        r->h[mu][i] += f * (sum - r->h_hat[mu][i] - r->h[mu][i]);
  }
}

static int decided(const bperc_instance *in) {
  for (size_t mu = 0; mu < in->m; mu++) {
    int64_t degree = (int64_t)bperc_instance_degree(in, mu);
    if (in->labels[mu] ? bperc_instance_bound(in, mu) <= 0 ||
                             bperc_instance_bound(in, mu) > degree
                       : bperc_instance_bound(in, mu) < 0 ||
                             bperc_instance_bound(in, mu) >= degree)
      return 1;
  }
  return 0;
}

/* Sum of the errors of the marginals. */
static double compare_with_flood(const bperc_instance *in, const flood *r,
                                 const truth *t) {
  bperc_bp_options opt = defaults();
  double fields[MOST], p[MOST], error = 0;
  bperc_bp *bp;
  opt.factor = BPERC_BP_EXACT;
  opt.tolerance = 1e-12;
  bp = make(in, &opt);
  bperc_bp_converge(bp, NULL);
  bperc_bp_fields(bp, fields);
  bperc_bp_marginals(bp, p);
  for (size_t i = 0; i < in->n; i++) {
    if (fabs(r->field[i]) < 30) /* not forced */
      assert_close(fields[i], r->field[i], 1e-9);
    error += fabs(p[i] - t->p[i]);
  }
  bperc_bp_free(bp);
  return error;
}

/* Every kind of problem, where nothing is decided and flooding converges. The
 * marginals are near those of all solutions. */
static void loopy(void **state) {
  size_t count = 0;
  double error = 0, weights = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 180; seed++) {
    bperc_instance *in = any_instance(7, 3, seed);
    truth t = enumerate(in, NULL);
    static flood r;
    memset(&r, 0, sizeof r);
    for (int k = 0; k < 250 && t.z > 0 && !decided(in); k++)
      flood_step(in, &r, 0.3);
    if (t.z > 0 && !decided(in) && r.change < 1e-11) {
      count++;
      weights += (double)in->n;
      error += compare_with_flood(in, &r, &t);
    }
    bperc_instance_free(in);
  }
  assert_true(count > 40);
  assert_true(error / weights < 0.03);
}

/* ---- turning the inputs of a column turns the bit of its weight */

static void turn(bperc_instance *in, const uint64_t *columns) {
  for (size_t mu = 0; mu < in->m; mu++)
    for (size_t k = 0; k < in->words; k++) {
      uint64_t *word = &in->patterns[mu * in->words + k];
      *word ^= columns[k];
      if (in->support)
        *word &= in->support[mu * in->words + k];
      else if (k == in->n / 64)
        *word &= ((uint64_t)1 << in->n % 64) - 1;
    }
  bperc_instance_update_bounds(in);
}

static void fixed_point(const bperc_instance *in, int kernel, int factor,
                        double *p, double *log_z) {
  bperc_bp_options opt = defaults();
  bperc_bp_report report;
  bperc_bp *bp;
  opt.kernel = kernel;
  opt.factor = factor;
  opt.tolerance = kernel == BPERC_BP_KERNEL_FAST ? 1e-5 : 1e-10;
  bp = make(in, &opt);
  bperc_bp_converge(bp, &report);
  assert_true(report.converged);
  bperc_bp_marginals(bp, p);
  *log_z = bperc_bp_log_z(bp);
  bperc_bp_free(bp);
}

static bperc_instance *draw(size_t n, double alpha, int weights, int inputs,
                            uint64_t seed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, 8);
  bperc_model model = {.weights = (bperc_weight_kind)weights,
                       .inputs = (bperc_input_kind)inputs};
  bperc_instance *in;
  assert_int_equal(
      bperc_instance_new(n, (size_t)(alpha * (double)n), &model, &in, NULL),
      BPERC_OK);
  for (size_t mu = 0; mu < in->m; mu++) {
    uint64_t *row = in->patterns + mu * in->words;
    bperc_stream_bernoulli(&s, 0.5, row, n);
    in->labels[mu] = (uint8_t)bperc_stream_below(&s, 2);
    for (size_t k = 0; in->support && k < in->words; k++) {
      in->support[mu * in->words + k] = row[k];
      row[k] &= bperc_stream_u64(&s);
    }
  }
  bperc_instance_update_bounds(in);
  return in;
}

static void turned_columns(void **state) {
  enum { N = 101 };
  static const int factors[] = {BPERC_BP_EXACT, BPERC_BP_GAUSSIAN};
  const uint64_t columns[] = {0x123456789abcdef0, 0x1c0ffee123};
  (void)state;
  for (int kind = 0; kind < 8; kind++) {
    int kernel = kind % 2 ? BPERC_BP_KERNEL_FAST : BPERC_BP_KERNEL_PLAIN;
    int inputs = kind / 4 ? BPERC_INPUTS_SIGNED : BPERC_INPUTS_PM;
    double one[N], other[N], z1, z2, tolerance = kind % 2 ? 1e-4 : 1e-9;
    bperc_instance *in = draw(N, 0.3, BPERC_WEIGHTS_PM, inputs, 5);
    fixed_point(in, kernel, factors[kind / 2 % 2], one, &z1);
    turn(in, columns);
    fixed_point(in, kernel, factors[kind / 2 % 2], other, &z2);
    for (size_t i = 0; i < N; i++)
      assert_close(other[i],
                   columns[i / 64] >> (i % 64) & 1 ? 1 - one[i] : one[i],
                   tolerance);
    assert_close(z1, z2, 30 * tolerance);
    bperc_instance_free(in);
  }
}

/* ---- solvers */

static void solvers(void **state) {
  static const bperc_solver_class *const classes[] = {&bperc_rbp_class,
                                                      &bperc_bpd_class};
  (void)state;
  for (int kind = 0; kind < 6; kind++) {
    int inputs = kind % 3 ? BPERC_INPUTS_PM : BPERC_INPUTS_SIGNED;
    bperc_instance *in =
        draw(151, 0.3, kind % 3 == 2 ? BPERC_WEIGHTS_01 : BPERC_WEIGHTS_PM,
             inputs, (uint64_t)kind);
    const bperc_solver_class *class = classes[kind / 3];
    bperc_progress progress;
    bperc_view view;
    bperc_solver *s;
    assert_int_equal(
        bperc_solver_new(class, in, NULL,
                         &(bperc_run_options){.seed = 1, .threads = 1}, &s,
                         NULL),
        BPERC_OK);
    while ((progress = bperc_solver_step(s)) == BPERC_RUNNING)
      ;
    bperc_solver_view(s, &view);
    assert_int_equal(progress, BPERC_SOLVED);
    assert_int_equal(bperc_verify(in, view.weights, NULL).errors, 0);
    bperc_solver_free(s);
    bperc_instance_free(in);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees),
      cmocka_unit_test(fixed_weights),
      cmocka_unit_test(correlations_on_trees),
      cmocka_unit_test(local_entropy_on_trees),
      cmocka_unit_test(loopy),
      cmocka_unit_test(turned_columns),
      cmocka_unit_test(solvers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
