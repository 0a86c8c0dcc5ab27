/* Running: tasks of plans into a store, by threads, processes or ranks.
 *
 * Results are the same for every number of threads or ranks and however often
 * the run was killed.
 */
#ifndef BPERC_LAB_RUN_H
#define BPERC_LAB_RUN_H

#include "bperc/instance.h"
#include "bperc/lab/plan.h"
#include "bperc/lab/store.h"

BPERC_C_BEGIN

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
/* One problem over all ranks, instead of tasks: an instance that every rank has
 * read keeps the patterns of this one. Without ranks it stays as it is. */
BPERC_API bperc_status bperc_ranks_spread(bperc_instance *in,
                                          bperc_error *error);
BPERC_API void bperc_ranks_end(void); /* every rank, last */

BPERC_C_END

#endif
