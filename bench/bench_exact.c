/* Exact solution spaces: the pruning search against the Gray sweep, splitting
 * the list against binary searches, trees and transforms against all pairs. */
#include "bench.h"

#include "bounds.h"
#include "bperc/bperc.h"

#include <stdint.h>

typedef struct {
  bperc_instance *in;
  bperc_exact_options options;
  bperc_solutions *s;
  uint64_t found;
} problem;

static void fail(const char *what) {
  fprintf(stderr, "bench_exact: %s\n", what);
  exit(1);
}

static void run_count(void *context) {
  problem *x = context;
  bperc_exact_answer answer;
  if (bperc_exact_count(x->in, &x->options,
                        &(bperc_space_options){.threads = 1}, &answer, NULL))
    fail("count");
  x->found = answer.count.word[0];
}

static void run_list(void *context) {
  problem *x = context;
  bperc_solutions *s;
  if (bperc_exact_list(x->in, &x->options, &(bperc_space_options){.threads = 1},
                       &s, NULL))
    fail("list");
  x->found = s->count;
  bperc_solutions_free(s);
}

/* ---- clusters by binary search of all flips */

static uint32_t root_of(uint32_t *parent, uint32_t k) {
  while (parent[k] != k)
    k = parent[k] = parent[parent[k]];
  return k;
}

static void run_binary_search(void *context) {
  problem *x = context;
  const bperc_solutions *s = x->s;
  uint32_t *parent = malloc(s->count * sizeof *parent);
  for (size_t k = 0; k < s->count; k++)
    parent[k] = (uint32_t)k;
  for (size_t k = 0; k < s->count; k++)
    for (size_t j = 0; j < s->columns; j++) {
      uint64_t wanted = s->bits[k] ^ UINT64_C(1) << j;
      size_t low = 0, high = s->count;
      while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->bits[middle] < wanted)
          low = middle + 1;
        else
          high = middle;
      }
      if (low < s->count && s->bits[low] == wanted)
        parent[root_of(parent, (uint32_t)k)] = root_of(parent, (uint32_t)low);
    }
  x->found = 0;
  for (size_t k = 0; k < s->count; k++)
    x->found += root_of(parent, (uint32_t)k) == k;
  free(parent);
}

static void run_clusters(void *context) {
  problem *x = context;
  bperc_clusters *c;
  if (bperc_clusters_new(x->s, &c))
    fail("clusters");
  x->found = c->count;
  bperc_clusters_free(c);
}

/* ---- distances */

static void run_near(problem *x, bperc_near_method method) {
  uint32_t *near = malloc(x->s->count * 4 * sizeof *near);
  if (bperc_solutions_near(x->s, 3, method, near))
    fail("near");
  x->found = 0;
  for (size_t k = 0; k < x->s->count; k++)
    x->found += near[4 * k + 3];
  free(near);
}

static void run_near_pairs(void *context) {
  run_near(context, BPERC_NEAR_PAIRS);
}
static void run_near_tree(void *context) { run_near(context, BPERC_NEAR_TREE); }

static void run_distances(problem *x, bperc_near_method method) {
  uint64_t out[129];
  if (bperc_solutions_distances(x->s, method, out))
    fail("distances");
  x->found = out[5];
}

static void run_all_pairs(void *context) {
  run_distances(context, BPERC_NEAR_PAIRS);
}
static void run_transform(void *context) {
  run_distances(context, BPERC_NEAR_TRANSFORM);
}

/* ---- races */

/* The first random instance with at least this many solutions, but not half as
 * many more. */
static problem typical(size_t n, size_t m, double fin, double least) {
  problem x = {0};
  bperc_exact_answer answer;
  bperc_options_default(bperc_exact_option_table(), &x.options);
  for (uint64_t seed = 1;; seed++) {
    if (bperc_ensemble_draw(
            &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = 12}},
            seed, &x.in, NULL) ||
        bperc_exact_count(x.in, NULL, &(bperc_space_options){.threads = 1},
                          &answer, NULL))
      fail("generate");
    double count = bperc_count_real(answer.count);
    if (count >= least && count < 1.5 * least)
      break;
    bperc_instance_free(x.in);
  }
  if (bperc_exact_list(x.in, NULL, &(bperc_space_options){.threads = 1}, &x.s,
                       NULL))
    fail("list");
  return x;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Listing costs by the solution, the sweep by the configuration: their ratio
 * falls with the number of solutions. So also the median over the first random
 * instances, whatever they have. */
static void median_list(bench *b, size_t n, size_t m, double fin) {
  enum { INSTANCES = 11 };
  double slow[INSTANCES], fast[INSTANCES], solutions[INSTANCES];
  char name[80];
  for (uint64_t seed = 0; seed < INSTANCES; seed++) {
    problem plain = {0};
    bperc_options_default(bperc_exact_option_table(), &plain.options);
    if (bperc_ensemble_draw(
            &(bperc_ensemble){.n = n, .m = m, .fin = fin, .model = {.a = 12}},
            seed + 1, &plain.in, NULL))
      fail("generate");
    problem ours = plain;
    plain.options.method = BPERC_EXACT_GRAY;
    bench_variant all[2] = {{run_list, &plain, 1, 0}, {run_list, &ours, 1, 0}};
    bench_race(all, 2, 1);
    bench_race(all + 1, 1, 5);
    if (plain.found != ours.found)
      fail("the two disagree");
    slow[seed] = all[0].best;
    fast[seed] = all[1].best;
    solutions[seed] = (double)ours.found;
    bperc_instance_free(plain.in);
  }
  qsort(slow, INSTANCES, sizeof *slow, ascending);
  qsort(fast, INSTANCES, sizeof *fast, ascending);
  qsort(solutions, INSTANCES, sizeof *solutions, ascending);
  snprintf(name, sizeof name, "list, median of %d with %.0f to %.1e solutions",
           INSTANCES, solutions[0], solutions[INSTANCES - 1]);
  bench_line(b, name, "instance", slow[INSTANCES / 2], fast[INSTANCES / 2],
             300);
}

static void clear(problem *x) {
  bperc_solutions_free(x->s);
  bperc_instance_free(x->in);
}

static void duel(bench *b, const char *name, const char *unit, problem *x,
                 void (*plain)(void *), void (*ours)(void *), double units,
                 unsigned rounds, double floor) {
  problem slow = *x, fast = *x;
  slow.options.method = BPERC_EXACT_GRAY;
  /* Short runs want more rounds than the baseline can afford. */
  bench_variant all[2] = {{plain, &slow, units, 0}, {ours, &fast, units, 0}};
  bench_race(all, 2, rounds);
  bench_variant more = all[1];
  bench_race(&more, 1, 5);
  bench_line(b, name, unit, all[0].best,
             more.best < all[1].best ? more.best : all[1].best, floor);
  if (slow.found != fast.found)
    fail("the two disagree");
}

int main(int argc, char **argv) {
  bench b = bench_start(argc, argv, "exact solution spaces");
  problem a = typical(25, 9, 0.3, 4e4), c = typical(30, 11, 0.5, 1e3),
          d = typical(50, 18, 0.4, 1e5);
  duel(&b, "count, N = 25, M = 9: Gray sweep, search", "instance", &a,
       run_count, run_count, 1, 3, 1000);
  duel(&b, "list, N = 25, M = 9: Gray sweep, search", "solution", &a, run_list,
       run_list, (double)a.s->count, 3, 300);
  median_list(&b, 25, 9, 0.3);
  duel(&b, "count, N = 30, M = 11: Gray sweep, search", "instance", &c,
       run_count, run_count, 1, 1, 20000);
  duel(&b, "clusters, N = 25: binary search, splitting", "solution", &a,
       run_binary_search, run_clusters, (double)a.s->count, 5, 8);
  /* Every column reads the list at two places. */
  b.bound = 2 * 8 * 50 * bounds_read(8 * d.s->count);
  duel(&b, "clusters, N = 50: binary search, splitting", "solution", &d,
       run_binary_search, run_clusters, (double)d.s->count, 3, 8);
  duel(&b, "neighbours to d = 3, N = 25: all pairs, tree", "solution", &a,
       run_near_pairs, run_near_tree, (double)a.s->count, 2, 3);
  duel(&b, "neighbours to d = 3, N = 50: all pairs, tree", "solution", &d,
       run_near_pairs, run_near_tree, (double)d.s->count, 1, 3);
  duel(&b, "distances, N = 25: all pairs, transform", "solution", &a,
       run_all_pairs, run_transform, (double)a.s->count, 2, 0);
  clear(&a);
  clear(&c);
  clear(&d);
  return bench_end(&b);
}
