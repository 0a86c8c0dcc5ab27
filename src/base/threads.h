/* Loops over independent tasks on a pool of threads, dynamic schedule.
 *
 * Results must not depend on which worker ran a task: write to a slot per task
 * and reduce afterwards in task order. */
#ifndef BPERC_BASE_PARALLEL_H
#define BPERC_BASE_PARALLEL_H

#include "bperc/control.h"

#include <stddef.h>

typedef void bperc_i_task(void *context, size_t task, unsigned worker);

/* threads 0 means all cores. Runs in the calling thread when one suffices or
 * when no thread can be started. Worker numbers are below the return value of
 * bperc_threads(tasks, threads). */
void bperc_i_parallel_for(size_t tasks, unsigned threads, bperc_i_task *run,
                          void *context);

/* A thread pool that stays between loops, for loops of some 10 us: its threads
 * start with the first loop, and wait for the next one at work for a short
 * while, then asleep. One thread at a time uses it; a process made by fork has
 * none of the threads and runs everything in the caller. So do the next loops
 * after one in which the caller waited for others longer than it worked: the
 * machine is busy then. */
typedef struct bperc_i_thread_pool bperc_i_thread_pool;

/* For so many threads, the caller among them; 0: all cores. NULL: no memory. */
bperc_i_thread_pool *bperc_i_thread_pool_new(unsigned threads);
void bperc_i_thread_pool_free(bperc_i_thread_pool *pool); /* NULL is fine */
unsigned
bperc_i_thread_pool_size(const bperc_i_thread_pool *pool); /* NULL: 1 */
/* The caller and at most `most` - 1 others, numbered from 1; a NULL pool is
 * the caller alone. */
void bperc_i_thread_pool_run(bperc_i_thread_pool *pool, size_t tasks,
                             unsigned most, bperc_i_task *run, void *context);

/* Loops one after another with one call: every worker goes through the same
 * function, in which each loop is bperc_i_region_run: one task for each of
 * bperc_i_region_parts, as many as the pool has threads. A part stays with the
 * worker that took it in the first loop; those that nobody came for go to
 * workers that have done theirs. What the workers compute between loops they
 * all compute, from what loops left in memory; a loop must not write what was
 * read after the last one. */
typedef struct bperc_i_region bperc_i_region;
typedef void bperc_i_joint(void *context, bperc_i_region *region);

/* `run` has one loop at least. */
void bperc_i_thread_pool_region(bperc_i_thread_pool *pool, bperc_i_joint *run,
                                void *context);
size_t bperc_i_region_parts(const bperc_i_region *region);
unsigned
bperc_i_region_worker(const bperc_i_region *region); /* 0: the caller */
/* All that tasks of other workers wrote is there when it returns. */
void bperc_i_region_run(bperc_i_region *region, bperc_i_task *run,
                        void *context);
/* The same, and then `own` for the same parts: others do not wait for what that
 * writes, and see it after the next loop. */
void bperc_i_region_run_and(bperc_i_region *region, bperc_i_task *run,
                            bperc_i_task *own, void *context);

/* Part `part` of `parts` of a range from 0, cut at multiples of `unit`. */
typedef struct {
  size_t from, to;
} bperc_i_span;

static inline bperc_i_span bperc_i_part(size_t count, size_t unit, size_t part,
                                        size_t parts) {
  size_t units = (count + unit - 1) / unit;
  size_t from = part * units / parts * unit;
  size_t to = (part + 1) * units / parts * unit;
  return (bperc_i_span){from < count ? from : count, to < count ? to : count};
}

#endif
