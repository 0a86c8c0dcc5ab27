/* A sweep: what is missing, who runs it, when it is committed. */
#include "sweep/work.h"

#include "base/alloc.h"
#include "sweep/transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double commit_every = 1.0, watch_every = 0.1; /* seconds */
/* A slow disk is asked less often: at least so many times the last commit
 * lies between two. */
static const double share = 100;

/* ---- what is missing */

typedef struct {
  uint32_t job;
  double cost;
} candidate;

/* The longest first keeps all workers busy to the end; the key decides among
 * equals so that the order is the same everywhere. */
static int by_cost(const void *a, const void *b) {
  const candidate *p = a, *q = b;
  if (p->cost != q->cost)
    return p->cost < q->cost ? 1 : -1;
  return p->job < q->job ? -1 : p->job > q->job;
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

static bperc_status find_missing(bperc_i_session *s, candidate *list) {
  const bperc_i_work *w = s->work;
  const bperc_i_point *last = NULL;
  double known = -1;
  for (size_t k = 0; k < w->count; k++) {
    int found;
    bperc_status status =
        bperc_i_store_has(s->store, w->jobs[k].id.key, &found, s->error);
    if (status != BPERC_OK)
      return status;
    if (found > 0 || (found < 0 && !s->options->retry)) {
      s->state->found++;
      s->state->failed += found < 0;
      continue;
    }
    list[s->todo_count].job = (uint32_t)k;
    list[s->todo_count].cost =
        expected_cost(s->store, w->jobs[k].point, &last, &known);
    s->state->estimate += list[s->todo_count++].cost;
  }
  qsort(list, s->todo_count, sizeof *list, by_cost);
  return BPERC_OK;
}

static bperc_status prepare(bperc_i_session *s) {
  candidate *list = bperc_i_alloc(s->work->count, sizeof *list);
  bperc_status status = BPERC_E_MEMORY;
  s->todo = bperc_i_alloc(s->work->count, sizeof *s->todo);
  if (list && s->todo)
    status = find_missing(s, list);
  else
    bperc_error_set(s->error, status, "no memory for %zu tasks",
                    s->work->count);
  for (size_t k = 0; status == BPERC_OK && k < s->todo_count; k++)
    s->todo[k] = list[k].job;
  bperc_i_free(list);
  return status;
}

/* ---- while it runs */

/* Failures that would be the same next time are kept with their reason. */
static int worth_keeping(bperc_status status) {
  return status == BPERC_OK || status == BPERC_E_NUMERIC ||
         status == BPERC_E_LIMIT || status == BPERC_E_ARGUMENT ||
         status == BPERC_E_FORMAT;
}

void bperc_i_session_take(bperc_i_session *s, bperc_i_outcome *o) {
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
  s->state->busy += o->seconds;
  if (o->status == BPERC_E_INTERRUPTED) {
    if (s->status == BPERC_OK)
      s->status = bperc_error_set(s->error, BPERC_E_INTERRUPTED, "interrupted");
  } else if (s->status == BPERC_OK && !worth_keeping(o->status)) {
    s->status =
        bperc_error_set(s->error, o->status, "%s: %s",
                        job->point->block->measurement->name, o->message);
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
  if (now - s->committed >= fmax(commit_every, share * s->commit_cost))
    commit(s);
  if (s->options->watch && now - s->watched >= watch_every) {
    s->options->watch(s->options->context, s->state);
    s->watched = now;
  }
  if (s->status == BPERC_OK && bperc_cancelled())
    s->status = bperc_error_set(s->error, BPERC_E_INTERRUPTED, "interrupted");
  return s->status == BPERC_OK;
}

static void run(bperc_i_session *s) {
  s->state->total = s->work->count;
  if (s->todo_count && !bperc_i_store_writable(s->store)) {
    s->status = bperc_error_set(
        s->error, BPERC_E_IO,
        "the store is read-only and %zu of %zu results are missing in it",
        s->todo_count, s->work->count);
    return;
  }
  s->started = s->committed = bperc_i_clock();
  if (s->options->watch)
    s->options->watch(s->options->context, s->state);
  if (s->todo_count == 0)
    return;
  if (bperc_i_transport_size() > 1)
    bperc_i_run_ranks(s);
  else
    bperc_i_run_threads(s, s->options->threads);
  commit(s);
  s->state->seconds = bperc_i_clock() - s->started;
  if (s->options->watch)
    s->options->watch(s->options->context, s->state);
}

bperc_status bperc_sweep_run(const bperc_experiment *const *x, size_t count,
                             bperc_store *store,
                             const bperc_sweep_options *options,
                             bperc_sweep_state *state, bperc_error *error) {
  bperc_i_work work;
  bperc_sweep_state local;
  bperc_i_session s = {.work = &work,
                       .store = store,
                       .options = options,
                       .state = state ? state : &local,
                       .error = error};
  *s.state = (bperc_sweep_state){0};
  s.status = bperc_i_work_gather(x, count, options->scale, options->seed, &work,
                                 error);
  if (s.status == BPERC_OK)
    s.status = prepare(&s);
  if (s.status == BPERC_OK)
    run(&s);
  bperc_i_free(s.todo);
  bperc_i_work_clear(&work);
  return s.status;
}
