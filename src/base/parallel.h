/* Loops over independent tasks on a team of threads, dynamic schedule.
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

/* A team that stays between loops, for loops of some 10 us: its threads start
 * with the first loop, and wait for the next one at work for a short while,
 * then asleep. One thread at a time uses it; a process made by fork has none of
 * the threads and runs everything in the caller. */
typedef struct bperc_i_team bperc_i_team;

/* For so many threads, the caller among them; 0: all cores. NULL: no memory. */
bperc_i_team *bperc_i_team_new(unsigned threads);
void bperc_i_team_free(bperc_i_team *team); /* NULL is fine */
/* The caller and at most `most` - 1 others, numbered from 1; a NULL team is
 * the caller alone. */
void bperc_i_team_run(bperc_i_team *team, size_t tasks, unsigned most,
                      bperc_i_task *run, void *context);

#endif
