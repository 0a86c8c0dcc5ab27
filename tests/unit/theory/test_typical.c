/* Capacity, entropy and overlap of typical solutions: published values, the
 * free entropy written out literally, limits, and broken input. */
#include "check.h"
#include "literal.h"

#include "base/alloc.h"
#include "bperc/theory.h"
#include "theory/typical.h"

static bperc_theory_typical capacity(bperc_theory_weights weights, double a,
                                     double fin) {
  bperc_theory_model model = {.weights = weights, .a = a, .fin = fin};
  bperc_theory_typical t;
  bperc_error e;
  if (bperc_theory_capacity(&model, &t, &e) != BPERC_OK)
    fail_msg("A %g f_in %g: %s", a, fin, e.text);
  assert_true(t.quadrature_error < 1e-10 && t.residual < 1e-9);
  return t;
}

static bperc_theory_typical entropy(bperc_theory_weights weights, double alpha,
                                    double a, double fin) {
  bperc_theory_model model = {
      .weights = weights, .a = a, .fin = fin, .alpha = alpha};
  bperc_theory_typical t;
  bperc_error e;
  if (bperc_theory_entropy(&model, &t, &e) != BPERC_OK)
    fail_msg("alpha %g A %g f_in %g: %s", alpha, a, fin, e.text);
  assert_true(t.quadrature_error < 1e-10 && t.residual < 1e-9);
  return t;
}

static void test_known_values(void **state) {
  (void)state;
  assert_close(capacity(BPERC_THEORY_01, 12, 0.5).alpha, 0.50331, 5e-6);
  assert_close(capacity(BPERC_THEORY_01, 40, 0.1).alpha, 0.57327, 5e-6);
  assert_close(capacity(BPERC_THEORY_01, 40, 0.3).alpha, 0.35186, 6e-6);
  assert_close(capacity(BPERC_THEORY_01, 40, 0.5).alpha, 0.2540, 5e-5);
  assert_close(capacity(BPERC_THEORY_ISING, 0, 0).alpha, 0.8330786, 5e-8);
  assert_close(entropy(BPERC_THEORY_01, 0.2, 40, 0.5).entropy, 0.0472776, 5e-8);
  assert_close(capacity(BPERC_THEORY_INTEGER, 1, 0.1).alpha, 0.9903, 5e-5);
  assert_close(capacity(BPERC_THEORY_INTEGER, 10, 0.1).alpha, 0.8882, 5e-5);
  assert_close(capacity(BPERC_THEORY_INTEGER, 40, 0.1).alpha, 0.6267, 5e-5);
}

static void test_one_maximum(void **state) {
  (void)state;
  bperc_theory_typical best, last = {0};
  double a_opt, a_before = INFINITY;
  for (double fin = 0.1; fin < 0.55; fin += 0.1) {
    assert_int_equal(bperc_theory_optimum(&(bperc_theory_model){.fin = fin},
                                          &a_opt, &best, NULL),
                     BPERC_OK);
    assert_close(best.alpha, 0.5897, 5e-5);
    assert_close(best.mean, 0.32, 0.005);
    assert_close(best.mean * a_opt * fin, 1, 1e-12);
    assert_true(a_opt < a_before);
    a_before = a_opt;
  }
  int turns = 0;
  for (double a = 2.3; a < 80; a *= 1.2) {
    bperc_theory_typical t = capacity(BPERC_THEORY_01, a, 0.5);
    turns += (t.alpha < last.alpha) != (a > 6.2159 * 1.1);
    assert_true(t.alpha <= best.alpha);
    last = t;
  }
  assert_true(turns <= 1);
}

static void test_depends_on_q_only(void **state) {
  (void)state;
  for (double fin = 0.1; fin < 0.9; fin += 0.17) {
    assert_close(capacity(BPERC_THEORY_01, 6.3 / fin, fin).alpha,
                 capacity(BPERC_THEORY_01, 12.6, 0.5).alpha, 1e-12);
    assert_close(capacity(BPERC_THEORY_INTEGER, 6.3 / fin, fin).alpha,
                 capacity(BPERC_THEORY_INTEGER, 12.6, 0.5).alpha, 1e-9);
  }
}

/* Unbounded weights: monotonic, 1 as A -> 0, weights 0, 1 as Q -> 0. */
static void test_integer_limits(void **state) {
  (void)state;
  double before = 1;
  for (double a = 0.05; a < 2000; a *= 3.1) {
    double alpha = capacity(BPERC_THEORY_INTEGER, a, 0.3).alpha;
    assert_true(alpha < before && alpha > 0);
    before = alpha;
  }
  assert_true(capacity(BPERC_THEORY_INTEGER, 0.02, 0.3).alpha > 0.999);
  assert_close(capacity(BPERC_THEORY_INTEGER, 1e5, 0.5).alpha /
                   capacity(BPERC_THEORY_01, 1e5, 0.5).alpha,
               1, 1e-3);
}

/* ---- stationarity of the literal free entropy ---- */

static double site_01(double z, const double *p) {
  return literal_softplus(p[2] + sqrt(p[1]) * z);
}

static double site_ising(double z, const double *p) {
  return log(2 * cosh(sqrt(p[1]) * z));
}

static double pattern(double t, const double *p) {
  return literal_log_h(sqrt(p[0] / (p[3] - p[0])) * t);
}

/* p: q, qh, h, Q or 1, alpha */
static double free_entropy(const double *p, int ising) {
  double f = -p[1] * (p[3] - p[0]) / 2 + p[4] * literal_gauss(pattern, p, 3000);
  if (ising)
    return f + literal_gauss(site_ising, p, 3000);
  return f - p[2] * p[3] + literal_gauss(site_01, p, 3000);
}

static void check_stationary(const bperc_theory_typical *t, int ising) {
  double p[5] = {t->overlap, t->conjugate, t->field, t->square, t->alpha};
  assert_close(free_entropy(p, ising), t->entropy, 1e-11);
  for (int k = 0; k < (ising ? 2 : 3); k++) {
    double keep = p[k], e = 1e-4 * fabs(keep);
    p[k] = keep + e;
    double up = free_entropy(p, ising);
    p[k] = keep - e;
    double down = free_entropy(p, ising);
    p[k] = keep;
    assert_close((up - down) / 2e-4, 0, 1e-8);
  }
}

static void test_stationary(void **state) {
  (void)state;
  for (double alpha = 0.03; alpha < 0.6; alpha *= 2.2) {
    bperc_theory_typical t = entropy(BPERC_THEORY_01, alpha, 17, 0.37);
    check_stationary(&t, 0);
    t = entropy(BPERC_THEORY_ISING, alpha, 0, 0);
    check_stationary(&t, 1);
  }
}

/* ---- f_out and kappa ---- */

/* p: q, qh, h, Q or 1, alpha, m, f_out, kappa; sign -1 for label 1. */
static double shifted(double t, const double *p, double sign) {
  return literal_log_h((p[7] + sign * p[5] - sqrt(p[0]) * t) /
                       sqrt(p[3] - p[0]));
}

static double pattern_one(double t, const double *p) {
  return shifted(t, p, -1);
}

static double pattern_zero(double t, const double *p) {
  return shifted(t, p, 1);
}

static double labelled_entropy(const double *p, int ising) {
  double f = -p[1] * (p[3] - p[0]) / 2 +
             p[4] * (p[6] * literal_gauss(pattern_one, p, 3000) +
                     (1 - p[6]) * literal_gauss(pattern_zero, p, 3000));
  if (ising)
    return f + literal_gauss(site_ising, p, 3000);
  return f - p[2] * p[3] + literal_gauss(site_01, p, 3000);
}

/* F written out, and stationary in q, qh, h and m. */
static void check_labels(bperc_theory_weights weights, double alpha,
                         double fout, double kappa) {
  int ising = weights == BPERC_THEORY_ISING;
  bperc_theory_model model = {.weights = weights,
                              .a = 17,
                              .fin = 0.37,
                              .alpha = alpha,
                              .fout = fout,
                              .kappa = kappa};
  bperc_theory_typical t;
  assert_int_equal(bperc_theory_entropy(&model, &t, NULL), BPERC_OK);
  assert_true(t.quadrature_error < 1e-10 && t.residual < 1e-12);
  double p[8] = {t.overlap, t.conjugate, t.field,
                 t.square,  alpha,       t.shift * sqrt(0.37 / 0.63),
                 fout,      kappa};
  assert_close(labelled_entropy(p, ising), t.entropy, 1e-11);
  for (int k = 0; k < 6; k++) {
    double keep = p[k], e = 1e-4 * fmax(0.1, fabs(keep));
    if (k == 3 || k == 4 || (ising && k == 2))
      continue;
    p[k] = keep + e;
    double up = labelled_entropy(p, ising);
    p[k] = keep - e;
    double down = labelled_entropy(p, ising);
    p[k] = keep;
    assert_close((up - down) / (2 * e) * fmax(0.1, fabs(keep)), 0, 2e-8);
  }
}

static void test_labels_and_margin(void **state) {
  (void)state;
  check_labels(BPERC_THEORY_01, 0.41, 0.2, 0);
  check_labels(BPERC_THEORY_01, 0.33, 0.1, 0.07);
  check_labels(BPERC_THEORY_01, 0.2, 0.93, 0.21);
  check_labels(BPERC_THEORY_01, 0.11, 0.5, 0.3);
  check_labels(BPERC_THEORY_ISING, 0.37, 0.5, 0.45);
}

static double labelled_capacity(double fout, double kappa) {
  bperc_theory_model model = {
      .a = 12, .fin = 0.5, .fout = fout, .kappa = kappa};
  bperc_theory_typical t;
  assert_int_equal(bperc_theory_capacity(&model, &t, NULL), BPERC_OK);
  return t.alpha;
}

/* Plain numbers to the last digit, symmetric in f_out, rising away from 1/2 and
 * below the bound Hb(Q)/Hb(f_out) of the mean number of solutions, falling with
 * the margin. */
static void test_labelled_capacity(void **state) {
  (void)state;
  double plain = capacity(BPERC_THEORY_01, 12, 0.5).alpha, before = plain;
  double hb = -log(1 / 6.) / 6 - 5 * log(5 / 6.) / 6;
  assert_close(labelled_capacity(0.5, 0), plain, 0);
  for (double f = 0.41; f > 0.01; f *= 0.5) {
    double c = labelled_capacity(f, 0);
    assert_close(labelled_capacity(1 - f, 0), c, 1e-12);
    assert_true(c > before && c * (-f * log(f) - (1 - f) * log1p(-f)) < hb);
    assert_true(labelled_capacity(f, 0.1) < c);
    before = c;
  }
  assert_close(labelled_capacity(0.5, 1e-7), plain, 1e-6);
  assert_close(labelled_capacity(0.5 + 1e-9, 0), plain, 1e-12);
}

/* Inputs -1, +1: a label can be absorbed, f_out does not matter. */
static void test_ising_labels(void **state) {
  (void)state;
  bperc_theory_model model = {.weights = BPERC_THEORY_ISING, .fout = 0.1};
  bperc_theory_typical t;
  assert_int_equal(bperc_theory_capacity(&model, &t, NULL), BPERC_OK);
  assert_close(t.alpha, capacity(BPERC_THEORY_ISING, 0, 0).alpha, 0);
}

/* Integer weights with f_out: dF/dalpha = GE, whose m is its maximum. */
static void test_integer_labels(void **state) {
  (void)state;
  bperc_theory_model model = {.weights = BPERC_THEORY_INTEGER,
                              .a = 13,
                              .fin = 0.21,
                              .alpha = 0.43,
                              .fout = 0.3};
  bperc_theory_typical t[3];
  for (int k = 0; k < 3; k++) {
    model.alpha = 0.43 + (k - 1) * 1e-4;
    assert_int_equal(bperc_theory_entropy(&model, &t[k], NULL), BPERC_OK);
  }
  double p[8] = {t[1].overlap, 0, 0,
                 t[1].square,  0, t[1].shift * sqrt(0.21 / 0.79),
                 0.3,          0};
  double ge = 0.3 * literal_gauss(pattern_one, p, 3000) +
              0.7 * literal_gauss(pattern_zero, p, 3000);
  assert_close((t[2].entropy - t[0].entropy) / 2e-4, ge, 1e-7);
}

static void test_broken_labels(void **state) {
  (void)state;
  bperc_theory_typical t;
  bperc_theory_local p;
  bperc_theory_threshold u;
  double bad[][2] = {{-0.1, 0},   {1, 0},          {NAN, 0},
                     {0.5, -0.1}, {0.5, INFINITY}, {0.5, NAN}};
  double ended, d = 0.01;
  bperc_error e;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    bperc_theory_model m = {
        .a = 12, .fin = 0.5, .fout = bad[k][0], .kappa = bad[k][1]};
    assert_int_equal(bperc_theory_capacity(&m, &t, &e), BPERC_E_ARGUMENT);
  }
  bperc_theory_model m = {.a = 12, .fin = 0.5, .alpha = 0.2, .fout = 0.3};
  assert_int_equal(bperc_theory_franz_parisi(&m, &d, 1, &p, &ended, &e),
                   BPERC_E_ARGUMENT);
  assert_int_equal(bperc_theory_large_deviation(&m, &d, 1, &p, &ended, &e),
                   BPERC_E_ARGUMENT);
  assert_int_equal(bperc_theory_alpha_u(&m, 1e-3, 1e-3, &u, &e),
                   BPERC_E_ARGUMENT);
  m.weights = BPERC_THEORY_INTEGER;
  m.kappa = 0.1;
  assert_int_equal(bperc_theory_capacity(&m, &t, &e), BPERC_E_ARGUMENT);
}

/* Integer weights: dF/dalpha = GE at the saddle point, and entropy(capacity)
 * is zero. */
static void test_integer_consistent(void **state) {
  (void)state;
  double e = 1e-4, alpha = 0.43;
  bperc_theory_typical t = entropy(BPERC_THEORY_INTEGER, alpha, 13, 0.21);
  double up = entropy(BPERC_THEORY_INTEGER, alpha + e, 13, 0.21).entropy;
  double down = entropy(BPERC_THEORY_INTEGER, alpha - e, 13, 0.21).entropy;
  double p[4] = {t.overlap, 0, 0, t.square};
  assert_close((up - down) / (2 * e), literal_gauss(pattern, p, 3000), 1e-7);
  t = capacity(BPERC_THEORY_INTEGER, 13, 0.21);
  assert_close(entropy(BPERC_THEORY_INTEGER, t.alpha, 13, 0.21).entropy, 0,
               1e-10);
}

/* alpha -> 0: entropy of the mean constraint, Hb(Q), and q = Q^2. */
static void test_no_patterns(void **state) {
  (void)state;
  double q = 1 / (17 * 0.37);
  bperc_theory_typical t = entropy(BPERC_THEORY_01, 1e-7, 17, 0.37);
  assert_close(t.entropy, -q * log(q) - (1 - q) * log1p(-q), 1e-6);
  assert_close(t.overlap, q * q, 1e-6);
  assert_close(entropy(BPERC_THEORY_ISING, 1e-7, 0, 0).entropy, M_LN2, 1e-6);
}

/* <min(sig, 1-sig)>, with its kink, against a very fine literal sum. */
static double smaller(double z, const double *p) {
  return 1 / (1 + exp(fabs(p[0] + p[1] * z)));
}

static void check_edge(bperc_theory_weights weights, double mean, double alpha,
                       double scale) {
  bperc_i_typical t;
  double edge;
  bperc_i_ensemble e = {.weights = weights, .mean = mean};
  assert_int_equal(bperc_i_typical_at(&e, alpha, 0, NULL, &t), BPERC_OK);
  assert_int_equal(bperc_i_typical_edge(weights, &t, &edge), BPERC_OK);
  double p[2] = {t.h, scale * sqrt(t.qh)};
  assert_close(edge, literal_gauss(smaller, p, 400000), 1e-9);
}

static void test_edge(void **state) {
  (void)state;
  check_edge(BPERC_THEORY_01, 0.25, 0.4, 1);
  check_edge(BPERC_THEORY_01, 0.77, 0.13, 1);
  check_edge(BPERC_THEORY_01, 0.02, 0.01, 1);
  check_edge(BPERC_THEORY_ISING, 1, 0.63, 2);
}

static void test_geometry(void **state) {
  (void)state;
  bperc_theory_typical t = entropy(BPERC_THEORY_01, 0.4, 12, 0.4);
  for (double x = 0.05; x < 3; x += 0.3) {
    bperc_theory_state s = bperc_theory_geometry(&t, x);
    assert_close(s.g, x < 1 ? t.entropy : x * t.entropy, 1e-15);
    assert_close(s.complexity + x * s.size, s.g, 1e-15);
    assert_close(s.q_same, x < 1 ? 1 / 4.8 : t.overlap, 1e-15);
    assert_close(s.q_diff, t.overlap, 0);
  }
  assert_close(bperc_theory_geometry(&t, 1).q_same, t.overlap, 0);
}

static void test_broken_input(void **state) {
  (void)state;
  bperc_theory_typical t;
  bperc_error e;
  const double bad[][2] = {{0, 0.5},   {-3, 0.5}, {40, 0},        {40, 1},
                           {NAN, 0.5}, {40, NAN}, {INFINITY, 0.5}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    bperc_theory_model m = {.a = bad[k][0], .fin = bad[k][1], .alpha = 0.1};
    assert_int_equal(bperc_theory_capacity(&m, &t, &e), BPERC_E_ARGUMENT);
    assert_int_equal(bperc_theory_entropy(&m, &t, NULL), BPERC_E_ARGUMENT);
  }
  bperc_theory_model m = {.a = 40, .fin = 0.5, .alpha = -0.1};
  assert_int_equal(bperc_theory_entropy(&m, &t, &e), BPERC_E_ARGUMENT);
  m.alpha = 3; /* the line ends before */
  assert_int_equal(bperc_theory_entropy(&m, &t, &e), BPERC_E_NUMERIC);
  m = (bperc_theory_model){.a = 1.5, .fin = 0.5, .alpha = 0.1};
  assert_int_equal(bperc_theory_entropy(&m, &t, &e), BPERC_E_NUMERIC);
  assert_int_equal(bperc_theory_capacity(&m, &t, &e), BPERC_OK);
  assert_close(t.alpha, 0, 0);
  m.a = 1e30;
  assert_int_equal(bperc_theory_capacity(&m, &t, &e), BPERC_E_LIMIT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_values),
      cmocka_unit_test(test_one_maximum),
      cmocka_unit_test(test_depends_on_q_only),
      cmocka_unit_test(test_integer_limits),
      cmocka_unit_test(test_stationary),
      cmocka_unit_test(test_labels_and_margin),
      cmocka_unit_test(test_labelled_capacity),
      cmocka_unit_test(test_ising_labels),
      cmocka_unit_test(test_integer_labels),
      cmocka_unit_test(test_broken_labels),
      cmocka_unit_test(test_integer_consistent),
      cmocka_unit_test(test_no_patterns),
      cmocka_unit_test(test_edge),
      cmocka_unit_test(test_geometry),
      cmocka_unit_test(test_broken_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
