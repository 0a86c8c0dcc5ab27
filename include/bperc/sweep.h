/* Sweeps: plan -> tasks -> store -> tables. Claims: bperc/judge.h, pages:
 * bperc/report.h.
 *
 * An experiment is a folder with a plan and, if wanted, claims, a gnuplot
 * script and a note (docs/sweeps.md). Its tasks are known by a key computed
 * from measurement, result version, every parameter, seed and instance number:
 * a store that has the key has the result, whoever asked for it first. Tables
 * are computed from the store alone and are the same, byte for byte, for every
 * number of threads or ranks and however often the run was killed.
 */
#ifndef BPERC_SWEEP_H
#define BPERC_SWEEP_H

#include "bperc/measure.h"
#include "bperc/store.h"

#include <stdio.h>

BPERC_C_BEGIN

/* ---- experiments */

typedef enum { BPERC_SCALE_QUICK, BPERC_SCALE_PAPER } bperc_scale;
/* "quick", "paper"; constant. */
BPERC_API const char *bperc_scale_name(bperc_scale scale);

typedef struct bperc_experiment bperc_experiment;

/* folder: has `plan`, perhaps `claims`, `plot.gp`, `note.md`, `paper.tsv`. Or
 * the path of a plan file alone. The name is that of the folder or file. */
BPERC_API bperc_status bperc_experiment_read(const char *path,
                                             bperc_experiment **out,
                                             bperc_error *error);
/* From memory. `path` is for messages. */
BPERC_API bperc_status bperc_experiment_parse(const char *path,
                                              const char *plan, size_t size,
                                              bperc_experiment **out,
                                              bperc_error *error);
BPERC_API void bperc_experiment_free(bperc_experiment *x); /* NULL is fine */
BPERC_API const char *bperc_experiment_name(const bperc_experiment *x);
BPERC_API const char *bperc_experiment_title(const bperc_experiment *x);
/* Whether bperc_judge_narrow() left something out: no picture then. */
BPERC_API int bperc_experiment_is_part(const bperc_experiment *x);

/* ---- running */

typedef struct {
  size_t total;     /* different tasks of the plans */
  size_t found;     /* in the store already, or put there by others */
  size_t done;      /* run now */
  size_t elsewhere; /* still being run by other processes on the store */
  size_t failed;    /* of the total: have a reason instead of numbers */
  double estimate;  /* seconds of work on one core, before starting */
  double left;      /* seconds to the end, by what finished tasks took */
  double seconds;   /* since the start */
  double busy;      /* seconds of work, summed over workers */
  double storing;   /* seconds spent on the store */
  unsigned workers;
} bperc_sweep_state;

/* Called in the calling thread: once before the first task, then about ten
 * times a second. */
typedef void bperc_sweep_watch(void *context, const bperc_sweep_state *state);

typedef struct {
  bperc_scale scale;
  uint64_t seed;
  unsigned threads;       /* 0: all cores, or one per rank under mpirun */
  int retry;              /* run failed tasks again */
  unsigned shard, shards; /* run part `shard` of `shards` only, from 1 on; 0 0:
                             all */
  bperc_sweep_watch *watch;
  void *context;
} bperc_sweep_options;

/* Runs what the store does not have and no other process is running; waits for
 * the others at the end. Results are committed in batches, about
 * once a second. BPERC_E_INTERRUPTED after bperc_cancel(): everything finished
 * is in the store. options NULL: all zero; state may be NULL. */
BPERC_API bperc_status bperc_sweep_run(const bperc_experiment *const *x,
                                       size_t count, bperc_store *store,
                                       const bperc_sweep_options *options,
                                       bperc_sweep_state *state,
                                       bperc_error *error);

/* ---- ranks: under mpirun the module bperc_mpi.so is loaded */

typedef struct {
  int rank, size; /* 0 and 1 without mpirun */
} bperc_ranks;

/* Call first; module_folders: where to look, ended by NULL. */
BPERC_API bperc_status bperc_ranks_start(const char *const *module_folders,
                                         bperc_ranks *out, bperc_error *error);
/* Ranks other than 0: work until rank 0 says stop. Takes the same arguments as
 * bperc_sweep_run on rank 0. BPERC_E_ARGUMENT where there are no ranks. */
BPERC_API bperc_status bperc_ranks_work(const bperc_experiment *const *x,
                                        size_t count,
                                        const bperc_sweep_options *options,
                                        bperc_error *error);
BPERC_API void bperc_ranks_end(void); /* every rank, last */

/* ---- tables */

typedef struct bperc_tables bperc_tables;

/* From the store; what is missing is left out. What the plan computes from
 * these tables is added by bperc_judge_tables(). */
BPERC_API bperc_status bperc_tables_collect(const bperc_experiment *x,
                                            bperc_store *store,
                                            bperc_scale scale, uint64_t seed,
                                            bperc_tables **out,
                                            bperc_error *error);
BPERC_API void bperc_tables_free(bperc_tables *tables); /* NULL is fine */
BPERC_API size_t bperc_tables_count(const bperc_tables *tables);
BPERC_API const char *bperc_tables_name(const bperc_tables *tables, size_t k);
/* One table as tab-separated text with a header line. */
BPERC_API void bperc_tables_print(const bperc_tables *tables, size_t k,
                                  FILE *out);
/* The lists of parameters as gnuplot variables, for plot scripts. */
BPERC_API void bperc_tables_print_gnuplot(const bperc_tables *tables,
                                          FILE *out);

/* Whether every block of the experiment has results in the store: without, its
 * tables have no columns. */
BPERC_API bperc_status bperc_experiment_measured(const bperc_experiment *x,
                                                 bperc_store *store,
                                                 bperc_scale scale,
                                                 uint64_t seed, int *measured,
                                                 bperc_error *error);

BPERC_C_END

#endif
