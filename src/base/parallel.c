/* Tasks over threads: one atomic counter, every worker takes the next task. */
#include "base/parallel.h"

#include "bperc/control.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct {
  atomic_size_t next;
  size_t tasks;
  bperc_i_task *run;
  void *context;
  const bperc_control *control; /* of the caller, for all workers */
} team;

typedef struct {
  team *team;
  unsigned number;
} worker;

static void *work(void *argument) {
  worker *w = argument;
  size_t task;
  bperc_control_use(w->team->control);
  while ((task = atomic_fetch_add(&w->team->next, 1)) < w->team->tasks)
    w->team->run(w->team->context, task, w->number);
  return NULL;
}

unsigned bperc_i_workers(size_t tasks, unsigned threads) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (threads == 0)
    threads = cores > 0 ? (unsigned)cores : 1;
  if (threads > MOST_THREADS)
    threads = MOST_THREADS;
  if (threads > tasks)
    threads = tasks ? (unsigned)tasks : 1;
  return threads;
}

void bperc_i_parallel_for(size_t tasks, unsigned threads, bperc_i_task *run,
                          void *context) {
  team t = {0, tasks, run, context, bperc_control_current()};
  pthread_t ids[MOST_THREADS];
  worker workers[MOST_THREADS];
  unsigned count = bperc_i_workers(tasks, threads), started = 1;
  for (unsigned k = 0; k < count; k++)
    workers[k] = (worker){&t, k};
  while (started < count &&
         pthread_create(&ids[started], NULL, work, &workers[started]) == 0)
    started++;
  work(&workers[0]);
  for (unsigned k = 1; k < started; k++)
    pthread_join(ids[k], NULL);
}
