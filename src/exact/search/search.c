/* Driving the search kernel: search.h. */
#include "exact/search/search.h"

#include "base/alloc.h"
#include "base/threads.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  SMALL = 32,               /* positions that one task handles */
  TASKS = 2048,             /* prefixes of a larger search */
  MORE_TASKS = 8192,        /* where bounds from sums make them unequal */
  CHECK_INTERVAL = 1 << 15, /* nodes between looks at limits and cancellation */
  FIRST_ALLOCATED = 1 << 10 /* words of a new list */
};

typedef struct {
  const bperc_i_engine *e;
  const bperc_i_search_residual *r;
  bperc_i_search *s;
  size_t node_size, word_size;
  char *nodes; /* where the tasks start */
  double *share;
  size_t tasks;
  bperc_i_sink *sinks; /* one per task */
  atomic_uint_fast64_t found;
  atomic_bool overflow, failed;
  atomic_bool cancelled;  /* seen by a task: the others need not look */
  atomic_size_t earliest; /* BPERC_I_FIRST: first task with a solution */
  pthread_mutex_t reporting;
  double done;
  const bperc_i_draw *draw; /* NULL: none */
  uint64_t *rank;           /* of all draws, ascending; then within its task */
  size_t *asked;            /* [tasks + 1] where the ranks of a task start */
  char *drawn;              /* words of the ranks */
  bool alone;               /* one worker, tasks in order */
  size_t stored;            /* words that its finished tasks have listed */
} driver;

/* ---- prefixes ---- */

static void *part_at(const driver *d, char *nodes, size_t k) {
  return nodes + k * d->node_size;
}

/* Replaces every node by its children; returns whether anything changed. */
static bperc_status expand_tasks(driver *d, bool *changed) {
  char *nodes = bperc_i_alloc(2 * d->tasks, d->node_size);
  double *share = bperc_i_alloc(2 * d->tasks, sizeof *share);
  size_t k = 0;
  *changed = false;
  if (!nodes || !share) {
    bperc_i_free(nodes);
    bperc_i_free(share);
    return BPERC_E_MEMORY;
  }
  for (size_t t = 0; t < d->tasks; t++) {
    const void *from = part_at(d, d->nodes, t);
    void *zero = part_at(d, nodes, k), *one = part_at(d, nodes, k + 1);
    unsigned kept = bperc_i_part_split(d->e, from, zero, one);
    if (kept == BPERC_I_WHOLE) {
      memcpy(zero, from, d->node_size);
      share[k++] = d->share[t];
      continue;
    }
    *changed = true;
    if (kept == 2)
      memcpy(zero, one, d->node_size);
    share[k] = share[k + 1] = d->share[t] / (kept == 3 ? 2 : 1);
    if (kept == 0)
      d->done += d->share[t];
    k += (kept & 1) + (kept >> 1);
  }
  assert(k <= 2 * d->tasks);
  bperc_i_free(d->nodes);
  bperc_i_free(d->share);
  d->nodes = nodes;
  d->share = share;
  d->tasks = k;
  return BPERC_OK;
}

static bperc_status make_tasks(driver *d) {
  bperc_status status = BPERC_OK;
  bool changed = d->e->positions > SMALL;
  size_t wanted = d->e->relaxed ? MORE_TASKS : TASKS;
  d->node_size = bperc_i_part_size(d->e);
  d->nodes = bperc_i_alloc(1, d->node_size);
  d->share = bperc_i_alloc(1, sizeof *d->share);
  if (!d->nodes || !d->share)
    return BPERC_E_MEMORY;
  bperc_i_part_root(d->e, d->r, part_at(d, d->nodes, 0));
  d->share[0] = 1;
  d->tasks = 1;
  while (changed && d->tasks < wanted && d->tasks > 0 && status == BPERC_OK)
    status = expand_tasks(d, &changed);
  d->sinks = bperc_i_calloc(d->tasks + 1, sizeof *d->sinks);
  return d->sinks ? status : BPERC_E_MEMORY;
}

/* ---- what a running task asks ---- */

static void report_share(driver *d, double finished) {
  const bperc_exact_watch *watch = d->s->watch;
  pthread_mutex_lock(&d->reporting);
  d->done += finished;
  if (watch && watch->tell)
    watch->tell(watch->context, d->done > 1 ? 1 : d->done,
                (double)atomic_load(&d->found));
  pthread_mutex_unlock(&d->reporting);
}

/* Above the limit all stop, but one worker alone fills its list up to it. */
static bool wants_more(driver *d, size_t used) {
  bool filling = d->alone && d->s->mode == BPERC_I_LIST;
  return !atomic_load(&d->overflow) ||
         (filling && d->stored + used < d->s->limit);
}

/* Adds what the task found since the last time; false when to stop. */
static bool within_limit(bperc_i_sink *sink) {
  driver *d = sink->owner;
  uint64_t fresh = sink->count - sink->reported;
  assert(sink->count >= sink->reported && sink->used <= sink->allocated);
  sink->reported = sink->count;
  if (atomic_fetch_add(&d->found, fresh) + fresh > d->s->limit)
    atomic_store(&d->overflow, true);
  return wants_more(d, sink->used);
}

static bool on_pause(bperc_i_sink *sink) {
  driver *d = sink->owner;
  bool go_on = within_limit(sink);
  report_share(d, 0);
  return go_on && !bperc_cancelled() && !atomic_load(&d->failed) &&
         atomic_load(&d->earliest) > sink->task;
}

static bool on_full(bperc_i_sink *sink) {
  driver *d = sink->owner;
  size_t allocated = sink->allocated ? 2 * sink->allocated : FIRST_ALLOCATED;
  if (!within_limit(sink))
    return false;
  void *out = bperc_i_realloc(sink->out, sink->used * d->word_size,
                              allocated * d->word_size);
  if (!out) {
    atomic_store(&d->failed, true);
    return false;
  }
  sink->out = out;
  sink->allocated = allocated;
  return true;
}

/* Runs the kernel on the prefix of a task. */
static void search_task(driver *d, size_t task, bperc_i_sink *sink) {
  const void *part = part_at(d, d->nodes, task);
  if (!bperc_i_part_search(d->e, d->r->base, part, sink))
    atomic_store(&d->failed, true);
}

/* Looked at once more by none of the tasks that are left. */
static bool cancelled(driver *d) {
  if (!atomic_load(&d->cancelled) && bperc_cancelled())
    atomic_store(&d->cancelled, true);
  return atomic_load(&d->cancelled);
}

static void run_search_task(void *context, size_t task, unsigned worker) {
  driver *d = context;
  bperc_i_sink *sink = &d->sinks[task];
  (void)worker;
  if (!wants_more(d, 0) || atomic_load(&d->failed) ||
      atomic_load(&d->earliest) < task || cancelled(d))
    return;
  *sink = (bperc_i_sink){.mode = d->s->mode,
                         .check_interval = CHECK_INTERVAL,
                         .task = task,
                         .height = 1,
                         .grow_output = on_full,
                         .pause = on_pause,
                         .owner = d};
  search_task(d, task, sink);
  if (sink->mode == BPERC_I_FIRST && sink->count > 0) {
    size_t earliest = atomic_load(&d->earliest);
    while (task < earliest &&
           !atomic_compare_exchange_weak(&d->earliest, &earliest, task))
      ;
  }
  within_limit(sink);
  if (d->alone)
    d->stored += sink->used;
  report_share(d, d->share[task]);
}

/* ---- putting together ---- */

static bperc_status gather_list(driver *d) {
  bperc_i_search *s = d->s;
  size_t total = 0, at = 0;
  for (size_t t = 0; t < d->tasks; t++)
    total += d->sinks[t].used;
  s->used = total < s->limit ? total : (size_t)s->limit;
  if (d->tasks == 1 && d->sinks[0].out) {
    s->list = d->sinks[0].out;
    d->sinks[0].out = NULL;
    return BPERC_OK;
  }
  s->list = bperc_i_alloc(s->used + 1, d->word_size);
  if (!s->list)
    return BPERC_E_MEMORY;
  for (size_t t = 0; t < d->tasks; t++) {
    size_t part = d->sinks[t].used;
    if (part > s->used - at)
      part = s->used - at;
    if (part > 0)
      memcpy((char *)s->list + at * d->word_size, d->sinks[t].out,
             part * d->word_size);
    at += part;
    bperc_i_free(d->sinks[t].out);
    d->sinks[t].out = NULL;
  }
  assert(at == s->used);
  return BPERC_OK;
}

static void drop_lists(driver *d) {
  for (size_t t = 0; d->sinks && t < d->tasks; t++) {
    bperc_i_free(d->sinks[t].out);
    d->sinks[t] = (bperc_i_sink){0};
  }
}

static bperc_status gather_tasks(driver *d) {
  bperc_i_search *s = d->s;
  bperc_status status = BPERC_OK;
  for (size_t t = 0; t < d->tasks; t++) {
    s->nodes += d->sinks[t].nodes;
    s->count += d->sinks[t].count;
  }
  if (s->mode == BPERC_I_LIST)
    status = gather_list(d);
  size_t earliest = atomic_load(&d->earliest);
  if (s->mode == BPERC_I_FIRST && earliest < d->tasks) {
    assert(d->sinks[earliest].count > 0);
    s->found = true;
    s->first = d->sinks[earliest].first;
  }
  s->complete = !atomic_load(&d->overflow);
  if (!s->complete)
    s->count = s->limit;
  return status;
}

/* Which solutions a pool has met when the limit is reached depends on the
 * pool; one worker in the order of the tree always meets the same. */
static bperc_status list_up_to_limit(driver *d) {
  drop_lists(d);
  atomic_store(&d->overflow, false);
  atomic_store(&d->found, 0);
  d->s->nodes = 0;
  d->alone = true;
  bperc_i_parallel_for(d->tasks, 1, run_search_task, d);
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  return atomic_load(&d->failed) ? BPERC_E_MEMORY : BPERC_OK;
}

static bperc_status run_tasks(driver *d) {
  d->alone = bperc_threads(d->tasks, d->s->threads) == 1;
  bperc_i_parallel_for(d->tasks, d->s->threads, run_search_task, d);
  if (bperc_cancelled())
    return BPERC_E_INTERRUPTED;
  if (atomic_load(&d->failed))
    return BPERC_E_MEMORY;
  bool again =
      atomic_load(&d->overflow) && d->s->mode == BPERC_I_LIST && !d->alone;
  bperc_status status = again ? list_up_to_limit(d) : BPERC_OK;
  return status == BPERC_OK ? gather_tasks(d) : status;
}

/* ---- draws ----
 *
 * Ranks are drawn among all solutions in the order of the search, sorted, and
 * found by searching the tasks that have some of them once more. */

typedef struct {
  uint64_t rank;
  size_t draw;
} ticket;

static int by_drawn_rank(const void *left, const void *right) {
  const ticket *a = left, *b = right;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return a->draw < b->draw ? -1 : 1;
}

static bool draw_on(bperc_i_sink *sink) {
  (void)sink;
  return !bperc_cancelled();
}

static void find_ranks(void *context, size_t task, unsigned worker) {
  driver *d = context;
  size_t from = d->asked[task], ranks = d->asked[task + 1] - from;
  (void)worker;
  if (ranks == 0 || bperc_cancelled())
    return;
  bperc_i_sink sink = {.mode = BPERC_I_RANKS,
                       .check_interval = CHECK_INTERVAL,
                       .height = 1,
                       .pause = draw_on,
                       .out = d->drawn + from * d->word_size,
                       .rank = d->rank + from,
                       .ranks = ranks};
  search_task(d, task, &sink);
}

/* Which task each rank belongs to; ranks become those within it. */
static void assign_ranks(driver *d, const ticket *tickets) {
  uint64_t before = 0;
  size_t k = 0;
  for (size_t t = 0; t < d->tasks; t++) {
    uint64_t here = d->sinks[t].count;
    d->asked[t] = k;
    for (; k < d->draw->count && tickets[k].rank < before + here; k++)
      d->rank[k] = tickets[k].rank - before;
    before += here;
  }
  d->asked[d->tasks] = k;
  assert(k == d->draw->count);
}

static bperc_i_word drawn_word(const driver *d, size_t k) {
  bperc_i_word word = 0;
  memcpy(&word, d->drawn + k * d->word_size, d->word_size);
  return word;
}

/* Columns that nothing binds. */
static void toss_coins(const bperc_i_draw *draw, bperc_i_word loose) {
  bperc_stream s = bperc_stream_make(draw->seed, BPERC_FOR_ENUMERATE, 1);
  for (size_t k = 0; k < draw->count; k++) {
    bperc_i_word coins = bperc_stream_u64(&s);
    coins = coins << 64 | bperc_stream_u64(&s);
    draw->word[k] |= coins & loose;
  }
}

/* After a count: fills d->draw. Columns that nothing binds are coins. */
static bperc_status draw_solutions(driver *d, bperc_i_word loose) {
  size_t count = d->draw->count;
  uint64_t total = (uint64_t)d->s->count;
  bperc_stream s = bperc_stream_make(d->draw->seed, BPERC_FOR_ENUMERATE, 0);
  ticket *tickets = bperc_i_alloc(count + 1, sizeof *tickets);
  bperc_status status = BPERC_E_MEMORY;
  d->rank = bperc_i_alloc(count + 1, sizeof *d->rank);
  d->asked = bperc_i_alloc(d->tasks + 1, sizeof *d->asked);
  d->drawn = bperc_i_alloc(count + 1, d->word_size);
  if (!tickets || !d->rank || !d->asked || !d->drawn)
    goto done;
  for (size_t k = 0; k < count; k++)
    tickets[k] = (ticket){bperc_stream_below(&s, total), k};
  qsort(tickets, count, sizeof *tickets, by_drawn_rank);
  assign_ranks(d, tickets);
  bperc_i_parallel_for(d->tasks, d->s->threads, find_ranks, d);
  status = atomic_load(&d->failed) ? BPERC_E_MEMORY : BPERC_OK;
  if (bperc_cancelled())
    status = BPERC_E_INTERRUPTED;
  for (size_t k = 0; k < count && status == BPERC_OK; k++)
    d->draw->word[tickets[k].draw] = drawn_word(d, k);
  if (status == BPERC_OK)
    toss_coins(d->draw, loose);
done:
  bperc_i_free(tickets);
  bperc_i_free(d->rank);
  bperc_i_free(d->asked);
  bperc_i_free(d->drawn);
  return status;
}

/* Columns that no pattern mentions any more. */
static bperc_i_word unbound(const bperc_i_search_residual *r) {
  bperc_i_word seen = 0;
  for (size_t mu = 0; mu < r->m; mu++)
    seen |= r->mask[mu];
  return r->open & ~seen;
}

static bperc_status search_columns(bperc_i_search *s,
                                   const bperc_i_search_residual *r,
                                   bperc_i_word which,
                                   const bperc_i_draw *draw) {
  bperc_i_engine e;
  driver d = {.e = &e, .r = r, .s = s, .draw = draw};
  bperc_status status = bperc_i_engine_init(&e, r, which);
  if (status != BPERC_OK)
    return status;
  d.word_size = bperc_i_list_words(r->columns) * sizeof(uint64_t);
  atomic_init(&d.earliest, SIZE_MAX);
  pthread_mutex_init(&d.reporting, NULL);
  status = make_tasks(&d);
  if (status == BPERC_OK)
    status = run_tasks(&d);
  if (status == BPERC_OK && draw && s->count > 0)
    status = draw_solutions(&d, r->open & ~which);
  s->share = d.done;
  s->met = (double)atomic_load(&d.found);
  drop_lists(&d);
  pthread_mutex_destroy(&d.reporting);
  bperc_i_free(d.nodes);
  bperc_i_free(d.share);
  bperc_i_free(d.sinks);
  bperc_i_engine_clear(&e);
  return status;
}

static bperc_status count_states(bperc_i_search *s,
                                 const bperc_i_search_residual *r,
                                 bperc_i_word loose, bperc_i_draw *draw) {
  if (!draw)
    return bperc_i_states_count(r, &s->count);
  bperc_status status = bperc_i_states_draw(r, &s->count, draw);
  if (status == BPERC_OK && s->count > 0)
    toss_coins(draw, loose);
  return status;
}

bperc_status bperc_i_search_run(bperc_i_search *s,
                                const bperc_i_search_residual *r,
                                bperc_i_draw *draw) {
  s->complete = true;
  if (s->limit == 0)
    s->limit = UINT64_MAX;
  if (r->contradiction)
    return BPERC_OK;
  bool counting = s->mode == BPERC_I_COUNT;
  bperc_i_word loose = counting ? unbound(r) : 0;
  s->shift = (size_t)bperc_i_word_popcount(loose);
  if (counting && s->limit == UINT64_MAX && bperc_i_states_fit(r))
    return count_states(s, r, loose, draw);
  bperc_status status = search_columns(s, r, r->open & ~loose, draw);
  bool many = s->shift >= 64 || s->count > s->limit >> s->shift;
  if (counting && s->count > 0 && many && s->limit != UINT64_MAX) {
    s->count = s->limit;
    s->shift = 0;
    s->complete = false;
  }
  return status;
}
