/* A sweep on the threads of one process: workers take the next task, the
 * calling thread keeps the store. */
#include "lab/run/work.h"

#include "base/threads.h"
#include "bperc/control.h"
#include "lab/base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { MOST_WORKERS = 256, BATCH = 2048 };

typedef struct finished {
  struct finished *next;
  bperc_i_outcome outcome;
} finished;

typedef struct {
  const bperc_i_run_work *work;
  pthread_mutex_t lock;
  pthread_cond_t news; /* for the keeper of the store */
  pthread_cond_t jobs; /* for workers */
  uint32_t *queue;     /* claimed and not begun: [first, last) */
  size_t first, last;
  int closed;     /* nothing more will be queued */
  finished *done; /* newest first */
  unsigned running, idle;
  const bperc_control *control; /* of the caller, for all workers */
} pool;

static void hand_over(pool *p, finished *f) {
  pthread_mutex_lock(&p->lock);
  f->next = p->done;
  p->done = f;
  pthread_cond_signal(&p->news);
  pthread_mutex_unlock(&p->lock);
}

/* The next task; 0 when there is none any more. */
static int next_thread_job(pool *p, uint32_t *job) {
  int got;
  pthread_mutex_lock(&p->lock);
  p->idle++;
  while (p->first == p->last && !p->closed) {
    pthread_cond_signal(&p->news);
    pthread_cond_wait(&p->jobs, &p->lock);
  }
  p->idle--;
  got = p->first < p->last;
  if (got)
    *job = p->queue[p->first++];
  pthread_mutex_unlock(&p->lock);
  return got;
}

static void *work(void *argument) {
  pool *p = argument;
  uint32_t job;
  bperc_control_use(p->control);
  while (next_thread_job(p, &job)) {
    finished *f = bperc_alloc(1, sizeof *f);
    if (!f)
      break; /* the task stays missing; the caller sees the gap */
    bperc_i_job_run(p->work, job, &f->outcome);
    hand_over(p, f);
  }
  pthread_mutex_lock(&p->lock);
  p->running--;
  pthread_cond_signal(&p->news);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* Workers wait for tasks that the keeper has to claim; call it locked. */
static int is_starving(const pool *p) {
  return p->idle && p->first == p->last && !p->closed;
}

/* Waits a moment for results; whether anybody still works is in *running. */
static finished *collect_results(pool *p, unsigned *running) {
  finished *list;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&p->lock);
  if (!p->done && p->running && !is_starving(p))
    pthread_cond_timedwait(&p->news, &p->lock, &until);
  list = p->done;
  p->done = NULL;
  *running = p->running;
  pthread_mutex_unlock(&p->lock);
  return list;
}

/* Ends the queue; on stop also what is in it is left. */
static void close_queue(pool *p, int stop) {
  pthread_mutex_lock(&p->lock);
  p->closed = 1;
  if (stop)
    p->first = p->last;
  pthread_cond_broadcast(&p->jobs);
  pthread_mutex_unlock(&p->lock);
}

/* Claims more when workers wait or soon will; whether any wait in vain. */
static int refill(bperc_i_session *s, pool *p, uint32_t *fresh) {
  size_t idle, count, room;
  int over, starving;
  pthread_mutex_lock(&p->lock);
  assert(p->first <= p->last && p->last <= BATCH);
  memmove(p->queue, p->queue + p->first,
          (p->last - p->first) * sizeof *p->queue);
  p->last -= p->first;
  p->first = 0;
  idle = p->idle > p->last ? p->idle - p->last : 0;
  room = BATCH - p->last;
  starving = is_starving(p);
  pthread_mutex_unlock(&p->lock);
  count = bperc_i_session_claim(s, idle, fresh, room, &over);
  assert(count <= room);
  pthread_mutex_lock(&p->lock);
  memcpy(p->queue + p->last, fresh, count * sizeof *fresh);
  p->last += count;
  if (count)
    pthread_cond_broadcast(&p->jobs);
  pthread_mutex_unlock(&p->lock);
  if (over)
    close_queue(p, 0);
  return starving && !count && !over;
}

static void wait_a_moment(void) {
  const struct timespec moment = {0, 20000000};
  nanosleep(&moment, NULL);
}

static void keep_store(bperc_i_session *s, pool *p, uint32_t *fresh) {
  unsigned running = 1;
  while (running) {
    finished *list = collect_results(p, &running);
    int news = list != NULL;
    while (list) {
      finished *next = list->next;
      bperc_i_session_take(s, &list->outcome);
      bperc_free(list);
      list = next;
    }
    if (!bperc_i_session_tick(s))
      close_queue(p, 1);
    else if (!p->closed && refill(s, p, fresh) && !news)
      wait_a_moment(); /* others have the rest */
  }
}

static unsigned start_threads(pool *p, pthread_t *id, unsigned wanted) {
  unsigned started = 0;
  p->running = wanted;
  while (started < wanted && pthread_create(&id[started], NULL, work, p) == 0)
    started++;
  pthread_mutex_lock(&p->lock);
  p->running -= wanted - started;
  pthread_mutex_unlock(&p->lock);
  return started;
}

void bperc_i_run_threads(bperc_i_session *s, unsigned threads) {
  pthread_t id[MOST_WORKERS];
  unsigned wanted = bperc_threads(s->todo_count, threads);
  size_t todo = s->todo_count, found = s->state->found;
  pool p = {.work = s->work, .control = bperc_control_current()};
  uint32_t *fresh = bperc_alloc(BATCH, sizeof *fresh);
  p.queue = bperc_alloc(BATCH, sizeof *p.queue);
  if (wanted > MOST_WORKERS)
    wanted = MOST_WORKERS;
  pthread_mutex_init(&p.lock, NULL);
  pthread_cond_init(&p.news, NULL);
  pthread_cond_init(&p.jobs, NULL);
  if (p.queue && fresh) {
    s->state->workers = start_threads(&p, id, wanted);
    keep_store(s, &p, fresh);
    for (unsigned k = 0; k < s->state->workers; k++)
      pthread_join(id[k], NULL);
  }
  if (s->status == BPERC_OK &&
      s->state->done + (s->state->found - found) < todo)
    s->status = bperc_error_set(s->error, BPERC_E_MEMORY,
                                "no memory or threads for all tasks");
  bperc_free(p.queue);
  bperc_free(fresh);
  pthread_mutex_destroy(&p.lock);
  pthread_cond_destroy(&p.news);
  pthread_cond_destroy(&p.jobs);
}
