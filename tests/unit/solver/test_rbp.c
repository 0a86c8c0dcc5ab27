/* Reinforced BP against a literal transcription of [BZ eqs. 12-15]: the same
 * start and the same draws give the same fields, step by step. */
#include "check.h"

#include "bp/graph.h"
#include "bp/state.h"
#include "bperc/ensemble.h"
#include "bperc/rbp.h"
#include "numeric/gauss.h"

#include <string.h>

enum { N = 40, M = 12, STEPS = 60 };

typedef struct {
  const bperc_instance *in;
  const bperc_rbp_options *opt;
  double h[M][N];  /* h_{i->mu} */
  double field[N]; /* h_i */
} literal;

static int input(const bperc_instance *in, size_t mu, size_t i) {
  return (int)(bperc_instance_pattern(in, mu)[i / 64] >> (i % 64) & 1);
}

/* h_hat_{mu->i} of [BZ eq. 12] with [BZ eqs. 13, 14]. */
static double h_hat(const literal *x, size_t mu, size_t i) {
  double a = 0, variance = 0, s = 2.0 * x->in->labels[mu] - 1, sigma;
  double theta = x->opt->gaussian == BPERC_BP_PRINTED
                     ? x->in->theta
                     : floor(x->in->theta) + 0.5;
  for (size_t j = 0; j < N; j++)
    if (j != i && input(x->in, mu, j)) {
      double p = 1 / (1 + exp(-x->h[mu][j]));
      a += p;
      variance += p * (1 - p);
    }
  sigma = sqrt(variance);
  return bperc_i_log_h(s * (theta - 1 - a) / sigma) -
         bperc_i_log_h(s * (theta - a) / sigma);
}

/* One time step with reinforcement p[i]; bound and damping as printed. */
static void literal_step(literal *x, const double *p) {
  double hats[M][N] = {{0}}, f = x->opt->damping, bound = x->opt->h_max;
  for (size_t mu = 0; mu < M; mu++)
    for (size_t i = 0; i < N; i++)
      hats[mu][i] = input(x->in, mu, i) ? h_hat(x, mu, i) : 0;
  for (size_t i = 0; i < N; i++) {
    double all = p[i] * x->field[i];
    for (size_t mu = 0; mu < M; mu++)
      all += hats[mu][i];
    for (size_t mu = 0; mu < M; mu++) {
      double h = f * (all - hats[mu][i]) + (1 - f) * x->h[mu][i];
      x->h[mu][i] = fmax(-bound, fmin(bound, h));
    }
    x->field[i] = all;
  }
}

/* The messages that the solver starts from. */
static void take_start(literal *x, uint64_t seed) {
  bperc_bp_options opt;
  bperc_bp *bp;
  uint32_t slots[N + 64], room[N + 64];
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.factor = BPERC_BP_GAUSSIAN;
  opt.update = BPERC_BP_DAMPED; /* starts as the solver does */
  opt.kernel = BPERC_BP_KERNEL_PLAIN;
  assert_int_equal(bperc_bp_new(x->in, &opt, seed, 1, &bp, NULL), BPERC_OK);
  for (size_t mu = 0; mu < M; mu++) {
    size_t degree = bperc_i_bp_row(bp, mu, slots);
    const uint32_t *literals = bperc_i_bp_literals(bp, mu, room);
    for (size_t k = 0; k < degree; k++) {
      size_t i = bp->weight_of[literals[k]];
      x->h[mu][i] = bp->g[i] - bp->u[bp->factor[mu].at + slots[k]];
    }
  }
  memcpy(x->field, bp->field, sizeof x->field);
  bperc_bp_free(bp);
}

/* p(t) of every weight from the solver's own stream. */
static void draw(bperc_stream *stream, int64_t how, double probability,
                 double *p) {
  uint64_t bits[1];
  double one = probability;
  if (how == BPERC_RBP_WEIGHT)
    bperc_stream_bernoulli(stream, probability, bits, N);
  else if (how == BPERC_RBP_STEP)
    one = bperc_stream_double(stream) < probability;
  for (size_t i = 0; i < N; i++)
    p[i] = how == BPERC_RBP_WEIGHT ? (double)(bits[0] >> i & 1) : one;
}

static void follows_the_equations(int64_t how, int64_t gaussian) {
  const uint64_t seed = 17;
  bperc_rbp_options opt;
  bperc_instance *in;
  bperc_solver *s;
  static literal x;
  bperc_stream stream = bperc_stream_make(seed, BPERC_FOR_RBP, 0);
  double p[N], fields[N], unrewarded = 1;
  bperc_options_default(bperc_rbp_class.options(), &opt);
  opt.gamma = 0.93;
  opt.damping = 0.17;
  opt.update = BPERC_RBP_DAMPED;
  opt.h_max = 3.7; /* low enough to be felt */
  opt.draw = how;
  opt.factor = BPERC_BP_GAUSSIAN;
  opt.gaussian = gaussian;
  opt.kernel = BPERC_BP_KERNEL_PLAIN;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = N, .m = M, .fin = 0.45, .model = {.a = 6}}, 5, &in,
      NULL);
  assert_int_equal(
      bperc_solver_new(&bperc_rbp_class, in, &opt,
                       &(bperc_run_options){.seed = seed, .threads = 1}, &s,
                       NULL),
      BPERC_OK);
  x.in = in;
  x.opt = &opt;
  take_start(&x, seed);
  for (int t = 0; t < STEPS; t++) {
    draw(&stream, how, 1 - unrewarded, p);
    unrewarded *= opt.gamma;
    literal_step(&x, p);
    if (bperc_solver_step(s) != BPERC_RUNNING)
      break;
    bperc_solver_fields(s, fields);
    for (size_t i = 0; i < N; i++)
      assert_close(fields[i], x.field[i], 1e-9 * (1 + fabs(fields[i])));
  }
  bperc_solver_free(s);
  bperc_instance_free(in);
}

static void in_double_precision(void **state) {
  (void)state;
  for (int64_t how = BPERC_RBP_WEIGHT; how <= BPERC_RBP_MEAN; how++)
    for (int64_t g = BPERC_BP_CENTRED; g <= BPERC_BP_PRINTED; g++)
      follows_the_equations(how, g);
}

static void weights_are_the_signs_of_the_fields(void **state) {
  bperc_instance *in;
  bperc_solver *s;
  bperc_view view;
  double fields[N];
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = N, .m = M, .fin = 0.45, .model = {.a = 6}}, 6, &in,
      NULL);
  assert_int_equal(
      bperc_solver_new(&bperc_rbp_class, in, NULL,
                       &(bperc_run_options){.seed = 3, .threads = 1}, &s, NULL),
      BPERC_OK);
  bperc_solver_step(s);
  bperc_solver_view(s, &view);
  bperc_solver_fields(s, fields);
  for (size_t i = 0; i < N; i++)
    assert_int_equal(view.weights[0] >> i & 1, fields[i] > 0);
  assert_int_equal(view.errors, bperc_verify(in, view.weights, NULL).errors);
  bperc_solver_free(s);
  bperc_instance_free(in);
}

/* Without reinforcement (gamma = 1) both updates end at the fixed point of BP.
 */
static void both_updates_have_one_fixed_point(void **state) {
  double fields[2][N];
  (void)state;
  for (int64_t update = BPERC_RBP_SPLIT; update <= BPERC_RBP_DAMPED; update++) {
    bperc_rbp_options opt;
    bperc_instance *in;
    bperc_solver *s;
    bperc_options_default(bperc_rbp_class.options(), &opt);
    opt.gamma = 1;
    opt.update = update;
    opt.kernel = BPERC_BP_KERNEL_PLAIN;
    bperc_ensemble_draw(
        &(bperc_ensemble){.n = N, .m = M, .fin = 0.45, .model = {.a = 6}}, 6,
        &in, NULL);
    assert_int_equal(
        bperc_solver_new(&bperc_rbp_class, in, &opt,
                         &(bperc_run_options){.seed = 3, .threads = 1}, &s,
                         NULL),
        BPERC_OK);
    for (int t = 0; t < 3000; t++)
      bperc_solver_step(s);
    bperc_solver_fields(s, fields[update - BPERC_RBP_SPLIT]);
    bperc_solver_free(s);
    bperc_instance_free(in);
  }
  for (size_t i = 0; i < N; i++)
    assert_close(fields[0][i], fields[1][i], 1e-6);
}

/* Few patterns are easy: messages are tiny, their signs are the solution. */
static void few_patterns_are_easy(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    bperc_instance *in;
    bperc_solver *s;
    bperc_ensemble_draw(
        &(bperc_ensemble){
            .n = 480, .m = 1 + seed % 3, .fin = 0.3, .model = {.a = 30}},
        seed, &in, NULL);
    assert_int_equal(
        bperc_solver_new(&bperc_rbp_class, in, NULL,
                         &(bperc_run_options){.seed = seed, .threads = 1}, &s,
                         NULL),
        BPERC_OK);
    assert_int_equal(bperc_solver_step(s), BPERC_SOLVED);
    bperc_solver_free(s);
    bperc_instance_free(in);
  }
}

/* At small loads the sums hold with probabilities that are nearly equal, long
 * before the signs of the fields make them hold. */
static void small_loads_are_solved(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    bperc_instance *in;
    bperc_solver *s;
    bperc_view view;
    bperc_progress p = BPERC_RUNNING;
    bperc_ensemble_draw(
        &(bperc_ensemble){.n = 1000, .m = 30, .fin = 0.5, .model = {.a = 16}},
        seed, &in, NULL);
    assert_int_equal(
        bperc_solver_new(&bperc_rbp_class, in, NULL,
                         &(bperc_run_options){.seed = seed, .threads = 1}, &s,
                         NULL),
        BPERC_OK);
    for (int t = 0; t < 300 && p == BPERC_RUNNING; t++)
      p = bperc_solver_step(s);
    bperc_solver_view(s, &view);
    assert_int_equal(p, BPERC_SOLVED);
    assert_int_equal(view.errors, 0);
    assert_int_equal(bperc_verify(in, view.weights, NULL).errors, 0);
    bperc_solver_free(s);
    bperc_instance_free(in);
  }
}

/* N = 2500 at alpha = 0.16 takes about 700 steps; with every message damped by
 * 0.002 as in [BZ] 1500 are not enough. */
static void large_systems_are_solved(void **state) {
  bperc_rbp_options opt;
  bperc_instance *in;
  bperc_solver *s;
  bperc_view view;
  bperc_progress p = BPERC_RUNNING;
  (void)state;
  bperc_options_default(bperc_rbp_class.options(), &opt);
  opt.gamma = 0.998;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 2500, .m = 400, .fin = 0.5, .model = {.a = 40}}, 8,
      &in, NULL);
  assert_int_equal(
      bperc_solver_new(&bperc_rbp_class, in, &opt,
                       &(bperc_run_options){.seed = 3, .threads = 1}, &s, NULL),
      BPERC_OK);
  for (int t = 0; t < 1500 && p == BPERC_RUNNING; t++)
    p = bperc_solver_step(s);
  bperc_solver_view(s, &view);
  assert_int_equal(p, BPERC_SOLVED);
  assert_int_equal(bperc_verify(in, view.weights, NULL).errors, 0);
  bperc_solver_free(s);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_double_precision),
      cmocka_unit_test(weights_are_the_signs_of_the_fields),
      cmocka_unit_test(both_updates_have_one_fixed_point),
      cmocka_unit_test(few_patterns_are_easy),
      cmocka_unit_test(small_loads_are_solved),
      cmocka_unit_test(large_systems_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
