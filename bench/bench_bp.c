/* Belief propagation: an iteration per edge against the literal form with libm
 * and with lookup tables, exact factors against plain loops and against the
 * Gaussian, the error of single precision, and a whole decimation against
 * random starts with plain damping at equal residual. */
#include "bench.h"

#include "bounds.h"
#include "bp/engine.h"
#include "bperc/bpd.h"
#include "bperc/ensemble.h"

#include <math.h>

/* ---- the literal iteration: full message arrays [BZ eqs. 12-14] */

typedef struct {
  const bperc_instance *in;
  size_t edges;
  size_t *start; /* m + 1 */
  uint32_t *column;
  double *h, *h_hat, *p, *field;
  double (*log_h)(double x);
} literal;

static double by_libm(double x) { return log(0.5 * erfc(x * M_SQRT1_2)); }

/* log H on a grid, linear in between; beyond, its leading terms. */
enum { CELLS = 1 << 16 };
#define REACH 30.0
static double table[CELLS + 2];

static double by_table(double x) {
  double at = (x + REACH) * (CELLS / (2 * REACH));
  int k = (int)at;
  if (x >= REACH)
    return -0.5 * x * x - log(x) - 0.9189385332046727;
  if (x < -REACH)
    return 0;
  return table[k] + (at - k) * (table[k + 1] - table[k]);
}

static void make_table(void) {
  for (int k = 0; k < CELLS + 2; k++)
    table[k] = by_libm(2 * REACH * k / CELLS - REACH);
}

static void literal_factor(literal *l, size_t mu) {
  double a = 0, v = 0, s = l->in->labels[mu] ? 1 : -1;
  double edge = (double)bperc_instance_bound(l->in, mu) +
                (l->in->labels[mu] ? -0.5 : 0.5);
  for (size_t k = l->start[mu]; k < l->start[mu + 1]; k++) {
    l->p[k] = 1 / (1 + exp(-l->h[k]));
    a += l->p[k];
    v += l->p[k] * (1 - l->p[k]);
  }
  for (size_t k = l->start[mu]; k < l->start[mu + 1]; k++) {
    double sigma = sqrt(v - l->p[k] * (1 - l->p[k]));
    double x = s * (edge - a + l->p[k]) / sigma;
    l->h_hat[k] = l->log_h(x - s / sigma) - l->log_h(x);
  }
}

static void literal_iteration(void *context) {
  literal *l = context;
  const double f = 0.002;
  memset(l->field, 0, l->in->n * sizeof *l->field);
  for (size_t mu = 0; mu < l->in->m; mu++)
    literal_factor(l, mu);
  for (size_t k = 0; k < l->edges; k++)
    l->field[l->column[k]] += l->h_hat[k];
  for (size_t k = 0; k < l->edges; k++)
    l->h[k] += f * (l->field[l->column[k]] - l->h_hat[k] - l->h[k]);
}

/* Messages as at the fixed point: the fields of the weights. */
static literal make_literal(const bperc_instance *in, size_t edges,
                            const double *field, double (*log_h)(double)) {
  literal l = {.in = in, .edges = edges, .log_h = log_h};
  size_t k = 0;
  l.start = calloc(in->m + 1, sizeof *l.start);
  l.column = calloc(edges, sizeof *l.column);
  l.h = calloc(edges, sizeof *l.h);
  l.h_hat = calloc(edges, sizeof *l.h_hat);
  l.p = calloc(edges, sizeof *l.p);
  l.field = calloc(in->n, sizeof *l.field);
  for (size_t mu = 0; mu < in->m; mu++) {
    const uint64_t *bits = bperc_instance_pattern(in, mu);
    l.start[mu] = k;
    for (size_t i = 0; i < in->n; i++)
      if (bits[i / 64] >> (i % 64) & 1) {
        l.h[k] = field[i];
        l.column[k++] = (uint32_t)i;
      }
  }
  l.start[in->m] = k;
  return l;
}

static void free_literal(literal *l) {
  free(l->start);
  free(l->column);
  free(l->h);
  free(l->h_hat);
  free(l->p);
  free(l->field);
}

static void our_iteration(void *context) { bperc_bp_step(context); }

/* ---- an iteration per edge */

static bperc_bp *engine(const bperc_instance *in, int kernel, int factor) {
  bperc_bp_options opt;
  bperc_bp *bp;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.kernel = kernel;
  opt.factor = factor;
  opt.tolerance = 2e-5;
  if (bperc_bp_new(in, &opt, 1, 1, &bp, NULL))
    exit(1);
  return bp;
}

static void race_edges(bench *b, size_t n, double fin, double libm_floor,
                       double table_floor, unsigned rounds) {
  bperc_instance *in;
  bperc_bp *bp;
  literal slow, tabled;
  bench_variant v[3];
  char name[80];
  double edges, *field = calloc(n, sizeof *field);
  bperc_ensemble_draw(&(bperc_ensemble){.n = n,
                                        .m = (size_t)(0.19 * (double)n),
                                        .fin = fin,
                                        .model = {.a = 40, .ties = 0}},
                      1, &in, NULL);
  bp = engine(in, BPERC_BP_KERNEL_FAST, BPERC_BP_GAUSSIAN);
  bperc_bp_converge(bp, NULL);
  bperc_bp_fields(bp, field);
  edges = (double)bperc_i_bp_edges(bp);
  slow = make_literal(in, (size_t)edges, field, by_libm);
  tabled = make_literal(in, (size_t)edges, field, by_table);
  v[0] = (bench_variant){literal_iteration, &slow, edges, 0};
  v[1] = (bench_variant){literal_iteration, &tabled, edges, 0};
  v[2] = (bench_variant){our_iteration, bp, edges, 0};
  bench_race(v, 3, rounds);
  snprintf(name, sizeof name, "BP iteration, N = %zu, f_in = %g, libm", n, fin);
  /* A number of four bytes per edge is read and written. */
  b->bound = 8 * bounds_read(4 * (size_t)edges);
  bench_line(b, name, "edge", v[0].best, v[2].best, libm_floor);
  snprintf(name, sizeof name, "BP iteration, N = %zu, f_in = %g, tables", n,
           fin);
  bench_line(b, name, "edge", v[1].best, v[2].best, table_floor);
  free_literal(&slow);
  free_literal(&tabled);
  free(field);
  bperc_bp_free(bp);
  bperc_instance_free(in);
}

/* ---- exact factors */

/* Whether `cheap` sums the factors exactly: it does the same to the messages.
 */
static int takes_exact(const bperc_instance *in) {
  bperc_bp *a = engine(in, BPERC_BP_KERNEL_FAST, BPERC_BP_CHEAP);
  bperc_bp *b = engine(in, BPERC_BP_KERNEL_FAST, BPERC_BP_EXACT);
  double *h = calloc(2 * in->n, sizeof *h);
  int same;
  bperc_bp_step(a);
  bperc_bp_step(b);
  bperc_bp_fields(a, h);
  bperc_bp_fields(b, h + in->n);
  same = memcmp(h, h + in->n, in->n * sizeof *h) == 0;
  free(h);
  bperc_bp_free(a);
  bperc_bp_free(b);
  return same;
}

/* All patterns have `degree` ones, of which cap may be weights at 1. */
static bperc_instance *regular(size_t degree, size_t cap) {
  enum { N = 480, M = 96 };
  bperc_instance *in;
  bperc_instance_new(N, M, &(bperc_model){.a = (double)N / (double)cap}, &in,
                     NULL);
  for (size_t mu = 0; mu < M; mu++) {
    in->labels[mu] = mu % 2;
    for (size_t k = 0; k < degree; k++) {
      size_t i = (mu * 61 + k * 7) % N;
      in->patterns[mu * in->words + i / 64] |= (uint64_t)1 << (i % 64);
    }
  }
  bperc_instance_update_bounds(in);
  return in;
}

/* The rule of `cheap` against what was measured; a rule that is off by more
 * than a quarter counts as missed. */
static void judge_rule(bench *b, const bperc_instance *in, double exact,
                       double gaussian) {
  int takes = takes_exact(in);
  double ratio = exact / gaussian;
  int missed = takes ? ratio > 2.5 : ratio < 1.6;
  printf("    %.0f ns, %.2f times the Gaussian; cheap takes the %s%s\n", exact,
         ratio, takes ? "exact one" : "Gaussian", missed ? " MISSED" : "");
  b->misses += missed;
}

/* Vectors against the plain loop, and what `cheap` chooses. */
static void race_exact(bench *b, size_t degree, size_t cap, double floor) {
  static const int kernel[] = {BPERC_BP_KERNEL_PLAIN, BPERC_BP_KERNEL_FAST};
  bperc_instance *in = regular(degree, cap);
  bperc_bp *bp[4];
  bench_variant v[4];
  char name[80];
  for (int k = 0; k < 4; k++) {
    bp[k] =
        engine(in, kernel[k % 2], k < 2 ? BPERC_BP_EXACT : BPERC_BP_GAUSSIAN);
    for (int t = 0; t < 20; t++)
      bperc_bp_step(bp[k]);
    v[k] = (bench_variant){our_iteration, bp[k], (double)in->m, 0};
  }
  bench_race(v, 4, 60);
  snprintf(name, sizeof name, "exact factor, degree %zu, %zu numbers", degree,
           cap + 1);
  bench_line(b, name, "factor", v[0].best, v[1].best, floor);
  judge_rule(b, in, v[1].best, v[3].best);
  for (int k = 0; k < 4; k++)
    bperc_bp_free(bp[k]);
  bperc_instance_free(in);
}

/* ---- error of single precision at the fixed point */

static void field_error(bench *b, double fin) {
  enum { N = 480, M = 96 };
  const double most = 1e-4;
  bperc_instance *in;
  bperc_bp *fast, *plain;
  double one[N], other[N], error = 0;
  bperc_ensemble_draw(
      &(bperc_ensemble){
          .n = N, .m = M, .fin = fin, .model = {.a = 40, .ties = 0}},
      1, &in, NULL);
  fast = engine(in, BPERC_BP_KERNEL_FAST, BPERC_BP_GAUSSIAN);
  plain = engine(in, BPERC_BP_KERNEL_PLAIN, BPERC_BP_GAUSSIAN);
  bperc_bp_converge(fast, NULL);
  bperc_bp_converge(plain, NULL);
  bperc_bp_fields(fast, one);
  bperc_bp_fields(plain, other);
  for (int i = 0; i < N; i++)
    error = fmax(error, fabs(one[i] - other[i]));
  printf("  error of the fields, N = %d, f_in = %g: %.2g, at most %g%s\n", N,
         fin, error, most, error <= most ? "" : " MISSED");
  b->misses += error > most;
  bperc_bp_free(fast);
  bperc_bp_free(plain);
  bperc_instance_free(in);
}

/* ---- whole decimations at equal residual */

enum { DECIMATE_N = 480, DECIMATE_M = 96 };

typedef struct {
  bperc_instance *in;
  int kernel;
} decimation;

/* Random start at every step, damping 0.05. */
static void literal_decimation(void *context) {
  decimation *d = context;
  double h[DECIMATE_N];
  bperc_bp_options opt;
  bperc_bp *bp;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.kernel = d->kernel;
  opt.update = BPERC_BP_DAMPED;
  opt.damping = 0.05;
  opt.tolerance = 1e-3;
  opt.factor = BPERC_BP_PAPER;
  if (bperc_bp_new(d->in, &opt, 1, 1, &bp, NULL))
    exit(1);
  for (size_t k = 0; k < DECIMATE_N; k++) {
    size_t best = DECIMATE_N;
    bperc_bp_restart(bp, k);
    bperc_bp_converge(bp, NULL);
    bperc_bp_fields(bp, h);
    for (size_t i = 0; i < DECIMATE_N; i++)
      if (bperc_bp_fixed(bp, i) < 0 &&
          (best == DECIMATE_N || fabs(h[i]) > fabs(h[best])))
        best = i;
    if (bperc_bp_fix(bp, best, h[best] >= 0) == BPERC_CONTRADICTION)
      break;
  }
  bperc_bp_free(bp);
}

static void our_decimation(void *context) {
  decimation *d = context;
  bperc_bpd_options opt;
  bperc_solver *s;
  bperc_options_default(bperc_bpd_class.options(), &opt);
  opt.tolerance = 1e-3;
  opt.factor = BPERC_BP_PAPER;
  opt.kernel = d->kernel;
  if (bperc_solver_new(&bperc_bpd_class, d->in, &opt,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL))
    exit(1);
  while (bperc_solver_step(s) == BPERC_RUNNING)
    ;
  bperc_solver_free(s);
}

static void race_decimations(bench *b, double fin) {
  decimation plain = {NULL, BPERC_BP_KERNEL_PLAIN},
             fast = {NULL, BPERC_BP_KERNEL_FAST};
  bench_variant v[3];
  char name[80];
  bperc_ensemble_draw(&(bperc_ensemble){.n = DECIMATE_N,
                                        .m = DECIMATE_M,
                                        .fin = fin,
                                        .model = {.a = 40, .ties = 0}},
                      3, &plain.in, NULL);
  fast.in = plain.in;
  v[0] = (bench_variant){literal_decimation, &plain, DECIMATE_N, 0};
  v[1] = (bench_variant){literal_decimation, &fast, DECIMATE_N, 0};
  v[2] = (bench_variant){our_decimation, &fast, DECIMATE_N, 0};
  bench_race(v, 3, 1);
  snprintf(name, sizeof name, "whole BPD, N = 480, f_in = %g, same kernel",
           fin);
  bench_line(b, name, "weight", v[1].best, v[2].best, 10);
  snprintf(name, sizeof name, "whole BPD, N = 480, f_in = %g, with kernel",
           fin);
  bench_line(b, name, "weight", v[0].best, v[2].best, 40);
  bperc_instance_free(plain.in);
}

int main(int argc, char **argv) {
  bench b = bench_start(argc, argv, "belief propagation");
  make_table();
  race_edges(&b, 480, 0.5, 12, 0, 200);
  race_edges(&b, 480, 0.3, 8, 0, 200);
  race_edges(&b, 480, 0.1, 6, 0, 200);
  race_edges(&b, 10000, 0.5, 20, 7, 4);
  race_exact(&b, 16, 4, 3);
  race_exact(&b, 48, 3, 6);
  race_exact(&b, 48, 12, 5);
  race_exact(&b, 144, 12, 8);
  race_exact(&b, 240, 3, 8);
  race_exact(&b, 240, 12, 8);
  field_error(&b, 0.1);
  field_error(&b, 0.3);
  field_error(&b, 0.5);
  race_decimations(&b, 0.1);
  race_decimations(&b, 0.3);
  return bench_end(&b);
}
