/* A sweep on the threads of one process: workers take the next task, the
 * calling thread keeps the store. */
#include "sweep/work.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "bperc/control.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST_WORKERS = 256 };

typedef struct finished {
  struct finished *next;
  bperc_i_outcome outcome;
} finished;

typedef struct {
  const bperc_i_work *work;
  const uint32_t *todo;
  size_t count;
  atomic_size_t next;
  atomic_int stop;
  pthread_mutex_t lock;
  pthread_cond_t news;
  finished *done; /* newest first */
  unsigned running;
  const bperc_control *control; /* of the caller, for all workers */
} pool;

static void hand_over(pool *p, finished *f) {
  pthread_mutex_lock(&p->lock);
  f->next = p->done;
  p->done = f;
  pthread_cond_signal(&p->news);
  pthread_mutex_unlock(&p->lock);
}

static void *work(void *argument) {
  pool *p = argument;
  size_t k;
  bperc_control_use(p->control);
  while (!atomic_load(&p->stop) && !bperc_cancelled() &&
         (k = atomic_fetch_add(&p->next, 1)) < p->count) {
    finished *f = bperc_i_alloc(1, sizeof *f);
    if (!f)
      break; /* the task stays missing; the caller sees the gap */
    bperc_i_job_run(p->work, p->todo[k], &f->outcome);
    hand_over(p, f);
  }
  pthread_mutex_lock(&p->lock);
  p->running--;
  pthread_cond_signal(&p->news);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* Waits a moment for results; whether anybody still works is in *running. */
static finished *collect(pool *p, unsigned *running) {
  finished *list;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&p->lock);
  if (!p->done && p->running)
    pthread_cond_timedwait(&p->news, &p->lock, &until);
  list = p->done;
  p->done = NULL;
  *running = p->running;
  pthread_mutex_unlock(&p->lock);
  return list;
}

static void keep_store(bperc_i_session *s, pool *p) {
  unsigned running = 1;
  while (running) {
    finished *list = collect(p, &running);
    while (list) {
      finished *next = list->next;
      bperc_i_session_take(s, &list->outcome);
      bperc_i_free(list);
      list = next;
    }
    if (!bperc_i_session_tick(s))
      atomic_store(&p->stop, 1);
  }
}

void bperc_i_run_threads(bperc_i_session *s, unsigned threads) {
  pthread_t id[MOST_WORKERS];
  unsigned started = 0, wanted = bperc_i_workers(s->todo_count, threads);
  pool p = {.work = s->work,
            .todo = s->todo,
            .count = s->todo_count,
            .control = bperc_control_current()};
  if (wanted > MOST_WORKERS)
    wanted = MOST_WORKERS;
  pthread_mutex_init(&p.lock, NULL);
  pthread_cond_init(&p.news, NULL);
  p.running = wanted;
  while (started < wanted && pthread_create(&id[started], NULL, work, &p) == 0)
    started++;
  pthread_mutex_lock(&p.lock);
  p.running -= wanted - started;
  pthread_mutex_unlock(&p.lock);
  s->state->workers = started;
  keep_store(s, &p);
  for (unsigned k = 0; k < started; k++)
    pthread_join(id[k], NULL);
  if (s->status == BPERC_OK && s->state->done < s->todo_count)
    s->status = bperc_error_set(s->error, BPERC_E_MEMORY,
                                "no memory or threads for all tasks");
  pthread_mutex_destroy(&p.lock);
  pthread_cond_destroy(&p.news);
}
