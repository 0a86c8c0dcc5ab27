/* A sweep: what is missing, who runs it, when it is committed. */
#include "lab/run/work.h"

#include "base/options.h"
#include "lab/base/memory.h"
#include "lab/run/ranks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double commit_every = 1.0, watch_every = 0.1; /* seconds */
/* A slow disk is asked less often: at least so many times the last commit
 * lies between two. */
static const double share = 100;

/* Queued work ahead of the workers, in seconds per worker: enough to claim
 * once a second or so, little enough to leave long tasks to others. */
static const double ahead = 0.5;
/* No more than that on the slowest disk, and of what is left one part in
 * LEFT_SHARE: a process that is stopped holds little that others wait for. */
static const double most_ahead = 5;
enum { LEFT_SHARE = 4 };
static const double ask_every = 0.2; /* seconds, while others have the rest */

/* ---- what is missing */

/* The longest first keeps all workers busy to the end; the key decides among
 * equals so that the order is the same everywhere. */
static int by_cost(const void *a, const void *b) {
  const bperc_i_candidate *p = a, *q = b;
  if (p->cost != q->cost)
    return p->cost < q->cost ? 1 : -1;
  return p->job < q->job ? -1 : p->job > q->job;
}

/* Every task with the cost that its measurement tells, so that all shards cut
 * alike: dealt out in turn, the longest first. */
static size_t deal(const bperc_i_session *s, bperc_i_candidate *list) {
  const bperc_i_run_work *w = s->work;
  size_t kept = 0;
  for (size_t k = 0; k < w->count; k++)
    list[k] = (bperc_i_candidate){(uint32_t)k, w->jobs[k].point->cost};
  if (s->options->shards < 2)
    return w->count;
  qsort(list, w->count, sizeof *list, by_cost);
  for (size_t k = s->options->shard - 1; k < w->count; k += s->options->shards)
    list[kept++] = list[k];
  return kept;
}

/* What a task of this point took before, else what its measurement says. */
static double expected_cost(bperc_store *store, const bperc_i_point *p,
                            const bperc_i_point **last, double *known) {
  if (p != *last) {
    *known = bperc_i_store_seconds(store, p->inputs);
    *last = p;
  }
  return *known >= 0 ? *known : p->cost;
}

static bperc_status say_stopped(bperc_i_session *s) {
  return bperc_error_set(s->error, BPERC_E_INTERRUPTED, "interrupted");
}

static bperc_status find_missing(bperc_i_session *s) {
  const bperc_i_run_work *w = s->work;
  const bperc_i_point *last = NULL;
  double known = -1;
  s->state->total = deal(s, s->todo);
  for (size_t k = 0; k < s->state->total; k++) {
    const bperc_i_job *job = &w->jobs[s->todo[k].job];
    int found;
    bperc_status status =
        bperc_cancelled()
            ? say_stopped(s)
            : bperc_i_store_has(s->store, job->id.key, &found, s->error);
    if (status != BPERC_OK) {
      s->state->total = s->state->found = 0; /* not known */
      return status;
    }
    if (found > 0 || (found < 0 && !s->options->retry)) {
      s->state->found++;
      s->state->failed += found < 0;
      continue;
    }
    s->todo[s->todo_count].job = s->todo[k].job;
    s->todo[s->todo_count].cost =
        expected_cost(s->store, job->point, &last, &known);
    s->cost[s->todo[k].job] = s->todo[s->todo_count].cost;
    s->paces[job->kind].left += s->todo[s->todo_count].cost;
    s->state->estimate += s->todo[s->todo_count++].cost;
  }
  qsort(s->todo, s->todo_count, sizeof *s->todo, by_cost);
  return BPERC_OK;
}

static bperc_status prepare_schedule(bperc_i_session *s) {
  s->todo = bperc_alloc(s->work->count, sizeof *s->todo);
  s->cost = bperc_calloc(s->work->count, sizeof *s->cost);
  s->paces = bperc_calloc(s->work->kinds, sizeof *s->paces);
  if (s->todo && s->cost && s->paces)
    return find_missing(s);
  return bperc_error_set(s->error, BPERC_E_MEMORY, "no memory for %zu tasks",
                         s->work->count);
}

/* ---- sharing it with other processes */

/* By how much estimates have been too short so far. */
static double pace(const bperc_i_session *s) {
  return s->finished > 0 && s->state->busy > 0 ? s->state->busy / s->finished
                                               : 1;
}

/* A round over the list begins again with those that others had. */
static void turn_over(bperc_i_session *s) {
  if (s->next < s->todo_count)
    return;
  s->todo_count = s->elsewhere;
  s->next = s->elsewhere = 0;
  s->asked = bperc_i_clock();
}

static bperc_status take_one(bperc_i_session *s, uint32_t *jobs,
                             size_t *count) {
  assert(s->elsewhere <= s->next && s->next < s->todo_count);
  bperc_i_candidate t = s->todo[s->next++];
  bperc_i_taken taken;
  bperc_status status =
      bperc_i_store_take(s->store, s->work->jobs[t.job].id.key,
                         s->options->retry, &taken, s->error);
  if (status != BPERC_OK)
    return status;
  if (taken == BPERC_I_TAKEN) {
    jobs[(*count)++] = t.job;
    s->claimed += t.cost;
  } else if (taken == BPERC_I_ELSEWHERE)
    s->todo[s->elsewhere++] = t;
  else {
    s->state->found++;
    s->state->failed += taken == BPERC_I_FOUND_FAILED;
    s->paces[s->work->jobs[t.job].kind].left -= t.cost;
  }
  return BPERC_OK;
}

/* Beyond the idle workers, tasks of `seconds` altogether. */
static bperc_status take_some(bperc_i_session *s, size_t idle, double seconds,
                              uint32_t *jobs, size_t room, size_t *count) {
  double rate = pace(s), from = s->claimed;
  bperc_status status = bperc_i_store_take_begin(s->store, s->error);
  if (status != BPERC_OK)
    return status;
  while (status == BPERC_OK && s->next < s->todo_count && *count < room &&
         (*count < idle ||
          (s->claimed - from + s->todo[s->next].cost) * rate <= seconds))
    status = take_one(s, jobs, count);
  return bperc_i_store_take_end(s->store, status, s->error);
}

static size_t least_count(size_t a, size_t b) { return a < b ? a : b; }

size_t bperc_i_session_claim(bperc_i_session *s, size_t idle, uint32_t *jobs,
                             size_t room, int *over) {
  double now = bperc_i_clock(), slow = fmin(share * s->commit_cost, most_ahead),
         wanted = fmax(ahead, slow) * s->state->workers,
         seconds = wanted - pace(s) * (s->claimed - s->finished);
  /* estimates may be far off: not many before the first are done */
  size_t trusted = idle + 2 * s->state->workers + s->state->done, count = 0;
  trusted = least_count(trusted, idle + s->todo_count / LEFT_SHARE);
  *over = s->todo_count == 0;
  if (*over || s->status != BPERC_OK || now - s->asked < ask_every ||
      (!idle && seconds < wanted / 2))
    return 0;
  bperc_status status = take_some(s, idle, seconds, jobs,
                                  room < trusted ? room : trusted, &count);
  if (status != BPERC_OK)
    s->status = status;
  s->committed = bperc_i_clock();
  s->commit_cost = fmin(s->committed - now, 0.2);
  s->state->storing += s->committed - now;
  turn_over(s);
  s->state->elsewhere = s->next == 0 ? s->todo_count : 0;
  *over = s->todo_count == 0;
  return status == BPERC_OK ? count : 0;
}

/* ---- how long it will take */

double bperc_i_time_left(const bperc_i_pace *paces, size_t count,
                         double elapsed, unsigned workers) {
  double busy = 0, finished = 0, left = 0, expected = 0;
  for (size_t k = 0; k < count; k++) {
    busy += paces[k].busy;
    finished += paces[k].finished;
    expected += fmax(paces[k].left, 0); /* sums of costs round */
  }
  if (!(busy > 0 && finished > 0))
    return expected / (workers ? workers : 1);
  for (size_t k = 0; k < count; k++)
    left += fmax(paces[k].left, 0) * (paces[k].finished > 0
                                          ? paces[k].busy / paces[k].finished
                                          : busy / finished);
  return elapsed * left / busy; /* as many workers, as loaded as until now */
}

static void count_finished(bperc_i_session *s, const bperc_i_outcome *o) {
  bperc_i_pace *p = &s->paces[s->work->jobs[o->job].kind];
  s->state->busy += o->seconds;
  s->finished += s->cost[o->job];
  p->busy += o->seconds;
  p->finished += s->cost[o->job];
  p->left -= s->cost[o->job];
}

/* ---- while it runs */

/* Failures that would be the same next time are kept with their reason. */
static int worth_keeping(bperc_status status) {
  return status == BPERC_OK || status == BPERC_E_NUMERIC ||
         status == BPERC_E_LIMIT || status == BPERC_E_ARGUMENT ||
         status == BPERC_E_FORMAT;
}

void bperc_i_session_take(bperc_i_session *s, bperc_i_outcome *o) {
  assert(o->job < s->work->count);
  const bperc_i_job *job = &s->work->jobs[o->job];
  bperc_i_result r = {.key = job->id.key,
                      .inputs = job->point->inputs,
                      .instance = job->instance,
                      .seed = job->id.seed,
                      .status = o->status,
                      .message = o->message,
                      .seconds = o->seconds,
                      .bytes = o->bytes,
                      .size = o->size};
  double start = bperc_i_clock();
  count_finished(s, o);
  if (o->status == BPERC_E_INTERRUPTED) {
    if (s->status == BPERC_OK)
      s->status = say_stopped(s);
  } else if (s->status == BPERC_OK && !worth_keeping(o->status)) {
    s->status = bperc_error_set(s->error, o->status, "%s: %s",
                                job->point->measurement->name, o->message);
  } else if (s->status == BPERC_OK || s->status == BPERC_E_INTERRUPTED) {
    bperc_error error;
    bperc_status status = bperc_i_store_put(s->store, &r, &error);
    if (status != BPERC_OK)
      s->status = bperc_error_set(s->error, status, "%s", error.text);
    s->state->done += status == BPERC_OK;
    s->state->failed += o->status != BPERC_OK;
  }
  s->state->storing += bperc_i_clock() - start;
  bperc_i_outcome_clear(o);
}

static void commit(bperc_i_session *s) {
  double start = bperc_i_clock();
  bperc_error error;
  bperc_status status = bperc_i_store_commit(s->store, &error);
  if (status != BPERC_OK &&
      (s->status == BPERC_OK || s->status == BPERC_E_INTERRUPTED))
    s->status = bperc_error_set(s->error, status, "%s", error.text);
  s->committed = bperc_i_clock();
  s->commit_cost = fmin(s->committed - start, 0.2);
  s->state->storing += s->committed - start;
}

int bperc_i_session_tick(bperc_i_session *s) {
  double now = bperc_i_clock();
  s->state->seconds = now - s->started;
  s->state->left = bperc_i_time_left(s->paces, s->work->kinds,
                                     s->state->seconds, s->state->workers);
  if (now - s->committed >= fmax(commit_every, share * s->commit_cost))
    commit(s);
  if (s->options->watch && now - s->watched >= watch_every) {
    s->options->watch(s->options->context, s->state);
    s->watched = now;
  }
  if (s->status == BPERC_OK && bperc_cancelled())
    s->status = say_stopped(s);
  return s->status == BPERC_OK;
}

static void run_schedule(bperc_i_session *s) {
  if (s->todo_count && !bperc_i_store_writable(s->store)) {
    s->status = bperc_error_set(
        s->error, BPERC_E_IO,
        "the store is read-only and %zu of %zu results are missing in it",
        s->todo_count, s->state->total);
    return;
  }
  s->started = s->committed = bperc_i_clock();
  if (s->options->watch)
    s->options->watch(s->options->context, s->state);
  if (s->todo_count == 0) {
    bperc_i_store_tidy(s->store);
    return;
  }
  s->status = bperc_i_store_share(s->store, s->error);
  if (s->status != BPERC_OK)
    return;
  if (bperc_i_transport_size() > 1)
    bperc_i_run_ranks(s);
  else
    bperc_i_run_threads(s, s->options->threads);
  commit(s);
  bperc_i_store_unshare(s->store);
  s->state->seconds = bperc_i_clock() - s->started;
  s->state->left = 0;
  if (s->options->watch)
    s->options->watch(s->options->context, s->state);
}

bperc_status bperc_sweep_run(const bperc_experiment *const *x, size_t count,
                             bperc_store *store,
                             const bperc_sweep_options *given,
                             bperc_sweep_state *state, bperc_error *error) {
  bperc_sweep_options own, *options = &own;
  bperc_i_run_work work;
  bperc_sweep_state local;
  bperc_i_session s = {.work = &work,
                       .store = store,
                       .options = options,
                       .state = state ? state : &local,
                       .error = error};
  bperc_i_options_plain(sizeof own, given, &own);
  *s.state = (bperc_sweep_state){0};
  if (options->shards &&
      (options->shard < 1 || options->shard > options->shards))
    return bperc_error_set(error, BPERC_E_ARGUMENT, "there is no part %u of %u",
                           options->shard, options->shards);
  s.status = bperc_i_work_gather(x, count, options->scale, options->seed, &work,
                                 error);
  if (s.status == BPERC_OK)
    s.status = prepare_schedule(&s);
  if (s.status == BPERC_OK)
    run_schedule(&s);
  bperc_free(s.todo);
  bperc_free(s.cost);
  bperc_free(s.paces);
  bperc_i_work_clear(&work);
  return s.status;
}
