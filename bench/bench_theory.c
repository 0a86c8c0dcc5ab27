/* Replica theory: cost of a point, against the literal way (adaptive
 * quadrature of the printed formula, Brent inside Brent), against a cold start
 * at every distance, and against the time a user should wait at most. */
#include "bench.h"

#include "bperc/theory.h"
#include "theory/dense.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_erf.h>
#include <math.h>

enum { ROUNDS = 5, DISTANCES = 50, SIDE = 40, INTERVALS = 200 };

#define SECOND 1e9 /* ns: a point may take so long */
#define CURVE 20e9 /* and a curve so long */

static void fail(const char *what) {
  fprintf(stderr, "bench_theory: %s\n", what);
  exit(1);
}

/* ---- the literal way */

static double log_h(double x) { return gsl_sf_log_erfc(x * M_SQRT1_2) - M_LN2; }

/* Int Dz f(z) to 1e-10. */
typedef struct {
  double (*f)(double z, const double *p);
  const double *p;
} integrand;

static double weighted(double z, void *context) {
  const integrand *in = context;
  return exp(-0.5 * z * z) / sqrt(2 * M_PI) * in->f(z, in->p);
}

static double average(double (*f)(double, const double *), const double *p) {
  integrand in = {f, p};
  gsl_function g = {weighted, &in};
  gsl_integration_workspace *w = gsl_integration_workspace_alloc(INTERVALS);
  double value, error;
  gsl_integration_qag(&g, -8.5, 8.5, 1e-10, 1e-10, INTERVALS, GSL_INTEG_GAUSS21,
                      w, &value, &error);
  gsl_integration_workspace_free(w);
  return value;
}

static double root_between(double (*f)(double, void *), void *context,
                           double low, double high) {
  gsl_root_fsolver *s = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
  gsl_function g = {f, context};
  gsl_root_fsolver_set(s, &g, low, high);
  for (int k = 0; k < 100; k++) {
    gsl_root_fsolver_iterate(s);
    if (gsl_root_fsolver_x_upper(s) - gsl_root_fsolver_x_lower(s) < 1e-9)
      break;
  }
  double root = gsl_root_fsolver_root(s);
  gsl_root_fsolver_free(s);
  return root;
}

/* p: h, sqrt(qh), or x alone */
static double sig(double z, const double *p) {
  return 1 / (1 + exp(-p[0] - p[1] * z));
}

static double sig_square(double z, const double *p) {
  return sig(z, p) * sig(z, p);
}

static double softplus(double z, const double *p) {
  double x = p[0] + p[1] * z;
  return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double pattern(double z, const double *p) { return log_h(p[0] * z); }

static double hazard_square(double z, const double *p) {
  double x = p[0] * z;
  return exp(-x * x - 2 * log_h(x)) / (2 * M_PI);
}

typedef struct {
  double mean, alpha; /* alpha: wanted, or 0 for zero entropy; then found */
  double p[2], entropy;
} literal;

static double mean_error(double h, void *context) {
  literal *l = context;
  l->p[0] = h;
  return average(sig, l->p) - l->mean;
}

static double excess(double log_qh, void *context) {
  literal *l = context;
  double qh = exp(log_qh);
  l->p[1] = sqrt(qh);
  l->p[0] = root_between(mean_error, l, -30, 10);
  double q = average(sig_square, l->p), x = sqrt(q / (l->mean - q));
  double alpha = qh * (l->mean - q) / average(hazard_square, &x);
  l->entropy = -0.5 * qh * (l->mean - q) - l->p[0] * l->mean +
               average(softplus, l->p) + alpha * average(pattern, &x);
  if (l->alpha > 0)
    return alpha - l->alpha;
  l->p[1] = alpha;
  return l->entropy;
}

typedef struct {
  bperc_theory_model model;
  double literal, ours;
} typical_race;

static void literal_capacity(void *context) {
  typical_race *r = context;
  literal l = {.mean = 1 / (r->model.a * r->model.fin)};
  root_between(excess, &l, log(0.1), log(30));
  r->literal = l.p[1];
}

static void our_capacity(void *context) {
  typical_race *r = context;
  bperc_theory_typical t;
  if (bperc_theory_capacity(&r->model, &t, NULL) != BPERC_OK)
    fail("capacity");
  r->ours = t.alpha;
}

static void literal_entropy(void *context) {
  typical_race *r = context;
  literal l = {.mean = 1 / (r->model.a * r->model.fin),
               .alpha = r->model.alpha};
  root_between(excess, &l, log(0.1), log(30));
  r->literal = l.entropy;
}

static void our_entropy(void *context) {
  typical_race *r = context;
  bperc_theory_typical t;
  if (bperc_theory_entropy(&r->model, &t, NULL) != BPERC_OK)
    fail("entropy");
  r->ours = t.entropy;
}

static void typical(bench *b) {
  typical_race r = {.model = {.a = 40, .fin = 0.3, .alpha = 0.2}};
  bench_duel(b, "capacity, A = 40, f_in = 0.3", "point",
             (bench_variant){literal_capacity, &r, 1, 0},
             (bench_variant){our_capacity, &r, 1, 0}, ROUNDS, 2);
  if (!(fabs(r.literal - r.ours) < 1e-7))
    fail("two capacities");
  bench_duel(b, "entropy, A = 40, f_in = 0.3, alpha = 0.2", "point",
             (bench_variant){literal_entropy, &r, 1, 0},
             (bench_variant){our_entropy, &r, 1, 0}, ROUNDS, 2);
  if (!(fabs(r.literal - r.ours) < 1e-7))
    fail("two entropies");
}

/* ---- one call for all distances, or one for each */

typedef bperc_status local_call(const bperc_theory_model *, const double *,
                                size_t, bperc_theory_local *, double *,
                                bperc_error *);

typedef struct {
  local_call *call;
  bperc_theory_model model;
  double distances[DISTANCES];
  bperc_theory_local points[DISTANCES];
} curve;

static void one_by_one(void *context) {
  curve *c = context;
  double ended;
  for (size_t k = 0; k < DISTANCES; k++)
    if (c->call(&c->model, &c->distances[k], 1, &c->points[k], &ended, NULL))
      fail("a distance alone");
}

static void all_at_once(void *context) {
  curve *c = context;
  double ended;
  if (c->call(&c->model, c->distances, DISTANCES, c->points, &ended, NULL))
    fail("a curve");
}

/* Also the two promises: a point in a second, a curve in twenty. */
static void local_entropy(bench *b, const char *what, local_call *call,
                          double low, double high) {
  curve c = {.call = call, .model = {.a = 40, .fin = 0.5, .alpha = 0.2}};
  bench_variant both[2] = {{one_by_one, &c, DISTANCES, 0},
                           {all_at_once, &c, DISTANCES, 0}};
  char name[64];
  for (int k = 0; k < DISTANCES; k++)
    c.distances[k] = low * pow(high / low, (double)k / (DISTANCES - 1));
  bench_race(both, 2, 2);
  snprintf(name, sizeof name, "%s, each distance from a cold start", what);
  bench_line(b, name, "point", both[0].best, both[1].best, 2);
  snprintf(name, sizeof name, "%s, a second for a cold point", what);
  bench_line(b, name, "point", SECOND, both[0].best, 1);
  snprintf(name, sizeof name, "%s, 20 s for 50 points", what);
  bench_line(b, name, "curve", CURVE, both[1].best * DISTANCES, 1);
}

/* ---- nested integrals of the densest region */

typedef struct {
  bperc_i_dense dense;
  double literal, ours;
  double c, t0; /* of the integrals around */
} nested;

static double minus_inner(double c2, const nested *n) {
  const bperc_i_dense_state *s = &n->dense.state;
  double away = c2 - n->c;
  return away * away / (2 * s->delta) - log_h(c2 / sqrt(s->d));
}

/* B(c): golden sections. */
static double largest(nested *n, double c) {
  const bperc_i_dense_state *s = &n->dense.state;
  double low = c - 20 * sqrt(s->delta) - 20 * s->delta / sqrt(s->d) - fabs(c);
  double high = c, cut = 0.5 * (sqrt(5) - 1);
  n->c = c;
  while (high - low > 1e-9) {
    double left = high - cut * (high - low), right = low + cut * (high - low);
    if (minus_inner(left, n) < minus_inner(right, n))
      high = right;
    else
      low = left;
  }
  return -minus_inner(0.5 * (low + high), n);
}

static double inner(double t1, void *context) {
  nested *n = context;
  const bperc_i_dense_state *s = &n->dense.state;
  double c = sqrt(s->q0) * n->t0 + sqrt(s->q1 - s->q0) * t1;
  return exp(s->x * largest(n, c) - 0.5 * t1 * t1) / sqrt(2 * M_PI);
}

static double quad(double (*f)(double, void *), void *context, double reach,
                   double relative) {
  gsl_function g = {f, context};
  gsl_integration_workspace *w = gsl_integration_workspace_alloc(INTERVALS);
  double value, error;
  gsl_integration_qag(&g, -reach, reach, 0, relative, INTERVALS,
                      GSL_INTEG_GAUSS21, w, &value, &error);
  gsl_integration_workspace_free(w);
  return value;
}

static double outer(double t0, void *context) {
  nested *n = context;
  n->t0 = t0;
  return exp(-0.5 * t0 * t0) / sqrt(2 * M_PI) * log(quad(inner, n, 12, 1e-9));
}

static void literal_patterns(void *context) {
  nested *n = context;
  n->literal = quad(outer, n, 7, 1e-8);
}

static void our_patterns(void *context) {
  nested *n = context;
  bperc_i_dense_patterns p;
  if (bperc_i_dense_patterns_average(&n->dense.state, &n->dense.rule, &p))
    fail("patterns");
  n->ours = p.log_z;
}

static void nested_integrals(bench *b) {
  nested n;
  if (bperc_i_dense_start(BPERC_THEORY_01, 0.05, 0.2, &n.dense) != BPERC_OK)
    fail("densest region");
  bench_duel(b, "patterns' integral of the densest region", "integral",
             (bench_variant){literal_patterns, &n, 1, 0},
             (bench_variant){our_patterns, &n, 1, 0}, 3, 100);
  if (!(fabs(n.literal / n.ours - 1) < 1e-6))
    fail("two integrals");
}

/* ---- costs of whole answers */

static void run_grid(void *context) {
  bperc_theory_typical t;
  (void)context;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) {
      bperc_theory_model m = {.a = 2.0 * i, .fin = 0.5 * j / SIDE};
      if (bperc_theory_capacity(&m, &t, NULL) != BPERC_OK)
        fail("grid");
    }
}

static void run_alpha_u(void *context) {
  bperc_theory_threshold t;
  if (bperc_theory_alpha_u(context, 1e-4, 3e-4, &t, NULL) != BPERC_OK)
    fail("alpha_U");
}

/* Near capacity and close to D*, at Q = 0.97: the longest way. */
static void run_long_way(void *context) {
  bperc_theory_model m = {.a = 2 / 0.97, .fin = 0.5, .alpha = 0.0091};
  bperc_theory_local p;
  double ended, distance = 0.0085;
  (void)context;
  if (bperc_theory_large_deviation(&m, &distance, 1, &p, &ended, NULL))
    fail("densest region at large Q");
}

static void whole_answers(bench *b) {
  bperc_theory_model model = {.a = 40, .fin = 0.5};
  bench_variant all[] = {{run_grid, NULL, 1, 0},
                         {run_alpha_u, &model, 1, 0},
                         {run_long_way, NULL, 1, 0}};
  bench_race(all, 3, 2);
  bench_line(b, "20 s for capacity on 40 x 40 points (A, f_in)", "grid", CURVE,
             all[0].best, 1);
  bench_line(b, "alpha_U, A = 40, f_in = 0.5, a second for it", "point", SECOND,
             all[1].best, 0);
  bench_line(b, "densest region, Q = 0.97, a second for a cold point", "point",
             SECOND, all[2].best, 1);
}

int main(int argc, char **argv) {
  bench b = bench_start(argc, argv, "Replica theory");
  typical(&b);
  nested_integrals(&b);
  local_entropy(&b, "densest region", bperc_theory_large_deviation, 5e-4, 0.1);
  local_entropy(&b, "Franz-Parisi", bperc_theory_franz_parisi, 6e-4, 0.09);
  whole_answers(&b);
  return bench_end(&b);
}
