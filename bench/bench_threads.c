/* Iterations of one problem on one and on two threads: time on the clock, in
 * turn, the fastest of several rounds, and how much more CPU time two threads
 * take. The bound is half the time that two threads take which run the same
 * iterations each for itself, on one thread: what two cores of this machine
 * can give at most. Means something on two idle cores only; results are the
 * same bits. */
#include "bench.h"

#include "bperc/bperc.h"

#include <pthread.h>

typedef struct {
  const char *name;
  const bperc_solver_class *class; /* NULL: belief propagation itself */
  size_t n;
  double alpha;
  int steps, rounds;
} race;

static void fail(const char *what) {
  fprintf(stderr, "bench_threads: %s\n", what);
  exit(1);
}

static double on_the_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
  double wall, cpu; /* ns per step */
} cost;

/* The first step starts the threads and touches the memory. */
static cost run_bp(const race *r, const bperc_instance *in, unsigned threads) {
  bperc_bp *bp;
  cost c;
  if (bperc_bp_new(in, NULL, 1, threads, &bp, NULL))
    fail("bp");
  bperc_bp_step(bp);
  c = (cost){on_the_clock(), bench_cpu()};
  for (int k = 0; k < r->steps; k++)
    bperc_bp_step(bp);
  c = (cost){on_the_clock() - c.wall, bench_cpu() - c.cpu};
  bperc_bp_free(bp);
  return c;
}

static cost run_solver(const race *r, const bperc_instance *in,
                       unsigned threads) {
  bperc_solver *s;
  cost c;
  if (bperc_solver_new(r->class, in, NULL,
                       &(bperc_run_options){.seed = 1, .threads = threads}, &s,
                       NULL))
    fail(r->name);
  bperc_solver_step(s);
  c = (cost){on_the_clock(), bench_cpu()};
  for (int k = 0; k < r->steps; k++)
    if (bperc_solver_step(s) != BPERC_RUNNING)
      fail("solved too early");
  c = (cost){on_the_clock() - c.wall, bench_cpu() - c.cpu};
  bperc_solver_free(s);
  return c;
}

static cost run_once(const race *r, const bperc_instance *in,
                     unsigned threads) {
  return r->class ? run_solver(r, in, threads) : run_bp(r, in, threads);
}

typedef struct {
  const race *race;
  const bperc_instance *in;
  cost cost;
} single;

static void *run_single(void *context) {
  single *s = context;
  s->cost = run_once(s->race, s->in, 1);
  return NULL;
}

/* Two at a time that have nothing to do with each other: half of the longer
 * one, on the clock. */
static cost run_two(const race *r, const bperc_instance *in) {
  single s[2] = {{.race = r, .in = in}, {.race = r, .in = in}};
  pthread_t other;
  double longer;
  if (pthread_create(&other, NULL, run_single, &s[1]) != 0)
    fail("pthread_create");
  run_single(&s[0]);
  pthread_join(other, NULL);
  longer = s[0].cost.wall > s[1].cost.wall ? s[0].cost.wall : s[1].cost.wall;
  return (cost){longer / 2, s[0].cost.cpu / 2};
}

static void keep_least(cost *best, cost now, int round, int steps) {
  now.wall *= 1e9 / steps;
  now.cpu *= 1e9 / steps;
  if (round == 0 || now.wall < best->wall)
    best->wall = now.wall;
  if (round == 0 || now.cpu < best->cpu)
    best->cpu = now.cpu;
}

static void run_race(bench *b, const race *r) {
  size_t m = (size_t)(r->alpha * (double)r->n);
  bperc_instance *in;
  cost best[3] = {{0}}; /* one thread, two, two apart */
  char name[80];
  if (bperc_ensemble_draw(
          &(bperc_ensemble){.n = r->n, .m = m, .fin = 0.5, .model = {.a = 40}},
          7, &in, NULL))
    fail("generate");
  for (int round = 0; round < r->rounds; round++) {
    keep_least(&best[0], run_once(r, in, 1), round, r->steps);
    keep_least(&best[1], run_once(r, in, 2), round, r->steps);
    keep_least(&best[2], run_two(r, in), round, r->steps);
  }
  snprintf(name, sizeof name, "%s, N = %zu, f_in = 0.5: 1, 2 threads", r->name,
           r->n);
  b->bound = best[2].wall;
  bench_line(b, name, "step, on the clock", best[0].wall, best[1].wall, 1.8);
  bench_line(b, "  its CPU time", "step", best[0].cpu, best[1].cpu, 0);
  bperc_instance_free(in);
}

int main(int argc, char **argv) {
  static const race races[] = {
      {"BP", NULL, 2500, 0.18, 60, 7},
      {"BP", NULL, 10000, 0.18, 10, 5},
      {"rBP", &bperc_rbp_class, 2500, 0.18, 60, 7},
      {"rBP", &bperc_rbp_class, 10000, 0.18, 10, 5},
      {"BPD", &bperc_bpd_class, 2500, 0.18, 1700, 3},
      {"AMP", &bperc_amp_class, 2500, 0.24, 400, 7},
      {"AMP", &bperc_amp_class, 10000, 0.24, 100, 7},
  };
  bench b = bench_start(argc, argv, "one problem on two threads");
  for (size_t k = 0; k < sizeof races / sizeof *races; k++)
    run_race(&b, &races[k]);
  return bench_end(&b);
}
