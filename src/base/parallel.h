/* A loop over independent tasks on a team of threads, dynamic schedule.
 *
 * Results must not depend on which worker ran a task: write to a slot per task
 * and reduce afterwards in task order. */
#ifndef BPERC_BASE_PARALLEL_H
#define BPERC_BASE_PARALLEL_H

#include <stddef.h>

typedef void bperc_i_task(void *context, size_t task, unsigned worker);

/* threads 0 means all cores. Runs in the calling thread when one suffices or
 * when no thread can be started. Worker numbers are below the return value of
 * bperc_i_workers(tasks, threads). */
void bperc_i_parallel_for(size_t tasks, unsigned threads, bperc_i_task *run,
                          void *context);
unsigned bperc_i_workers(size_t tasks, unsigned threads);

#endif
