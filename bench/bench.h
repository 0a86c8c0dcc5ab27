/* What every benchmark shares: races of variants in one run, lines of ratios,
 * the same as JSON.
 *
 * Variants are run in turn, round after round, so that a busy machine slows
 * them all; the cost of a variant is its fastest round in CPU time. A ratio
 * below its floor is marked, the rest is measured all the same, and bench_end
 * returns 1. Where a bound is known (bounds.h), the line says how many times
 * the bound our cost is.
 */
#ifndef BPERC_BENCH_H
#define BPERC_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  void (*run)(void *context);
  void *context;
  double units; /* how many things a run does: presentations, edges, ... */
  double best;  /* filled: ns per unit, fastest round */
} bench_variant;

typedef struct {
  const char *area;
  FILE *json; /* NULL without --json FILE */
  int lines, misses;
  double bound; /* ns per unit of the next line; 0: none known */
} bench;

static inline double bench_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* First line of a command's output, or "unknown". */
static inline const char *bench_ask(const char *command, char *text,
                                    size_t size) {
  FILE *pipe = popen(command, "r");
  if (!pipe || !fgets(text, (int)size, pipe))
    snprintf(text, size, "unknown");
  if (pipe)
    pclose(pipe);
  text[strcspn(text, "\"\\\n")] = 0;
  return text;
}

static inline bench bench_start(int argc, char **argv, const char *area) {
  bench b = {.area = area};
  char machine[128], commit[64];
  bench_ask("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo", machine,
            sizeof machine);
  bench_ask("git rev-parse --short HEAD 2>/dev/null", commit, sizeof commit);
  if (argc == 3 && strcmp(argv[1], "--json") == 0)
    b.json = fopen(argv[2], "w");
  printf("%s, on %s, gcc %s, commit %s\n", area, machine, __VERSION__, commit);
  printf("  %-50s %12s %12s %8s %8s\n", "", "plain", "ours", "ratio", "floor");
  if (b.json)
    fprintf(b.json,
            "{\"area\": \"%s\", \"machine\": \"%s\", \"compiler\": \"%s\", "
            "\"commit\": \"%s\", \"lines\": [",
            area, machine, __VERSION__, commit);
  return b;
}

/* Runs the variants in turn; fills best. */
static inline void bench_race(bench_variant *variants, size_t count,
                              unsigned rounds) {
  for (unsigned round = 0; round < rounds; round++)
    for (size_t k = 0; k < count; k++) {
      double start = bench_cpu(), cost;
      variants[k].run(variants[k].context);
      cost = 1e9 * (bench_cpu() - start) / variants[k].units;
      if (round == 0 || cost < variants[k].best)
        variants[k].best = cost;
    }
}

/* Costs in ns per unit. plain 0: no baseline; floor 0: nothing promised. */
static inline void bench_line(bench *b, const char *name, const char *unit,
                              double plain, double ours, double floor) {
  double ratio = plain > 0 && ours > 0 ? plain / ours : 0;
  int missed = floor > 0 && ratio < floor;
  b->misses += missed;
  printf("  %-50s %9.4g ns %9.4g ns", name, plain, ours);
  if (plain > 0)
    printf(" %7.1fx", ratio);
  if (floor > 0)
    printf(" %7.4g%s", floor, missed ? " MISSED" : "");
  printf("   per %s", unit);
  if (b->bound > 0)
    printf(", bound %.4g ns, %.1f times it", b->bound, ours / b->bound);
  printf("\n");
  fflush(stdout);
  if (b->json)
    fprintf(b->json,
            "%s{\"name\": \"%s\", \"unit\": \"%s\", \"plain_ns\": %.6g, "
            "\"ours_ns\": %.6g, \"ratio\": %.6g, \"floor\": %.6g, "
            "\"bound_ns\": %.6g}",
            b->lines ? ", " : "", name, unit, plain, ours, ratio, floor,
            b->bound);
  b->lines++;
  b->bound = 0;
}

/* A one-against-one race and its line. */
static inline void bench_duel(bench *b, const char *name, const char *unit,
                              bench_variant plain, bench_variant ours,
                              unsigned rounds, double floor) {
  bench_variant both[2] = {plain, ours};
  bench_race(both, 2, rounds);
  bench_line(b, name, unit, both[0].best, both[1].best, floor);
}

/* Exit status of the program. */
static inline int bench_end(bench *b) {
  if (b->misses)
    printf("  %d of these are below their floor\n", b->misses);
  if (b->json) {
    fprintf(b->json, "], \"misses\": %d}\n", b->misses);
    fclose(b->json);
  }
  return b->misses > 0;
}

#endif
