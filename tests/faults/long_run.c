/* Many tasks in one process: memory stays where it is, answers stay the same.
 *
 *   long_run FOLDER [--tasks K] [--minutes M] [--threads T]
 *
 * Rounds of 1000 tasks of every kind (solvers, belief propagation, enumeration,
 * walks, theory), each round with a seed of its own, into one store in FOLDER.
 * Every tenth round the tasks of seed 1 are run again into a store in memory
 * and their tables compared byte for byte with the first ones. Prints tasks and
 * resident memory at 1000, 2000, 5000, 10000, ... tasks. Exit status 1 when
 * memory has grown by more than 4 MB since the first 1000 tasks (meanwhile the
 * page cache of SQLite fills, 2 MB), when an answer differs, or a task failed.
 */
#include "bperc/bperc.h"
#include "bperc/lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char plan[] = "[block toy]\nmeasurement = toy\nx = 1:4:1\n"
                           "instances = 100\n"
                           "[block sbpi]\nmeasurement = solving\n"
                           "solver = sbpi\nn = 61\nalpha = 0.1 0.2\n"
                           "instances = 100\n"
                           "[block amp]\nmeasurement = solving\n"
                           "solver = amp\nn = 61\nalpha = 0.1\n"
                           "instances = 100\n"
                           "[block rbp]\nmeasurement = solving\n"
                           "solver = rbp\nn = 31\nalpha = 0.1\n"
                           "instances = 60\n"
                           "[block bethe]\nmeasurement = bethe\nn = 17\n"
                           "alpha = 0.2\ninstances = 60\n"
                           "[block clusters]\nmeasurement = clusters\nn = 13\n"
                           "alpha = 0.4\ninstances = 60\n"
                           "[block geometry]\nmeasurement = geometry\nn = 11\n"
                           "alpha = 0.4\ninstances = 40\n"
                           "[block walking]\nmeasurement = walking\nn = 21\n"
                           "alpha = 0.1\ninstances = 40\n"
                           "[block generalisation]\n"
                           "measurement = generalisation\nn = 31\n"
                           "alpha = 0.3\ntest = 100\ninstances = 38\n"
                           "[block theory]\nmeasurement = theory_typical\n"
                           "alpha = 0.1 0.2\n";

enum { GROWTH_KB = 4096 };

typedef struct {
  long tasks;
  double minutes;
  unsigned threads;
} wishes;

static long resident_kb(void) {
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%*d %ld", &pages) != 1)
    pages = 0;
  if (f)
    fclose(f);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int fail(const bperc_error *error) {
  fprintf(stderr, "long_run: %s\n", error->text);
  return 1;
}

/* One table after the other as text, to be freed. */
static char *tables_text(const bperc_experiment *x, bperc_store *store,
                         uint64_t seed, bperc_error *error) {
  bperc_tables *tables;
  char *text = NULL;
  size_t size;
  FILE *out;
  if (bperc_tables_collect(x, store, BPERC_SCALE_QUICK, seed, &tables, error))
    return NULL;
  out = open_memstream(&text, &size);
  for (size_t k = 0; out && k < bperc_tables_count(tables); k++) {
    char *table = bperc_table_text(tables, k);
    fputs(table ? table : "", out);
    bperc_free(table);
  }
  if (out)
    fclose(out);
  bperc_tables_free(tables);
  return text;
}

/* Runs the tasks of a seed; how many, 0 after a failure. */
static size_t run_seed(const wishes *w, bperc_store *store, uint64_t seed,
                       char **tables, bperc_error *error) {
  bperc_experiment *x;
  bperc_sweep_state state = {0};
  const bperc_sweep_options options = {
      .scale = BPERC_SCALE_QUICK, .seed = seed, .threads = w->threads};
  *tables = NULL;
  if (bperc_experiment_parse("plan", plan, sizeof plan - 1, &x, error))
    return 0;
  bperc_status status = bperc_sweep_run((const bperc_experiment *const *)&x, 1,
                                        store, &options, &state, error);
  if (status == BPERC_OK && state.failed > 0)
    status = bperc_error_set(error, BPERC_E_NUMERIC, "%zu tasks failed",
                             state.failed);
  if (status == BPERC_OK)
    *tables = tables_text(x, store, seed, error);
  if (!*tables)
    state.done = 0;
  bperc_experiment_free(x);
  return state.done;
}

/* The tasks of seed 1 again, in a store of their own. */
static size_t run_again(const wishes *w, const char *first,
                        bperc_error *error) {
  bperc_store *store;
  char *tables = NULL;
  size_t done;
  if (bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, error))
    return 0;
  done = run_seed(w, store, 1, &tables, error);
  if (tables && strcmp(tables, first) != 0) {
    bperc_error_set(error, BPERC_E_NUMERIC, "tables of seed 1 differ");
    done = 0;
  }
  free(tables);
  bperc_store_close(store);
  return done;
}

typedef struct {
  long done, next; /* tasks so far; a line is printed from `next` on */
  long first_kb;   /* resident after the first 1000 */
  double started;
} progress;

static long after(long tasks) { /* 1, 2, 5, 10, 20, 50, ... thousand */
  long power = 1000;
  while (10 * power <= tasks)
    power *= 10;
  return tasks < 2 * power   ? 2 * power
         : tasks < 5 * power ? 5 * power
                             : 10 * power;
}

static long tell(progress *p) {
  const long kb = resident_kb();
  if (p->first_kb == 0 && p->done >= 1000)
    p->first_kb = kb;
  if (p->done < p->next)
    return kb;
  printf("%8ld tasks %8ld kB %9.1f s\n", p->done, kb,
         bperc_control_in(0) - p->started);
  fflush(stdout);
  p->next = after(p->done);
  return kb;
}

static int more(const wishes *w, const progress *p) {
  return w->minutes > 0 ? bperc_control_in(0) - p->started < 60 * w->minutes
                        : p->done < w->tasks;
}

static int run_all(const wishes *w, bperc_store *store, bperc_error *error) {
  progress p = {.next = 1000, .started = bperc_control_in(0)};
  char *first = NULL;
  size_t done = 1;
  long last = 0;
  for (uint64_t seed = 1; done > 0 && more(w, &p); seed++) {
    char *tables;
    done = run_seed(w, store, seed, &tables, error);
    p.done += (long)done;
    if (seed == 1)
      first = tables;
    else
      free(tables);
    if (done > 0 && seed % 10 == 0) {
      done = run_again(w, first, error);
      p.done += (long)done;
    }
    last = tell(&p);
  }
  free(first);
  if (done == 0)
    return fail(error);
  printf("%ld tasks: %ld kB after the first thousand, %ld kB at the end\n",
         p.done, p.first_kb, last);
  return last > p.first_kb + GROWTH_KB;
}

int main(int argc, char **argv) {
  wishes w = {.tasks = 100000, .threads = 1};
  bperc_store *store;
  bperc_error error;
  char path[4096];
  int code;
  for (int k = 2; k + 1 < argc; k += 2) {
    const double value = strtod(argv[k + 1], NULL);
    if (strcmp(argv[k], "--tasks") == 0)
      w.tasks = (long)value;
    else if (strcmp(argv[k], "--minutes") == 0)
      w.minutes = value;
    else if (strcmp(argv[k], "--threads") == 0)
      w.threads = (unsigned)value;
    else
      argc = 0;
  }
  if (argc < 2 || argc % 2 != 0) {
    fputs("usage: long_run FOLDER [--tasks K] [--minutes M] [--threads T]\n",
          stderr);
    return 2;
  }
  snprintf(path, sizeof path, "%s/long_run.db", argv[1]);
  if (bperc_store_open(path, BPERC_STORE_WRITE, &store, &error))
    return fail(&error);
  code = run_all(&w, store, &error);
  bperc_store_close(store);
  return code;
}
