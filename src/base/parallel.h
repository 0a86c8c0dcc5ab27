/* Loops over independent tasks on a team of threads, dynamic schedule.
 *
 * Results must not depend on which worker ran a task: write to a slot per task
 * and reduce afterwards in task order. */
#ifndef BPERC_BASE_PARALLEL_H
#define BPERC_BASE_PARALLEL_H

#include <stdatomic.h>
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
 * the threads and runs everything in the caller. So do the next loops after one
 * in which the caller waited for others longer than it worked: the machine is
 * busy then. */
typedef struct bperc_i_team bperc_i_team;

/* For so many threads, the caller among them; 0: all cores. NULL: no memory. */
bperc_i_team *bperc_i_team_new(unsigned threads);
void bperc_i_team_free(bperc_i_team *team);           /* NULL is fine */
unsigned bperc_i_team_size(const bperc_i_team *team); /* NULL: 1 */
/* The caller and at most `most` - 1 others, numbered from 1; a NULL team is
 * the caller alone. */
void bperc_i_team_run(bperc_i_team *team, size_t tasks, unsigned most,
                      bperc_i_task *run, void *context);

/* Inside a task: waits until *turn is `task`, for sums that must be added in
 * the order of tasks. Tasks are taken in order, so somebody works on the one
 * before. */
void bperc_i_team_turn(bperc_i_team *team, atomic_size_t *turn, size_t task);

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
