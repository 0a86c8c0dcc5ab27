/* Tasks over threads: every worker takes the next task of the loop.
 *
 * `work` holds the number of the loop and the next task of it, so that a late
 * worker cannot take a task of a loop that is over: its exchange fails. The
 * caller waits for tasks, not for workers; one that was never woken up costs
 * nothing. */
#include "base/threads.h"

#include "base/alloc.h"
#include "bperc/control.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 256, LINE = 64 };
/* Looks at a word in memory before a thread sleeps: some 20 us. */
#define LOOKS 1500
/* Without a task, it looks only so often. */
#define FEW_LOOKS (LOOKS / 4)
/* So many loops in which no helper got a task mean a busy machine. */
#define UNAIDED 32
/* Seconds for which the caller then works alone: first, at most. */
#define FIRST_PAUSE 1e-4
#define LONGEST_PAUSE 1e-2
/* The next task of a loop that has not begun. */
#define CLOSED UINT32_MAX

typedef struct {
  bperc_i_thread_pool *pool;
  unsigned number;
  pthread_t id;
} member;

/* The last loop of a region in which a part was done, in a line of its own. */
typedef struct {
  _Alignas(LINE) atomic_uint_fast64_t loop;
} mark;

struct bperc_i_thread_pool {
  /* One line of the cache has all that a member must know of a loop. */
  _Alignas(LINE) atomic_uint_fast64_t work; /* loop << 32 | next task */
  _Atomic(bperc_i_task *) run;
  _Atomic(void *) context;
  atomic_size_t tasks;
  _Atomic(const bperc_control *) control; /* of the caller, for all */
  atomic_uint most;                       /* workers of this loop */
  atomic_int quit;
  _Alignas(LINE) atomic_size_t done; /* tasks */
  _Alignas(LINE) atomic_int sleepers, caller_sleeps;
  atomic_int late;    /* somebody was waited for too long */
  unsigned unaided;   /* loops that the caller did alone, in a row */
  double alone_until; /* on the clock: no calls before */
  double pause;       /* the last one, in seconds */
  pthread_mutex_t lock;
  pthread_cond_t called, finished;
  unsigned size, started; /* threads with the caller: wanted, there */
  unsigned looks;
  pid_t process;  /* in which they are */
  uint64_t joint; /* functions gone through together, so far */
  member members[MOST_THREADS];
  mark marks[MOST_THREADS];
};

struct bperc_i_region {
  bperc_i_thread_pool *pool; /* NULL: the caller has all parts */
  size_t parts, own;         /* all, of this worker */
  unsigned worker;
  uint64_t loop; /* number of the last loop, never used again */
  uint64_t mine[MOST_THREADS / 64];
};

/* Between two looks; now and then in favour of a thread that waits for this
 * core, which may be the one that is waited for. */
static inline void pause_briefly(unsigned look) {
  if (look % 64 == 63)
    sched_yield();
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static uint32_t loop_of(uint64_t work) { return (uint32_t)(work >> 32); }

static unsigned online(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (unsigned)cores : 1;
}

unsigned bperc_threads(size_t tasks, unsigned threads) {
  if (threads == 0)
    threads = online();
  if (threads > MOST_THREADS)
    threads = MOST_THREADS;
  if (threads > tasks)
    threads = tasks ? (unsigned)tasks : 1;
  return threads;
}

/* ---- tasks */

static void tell_caller(bperc_i_thread_pool *t) {
  if (!atomic_load(&t->caller_sleeps))
    return;
  pthread_mutex_lock(&t->lock);
  pthread_cond_signal(&t->finished);
  pthread_mutex_unlock(&t->lock);
}

/* Reads see what was written before the write that they see. */
#define READ(x) atomic_load_explicit(x, memory_order_acquire)
#define WRITE(x, value) atomic_store_explicit(x, value, memory_order_release)

/* What a worker reads of the loop belongs to it if the exchange succeeds: it is
 * written while `work` is closed. */
typedef struct {
  bperc_i_task *run;
  void *context;
  const bperc_control *control;
  size_t tasks, task;
} share;

static bool take_share(bperc_i_thread_pool *t, unsigned number, share *out) {
  uint64_t now;
  do {
    now = READ(&t->work);
    *out = (share){READ(&t->run), READ(&t->context), READ(&t->control),
                   READ(&t->tasks), (uint32_t)now};
    if (out->task >= out->tasks || number >= READ(&t->most))
      return false;
  } while (!atomic_compare_exchange_strong(&t->work, &now, now + 1));
  assert(out->run);
  return true;
}

static bperc_i_task join_in;

/* Returns how many. Loops of a region need no count of tasks. */
static size_t take_tasks(bperc_i_thread_pool *t, unsigned number) {
  size_t taken = 0;
  for (share s; take_share(t, number, &s); taken++) {
    bperc_control_use(s.control);
    s.run(s.context, s.task, number);
    if (s.run != join_in && atomic_fetch_add(&t->done, 1) + 1 == s.tasks)
      tell_caller(t);
  }
  return taken;
}

/* ---- members */

static int called(bperc_i_thread_pool *t, uint32_t last) {
  return loop_of(atomic_load(&t->work)) != last || atomic_load(&t->quit);
}

static void wait_for_call(bperc_i_thread_pool *t, uint32_t last,
                          unsigned looks) {
  for (unsigned k = 0; k < looks; k++) {
    if (called(t, last))
      return;
    pause_briefly(k);
  }
  pthread_mutex_lock(&t->lock);
  atomic_fetch_add(&t->sleepers, 1);
  while (!called(t, last))
    pthread_cond_wait(&t->called, &t->lock);
  atomic_fetch_sub(&t->sleepers, 1);
  pthread_mutex_unlock(&t->lock);
}

static void *live(void *argument) {
  const member *m = argument;
  bperc_i_thread_pool *t = m->pool;
  unsigned looks = t->looks;
  for (uint32_t last = 0;;) {
    wait_for_call(t, last, looks);
    if (atomic_load(&t->quit))
      return NULL;
    last = loop_of(atomic_load(&t->work));
    looks = take_tasks(t, m->number) || !t->looks ? t->looks : FEW_LOOKS;
  }
}

/* Signals are for the threads of the program. */
static void start_members(bperc_i_thread_pool *t) {
  sigset_t all, before;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGILL);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  t->process = getpid();
  while (t->started < t->size) {
    member *m = &t->members[t->started];
    *m = (member){.pool = t, .number = t->started};
    if (pthread_create(&m->id, NULL, live, m) != 0)
      break;
    t->started++;
  }
  t->size = t->started; /* do not try again */
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wake(bperc_i_thread_pool *t) {
  if (atomic_load(&t->sleepers) == 0 || t->process != getpid())
    return;
  pthread_mutex_lock(&t->lock);
  pthread_cond_broadcast(&t->called);
  pthread_mutex_unlock(&t->lock);
}

/* ---- life */

static void init(bperc_i_thread_pool *t, unsigned threads) {
  *t = (bperc_i_thread_pool){.size = threads,
                             .started = 1,
                             .looks = threads > online() ? 0 : LOOKS,
                             .work = CLOSED};
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->called, NULL);
  pthread_cond_init(&t->finished, NULL);
}

static void clear_pool(bperc_i_thread_pool *t) {
  if (t->started > 1 && t->process != getpid())
    return; /* nobody to wait for; the lock may be held by one of them */
  atomic_store(&t->quit, 1);
  wake(t);
  for (unsigned k = 1; k < t->started; k++)
    pthread_join(t->members[k].id, NULL);
  pthread_cond_destroy(&t->finished);
  pthread_cond_destroy(&t->called);
  pthread_mutex_destroy(&t->lock);
}

bperc_i_thread_pool *bperc_i_thread_pool_new(unsigned threads) {
  bperc_i_thread_pool *t = bperc_i_alloc(1, sizeof *t);
  if (t)
    init(t, bperc_threads(SIZE_MAX, threads));
  return t;
}

void bperc_i_thread_pool_free(bperc_i_thread_pool *pool) {
  if (!pool)
    return;
  clear_pool(pool);
  bperc_i_free(pool);
}

unsigned bperc_i_thread_pool_size(const bperc_i_thread_pool *pool) {
  return pool ? pool->size : 1;
}

/* ---- loops */

/* After a fork the caller finds nobody and does all tasks: what it must not
 * touch there is the lock (wake). */
static int has_help(bperc_i_thread_pool *t) {
  if (t->started < t->size)
    start_members(t);
  return t->started > 1;
}

/* For the tasks from `first` on. */
static void call(bperc_i_thread_pool *t, size_t first, size_t tasks,
                 unsigned most, bperc_i_task *run, void *context) {
  uint64_t loop = loop_of(atomic_load(&t->work));
  WRITE(&t->done, 0);
  WRITE(&t->work, loop << 32 | CLOSED);
  WRITE(&t->run, run);
  WRITE(&t->context, context);
  WRITE(&t->tasks, tasks);
  WRITE(&t->most, most);
  WRITE(&t->control, bperc_control_current());
  /* In one order with the number of sleepers. */
  atomic_store(&t->work, (uint64_t)(uint32_t)(loop + 1) << 32 | first);
  wake(t);
}

static double clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_for_tasks(bperc_i_thread_pool *t, size_t tasks, double start) {
  double end;
  for (unsigned k = 0; k < t->looks; k++) {
    if (atomic_load(&t->done) == tasks)
      return;
    pause_briefly(k);
  }
  end = clock_now();
  pthread_mutex_lock(&t->lock);
  atomic_store(&t->caller_sleeps, 1);
  while (atomic_load(&t->done) < tasks)
    pthread_cond_wait(&t->finished, &t->lock);
  atomic_store(&t->caller_sleeps, 0);
  pthread_mutex_unlock(&t->lock);
  if (clock_now() - end > end - start)
    atomic_store(&t->late, 1);
}

/* After a loop in which the caller did so many tasks: pauses grow while the
 * machine stays busy. */
static void judge_help(bperc_i_thread_pool *t, size_t tasks, size_t own) {
  t->unaided = own == tasks ? t->unaided + 1 : 0;
  if (!atomic_exchange(&t->late, 0) && t->unaided < UNAIDED) {
    t->pause *= 0.9;
    return;
  }
  t->unaided = 0;
  t->pause = 2 * t->pause + FIRST_PAUSE;
  if (t->pause > LONGEST_PAUSE)
    t->pause = LONGEST_PAUSE;
  t->alone_until = clock_now() + t->pause;
}

static void run_alone(size_t tasks, bperc_i_task *run, void *context) {
  for (size_t k = 0; k < tasks; k++)
    run(context, k, 0);
}

/* Whether the caller works alone; *start is the time. */
static bool works_alone(bperc_i_thread_pool *t, double *start) {
  return !t || !has_help(t) || (*start = clock_now()) < t->alone_until;
}

void bperc_i_thread_pool_run(bperc_i_thread_pool *pool, size_t tasks,
                             unsigned most, bperc_i_task *run, void *context) {
  double start;
  size_t own;
  assert(tasks < CLOSED);
  if (tasks < 2 || most < 2 || works_alone(pool, &start)) {
    run_alone(tasks, run, context);
    return;
  }
  call(pool, 0, tasks, most, run, context);
  own = take_tasks(pool, 0);
  wait_for_tasks(pool, tasks, start);
  assert(atomic_load(&pool->done) == tasks);
  judge_help(pool, tasks, own);
}

/* ---- loops one after another */

typedef struct {
  bperc_i_thread_pool *pool;
  bperc_i_joint *run;
  void *context;
  uint64_t loop; /* before the first one */
  size_t own;    /* parts of the caller */
} joint;

/* Numbers of loops between two calls. */
#define LOOPS_OF_A_CALL ((uint64_t)1 << 32)

size_t bperc_i_region_parts(const bperc_i_region *region) {
  return region->parts;
}

unsigned bperc_i_region_worker(const bperc_i_region *region) {
  return region->worker;
}

static bool is_mine(const bperc_i_region *c, size_t part) {
  return c->mine[part / 64] >> part % 64 & 1;
}

static void make_mine(bperc_i_region *c, size_t part) {
  assert(part < c->parts && !is_mine(c, part));
  c->mine[part / 64] |= (uint64_t)1 << part % 64;
  c->own++;
}

static void wait_for_part(const bperc_i_region *c, size_t part) {
  const mark *m = &c->pool->marks[part];
  for (unsigned k = 0; READ(&m->loop) < c->loop; k++) {
    pause_briefly(k);
    if (k < LOOKS)
      continue;
    atomic_store(&c->pool->late, 1);
    sched_yield();
  }
}

static void tell_others(const bperc_i_region *c) {
  for (size_t k = 0; k < c->parts; k++)
    if (is_mine(c, k))
      WRITE(&c->pool->marks[k].loop, c->loop);
}

static void wait_for_others(const bperc_i_region *c) {
  for (size_t k = 0; k < c->parts; k++)
    if (!is_mine(c, k))
      wait_for_part(c, k);
}

static void run_mine(const bperc_i_region *c, bperc_i_task *run,
                     void *context) {
  for (size_t k = 0; k < c->parts; k++)
    if (is_mine(c, k))
      run(context, k, c->worker);
}

/* The first half of a loop: all up to the wait. */
static void run_and_tell(bperc_i_region *c, bperc_i_task *run, void *context) {
  bool first = c->pool && c->loop % LOOPS_OF_A_CALL == 0;
  share s;
  c->loop++;
  run_mine(c, run, context);
  while (first && take_share(c->pool, c->worker, &s)) {
    make_mine(c, s.task);
    run(context, s.task, c->worker);
  }
  if (c->own < c->parts)
    tell_others(c);
}

void bperc_i_region_run(bperc_i_region *c, bperc_i_task *run, void *context) {
  run_and_tell(c, run, context);
  wait_for_others(c);
}

void bperc_i_region_run_and(bperc_i_region *c, bperc_i_task *run,
                            bperc_i_task *own, void *context) {
  run_and_tell(c, run, context);
  run_mine(c, own, context);
  wait_for_others(c);
}

/* The way of a worker, with the part that it took. The caller goes on when
 * everybody has left. */
static void join_in(void *context, size_t task, unsigned worker) {
  joint *j = context;
  bperc_i_region c = {.pool = j->pool,
                      .parts = j->pool->size,
                      .worker = worker,
                      .loop = j->loop};
  make_mine(&c, task);
  j->run(j->context, &c);
  assert(c.loop > j->loop);
  c.loop = j->loop + LOOPS_OF_A_CALL - 1;
  if (worker > 0) {
    tell_others(&c);
    return;
  }
  wait_for_others(&c);
  j->own = c.own;
}

static void go_alone(bperc_i_joint *run, void *context, size_t parts) {
  bperc_i_region c = {.parts = parts};
  for (size_t k = 0; k < parts; k++)
    make_mine(&c, k);
  run(context, &c);
}

void bperc_i_thread_pool_region(bperc_i_thread_pool *pool, bperc_i_joint *run,
                                void *context) {
  joint j = {.pool = pool, .run = run, .context = context};
  double start;
  if (works_alone(pool, &start)) {
    go_alone(run, context, bperc_i_thread_pool_size(pool));
    return;
  }
  j.loop = ++pool->joint * LOOPS_OF_A_CALL;
  call(pool, 1, pool->size, pool->size, join_in, &j);
  join_in(&j, 0, 0); /* the caller has the first part */
  judge_help(pool, pool->size, j.own);
}

void bperc_i_parallel_for(size_t tasks, unsigned threads, bperc_i_task *run,
                          void *context) {
  bperc_i_thread_pool pool;
  init(&pool, bperc_threads(tasks, threads));
  bperc_i_thread_pool_run(&pool, tasks, pool.size, run, context);
  clear_pool(&pool);
}
