/* SBPI: whole solves at N = 480 and presentations at N = 10000, against the
 * plain integer form walking through the same hidden states. */
#include "bench.h"

#include "bounds.h"
#include "bperc/ensemble.h"
#include "bperc/sbpi.h"
#include "kernels/bit_kernels.h"
#include "plain_sbpi.h" /* scalar: meson.build forbids vectors here */

enum { INSTANCES = 20, ROUNDS = 9 };

/* ---- whole solves */

typedef struct {
  bperc_instance *in[INSTANCES];
  double presentations;
} batch;

static batch make_batch(size_t n, size_t m, double fin) {
  batch b = {.presentations = 0};
  for (int k = 0; k < INSTANCES; k++) {
    bperc_solver *s;
    bperc_view view;
    bperc_ensemble_draw(
        &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = 40}},
        100 + (uint64_t)k, &b.in[k], NULL);
    bperc_solver_new(&bperc_sbpi_class, b.in[k], NULL,
                     &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL);
    while (bperc_solver_step(s) == BPERC_RUNNING)
      ;
    bperc_solver_view(s, &view);
    b.presentations += (double)view.step * (double)m;
    bperc_solver_free(s);
  }
  return b;
}

static void free_batch(batch *b) {
  for (int k = 0; k < INSTANCES; k++)
    bperc_instance_free(b->in[k]);
}

static void solve_fast(void *context) {
  batch *b = context;
  for (int k = 0; k < INSTANCES; k++) {
    bperc_solver *s;
    bperc_solver_new(&bperc_sbpi_class, b->in[k], NULL,
                     &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL);
    while (bperc_solver_step(s) == BPERC_RUNNING)
      ;
    bperc_solver_free(s);
  }
}

static void solve_plain(void *context) {
  batch *b = context;
  for (int k = 0; k < INSTANCES; k++) {
    plain_sbpi s = plain_sbpi_new(b->in[k], BPERC_SBPI_DEEPEN, 0.3, 1);
    for (int sweep = 0; sweep < 4000; sweep++)
      if (plain_sbpi_sweep(&s) == 0)
        break;
    plain_sbpi_free(&s);
  }
}

static void whole_solve(bench *b, double fin, double floor) {
  char name[80];
  batch set = make_batch(480, 96, fin);
  snprintf(name, sizeof name, "whole solve, N = 480, alpha = 0.2, f_in = %g",
           fin);
  bench_duel(b, name, "presentation",
             (bench_variant){solve_plain, &set, set.presentations, 0},
             (bench_variant){solve_fast, &set, set.presentations, 0}, ROUNDS,
             floor);
  free_batch(&set);
}

/* ---- sweeps at large N */

typedef struct {
  bperc_instance *in;
  bperc_solver *fast;
  plain_sbpi plain;
  int sweeps;
} large;

static void sweep_fast(void *context) {
  large *l = context;
  for (int k = 0; k < l->sweeps; k++)
    bperc_solver_step(l->fast);
}

static void sweep_plain(void *context) {
  large *l = context;
  for (int k = 0; k < l->sweeps; k++)
    plain_sbpi_sweep(&l->plain);
}

/* Tests and updates in the mixture of a run's first sweeps. */
static void large_sweeps(bench *b, size_t m, double floor) {
  char name[80];
  large l = {.sweeps = 12};
  double units = (double)m * l.sweeps;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 10000, .m = m, .fin = 0.5, .model = {.a = 40}}, 5,
      &l.in, NULL);
  bperc_solver_new(&bperc_sbpi_class, l.in, NULL,
                   &(bperc_run_options){.seed = 1, .threads = 1}, &l.fast,
                   NULL);
  l.plain = plain_sbpi_new(l.in, BPERC_SBPI_DEEPEN, 0.3, 1);
  snprintf(name, sizeof name, "sweeps, N = 10000, M = %zu, f_in = 0.5", m);
  bench_duel(b, name, "presentation",
             (bench_variant){sweep_plain, &l, units, 0},
             (bench_variant){sweep_fast, &l, units, 0}, 5, floor);
  plain_sbpi_free(&l.plain);
  bperc_solver_free(l.fast);
  bperc_instance_free(l.in);
}

/* The same bits read as inputs and weights -1/+1, threshold 0. */
static bperc_instance *as_pm(const bperc_instance *in) {
  bperc_model model = {.weights = BPERC_WEIGHTS_PM, .inputs = BPERC_INPUTS_PM};
  bperc_instance *out;
  bperc_instance_new(in->n, in->m, &model, &out, NULL);
  memcpy(out->patterns, in->patterns, in->m * in->words * sizeof(uint64_t));
  memcpy(out->labels, in->labels, in->m);
  bperc_instance_update_bounds(out);
  return out;
}

/* Presentations of -1/+1 problems against those of 0/1 ones: every input moves
 * its hidden state, twice as many as at f_in = 0.5. */
static void signed_sweeps(bench *b) {
  large zero_one = {.sweeps = 12}, pm = {.sweeps = 12};
  double units = 1900. * pm.sweeps;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 10001, .m = 1900, .fin = 0.5, .model = {.a = 40}},
      5, &zero_one.in, NULL);
  pm.in = as_pm(zero_one.in);
  bperc_solver_new(&bperc_sbpi_class, zero_one.in, NULL,
                   &(bperc_run_options){.seed = 1, .threads = 1},
                   &zero_one.fast, NULL);
  bperc_solver_new(&bperc_sbpi_class, pm.in, NULL,
                   &(bperc_run_options){.seed = 1, .threads = 1}, &pm.fast,
                   NULL);
  bench_duel(b, "0/1 against -1/+1, N = 10001, M = 1900", "presentation",
             (bench_variant){sweep_fast, &zero_one, units, 0},
             (bench_variant){sweep_fast, &pm, units, 0}, ROUNDS, 0.5);
  bperc_solver_free(zero_one.fast);
  bperc_solver_free(pm.fast);
  bperc_instance_free(zero_one.in);
  bperc_instance_free(pm.in);
}

/* A sweep of a solved problem: shuffled tests and one count of errors, no
 * updates. Every row is read twice, from beyond the second cache. */
static void solved_sweeps(bench *b) {
  enum { ROWS = 1900 };
  bperc_sbpi_options options;
  large l = {.sweeps = 12};
  double units = 2. * ROWS * l.sweeps;
  bperc_options_default(bperc_sbpi_class.options(), &options);
  options.margin = BPERC_SBPI_OFF;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 10000, .m = ROWS, .fin = 0.1, .model = {.a = 40}},
      5, &l.in, NULL);
  bperc_solver_new(&bperc_sbpi_class, l.in, &options,
                   &(bperc_run_options){.seed = 1, .threads = 1}, &l.fast,
                   NULL);
  while (bperc_solver_step(l.fast) == BPERC_RUNNING)
    ;
  bench_variant v = {sweep_fast, &l, units, 0};
  bench_race(&v, 1, ROUNDS);
  size_t row = l.in->words * sizeof(uint64_t);
  b->bound = (double)row * bounds_read(ROWS * row);
  bench_line(b, "tests of a solved problem, N = 10000", "test", 0, v.best, 0);
  bperc_solver_free(l.fast);
  bperc_instance_free(l.in);
}

/* ---- the two kernels alone */

enum { N = 10000, WORDS = (N + 63) / 64, STRIDE = (WORDS + 3) / 4 * 4 };

typedef struct {
  uint64_t *x, *y, planes[7 * STRIDE];
  plain_sbpi plain;
  int repeats;
  volatile uint64_t sink;
} kernel;

static void test_fast(void *context) {
  kernel *k = context;
  for (int r = 0; r < k->repeats; r++)
    k->sink += bperc_i_bit_kernels_get()->and_popcount(k->x, k->y, WORDS);
}

static void test_plain(void *context) {
  kernel *k = context;
  for (int r = 0; r < k->repeats; r++)
    k->sink += (uint64_t)plain_sbpi_sum(&k->plain, 0);
}

static void update_fast(void *context) {
  kernel *k = context;
  bperc_i_counters c = {WORDS, STRIDE, 7, 47, k->planes};
  for (int r = 0; r < k->repeats; r++)
    (r % 2 ? bperc_i_bit_kernels_get()->up
           : bperc_i_bit_kernels_get()->down)(&c, k->x);
}

static void update_plain(void *context) {
  kernel *k = context;
  for (int r = 0; r < k->repeats; r++)
    plain_sbpi_move(&k->plain, 0, r % 2 ? 1 : -1, 0);
}

static void kernels(bench *b) {
  static kernel k = {.repeats = 2000};
  double units = k.repeats;
  bperc_instance *in;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = N, .m = 2, .fin = 0.5, .model = {.a = 40}}, 5, &in,
      NULL);
  k.x = in->patterns;
  k.y = in->patterns + in->words;
  k.plain = plain_sbpi_new(in, BPERC_SBPI_DEEPEN, 0.3, 1);
  b->bound = WORDS * bounds_popcount();
  bench_duel(b, "test alone, N = 10000", "test",
             (bench_variant){test_plain, &k, units, 0},
             (bench_variant){test_fast, &k, units, 0}, ROUNDS, 0);
  /* Seven planes are read and written, and the mask is read. */
  b->bound = 15 * WORDS * sizeof(uint64_t) * bounds_read(16 << 10);
  bench_duel(b, "update alone, N = 10000", "update",
             (bench_variant){update_plain, &k, units, 0},
             (bench_variant){update_fast, &k, units, 0}, ROUNDS, 0);
  plain_sbpi_free(&k.plain);
  bperc_instance_free(in);
}

int main(int argc, char **argv) {
  bench b = bench_start(argc, argv, "SBPI");
  whole_solve(&b, 0.1, 12);
  whole_solve(&b, 0.3, 12);
  whole_solve(&b, 0.5, 12);
  large_sweeps(&b, 1900, 40);
  signed_sweeps(&b);
  solved_sweeps(&b);
  kernels(&b);
  return bench_end(&b);
}
